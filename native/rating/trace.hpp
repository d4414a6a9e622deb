// Which pairs TrueSkill selects, one after the other: what rate_selected_pairs does and forgets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rating/selection.hpp"

namespace rankwise {

// The `count` matches of run number `run`, as two columns; `means` are those it ends with.
inline void trace_selected_pairs(const std::int64_t* counts, const Systems& systems,
                                 const MatchRules& rules, std::size_t count, const Pcg64& stream,
                                 std::size_t run, std::int32_t* pairs, double* means) {
    Pcg64 random = stream_of_run(stream, run);
    const PairOutcomes outcomes(counts, systems.count);
    std::vector<Skill> skills = systems.skills();
    play_selected(outcomes, skills, rules, count, random, [&](std::size_t one, std::size_t two) {
        *pairs++ = static_cast<std::int32_t>(one);
        *pairs++ = static_cast<std::int32_t>(two);
    });
    for (std::size_t s = 0; s < systems.count; ++s) means[s] = skills[s].mean;
}

}  // namespace rankwise
