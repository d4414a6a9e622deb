// TrueSkill: single functions, matches in order, drawn, selected (and which), and all at once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/match_columns.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/state.hpp"
#include "rating/all_matches.hpp"
#include "rating/near_pairs.hpp"
#include "rating/selection.hpp"
#include "rating/trace.hpp"

namespace rankwise {

namespace {

// Three columns: shift (v), lost (w) and kept variance of each t with its margin.
auto truncated(Column<double> t, Column<double> margin, bool is_tie) {
    if (t.shape(0) != margin.shape(0)) throw std::invalid_argument("t and margin differ in length");
    auto rows = new_rows<double>(t.shape(0), 3);
    for (std::size_t i = 0; i < t.shape(0); ++i) {
        const Truncated found =
            is_tie ? tied(t.data()[i], margin.data()[i]) : won(t.data()[i], margin.data()[i]);
        const auto row = span_of(rows).subspan(3 * i, 3);
        row[0] = found.shift, row[1] = found.lost, row[2] = found.kept;
    }
    return rows;
}

std::vector<Skill> skills_of(const Column<double>& means, const Column<double>& variances) {
    if (means.shape(0) != variances.shape(0)) {
        throw std::invalid_argument("means and variances differ in length");
    }
    std::vector<Skill> skills(means.shape(0));
    for (std::size_t s = 0; s < skills.size(); ++s) {
        skills[s] = {means.data()[s], variances.data()[s]};
    }
    return skills;
}

// Means and variances as rows.
auto two_rows(const std::vector<Skill>& skills) {
    auto rows = new_rows<double>(2, skills.size());
    for (std::size_t s = 0; s < skills.size(); ++s) {
        rows.data()[s] = skills[s].mean;
        rows.data()[skills.size() + s] = skills[s].variance;
    }
    return rows;
}

auto rate_pairs(Column<double> means, Column<double> variances, Column<std::int32_t> left,
                Column<std::int32_t> right, Column<std::int8_t> sign, double beta, double epsilon,
                double tau) {
    std::vector<Skill> skills = skills_of(means, variances);
    if (left.shape(0) != right.shape(0) || left.shape(0) != sign.shape(0)) {
        throw std::invalid_argument("left, right and sign differ in length");
    }
    for (std::size_t i = 0; i < left.shape(0); ++i) {
        check_player(left.data()[i], skills.size());
        check_player(right.data()[i], skills.size());
    }
    const MatchRules rules{beta * beta, epsilon, tau * tau};
    {
        nb::gil_scoped_release release;
        for (std::size_t i = 0; i < left.shape(0); ++i) {
            const bool swapped = sign.data()[i] < 0;
            Skill& one = skills[static_cast<std::size_t>((swapped ? right : left).data()[i])];
            Skill& two = skills[static_cast<std::size_t>((swapped ? left : right).data()[i])];
            rate_pair(one, two, sign.data()[i] == 0, rules);
        }
    }
    return two_rows(skills);
}

auto rate_matches(Column<double> means, Column<double> variances, Column<std::int64_t> starts,
                  Column<std::int32_t> players, Column<double> ranks, double beta, double epsilon,
                  double tau) {
    std::vector<Skill> skills = skills_of(means, variances);
    const Matches matches = matches_of(starts, players, ranks, skills.size());
    const MatchRules rules{beta * beta, epsilon, tau * tau};
    {
        nb::gil_scoped_release release;
        for (std::size_t m = 0; m < matches.count(); ++m) matches.rate(skills, m, rules);
    }
    return two_rows(skills);
}

// Systems with their prior, and the rules of matches: what every run needs.
struct Setting {
    Systems systems;
    double beta, epsilon, tau;
    MatchRules rules;

