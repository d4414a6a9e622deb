// Numbers of 128 bits beside those of 64.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace rankwise {

__extension__ using Wide = unsigned __int128;

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

}  // namespace rankwise
