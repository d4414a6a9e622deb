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

void check_cells(const Column<double>& gold, const Column<double>& metric,
                 const Column<std::int64_t>& starts) {
    const auto cells = static_cast<std::int64_t>(gold.shape(0));
    const std::int64_t *begin = starts.data(), *end = begin + starts.shape(0);
    if (metric.shape(0) != gold.shape(0)) throw std::invalid_argument("expected as many scores");
    if (begin == end || *begin != 0 || end[-1] != cells || !std::is_sorted(begin, end)) {
        throw std::invalid_argument("the starts of groups must rise from 0 to the number of cells");
    }
}

WeightedGroups weighted(const Column<double>& gold, const Column<std::int64_t>& starts,
                        const Column<std::int64_t>& weights) {
    if (weights.shape(0) + 1 != starts.shape(0)) {
        throw std::invalid_argument("expected one weight per group");
    }
    return {gold.data(), starts.data(), weights.data(), weights.shape(0)};
}

auto pair_counts(Column<double> gold, Column<double> metric, Column<std::int64_t> starts) {
    check_cells(gold, metric, starts);
    const std::size_t groups = starts.shape(0) - 1, threads = thread_count();
    auto rows = new_rows<std::int64_t>(groups, PairCounts::columns);
    std::int64_t* out = rows.data();
    nb::gil_scoped_release release;
    grouped_pair_counts(gold.data(), metric.data(), starts.data(), groups, threads, out);
    return rows;
}

auto pair_counts_by(Column<double> gold, Column<double> metric, Column<std::int64_t> starts,
                    double least, bool strict, double epsilon) {
    check_cells(gold, metric, starts);
    const std::size_t groups = starts.shape(0) - 1, threads = thread_count();
    auto rows = new_rows<std::int64_t>(groups, PairCounts::columns);
    std::int64_t* out = rows.data();
    const PairRule rule{least, epsilon, strict};
    nb::gil_scoped_release release;
    ruled_pair_counts(gold.data(), metric.data(), starts.data(), groups, rule, threads, out);
    return rows;
}

auto tie_calibration(Column<double> gold, Column<double> metric, Column<std::int64_t> starts,
                     Column<std::int64_t> weights) {
    check_cells(gold, metric, starts);
    const WeightedGroups cells = weighted(gold, starts, weights);
    Calibrated found{};
    {
        nb::gil_scoped_release release;
        found = calibrate(cells, metric.data());
    }
    return std::tuple(found.at_zero, found.best, found.epsilon);
}

auto exchanged_calibration(Column<double> gold, Column<double> first, Column<double> second,
                           Column<std::int64_t> starts, Column<std::int64_t> weights, Coins coins) {
    check_cells(gold, first, starts);
    check_cells(gold, second, starts);
    const WeightedGroups cells = weighted(gold, starts, weights);
    if (coins.shape(1) != gold.shape(0) ||
        gold.shape(0) > std::numeric_limits<std::uint32_t>::max()) {
        throw std::invalid_argument("expected a coin per cell");
    }
    auto rows = new_rows<std::int64_t>(coins.shape(0), 2);
    std::int64_t* out = rows.data();
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    Recalibration(cells, first.data(), second.data())
        .run(coins.data(), coins.shape(0), threads, out);
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
    check_cells(gold, first, starts);
    check_cells(gold, second, starts);
    if (coins.shape(1) != gold.shape(0)) throw std::invalid_argument("expected a coin per cell");
    const Agreement agreement = agreement_named(kind);
    auto rows = new_rows<double>(coins.shape(0), 2);
    double* out = rows.data();
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    exchanged_agreement(agreement, gold.data(), first.data(), second.data(), starts.data(),
                        starts.shape(0) - 1, coins.data(), coins.shape(0), threads, out);
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
    double* out = rows.data();
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    const ExchangedTables tables{first.data(), second.data(), systems, segments};
    exchanged_soft_accuracy(gold.data(), tables, coins.data(), coins.shape(0), threads, out);
    return rows;
}

using Excess = nb::ndarray<const std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

auto lifted(Excess excess, std::int64_t rounding) {
    const std::size_t draws = excess.shape(0), tables = excess.shape(1), systems = excess.shape(2);
    if (systems == 0) throw std::invalid_argument("expected at least one system");
    auto rows = new_rows<std::int64_t>(tables * (systems * (systems - 1) / 2), 2);
    std::int64_t* out = rows.data();
    nb::gil_scoped_release release;
    lifted_counts(excess.data(), draws, tables, systems, rounding, out);
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
          nb::arg("starts"), nb::arg("weights"), "Worth at 0, best worth, and its epsilon.");
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
