// Random numbers: the stream of numpy's Generator(PCG64).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace rankwise {

// numpy's PCG64 (XSL-RR, 128-bit state): the same numbers from the same state.
class Pcg64 {
public:
    __extension__ using Wide = unsigned __int128;

    Pcg64(Wide state, Wide increment) : state_(state), increment_(increment) {}

    std::uint64_t next64() {
        state_ = state_ * kMultiplier + increment_;
        const auto high = static_cast<std::uint64_t>(state_ >> 64);
        const auto low = static_cast<std::uint64_t>(state_);
        return std::rotr(high ^ low, static_cast<int>(high >> 58));
    }

    // Two 32-bit numbers from one step, the low half first.
    std::uint32_t next32() {
        if (has_half_) {
            has_half_ = false;
            return half_;
        }
        const std::uint64_t both = next64();
        half_ = static_cast<std::uint32_t>(both >> 32);
        has_half_ = true;
        return static_cast<std::uint32_t>(both);
    }

    // Uniform in [0, size) by Lemire's method, as Generator.integers draws it.
    std::uint32_t below(std::uint32_t size) {
        if (size <= 1) return 0;  // numpy takes nothing from the stream here
        std::uint64_t product = std::uint64_t{next32()} * size;
        if (static_cast<std::uint32_t>(product) < size) {
            const std::uint32_t threshold = (0u - size) % size;
            while (static_cast<std::uint32_t>(product) < threshold) {
                product = std::uint64_t{next32()} * size;
            }
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    // Calls take(below(size)) `count` times, two numbers to a step where none is drawn again.
    template <class Take>
    void draw_below(std::uint32_t size, std::size_t count, const Take& take) {
        Pcg64 here = *this;  // what `take` writes cannot change it, so that it stays in registers
        while (count > 0) {
            for (; count >= 2 && !here.has_half_ && size > 1; count -= 2) {
                const Wide before = here.state_;
                const std::uint64_t both = here.next64();
                const std::uint64_t one = (both & 0xffffffffu) * size, two = (both >> 32) * size;
                if (static_cast<std::uint32_t>(one) < size ||
                    static_cast<std::uint32_t>(two) < size) [[unlikely]] {
                    here.state_ = before;
                    break;
                }
                take(static_cast<std::uint32_t>(one >> 32));
                take(static_cast<std::uint32_t>(two >> 32));
            }
            for (std::size_t i = std::min<std::size_t>(count, 2); i > 0; --i, --count) {
                take(here.below(size));
            }
        }
        *this = here;
    }

    // Uniform in [0, 1) with 53 bits, as Generator.random draws it.
    double uniform() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

    // The stream that begins `steps` later, as PCG64.advance finds it; no half number is kept.
    Pcg64 advanced(Wide steps) const {
        Wide factor = kMultiplier, add = increment_, all_factors = 1, all_adds = 0;
        for (; steps > 0; steps >>= 1) {
            if (steps & 1) {
                all_factors *= factor;
                all_adds = all_adds * factor + add;
            }
            add *= factor + 1;
            factor *= factor;
        }
        return Pcg64(state_ * all_factors + all_adds, increment_);
    }

private:
    static constexpr Wide kMultiplier =
        (Wide{0x2360ED051FC65DA4u} << 64) | std::uint64_t{0x4385DF649FCCF645u};
    Wide state_, increment_;
    std::uint32_t half_ = 0;
    bool has_half_ = false;
};

}  // namespace rankwise
