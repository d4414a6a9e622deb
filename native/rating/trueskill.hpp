// TrueSkill: what one match between two to eight players says about their skills.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "rating/truncated.hpp"

namespace rankwise {

inline constexpr std::size_t kMostPlayers = 8;

// Performances scatter around skills with standard deviation beta; two of them within epsilon are a
// tie; tau^2 is added to every variance before a match.
struct MatchRules {
    double beta_squared, epsilon, tau_squared;
};

struct Skill {
    double mean, variance;
};

// Two players in closed form; the first is the better one unless they are tied.
inline void rate_pair(Skill& one, Skill& two, bool is_tie, const MatchRules& rules) {
    const double first = one.variance + rules.tau_squared;
    const double second = two.variance + rules.tau_squared;
    const double c2 = 2 * rules.beta_squared + first + second;
    const double precision = 1 / c2, root = std::sqrt(c2) * precision;  // 1 / c^2 and 1 / c
    const double t = (one.mean - two.mean) * root, margin = rules.epsilon * root;
    const Truncated found = is_tie ? tied(t, margin) : won(t, margin);
    const double shift = root * found.shift, lost = precision * found.lost;
    one.mean += first * shift;
    two.mean -= second * shift;
    one.variance = first * (1 - first * lost);
    two.variance = second * (1 - second * lost);
}

// A Gaussian message in natural parameters; flat at first.
struct Message {
    double precision = 0, weighted_mean = 0;
};

// N players, best first, by expectation propagation along the chain of neighbours' differences.
//
// Difference x is performance x less performance x + 1; it is known to exceed epsilon, or to lie
// within it. Sweeps go forward and back until the beliefs about the differences change by at most
// 1e-4, ten times at most: the schedule of Herbrich et al. (2006), and of the PyPI package
// trueskill, whose results these are. Nothing is divided out again, so that a difference known
// exactly (a tie with epsilon 0) or not at all (a certain win) needs no special case.
class FreeForAll {
public:
    // skills[i] of the players in the order of their ranks; is_tie[x]: x and x + 1 are tied.
    void rate(std::span<Skill* const> skills, std::span<const bool> is_tie,
              const MatchRules& rules) {
        const std::size_t count = skills.size();
        start(skills, rules);
        for (int sweep = 0; sweep < 10; ++sweep) {
            double change = 0;
            for (std::size_t x = 0; x + 2 < count; ++x) {
                change = std::max(change, observe(x, is_tie[x], rules.epsilon));
                tell_right(x);
            }
            for (std::size_t x = count - 2; x > 0; --x) {
                change = std::max(change, observe(x, is_tie[x], rules.epsilon));
                tell_left(x);
            }
            if (change <= 1e-4) break;
        }
        tell_left(0);
        tell_right(count - 2);
        finish(skills, rules);
    }

private:
    // What a truncated difference says: variance * certainty and mean * certainty stay finite where
    // it is known exactly or not at all. The message is only for telling what changed.
    struct Difference {
        double certainty = 0, variance = 1, mean = 0;
        Message message;
    };

    struct Moments {
        double mean, variance;
    };

    void start(std::span<Skill* const> skills, const MatchRules& rules) {
        for (std::size_t i = 0; i < skills.size(); ++i) {
            skills[i]->variance += rules.tau_squared;
            const double precision = 1 / (skills[i]->variance + rules.beta_squared);
            own_[i] = {precision, precision * skills[i]->mean};
            from_left_[i] = from_right_[i] = {};
            difference_[i] = {};
        }
    }

    // A performance without what the difference to its right (left) says of it.
    Moments without_right(std::size_t i) const { return moments(own_[i], from_left_[i]); }
    Moments without_left(std::size_t i) const { return moments(own_[i], from_right_[i]); }

    static Moments moments(const Message& one, const Message& two) {
        const double variance = 1 / (one.precision + two.precision);
        return {(one.weighted_mean + two.weighted_mean) * variance, variance};
    }

    // Truncates difference x; returns how much the belief about it changed.
    double observe(std::size_t x, bool is_tie, double epsilon) {
        const Moments left = without_right(x), right = without_left(x + 1);
        const double mean = left.mean - right.mean, variance = left.variance + right.variance;
        const double precision = 1 / variance, deviation = std::sqrt(variance);
        const double t = mean * precision * deviation, margin = epsilon * precision * deviation;
        const Truncated found = is_tie ? tied(t, margin) : won(t, margin);
        const double told = precision / found.kept, after = (mean + deviation * found.shift) * told;
        const Message old = difference_[x].message;
        const double change = std::max(std::fabs(mean * precision + old.weighted_mean - after),
                                       std::sqrt(std::fabs(precision + old.precision - told)));
        difference_[x] = {found.lost,
                          found.kept * variance,
                          found.lost * mean + deviation * found.shift,
                          {told - precision, after - mean * precision}};
        return std::isfinite(change) ? change : std::numeric_limits<double>::infinity();
    }

    void tell_right(std::size_t x) {
        from_left_[x + 1] = sum_message(without_right(x), difference_[x], -1);
    }
    void tell_left(std::size_t x) {
        from_right_[x] = sum_message(without_left(x + 1), difference_[x], +1);
    }

    // The message about neighbour + sign * difference.
    static Message sum_message(const Moments& neighbour, const Difference& difference, int sign) {
        const double scale = 1 / (difference.certainty * neighbour.variance + difference.variance);
        return {difference.certainty * scale,
                (difference.certainty * neighbour.mean + sign * difference.mean) * scale};
    }

    void finish(std::span<Skill* const> skills, const MatchRules& rules) const {
        for (std::size_t i = 0; i < skills.size(); ++i) {
            const double precision = from_left_[i].precision + from_right_[i].precision;
            const double weighted = from_left_[i].weighted_mean + from_right_[i].weighted_mean;
            const double noise = 1 + rules.beta_squared * precision;
            const double variance = skills[i]->variance;
            const double scale = 1 + variance * precision / noise;
            skills[i]->mean = (skills[i]->mean + variance * weighted / noise) / scale;
            skills[i]->variance = variance / scale;
        }
    }

    Message own_[kMostPlayers], from_left_[kMostPlayers], from_right_[kMostPlayers];
    Difference difference_[kMostPlayers];
};

// One match among the skills of all systems: players and their ranks (1 is best), as they come.
inline void rate_match(std::span<Skill> skills, std::span<const std::int32_t> players,
                       std::span<const double> ranks, const MatchRules& rules) {
    const std::size_t count = players.size();
    const auto skill = [&](std::size_t i) -> Skill& {
        return skills[static_cast<std::size_t>(players[i])];
    };
    if (count == 2) {
        const bool swapped = ranks[1] < ranks[0];
        rate_pair(skill(swapped), skill(!swapped), ranks[0] == ranks[1], rules);
        return;
    }
    std::size_t order[kMostPlayers];
    for (std::size_t i = 0; i < count; ++i) {  // stable
        std::size_t place = i;
        for (; place > 0 && ranks[i] < ranks[order[place - 1]]; --place) {
            order[place] = order[place - 1];
        }
        order[place] = i;
    }
    Skill* sorted[kMostPlayers];
    bool is_tie[kMostPlayers] = {};
    for (std::size_t i = 0; i < count; ++i) {
        sorted[i] = &skill(order[i]);
        if (i > 0) is_tie[i - 1] = ranks[order[i - 1]] == ranks[order[i]];
    }
    FreeForAll().rate(std::span(sorted, count), std::span(is_tie, count), rules);
}

}  // namespace rankwise
