// Many matches one after another: all in order, or drawn with replacement, each run with a stream
// of random numbers of its own, so that runs may be spread over threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "rating/trueskill.hpp"
#include "sampling/random.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// Match m owns players[starts[m] .. starts[m + 1]) and as many ranks; group g, a screen, owns the
// matches groups[g] .. groups[g + 1].
struct Matches {
    std::span<const std::int64_t> starts;
    std::span<const std::int32_t> players;
    std::span<const double> ranks;
    std::span<const std::int64_t> groups;

    std::size_t count() const { return starts.size() - 1; }
    std::size_t group_count() const { return groups.size() - 1; }

    std::size_t begin(std::size_t m) const { return static_cast<std::size_t>(starts[m]); }
    std::size_t size(std::size_t m) const { return begin(m + 1) - begin(m); }

    std::span<const std::int32_t> players_of(std::size_t m) const {
        return players.subspan(begin(m), size(m));
    }
    std::span<const double> ranks_of(std::size_t m) const {
        return ranks.subspan(begin(m), size(m));
    }

    void rate(std::span<Skill> skills, std::size_t m, const MatchRules& rules) const {
        rate_match(skills, players_of(m), ranks_of(m), rules);
    }

    void mark_players(std::size_t m, std::vector<char>& plays) const {
        for (const std::int32_t player : players_of(m)) plays[static_cast<std::size_t>(player)] = 1;
    }

    // How often each match occurs when as many groups as there are are drawn with replacement.
    std::vector<std::uint32_t> drawn_weights(Pcg64& random) const {
        std::vector<std::uint32_t> weights(count(), 0);
        for (std::size_t i = 0; i < group_count(); ++i) {
            const std::uint32_t g = random.below(static_cast<std::uint32_t>(group_count()));
            for (auto m = groups[g]; m < groups[g + 1]; ++m) ++weights[static_cast<std::size_t>(m)];
        }
        return weights;
    }
};

// Run r draws from the stream that numpy's PCG64.jumped(r + 1) gives: steps of the golden section
// of the period keep runs apart and unlike (steps of a power of two would leave low bits the same).
// The stream itself is left to whoever resampled what the runs are given.
inline Pcg64 stream_of_run(const Pcg64& stream, std::size_t run) {
    constexpr auto kGolden = Pcg64::Wide{0x9e3779b97f4a7c15u} << 64 | 0xf39cc0605cedc835u;
    return stream.advanced(Pcg64::Wide{run + 1} * kGolden);
}

// Runs `first`, `first + 1`, ... of those that a stream gives.
struct Runs {
    Pcg64 stream;
    std::size_t first, count, threads;

    // Calls body(run, random) for run = 0 .. count - 1, on several threads.
    template <class Body>
    void each(const Body& body) const {
        parallel_chunks(threads, count, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t run = begin; run < end; ++run) {
                body(run, stream_of_run(stream, first + run));
            }
        });
    }
};

// Means and variances, a row of all systems for every run.
struct RatingRows {
    std::span<double> means, variances;

    // The ratings of a run; nan where a system did not play.
    void write(std::size_t run, std::span<const Skill> skills, std::span<const char> plays) const {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (std::size_t s = 0, cell = run * skills.size(); s < skills.size(); ++s, ++cell) {
            means[cell] = plays[s] ? skills[s].mean : nan;
            variances[cell] = plays[s] ? skills[s].variance : nan;
        }
    }
};

// Systems and how each of their runs begins.
struct Systems {
    std::size_t count;
    Skill prior;

    std::vector<Skill> skills() const { return std::vector<Skill>(count, prior); }
};

// Counts of kinds of outcomes (see OutcomeKinds): a row for all runs, or one for each.
struct CountRows {
    std::span<const std::int64_t> counts;
    std::size_t columns;

    std::size_t size() const { return counts.size() / columns; }
    std::span<const std::int64_t> of_run(std::size_t run) const {
        return counts.subspan(size() > 1 ? run * columns : 0, columns);
    }
};

// Each run rates whole groups drawn with replacement, in the order drawn, until `limit` matches.
inline void rate_drawn(const Matches& matches, const Systems& systems, const MatchRules& rules,
                       std::size_t limit, const Runs& runs, const RatingRows& rows) {
    runs.each([&](std::size_t run, Pcg64 random) {
        std::vector<Skill> skills = systems.skills();
        std::vector<char> plays(systems.count, 0);
        for (std::size_t done = 0; done < limit;) {
            const auto g = random.below(static_cast<std::uint32_t>(matches.group_count()));
            const auto stop = static_cast<std::size_t>(matches.groups[g + 1]);
            for (auto m = static_cast<std::size_t>(matches.groups[g]); m < stop && done < limit;
                 ++m, ++done) {
                matches.rate(skills, m, rules);
                matches.mark_players(m, plays);
            }
        }
        rows.write(run, skills, plays);
    });
}

}  // namespace rankwise
