// TrueSkill that selects its own matches: Sakaguchi, Post and Van Durme (2014), section 2.4.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "rating/matches.hpp"
#include "rating/outcome_kinds.hpp"

namespace rankwise {

// The system with the highest variance; of equal ones the last. A tree of winners, because a match
// changes few of many variances.
class HighestVariance {
public:
    HighestVariance(const std::vector<Skill>& skills, const std::vector<char>& plays) {
        while (leaves_ < skills.size()) leaves_ *= 2;
        variances_.assign(leaves_, -2);  // leaves without a system stand last and must lose
        winners_.resize(2 * leaves_);
        std::iota(winners_.begin() + static_cast<std::ptrdiff_t>(leaves_), winners_.end(), 0u);
        for (std::size_t s = 0; s < skills.size(); ++s) {
            variances_[s] = plays[s] ? comparable(skills[s].variance) : -1;
        }
        for (std::size_t node = leaves_ - 1; node > 0; --node) play(node);
    }

    std::size_t top() const { return winners_[1]; }

    void change(std::size_t system, double variance) {
        variances_[system] = comparable(variance);
        for (std::size_t node = (leaves_ + system) / 2; node > 0; node /= 2) play(node);
    }

private:
    // With rules or a prior that are out of all measure a variance may be nan or below 0: it must
    // still stand before systems that do not play.
    static double comparable(double variance) { return variance > 0 ? variance : 0; }

    void play(std::size_t node) {
        const auto two = std::span(winners_).subspan(2 * node, 2);
        // Not a branch: it would be a coin.
        const std::size_t second = variances_[two[0]] <= variances_[two[1]];
        winners_[node] = two[second];
    }

    std::size_t leaves_ = 1;
    std::vector<double> variances_;
    std::vector<std::uint32_t> winners_;
};

// Draws another system with probability ~ exp(-|difference of means|) among those that `may`
// allows. A system drawn uniformly is accepted with that probability; after sixteen refusals the
// weights are summed. Both have the same distribution; the first needs one or two exponentials.
template <class May>
std::size_t draw_opponent(const std::vector<Skill>& skills, std::size_t system, const May& may,
                          Pcg64& random) {
    const auto others = static_cast<std::uint32_t>(skills.size() - 1);
    const double mean = skills[system].mean;
    for (int attempt = 0; attempt < 16; ++attempt) {
        std::size_t other = random.below(others);
        if (other >= system) ++other;
        if (!may(other)) continue;
        const double distance = std::fabs(mean - skills[other].mean), chance = random.uniform();
        if (chance < 1 - distance || chance < std::exp(-distance)) return other;
    }
    // Relative to the nearest one, so that not all weights vanish.
    double nearest = std::numeric_limits<double>::infinity(), total = 0;
    for (std::size_t other = 0; other < skills.size(); ++other) {
        if (other == system || !may(other)) continue;
        nearest = std::min(nearest, std::fabs(mean - skills[other].mean));
    }
    std::size_t last = skills.size();
    const auto weight = [&](std::size_t other) {
        return std::exp(nearest - std::fabs(mean - skills[other].mean));
    };
    for (std::size_t other = 0; other < skills.size(); ++other) {
        if (other != system && may(other)) total += weight(other);
    }
    double left = random.uniform() * total;
    for (std::size_t other = 0; other < skills.size(); ++other) {
        if (other == system || !may(other)) continue;
        last = other;
        left -= weight(other);
        if (left < 0) break;
    }
    return last;
}

// Outcomes of all pairs of systems, counted: all that pairwise matches need of the judgments.
class PairOutcomes {
public:
    PairOutcomes(const OutcomeKinds& kinds, std::span<const std::int64_t> counts,
                 std::size_t systems)
        : systems_(systems),
          wins_(systems * systems),
          ties_(wins_),
          totals_(wins_),
          plays_(systems) {
        kinds.each(counts, [&](std::size_t i, std::size_t j, bool is_tie, std::int64_t times) {
            const std::size_t own = i * systems + j, other = j * systems + i;
            const auto count = static_cast<std::uint32_t>(times);
            (is_tie ? ties_ : wins_)[own] += count;
            if (is_tie) ties_[other] += count;
            totals_[own] += count, totals_[other] += count;
            plays_[i] = plays_[j] = 1;
        });
    }

