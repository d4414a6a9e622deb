// Sums of many resampled rows: how often each row is drawn, then all rows in order.
//
// Rows that do not fit into the nearest cache are slow to pick one by one. Counts of draws are
// small enough to stay there, and rows that are read in order come by themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "sampling/random.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// From so many rows on they are counted; below, they are picked.
constexpr std::size_t kCountedRows = 512;
constexpr std::size_t kMostCountedColumns = 96;

typedef std::uint8_t EightBytes __attribute__((vector_size(8)));
typedef std::int16_t EightShorts __attribute__((vector_size(16)));
typedef std::int32_t FourInts __attribute__((vector_size(16)));

// Four sums of two products each, of neighbours.
inline FourInts sums_of_products(EightShorts a, EightShorts b) {
#if defined(__SSE2__)
    return reinterpret_cast<FourInts>(
        _mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    const auto x = reinterpret_cast<FourInts>(a), y = reinterpret_cast<FourInts>(b);
    return (x >> 16) * (y >> 16) + ((x << 16) >> 16) * ((y << 16) >> 16);
#endif
}

// Columns of rows as 16 bits, in strips that are up to six vectors wide. A vector holds four
// columns of two rows side by side, so that one step multiplies and adds eight numbers.
class CountedRows {
public:
    static constexpr std::size_t kMostVectors = 6;
    static constexpr std::uint64_t kLargest = 0x7fff;  // what a number may be, without its sign

    // Room for n rows of zeros whose numbers will be at most `largest`.
    CountedRows(std::size_t n, std::size_t columns, std::uint64_t largest)
        : eights_((n + 7) / 8),
          columns_(columns),
          strips_((columns + 4 * kMostVectors - 1) / (4 * kMostVectors)),
          vectors_((columns + 4 * strips_ - 1) / (4 * strips_)),
          safe_(0x7fffffffu / (8 * 0xff * largest)),
          cells_(4 * eights_ * vectors_ * strips_),
          n_(n) {}

    std::size_t size() const { return n_; }
    std::size_t strips() const { return strips_; }
    // How many counts belong to a sample: whole vectors of them, the last of which stay 0.
    std::size_t counts() const { return 8 * eights_; }

    void set(std::size_t row, std::size_t column, std::int16_t value) {
        const std::size_t strip = column / (4 * vectors_), inside = column % (4 * vectors_);
        const std::size_t pair = strip * 4 * eights_ + row / 2;
        cells_[pair * vectors_ + inside / 4][inside % 4 * 2 + row % 2] = value;
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
        const EightShorts* row = &cells_[strip * 4 * eights_ * vectors];
        for (std::size_t eight = 0; eight < eights_;) {
            std::array<FourInts, vectors> a{}, b{};
            for (const std::size_t stop = std::min(eights_, eight + safe_); eight < stop; ++eight) {
                const FourInts times = counts_at(one, eight), times_two = counts_at(two, eight);
                for (std::size_t pair = 0; pair < 4; ++pair, row += vectors) {
                    const EightShorts x = repeated(times[pair]), y = repeated(times_two[pair]);
                    for (std::size_t v = 0; v < vectors; ++v) {
                        a[v] += sums_of_products(row[v], x);
                        b[v] += sums_of_products(row[v], y);
                    }
                }
            }
            add_sums<vectors>(out, first, strip, a);
            add_sums<vectors>(out, first + 1, strip, b);
        }
    }

    // Eight counts as 16 bits each, two to a number.
    static FourInts counts_at(std::span<const std::uint8_t> counts, std::size_t eight) {
        EightBytes bytes;
        std::memcpy(&bytes, &counts[8 * eight], sizeof bytes);
        return reinterpret_cast<FourInts>(__builtin_convertvector(bytes, EightShorts));
    }

    static EightShorts repeated(std::int32_t two_counts) {
        return reinterpret_cast<EightShorts>(
            FourInts{two_counts, two_counts, two_counts, two_counts});
    }

    template <std::size_t vectors>
    void add_sums(std::span<std::int64_t> out, std::size_t sample, std::size_t strip,
                  const std::array<FourInts, vectors>& sums) const {
        if (sample * columns_ >= out.size()) return;  // the last sample has no other
        const std::size_t begin = 4 * vectors * strip,
                          end = std::min(columns_, begin + 4 * vectors);
        for (std::size_t c = begin; c < end; ++c) {
            out[sample * columns_ + c] += sums[(c - begin) / 4][(c - begin) % 4];
        }
    }

    std::size_t eights_, columns_, strips_, vectors_, safe_;
    std::vector<EightShorts> cells_;
    std::size_t n_;
};

// The same sums as those of rows picked one by one, from the same stream. A count has eight bits:
// no row is drawn 256 times by chance (the odds are below n / 256!).
inline void counted_sums(const CountedRows& rows, Pcg64& random, std::size_t samples,
                         std::size_t threads, std::span<std::int64_t> out) {
    const std::size_t n = rows.size(), stride = rows.counts(),
                      pairs_at_once = 2 * std::max<std::size_t>(threads, 1);
    std::vector<std::uint8_t> times(2 * pairs_at_once * stride);
    for (std::size_t first = 0; first < samples; first += 2 * pairs_at_once) {
        const std::size_t here = std::min(2 * pairs_at_once, samples - first);
        std::fill(times.begin(), times.end(), std::uint8_t{0});
        for (std::size_t sample = 0; sample < here; ++sample) {
            const auto counts = std::span(times).subspan(sample * stride, n);
            random.draw_below(static_cast<std::uint32_t>(n), n,
                              [&](std::uint32_t row) { ++counts[row]; });
        }
        const std::size_t pairs = (here + 1) / 2;
        parallel_chunks(threads, pairs * rows.strips(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t task = begin; task < end; ++task) {
                const std::size_t strip = task / pairs, pair = task % pairs;
                const auto counts = std::span<const std::uint8_t>(times).subspan(2 * pair * stride);
                rows.add_to(out, first + 2 * pair, strip, counts.first(stride),
                            counts.subspan(stride, stride));
            }
        });
    }
}

}  // namespace rankwise
