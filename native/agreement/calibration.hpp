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

// Calls visit(step) for every pair that a larger threshold changes; returns the worth of all pairs
// that are right when only equal scores are ties.
template <class Visit>
std::int64_t each_step(const WeightedGroups& cells, std::span<const double> metric,
                       const Visit& visit) {
    std::int64_t at_zero = 0;
    cells.each_pair([&](std::size_t g, std::size_t i, std::size_t j) {
        const int h = sign_of(cells.gold[i], cells.gold[j]);
        const int m = sign_of(metric[i], metric[j]);
        at_zero += h == m ? cells.weights[g] : 0;
        const int gain = tie_gain(h, m);
        if (gain != 0) visit(TieStep{std::fabs(metric[i] - metric[j]), gain * cells.weights[g]});
    });
    return at_zero;
}

// Takes the best threshold among those of sorted steps, before which the worth is `total`.
inline void try_steps(std::span<const TieStep> steps, std::int64_t total, Calibrated& found) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
        total += steps[k].gain;
        if (k + 1 < steps.size() && steps[k + 1].difference == steps[k].difference) continue;
        if (total > found.best) {
            found.best = total;
            found.epsilon = steps[k].difference;
        }
    }
}

// Steps by their differences in bins, each of which says how much its steps gain and how much the
// gains alone would be: where that cannot reach the best, the bin need not be looked into.
class StepBins {
public:
    // The steps of `metric` are walked again and again, every time only those of open bins and
    // these in finer bins, until at most `most` are left, or those of a bin are equal.
    static Calibrated calibrate(const WeightedGroups& cells, std::span<const double> metric,
                                std::size_t most) {
        StepBins bins;
        bins.open_.push_back({0, 0});
        Calibrated found{0, 0, 0.0};
        for (int level = 0;; ++level) {
            bins.bins_.assign(bins.open_.size() << kBits[level], Bin{});
            const std::int64_t at_zero = each_step(cells, metric, [&](const TieStep& step) {
                const std::size_t number = bins.number_of(step.difference);
                if (number == kNowhere) return;
                const auto bits = std::bit_cast<std::uint64_t>(step.difference);
                bins.bins_[place_in(number, bits, bins.numbers_.size())].add(step.gain);
            });
            if (level == 0) found = {at_zero, at_zero, 0.0}, bins.open_[0].before = at_zero;
            bins.choose(found.best);
            if (bins.left_ <= most || level + 1 == kLevels) break;
        }
        bins.finish(cells, metric, found);
        return found;
    }

private:
    static constexpr int kLevels = 7;  // of the 63 bits of a difference
    static constexpr int kBits[kLevels] = {19, 8, 8, 8, 8, 8, 4};
    static constexpr int kShifts[kLevels] = {44, 36, 28, 20, 12, 4, 0};
    static constexpr std::uint32_t kClosed = 0xffffffff;
    static constexpr std::size_t kNowhere = ~std::size_t{0};

    struct Bin {
        std::int64_t gain = 0, gained = 0;  // of all steps, of those that gain
        std::size_t steps = 0;

        void add(std::int64_t by) {
            gain += by;
            gained += std::max<std::int64_t>(by, 0);
            ++steps;
        }
    };
    struct Open {
        std::int64_t before;  // the worth before its first step
        std::size_t steps;
    };

    // The number of the open bin that holds a difference, or kNowhere.
    std::size_t number_of(double difference) const {
        const auto bits = std::bit_cast<std::uint64_t>(difference);
        std::size_t number = 0;
        for (std::size_t level = 0; level < numbers_.size(); ++level) {
            const std::uint32_t next = numbers_[level][place_in(number, bits, level)];
            if (next == kClosed) return kNowhere;
            number = next;
        }
        return number;
    }

    // Where the bits of a difference lead, in the finer bins of an open bin of that number.
    static std::size_t place_in(std::size_t number, std::uint64_t bits, std::size_t level) {
        const std::size_t digit = bits >> kShifts[level] & ((std::size_t{1} << kBits[level]) - 1);
        return (number << kBits[level]) + digit;
    }

    // Opens the bins that may hold the best threshold, given what is known to be reached.
    void choose(std::int64_t reached) {
        const std::size_t width = bins_.size() / open_.size();
        std::vector<std::int64_t> before(bins_.size());
        for (std::size_t o = 0, place = 0; o < open_.size(); ++o) {
            std::int64_t total = open_[o].before;
            for (std::size_t k = 0; k < width; ++k, ++place) {
                before[place] = total;
                total += bins_[place].gain;
                if (bins_[place].steps > 0) reached = std::max(reached, total);
            }
        }
        numbers_.emplace_back(bins_.size(), kClosed);
        open_.clear();
        left_ = 0;
        for (std::size_t place = 0; place < bins_.size(); ++place) {
            const Bin& bin = bins_[place];
            if (bin.steps == 0 || before[place] + bin.gained < reached) continue;
            numbers_.back()[place] = static_cast<std::uint32_t>(open_.size());
            open_.push_back({before[place], bin.steps});
            left_ += bin.steps;
        }
    }

    // Walks over what is left, bin after bin; bins are ordered as their differences are.
    void finish(const WeightedGroups& cells, std::span<const double> metric,
                Calibrated& found) const {
        std::vector<std::vector<TieStep>> steps(open_.size());
        const bool are_equal = numbers_.size() == kLevels;  // the steps of a bin
        each_step(cells, metric, [&](const TieStep& step) {
            const std::size_t number = number_of(step.difference);
            if (number == kNowhere) return;
            if (are_equal && !steps[number].empty()) {
                steps[number][0].gain += step.gain;
            } else {
                steps[number].push_back(step);
            }
        });
        for (std::size_t o = 0; o < open_.size(); ++o) {
            sort_steps(steps[o]);
            try_steps(steps[o], open_[o].before, found);
        }
    }

    std::vector<Bin> bins_;
    std::vector<Open> open_;
    std::size_t left_ = 0;                             // steps in open bins
    std::vector<std::vector<std::uint32_t>> numbers_;  // of open bins, by level and place
};

// Up to so many steps are listed and sorted: 16 MB.
inline constexpr std::size_t kListedSteps = std::size_t{1} << 20;

inline Calibrated calibrate(const WeightedGroups& cells, std::span<const double> metric,
                            std::size_t most = kListedSteps) {
    if (cells.groups.pairs() > most) return StepBins::calibrate(cells, metric, most);
    std::vector<TieStep> steps;
    const std::int64_t at_zero =
        each_step(cells, metric, [&](const TieStep& step) { steps.push_back(step); });
    Calibrated found{at_zero, at_zero, 0.0};
    sort_steps(steps);
    try_steps(steps, at_zero, found);
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
