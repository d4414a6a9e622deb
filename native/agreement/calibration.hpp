// Below which difference of scores a metric should call two outputs equal: exact tie calibration.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agreement/groups.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// Groups of cells with gold scores; a pair of group g that is judged right is worth weights[g].
// Weights are integers, so that totals are exact and equal totals are seen to be equal.
struct WeightedGroups {
    std::span<const double> gold;
    Groups groups;
    std::span<const std::int64_t> weights;

    // Calls visit(group, i, j) for every pair of cells j < i of a group.
    template <class Visit>
    void each_pair(const Visit& visit) const {
        for (std::size_t g = 0; g < groups.count(); ++g) {
            for (std::size_t i = groups.begin(g); i < groups.end(g); ++i) {
                for (std::size_t j = groups.begin(g); j < i; ++j) visit(g, i, j);
            }
        }
    }
};

// A pair that is no longer judged as before once differences up to `difference` are ties.
struct TieStep {
    double difference;
    std::int64_t gain;
};

// Sorts by difference (finite, not negative): such numbers are ordered as their bits are.
inline void sort_steps(std::vector<TieStep>& steps) {
    if (steps.size() < 4096) {
        std::sort(steps.begin(), steps.end(),
                  [](const TieStep& a, const TieStep& b) { return a.difference < b.difference; });
        return;
    }
    constexpr int kBits = 11, kPasses = 6;
    std::vector<TieStep> spare(steps.size());
    std::vector<std::uint32_t> counts(kPasses << kBits);
    const auto digit = [](const TieStep& step, int pass) {
        return std::bit_cast<std::uint64_t>(step.difference) >> (pass * kBits) &
               ((1u << kBits) - 1);
    };
    for (const TieStep& step : steps) {
        for (int pass = 0; pass < kPasses; ++pass) ++counts[(pass << kBits) + digit(step, pass)];
    }
    for (int pass = 0; pass < kPasses; ++pass) {
        std::uint32_t* count = counts.data() + (pass << kBits);
        if (count[digit(steps[0], pass)] == steps.size()) continue;  // all alike here
        std::uint32_t sum = 0;
        for (std::size_t d = 0; d < (std::size_t{1} << kBits); ++d) {
            const std::uint32_t here = count[d];
            count[d] = sum;
            sum += here;
        }
        for (const TieStep& step : steps) spare[count[digit(step, pass)]++] = step;
        steps.swap(spare);
    }
}

struct Calibrated {
    std::int64_t at_zero;  // worth of the pairs judged right when only equal scores are ties
    std::int64_t best;
    double epsilon;  // the smallest that reaches the best
};

// What a pair adds when it becomes a metric tie; 0 where it is wrong before and after.
inline int tie_gain(int gold_sign, int metric_sign) {
    if (gold_sign == 0) return metric_sign == 0 ? 0 : 1;
    return gold_sign == metric_sign ? -1 : 0;
}

inline int sign_of(double a, double b) { return (a > b) - (a < b); }

inline Calibrated calibrate(const WeightedGroups& cells, std::span<const double> metric) {
    Calibrated found{0, 0, 0.0};
    std::vector<TieStep> steps;
    cells.each_pair([&](std::size_t g, std::size_t i, std::size_t j) {
        const int h = sign_of(cells.gold[i], cells.gold[j]);
        const int m = sign_of(metric[i], metric[j]);
        found.at_zero += h == m ? cells.weights[g] : 0;
        const int gain = tie_gain(h, m);
        const double difference = std::fabs(metric[i] - metric[j]);
        if (gain != 0) steps.push_back({difference, gain * cells.weights[g]});
    });
    sort_steps(steps);
    std::int64_t total = found.best = found.at_zero;
    for (std::size_t k = 0; k < steps.size(); ++k) {
        total += steps[k].gain;
        if (k + 1 < steps.size() && steps[k + 1].difference == steps[k].difference) continue;
        if (total > found.best) {
            found.best = total;
            found.epsilon = steps[k].difference;
        }
    }
    return found;
}

// -- calibrated anew in every draw of a permutation test ------------------------------------------

