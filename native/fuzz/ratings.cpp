// TrueSkill and the sampler of Hopkins and May on outcomes and matches, with any priors and rules
// that Python lets through; where these are ordinary, ratings are.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fuzz/entries.hpp"
#include "rating/all_matches.hpp"
#include "rating/hopkins_may.hpp"
#include "rating/near_pairs.hpp"
#include "rating/selection.hpp"
#include "rating/trace.hpp"

namespace rankwise::fuzz {

namespace {

constexpr double kTolerance = 1e-4;

bool is_between(double low, double value, double high) { return low <= value && value <= high; }

// The rules and the prior of a run; ordinary ones, or any that are finite and not negative.
struct Setting {
    Systems systems;
    MatchRules rules;
    bool is_ordinary;
};

Setting setting(Arguments& given, std::size_t systems) {
    if (given.is_so()) {
        const double epsilon = static_cast<double>(given.number(0, 9)) / 10;
        const double tau = given.is_so() ? 0.01 : 0;
        return {{systems, {0, 1}}, {0.25, epsilon, tau * tau}, true};
    }
    const double mean = given.finite(), sigma = given.positive(), beta = given.positive();
    const double epsilon = given.positive(), tau = given.is_so() ? given.positive() : 0;
    return {{systems, {mean, sigma * sigma}}, {beta * beta, epsilon, tau * tau}, false};
}

// Kinds of outcomes with a row of counts for each run.
struct Outcomes {
    explicit Outcomes(Arguments& given, std::size_t most_systems = 9)
        : systems(given.size(2, most_systems)) {
        const std::size_t kinds = given.size(1, 20);
        for (std::size_t k = 0; k < kinds; ++k) {
            const std::size_t one = given.size(0, systems - 1);
            better.push_back(static_cast<std::int32_t>(one));
            worse.push_back(
                static_cast<std::int32_t>((one + given.size(1, systems - 1)) % systems));
        }
        is_tie = given.numbers<std::uint8_t>(kinds, 0, 1);
        runs = given.size(1, 3);
        counts = given.numbers<std::int64_t>(runs * kinds, 0, 3);
        if (given.byte() % 8 == 0) counts[given.size(0, counts.size() - 1)] = 0x3fffffff;
    }
    OutcomeKinds kinds() const { return {better, worse, is_tie}; }
    CountRows rows() const { return {counts, better.size()}; }
    bool plays(std::size_t run, std::size_t system) const {
        bool found = false;
        kinds().each(rows().of_run(run), [&](std::size_t i, std::size_t j, bool, std::int64_t) {
            found = found || i == system || j == system;
        });
        return found;
    }

    std::size_t systems, runs;
    std::vector<std::int32_t> better, worse;
    std::vector<std::uint8_t> is_tie;
    std::vector<std::int64_t> counts;
};

// Matches in groups; now and then a system plays against itself, which no binding forbids.
struct Played {
    Played(Arguments& given, bool of_one_size, std::size_t most_players)
        : systems(given.size(2, 9)) {
        const std::size_t count = given.size(1, 8), size = given.size(2, most_players);
        for (std::size_t m = 0; m < count; ++m) {
            const std::size_t ways = of_one_size ? size : given.size(2, most_players);
            const std::size_t first = given.size(0, systems - 1);
            for (std::size_t i = 0; i < ways; ++i) {
                const std::size_t player = given.byte() % 16 == 0 ? given.byte() : first + i;
                players.push_back(static_cast<std::int32_t>(player % systems));
                ranks.push_back(given.byte() % 16 == 0 ? given.real()
                                                       : static_cast<double>(given.number(1, 4)));
            }
            starts.push_back(static_cast<std::int64_t>(players.size()));
        }
        groups = given.starts(count);
    }
    Matches matches() const { return {starts, players, ranks, groups}; }

    std::size_t systems;
    std::vector<std::int64_t> starts{0}, groups;
    std::vector<std::int32_t> players;
    std::vector<double> ranks;
};

// Rows of means and variances that work(threads, rows) fills: the same by one thread and by three.
struct Rated {
    template <class Work>
    Rated(std::size_t runs, std::size_t systems, const Work& work)
        : means(runs * systems), variances(runs * systems) {
        work(1, RatingRows{means, variances});
        if (runs < 2) return;
        std::vector<double> other_means(means.size()), other_variances(means.size());
        work(3, RatingRows{other_means, other_variances});
        for (std::size_t cell = 0; cell < means.size(); ++cell) {
            require(same(means[cell], other_means[cell]));
            require(same(variances[cell], other_variances[cell]));
        }
    }

