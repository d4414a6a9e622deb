// What comparisons join. An arrow leads from a system to each one that it beat or tied with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "rating/met_pairs.hpp"

namespace rankwise {

// The pairs of every system: those of system s are at begins[s] up to begins[s + 1].
class PairsOfSystems {
public:
    explicit PairsOfSystems(const MetPairs& pairs)
        : begins_(pairs.systems + 1, 0), places_(2 * pairs.size()) {
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            ++begins_[pairs.one(p) + 1], ++begins_[pairs.two(p) + 1];
        }
        std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
        std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            places_[next[pairs.one(p)]++] = p;
            places_[next[pairs.two(p)]++] = p;
        }
    }

    std::span<const std::size_t> of(std::size_t system) const {
        return std::span(places_).subspan(begins_[system], begins_[system + 1] - begins_[system]);
    }

private:
    std::vector<std::size_t> begins_, places_;
};

// Groups of systems that pairs join, however many steps that takes.
class JoinedGroups {
public:
    explicit JoinedGroups(std::size_t systems) : parents_(systems) {
        std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    }

    void join(std::size_t one, std::size_t two) {
        one = first_of(one), two = first_of(two);
        parents_[std::max(one, two)] = std::min(one, two);
    }

    // The first system of the group.
    std::size_t first_of(std::size_t system) {
        while (parents_[system] != system) {
            parents_[system] = parents_[parents_[system]];
            system = parents_[system];
        }
        return system;
    }

    // Whether each system is in the largest group; of equal ones the first.
    std::vector<char> largest() {
        std::vector<std::size_t> sizes(parents_.size(), 0);
        for (std::size_t s = 0; s < parents_.size(); ++s) ++sizes[first_of(s)];
        const auto most =
            static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
        std::vector<char> chosen(parents_.size());
        for (std::size_t s = 0; s < parents_.size(); ++s) chosen[s] = first_of(s) == most;
        return chosen;
    }

private:
    std::vector<std::size_t> parents_;
};

// Whether a likelihood of strengths has a maximum (see aggregate/models/connected.py).
class FiniteEstimates {
public:
    explicit FiniteEstimates(const MetPairs& pairs) : pairs_(pairs), around_(pairs) {}

    bool exists(const PairResults& results) const {
        if (!all_reached(results, true) || !all_reached(results, false)) return false;
        const bool tied = std::ranges::any_of(results.ties, [](double times) { return times > 0; });
        return !tied || has_circle_of_wins(results) || has_winning_circle(results);
    }

private:
    // Whether paths lead from the first system to all others, or from them to it.
    bool all_reached(const PairResults& results, bool along) const {
        if (pairs_.systems == 0) return true;
        std::vector<char> reached(pairs_.systems, 0);
        std::vector<std::size_t> waiting{0};
        reached[0] = 1;
        std::size_t count = 1;
        while (!waiting.empty()) {
            const std::size_t system = waiting.back();
            waiting.pop_back();
            for (const std::size_t p : around_.of(system)) {
                const bool is_left = pairs_.one(p) == system;
                const std::size_t other = is_left ? pairs_.two(p) : pairs_.one(p);
                if (reached[other]) continue;
                if (!(is_left == along ? results.left_holds(p) : results.right_holds(p))) continue;
                reached[other] = 1;
                ++count;
                waiting.push_back(other);
            }
        }
        return count == pairs_.systems;
    }

    // Whether wins alone go round: systems that beat nobody who is left are taken away.
    bool has_circle_of_wins(const PairResults& results) const {
        std::vector<std::size_t> beaten(pairs_.systems, 0), waiting;
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            beaten[pairs_.one(p)] += results.wins[p] > 0;
            beaten[pairs_.two(p)] += results.losses[p] > 0;
        }
        for (std::size_t s = 0; s < pairs_.systems; ++s) {
            if (beaten[s] == 0) waiting.push_back(s);
        }
        std::size_t taken = 0;
        while (!waiting.empty()) {
            const std::size_t system = waiting.back();
            waiting.pop_back();
            ++taken;
            for (const std::size_t p : around_.of(system)) {
                const bool is_left = pairs_.one(p) == system;
                const std::size_t winner = is_left ? pairs_.two(p) : pairs_.one(p);
                if ((is_left ? results.losses[p] : results.wins[p]) <= 0) continue;
                if (--beaten[winner] == 0) waiting.push_back(winner);
            }
        }
        return taken < pairs_.systems;
    }

    // Whether a circle is shorter than nothing when a win is a step of -1 and a tie one of 1: then
    // distances never settle (Bellman and Ford).
    bool has_winning_circle(const PairResults& results) const {
        std::vector<std::int64_t> distances(pairs_.systems, 0);
        for (std::size_t round = 0; round <= pairs_.systems; ++round) {
            bool changed = false;
            for (std::size_t p = 0; p < pairs_.size(); ++p) {
                std::int64_t &one = distances[pairs_.one(p)], &two = distances[pairs_.two(p)];
                const auto shorten = [&](std::int64_t from, std::int64_t& to, double won) {
                    if (won <= 0 && results.ties[p] <= 0) return;
                    const std::int64_t length = from + (won > 0 ? -1 : 1);
                    changed |= length < to;
                    to = std::min(to, length);
                };
                shorten(one, two, results.wins[p]);
                shorten(two, one, results.losses[p]);
            }
            if (!changed) return false;
        }
        return true;
    }

    const MetPairs& pairs_;
    PairsOfSystems around_;
};

// The largest group of systems that the pairs of a run join.
inline std::vector<char> main_group(const MetPairs& pairs, const PairResults& results) {
    JoinedGroups groups(pairs.systems);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        if (results.met(p)) groups.join(pairs.one(p), pairs.two(p));
    }
    return groups.largest();
}

}  // namespace rankwise