    const std::vector<char>& plays() const { return plays_; }
    bool is_empty() const { return std::ranges::find(plays_, 1) == plays_.end(); }
    std::uint32_t total(std::size_t i, std::size_t j) const { return totals_[i * systems_ + j]; }

    // One of the stored comparisons of two systems, uniformly.
    void rate_one(std::vector<Skill>& skills, std::size_t i, std::size_t j, const MatchRules& rules,
                  Pcg64& random) const {
        const std::size_t pair = i * systems_ + j;
        const std::uint32_t pick = random.below(totals_[pair]);
        if (pick < wins_[pair]) {
            rate_pair(skills[i], skills[j], false, rules);
        } else {
            rate_pair(skills[j], skills[i], pick < wins_[pair] + ties_[pair], rules);
        }
    }

private:
    std::size_t systems_;
    std::vector<std::uint32_t> wins_, ties_, totals_;
    std::vector<char> plays_;
};

// `count` selected pairwise matches, one after the other; `seen` hears who plays. A run that drew
// no comparison has none.
template <class Seen>
void play_selected(const PairOutcomes& outcomes, std::vector<Skill>& skills,
                   const MatchRules& rules, std::size_t count, Pcg64& random, const Seen& seen) {
    if (outcomes.is_empty()) return;
    HighestVariance highest(skills, outcomes.plays());
    for (std::size_t match = 0; match < count; ++match) {
        const std::size_t one = highest.top();
        const auto met = [&](std::size_t other) { return outcomes.total(one, other) > 0; };
        const std::size_t two = draw_opponent(skills, one, met, random);
        outcomes.rate_one(skills, one, two, rules, random);
        highest.change(one, skills[one].variance);
        highest.change(two, skills[two].variance);
        seen(one, two);
    }
}

// Runs of `count` selected pairwise matches.
inline void rate_selected_pairs(const OutcomeKinds& kinds, const CountRows& counts,
                                const Systems& systems, const MatchRules& rules, std::size_t count,
                                const Runs& runs, const RatingRows& rows) {
    runs.each([&](std::size_t run, Pcg64 random) {
        const PairOutcomes outcomes(kinds, counts.of_run(run), systems.count);
        std::vector<Skill> skills = systems.skills();
        play_selected(outcomes, skills, rules, count, random, [](std::size_t, std::size_t) {});
        rows.write(run, skills, outcomes.plays());
    });
}

// Matches of N players, found by who plays.
class MatchesBySet {
public:
    using Set = std::array<std::int32_t, kMostPlayers>;  // sorted, filled up with -1

    MatchesBySet(const Matches& matches, std::size_t systems)
        : order_(matches.count()), with_(systems) {
        std::vector<Set> sets(matches.count());
        for (std::size_t m = 0; m < matches.count(); ++m) {
            sets[m].fill(-1);
            std::ranges::copy(matches.players_of(m), sets[m].begin());
            std::sort(sets[m].begin(),
                      sets[m].begin() + static_cast<std::ptrdiff_t>(matches.size(m)));
        }
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::size_t a, std::size_t b) { return sets[a] < sets[b]; });
        for (std::size_t place = 0; place < order_.size(); ++place) {
            if (sets_.empty() || sets_.back() != sets[order_[place]]) {
                sets_.push_back(sets[order_[place]]);
                begins_.push_back(place);
            }
            for (const std::int32_t player : sets_.back()) {
                if (player >= 0) with_[static_cast<std::size_t>(player)].push_back(place);
            }
        }
        begins_.push_back(order_.size());
    }

    std::size_t size() const { return order_.size(); }
    std::size_t match(std::size_t place) const { return order_[place]; }
    const std::vector<std::size_t>& with(std::size_t system) const { return with_[system]; }

    // The places of the matches of a set: begin and end, equal when there is none.
    std::pair<std::size_t, std::size_t> places(const Set& set) const {
        const auto found = std::lower_bound(sets_.begin(), sets_.end(), set);
        if (found == sets_.end() || *found != set) return {0, 0};
        const auto index = static_cast<std::size_t>(found - sets_.begin());
        return {begins_[index], begins_[index + 1]};
    }

private:
    std::vector<std::size_t> order_, begins_;
    std::vector<Set> sets_;
    std::vector<std::vector<std::size_t>> with_;
};

