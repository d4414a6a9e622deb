// Sums of many resampled rows: how often each row is drawn, then all rows in order.
//
// Rows that do not fit into the nearest cache are slow to pick one by one. Counts of draws are
// small enough to stay there, and rows that are read in order come by themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sampling/random.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// From so many rows on they are counted; below, they are picked.
constexpr std::size_t kCountedRows = std::size_t{1} << 14;
// Sums of whole numbers below 2^25 (Strips of 32 bits) over fewer rows are exact in doubles.
constexpr std::size_t kMostCountedRows = std::size_t{1} << 28;

// Columns of rows as doubles, in strips that are up to six vectors wide.
class CountedRows {
public:
    typedef double Two __attribute__((vector_size(16)));
    static constexpr std::size_t kMostVectors = 6;

    CountedRows(std::size_t n, std::size_t columns)
        : n_(n),
          columns_(columns),
          strips_((columns + 2 * kMostVectors - 1) / (2 * kMostVectors)),
          vectors_((columns + 2 * strips_ - 1) / (2 * strips_)),
          cells_(n * vectors_ * strips_) {}

    std::size_t size() const { return n_; }
    std::size_t strips() const { return strips_; }

    void set(std::size_t row, std::size_t column, double value) {
        const std::size_t strip = column / (2 * vectors_), lane = column % (2 * vectors_);
        cells_[(strip * n_ + row) * vectors_ + lane / 2][lane % 2] = value;
    }

    // Adds to rows `first` and `first + 1` of `out` the rows of a strip, each as often as counted.
    void add_to(std::span<std::int64_t> out, std::size_t first, std::size_t strip,
                std::span<const std::uint8_t> one, std::span<const std::uint8_t> two) const {
        switch (vectors_) {
            case 1: return add<1>(out, first, strip, one, two);
            case 2: return add<2>(out, first, strip, one, two);
            case 3: return add<3>(out, first, strip, one, two);
            case 4: return add<4>(out, first, strip, one, two);
            case 5: return add<5>(out, first, strip, one, two);
            default: return add<6>(out, first, strip, one, two);
        }
    }

private:
    template <std::size_t vectors>
    void add(std::span<std::int64_t> out, std::size_t first, std::size_t strip,
             std::span<const std::uint8_t> one, std::span<const std::uint8_t> two) const {
        std::array<Two, vectors> a{}, b{};
        const Two* row = &cells_[strip * n_ * vectors];
        for (std::size_t i = 0; i < n_; ++i, row += vectors) {
            const double times = one[i], times_two = two[i];
            for (std::size_t v = 0; v < vectors; ++v) {
                a[v] += row[v] * times;
                b[v] += row[v] * times_two;
            }
        }
        const std::size_t begin = 2 * vectors * strip,
                          end = std::min(columns_, begin + 2 * vectors);
        for (std::size_t c = begin; c < end; ++c) {
            const std::size_t v = (c - begin) / 2, lane = c % 2;
            out[first * columns_ + c] += static_cast<std::int64_t>(a[v][lane]);
            if ((first + 1) * columns_ >= out.size()) continue;  // the last sample has no other
            out[(first + 1) * columns_ + c] += static_cast<std::int64_t>(b[v][lane]);
        }
    }

    std::size_t n_, columns_, strips_, vectors_;
    std::vector<Two> cells_;
};

// The same sums as those of rows picked one by one, from the same stream. A count has eight bits:
// no row is drawn 256 times by chance (the odds are below n / 256!).
inline void counted_sums(const CountedRows& rows, Pcg64& random, std::size_t samples,
                         std::size_t threads, std::span<std::int64_t> out) {
    const std::size_t n = rows.size(), pairs_at_once = 2 * std::max<std::size_t>(threads, 1);
    std::vector<std::uint8_t> times(2 * pairs_at_once * n);
    for (std::size_t first = 0; first < samples; first += 2 * pairs_at_once) {
        const std::size_t here = std::min(2 * pairs_at_once, samples - first);
        std::fill(times.begin(), times.end(), std::uint8_t{0});
        for (std::size_t sample = 0; sample < here; ++sample) {
            const auto counts = std::span(times).subspan(sample * n, n);
            for (std::size_t i = 0; i < n; ++i) {
                ++counts[random.below(static_cast<std::uint32_t>(n))];
            }
        }
        const std::size_t pairs = (here + 1) / 2;
        parallel_chunks(threads, pairs * rows.strips(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t task = begin; task < end; ++task) {
                const std::size_t strip = task / pairs, pair = task % pairs;
                const auto counts = std::span<const std::uint8_t>(times).subspan(2 * pair * n);
                rows.add_to(out, first + 2 * pair, strip, counts.first(n), counts.subspan(n, n));
            }
        });
    }
}

}  // namespace rankwise
