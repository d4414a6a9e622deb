// Texts as Python gives them after numbering: ids of words, one text after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "bindings/convert/rows.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Token ids of text k: ids[starts[k], starts[k + 1]).
struct PythonTexts {
    Column<std::uint32_t> ids;
    Column<std::int64_t> starts;

    void check(std::size_t words) const {
        const auto s = span_of(starts);
        if (s.empty() || s.front() != 0 || !std::is_sorted(s.begin(), s.end()) ||
            static_cast<std::size_t>(s.back()) > ids.size()) {
            throw std::invalid_argument("starts of texts do not fit their tokens");
        }
        for (const std::uint32_t id : span_of(ids)) {
            if (id >= words) throw std::invalid_argument("a token is not in the word table");
        }
    }

    void check_numbers(std::span<const std::int64_t> numbers) const {
        for (const std::int64_t k : numbers) {
            if (k < 0 || static_cast<std::size_t>(k) + 1 >= starts.size()) {
                throw std::invalid_argument("there is no such text");
            }
        }
    }

    Ids text(std::int64_t k) const {
        const std::int64_t begin = starts.data()[k];
        return {ids.data() + begin, static_cast<std::size_t>(starts.data()[k + 1] - begin)};
    }
};

}  // namespace rankwise