// One run's matches of a set: those with a weight, drawn in proportion to it.
class WeightedMatches {
public:
    WeightedMatches(const MatchesBySet& sets, const std::vector<std::uint32_t>& weights)
        : sets_(sets), sums_(sets.size() + 1, 0) {
        for (std::size_t place = 0; place < sets.size(); ++place) {
            sums_[place + 1] = sums_[place] + weights[sets.match(place)];
        }
    }

    std::uint64_t weight(std::size_t place) const { return sums_[place + 1] - sums_[place]; }

    // A match of these places, or the number of places when none has a weight.
    std::size_t draw(std::pair<std::size_t, std::size_t> places, Pcg64& random) const {
        const std::uint64_t total = sums_[places.second] - sums_[places.first];
        if (total == 0) return sets_.size();
        const std::uint64_t pick =
            sums_[places.first] + random.below(static_cast<std::uint32_t>(total));
        const auto found = std::upper_bound(sums_.begin(), sums_.end(), pick);
        return sets_.match(static_cast<std::size_t>(found - sums_.begin()) - 1);
    }

    // A match with this system.
    std::size_t draw_with(std::size_t system, Pcg64& random) const {
        const std::vector<std::size_t>& places = sets_.with(system);
        std::uint64_t total = 0;
        for (const std::size_t place : places) total += weight(place);
        std::uint64_t pick = random.below(static_cast<std::uint32_t>(total));
        for (const std::size_t place : places) {
            if (pick < weight(place)) return sets_.match(place);
            pick -= weight(place);
        }
        return sets_.match(places.back());
    }

private:
    const MatchesBySet& sets_;
    std::vector<std::uint64_t> sums_;
};

// Draws N players around the system with the highest variance until a stored match has them. Where
// a hundred draws find none, one of that system's matches is taken (the original ends there).
inline std::size_t select_match(const std::vector<Skill>& skills, const std::vector<char>& plays,
                                std::size_t system, std::size_t ways, const MatchesBySet& sets,
                                const WeightedMatches& weighted, Pcg64& random) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        MatchesBySet::Set set;
        set.fill(-1);
        set[0] = static_cast<std::int32_t>(system);
        for (std::size_t size = 1; size < ways; ++size) {
            const auto is_new = [&](std::size_t other) {
                const auto player = static_cast<std::int32_t>(other);
                return plays[other] && std::find(set.begin(), set.end(), player) == set.end();
            };
            set[size] = static_cast<std::int32_t>(draw_opponent(skills, system, is_new, random));
        }
        std::sort(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(ways));
        const std::size_t match = weighted.draw(sets.places(set), random);
        if (match < sets.size()) return match;
    }
    return weighted.draw_with(system, random);
}

// Runs of `count` selected matches of exactly `ways` players. Each draws its groups with
// replacement first, or takes all of them once. A run that drew groups without a match has none.
inline void rate_selected(const Matches& matches, const Systems& systems, const MatchRules& rules,
                          std::size_t ways, std::size_t count, bool resample, const Runs& runs,
                          const RatingRows& rows) {
    const MatchesBySet sets(matches, systems.count);
    runs.each([&](std::size_t run, Pcg64 random) {
        const std::vector<std::uint32_t> weights =
            resample ? matches.drawn_weights(random)
                     : std::vector<std::uint32_t>(matches.count(), 1);
        std::vector<char> plays(systems.count, 0);
        for (std::size_t m = 0; m < matches.count(); ++m) {
            if (weights[m] > 0) matches.mark_players(m, plays);
        }
        const WeightedMatches weighted(sets, weights);
        std::vector<Skill> skills = systems.skills();
        HighestVariance highest(skills, plays);
        const bool is_empty = std::ranges::find(plays, 1) == plays.end();
        for (std::size_t done = 0; done < count && !is_empty; ++done) {
            const std::size_t match =
                select_match(skills, plays, highest.top(), ways, sets, weighted, random);
            matches.rate(skills, match, rules);
            for (const std::int32_t player : matches.players_of(match)) {
                const auto system = static_cast<std::size_t>(player);
                highest.change(system, skills[system].variance);
            }
        }
        rows.write(run, skills, plays);
    });
}

}  // namespace rankwise
