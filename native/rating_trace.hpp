// Which pairs TrueSkill selects, one after the other: what rate_selected_pairs does and forgets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rating_selection.hpp"

namespace rankwise {

// The `count` matches of run number `run`, as two columns; `means` are those it ends with.
inline void trace_selected_pairs(const std::int64_t* counts, const Systems& systems,
                                 const MatchRules& rules, std::size_t count, const Pcg64& stream,
                                 std::size_t run, std::int32_t* pairs, double* means) {
    Pcg64 random = stream_of_run(stream, run);
    const PairOutcomes outcomes(counts, systems.count);
    std::vector<Skill> skills = systems.skills();
    HighestVariance highest(skills, outcomes.plays());
    for (std::size_t match = 0; match < count; ++match) {
        const std::size_t one = highest.top();
        const auto met = [&](std::size_t other) { return outcomes.total(one, other) > 0; };
        const std::size_t two = draw_opponent(skills, one, met, random);
        outcomes.rate_one(skills, one, two, rules, random);
        highest.change(one, skills[one].variance);
        highest.change(two, skills[two].variance);
        pairs[2 * match] = static_cast<std::int32_t>(one);
        pairs[2 * match + 1] = static_cast<std::int32_t>(two);
    }
    for (std::size_t s = 0; s < systems.count; ++s) means[s] = skills[s].mean;
}

}  // namespace rankwise
