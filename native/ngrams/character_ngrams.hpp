// Character n-grams that two texts share; they cross the borders of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ngrams/sorted_ngrams.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Character n-grams of pairs of texts. Keeps its buffers.
class CharacterNgrams {
public:
    // Sets rows of three for n = 1 .. max_order: n-grams of the hypothesis, of the reference, and
    // of both (clipped).
    void count(const std::u32string& hypothesis, const std::u32string& reference,
               std::size_t max_order, std::int64_t* row) {
        const Id alphabet =
            Alphabet::number(reference, hypothesis, reference_ids_, hypothesis_ids_);
        const Ids reference_ids(reference_ids_);
        matches_.resize(max_order);
        matcher_.match(hypothesis_ids_, std::span(&reference_ids, 1), alphabet, max_order,
                       matches_.data());
        for (std::size_t n = 1; n <= max_order; ++n, row += 3) {
            row[0] = ngram_total(hypothesis.size(), n);
            row[1] = ngram_total(reference.size(), n);
            row[2] = matches_[n - 1];
        }
    }

private:
    std::vector<Id> hypothesis_ids_, reference_ids_;
    std::vector<std::int64_t> matches_;
    CharacterMatcher matcher_;
};

}  // namespace rankwise
