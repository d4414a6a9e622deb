// Sums of resampled rows, drawn from the stream of numpy's Generator(PCG64) and exact in integers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "sampling/counted.hpp"
#include "sampling/random.hpp"
#include "text/text.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// Integer rows (n, columns) cut into vertical strips of one cache line, so that the sum of a strip
// stays in registers while rows are picked. A sum of up to `safe` rows cannot overflow.
template <class Number>
class Strips {
public:
    static constexpr std::size_t kWidth = 64 / sizeof(Number);
    // Vectors of GCC and Clang of a size that every machine has: four of them are a line.
    typedef Number Vector __attribute__((vector_size(16)));
    struct alignas(64) Line {
        Vector a{}, b{}, c{}, d{};

        void operator+=(const Line& other) {
            a += other.a, b += other.b, c += other.c, d += other.d;
        }
        Number* lanes() { return reinterpret_cast<Number*>(this); }
        const Number* lanes() const { return reinterpret_cast<const Number*>(this); }
    };

    Strips(std::span<const std::int64_t> rows, std::size_t n, std::size_t columns,
           std::size_t safe_rows)
        : safe(safe_rows), n_(n), columns_(columns), lines_(n * count(), Line{}) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t c = 0; c < columns; ++c) {
                const auto value = static_cast<Number>(rows[i * columns + c]);
                lines_[c / kWidth * n + i].lanes()[c % kWidth] = value;
            }
        }
    }

    std::size_t count() const { return (columns_ + kWidth - 1) / kWidth; }
    std::size_t size() const { return n_; }
    std::span<const Line> strip(std::size_t index) const {
        return std::span(lines_).subspan(index * n_, n_);
    }

    std::size_t columns() const { return columns_; }

    // Adds one strip's sum to a row of the output.
    void add_to(std::span<std::int64_t> out, std::size_t row, std::size_t index,
                const Line& sum) const {
        const std::size_t begin = index * kWidth, end = std::min(columns_, begin + kWidth);
        const auto cells = out.subspan(row * columns_ + begin, end - begin);
        for (std::size_t c = 0; c < cells.size(); ++c) cells[c] += sum.lanes()[c];
    }

    const std::size_t safe;

private:
    std::size_t n_, columns_;
    std::vector<Line> lines_;
};

// How many samples to draw at once so that the draws stay near 32 MB; a multiple of `step`.
inline std::size_t samples_at_once(std::size_t samples, std::size_t bytes_each, std::size_t step) {
    const std::size_t fitting = (std::size_t{32} << 20) / std::max<std::size_t>(bytes_each, 1);
    return std::min(samples, std::max(step, fitting / step * step));
}

// Draws `samples` times n rows with replacement and adds the sum of each draw to a row of `out`.
// The draws are those of rng.choice(n, size=(samples, n)); they are made in order by one thread.
template <class Number>
void bootstrap_sums(const Strips<Number>& rows, Pcg64& random, std::size_t samples,
                    std::size_t threads, std::span<std::int64_t> out) {
    using Line = typename Strips<Number>::Line;
    const std::size_t n = rows.size(), at_once = samples_at_once(samples, 4 * n, 1);
    std::vector<std::uint32_t> picks(at_once * n);
    for (std::size_t first = 0; first < samples; first += at_once) {
        const std::size_t here = std::min(at_once, samples - first);
        std::uint32_t* pick = picks.data();
        random.draw_below(static_cast<std::uint32_t>(n), here * n,
                          [&](std::uint32_t row) { *pick++ = row; });
        parallel_chunks(threads, here * rows.count(), 4, [&](std::size_t begin, std::size_t end) {
            for (std::size_t task = begin; task < end; ++task) {
                const std::size_t strip = task / here, sample = task % here;
                const auto pick = std::span(picks).subspan(sample * n, n);
                const auto lines = rows.strip(strip);
                for (std::size_t i = 0; i < n;) {
                    Line sum{};
                    const std::size_t stop = std::min(n, i + rows.safe);
                    for (; i < stop; ++i) sum += lines[pick[i]];
                    rows.add_to(out, first + sample, strip, sum);
                }
            }
        });
    }
}

