// Pieces of texts that were left whole (see WordSplitter), and the words that others found in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "text/vocabulary.hpp"

namespace rankwise {

// Ids below `first` are words; the others are pieces, of which each has some words or none.
class WholePieces {
public:
    // `words` are those of one piece after the other; `lengths` say how many each has.
    WholePieces(Id first, Ids words, std::span<const std::int64_t> lengths)
        : first_(first), words_(words) {
        for (const std::int64_t length : lengths) {
            if (length < 0) throw std::invalid_argument("a piece has less than no word");
            begins_.push_back(begins_.back() + static_cast<std::size_t>(length));
        }
        if (begins_.back() != words.size()) {
            throw std::invalid_argument("pieces do not fit their words");
        }
    }

    // Appends a text with the words of its pieces in their place.
    void append(Ids text, std::vector<Id>& out) const {
        for (const Id id : text) {
            if (id < first_) [[likely]] {
                out.push_back(id);
                continue;
            }
            const Id* all = words_.data();
            out.insert(out.end(), all + begins_[id - first_], all + begins_[id - first_ + 1]);
        }
    }

private:
    Id first_;
    Ids words_;
    std::vector<std::size_t> begins_{0};
};

}  // namespace rankwise
