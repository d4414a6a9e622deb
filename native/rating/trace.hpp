// Which pairs TrueSkill selects, one after the other: what rate_selected_pairs does and forgets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rating/selection.hpp"

namespace rankwise {

// Fills `pairs` with the matches of a run, two players each; returns the skills it ends with.
inline std::vector<Skill> trace_selected_pairs(const OutcomeKinds& kinds,
                                               std::span<const std::int64_t> counts,
                                               const Systems& systems, const MatchRules& rules,
                                               Pcg64 random, std::span<std::int32_t> pairs) {
    const PairOutcomes outcomes(kinds, counts, systems.count);
    std::vector<Skill> skills = systems.skills();
    std::size_t next = 0;
    play_selected(outcomes, skills, rules, pairs.size() / 2, random,
                  [&](std::size_t one, std::size_t two) {
                      pairs[next++] = static_cast<std::int32_t>(one);
                      pairs[next++] = static_cast<std::int32_t>(two);
                  });
    return skills;
}

}  // namespace rankwise
