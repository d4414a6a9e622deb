// The order of matched words: an alignment as a permutation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/align.hpp"

namespace rankwise {

// Reads alignments from left to right of the hypothesis. Keeps its buffers.
class WordOrder {
public:
    // The places of the matched reference words among themselves, from 0, in the order in which
    // the hypothesis has them; words of one phrase stay in the order of the reference. `matches`
    // are ordered by the reference and overlap on neither side.
    std::span<const std::int32_t> ranks(std::span<const Match> matches) {
        std::int32_t rank = 0;
        phrases_.clear();
        for (const Match& m : matches) {
            phrases_.push_back({m.hyp_start, m.hyp_length, rank, m.ref_length});
            rank += m.ref_length;
        }
        std::sort(phrases_.begin(), phrases_.end(),
                  [](const Phrase& a, const Phrase& b) { return a.start < b.start; });
        ranks_.clear();
        for (const Phrase& phrase : phrases_) {
            for (std::int32_t k = 0; k < phrase.words; ++k) ranks_.push_back(phrase.rank + k);
        }
        return ranks_;
    }

    // Runs of unmatched words in a hypothesis of that length, for the matches read last.
    std::int64_t unmatched_runs(std::int64_t length) const {
        std::int64_t runs = 0, end = 0;
        for (const Phrase& phrase : phrases_) {
            runs += phrase.start > end;
            end = phrase.start + phrase.length;
        }
        return runs + (length > end);
    }

private:
    struct Phrase {
        std::int32_t start, length;  // in the hypothesis
        std::int32_t rank, words;    // in the reference, counting matched words only
    };
    std::vector<Phrase> phrases_;
    std::vector<std::int32_t> ranks_;
};

}  // namespace rankwise
