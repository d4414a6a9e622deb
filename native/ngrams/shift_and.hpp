// N-grams that end at places of a reference, with a bit for every place.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rankwise {

__extension__ using Wide = unsigned __int128;

inline constexpr std::size_t kShiftAndOrders = 4;

// The lowest bit that is set; there is one.
inline std::size_t lowest(std::uint64_t bits) {
    return static_cast<std::size_t>(std::countr_zero(bits));
}
inline std::size_t lowest(Wide bits) {
    const auto low = static_cast<std::uint64_t>(bits);
    return low != 0 ? lowest(low) : 64 + lowest(static_cast<std::uint64_t>(bits >> 64));
}

// How many bits are set, without an instruction that older processors lack.
inline std::int64_t count_of(std::uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return static_cast<std::int64_t>(bits * 0x0101010101010101u >> 56);
}
inline std::int64_t count_of(Wide bits) {
    return count_of(static_cast<std::uint64_t>(bits)) +
           count_of(static_cast<std::uint64_t>(bits >> 64));
}

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