// The coins of rng.integers(2, size=(samples, n), dtype=bool), eight to a byte:
// coins[group][sample]. They are the stream's bits in order, lowest first.
inline void toss_coins(Pcg64& random, std::size_t samples, std::size_t n,
                       std::vector<std::uint8_t>& coins) {
    const std::size_t size = (samples * n + 31) / 32;
    std::vector<std::uint32_t> words(size + 3, 0);  // a read may reach over the end
    for (std::size_t i = 0; i < size; ++i) words[i] = random.next32();
    const char* const bytes = reinterpret_cast<const char*>(words.data());
    const std::size_t groups = (n + 7) / 8;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        const std::size_t bit = sample * n;
        std::uint8_t* out = coins.data() + sample;
        for (std::size_t group = 0; group < groups;) {
            // Seven whole bytes of eight that begin anywhere in the first.
            std::uint64_t seven = eight_bytes(bytes + bit / 8 + group) >> bit % 8;
            for (const std::size_t stop = std::min(group + 7, groups); group < stop; ++group) {
                out[group * samples] = static_cast<std::uint8_t>(seven);
                seven >>= 8;
            }
        }
    }
}

// table[mask] = the sum of those of the first eight lines whose bit is set. Coins beyond the last
// row belong to the next sample: they add nothing.
template <class Line>
void fill_partial_sums(std::span<const Line> lines, std::span<Line, 256> table) {
    table[0] = Line{};
    for (std::size_t k = 0; k < 8; ++k) {
        const Line line = k < lines.size() ? lines[k] : Line{};
        const std::size_t half = std::size_t{1} << k;
        for (std::size_t mask = 0; mask < half; ++mask) {
            table[half + mask] = table[mask];
            table[half + mask] += line;
        }
    }
}

// Adds to sums[i] the rows of groups [begin, end) that the coins of sample i pick: coins[group *
// stride + i]. Two groups at a time, so that sums are read and written half as often; `one` and
// `two` have room for their partial sums.
template <class Line>
void add_picked(std::span<const Line> lines, std::size_t begin, std::size_t end,
                std::span<const std::uint8_t> coins, std::size_t stride, std::span<Line, 256> one,
                std::span<Line, 256> two, std::span<Line> sums) {
    for (std::size_t group = begin; group < end; group += 2) {
        const std::size_t next = std::min(group + 1, end - 1);  // of the last no row is added twice
        fill_partial_sums(lines.subspan(group * 8), one);
        fill_partial_sums(next == group ? std::span<const Line>() : lines.subspan(next * 8), two);
        const auto first = coins.subspan(group * stride, sums.size());
        const auto second = coins.subspan(next * stride, sums.size());
        for (std::size_t i = 0; i < sums.size(); ++i) {
            Line both = one[first[i]];
            both += two[second[i]];
            sums[i] += both;
        }
    }
}

// Tosses a coin per sample and row and adds the sum of the rows with heads to a row of `out`.
// Eight rows are added at a time, from a table of their 256 partial sums.
template <class Number>
void coin_sums(const Strips<Number>& rows, Pcg64& random, std::size_t samples, std::size_t threads,
               std::span<std::int64_t> out) {
    using Line = typename Strips<Number>::Line;
    const std::size_t n = rows.size(), groups = (n + 7) / 8, safe_groups = rows.safe / 8;
    // 64 samples of any number of bits end at a whole word of the stream.
    const std::size_t at_once = samples_at_once(samples, groups, 64);
    std::vector<std::uint8_t> coins(groups * at_once);
    for (std::size_t first = 0; first < samples; first += at_once) {
        const std::size_t here = std::min(at_once, samples - first);
        toss_coins(random, here, n, coins);
        // Long chunks pay for the tables; short ones keep all threads busy.
        const std::size_t chunk = 2048, chunks = (here + chunk - 1) / chunk;
        parallel_chunks(threads, chunks * rows.count(), 1, [&](std::size_t begin, std::size_t end) {
            std::vector<Line> tables(512), sums;
            const auto one = std::span(tables).template first<256>();
            const auto two = std::span(tables).template last<256>();
            for (std::size_t task = begin; task < end; ++task) {
                const std::size_t strip = task / chunks, from = task % chunks * chunk;
                const auto lines = rows.strip(strip);
                for (std::size_t group = 0; group < groups; group += safe_groups) {
                    sums.assign(std::min(here - from, chunk), Line{});
                    add_picked<Line>(lines, group, std::min(groups, group + safe_groups),
                                     std::span(coins).subspan(from), here, one, two, sums);
                    for (std::size_t i = 0; i < sums.size(); ++i) {
                        rows.add_to(out, first + from + i, strip, sums[i]);
                    }
                }
            }
        });
    }
}

// Whether rows are counted, not picked: they are many, and their numbers few and small.
inline bool are_counted(std::size_t n, std::size_t columns, std::uint64_t largest) {
    return n >= kCountedRows && columns <= kMostCountedColumns && largest <= CountedRows::kLargest;
}

