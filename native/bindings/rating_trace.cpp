// The matches that TrueSkill selects.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/match_columns.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/state.hpp"
#include "rating/trace.hpp"

namespace rankwise {

namespace {

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

void bind_rating_trace(nb::module_& m) {
    m.def("trace_selected_pairs", &trace, nb::arg("better"), nb::arg("worse"), nb::arg("is_tie"),
          nb::arg("counts"), nb::arg("systems"), nb::kw_only(), nb::arg("mean"),
          nb::arg("variance"), nb::arg("beta"), nb::arg("epsilon"), nb::arg("tau"),
          nb::arg("matches"), nb::arg("state"), nb::arg("run"),
          "The pairs that a run of selected matches consists of.");
}

}  // namespace rankwise
