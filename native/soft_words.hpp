// Words that match in part: equal words, words with a long common part, and known substitutes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "joined_words.hpp"
#include "vocabulary.hpp"

namespace rankwise {

// How alike two words of a vocabulary are, from 0 to 1; only equal words have 1.
class WordLikeness {
public:
    static constexpr std::size_t kLeastLetters = 4, kMostLetters = 64;
    static constexpr double kFloor = 0.3;   // the share of a common part that counts as nothing
    static constexpr double kMost = 0.999;  // of words that differ
    static constexpr double kLeast = 0.1;   // what does not exceed it is no match

    explicit WordLikeness(const SpelledWords& words) : words_(words), facts_(words.size()) {
        for (Id w = 0; w < words.size(); ++w) {
            facts_[w] = facts(words.letters(w));
            facts_[w].bit = bit_of(w);
        }
    }

    void add_substitutes(Id first, Id second, double likeness) {
        substitutes_[key(first, second)] = std::min(likeness, kMost);
        add(facts_[second].bit, facts_[first].substitutes);
        add(facts_[first].bit, facts_[second].substitutes);
    }

    // Whether a word is like no other: it has no substitutes and is compared as a whole.
    bool stands_alone(Id word) const {
        const Facts& facts = facts_[word];
        return facts.letters == 0 && facts.substitutes == Pieces{};
    }

    // Exact above kLeast; 0 where letters alone would give no more than that.
    double operator()(Id first, Id second) const {
        if (first == second) return 1;
        const Facts &ours = facts_[first], &theirs = facts_[second];
        double likeness = 0;
        if (has(ours.substitutes, theirs.bit) && has(theirs.substitutes, ours.bit)) {
            const auto found = substitutes_.find(key(first, second));
            if (found != substitutes_.end()) likeness = found->second;
        }
        if (!may_be_alike(ours, theirs)) return likeness;
        return std::max(likeness, spelled_alike(words_.letters(first), words_.letters(second)));
    }

private:
    static constexpr std::size_t kBits = 256;
    using Pieces = std::array<std::uint64_t, kBits / 64>;

    // Of a word: which pairs and triples of letters it has, and its letters, none for words that
    // are compared as a whole; and its substitutes. Each thing is a bit that others may share.
    struct Facts {
        Pieces pairs{}, triples{}, substitutes{};
        std::uint32_t letters = 0;
        std::uint32_t bit = 0;  // its own among substitutes
    };

    static Facts facts(std::u32string_view word) {
        Facts found;
        if (word.size() < kLeastLetters || word.size() > kMostLetters) return found;
        const auto is_digit = [](char32_t c) { return c >= U'0' && c <= U'9'; };
        if (std::any_of(word.begin(), word.end(), is_digit)) return found;
        found.letters = static_cast<std::uint32_t>(word.size());
        for (std::size_t i = 1; i < word.size(); ++i) {
            const std::uint64_t pair = std::uint64_t{word[i - 1]} << 21 | word[i];
            add(bit_of(pair), found.pairs);
            if (i > 1) add(bit_of(std::uint64_t{word[i - 2]} << 42 | pair), found.triples);
        }
        return found;
    }