// Cells exchange the scores of two metrics; a pair then has one of four differences. All of them
// are sorted once, and every draw walks over those that it has.
class Recalibration {
public:
    Recalibration(const WeightedGroups& cells, std::span<const double> first,
                  std::span<const double> second)
        : cells_(cells.groups.cells()) {
        const std::span<const double> metrics[] = {second, first};  // by the coin: 1 keeps
        std::vector<Sorted> all;
        cells.each_pair([&](std::size_t g, std::size_t i, std::size_t j) {
            for (unsigned coins = 0; coins < 4; ++coins) {
                add(cells, metrics[coins >> 1][i], metrics[coins & 1][j], g, i, j, coins, all);
            }
        });
        std::sort(all.begin(), all.end(),
                  [](const Sorted& a, const Sorted& b) { return a.difference < b.difference; });
        steps_.reserve(all.size());
        for (std::size_t k = 0; k < all.size(); ++k) {
            steps_.push_back(all[k].step);
            steps_.back().is_last =
                k + 1 == all.size() || all[k + 1].difference != all[k].difference;
        }
    }

    // coins[draw * cells + cell] is 1 where the cell keeps its scores; out[draw] gets the best
    // worth of the first mixed metric and of the second.
    void run(std::span<const std::uint8_t> coins, std::size_t threads,
             std::span<std::int64_t> out) const {
        const std::size_t draws = out.size() / 2, blocks = (draws + 63) / 64;
        parallel_chunks(threads, blocks, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t block = begin; block < end; ++block) {
                const std::size_t from = block * 64, here = std::min<std::size_t>(64, draws - from);
                walk(coins.subspan(from * cells_, here * cells_), out.subspan(2 * from, 2 * here));
            }
        });
    }

private:
    struct Step {
        std::uint32_t i, j;
        std::int64_t gain;
        std::uint8_t coins;
        bool is_start;  // the worth of the pair before anything is a tie
        bool is_last;
    };
    struct Sorted {
        double difference;
        Step step;
    };

    static void add(const WeightedGroups& cells, double a, double b, std::size_t g, std::size_t i,
                    std::size_t j, unsigned coins, std::vector<Sorted>& all) {
        const int h = sign_of(cells.gold[i], cells.gold[j]), m = sign_of(a, b);
        Step step{static_cast<std::uint32_t>(i),
                  static_cast<std::uint32_t>(j),
                  cells.weights[g],
                  static_cast<std::uint8_t>(coins),
                  true,
                  false};
        if (h == m) all.push_back({-1.0, step});  // sorted before every difference
        const int gain = tie_gain(h, m);
        step.is_start = false;
        step.gain = gain * cells.weights[g];
        if (gain != 0) all.push_back({std::fabs(a - b), step});
    }

    // 64 draws side by side: a bit of a word is a draw.
    void walk(std::span<const std::uint8_t> coins, std::span<std::int64_t> out) const {
        const std::size_t draws = out.size() / 2;
        std::vector<std::uint64_t> bits(cells_);
        for (std::size_t d = 0; d < draws; ++d) {
            for (std::size_t c = 0; c < cells_; ++c) {
                bits[c] |= std::uint64_t{coins[d * cells_ + c] != 0} << d;
            }
        }
        const std::uint64_t all = draws == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << draws) - 1;
        std::int64_t total[2][64] = {}, best[2][64] = {};
        std::uint64_t changed[2] = {0, 0};
        for (const Step& step : steps_) {
            // The second mixed metric has, in every cell, what the first has not.
            const std::uint64_t i = step.coins & 2 ? bits[step.i] : ~bits[step.i];
            const std::uint64_t j = step.coins & 1 ? bits[step.j] : ~bits[step.j];
            const std::uint64_t holders[2] = {i & j & all, ~i & ~j & all};
            for (int side = 0; side < 2; ++side) {
                for (std::uint64_t rest = holders[side]; rest != 0; rest &= rest - 1) {
                    total[side][std::countr_zero(rest)] += step.gain;
                }
                changed[side] |= holders[side];
                if (!step.is_last) continue;
                for (std::uint64_t rest = changed[side]; rest != 0; rest &= rest - 1) {
                    const int d = std::countr_zero(rest);
                    // After the starting worths, whatever they are, the best is the total.
                    best[side][d] =
                        step.is_start ? total[side][d] : std::max(best[side][d], total[side][d]);
                }
                changed[side] = 0;
            }
        }
        for (std::size_t d = 0; d < draws; ++d) {
            out[2 * d] = best[0][d];
            out[2 * d + 1] = best[1][d];
        }
    }

    std::size_t cells_;
    std::vector<Step> steps_;
};

}  // namespace rankwise
