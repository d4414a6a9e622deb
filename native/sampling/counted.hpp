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

#if defined(__x86_64__)
#include <immintrin.h>
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
#if defined(__x86_64__)
    return reinterpret_cast<FourInts>(
        _mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    const auto x = reinterpret_cast<FourInts>(a), y = reinterpret_cast<FourInts>(b);
    return (x >> 16) * (y >> 16) + ((x << 16) >> 16) * ((y << 16) >> 16);
#endif
}

// Whether vectors of 256 bits are there.
inline bool has_wide_vectors() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

// Columns of rows as 16 bits, in strips that are up to six vectors wide. A vector holds four
// columns, or eight, of two rows side by side, so that one step multiplies and adds all of them.
class CountedRows {
public:
    static constexpr std::size_t kMostVectors = 6;
    static constexpr std::uint64_t kLargest = 0x7fff;  // what a number may be, without its sign

    // Room for n rows of zeros whose numbers will be at most `largest`.
    CountedRows(std::size_t n, std::size_t columns, std::uint64_t largest,
                bool is_wide = has_wide_vectors())
        : width_(is_wide ? 8 : 4),
          eights_((n + 7) / 8),
          columns_(columns),
          strips_((columns + width_ * kMostVectors - 1) / (width_ * kMostVectors)),
          vectors_((columns + width_ * strips_ - 1) / (width_ * strips_)),
          safe_(0x7fffffffu / (std::uint64_t{8} * 0xff * largest)),
          cells_(8 * eights_ * vectors_ * strips_ * width_),
          n_(n) {}

    std::size_t size() const { return n_; }
    std::size_t strips() const { return strips_; }
    // Rows are added up in blocks that stay in a near cache while samples go by.
    std::size_t blocks() const { return (eights_ + kBlock - 1) / kBlock; }
    // How many counts belong to a sample: whole vectors of them, the last of which stay 0.
    std::size_t counts() const { return 8 * eights_; }

    void set(std::size_t row, std::size_t column, std::int16_t value) {
        const std::size_t strip = column / (width_ * vectors_),
                          inside = column % (width_ * vectors_);
        const std::size_t pair = strip * 4 * eights_ + row / 2;
        cells_[2 * (pair * vectors_ * width_ + inside) + row % 2] = value;
    }

    // Adds to rows `first` and `first + 1` of `out` a block of a strip, each row as often as
    // counted.
    void add_to(std::span<std::int64_t> out, std::size_t first, std::size_t strip,
                std::size_t block, std::span<const std::uint8_t> one,
                std::span<const std::uint8_t> two) const {
        switch (vectors_) {
            case 1: return add<1>(out, first, strip, block, one, two);
            case 2: return add<2>(out, first, strip, block, one, two);
            case 3: return add<3>(out, first, strip, block, one, two);
            case 4: return add<4>(out, first, strip, block, one, two);
            case 5: return add<5>(out, first, strip, block, one, two);
            default: return add<6>(out, first, strip, block, one, two);
        }
    }

private:
    static constexpr std::size_t kBlock = 256;  // times eight rows

    // The sums of a strip in one sample, from so many rows that they fit.
    template <std::size_t kVectors>
    using Sums = std::array<std::int32_t, 8 * kVectors>;

    template <std::size_t kVectors>
    void add(std::span<std::int64_t> out, std::size_t first, std::size_t strip, std::size_t block,
             std::span<const std::uint8_t> one, std::span<const std::uint8_t> two) const {
        const std::size_t begin = block * kBlock, end = std::min(eights_, begin + kBlock);
        const std::int16_t* row = &cells_[8 * (strip * eights_ + begin) * kVectors * width_];
        for (std::size_t eight = begin; eight < end;) {
            const std::size_t count = std::min(end - eight, safe_);
            Sums<kVectors> a{}, b{};
            if (width_ == 8) {
                sum_wide<kVectors>(row, count, &one[8 * eight], &two[8 * eight], a, b);
            } else {
                sum<kVectors>(row, count, &one[8 * eight], &two[8 * eight], a, b);
            }
            add_sums<kVectors>(out, first, strip, a);
            add_sums<kVectors>(out, first + 1, strip, b);
            eight += count;
            row += 8 * count * kVectors * width_;
        }
    }

