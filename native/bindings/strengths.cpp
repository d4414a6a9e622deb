// Bradley and Terry's strengths, and whether comparisons let them have an estimate.
#include "rating/strengths.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/match_columns.hpp"
#include "bindings/convert/rows.hpp"
#include "rating/connected.hpp"

namespace rankwise {

namespace {

using Results = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

MetPairs checked_pairs(const Column<std::int32_t>& left, const Column<std::int32_t>& right,
                       std::size_t systems) {
    if (left.shape(0) != right.shape(0)) throw std::invalid_argument("left and right differ");
    for (std::size_t p = 0; p < left.shape(0); ++p) {
        check_player(left.data()[p], systems);
        check_player(right.data()[p], systems);
        if (left.data()[p] == right.data()[p]) {
            throw std::invalid_argument("a pair is of a system with itself");
        }
    }
    return {systems, span_of(left), span_of(right)};
}

PairRows checked_rows(const Results& wins, const Results& losses, const Results& ties,
                      const MetPairs& pairs) {
    for (const Results* results : {&wins, &losses, &ties}) {
        if (results->shape(0) != wins.shape(0) || results->shape(1) != pairs.size()) {
            throw std::invalid_argument("results have a row per run and a column per pair");
        }
        if (std::any_of(results->data(), results->data() + results->size(),
                        [](double times) { return !(times >= 0 && times < 1e300); })) {
            throw std::invalid_argument("a result is negative or no number");
        }
    }
    return {span_of(wins), span_of(losses), span_of(ties), pairs.size()};
}

// Whether each run's results let strengths have a finite estimate.
auto finite_estimates(Column<std::int32_t> left, Column<std::int32_t> right, std::size_t systems,
                      Results wins, Results losses, Results ties) {
    const MetPairs pairs = checked_pairs(left, right, systems);
    const PairRows rows = checked_rows(wins, losses, ties, pairs);
    const std::size_t runs = wins.shape(0), threads = thread_count();
    auto found = new_rows<std::uint8_t>(1, runs);
    const auto flags = span_of(found);
    {
        nb::gil_scoped_release release;
        const FiniteEstimates estimates(pairs);
        parallel_chunks(threads, runs, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t run = begin; run < end; ++run) {
                flags[run] = estimates.exists(rows.of_run(run));
            }
        });
    }
    return found;
}

// Whether systems are in the largest group that each run's results join.
auto main_groups(Column<std::int32_t> left, Column<std::int32_t> right, std::size_t systems,
                 Results wins, Results losses, Results ties) {
    const MetPairs pairs = checked_pairs(left, right, systems);
    const PairRows rows = checked_rows(wins, losses, ties, pairs);
    auto found = new_rows<std::uint8_t>(wins.shape(0), systems);
    const auto flags = span_of(found);
    {
        nb::gil_scoped_release release;
        for (std::size_t run = 0; run < wins.shape(0); ++run) {
            std::ranges::copy(main_group(pairs, rows.of_run(run)),
                              flags.subspan(run * systems, systems).begin());
        }
    }
    return found;
}

// The first system of each system's group.
auto joined_groups(Column<std::int32_t> left, Column<std::int32_t> right, std::size_t systems) {
    const MetPairs pairs = checked_pairs(left, right, systems);
    std::vector<std::int32_t> firsts(systems);
    {
        nb::gil_scoped_release release;
        JoinedGroups groups(systems);
        for (std::size_t p = 0; p < pairs.size(); ++p) groups.join(pairs.one(p), pairs.two(p));
        for (std::size_t s = 0; s < systems; ++s) {
            firsts[s] = static_cast<std::int32_t>(groups.first_of(s));
        }
    }
    return new_column(firsts);
}

TieModel tie_model(const std::string& name) {
    if (name == "davidson") return TieModel::davidson;
    if (name == "rao-kupper") return TieModel::rao_kupper;
    throw std::invalid_argument("unknown model of ties " + name);
}

nb::tuple strengths(Column<std::int32_t> left, Column<std::int32_t> right, std::size_t systems,
                    Results wins, Results losses, Results ties, const std::string& model,
                    Column<double> start) {
    const MetPairs pairs = checked_pairs(left, right, systems);
    const PairRows rows = checked_rows(wins, losses, ties, pairs);
    const TieModel of_ties = tie_model(model);
    if (start.size() != 0 && start.size() != systems + 1) {
        throw std::invalid_argument("a start has a strength per system and one number more");
    }
    const std::size_t runs = wins.shape(0), threads = thread_count();
    auto points = new_rows<double>(runs, systems + 1);
    std::size_t missed = 0;
    {
        nb::gil_scoped_release release;
        missed =
            find_strengths(pairs, rows, runs, of_ties, span_of(start), threads, span_of(points));
    }
    return nb::make_tuple(points, missed);
}

}  // namespace

void bind_strengths(nb::module_& m) {
    m.def("joined_groups", &joined_groups, nb::arg("left"), nb::arg("right"), nb::arg("systems"),
          "The first system of the group that pairs join each system to.");
    m.def("finite_estimates", &finite_estimates, nb::arg("left"), nb::arg("right"),
          nb::arg("systems"), nb::arg("wins"), nb::arg("losses"), nb::arg("ties"),
          "Whether strengths have a finite estimate in each run (1, runs).");
    m.def("main_groups", &main_groups, nb::arg("left"), nb::arg("right"), nb::arg("systems"),
          nb::arg("wins"), nb::arg("losses"), nb::arg("ties"),
          "Whether systems are in the largest group that met in each run (runs, S).");
    m.def("most_likely_strengths", &strengths, nb::arg("left"), nb::arg("right"),
          nb::arg("systems"), nb::arg("wins"), nb::arg("losses"), nb::arg("ties"), nb::arg("model"),
          nb::arg("start"),
          "Points (runs, S + 1) of highest likelihood, and how many were missed.");
}

}  // namespace rankwise
