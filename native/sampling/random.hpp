// Random numbers: the stream of numpy's Generator(PCG64).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rankwise {

// numpy's PCG64 (XSL-RR, 128-bit state): the same numbers from the same state.
class Pcg64 {
public:
    __extension__ using Wide = unsigned __int128;

    Pcg64(Wide state, Wide increment) : state_(state), increment_(increment) {}

    std::uint64_t next64() {
        state_ = state_ * kMultiplier + increment_;
        return mixed(state_);
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

    // Calls take(below(size)) `count` times. As many steps are made at once as will surely be used:
    // only for a number that is drawn again one more is needed, the next time around.
    template <class Take>
    void draw_below(std::uint32_t size, std::size_t count, const Take& take) {
        const std::uint32_t threshold = size > 1 ? (0u - size) % size : 0;
        std::array<std::uint64_t, kStepsAtOnce> numbers;
        while (count > 0) {
            if (has_half_ || size <= 1) {
                take(below(size));
                --count;
                continue;
            }
            const std::size_t steps = std::min(kStepsAtOnce, (count + 1) / 2), whole = count / 2;
            fill(std::span(numbers).first(steps));
            const auto try_number = [&](std::uint64_t number) {
                const std::uint64_t product = number * size;
                if (static_cast<std::uint32_t>(product) < threshold) [[unlikely]]
                    return;
                take(static_cast<std::uint32_t>(product >> 32));
                --count;
            };
            for (std::size_t i = 0; i < std::min(steps, whole); ++i) {
                try_number(numbers[i] & 0xffffffffu);
                try_number(numbers[i] >> 32);
            }
            if (steps > whole) {  // one number is left
                try_number(numbers[whole] & 0xffffffffu);
                half_ = static_cast<std::uint32_t>(numbers[whole] >> 32);
                has_half_ = true;
            }
        }
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
    static constexpr std::size_t kStepsAtOnce = 128;

    // The next numbers. Two steps at once: what one takes another two steps to know, the processor
    // multiplies at the same time.
    void fill(std::span<std::uint64_t> out) {
        constexpr Wide kTwice = kMultiplier * kMultiplier;
        const Wide increment = increment_ * (kMultiplier + 1);
        Wide even = state_ * kMultiplier + increment_, odd = even * kMultiplier + increment_;
        std::size_t i = 0;
        for (; i + 2 <= out.size(); i += 2) {
            out[i] = mixed(even), out[i + 1] = mixed(odd);
            state_ = odd;
            even = even * kTwice + increment, odd = odd * kTwice + increment;
        }
        if (i < out.size()) out[i] = next64();
    }

    static std::uint64_t mixed(Wide state) {
        const auto high = static_cast<std::uint64_t>(state >> 64);
        const auto low = static_cast<std::uint64_t>(state);
        return std::rotr(high ^ low, static_cast<int>(high >> 58));
    }

    static constexpr Wide kMultiplier =
        (Wide{0x2360ED051FC65DA4u} << 64) | std::uint64_t{0x4385DF649FCCF645u};
    Wide state_, increment_;
    std::uint32_t half_ = 0;
    bool has_half_ = false;
};

}  // namespace rankwise
