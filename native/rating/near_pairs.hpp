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

// The pairs of systems that meet in some kind, and the kinds of each: i over j, j over i, their
// tie.
class KindsByPair {
public:
    explicit KindsByPair(const OutcomeKinds& kinds) : kinds_(kinds.size()) {
        std::iota(kinds_.begin(), kinds_.end(), 0u);
        const auto code = [&](std::uint32_t k) {
            const auto [low, high] = std::minmax(kinds.better[k], kinds.worse[k]);
            return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
        };
        std::ranges::sort(kinds_, {}, code);
        for (std::size_t at = 0; at < kinds_.size(); ++at) {
            const std::uint64_t of_pair = code(kinds_[at]);
            if (at == 0 || of_pair != code(kinds_[at - 1])) {
                lows_.push_back(static_cast<std::uint32_t>(of_pair >> 32));
                highs_.push_back(static_cast<std::uint32_t>(of_pair));
                begins_.push_back(at);
            }
        }
        begins_.push_back(kinds_.size());
    }

    std::size_t size() const { return lows_.size(); }
    std::uint32_t low(std::size_t pair) const { return lows_[pair]; }
    std::uint32_t high(std::size_t pair) const { return highs_[pair]; }
    std::span<const std::uint32_t> of(std::size_t pair) const {
        return std::span(kinds_).subspan(begins_[pair], begins_[pair + 1] - begins_[pair]);
    }

private:
    std::vector<std::uint32_t> kinds_, lows_, highs_;
    std::vector<std::size_t> begins_;
};

// The variance of a difference but for the matches of the two, as if all that each met stood still:
// exact for two systems by themselves, and where everybody met everybody alike. Given are the
// precisions of what is known about each system and about the pair directly.
inline double local_indirect_variance(double one, double two, double pair) {
    const double of_one = one - pair, of_two = two - pair;
    return (of_one + of_two) / (of_one * of_two);
}

// What an exact posterior says, as those near it need it. It begins with knowing nothing.
struct BasePosterior {
    KindsByPair pairs;
    std::vector<Message> messages;  // one for each kind
    std::vector<double> means;      // of all systems
    std::vector<double>
        indirect_shares;  // of each pair: exact indirect variance over the local one

    BasePosterior(const OutcomeKinds& kinds, const Systems& systems)
        : pairs(kinds),
          messages(kinds.size()),
          means(systems.count, systems.prior.mean),
          indirect_shares(pairs.size(), 1) {}

    // Takes over the messages of a posterior, and how its variances differ from local ones.
    void take(const PairPosterior& posterior, std::span<const std::int64_t> counts,
              const Systems& systems) {
        std::vector<double> variances(counts.size(), 0);  // of the kinds that occurred
        for (std::size_t k = 0, occurred = 0; k < counts.size(); ++k) {
            if (counts[k] == 0) continue;
            messages[k] = posterior.message(occurred);
            variances[k] = posterior.variance(occurred++);
        }
        std::vector<double> of_systems(systems.count, 1 / systems.prior.variance);
        std::vector<double> of_pairs(pairs.size(), 0), of_differences(pairs.size(), 0);
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            for (const std::uint32_t k : pairs.of(p)) {
                if (counts[k] == 0) continue;
                of_pairs[p] += static_cast<double>(counts[k]) * messages[k].precision;
                of_differences[p] = variances[k];
            }
            of_systems[pairs.low(p)] += of_pairs[p];
            of_systems[pairs.high(p)] += of_pairs[p];
        }
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            if (of_differences[p] == 0) continue;
            const double local = local_indirect_variance(of_systems[pairs.low(p)],
                                                         of_systems[pairs.high(p)], of_pairs[p]);
            indirect_shares[p] = 1 / (1 / of_differences[p] - of_pairs[p]) / local;
        }
        const std::vector<Skill> skills = posterior.skills();
        for (std::size_t s = 0; s < skills.size(); ++s) means[s] = skills[s].mean;
    }
};

