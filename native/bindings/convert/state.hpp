// The state of numpy's generator as Python hands it over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "bindings/convert/rows.hpp"
#include "sampling/random.hpp"

namespace rankwise {

// The generator with numpy's 128-bit state and increment, given as high and low words.
inline Pcg64 generator(const Column<std::uint64_t>& words) {
    if (words.shape(0) != 4) throw std::invalid_argument("a PCG64 state has four words");
    const auto wide = [&](std::size_t i) {
        return Pcg64::Wide{words.data()[i]} << 64 | words.data()[i + 1];
    };
    return Pcg64(wide(0), wide(2));
}

}  // namespace rankwise
