// How two lists of scores order the pairs within groups of cells: what every tau is made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "agreement/groups.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// Counts of pairs of one group. `classes` are numbers of distinct scores.
struct PairCounts {
    std::int64_t cells = 0, concordant = 0, discordant = 0;
    std::int64_t gold_ties = 0, metric_ties = 0, both_ties = 0;  // tied in gold only, ...
    std::int64_t gold_classes = 0, metric_classes = 0;

    static constexpr std::size_t kColumns = 8;

    std::int64_t pairs() const {
        return concordant + discordant + gold_ties + metric_ties + both_ties;
    }
    void write(std::span<std::int64_t> row) const {
        const std::int64_t values[kColumns] = {cells,        concordant,    discordant,
                                               gold_ties,    metric_ties,   both_ties,
                                               gold_classes, metric_classes};
        std::ranges::copy(values, row.begin());
    }
};

inline std::int64_t choose_two(std::int64_t n) { return n * (n - 1) / 2; }

// Scratch memory of one thread.
struct PairScratch {
    std::vector<std::size_t> order;
    std::vector<double> sorted, merged;
};

// Scores of the cells of a group, or of all.
using Scores = std::span<const double>;

inline std::int64_t distinct(Scores values, std::vector<double>& sorted) {
    sorted.assign(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return std::unique(sorted.begin(), sorted.end()) - sorted.begin();
}

// Every pair looked at once: the fastest for small groups.
inline PairCounts count_each_pair(Scores gold, Scores metric) {
    const std::size_t n = gold.size();
    std::int64_t concordant = 0, discordant = 0, gold_ties = 0, metric_ties = 0, both = 0;
    for (std::size_t i = 1; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const int h = (gold[i] > gold[j]) - (gold[i] < gold[j]);
            const int m = (metric[i] > metric[j]) - (metric[i] < metric[j]);
            concordant += h * m > 0;
            discordant += h * m < 0;
            gold_ties += h == 0 && m != 0;
            metric_ties += m == 0 && h != 0;
            both += h == 0 && m == 0;
        }
    }
    const auto cells = static_cast<std::int64_t>(n);
    return {cells, concordant, discordant, gold_ties, metric_ties, both, 0, 0};
}

// Sorts values and returns the number of pairs that were strictly in the wrong order.
inline std::int64_t count_inversions(std::span<double> values, std::span<double> spare) {
    const std::size_t n = values.size();
    std::int64_t inversions = 0;
    for (std::size_t width = 1; width < n; width *= 2) {
        for (std::size_t begin = 0; begin < n; begin += 2 * width) {
            const std::size_t middle = std::min(n, begin + width);
            const std::size_t end = std::min(n, begin + 2 * width);
            std::size_t left = begin, right = middle;
            for (std::size_t k = begin; k < end; ++k) {
                if (left < middle && (right >= end || values[left] <= values[right])) {
                    spare[k] = values[left++];
                } else {
                    inversions += static_cast<std::int64_t>(middle - left);
                    spare[k] = values[right++];
                }
            }
        }
        std::ranges::copy(spare, values.begin());
    }
    return inversions;
}

// Pairs within runs of equal neighbours, and the number of runs.
template <class Equal>
std::int64_t tied_pairs(std::size_t n, std::int64_t& runs, const Equal& equals_previous) {
    std::int64_t pairs = 0, run = 1;
    runs = n > 0;
    for (std::size_t i = 1; i < n; ++i) {
        if (equals_previous(i)) {
            ++run;
            continue;
        }
        pairs += choose_two(run);
        run = 1;
        ++runs;
    }
    return pairs + choose_two(run);
}