// Expectation propagation as in PairPosterior, but variances of differences are not read from the
// inverse of a large matrix: an indirect one is the local value times the share that the base has.
// One object serves run after run, so that its memory is asked for once.
class NearPosterior {
public:
    NearPosterior(const OutcomeKinds& kinds, const Systems& systems, const BasePosterior& base)
        : kinds_(kinds), base_(base), prior_(systems.prior), plays_(systems.count, 0) {}

    // Begins a run with these counts, at the base.
    void begin(std::span<const std::int64_t> counts) {
        pairs_.clear(), outcomes_.clear();
        std::ranges::fill(plays_, 0);
        for (std::size_t p = 0; p < base_.pairs.size(); ++p) {
            const std::size_t before = outcomes_.size();
            for (const std::uint32_t k : base_.pairs.of(p)) {
                if (counts[k] == 0) continue;
                outcomes_.push_back(
                    {k, kinds_.is_tie[k] != 0,
                     static_cast<std::uint32_t>(kinds_.better[k]) == base_.pairs.low(p),
                     static_cast<double>(counts[k]), base_.messages[k]});
            }
            if (outcomes_.size() == before) continue;
            pairs_.push_back({base_.pairs.low(p), base_.pairs.high(p), 0, base_.indirect_shares[p],
                              outcomes_.size()});
            plays_[base_.pairs.low(p)] = plays_[base_.pairs.high(p)] = 1;
        }
        means_.assign(plays_.size(), 0);
        for (std::size_t s = 0; s < means_.size(); ++s) {
            if (plays_[s]) means_[s] = base_.means[s] - prior_.mean;
        }
    }

    // False if messages still change after so many rounds, as in PairPosterior.
    bool settle(const MatchRules& rules, double tolerance) {
        visit_outcomes([](const Pair&) { return [](Outcome&) {}; });
        for (int round = 0; round < 500; ++round) {
            const double step = round < 30 ? 1 : 0.5;
            double change = 0;
            visit_outcomes([&](const Pair& pair) {
                const KnownDifference known = difference_of(pair);
                return [&, known](Outcome& outcome) {
                    KnownDifference toward = known;
                    if (!outcome.is_low_better) toward.mean = -known.mean;
                    change = std::max(change,
                                      outcome.times * move_message(outcome.message, outcome.is_tie,
                                                                   toward, rules, step));
                };
            });
            if (change <= tolerance) return true;
        }
        return false;
    }

    // Means, and variances as if all that a system met stood still.
    std::vector<Skill> skills() const {
        std::vector<Skill> result(plays_.size(), prior_);
        for (std::size_t s = 0; s < plays_.size(); ++s) {
            if (plays_[s]) result[s] = {prior_.mean + means_[s], 1 / systems_[s]};
        }
        return result;
    }

    const std::vector<char>& plays() const { return plays_; }

    // One for each kind that occurred, in the order of kinds.
    std::vector<Message> messages() const {
        std::vector<const Message*> of_kinds(kinds_.size(), nullptr);
        for (const Outcome& outcome : outcomes_) of_kinds[outcome.kind] = &outcome.message;
        std::vector<Message> result;
        result.reserve(outcomes_.size());
        for (const Message* const message : of_kinds) {
            if (message != nullptr) result.push_back(*message);
        }
        return result;
    }

private:
    struct Outcome {
        std::uint32_t kind;
        bool is_tie, is_low_better;
        double times;
        Message message;
    };

    // Two systems that met: outcomes up to `end` are theirs, from the end of the pair before.
    struct Pair {
        std::uint32_t low, high;
        double precision, indirect_share;
        std::size_t end;
    };

    KnownDifference difference_of(const Pair& pair) const {
        const double indirect =
            pair.indirect_share *
            local_indirect_variance(systems_[pair.low], systems_[pair.high], pair.precision);
        const double precision = pair.precision + 1 / indirect;
        return {means_[pair.low] - means_[pair.high], precision, std::sqrt(1 / precision)};
    }

