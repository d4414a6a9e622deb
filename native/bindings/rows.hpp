// Arrays that Python owns.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>

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

}  // namespace rankwise
