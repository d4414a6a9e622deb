// The sampler of Hopkins and May.
#include "rating/hopkins_may.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/convert/match_columns.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/state.hpp"

namespace rankwise {

namespace {

QualityModel checked(const QualityModel& model) {
    if (model.iterations < model.burn_in + 2) {
        throw std::invalid_argument("expected two iterations after burn-in");
    }
    return model;
}

nb::tuple counts_sampled(Column<std::int32_t> better, Column<std::int32_t> worse,
                         Column<std::uint8_t> is_tie, Counts counts, std::size_t systems,
                         double deviation, double radius, std::size_t iterations,
                         std::size_t burn_in, Column<std::uint64_t> state, std::size_t first_run,
                         std::size_t runs) {
    const OutcomeKinds kinds = KindColumns{better, worse, is_tie}.checked(systems);
    const CountRows given = checked_counts(counts, kinds, runs);
    const QualityModel model = checked({deviation, radius, iterations, burn_in});
    auto means = new_rows<double>(runs, systems), variances = new_rows<double>(runs, systems);
    const Pcg64 stream = generator(state);
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        sample_counts(kinds, given, {systems, {}}, model, {stream, first_run, runs, threads},
                      {span_of(means), span_of(variances)});
    }
    return nb::make_tuple(means, variances);
}

auto segments_sampled(Column<std::int64_t> starts, Column<std::int32_t> players,
                      Column<double> ranks, Column<std::int64_t> segments, std::size_t systems,
                      double deviation, double radius, std::size_t iterations, bool resample,
                      Column<std::uint64_t> state, std::size_t first_run, std::size_t runs) {
    const std::size_t any = std::numeric_limits<std::int32_t>::max();
    const Matches matches = grouped(matches_of(starts, players, ranks, systems, any), segments);
    auto means = new_rows<double>(runs, systems);
    const Pcg64 stream = generator(state);
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        sample_segments(matches, {systems, {}}, {deviation, radius, iterations, 0}, resample,
                        {stream, first_run, runs, threads}, span_of(means));
    }
    return means;
}

}  // namespace

void bind_hopkins_may(nb::module_& m) {
    m.def("hopkins_may", &counts_sampled, nb::arg("better"), nb::arg("worse"), nb::arg("is_tie"),
          nb::arg("counts"), nb::arg("systems"), nb::kw_only(), nb::arg("deviation"),
          nb::arg("radius"), nb::arg("iterations"), nb::arg("burn_in"), nb::arg("state"),
          nb::arg("first_run"), nb::arg("runs"),
          "Means and variances (runs, S) of the samples after burn-in, from all judgments.");
    m.def("hopkins_may_segments", &segments_sampled, nb::arg("starts"), nb::arg("players"),
          nb::arg("ranks"), nb::arg("segments"), nb::arg("systems"), nb::kw_only(),
          nb::arg("deviation"), nb::arg("radius"), nb::arg("iterations"), nb::arg("resample"),
          nb::arg("state"), nb::arg("first_run"), nb::arg("runs"),
          "The last sample (runs, S) of the published code, a ranking per segment and iteration.");
}

}  // namespace rankwise