    Setting(std::size_t count, double mean, double variance, double the_beta, double the_epsilon,
            double the_tau)
        : systems{count, {mean, variance}},
          beta(the_beta),
          epsilon(the_epsilon),
          tau(the_tau),
          rules{beta * beta, epsilon, tau * tau} {}
};

// Fresh means and variances (runs, S), filled by work(threads, rows) without the GIL, and how many
// runs did not settle, which it returns.
template <class Work>
nb::tuple rated(std::size_t runs, const Setting& setting, const Work& work) {
    auto means = new_rows<double>(runs, setting.systems.count);
    auto variances = new_rows<double>(runs, setting.systems.count);
    const RatingRows rows{span_of(means), span_of(variances)};
    const std::size_t threads = thread_count();
    std::size_t unsettled = 0;
    {
        nb::gil_scoped_release release;
        unsettled = work(threads, rows);
    }
    return nb::make_tuple(means, variances, unsettled);
}

nb::tuple selected_pairs(Column<std::int32_t> better, Column<std::int32_t> worse,
                         Column<std::uint8_t> is_tie, Counts counts, const Setting& setting,
                         std::size_t matches, Column<std::uint64_t> state, std::size_t first_run,
                         std::size_t runs) {
    const OutcomeKinds kinds = KindColumns{better, worse, is_tie}.checked(setting.systems.count);
    const CountRows given = checked_counts(counts, kinds, runs);
    const Pcg64 stream = generator(state);
    return rated(runs, setting, [&](std::size_t threads, const RatingRows& rows) {
        rate_selected_pairs(kinds, given, setting.systems, setting.rules, matches,
                            {stream, first_run, runs, threads}, rows);
        return 0;
    });
}

nb::tuple selected_matches(Column<std::int64_t> starts, Column<std::int32_t> players,
                           Column<double> ranks, Column<std::int64_t> groups,
                           const Setting& setting, std::size_t count, bool resample,
                           Column<std::uint64_t> state, std::size_t first_run, std::size_t runs) {
    const Matches matches =
        grouped(matches_of(starts, players, ranks, setting.systems.count), groups);
    const std::size_t ways = matches.size(0);
    for (std::size_t m = 0; m < matches.count(); ++m) {
        if (matches.size(m) != ways) throw std::invalid_argument("matches differ in size");
    }
    const Pcg64 stream = generator(state);
    return rated(runs, setting, [&](std::size_t threads, const RatingRows& rows) {
        rate_selected(matches, setting.systems, setting.rules, ways, count, resample,
                      {stream, first_run, runs, threads}, rows);
        return 0;
    });
}

nb::tuple drawn_matches(Column<std::int64_t> starts, Column<std::int32_t> players,
                        Column<double> ranks, Column<std::int64_t> groups, const Setting& setting,
                        std::size_t count, Column<std::uint64_t> state, std::size_t first_run,
                        std::size_t runs) {
    const Matches matches =
        grouped(matches_of(starts, players, ranks, setting.systems.count), groups);
    const Pcg64 stream = generator(state);
    return rated(runs, setting, [&](std::size_t threads, const RatingRows& rows) {
        rate_drawn(matches, setting.systems, setting.rules, count,
                   {stream, first_run, runs, threads}, rows);
        return 0;
    });
}

nb::tuple all_pairs(Column<std::int32_t> better, Column<std::int32_t> worse,
                    Column<std::uint8_t> is_tie, Counts counts, const Setting& setting,
                    double tolerance) {
    const OutcomeKinds kinds = KindColumns{better, worse, is_tie}.checked(setting.systems.count);
    const CountRows given = checked_counts(counts, kinds);
    return rated(given.size(), setting, [&](std::size_t threads, const RatingRows& rows) {
        return rate_all_pairs(kinds, given, setting.systems, setting.rules, tolerance, threads,
                              rows);
    });
}

// Rates what is drawn from a base, near its posterior, which is found once.
class NearRatings {
public:
    NearRatings(Column<std::int32_t> better, Column<std::int32_t> worse,
                Column<std::uint8_t> is_tie, Counts base, const Setting& setting, double tolerance)
        : columns_{better, worse, is_tie},
          base_(base),
          setting_(setting),
          kinds_(columns_.checked(setting.systems.count)),
          posterior_(kinds_, setting.systems) {
        const auto counts = checked_counts(base, kinds_, 1).of_run(0);
        nb::gil_scoped_release release;
        PairPosterior exact(kinds_, counts, setting.systems);
        is_settled_ = settle_many(exact, posterior_, kinds_, counts, setting.systems, setting.rules,
                                  tolerance);
    }

