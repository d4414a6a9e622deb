// TrueSkill of all pairwise matches at once: expectation propagation repeated until no belief
// changes, so that the order of the matches does not matter and neither does their number.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rating/differences.hpp"
#include "rating/matches.hpp"
#include "rating/outcome_kinds.hpp"

namespace rankwise {

// The joint posterior of all skills. Matches of the same two systems with the same outcome say the
// same, so that one message about their difference, taken as often as they met, stands for all.
class PairPosterior {
public:
    PairPosterior(const OutcomeKinds& kinds, std::span<const std::int64_t> counts,
                  const Systems& systems)
        : prior_(systems.prior), plays_(systems.count, 0) {
        kinds.each(counts, [&](std::size_t i, std::size_t j, bool is_tie, std::int64_t times) {
            outcomes_.push_back({i, j, is_tie, static_cast<double>(times), {}});
            plays_[i] = plays_[j] = 1;
        });
        renumber();
    }

    // Updates all messages at once from the beliefs that the last ones led to, as Newton's method
    // would; false if they still change after so many rounds. Later steps go half the way, for what
    // swings to and fro.
    bool settle(const MatchRules& rules, double tolerance) {
        update_beliefs();
        for (int round = 0; round < 500; ++round) {
            const double step = round < 30 ? 1 : 0.5;
            double change = 0;
            for (Outcome& outcome : outcomes_) {
                change = std::max(change, update_message(outcome, rules, step));
            }
            update_beliefs();
            if (change <= tolerance) return true;
        }
        return false;
    }

    // Means, and variances around the mean of all systems: where all stand together is not known.
    std::vector<Skill> skills() const {
        const std::vector<double> variances = centred_variances(covariance_, size_);
        std::vector<Skill> result(plays_.size(), prior_);
        for (std::size_t s = 0, i = 0; s < plays_.size(); ++s) {
            if (!plays_[s]) continue;
            result[s] = {means_[i], variances[i]};
            ++i;
        }
        return result;
    }

    const std::vector<char>& plays() const { return plays_; }

private:
    struct Outcome {
        std::size_t better, worse;
        bool is_tie;
        double times;
        Message message;
    };

    double covariance(std::size_t i, std::size_t j) const { return covariance_[i * size_ + j]; }

    // Outcomes are between numbers of the systems that play.
    void renumber() {
        const std::vector<std::size_t> numbers = playing_numbers(plays_, size_);
        for (Outcome& outcome : outcomes_) {
            outcome.better = numbers[outcome.better];
            outcome.worse = numbers[outcome.worse];
        }
    }

    void update_beliefs() {
        DifferencePrecision precision(size_, 1 / prior_.variance);
        std::vector<double> weighted(size_, 0);  // of skills less the mean of their prior
        for (const Outcome& outcome : outcomes_) {
            precision.add_difference(outcome.better, outcome.worse,
                                     outcome.times * outcome.message.precision);
            weighted[outcome.better] += outcome.times * outcome.message.weighted_mean;
            weighted[outcome.worse] -= outcome.times * outcome.message.weighted_mean;
        }
        covariance_ = std::move(precision).inverse();
        means_.assign(size_, prior_.mean);
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t j = 0; j < size_; ++j) means_[i] += covariance(i, j) * weighted[j];
        }
    }

    // Moves the message toward what one of these matches says given all others; returns by how much
    // of a deviation its force on the difference changed.
    double update_message(Outcome& outcome, const MatchRules& rules, double step) {
        const std::size_t i = outcome.better, j = outcome.worse;
        const double all = covariance(i, i) + covariance(j, j) - 2 * covariance(i, j);
        const double variance = 1 / (1 / all - outcome.message.precision);
        const double mean =
            ((means_[i] - means_[j]) / all - outcome.message.weighted_mean) * variance;
        const double c2 = 2 * rules.beta_squared + variance, c = std::sqrt(c2);
        const Truncated found =
            outcome.is_tie ? tied(mean / c, rules.epsilon / c) : won(mean / c, rules.epsilon / c);
        const double scale = 1 / (c2 - variance * found.lost);
        const Message old = outcome.message;
        outcome.message.precision += step * (found.lost * scale - old.precision);
        outcome.message.weighted_mean +=
            step * ((found.shift * c + mean * found.lost) * scale - old.weighted_mean);
        const double deviation = std::sqrt(all);
        return outcome.times *
               std::max(std::fabs(outcome.message.weighted_mean - old.weighted_mean) * deviation,
                        std::fabs(outcome.message.precision - old.precision) * all);
    }

    Skill prior_;
    std::size_t size_ = 0;  // systems that play
    std::vector<char> plays_;
    std::vector<Outcome> outcomes_;
    std::vector<double> covariance_, means_;
};

// One run for each row of counts; how many did not settle.
inline std::size_t rate_all_pairs(const OutcomeKinds& kinds, const CountRows& counts,
                                  const Systems& systems, const MatchRules& rules, double tolerance,
                                  std::size_t threads, const RatingRows& rows) {
    std::atomic<std::size_t> unsettled{0};
    parallel_chunks(threads, counts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t run = begin; run < end; ++run) {
            PairPosterior posterior(kinds, counts.of_run(run), systems);
            unsettled += !posterior.settle(rules, tolerance);
            rows.write(run, posterior.skills(), posterior.plays());
        }
    });
    return unsettled;
}

}  // namespace rankwise
