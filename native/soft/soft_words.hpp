// Words of two texts that match in full or in part, aligned one to one.
//
// Most metrics call two words equal or different. Here they are alike to a degree, from 0 to 1:
// equal words (1), known substitutes (as a table says), or words with a long common part (see
// WordLikeness). Every word is matched with at most one word of the other text, the most alike
// first. What a match is worth is how rare the word is times how alike the two words are.
//
//     hypothesis   the   big   houses         weights: the 1, big 3, houses 4, house 4, is 1
//                   |       \ /
//                   |       / \                likeness: the 1, big 1, houses and house 0.87
//     reference    the  house  is  big
//
// Of the hypothesis 1 + 3 + 4 * 0.87 = 7.5 of 8 is matched: its precision. Of the reference 7.5 of
// 9: its recall. Pairs of neighbours tell whether the order is kept: of (begin, the), (the, big),
// (big, houses) and (houses, end) the reference has only the first.
//
// One file does one step:
//   word_likeness    how alike two words are;
//   reference_words  which words of a reference may be like a word, without looking at all;
//   neighbour_pairs  where two words follow each other in it;
//   candidates       pairs of words of two texts that are alike, the better ones first;
//   one_to_one       which of them are chosen;
//   soft_words       what the chosen ones are worth.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "soft/candidates.hpp"
#include "soft/one_to_one.hpp"
#include "soft/word_likeness.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// What the words of one text weigh, and its pairs of neighbours, borders included: all of them, and
// those that are matched.
struct MatchedWeights {
    double words = 0, matched_words = 0, pairs = 0, matched_pairs = 0;
};

// A pair is matched where both words are, next to each other and in order; its weight is the sum of
// its words', and its likeness the geometric mean of theirs. The borders weigh nothing and match
// each other. Four sums that wait for nothing but themselves take as long as one.
inline MatchedWeights matched_weights(Ids words, std::span<const WordMatch> matches,
                                      std::size_t other_size, std::span<const double> weights) {
    MatchedWeights sums;
    WordMatch left{-1, 1};
    double left_weight = 0;
    const auto add_pair = [&](const WordMatch& right, double weight) {
        const double likeness = std::sqrt(left.likeness * right.likeness);
        const bool is_matched = right.place == left.place + 1;
        sums.pairs += left_weight + weight;
        sums.matched_pairs += is_matched ? (left_weight + weight) * likeness : 0;
        left = right, left_weight = weight;
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const double weight = weights[words[i]];
        sums.words += weight;
        sums.matched_words += weight * matches[i].likeness;
        add_pair(matches[i], weight);
    }
    add_pair({static_cast<std::ptrdiff_t>(other_size), 1}, 0);
    return sums;
}

// Aligns the words of two texts and weighs what is matched. Keeps its buffers.
class SoftMatcher {
public:
    static constexpr std::size_t kColumns = 8;

    explicit SoftMatcher(const WordLikeness& likeness) : search_(likeness) {}

    // Sets for words and then for pairs of neighbours: the weight of the hypothesis, of the
    // reference, and of what is matched in either. `weights` are by word.
    void match(Ids hypothesis, Ids reference, std::span<const double> weights,
               std::span<double, kColumns> row) {
        align(hypothesis, reference);
        const auto ours = matched_weights(hypothesis, chosen_.ours(), reference.size(), weights);
        const auto theirs =
            matched_weights(reference, chosen_.theirs(), hypothesis.size(), weights);
        row[0] = ours.words, row[1] = theirs.words;
        row[2] = ours.matched_words, row[3] = theirs.matched_words;
        row[4] = ours.pairs, row[5] = theirs.pairs;
        row[6] = ours.matched_pairs, row[7] = theirs.matched_pairs;
    }

private:
    void align(Ids hypothesis, Ids reference) {
        search_.start(hypothesis, reference);
        chosen_.start(hypothesis.size(), reference.size());
        search_.find_certain(candidates_);
        chosen_.choose(candidates_);
        search_.find_supported(chosen_.ours(), chosen_.theirs(), candidates_);
        chosen_.choose(candidates_);
        search_.take_equal(chosen_, candidates_);
        chosen_.choose(candidates_);
        search_.find_alike(chosen_.ours(), chosen_.theirs(), candidates_);
        chosen_.choose(candidates_);
    }

    CandidateSearch search_;
    OneToOne chosen_;
    std::vector<Candidate> candidates_;
};

}  // namespace rankwise