    // Calls visitor(pair)(outcome) for all outcomes, and forms the beliefs that their messages
    // then lead to. Pairs come by their lower system, whose sums stay at hand.
    template <class Visitor>
    void visit_outcomes(const Visitor& visitor) {
        next_systems_.assign(plays_.size(), 1 / prior_.variance);
        weighted_.assign(plays_.size(), 0);
        std::size_t outcome = 0;
        for (std::size_t p = 0; p < pairs_.size();) {
            const std::uint32_t low = pairs_[p].low;
            double known = next_systems_[low], weight = weighted_[low];
            for (; p < pairs_.size() && pairs_[p].low == low; ++p) {
                Pair& pair = pairs_[p];
                const auto visit = visitor(pair);
                double precision = 0, toward_low = 0;
                for (; outcome < pair.end; ++outcome) {
                    Outcome& of_pair = outcomes_[outcome];
                    visit(of_pair);
                    precision += of_pair.times * of_pair.message.precision;
                    const double force = of_pair.times * of_pair.message.weighted_mean;
                    toward_low += of_pair.is_low_better ? force : -force;
                }
                pair.precision = precision;
                known += precision, weight += toward_low;
                next_systems_[pair.high] += precision;
                weighted_[pair.high] -= toward_low;
            }
            next_systems_[low] = known, weighted_[low] = weight;
        }
        std::swap(systems_, next_systems_);
        solve_means();
    }

    // Means from the precision matrix, by conjugate gradients from those of the round before. What
    // is left of an error is a thousandth of what messages changed: the next round changes more.
    void solve_means() {
        const std::size_t size = plays_.size();
        residual_ = weighted_;
        multiply(means_);
        for (std::size_t s = 0; s < size; ++s) residual_[s] -= image_[s];
        direction_.resize(size);
        double energy = 0, scale = 0;
        for (std::size_t s = 0; s < size; ++s) {
            direction_[s] = residual_[s] / systems_[s];
            energy += residual_[s] * direction_[s];
            scale += weighted_[s] * weighted_[s] / systems_[s];
        }
        const double enough = std::max(1e-6 * energy, 1e-26 * scale);
        for (std::size_t round = 0; round < 10 * size && energy > enough; ++round) {
            multiply(direction_);
            double bend = 0;
            for (std::size_t s = 0; s < size; ++s) bend += direction_[s] * image_[s];
            const double length = energy / bend, before = energy;
            energy = 0;
            for (std::size_t s = 0; s < size; ++s) {
                means_[s] += length * direction_[s];
                residual_[s] -= length * image_[s];
                energy += residual_[s] * residual_[s] / systems_[s];
            }
            for (std::size_t s = 0; s < size; ++s) {
                direction_[s] = residual_[s] / systems_[s] + energy / before * direction_[s];
            }
        }
    }

    void multiply(const std::vector<double>& vector) {
        image_.resize(vector.size());
        for (std::size_t s = 0; s < vector.size(); ++s) image_[s] = systems_[s] * vector[s];
        for (std::size_t p = 0; p < pairs_.size();) {
            const std::uint32_t low = pairs_[p].low;
            const double of_low = vector[low];
            double sum = 0;
            for (; p < pairs_.size() && pairs_[p].low == low; ++p) {
                sum += pairs_[p].precision * vector[pairs_[p].high];
                image_[pairs_[p].high] -= pairs_[p].precision * of_low;
            }
            image_[low] -= sum;
        }
    }

    const OutcomeKinds kinds_;
    const BasePosterior& base_;
    Skill prior_;
    std::vector<char> plays_;
    std::vector<Pair> pairs_;
    std::vector<Outcome> outcomes_;
    std::vector<double> systems_, next_systems_;                           // precisions
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
        NearPosterior near(kinds, systems, base);
        near.begin(counts);
        if (!near.settle(rules, tolerance / 2)) return false;
        posterior.believe(near.messages());
        base.take(posterior, counts, systems);
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
        NearPosterior near(kinds, systems, base);
        for (std::size_t run = begin; run < end; ++run) {
            near.begin(counts.of_run(run));
            unsettled += !near.settle(rules, tolerance);
            rows.write(run, near.skills(), near.plays());
        }
    });
    return unsettled;
}

}  // namespace rankwise