    // Ratings of those who play, and nan for the others.
    template <class Plays>
    void check(const Setting& setting, const Plays& plays) const {
        if (!setting.is_ordinary) return;
        const std::size_t systems = setting.systems.count;
        for (std::size_t cell = 0; cell < means.size(); ++cell) {
            const bool is_rated = plays(cell / systems, cell % systems);
            require(std::isfinite(means[cell]) == is_rated);
            require(is_between(0, variances[cell], 1.1) == is_rated);
        }
    }

    static bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

    std::vector<double> means, variances;
};

void check_truncated(Arguments& given) {
    for (int i = 0; i < 8; ++i) {
        const double t = given.real(), margin = std::fabs(given.real());
        const Truncated above = won(t, margin), within = tied(t, margin);
        if (!is_between(-30, t, 30) || !is_between(1e-3, margin, 10)) continue;
        require(is_between(0, above.kept, 1.000001) && is_between(-1e-6, above.lost, 1.000001));
        require(is_between(0, within.kept, 1.000001) && is_between(-1e-6, within.lost, 1.000001));
        require(t + above.shift >= margin - 1e-6);
        require(std::fabs(t + within.shift) <= margin + 1e-6);
    }
}

void check_pairs_in_order(Arguments& given) {
    const Outcomes outcomes(given);
    const Setting rules = setting(given, outcomes.systems);
    std::vector<Skill> skills = rules.systems.skills();
    if (!rules.is_ordinary) skills[0] = {given.real(), given.real()};
    for (std::size_t k = 0; k < outcomes.better.size(); ++k) {
        Skill& one = skills[static_cast<std::size_t>(outcomes.better[k])];
        Skill& two = skills[static_cast<std::size_t>(outcomes.worse[k])];
        const Skill before[] = {one, two};
        rate_pair(one, two, outcomes.is_tie[k] != 0, rules.rules);
        if (!rules.is_ordinary) continue;
        require(is_between(0, one.variance, before[0].variance + rules.rules.tau_squared));
        require(is_between(0, two.variance, before[1].variance + rules.rules.tau_squared));
        if (outcomes.is_tie[k]) continue;
        require(one.mean >= before[0].mean && two.mean <= before[1].mean);
    }
}

void check_matches_in_order(Arguments& given) {
    const Played played(given, false, kMostPlayers);
    const Setting rules = setting(given, played.systems);
    std::vector<Skill> skills = rules.systems.skills();
    if (!rules.is_ordinary) skills[0] = {given.real(), given.real()};
    const Matches matches = played.matches();
    for (std::size_t m = 0; m < matches.count(); ++m) matches.rate(skills, m, rules.rules);
}

// What was traced is what a run of the same stream plays.
void check_selected_pairs(Arguments& given) {
    const Outcomes outcomes(given);
    const Setting rules = setting(given, outcomes.systems);
    const Pcg64 stream = given.generator();
    const std::size_t count = given.size(0, 40);
    const Rated rated(
        outcomes.runs, outcomes.systems, [&](std::size_t threads, const RatingRows& rows) {
            rate_selected_pairs(outcomes.kinds(), outcomes.rows(), rules.systems, rules.rules,
                                count, {stream, 0, outcomes.runs, threads}, rows);
        });
    rated.check(rules, [&](std::size_t run, std::size_t s) { return outcomes.plays(run, s); });
    std::vector<std::int32_t> pairs(2 * count, -1);
    const auto first = outcomes.rows().of_run(0);
    const std::vector<Skill> skills = trace_selected_pairs(
        outcomes.kinds(), first, rules.systems, rules.rules, stream_of_run(stream, 0), pairs);
    bool has_played = false;
    for (std::size_t s = 0; s < outcomes.systems; ++s) {
        if (!outcomes.plays(0, s)) continue;
        has_played = true;
        require(Rated::same(skills[s].mean, rated.means[s]));
    }
    for (const std::int32_t player : pairs) {
        require(has_played == (player >= 0));
        require(player < static_cast<std::int32_t>(outcomes.systems));
    }
}

void check_selected_matches(Arguments& given) {
    const Played played(given, true, kMostPlayers);
    const Setting rules = setting(given, played.systems);
    const Pcg64 stream = given.generator();
    const std::size_t count = given.size(0, 12), runs = given.size(0, 3);
    const bool resample = given.is_so();
    const Matches matches = played.matches();
    const Rated rated(runs, played.systems, [&](std::size_t threads, const RatingRows& rows) {
        rate_selected(matches, rules.systems, rules.rules, matches.size(0), count, resample,
                      {stream, 5, runs, threads}, rows);
    });
}

void check_drawn_matches(Arguments& given) {
    const Played played(given, false, kMostPlayers);
    const Setting rules = setting(given, played.systems);
    const Pcg64 stream = given.generator();
    const std::size_t count = given.size(0, 20), runs = given.size(0, 3);
    const Rated rated(runs, played.systems, [&](std::size_t threads, const RatingRows& rows) {
        rate_drawn(played.matches(), rules.systems, rules.rules, count, {stream, 5, runs, threads},
                   rows);
    });
}

// All at once, and runs near the posterior of all: means of the base itself differ by little.
void check_all_pairs(Arguments& given) {
    const Outcomes outcomes(given, given.byte() % 64 == 0 ? 140 : 9);
    const Setting rules = setting(given, outcomes.systems);
    const auto rate = [&](std::size_t threads, const RatingRows& rows) {
        return rate_all_pairs(outcomes.kinds(), outcomes.rows(), rules.systems, rules.rules,
                              kTolerance, threads, rows);
    };
    const Rated rated(outcomes.runs, outcomes.systems, rate);
    rated.check(rules, [&](std::size_t run, std::size_t s) { return outcomes.plays(run, s); });
}

void check_near_pairs(Arguments& given) {
    const Outcomes outcomes(given);
    const Setting rules = setting(given, outcomes.systems);
    std::vector<std::int64_t> base(outcomes.better.size(), 1);
    BasePosterior posterior(outcomes.kinds(), rules.systems);
    PairPosterior exact(outcomes.kinds(), base, rules.systems);
    if (!settle_many(exact, posterior, outcomes.kinds(), base, rules.systems, rules.rules,
                     kTolerance)) {
        return;
    }
    const Rated rated(outcomes.runs, outcomes.systems,
                      [&](std::size_t threads, const RatingRows& rows) {
                          rate_near_pairs(outcomes.kinds(), posterior, outcomes.rows(),
                                          rules.systems, rules.rules, kTolerance, threads, rows);
                      });
    rated.check(rules, [&](std::size_t run, std::size_t s) { return outcomes.plays(run, s); });
}

void check_all_matches(Arguments& given) {
    const Played played(given, false, kMostPlayers);
    const Setting rules = setting(given, played.systems);
    const Pcg64 stream = given.generator();
    const std::size_t runs = given.size(0, 2);
    const bool resample = given.is_so();
    const Rated rated(runs, played.systems, [&](std::size_t threads, const RatingRows& rows) {
        rate_all(played.matches(), rules.systems, rules.rules, kTolerance, resample,
                 {stream, 0, runs, threads}, rows);
    });
}

QualityModel quality_model(Arguments& given) {
    const std::size_t burn_in = given.size(0, 3), iterations = burn_in + given.size(2, 5);
    if (given.is_so()) return {0.5, 0.2, iterations, burn_in};
    return {given.positive(), given.positive(), iterations, burn_in};
}

void check_hopkins_may(Arguments& given) {
    const Outcomes outcomes(given);
    const QualityModel model = quality_model(given);
    const bool is_ordinary = model.deviation == 0.5;
    const Pcg64 stream = given.generator();
    const Systems systems{outcomes.systems, {}};
    const Rated rated(outcomes.runs, outcomes.systems,
                      [&](std::size_t threads, const RatingRows& rows) {
                          sample_counts(outcomes.kinds(), outcomes.rows(), systems, model,
                                        {stream, 0, outcomes.runs, threads}, rows);
                      });
    for (std::size_t cell = 0; is_ordinary && cell < rated.means.size(); ++cell) {
        const bool plays = outcomes.plays(cell / outcomes.systems, cell % outcomes.systems);
        require(std::isfinite(rated.means[cell]) == plays);
        require((rated.variances[cell] >= 0) == plays);
    }
}

void check_segments(Arguments& given) {
    const Played played(given, false, 12);
    const QualityModel model = quality_model(given);
    const Pcg64 stream = given.generator();
    const std::size_t runs = given.size(0, 2);
    const bool resample = given.is_so();
    const Systems systems{played.systems, {}};
    const Rated rated(runs, played.systems, [&](std::size_t threads, const RatingRows& rows) {
        sample_segments(played.matches(), systems, model, resample, {stream, 0, runs, threads},
                        rows.means);
    });
}

constexpr Check kChecks[] = {
    {"truncated", check_truncated},
    {"rate_pairs", check_pairs_in_order},
    {"rate_matches", check_matches_in_order},
    {"rate_selected_pairs trace_selected_pairs RatingSetting", check_selected_pairs},
    {"rate_selected_matches", check_selected_matches},
    {"rate_drawn_matches", check_drawn_matches},
    {"rate_all_pairs", check_all_pairs},
    {"NearRatings", check_near_pairs},
    {"rate_all_matches", check_all_matches},
    {"hopkins_may", check_hopkins_may},
    {"hopkins_may_segments", check_segments},
};

}  // namespace

std::span<const Check> checks() { return kChecks; }

}  // namespace rankwise::fuzz