    // Of `count` times eight rows.
    template <std::size_t kVectors>
    static void sum(const std::int16_t* row, std::size_t count, const std::uint8_t* one,
                    const std::uint8_t* two, Sums<kVectors>& first, Sums<kVectors>& second) {
        std::array<FourInts, kVectors> a{}, b{};
        for (std::size_t eight = 0; eight < count; ++eight) {
            const FourInts times = counts_at(one, eight), times_two = counts_at(two, eight);
            for (std::size_t pair = 0; pair < 4; ++pair) {
                const EightShorts x = repeated(times[pair]), y = repeated(times_two[pair]);
                for (std::size_t v = 0; v < kVectors; ++v, row += 8) {
                    EightShorts cells;
                    std::memcpy(&cells, row, sizeof cells);
                    a[v] += sums_of_products(cells, x);
                    b[v] += sums_of_products(cells, y);
                }
            }
        }
        std::memcpy(first.data(), a.data(), sizeof a);
        std::memcpy(second.data(), b.data(), sizeof b);
    }

#if defined(__x86_64__)
    template <std::size_t kVectors>
    [[gnu::target("avx2")]] static void sum_wide(const std::int16_t* row, std::size_t count,
                                                 const std::uint8_t* one, const std::uint8_t* two,
                                                 Sums<kVectors>& first, Sums<kVectors>& second) {
        __m256i a[kVectors], b[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) a[v] = b[v] = _mm256_setzero_si256();
        for (std::size_t eight = 0; eight < count; ++eight) {
            alignas(16) std::int32_t times[4], times_two[4];  // two counts of 16 bits each
            const auto at = [&](const std::uint8_t* counts) {
                return reinterpret_cast<const __m128i*>(counts + 8 * eight);
            };
            _mm_store_si128(reinterpret_cast<__m128i*>(times),
                            _mm_cvtepu8_epi16(_mm_loadl_epi64(at(one))));
            _mm_store_si128(reinterpret_cast<__m128i*>(times_two),
                            _mm_cvtepu8_epi16(_mm_loadl_epi64(at(two))));
            for (std::size_t pair = 0; pair < 4; ++pair) {
                const __m256i x = _mm256_set1_epi32(times[pair]);
                const __m256i y = _mm256_set1_epi32(times_two[pair]);
                for (std::size_t v = 0; v < kVectors; ++v, row += 16) {
                    const __m256i cells = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
                    a[v] = _mm256_add_epi32(a[v], _mm256_madd_epi16(cells, x));
                    b[v] = _mm256_add_epi32(b[v], _mm256_madd_epi16(cells, y));
                }
            }
        }
        for (std::size_t v = 0; v < kVectors; ++v) {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(&first[8 * v]), a[v]);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(&second[8 * v]), b[v]);
        }
    }
#else
    template <std::size_t kVectors, class... Any>
    static void sum_wide(Any&&...) {}  // never asked for
#endif

    // Eight counts as 16 bits each, two to a number.
    static FourInts counts_at(const std::uint8_t* counts, std::size_t eight) {
        EightBytes bytes;
        std::memcpy(&bytes, counts + 8 * eight, sizeof bytes);
        return reinterpret_cast<FourInts>(__builtin_convertvector(bytes, EightShorts));
    }

    static EightShorts repeated(std::int32_t two_counts) {
        return reinterpret_cast<EightShorts>(
            FourInts{two_counts, two_counts, two_counts, two_counts});
    }

    template <std::size_t kVectors>
    void add_sums(std::span<std::int64_t> out, std::size_t sample, std::size_t strip,
                  const Sums<kVectors>& sums) const {
        if (sample * columns_ >= out.size()) return;  // the last sample has no other
        const std::size_t begin = width_ * kVectors * strip,
                          end = std::min(columns_, begin + width_ * kVectors);
        for (std::size_t c = begin; c < end; ++c) out[sample * columns_ + c] += sums[c - begin];
    }

    std::size_t width_, eights_, columns_, strips_, vectors_, safe_;
    std::vector<std::int16_t> cells_;
    std::size_t n_;
};

// The same sums as those of rows picked one by one, from the same stream. A count has eight bits:
// no row is drawn 256 times by chance (the odds are below n / 256!).
inline void counted_sums(const CountedRows& rows, Pcg64& random, std::size_t samples,
                         std::size_t threads, std::span<std::int64_t> out) {
    const std::size_t n = rows.size(), stride = rows.counts(),
                      pairs_at_once = 8 * std::max<std::size_t>(threads, 1);
    std::vector<std::uint8_t> times(2 * std::min(pairs_at_once, (samples + 1) / 2) * stride);
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
            const std::span<const std::uint8_t> all(times);
            for (std::size_t block = 0; block < rows.blocks(); ++block) {
                for (std::size_t task = begin; task < end; ++task) {
                    const std::size_t strip = task / pairs, pair = task % pairs;
                    const auto counts = all.subspan(2 * pair * stride);
                    rows.add_to(out, first + 2 * pair, strip, block, counts.first(stride),
                                counts.subspan(stride, stride));
                }
            }
        });
    }
}

}  // namespace rankwise
