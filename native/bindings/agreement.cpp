// Agreement of two tables of scores: counts of pairs, tie calibration, exchanged metrics.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "agreement/calibration.hpp"
#include "agreement/exchange.hpp"
#include "agreement/pair_counts.hpp"
#include "agreement/soft_accuracy.hpp"
#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "threads/pool.hpp"

namespace rankwise {

namespace {

using Coins = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Groups checked_groups(const Column<double>& gold, const Column<double>& metric,
                      const Column<std::int64_t>& starts) {
    const Groups groups{span_of(starts)};
    if (metric.shape(0) != gold.shape(0)) throw std::invalid_argument("expected as many scores");
    if (groups.starts.empty() || groups.starts.front() != 0 || groups.cells() != gold.shape(0) ||
        !std::ranges::is_sorted(groups.starts)) {
        throw std::invalid_argument("the starts of groups must rise from 0 to the number of cells");
    }
    return groups;
}

WeightedGroups weighted(const Column<double>& gold, const Groups& groups,
                        const Column<std::int64_t>& weights) {
    if (weights.shape(0) != groups.count()) {
        throw std::invalid_argument("expected one weight per group");
    }
    return {span_of(gold), groups, span_of(weights)};
}

auto pair_counts(Column<double> gold, Column<double> metric, Column<std::int64_t> starts) {
    const Groups groups = checked_groups(gold, metric, starts);
    auto rows = new_rows<std::int64_t>(groups.count(), PairCounts::kColumns);
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    grouped_pair_counts(span_of(gold), span_of(metric), groups, threads, span_of(rows));
    return rows;
}

auto pair_counts_by(Column<double> gold, Column<double> metric, Column<std::int64_t> starts,
                    double least, bool strict, double epsilon) {
    const Groups groups = checked_groups(gold, metric, starts);
    auto rows = new_rows<std::int64_t>(groups.count(), PairCounts::kColumns);
    const PairRule rule{least, epsilon, strict};
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    ruled_pair_counts(span_of(gold), span_of(metric), groups, rule, threads, span_of(rows));
    return rows;
}

auto tie_calibration(Column<double> gold, Column<double> metric, Column<std::int64_t> starts,
                     Column<std::int64_t> weights, std::size_t most) {
    const WeightedGroups cells = weighted(gold, checked_groups(gold, metric, starts), weights);
    Calibrated found{};
    {
        nb::gil_scoped_release release;
        found = calibrate(cells, span_of(metric), most);
    }
    return std::tuple(found.at_zero, found.best, found.epsilon);
}

auto exchanged_calibration(Column<double> gold, Column<double> first, Column<double> second,
                           Column<std::int64_t> starts, Column<std::int64_t> weights, Coins coins) {
    checked_groups(gold, first, starts);
    const WeightedGroups cells = weighted(gold, checked_groups(gold, second, starts), weights);
    if (coins.shape(1) != gold.shape(0) ||
        gold.shape(0) > std::numeric_limits<std::uint32_t>::max()) {
        throw std::invalid_argument("expected a coin per cell");
    }
    auto rows = new_rows<std::int64_t>(coins.shape(0), 2);
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    Recalibration(cells, span_of(first), span_of(second))
        .run(span_of(coins), threads, span_of(rows));
    return rows;
}

Agreement agreement_named(const std::string& name) {
    if (name == "pearson") return Agreement::pearson;
    if (name == "tau-b") return Agreement::tau_b;
    if (name == "accuracy") return Agreement::accuracy;
    throw std::invalid_argument("expected pearson, tau-b or accuracy");
}

auto exchanged(const std::string& kind, Column<double> gold, Column<double> first,
               Column<double> second, Column<std::int64_t> starts, Coins coins) {
    checked_groups(gold, first, starts);
    const Groups groups = checked_groups(gold, second, starts);
    if (coins.shape(1) != gold.shape(0)) throw std::invalid_argument("expected a coin per cell");
    const Agreement agreement = agreement_named(kind);
    auto rows = new_rows<double>(coins.shape(0), 2);
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    exchanged_agreement(agreement, span_of(gold), span_of(first), span_of(second), groups,
                        span_of(coins), threads, span_of(rows));
    return rows;
}

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

auto exchanged_soft(Column<double> gold, Table first, Table second, Coins coins) {
    const std::size_t systems = first.shape(0), segments = first.shape(1);
    if (second.shape(0) != systems || second.shape(1) != segments ||
        coins.shape(1) != systems * segments || gold.shape(0) != systems * (systems - 1) / 2) {
        throw std::invalid_argument("expected tables, coins and pairs of the same systems");
    }
    auto rows = new_rows<double>(coins.shape(0), 2);
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    const ExchangedTables tables{span_of(first), span_of(second), systems, segments};
    exchanged_soft_accuracy(span_of(gold), tables, span_of(coins), threads, span_of(rows));
    return rows;
}

using Excess = nb::ndarray<const std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

auto lifted(Excess excess, std::int64_t rounding) {
    const std::size_t tables = excess.shape(1), systems = excess.shape(2);
    if (systems == 0) throw std::invalid_argument("expected at least one system");
    auto rows = new_rows<std::int64_t>(tables * (systems * (systems - 1) / 2), 2);
    nb::gil_scoped_release release;
    lifted_counts(span_of(excess), tables, systems, rounding, span_of(rows));
    return rows;
}

}  // namespace

void bind_agreement(nb::module_& m) {
    m.def("pair_counts", &pair_counts, nb::arg("gold"), nb::arg("metric"), nb::arg("starts"),
          "Cells, C, D, ties in gold, metric and both, distinct scores of gold and metric.");
    m.def("pair_counts_by", &pair_counts_by, nb::arg("gold"), nb::arg("metric"), nb::arg("starts"),
          nb::arg("least"), nb::arg("strict"), nb::arg("epsilon"),
          "The same over the pairs that a threshold keeps, with metric ties up to epsilon.");
    m.def("tie_calibration", &tie_calibration, nb::arg("gold"), nb::arg("metric"),
          nb::arg("starts"), nb::arg("weights"), nb::arg("most") = kListedSteps,
          "Worth at 0, best worth, and its epsilon; at most so many pairs are held.");
    m.def("exchanged_calibration", &exchanged_calibration, nb::arg("gold"), nb::arg("first"),
          nb::arg("second"), nb::arg("starts"), nb::arg("weights"), nb::arg("coins"),
          "Best worth of both mixtures of two metrics in every draw.");
    m.def("exchanged", &exchanged, nb::arg("kind"), nb::arg("gold"), nb::arg("first"),
          nb::arg("second"), nb::arg("starts"), nb::arg("coins"),
          "Mean agreement of both mixtures of two metrics in every draw.");
    m.def("exchanged_soft_accuracy", &exchanged_soft, nb::arg("gold"), nb::arg("first"),
          nb::arg("second"), nb::arg("coins"),
          "Soft pairwise accuracy of both mixtures of two metrics in every draw.");
    m.def("lifted_counts", &lifted, nb::arg("excess"), nb::arg("rounding"),
          "Draws in which random signs lift a system above another, and not below it.");
}

}  // namespace rankwise
