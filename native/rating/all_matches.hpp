// TrueSkill of all free-for-alls at once: expectation propagation over the matches, again and
// again, until no rating changes, so that their order does not matter.
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

namespace rankwise {

// Every match keeps the messages it sent to its players and replaces them when its turn comes.
class MatchMessages {
public:
    // `messages`, one for each player of each match, are where to start from.
    MatchMessages(const Matches& matches, const std::vector<std::uint32_t>& weights,
                  const Systems& systems, std::vector<Message> messages)
        : matches_(matches),
          weights_(weights),
          messages_(std::move(messages)),
          beliefs_(systems.count, Message{1 / systems.prior.variance,
                                          systems.prior.mean / systems.prior.variance}),
          before_(systems.count, systems.prior),
          prior_(systems.prior),
          plays_(systems.count, 0) {
        for (std::size_t m = 0; m < matches.count(); ++m) {
            if (weights[m] == 0) continue;
            matches.mark_players(m, plays_);
            for (std::size_t p = matches.begin(m); p < matches.begin(m + 1); ++p) {
                const auto player = static_cast<std::size_t>(matches.players[p]);
                beliefs_[player].precision += weights[m] * messages_[p].precision;
                beliefs_[player].weighted_mean += weights[m] * messages_[p].weighted_mean;
            }
        }
    }

    const std::vector<Message>& messages() const { return messages_; }

    bool settle(const MatchRules& rules, double tolerance) {
        for (int sweep = 0; sweep < 1000; ++sweep) {
            for (std::size_t m = 0; m < matches_.count(); ++m) {
                if (weights_[m] > 0) update(m, rules);
            }
            if (change() <= tolerance) return true;
        }
        return false;
    }

    // Matches know differences only: the mean of all is that of the prior, and variances are those
    // around it, as if what a match says of a player were said of the differences to all others.
    std::vector<Skill> skills() const {
        std::size_t count = 0;
        const std::vector<std::size_t> numbers = playing_numbers(plays_, count);
        DifferencePrecision precision(count, 1 / prior_.variance);
        for (std::size_t m = 0; m < matches_.count(); ++m) {
            if (weights_[m] > 0) add_differences(m, numbers, precision);
        }
        const auto variances = centred_variances(std::move(precision).inverse(), count);
        std::vector<Skill> result = before_;
        for (std::size_t s = 0; s < result.size(); ++s) {
            if (plays_[s]) result[s].variance = variances[numbers[s]];
        }
        return result;
    }
    const std::vector<char>& plays() const { return plays_; }

private:
    // The rating of a system without one message.
    Skill without(std::size_t system, const Message& one) const {
        const double variance = 1 / (beliefs_[system].precision - one.precision);
        return {(beliefs_[system].weighted_mean - one.weighted_mean) * variance, variance};
    }

    void update(std::size_t m, const MatchRules& rules) {
        static constexpr std::int32_t kPlaces[kMostPlayers] = {0, 1, 2, 3, 4, 5, 6, 7};
        const std::size_t size = matches_.size(m);
        const auto players = matches_.players_of(m);
        const auto messages = std::span(messages_).subspan(matches_.begin(m), size);
        Skill before[kMostPlayers], after[kMostPlayers];
        for (std::size_t i = 0; i < size; ++i) {
            before[i] = after[i] = without(static_cast<std::size_t>(players[i]), messages[i]);
        }
        rate_match(after, std::span(kPlaces).first(size), matches_.ranks_of(m), rules);
        for (std::size_t i = 0; i < size; ++i) {
            const double now = 1 / after[i].variance, then = 1 / before[i].variance;
            const Message next{now - then, after[i].mean * now - before[i].mean * then};
            Message& belief = beliefs_[static_cast<std::size_t>(players[i])];
            belief.precision += weights_[m] * (next.precision - messages[i].precision);
            belief.weighted_mean += weights_[m] * (next.weighted_mean - messages[i].weighted_mean);
            messages[i] = next;
        }
    }

    void add_differences(std::size_t m, const std::vector<std::size_t>& numbers,
                         DifferencePrecision& precision) const {
        const std::size_t begin = matches_.begin(m), end = matches_.begin(m + 1);
        const double share = weights_[m] / (2 * static_cast<double>(end - begin - 1));
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t j = i + 1; j < end; ++j) {
                precision.add_difference(numbers[static_cast<std::size_t>(matches_.players[i])],
                                         numbers[static_cast<std::size_t>(matches_.players[j])],
                                         share * (messages_[i].precision + messages_[j].precision));
            }
        }
    }

    // How much ratings changed since the last call: means in deviations, variances in shares. What
    // all means have in common is left out: only the prior holds it, and it would creep for ever.
    double change() {
        std::vector<Skill> now(beliefs_.size());
        double largest = 0, sum = 0, count = 0;
        for (std::size_t s = 0; s < now.size(); ++s) {
            now[s] = without(s, {});
            if (plays_[s]) sum += now[s].mean, count += 1;
        }
        for (std::size_t s = 0; s < now.size(); ++s) {
            if (!plays_[s]) continue;
            now[s].mean += prior_.mean - sum / count;
            largest = std::max(
                {largest, std::fabs(now[s].mean - before_[s].mean) / std::sqrt(now[s].variance),
                 std::fabs(now[s].variance / before_[s].variance - 1)});
        }
        before_ = std::move(now);
        return largest;
    }

    const Matches& matches_;
    const std::vector<std::uint32_t>& weights_;
    std::vector<Message> messages_, beliefs_;
    std::vector<Skill> before_;
    Skill prior_;
    std::vector<char> plays_;
};

// Runs over matches of any size; each draws its groups with replacement, or takes all of them once.
// Resamples start from what all matches said when each counted once, which is near. Returns how
// many did not settle.
inline std::size_t rate_all(const Matches& matches, const Systems& systems, const MatchRules& rules,
                            double tolerance, bool resample, const Runs& runs,
                            const RatingRows& rows) {
    std::atomic<std::size_t> unsettled{0};
    const std::vector<std::uint32_t> once(matches.count(), 1);
    std::vector<Message> start(matches.players.size());
    if (resample) {
        MatchMessages messages(matches, once, systems, start);
        messages.settle(rules, tolerance);
        start = messages.messages();
    }
    runs.each([&](std::size_t run, Pcg64 random) {
        const std::vector<std::uint32_t> weights = resample ? matches.drawn_weights(random) : once;
        MatchMessages messages(matches, weights, systems, start);
        unsettled += !messages.settle(rules, tolerance);
        rows.write(run, messages.skills(), messages.plays());
    });
    return unsettled;
}

}  // namespace rankwise