    static std::uint32_t bit_of(std::uint64_t piece) {
        return static_cast<std::uint32_t>(scatter(piece) >> (64 - std::bit_width(kBits - 1)));
    }
    static void add(std::uint32_t bit, Pieces& pieces) {
        pieces[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
    static bool has(const Pieces& pieces, std::uint32_t bit) {
        return pieces[bit / 64] >> bit % 64 & 1;
    }

    // A likeness above kLeast takes a common part of more than 0.185 (n + m) letters: at least two,
    // and at least three from n + m = 11 on.
    static bool may_be_alike(const Facts& ours, const Facts& theirs) {
        if (ours.letters == 0 || theirs.letters == 0) return false;
        const bool is_short = ours.letters + theirs.letters < 11;
        const Pieces& first = is_short ? ours.pairs : ours.triples;
        const Pieces& second = is_short ? theirs.pairs : theirs.triples;
        std::uint64_t common = 0;
        for (std::size_t k = 0; k < first.size(); ++k) common |= first[k] & second[k];
        return common != 0;
    }

    static double spelled_alike(std::u32string_view first, std::u32string_view second) {
        const auto common = static_cast<double>(longest_common(first, second));
        const double share = 2 * common / static_cast<double>(first.size() + second.size());
        return std::min(kMost, std::max(0.0, (share - kFloor) / (1 - kFloor)));
    }

    // Letters of the longest common substring.
    static std::size_t longest_common(std::u32string_view first, std::u32string_view second) {
        std::uint8_t ending[kMostLetters + 1] = {};
        std::uint8_t longest = 0;
        for (const char32_t letter : first) {
            for (std::size_t j = second.size(); j > 0; --j) {
                ending[j] = letter == second[j - 1] ? static_cast<std::uint8_t>(ending[j - 1] + 1) : 0;
                longest = std::max(longest, ending[j]);
            }
        }
        return longest;
    }

    static std::uint64_t key(Id first, Id second) {
        return std::uint64_t{std::min(first, second)} << 32 | std::max(first, second);
    }

    const SpelledWords& words_;
    std::vector<Facts> facts_;
    std::unordered_map<std::uint64_t, double> substitutes_;
};

// Aligns the words of two texts one to one, the most alike first. Keeps its buffers.
//
// Of all pairs of words whose likeness is above WordLikeness::kLeast, those come first that are more alike,
// a tenth of the likeness of the pairs right before and behind added (the borders of both texts
// are alike); then those nearer to the same place in their texts; then the earlier ones.
class SoftMatcher {
public:
    static constexpr std::size_t kColumns = 8;
    static constexpr double kNeighbour = 0.1;

    // Sets for words and then for pairs of neighbouring words, borders included: the weight of the
    // hypothesis, of the reference, and of what is matched in either.
    void match(Ids hypothesis, Ids reference, const WordLikeness& likeness,
               std::span<const double> weights, double* row) {
        find_candidates(hypothesis, reference, likeness);
        choose(hypothesis.size(), reference.size());
        row[0] = row[1] = row[2] = row[3] = 0;
        weigh_words(hypothesis, ours_, weights, row[0], row[2]);
        weigh_words(reference, theirs_, weights, row[1], row[3]);
        weigh_pairs(hypothesis, ours_, reference.size(), weights, row[4], row[6]);
        weigh_pairs(reference, theirs_, hypothesis.size(), weights, row[5], row[7]);
    }

private:
    struct Candidate {
        std::size_t ours, theirs;
        double likeness, rank, distance;
    };
    struct Match {
        std::ptrdiff_t place = -1;
        double likeness = 0;
    };

    void find_candidates(Ids hypothesis, Ids reference, const WordLikeness& likeness) {
        candidates_.clear();
        rows_.assign(1, 0);
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            const bool stands_alone = likeness.stands_alone(hypothesis[i]);
            for (std::size_t j = 0; j < reference.size(); ++j) {
                const bool is_equal = hypothesis[i] == reference[j];
                if (stands_alone && !is_equal) continue;
                const double alike = is_equal ? 1 : likeness(hypothesis[i], reference[j]);
                if (alike > WordLikeness::kLeast) candidates_.push_back({i, j, alike, alike, 0});
            }
            rows_.push_back(candidates_.size());
        }
        const auto n = static_cast<double>(hypothesis.size());
        const auto m = static_cast<double>(reference.size());
        for (Candidate& c : candidates_) {
            const bool is_last = c.ours + 1 == hypothesis.size(), ends = c.theirs + 1 == reference.size();
            const double before = c.ours == 0 || c.theirs == 0 ? c.ours == c.theirs
                                                               : found(c.ours - 1, c.theirs - 1);
            const double behind = is_last || ends ? is_last == ends : found(c.ours + 1, c.theirs + 1);
            c.rank = c.likeness + kNeighbour * (before + behind);
            c.distance = std::abs(static_cast<double>(c.ours) / n - static_cast<double>(c.theirs) / m);
        }
    }

    // The likeness of two places, 0 where they are no candidate.
    double found(std::size_t ours, std::size_t theirs) const {
        const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(rows_[ours]);
        const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(rows_[ours + 1]);
        const auto at = std::lower_bound(begin, end, theirs, [](const Candidate& c, std::size_t place) {
            return c.theirs < place;
        });
        return at != end && at->theirs == theirs ? at->likeness : 0;
    }

    void choose(std::size_t ours, std::size_t theirs) {
        std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
            if (a.rank != b.rank) return a.rank > b.rank;
            return std::tuple(a.distance, a.ours, a.theirs) < std::tuple(b.distance, b.ours, b.theirs);
        });
        ours_.assign(ours, {});
        theirs_.assign(theirs, {});
        for (const Candidate& c : candidates_) {
            if (ours_[c.ours].place >= 0 || theirs_[c.theirs].place >= 0) continue;
            ours_[c.ours] = {static_cast<std::ptrdiff_t>(c.theirs), c.likeness};
            theirs_[c.theirs] = {static_cast<std::ptrdiff_t>(c.ours), c.likeness};
        }
    }

    static void weigh_words(Ids words, const std::vector<Match>& matches,
                            std::span<const double> weights, double& total, double& matched) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            total += weights[words[i]];
            matched += weights[words[i]] * matches[i].likeness;
        }
    }

    // A pair is matched where both words are, next to each other and in order; its likeness is the
    // geometric mean of theirs. The borders weigh nothing and match each other.
    static void weigh_pairs(Ids words, const std::vector<Match>& matches, std::size_t other_size,
                            std::span<const double> weights, double& total, double& matched) {
        total = matched = 0;
        const Match begin{-1, 1}, end{static_cast<std::ptrdiff_t>(other_size), 1};
        for (std::size_t i = 0; i <= words.size(); ++i) {
            const Match& left = i == 0 ? begin : matches[i - 1];
            const Match& right = i == words.size() ? end : matches[i];
            const double weight = (i == 0 ? 0 : weights[words[i - 1]]) +
                                  (i == words.size() ? 0 : weights[words[i]]);
            total += weight;
            if (right.place != left.place + 1) continue;
            matched += weight * std::sqrt(left.likeness * right.likeness);
        }
    }

    std::vector<Candidate> candidates_;
    std::vector<std::size_t> rows_;
    std::vector<Match> ours_, theirs_;
};

}  // namespace rankwise
