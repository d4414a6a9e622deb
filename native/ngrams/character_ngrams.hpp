// Character n-grams that two texts share; they cross the borders of words.
#pragma once

#include <string>
#include <vector>

#include "ngrams/ngram_rows.hpp"
#include "ngrams/sorted_ngrams.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Character n-grams of pairs of texts. Keeps its buffers.
class CharacterNgrams {
public:
    // Sets the cells of every order that the row has.
    void count(const std::u32string& hypothesis, const std::u32string& reference, CountRow row) {
        const Id alphabet =
            Alphabet::number(reference, hypothesis, reference_ids_, hypothesis_ids_);
        rows_.count(hypothesis_ids_, reference_ids_, alphabet, row);
    }

private:
    std::vector<Id> hypothesis_ids_, reference_ids_;
    NgramRows<CharacterMatcher> rows_;
};

}  // namespace rankwise
