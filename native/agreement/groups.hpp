// Groups of neighbouring cells: group g owns the cells [starts[g], starts[g + 1]).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rankwise {

struct Groups {
    std::span<const std::int64_t> starts;

    std::size_t count() const { return starts.size() - 1; }
    std::size_t cells() const { return static_cast<std::size_t>(starts.back()); }
    std::size_t begin(std::size_t g) const { return static_cast<std::size_t>(starts[g]); }
    std::size_t end(std::size_t g) const { return begin(g + 1); }

    // How many pairs of cells the groups have.
    std::size_t pairs() const {
        std::size_t sum = 0;
        for (std::size_t g = 0; g < count(); ++g) {
            const std::size_t size = end(g) - begin(g);
            sum += size * (size > 0 ? size - 1 : 0) / 2;
        }
        return sum;
    }

    // The part of a column that a group owns.
    template <class Number>
    std::span<Number> of(std::span<Number> column, std::size_t g) const {
        return column.subspan(begin(g), end(g) - begin(g));
    }
};

}  // namespace rankwise
