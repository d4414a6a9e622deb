// TrueSkill of pairwise matches among many systems, where inverses of matrices are dear: rounds
// between them, and runs of resampled matches, stay near a posterior that one inverse has shown.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "rating/all_pairs.hpp"
#include "rating/outcome_kinds.hpp"

namespace rankwise {

// Numbers of the two systems of every kind, the same for i over j, j over i and their tie.
class PairNumbers {
public:
    explicit PairNumbers(const OutcomeKinds& kinds) : numbers_(kinds.size()) {
        std::vector<std::uint32_t> order(kinds.size());
        std::iota(order.begin(), order.end(), 0u);
        const auto code = [&](std::uint32_t k) {
            const auto [low, high] = std::minmax(kinds.better[k], kinds.worse[k]);
            return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
        };
        std::ranges::sort(order, {}, code);
        for (std::size_t at = 0; at < order.size(); ++at) {
            if (at == 0 || code(order[at]) != code(order[at - 1])) {
                firsts_.push_back(static_cast<std::size_t>(kinds.better[order[at]]));
                seconds_.push_back(static_cast<std::size_t>(kinds.worse[order[at]]));
            }
            numbers_[order[at]] = static_cast<std::uint32_t>(firsts_.size() - 1);
        }
    }

    std::size_t size() const { return firsts_.size(); }
    std::size_t of(std::size_t kind) const { return numbers_[kind]; }
    std::size_t first(std::size_t pair) const { return firsts_[pair]; }
    std::size_t second(std::size_t pair) const { return seconds_[pair]; }

private:
    std::vector<std::uint32_t> numbers_;
    std::vector<std::size_t> firsts_, seconds_;
};

// How much is known about each system and about each pair directly, as precisions.
struct LocalPrecisions {
    std::vector<double> systems, pairs;

    void clear(std::size_t system_count, std::size_t pair_count, double prior) {
        systems.assign(system_count, prior);
        pairs.assign(pair_count, 0);
    }

    void add(const PairNumbers& numbers, std::size_t pair, double precision) {
        pairs[pair] += precision;
        systems[numbers.first(pair)] += precision;
        systems[numbers.second(pair)] += precision;
    }

    // The variance of a difference but for the matches of the two, as if all that each met stood
    // still: exact for two systems by themselves, and where everybody met everybody alike.
    double indirect_variance(const PairNumbers& numbers, std::size_t pair) const {
        return 1 / (systems[numbers.first(pair)] - pairs[pair]) +
               1 / (systems[numbers.second(pair)] - pairs[pair]);
    }
};

// What an exact posterior says, as those near it need it. It begins with knowing nothing.
struct BasePosterior {
    PairNumbers numbers;
    std::vector<Message> messages;  // one for each kind
    std::vector<double> means;      // of all systems
    std::vector<double>
        indirect_shares;  // of each pair: exact indirect variance over the local one

    BasePosterior(const OutcomeKinds& kinds, const Systems& systems)
        : numbers(kinds),
          messages(kinds.size()),
          means(systems.count, systems.prior.mean),
          indirect_shares(numbers.size(), 1) {}

    // Takes over the messages of a posterior, and how its variances differ from local ones.
    void take(const PairPosterior& posterior, const OutcomeKinds& kinds,
              std::span<const std::int64_t> counts, const Systems& systems) {
        LocalPrecisions local;
        local.clear(systems.count, numbers.size(), 1 / systems.prior.variance);
        std::vector<double> variances(numbers.size(), 0);
        std::size_t occurred = 0;
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            if (counts[k] == 0) continue;
            messages[k] = posterior.message(occurred);
            variances[numbers.of(k)] = posterior.variance(occurred++);
            local.add(numbers, numbers.of(k),
                      static_cast<double>(counts[k]) * messages[k].precision);
        }
        for (std::size_t pair = 0; pair < numbers.size(); ++pair) {
            if (variances[pair] == 0) continue;
            indirect_shares[pair] = 1 / (1 / variances[pair] - local.pairs[pair]) /
                                    local.indirect_variance(numbers, pair);
        }
        const std::vector<Skill> skills = posterior.skills();
        for (std::size_t s = 0; s < skills.size(); ++s) means[s] = skills[s].mean;
    }
};