template <class Number>
CountedRows counted(const Strips<Number>& rows, std::uint64_t largest) {
    CountedRows found(rows.size(), rows.columns(), largest);
    for (std::size_t c = 0; c < rows.columns(); ++c) {
        const auto lines = rows.strip(c / Strips<Number>::kWidth);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Number value = lines[i].lanes()[c % Strips<Number>::kWidth];
            found.set(i, c, static_cast<std::int16_t>(value));
        }
    }
    return found;
}

// Rows and a stream to resample them with.
class Resampler {
public:
    Resampler(std::span<const std::int64_t> rows, std::size_t n, std::size_t columns, Pcg64 random)
        : random_(random),
          columns_(columns),
          largest_(largest_of(rows)),
          strips_(narrowest(rows, n, columns, largest_)) {}

    std::size_t columns() const { return columns_; }

    // Both add to `out`, which has zeros at first.
    void bootstrap(std::size_t samples, std::size_t threads, std::span<std::int64_t> out) {
        std::visit(
            [&](const auto& s) {
                if (are_counted(s.size(), columns_, largest_)) {
                    counted_sums(counted(s, largest_), random_, samples, threads, out);
                } else {
                    bootstrap_sums(s, random_, samples, threads, out);
                }
            },
            strips_);
    }

    void coins(std::size_t samples, std::size_t threads, std::span<std::int64_t> out) {
        std::visit([&](const auto& s) { coin_sums(s, random_, samples, threads, out); }, strips_);
    }

private:
    using AnyStrips =
        std::variant<Strips<std::int16_t>, Strips<std::int32_t>, Strips<std::int64_t>>;

    // The largest number without its sign, at least 1.
    static std::uint64_t largest_of(std::span<const std::int64_t> rows) {
        std::uint64_t largest = 1;
        for (const std::int64_t x : rows) {
            const auto value = static_cast<std::uint64_t>(x);
            largest = std::max(largest, x < 0 ? 0 - value : value);
        }
        return largest;
    }

    // The narrowest numbers that hold sums of 64 rows: the narrower, the more fit into a vector.
    // The caller sees to it that no sum of n rows exceeds 64 bits.
    static AnyStrips narrowest(std::span<const std::int64_t> rows, std::size_t n,
                               std::size_t columns, std::uint64_t largest) {
        const std::uint64_t short_rows = 0x7fffu / largest, int_rows = 0x7fffffffu / largest;
        if (short_rows >= 64) return Strips<std::int16_t>(rows, n, columns, short_rows);
        if (int_rows >= 64) return Strips<std::int32_t>(rows, n, columns, int_rows);
        return Strips<std::int64_t>(rows, n, columns, std::max<std::size_t>(n, 8));
    }

    Pcg64 random_;
    std::size_t columns_;
    std::uint64_t largest_;
    AnyStrips strips_;
};

// Draws `samples` times all groups with replacement and counts the cells of the drawn groups.
// Group g owns cells[starts[g] .. starts[g + 1]); a row of `out` holds one count per cell.
inline void bootstrap_counts(std::span<const std::int64_t> starts,
                             std::span<const std::int32_t> cells, std::size_t width, Pcg64& random,
                             std::size_t samples, std::size_t threads,
                             std::span<std::int64_t> out) {
    const std::size_t groups = starts.size() - 1;
    const std::size_t at_once = samples_at_once(samples, 4 * groups, 1);
    std::vector<std::uint32_t> times(at_once * groups);
    for (std::size_t first = 0; first < samples; first += at_once) {
        const std::size_t here = std::min(at_once, samples - first);
        std::fill(times.begin(), times.end(), 0u);
        for (std::size_t sample = 0; sample < here; ++sample) {
            const auto count = std::span(times).subspan(sample * groups, groups);
            random.draw_below(static_cast<std::uint32_t>(groups), groups,
                              [&](std::uint32_t group) { ++count[group]; });
        }
        parallel_chunks(threads, here, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t sample = begin; sample < end; ++sample) {
                const auto count = std::span(times).subspan(sample * groups, groups);
                const auto row = out.subspan((first + sample) * width, width);
                for (std::size_t g = 0; g < groups; ++g) {
                    if (count[g] == 0) continue;
                    for (auto c = starts[g]; c < starts[g + 1]; ++c) {
                        const std::int32_t cell = cells[static_cast<std::size_t>(c)];
                        row[static_cast<std::size_t>(cell)] += count[g];
                    }
                }
            }
        });
    }
}

}  // namespace rankwise
