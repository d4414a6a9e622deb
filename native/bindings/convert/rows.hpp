// Arrays that Python owns.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace rankwise {

namespace nb = nanobind;

// A fresh array (n, k) that Python owns, filled with zeros.
template <class Number>
auto new_rows(std::size_t n, std::size_t k) {
    Number* data = new Number[n * k]();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<Number*>(p); });
    return nb::ndarray<nb::numpy, Number, nb::ndim<2>>(data, {n, k}, owner);
}

// A column that Python gave us.
template <class Number>
using Column = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// All numbers of an array, row by row.
template <class Number, class... Kind>
std::span<Number> span_of(const nb::ndarray<Number, Kind...>& array) {
    return {array.data(), array.size()};
}
template <class Number, class... Kind>
std::span<Number> span_of(const nb::ndarray<nb::numpy, Number, Kind...>& array) {
    return {array.data(), array.size()};
}

// A fresh array (n,) that Python owns, with the content of `values`.
template <class Number>
auto new_column(const std::vector<Number>& values) {
    Number* data = new Number[values.size()];
    std::copy(values.begin(), values.end(), data);
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<Number*>(p); });
    return nb::ndarray<nb::numpy, Number, nb::ndim<1>>(data, {values.size()}, owner);
}

// The sum of every column of fresh rows, for those who have no use for arrays.
template <class Number>
nb::list column_totals(const nb::ndarray<nb::numpy, Number, nb::ndim<2>>& rows) {
    const std::size_t columns = rows.shape(1);
    std::vector<Number> totals(columns);
    const std::span<Number> cells = span_of(rows);
    for (std::size_t first = 0; first < cells.size(); first += columns) {
        for (std::size_t c = 0; c < columns; ++c) totals[c] += cells[first + c];
    }
    nb::list list;
    for (const Number total : totals) list.append(total);
    return list;
}

}  // namespace rankwise
