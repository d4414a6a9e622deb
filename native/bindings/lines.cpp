// Lines of files: bytes into strings.
#include <cstddef>
#include <cstring>
#include <string_view>

#include "bindings/bindings.hpp"
#include "text/lines.hpp"

namespace rankwise {

namespace {

// A line as a Python str; nullptr where it is no UTF-8, with the error cleared.
PyObject* string_or_null(std::string_view line) {
    const auto size = static_cast<Py_ssize_t>(line.size());
    if (is_ascii(line)) {
        PyObject* text = PyUnicode_New(size, 127);
        if (text == nullptr) throw nb::python_error();
        if (size > 0) std::memcpy(PyUnicode_DATA(text), line.data(), line.size());
        return text;
    }
    PyObject* text = PyUnicode_DecodeUTF8(line.data(), size, "strict");
    if (text != nullptr) return text;
    if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) throw nb::python_error();
    PyErr_Clear();
    return nullptr;
}

// The lines of a block, or None where it holds a NUL or is no UTF-8.
nb::object utf8_lines(nb::bytes block) {
    const std::string_view bytes(block.c_str(), block.size());
    if (bytes.find('\0') != std::string_view::npos) return nb::none();
    nb::list lines;
    const bool is_text = each_line(bytes, [&](std::string_view line) {
        PyObject* text = string_or_null(line);
        if (text != nullptr) lines.append(nb::steal(text));
        return text != nullptr;
    });
    return is_text ? nb::object(lines) : nb::none();
}

}  // namespace

void bind_lines(nb::module_& m) {
    m.def("utf8_lines", &utf8_lines, nb::arg("block"),
          "The lines of a block without their ends; None where it holds a NUL or is no UTF-8.");
}

}  // namespace rankwise
