// Lines of files: bytes into strings.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstring>
#include <string_view>

#include "text/lines.hpp"

namespace rankwise {

namespace nb = nanobind;

// A line as a Python str; nullptr where it is no UTF-8, with the error cleared.
inline PyObject* string_or_null(std::string_view line) {
    const auto size = static_cast<Py_ssize_t>(line.size());
    if (is_ascii(line)) {
        PyObject* text = PyUnicode_New(size, 127);
        if (text == nullptr) throw nb::python_error();
        if (size > 0) std::memcpy(PyUnicode_DATA(text), line.data(), line.size());
        return text;
    }
    PyObject* text =
        PyUnicode_DecodeUTF8(line.data(), static_cast<Py_ssize_t>(line.size()), "strict");
    if (text != nullptr) return text;
    if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) throw nb::python_error();
    PyErr_Clear();
    return nullptr;
}

// The lines of a block, or None where it holds a NUL or is no UTF-8.
inline nb::object utf8_lines(nb::bytes block) {
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

}  // namespace rankwise