// Knight (1966): sort by gold, then count what a merge sort by the metric exchanges.
inline PairCounts count_by_sorting(Scores gold, Scores metric, PairScratch& scratch) {
    const std::size_t n = gold.size();
    auto& order = scratch.order;
    order.resize(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return gold[a] < gold[b] || (gold[a] == gold[b] && metric[a] < metric[b]);
    });
    const auto same_gold = [&](std::size_t i) { return gold[order[i]] == gold[order[i - 1]]; };
    PairCounts counts;
    std::int64_t runs = 0;
    const std::int64_t gold_tied = tied_pairs(n, counts.gold_classes, same_gold);
    counts.both_ties = tied_pairs(n, runs, [&](std::size_t i) {
        return same_gold(i) && metric[order[i]] == metric[order[i - 1]];
    });
    scratch.sorted.resize(n);
    scratch.merged.resize(n);
    for (std::size_t i = 0; i < n; ++i) scratch.sorted[i] = metric[order[i]];
    const std::span<double> sorted(scratch.sorted);
    counts.discordant = count_inversions(sorted, scratch.merged);
    const std::int64_t metric_tied = tied_pairs(
        n, counts.metric_classes, [&](std::size_t i) { return sorted[i] == sorted[i - 1]; });
    counts.cells = static_cast<std::int64_t>(n);
    counts.gold_ties = gold_tied - counts.both_ties;
    counts.metric_ties = metric_tied - counts.both_ties;
    counts.concordant =
        choose_two(counts.cells) - counts.discordant - gold_tied - metric_tied + counts.both_ties;
    return counts;
}

// Up to this many cells, looking at every pair is faster than sorting.
inline constexpr std::size_t kSmallGroup = 24;

inline PairCounts count_pairs(Scores gold, Scores metric, PairScratch& scratch) {
    if (gold.size() > kSmallGroup) return count_by_sorting(gold, metric, scratch);
    return count_each_pair(gold, metric);
}

// The row of a group.
inline std::span<std::int64_t> counts_of_group(std::span<std::int64_t> rows, std::size_t g) {
    return rows.subspan(g * PairCounts::kColumns, PairCounts::kColumns);
}

// Rows of PairCounts of all groups.
inline void grouped_pair_counts(Scores gold, Scores metric, const Groups& groups,
                                std::size_t threads, std::span<std::int64_t> rows) {
    parallel_chunks(threads, groups.count(), 64, [&](std::size_t begin, std::size_t end) {
        PairScratch scratch;
        for (std::size_t g = begin; g < end; ++g) {
            const Scores h = groups.of(gold, g), m = groups.of(metric, g);
            PairCounts counts = count_pairs(h, m, scratch);
            if (h.size() <= kSmallGroup) {
                counts.gold_classes = distinct(h, scratch.sorted);
                counts.metric_classes = distinct(m, scratch.sorted);
            }
            counts.write(counts_of_group(rows, g));
        }
    });
}

// What a pair is: counted where the gold difference reaches `least` (exceeds it, if strict), tied
// by the metric where its difference is at most epsilon.
struct PairRule {
    double least = 0.0, epsilon = 0.0;
    bool is_strict = false;

    bool counts(double difference) const {
        const double size = std::fabs(difference);
        return is_strict ? size > least : size >= least;
    }
};

// The same for pairs under a rule; every pair is looked at, rows of the triangle side by side.
inline void ruled_pair_counts(Scores gold, Scores metric, const Groups& groups,
                              const PairRule& rule, std::size_t threads,
                              std::span<std::int64_t> out) {
    const auto count_row = [&](Scores h, Scores m, std::size_t i, PairCounts& sum) {
        for (std::size_t j = 0; j < i; ++j) {
            const double dh = h[i] - h[j], dm = m[i] - m[j];
            if (!rule.counts(dh)) continue;
            const bool is_tied = std::fabs(dm) <= rule.epsilon;
            sum.both_ties += dh == 0 && is_tied;
            sum.gold_ties += dh == 0 && !is_tied;
            sum.metric_ties += dh != 0 && is_tied;
            sum.concordant += !is_tied && ((dh > 0 && dm > 0) || (dh < 0 && dm < 0));
            sum.discordant += !is_tied && ((dh > 0 && dm < 0) || (dh < 0 && dm > 0));
        }
    };
    for (std::size_t g = 0; g < groups.count(); ++g) {
        const Scores h = groups.of(gold, g), m = groups.of(metric, g);
        const std::size_t n = h.size();
        std::vector<PairCounts> rows(n > 512 ? n : 1);  // small groups: one sum, no threads
        parallel_chunks(n > 512 ? threads : 1, n, 16, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                count_row(h, m, i, rows[rows.size() > 1 ? i : 0]);
            }
        });
        PairCounts total;
        for (const PairCounts& row : rows) {
            total.concordant += row.concordant, total.discordant += row.discordant;
            total.gold_ties += row.gold_ties, total.metric_ties += row.metric_ties;
            total.both_ties += row.both_ties;
        }
        total.cells = static_cast<std::int64_t>(n);
        total.write(counts_of_group(out, g));
    }
}

}  // namespace rankwise
