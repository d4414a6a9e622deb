// Who beat whom and who tied with whom: only what occurs, however many systems there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rankwise {

// Kind k is "better[k] beat worse[k]", or a tie of the two. Kinds are sorted by `better`, `worse`
// and then wins before ties; a row of counts says how often each occurred.
struct OutcomeKinds {
    std::span<const std::int32_t> better, worse;
    std::span<const std::uint8_t> is_tie;

    std::size_t size() const { return better.size(); }

    // Calls body(better, worse, is_tie, times) for every kind that occurred, in order.
    template <class Body>
    void each(std::span<const std::int64_t> counts, const Body& body) const {
        for (std::size_t k = 0; k < size(); ++k) {
            if (counts[k] == 0) continue;
            body(static_cast<std::size_t>(better[k]), static_cast<std::size_t>(worse[k]),
                 is_tie[k] != 0, counts[k]);
        }
    }
};

}  // namespace rankwise
