// Pairs of systems that met, and how often each of the two won or they tied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rankwise {

// Pair p is of left[p] and right[p]; every pair occurs once.
struct MetPairs {
    std::size_t systems;
    std::span<const std::int32_t> left, right;

    std::size_t size() const { return left.size(); }
    std::size_t one(std::size_t p) const { return static_cast<std::size_t>(left[p]); }
    std::size_t two(std::size_t p) const { return static_cast<std::size_t>(right[p]); }
};

// What came of the pairs: how often the left one won, the right one did, and they were tied.
struct PairResults {
    std::span<const double> wins, losses, ties;

    bool left_holds(std::size_t p) const { return wins[p] > 0 || ties[p] > 0; }
    bool right_holds(std::size_t p) const { return losses[p] > 0 || ties[p] > 0; }
    bool met(std::size_t p) const { return left_holds(p) || losses[p] > 0; }
    double games(std::size_t p) const { return wins[p] + losses[p] + ties[p]; }
};

// Results of many runs, a row each.
struct PairRows {
    std::span<const double> wins, losses, ties;
    std::size_t columns;

    PairResults of_run(std::size_t run) const {
        const auto row = [&](std::span<const double> all) {
            return all.subspan(run * columns, columns);
        };
        return {row(wins), row(losses), row(ties)};
    }
};

}  // namespace rankwise
