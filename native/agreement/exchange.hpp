// Two metrics exchange their scores cell by cell: how far each mixture agrees with the gold scores.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "agreement/pair_counts.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// The agreement of one group's scores with its gold scores; nan where it is undefined.
enum class Agreement { pearson, tau_b, accuracy };

inline double group_pearson(Scores x, Scores y) {
    const std::size_t n = x.size();
    double mean_x = 0, mean_y = 0;
    // From a value of the group's own: differences of scores that are almost equal are exact.
    for (std::size_t i = 0; i < n; ++i) mean_x += x[i] - x[0], mean_y += y[i] - y[0];
    mean_x /= static_cast<double>(n), mean_y /= static_cast<double>(n);
    double xx = 0, yy = 0, xy = 0;
    bool x_varies = false, y_varies = false;
    for (std::size_t i = 0; i < n; ++i) {
        const double a = (x[i] - x[0]) - mean_x, b = (y[i] - y[0]) - mean_y;
        xx += a * a, yy += b * b, xy += a * b;
        x_varies |= x[i] != x[0], y_varies |= y[i] != y[0];
    }
    if (!x_varies || !y_varies) return std::numeric_limits<double>::quiet_NaN();
    return std::fmin(1.0, std::fmax(-1.0, xy / std::sqrt(xx * yy)));
}

inline double agreement_of(Agreement kind, Scores gold, Scores metric, PairScratch& scratch) {
    if (gold.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    if (kind == Agreement::pearson) return group_pearson(gold, metric);
    const PairCounts c = count_pairs(gold, metric, scratch);
    const auto share = [](std::int64_t a, std::int64_t b) {
        return static_cast<double>(a) / static_cast<double>(b);
    };
    if (kind == Agreement::accuracy) return share(c.concordant + c.both_ties, c.pairs());
    const std::int64_t one = c.concordant + c.discordant + c.gold_ties;
    const std::int64_t two = c.concordant + c.discordant + c.metric_ties;
    if (one == 0 || two == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(c.concordant - c.discordant) /
           std::sqrt(static_cast<double>(one) * static_cast<double>(two));
}

// The mean over groups of the agreement where it is defined; nan where it nowhere is.
inline double mean_agreement(Agreement kind, Scores gold, Scores metric, const Groups& groups,
                             PairScratch& scratch) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t g = 0; g < groups.count(); ++g) {
        const double value = agreement_of(kind, groups.of(gold, g), groups.of(metric, g), scratch);
        if (std::isnan(value)) continue;
        sum += value;
        ++count;
    }
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

// coins[draw * cells + cell] is 1 where the cell keeps its scores; out[draw] gets the mean
// agreement of the first mixture and of the second.
inline void exchanged_agreement(Agreement kind, Scores gold, Scores first, Scores second,
                                const Groups& groups, std::span<const std::uint8_t> coins,
                                std::size_t threads, std::span<double> out) {
    const std::size_t cells = gold.size();
    parallel_chunks(threads, out.size() / 2, 1, [&](std::size_t begin, std::size_t end) {
        PairScratch scratch;
        std::vector<double> one(cells), two(cells);
        for (std::size_t d = begin; d < end; ++d) {
            for (std::size_t c = 0; c < cells; ++c) {
                const bool keeps = coins[d * cells + c] != 0;
                one[c] = keeps ? first[c] : second[c];
                two[c] = keeps ? second[c] : first[c];
            }
            out[2 * d] = mean_agreement(kind, gold, one, groups, scratch);
            out[2 * d + 1] = mean_agreement(kind, gold, two, groups, scratch);
        }
    });
}

}  // namespace rankwise
