// Resampled sums and counts: between the least and the most that can be, and the same however they
// are drawn.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/entries.hpp"
#include "sampling/resample.hpp"

namespace rankwise::fuzz {

namespace {

// Numbers drawn many at once are those drawn one by one, and so is what comes after; of large sizes
// up to half of them are drawn again.
void check_draws(Arguments& given) {
    auto size = static_cast<std::uint32_t>(given.word(4));
    if (given.is_so()) size |= std::uint32_t{1} << 31;
    Pcg64 at_once = given.generator(), one_by_one = at_once;
    for (int i = 0; i < 8; ++i) {
        std::size_t left = std::size_t{3} * given.byte();
        at_once.draw_below(size, left, [&](std::uint32_t number) {
            require(left > 0 && number == one_by_one.below(size));
            --left;
        });
        require(left == 0);
    }
    require(at_once.next32() == one_by_one.next32());
    require(at_once.next64() == one_by_one.next64());
}

// Sums lie between those of the smallest and of the largest value.
void check_sums(Arguments& given) {
    const std::size_t n = given.size(1, 70), columns = given.size(0, 9);
    const int shift = given.byte() % 48;
    std::vector<std::int64_t> rows(n * columns);
    std::int64_t least = 0, most = 0;
    for (std::int64_t& value : rows) {
        value = given.number(-99, 99) * (std::int64_t{1} << shift);
        least = std::min(least, value), most = std::max(most, value);
    }
    const auto count = static_cast<std::int64_t>(n);
    Resampler resampler(rows, n, columns, given.generator());
    for (const auto draw : {&Resampler::bootstrap, &Resampler::coins}) {
        const std::size_t samples = given.size(0, 70);
        std::vector<std::int64_t> sums(samples * columns);
        (resampler.*draw)(samples, 1, sums);
        for (const std::int64_t sum : sums) require(sum >= least * count && sum <= most * count);
    }
}

// Counted and picked rows have the same sums.
void check_counted(Arguments& given) {
    const std::size_t n = given.size(1, 70), columns = given.size(1, 9);
    const auto rows = given.numbers<std::int64_t>(n * columns, 0, 255);
    const Strips<std::int64_t> strips(rows, n, columns, n);
    std::vector<std::int64_t> counted_ones(7 * columns), picked(7 * columns);
    Pcg64 one = given.generator(), two = one;
    counted_sums(counted(strips, 0x7fff), one, 7, 1, counted_ones);
    bootstrap_sums(strips, two, 7, 1, picked);
    require(counted_ones == picked);
}

// Of groups drawn with replacement: as many cells as the drawn groups have; and samples that are
// left out leave the others as they were.
void check_groups(Arguments& given) {
    const std::size_t width = given.size(1, 12);
    const auto cells =
        given.numbers<std::int32_t>(given.size(0, 40), 0, static_cast<std::int64_t>(width) - 1);
    const auto starts = given.starts(cells.size(), 9);
    Pcg64 random = given.generator(), later = random;
    constexpr std::size_t kSamples = 6;
    std::vector<std::int64_t> counts(kSamples * width), tail(3 * width);
    bootstrap_counts(starts, cells, width, random, kSamples, 1, counts);
    const std::size_t groups = starts.size() - 1;
    for (std::size_t i = 0; i < 3 * groups; ++i) later.below(static_cast<std::uint32_t>(groups));
    bootstrap_counts(starts, cells, width, later, 3, 1, tail);
    require(std::ranges::equal(tail, std::span(counts).subspan(3 * width)));
    std::int64_t largest = 0;
    for (std::size_t g = 0; g < groups; ++g) largest = std::max(largest, starts[g + 1] - starts[g]);
    for (std::size_t sample = 0; sample < kSamples; ++sample) {
        std::int64_t sum = 0;
        for (const std::int64_t count : std::span(counts).subspan(sample * width, width)) {
            require(count >= 0);
            sum += count;
        }
        require(sum <= largest * static_cast<std::int64_t>(groups));
    }
}

constexpr Check kChecks[] = {
    {"Resampler", check_sums},
    {"Resampler", check_draws},
    {"Resampler", check_counted},
    {"GroupResampler", check_groups},
};

}  // namespace

std::span<const Check> checks() { return kChecks; }

}  // namespace rankwise::fuzz
