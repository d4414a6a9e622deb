// Matches and counts of outcomes as Python hands them over, checked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "bindings/convert/rows.hpp"
#include "rating/matches.hpp"
#include "rating/outcome_kinds.hpp"

namespace rankwise {

inline void check_player(std::int32_t player, std::size_t systems) {
    if (player < 0 || static_cast<std::size_t>(player) >= systems) {
        throw std::invalid_argument("a player is no system");
    }
}

inline void check_starts(const Column<std::int64_t>& starts, std::size_t size, const char* what) {
    const std::int64_t *begin = starts.data(), *end = begin + starts.shape(0);
    if (begin == end || *begin != 0 || end[-1] != static_cast<std::int64_t>(size) ||
        !std::is_sorted(begin, end)) {
        throw std::invalid_argument(std::string("the starts of ") + what + " do not cover them");
    }
}

inline Matches matches_of(const Column<std::int64_t>& starts, const Column<std::int32_t>& players,
                          const Column<double>& ranks, std::size_t systems,
                          std::size_t most = kMostPlayers) {
    check_starts(starts, players.shape(0), "matches");
    if (players.shape(0) != ranks.shape(0)) throw std::invalid_argument("players and ranks differ");
    const std::size_t count = starts.shape(0) - 1;
    for (std::size_t m = 0; m < count; ++m) {
        const std::int64_t size = starts.data()[m + 1] - starts.data()[m];
        if (size < 2 || size > static_cast<std::int64_t>(most)) {
            throw std::invalid_argument("a match has too few or too many players");
        }
    }
    std::for_each(players.data(), players.data() + players.shape(0),
                  [&](std::int32_t player) { check_player(player, systems); });
    return {span_of(starts), span_of(players), span_of(ranks), {}};
}

using Counts = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Kinds of outcomes: two columns of systems, and whether each is a tie.
struct KindColumns {
    Column<std::int32_t> better, worse;
    Column<std::uint8_t> is_tie;

    OutcomeKinds checked(std::size_t systems) const {
        const std::size_t size = better.shape(0);
        if (size == 0 || worse.shape(0) != size || is_tie.shape(0) != size) {
            throw std::invalid_argument("the columns of outcomes differ in length, or are empty");
        }
        for (std::size_t k = 0; k < size; ++k) {
            check_player(better.data()[k], systems);
            check_player(worse.data()[k], systems);
            if (better.data()[k] == worse.data()[k]) {
                throw std::invalid_argument("an outcome is of a system with itself");
            }
        }
        return {span_of(better), span_of(worse), span_of(is_tie)};
    }
};

inline CountRows checked_counts(const Counts& counts, const OutcomeKinds& kinds) {
    if (counts.shape(0) == 0 || counts.shape(1) != kinds.size()) {
        throw std::invalid_argument("a row of counts has a column for every kind of outcome");
    }
    if (std::any_of(counts.data(), counts.data() + counts.size(),
                    [](std::int64_t count) { return count < 0 || count > 0x3fffffff; })) {
        throw std::invalid_argument("a count is negative or too large");
    }
    return {span_of(counts), counts.shape(1)};
}

inline CountRows checked_counts(const Counts& counts, const OutcomeKinds& kinds, std::size_t runs) {
    const CountRows rows = checked_counts(counts, kinds);
    if (rows.size() != 1 && rows.size() != runs) {
        throw std::invalid_argument("expected a row of counts, or one for each run");
    }
    return rows;
}

// Matches in groups that are drawn together.
inline Matches grouped(Matches matches, const Column<std::int64_t>& groups) {
    check_starts(groups, matches.count(), "groups");
    if (matches.count() == 0 || groups.shape(0) > 0xffffffffu) {
        throw std::invalid_argument("expected 1 to 2**32 - 1 groups of matches");
    }
    matches.groups = span_of(groups);
    return matches;
}

}  // namespace rankwise