// Expectation propagation as in PairPosterior, but variances of differences are not read from the
// inverse of a large matrix: an indirect one is the local value times the share that the base has.
class NearPosterior {
public:
    NearPosterior(const OutcomeKinds& kinds, std::span<const std::int64_t> counts,
                  const Systems& systems, const BasePosterior& base)
        : base_(base),
          prior_(systems.prior),
          plays_(systems.count, 0),
          means_(base.means.size(), 0) {
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            if (counts[k] == 0) continue;
            const auto i = static_cast<std::size_t>(kinds.better[k]);
            const auto j = static_cast<std::size_t>(kinds.worse[k]);
            outcomes_.push_back({i, j, base.numbers.of(k), kinds.is_tie[k] != 0,
                                 static_cast<double>(counts[k]), base.messages[k]});
            plays_[i] = plays_[j] = 1;
        }
        for (std::size_t s = 0; s < means_.size(); ++s) {
            if (plays_[s]) means_[s] = base.means[s] - prior_.mean;
        }
    }

    // False if messages still change after so many rounds, as in PairPosterior.
    bool settle(const MatchRules& rules, double tolerance) {
        update_beliefs();
        for (int round = 0; round < 500; ++round) {
            const double step = round < 30 ? 1 : 0.5;
            double change = 0;
            for (Outcome& outcome : outcomes_) {
                const double indirect = base_.indirect_shares[outcome.pair] *
                                        local_.indirect_variance(base_.numbers, outcome.pair);
                const double all = 1 / (local_.pairs[outcome.pair] + 1 / indirect);
                change = std::max(
                    change,
                    outcome.times * move_message(outcome.message, outcome.is_tie, all,
                                                 means_[outcome.better] - means_[outcome.worse],
                                                 rules, step));
            }
            update_beliefs();
            if (change <= tolerance) return true;
        }
        return false;
    }

    // Means, and variances as if all that a system met stood still.
    std::vector<Skill> skills() const {
        std::vector<Skill> result(plays_.size(), prior_);
        for (std::size_t s = 0; s < plays_.size(); ++s) {
            if (plays_[s]) result[s] = {prior_.mean + means_[s], 1 / local_.systems[s]};
        }
        return result;
    }

    const std::vector<char>& plays() const { return plays_; }

    std::vector<Message> messages() const {
        std::vector<Message> result;
        result.reserve(outcomes_.size());
        for (const Outcome& outcome : outcomes_) result.push_back(outcome.message);
        return result;
    }

