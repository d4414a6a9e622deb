// N-grams that end at places of a reference, with a bit for every place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "words/wide_bits.hpp"

namespace rankwise {

inline constexpr std::size_t kShiftAndOrders = 4;

// Sets matches[n - 1] for every order n up to `kOrders`, as many as there is room for:
// `places_of(word)` are the places of the reference at which a word of the hypothesis stands. All
// that there is to know about an order is which places are free; see PlaceMatcher.
template <std::size_t kOrders, class Bits, class Hypothesis, class PlacesOf>
void shift_and(const Hypothesis& hypothesis, const PlacesOf& places_of,
               std::span<std::int64_t> matches) {
    Bits free[kOrders], ends[kOrders] = {};
    std::fill_n(free, kOrders, ~Bits{0});
    for (const auto word : hypothesis) {
        const Bits here = places_of(word);
        for (std::size_t n = kOrders - 1; n > 0; --n) ends[n] = ends[n - 1] << 1 & here;
        ends[0] = here;
        for (std::size_t n = 0; n < kOrders; ++n) {
            const Bits open = ends[n] & free[n];
            free[n] ^= open & -open;
        }
    }
    for (std::size_t n = 0; n < matches.size(); ++n) matches[n] = count_of(~free[n]);
}

}  // namespace rankwise
