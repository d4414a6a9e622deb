// Many matches one after another: all in order, or drawn with replacement, each run with a stream
// of random numbers of its own, so that runs may be spread over threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rating/trueskill.hpp"
#include "sampling/random.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// Match m owns players[starts[m] .. starts[m + 1]) and as many ranks; group g, a screen, owns the
// matches groups[g] .. groups[g + 1].
struct Matches {
    const std::int64_t* starts;
    const std::int32_t* players;
    const double* ranks;
    std::size_t count;
    const std::int64_t* groups;
    std::size_t group_count;

    std::size_t size(std::size_t m) const {
        return static_cast<std::size_t>(starts[m + 1] - starts[m]);
    }

    void rate(Skill* skills, std::size_t m, const MatchRules& rules) const {
        rate_match(skills, players + starts[m], ranks + starts[m], size(m), rules);
    }

    // How often each match occurs when as many groups as there are are drawn with replacement.
    std::vector<std::uint32_t> drawn_weights(Pcg64& random) const {
        std::vector<std::uint32_t> weights(count, 0);
        for (std::size_t i = 0; i < group_count; ++i) {
            const std::uint32_t g = random.below(static_cast<std::uint32_t>(group_count));
            for (auto m = groups[g]; m < groups[g + 1]; ++m) ++weights[static_cast<std::size_t>(m)];
        }
        return weights;
    }
};

// Run r draws from the stream that numpy's PCG64.jumped(r + 1) gives: steps of the golden section
// of the period keep runs apart and unlike (steps of a power of two would leave low bits the same).
// The stream itself is left to whoever resampled what the runs are given.
inline Pcg64 stream_of_run(const Pcg64& stream, std::size_t run) {
    constexpr auto golden = Pcg64::Wide{0x9e3779b97f4a7c15u} << 64 | 0xf39cc0605cedc835u;
    return stream.advanced(Pcg64::Wide{run + 1} * golden);
}

// Systems and how each of their runs begins and ends.
struct Systems {
    std::size_t count;
    Skill prior;

    std::vector<Skill> skills() const { return std::vector<Skill>(count, prior); }

    // Ratings of a run into rows of means and variances; nan where a system did not play.
    void write(const std::vector<Skill>& skills, const std::vector<char>& plays, std::size_t run,
               double* means, double* variances) const {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (std::size_t s = 0; s < count; ++s) {
            means[run * count + s] = plays[s] ? skills[s].mean : nan;
            variances[run * count + s] = plays[s] ? skills[s].variance : nan;
        }
    }
};

// Each run rates whole groups drawn with replacement, in the order drawn, until `limit` matches.
// The first run is number `first_run` of all.
inline void rate_drawn(const Matches& matches, const Systems& systems, const MatchRules& rules,
                       std::size_t limit, const Pcg64& stream, std::size_t first_run,
                       std::size_t runs, std::size_t threads, double* means, double* variances) {
    parallel_chunks(threads, runs, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t run = begin; run < end; ++run) {
            Pcg64 random = stream_of_run(stream, first_run + run);
            std::vector<Skill> skills = systems.skills();
            std::vector<char> plays(systems.count, 0);
            for (std::size_t done = 0; done < limit;) {
                const auto g = random.below(static_cast<std::uint32_t>(matches.group_count));
                const auto stop = static_cast<std::size_t>(matches.groups[g + 1]);
                for (auto m = static_cast<std::size_t>(matches.groups[g]); m < stop && done < limit;
                     ++m, ++done) {
                    matches.rate(skills.data(), m, rules);
                    for (auto p = matches.starts[m]; p < matches.starts[m + 1]; ++p) {
                        plays[static_cast<std::size_t>(matches.players[p])] = 1;
                    }
                }
            }
            systems.write(skills, plays, run, means, variances);
        }
    });
}

}  // namespace rankwise