private:
    struct Outcome {
        std::size_t better, worse, pair;
        bool is_tie;
        double times;
        Message message;
    };

    void update_beliefs() {
        local_.clear(plays_.size(), base_.numbers.size(), 1 / prior_.variance);
        weighted_.assign(plays_.size(), 0);
        for (const Outcome& outcome : outcomes_) {
            local_.add(base_.numbers, outcome.pair, outcome.times * outcome.message.precision);
            weighted_[outcome.better] += outcome.times * outcome.message.weighted_mean;
            weighted_[outcome.worse] -= outcome.times * outcome.message.weighted_mean;
        }
        solve_means();
    }

    // Means from the precision matrix, by conjugate gradients from those of the round before.
    void solve_means() {
        const std::size_t size = plays_.size();
        residual_ = weighted_;
        multiply(means_);
        for (std::size_t s = 0; s < size; ++s) residual_[s] -= image_[s];
        direction_.resize(size);
        double energy = 0, scale = 0;
        for (std::size_t s = 0; s < size; ++s) {
            direction_[s] = residual_[s] / local_.systems[s];
            energy += residual_[s] * direction_[s];
            scale += weighted_[s] * weighted_[s] / local_.systems[s];
        }
        for (std::size_t round = 0; round < 10 * size && energy > 1e-26 * scale; ++round) {
            multiply(direction_);
            double bend = 0;
            for (std::size_t s = 0; s < size; ++s) bend += direction_[s] * image_[s];
            const double length = energy / bend, before = energy;
            energy = 0;
            for (std::size_t s = 0; s < size; ++s) {
                means_[s] += length * direction_[s];
                residual_[s] -= length * image_[s];
                energy += residual_[s] * residual_[s] / local_.systems[s];
            }
            for (std::size_t s = 0; s < size; ++s) {
                direction_[s] = residual_[s] / local_.systems[s] + energy / before * direction_[s];
            }
        }
    }

    void multiply(const std::vector<double>& vector) {
        image_.resize(vector.size());
        for (std::size_t s = 0; s < vector.size(); ++s) image_[s] = local_.systems[s] * vector[s];
        for (std::size_t pair = 0; pair < base_.numbers.size(); ++pair) {
            const std::size_t i = base_.numbers.first(pair), j = base_.numbers.second(pair);
            image_[i] -= local_.pairs[pair] * vector[j];
            image_[j] -= local_.pairs[pair] * vector[i];
        }
    }

    const BasePosterior& base_;
    Skill prior_;
    std::vector<char> plays_;
    std::vector<Outcome> outcomes_;
    LocalPrecisions local_;
    std::vector<double> means_, weighted_, residual_, direction_, image_;  // less the prior's mean
};

// Below so many systems an inverse costs less than a round of messages.
inline constexpr std::size_t kManySystems = 128;

// Settles `posterior`, which is of these counts, by rounds near it that an inverse now and then
// sets right; the base becomes what it ends with. False if it does not settle.
inline bool settle_many(PairPosterior& posterior, BasePosterior& base, const OutcomeKinds& kinds,
                        std::span<const std::int64_t> counts, const Systems& systems,
                        const MatchRules& rules, double tolerance) {
    for (int round = 0; round < 30; ++round) {
        NearPosterior near(kinds, counts, systems, base);
        if (!near.settle(rules, tolerance / 2)) return false;
        posterior.believe(near.messages());
        base.take(posterior, kinds, counts, systems);
        if (posterior.update_messages(rules, 1) <= tolerance) return true;
    }
    return false;
}

// One run for each row of counts; how many did not settle.
inline std::size_t rate_all_pairs(const OutcomeKinds& kinds, const CountRows& counts,
                                  const Systems& systems, const MatchRules& rules, double tolerance,
                                  std::size_t threads, const RatingRows& rows) {
    std::atomic<std::size_t> unsettled{0};
    parallel_chunks(threads, counts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t run = begin; run < end; ++run) {
            const auto given = counts.of_run(run);
            PairPosterior posterior(kinds, given, systems);
            BasePosterior base(kinds, systems);
            const bool is_settled =
                (systems.count >= kManySystems &&
                 settle_many(posterior, base, kinds, given, systems, rules, tolerance)) ||
                posterior.settle(rules, tolerance);
            unsettled += !is_settled;
            rows.write(run, posterior.skills(), posterior.plays());
        }
    });
    return unsettled;
}

// Runs of matches drawn from those of `base`, near its posterior, a row of counts each; how many
// did not settle.
inline std::size_t rate_near_pairs(const OutcomeKinds& kinds, const BasePosterior& base,
                                   const CountRows& counts, const Systems& systems,
                                   const MatchRules& rules, double tolerance, std::size_t threads,
                                   const RatingRows& rows) {
    std::atomic<std::size_t> unsettled{0};
    parallel_chunks(threads, counts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t run = begin; run < end; ++run) {
            NearPosterior near(kinds, counts.of_run(run), systems, base);
            unsettled += !near.settle(rules, tolerance);
            rows.write(run, near.skills(), near.plays());
        }
    });
    return unsettled;
}

}  // namespace rankwise
