// TrueSkill of all pairwise matches at once: expectation propagation repeated until no belief
// changes, so that the order of the matches does not matter and neither does their number.
#pragma once

#include <algorithm>
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

// What is known about a difference with all messages: its mean, precision and standard deviation.
struct KnownDifference {
    double mean, precision, deviation;
};

// Moves a message toward what one match says given all else: of the difference this is known with
// the message. Returns by how much of a deviation its force on it changed.
inline double move_message(Message& message, bool is_tie, const KnownDifference& known,
                           const MatchRules& rules, double step) {
    const double variance = 1 / (known.precision - message.precision);
    const double mean = (known.mean * known.precision - message.weighted_mean) * variance;
    const double c2 = 2 * rules.beta_squared + variance, c = std::sqrt(c2), root = c / c2;
    const Truncated found =
        is_tie ? tied(mean * root, rules.epsilon * root) : won(mean * root, rules.epsilon * root);
    const double scale = 1 / (c2 - variance * found.lost);
    const Message old = message;
    message.precision += step * (found.lost * scale - old.precision);
    message.weighted_mean +=
        step * ((found.shift * c + mean * found.lost) * scale - old.weighted_mean);
    return known.deviation *
           std::max(std::fabs(message.weighted_mean - old.weighted_mean),
                    std::fabs(message.precision - old.precision) * known.deviation);
}

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
            const double change = update_messages(rules, round < 30 ? 1 : 0.5);
            update_beliefs();
            if (change <= tolerance) return true;
        }
        return false;
    }

    // Beliefs that other messages lead to, one for each kind that occurred.
    void believe(std::span<const Message> messages) {
        for (std::size_t o = 0; o < outcomes_.size(); ++o) outcomes_[o].message = messages[o];
        update_beliefs();
    }

    // By how much messages change when all are updated once.
    double update_messages(const MatchRules& rules, double step) {
        double change = 0;
        for (Outcome& outcome : outcomes_) {
            change = std::max(change, update_message(outcome, rules, step));
        }
        return change;
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
    std::size_t size() const { return outcomes_.size(); }

    // Of the kinds that occurred, in order: the message, and the variance of the difference.
    const Message& message(std::size_t outcome) const { return outcomes_[outcome].message; }
    double variance(std::size_t outcome) const { return variance_of(outcomes_[outcome]); }

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

    // Returns by how much of a deviation the force of these matches changed.
    double update_message(Outcome& outcome, const MatchRules& rules, double step) {
        const double variance = variance_of(outcome);
        const KnownDifference known{means_[outcome.better] - means_[outcome.worse], 1 / variance,
                                    std::sqrt(variance)};
        return outcome.times * move_message(outcome.message, outcome.is_tie, known, rules, step);
    }

    double variance_of(const Outcome& outcome) const {
        const std::size_t i = outcome.better, j = outcome.worse;
        return covariance(i, i) + covariance(j, j) - 2 * covariance(i, j);
    }

    Skill prior_;
    std::size_t size_ = 0;  // systems that play
    std::vector<char> plays_;
    std::vector<Outcome> outcomes_;
    std::vector<double> covariance_, means_;
};

}  // namespace rankwise
