// Python's strings as views: no copy, no encoding.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/text.hpp"

namespace rankwise {

namespace nb = nanobind;

inline StringView view_of(PyObject* text) {
    return {PyUnicode_DATA(text), static_cast<std::size_t>(PyUnicode_GET_LENGTH(text)),
            static_cast<std::uint8_t>(PyUnicode_KIND(text))};
}

[[noreturn]] inline void raise_type(const char* what, Py_ssize_t index, PyObject* found) {
    PyErr_Format(PyExc_TypeError, "%s %zd is a %s; expected a str", what, index,
                 Py_TYPE(found)->tp_name);
    throw nb::python_error();
}

// A sequence as a tuple, which nobody can change while the GIL is released.
inline nb::object frozen(nb::handle sequence, const char* what) {
    if (PyUnicode_Check(sequence.ptr())) {
        PyErr_Format(PyExc_TypeError, "%s are one str; expected a sequence of str", what);
        throw nb::python_error();
    }
    PyObject* tuple = PySequence_Tuple(sequence.ptr());
    if (tuple == nullptr) throw nb::python_error();
    return nb::steal(tuple);
}

// A Python str of some code points.
inline nb::object string_of(std::u32string_view text) {
    PyObject* made = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text.data(),
                                               static_cast<Py_ssize_t>(text.size()));
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

// Python strings of the tokens of a text.
template <class Tokens>
nb::list token_list(std::u32string_view text, const Tokens& tokens) {
    nb::list words;
    for (const auto token : tokens) {
        words.append(string_of(text.substr(token.begin, token.end - token.begin)));
    }
    return words;
}

// Views of a sequence of str, and the tuple that keeps them alive.
class Strings {
public:
    explicit Strings(nb::handle sequence, const char* what = "texts")
        : owner_(frozen(sequence, what)) {
        const Py_ssize_t count = PyTuple_GET_SIZE(owner_.ptr());
        views.reserve(static_cast<std::size_t>(count));
        for (Py_ssize_t i = 0; i < count; ++i) {
            PyObject* item = PyTuple_GET_ITEM(owner_.ptr(), i);
            if (!PyUnicode_Check(item)) raise_type(what, i, item);
            views.push_back(view_of(item));
        }
    }
    std::size_t size() const { return views.size(); }

    std::vector<StringView> views;

private:
    nb::object owner_;
};

// Views of a sequence whose entries are a str or a sequence of str: the references of segments.
class References {
public:
    explicit References(nb::handle sequence) : owner_(frozen(sequence, "references")) {
        const Py_ssize_t count = PyTuple_GET_SIZE(owner_.ptr());
        views.reserve(static_cast<std::size_t>(count));
        starts.reserve(static_cast<std::size_t>(count) + 1);
        for (Py_ssize_t i = 0; i < count; ++i) {
            PyObject* item = PyTuple_GET_ITEM(owner_.ptr(), i);
            if (PyUnicode_Check(item)) {
                views.push_back(view_of(item));
            } else {
                add_all(nb::handle(item), i);
            }
            starts.push_back(views.size());
        }
    }
    std::size_t size() const { return starts.size() - 1; }

    // Segment i owns views[starts[i] .. starts[i + 1]).
    std::vector<StringView> views;
    std::vector<std::size_t> starts{0};

private:
    void add_all(nb::handle entry, Py_ssize_t index) {
        if (!PySequence_Check(entry.ptr())) raise_type("reference", index, entry.ptr());
        nb::object tuple = frozen(entry, "references");
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(tuple.ptr()); ++k) {
            PyObject* item = PyTuple_GET_ITEM(tuple.ptr(), k);
            if (!PyUnicode_Check(item)) raise_type("reference", index, item);
            views.push_back(view_of(item));
        }
        if (tuple.ptr() != entry.ptr()) kept_.push_back(std::move(tuple));
    }

    nb::object owner_;
    std::vector<nb::object> kept_;
};

// Hypotheses and as many non-empty sets of references.
struct Segments {
    Segments(nb::handle texts, nb::handle reference_texts)
        : hypotheses(texts, "hypotheses"), references(reference_texts) {
        if (hypotheses.size() != references.size()) {
            throw std::invalid_argument(std::to_string(hypotheses.size()) +
                                        " hypotheses but references for " +
                                        std::to_string(references.size()) + " segments");
        }
        for (std::size_t i = 0; i < size(); ++i) {
            if (of(i).empty()) {
                throw std::invalid_argument("segment " + std::to_string(i + 1) +
                                            " has no reference");
            }
        }
    }
    std::size_t size() const { return hypotheses.size(); }
    std::span<const StringView> of(std::size_t i) const {
        const std::size_t begin = references.starts[i];
        return std::span(references.views).subspan(begin, references.starts[i + 1] - begin);
    }

    // Asks for the first characters of a segment, which lie wherever Python put them.
    void prefetch(std::size_t i) const {
        prefetch(hypotheses.views[i]);
        prefetch(references.views[references.starts[i]]);
    }

    Strings hypotheses;
    References references;

private:
    static void prefetch(const StringView& text) {
        constexpr std::size_t kLine = 64;
        const auto* bytes = static_cast<const char*>(text.data);
        for (std::size_t k = 0; k < 4 && k * kLine < text.length * text.width; ++k) {
            __builtin_prefetch(bytes + k * kLine);
        }
    }
};

}  // namespace rankwise
