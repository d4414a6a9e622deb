// Rows of ranked lists, and lists of Python numbers as columns.
#include "agreement/ranked_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "threads/pool.hpp"

namespace rankwise {

namespace {

using Table = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Groups checked_starts(const Column<std::int64_t>& starts, std::size_t items) {
    const Groups lists{span_of(starts)};
    if (lists.starts.empty() || lists.starts.front() != 0 ||
        !std::ranges::is_sorted(lists.starts) || lists.cells() != items) {
        throw std::invalid_argument("the starts of lists must rise from 0 to the number of items");
    }
    return lists;
}

std::int64_t checked(std::int64_t code, std::int64_t limit, const char* what) {
    if (code < 0 || code >= limit) throw std::invalid_argument(what);
    return code;
}

// Rows of quantity, normalisation, order, depth; a further number each.
std::vector<Request> requests_of(const Table& codes, const Column<double>& values) {
    if (codes.shape(1) != 4 || values.shape(0) != codes.shape(0)) {
        throw std::invalid_argument("a request has four codes and a value");
    }
    std::vector<Request> requests;
    for (std::size_t i = 0; i < codes.shape(0); ++i) {
        const std::int64_t* code = codes.data() + 4 * i;
        const auto quantity = static_cast<Quantity>(checked(code[0], 6, "unknown quantity"));
        const double value = values.data()[i];
        if (quantity == Quantity::gains && !(value == 0 || value == 1 || value == 2)) {
            throw std::invalid_argument("unknown gain");
        }
        requests.push_back(
            {quantity, static_cast<Normalisation>(checked(code[1], 4, "unknown normalisation")),
             static_cast<TieOrder>(checked(code[2], 5, "unknown order of ties")),
             static_cast<std::size_t>(std::max<std::int64_t>(0, code[3])), value});
    }
    return requests;
}

auto list_rows(Column<std::int64_t> starts, Column<double> predicted, Column<double> gold,
               Table codes, Column<double> values) {
    if (predicted.shape(0) != gold.shape(0)) {
        throw std::invalid_argument("columns differ in length");
    }
    const auto lists = checked_starts(starts, gold.shape(0));
    const std::vector<Request> requests = requests_of(codes, values);
    std::size_t width = 0;
    for (const Request& request : requests) width += request.columns();
    auto rows = new_rows<double>(lists.count(), width);
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    ranked_list_rows(threads, lists, span_of(predicted), span_of(gold), requests, span_of(rows));
    return rows;
}

auto normalised(Column<std::int64_t> starts, Column<double> ranks, std::int64_t ties) {
    const auto lists = checked_starts(starts, ranks.shape(0));
    const auto kind = static_cast<Normalisation>(checked(ties, 4, "unknown normalisation"));
    auto out = new_rows<double>(1, ranks.shape(0));
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    normalise_ranks(threads, lists, span_of(ranks), kind, span_of(out));
    return out;
}

// A number, nan for None; else a TypeError that says where.
double number_of(PyObject* item, Py_ssize_t list) {
    if (PyFloat_CheckExact(item)) return PyFloat_AS_DOUBLE(item);
    if (item == Py_None) return std::numeric_limits<double>::quiet_NaN();
    if (PyLong_CheckExact(item)) {
        int overflow = 0;
        const long whole = PyLong_AsLongAndOverflow(item, &overflow);
        if (overflow == 0) return static_cast<double>(whole);
    }
    const nb::object kept = nb::borrow(item);  // what converts it may change the list
    const double number = PyFloat_AsDouble(item);
    if (number == -1.0 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "list %zd holds %R", list + 1, item);
        throw nb::python_error();
    }
    return number;
}

// An entry as something with a length and items; else a TypeError that says which.
nb::object list_of(PyObject* entry, Py_ssize_t place) {
    if (PyUnicode_Check(entry) || PyBytes_Check(entry) || !PySequence_Check(entry)) {
        PyErr_Format(PyExc_TypeError, "list %zd is %R", place + 1, entry);
        throw nb::python_error();
    }
    nb::object list = nb::steal(PySequence_Fast(entry, "expected a list of numbers"));
    if (!list.is_valid()) throw nb::python_error();
    return list;
}

// Lists of numbers as (starts, numbers), each (1, n).
nb::tuple flat_lists(nb::sequence lists) {
    const nb::object outer = nb::steal(PySequence_Tuple(lists.ptr()));
    if (!outer.is_valid()) throw nb::python_error();
    const Py_ssize_t count = PyTuple_GET_SIZE(outer.ptr());
    auto starts = new_rows<std::int64_t>(1, static_cast<std::size_t>(count) + 1);
    std::vector<double> numbers;
    for (Py_ssize_t i = 0; i < count; ++i) {
        const nb::object list = list_of(PyTuple_GET_ITEM(outer.ptr(), i), i);
        if (i == 0) {  // as a rule lists have equal lengths
            const Py_ssize_t first = PySequence_Fast_GET_SIZE(list.ptr());
            numbers.reserve(static_cast<std::size_t>(count) * static_cast<std::size_t>(first));
        }
        for (Py_ssize_t j = 0; j < PySequence_Fast_GET_SIZE(list.ptr()); ++j) {
            numbers.push_back(number_of(PySequence_Fast_GET_ITEM(list.ptr(), j), i));
        }
        starts.data()[i + 1] = static_cast<std::int64_t>(numbers.size());
    }
    auto flat = new_rows<double>(1, numbers.size());
    std::copy(numbers.begin(), numbers.end(), flat.data());
    return nb::make_tuple(starts, flat);
}

}  // namespace

void bind_ranked_lists(nb::module_& m) {
    m.def("ranked_list_rows", &list_rows, nb::arg("starts"), nb::arg("predicted"), nb::arg("gold"),
          nb::arg("codes"), nb::arg("values"),
          "What measures of agreement count in ranked lists, a row per list.");
    m.def("normalise_ranks", &normalised, nb::arg("starts"), nb::arg("ranks"), nb::arg("ties"),
          "Ranks from 1 within every list, (1, n).");
    m.def("flat_lists", &flat_lists, nb::arg("lists"), "Lists of numbers as starts and numbers.");
}

}  // namespace rankwise