    nb::tuple rate(Counts counts, double tolerance) const {
        const CountRows given = checked_counts(counts, kinds_);
        for (std::size_t cell = 0; cell < counts.size(); ++cell) {
            if (counts.data()[cell] > 0 && base_.data()[cell % kinds_.size()] == 0) {
                throw std::invalid_argument("a run has an outcome that the base lacks");
            }
        }
        return rated(given.size(), setting_, [&](std::size_t threads, const RatingRows& rows) {
            if (!is_settled_) return given.size();
            return rate_near_pairs(kinds_, posterior_, given, setting_.systems, setting_.rules,
                                   tolerance, threads, rows);
        });
    }

private:
    KindColumns columns_;
    Counts base_;
    Setting setting_;
    OutcomeKinds kinds_;
    BasePosterior posterior_;
    bool is_settled_ = false;
};

nb::tuple all_matches(Column<std::int64_t> starts, Column<std::int32_t> players,
                      Column<double> ranks, Column<std::int64_t> groups, const Setting& setting,
                      double tolerance, bool resample, Column<std::uint64_t> state,
                      std::size_t first_run, std::size_t runs) {
    const Matches matches =
        grouped(matches_of(starts, players, ranks, setting.systems.count), groups);
    const Pcg64 stream = generator(state);
    return rated(runs, setting, [&](std::size_t threads, const RatingRows& rows) {
        return rate_all(matches, setting.systems, setting.rules, tolerance, resample,
                        {stream, first_run, runs, threads}, rows);
    });
}

// Pairs (matches, 2), and the means (1, S) that the run ends with.
nb::tuple trace(Column<std::int32_t> better, Column<std::int32_t> worse,
                Column<std::uint8_t> is_tie, Counts counts, std::size_t systems, double mean,
                double variance, double beta, double epsilon, double tau, std::size_t matches,
                Column<std::uint64_t> state, std::size_t run) {
    const OutcomeKinds kinds = KindColumns{better, worse, is_tie}.checked(systems);
    const auto given = checked_counts(counts, kinds, 1).of_run(0);
    if (std::ranges::all_of(given, [](std::int64_t n) { return n == 0; })) {
        throw std::invalid_argument("there is nothing to select from");
    }
    const Systems all{systems, {mean, variance}};
    const MatchRules rules{beta * beta, epsilon, tau * tau};
    const Pcg64 stream = generator(state);
    auto pairs = new_rows<std::int32_t>(matches, 2);
    auto means = new_rows<double>(1, systems);
    {
        nb::gil_scoped_release release;
        const std::vector<Skill> skills = trace_selected_pairs(
            kinds, given, all, rules, stream_of_run(stream, run), span_of(pairs));
        for (std::size_t s = 0; s < systems; ++s) means.data()[s] = skills[s].mean;
    }
    return nb::make_tuple(pairs, means);
}

}  // namespace

void bind_rating(nb::module_& m) {
    m.def("truncated", &truncated, nb::arg("t"), nb::arg("margin"), nb::arg("is_tie"),
          "Shift v, lost w and kept 1 - w of N(t, 1) above the margin, or within it.");
    m.def("rate_pairs", &rate_pairs, nb::arg("means"), nb::arg("variances"), nb::arg("left"),
          nb::arg("right"), nb::arg("sign"), nb::kw_only(), nb::arg("beta"), nb::arg("epsilon"),
          nb::arg("tau"), "Means and variances after two-player matches, one after another.");
    m.def("rate_matches", &rate_matches, nb::arg("means"), nb::arg("variances"), nb::arg("starts"),
          nb::arg("players"), nb::arg("ranks"), nb::kw_only(), nb::arg("beta"), nb::arg("epsilon"),
          nb::arg("tau"), "Means and variances after matches of 2 to 8 players.");
    nb::class_<Setting>(m, "RatingSetting", "Systems, their prior, and the rules of matches.")
        .def(nb::init<std::size_t, double, double, double, double, double>(), nb::arg("systems"),
             nb::arg("mean"), nb::arg("variance"), nb::arg("beta"), nb::arg("epsilon"),
             nb::arg("tau"))
        .def_ro("beta", &Setting::beta)
        .def_ro("epsilon", &Setting::epsilon)
        .def_ro("tau", &Setting::tau);
    // Those below return means and variances (runs, S) and how many runs did not settle.
    m.def("rate_selected_pairs", &selected_pairs, nb::arg("better"), nb::arg("worse"),
          nb::arg("is_tie"), nb::arg("counts"), nb::arg("setting"), nb::kw_only(),
          nb::arg("matches"), nb::arg("state"), nb::arg("first_run"), nb::arg("runs"),
          "Runs of selected pairwise matches.");
    m.def("rate_selected_matches", &selected_matches, nb::arg("starts"), nb::arg("players"),
          nb::arg("ranks"), nb::arg("groups"), nb::arg("setting"), nb::kw_only(),
          nb::arg("matches"), nb::arg("resample"), nb::arg("state"), nb::arg("first_run"),
          nb::arg("runs"), "Runs of selected matches of one size.");
    m.def("rate_drawn_matches", &drawn_matches, nb::arg("starts"), nb::arg("players"),
          nb::arg("ranks"), nb::arg("groups"), nb::arg("setting"), nb::kw_only(),
          nb::arg("matches"), nb::arg("state"), nb::arg("first_run"), nb::arg("runs"),
          "Runs of groups of matches drawn with replacement.");
    m.def("rate_all_pairs", &all_pairs, nb::arg("better"), nb::arg("worse"), nb::arg("is_tie"),
          nb::arg("counts"), nb::arg("setting"), nb::kw_only(), nb::arg("tolerance"),
          "All pairs at once, a run for each row of counts.");
    nb::class_<NearRatings>(m, "NearRatings", "Rates resamples near the posterior of all pairs.")
        .def(nb::init<Column<std::int32_t>, Column<std::int32_t>, Column<std::uint8_t>, Counts,
                      const Setting&, double>(),
             nb::arg("better"), nb::arg("worse"), nb::arg("is_tie"), nb::arg("base"),
             nb::arg("setting"), nb::kw_only(), nb::arg("tolerance"))
        .def("rate", &NearRatings::rate, nb::arg("counts"), nb::kw_only(), nb::arg("tolerance"),
             "A run for each row of counts.");
    m.def("rate_all_matches", &all_matches, nb::arg("starts"), nb::arg("players"), nb::arg("ranks"),
          nb::arg("groups"), nb::arg("setting"), nb::kw_only(), nb::arg("tolerance"),
          nb::arg("resample"), nb::arg("state"), nb::arg("first_run"), nb::arg("runs"),
          "All matches at once.");
    m.def("trace_selected_pairs", &trace, nb::arg("better"), nb::arg("worse"), nb::arg("is_tie"),
          nb::arg("counts"), nb::arg("systems"), nb::kw_only(), nb::arg("mean"),
          nb::arg("variance"), nb::arg("beta"), nb::arg("epsilon"), nb::arg("tau"),
          nb::arg("matches"), nb::arg("state"), nb::arg("run"),
          "The pairs that a run of selected matches consists of.");
}

}  // namespace rankwise
