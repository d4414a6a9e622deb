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
#include <vector>

#include "joined_words.hpp"
#include "vocabulary.hpp"

namespace rankwise {

// Makes `tokens` what stands between ASCII white space, a vertical tab being none.
inline void split_at_ascii_space(StringView text, std::vector<Token>& tokens) {
    tokens.clear();
    std::uint32_t begin = 0;
    const auto length = static_cast<std::uint32_t>(text.length);
    for (std::uint32_t i = 0; i <= length; ++i) {
        const char32_t c = i < length ? text[i] : U' ';
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f') continue;
        if (i > begin) tokens.push_back({begin, i});
        begin = i + 1;
    }
}

// Numbers by pairs of words, either order. A power of two of slots, at most half full.
class PairTable {
public:
    double& operator[](std::uint64_t key) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[position(key)];
        if (slot.key == kFree) ++size_, slot.key = key;
        return slot.value;
    }

    // The number of a pair, 0 for one that has none.
    double find(std::uint64_t key) const { return slots_.empty() ? 0 : slots_[position(key)].value; }

    static std::uint64_t key(Id first, Id second) {
        return std::uint64_t{std::min(first, second)} << 32 | std::max(first, second);
    }

private:
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no id is kAbsent
    struct Slot {
        std::uint64_t key = kFree;
        double value = 0;
    };

    std::size_t position(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = scatter(key) >> shift_;
        while (slots_[i].key != key && slots_[i].key != kFree) i = (i + 1) & mask;
        return i;
    }

    void grow() {
        std::vector<Slot> old(std::max<std::size_t>(64, 4 * slots_.size()));
        old.swap(slots_);
        shift_ = 64 - std::countr_zero(slots_.size());
        for (const Slot& slot : old) {
            if (slot.key != kFree) slots_[position(slot.key)] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
    int shift_ = 0;
};

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
            facts_[w].bit = Bits::bit_of(w);
        }
    }

    void add_substitutes(Id first, Id second, double likeness) {
        substitutes_[PairTable::key(first, second)] = std::min(likeness, kMost);
        facts_[first].substitutes.add(facts_[second].bit);
        facts_[second].substitutes.add(facts_[first].bit);
    }

    // Which of up to 64 words have a thing that words share, a bit each: 64 things are words
    // themselves, 64 pairs of letters of short words, and 128 triples. Different things may be one.
    using Places = std::array<std::uint64_t, 256>;

    void note(Id word, std::uint64_t place, Places& places) const {
        const Facts& facts = facts_[word];
        places[facts.bit % 64] |= place;
        for_letters(facts, [&](std::size_t thing) { places[thing] |= place; });
    }

    // The places of words that `word` may match; no other does.
    std::uint64_t may_match(Id word, const Places& places) const {
        const Facts& facts = facts_[word];
        std::uint64_t found = places[facts.bit % 64];
        const auto add = [&](std::size_t thing) { found |= places[thing]; };
        for_bits(facts.substitutes.low | facts.substitutes.high, 0, add);
        for_letters(facts, add);
        return found;
    }

    // Exact above kLeast; 0 where letters alone would give no more than that.
    double operator()(Id first, Id second) const {
        if (first == second) return 1;
        const Facts &ours = facts_[first], &theirs = facts_[second];
        double likeness = 0;
        if (ours.substitutes.has(theirs.bit) && theirs.substitutes.has(ours.bit)) {
            likeness = substitutes_.find(PairTable::key(first, second));
        }
        if (!may_be_alike(ours, theirs)) return likeness;
        return std::max(likeness, spelled_alike(words_.letters(first), words_.letters(second)));
    }

private:
    // A set of things, each a bit that others may share.
    struct Bits {
        static constexpr int kWidth = 7;
        std::uint64_t low = 0, high = 0;

        static std::uint32_t bit_of(std::uint64_t thing) {
            return static_cast<std::uint32_t>(scatter(thing) >> (64 - kWidth));
        }
        void add(std::uint32_t bit) { (bit & 64 ? high : low) |= std::uint64_t{1} << (bit & 63); }
        bool has(std::uint32_t bit) const { return (bit & 64 ? high : low) >> (bit & 63) & 1; }
        bool meets(const Bits& other) const { return ((low & other.low) | (high & other.high)) != 0; }
        bool is_empty() const { return (low | high) == 0; }
    };

    // Of a word: which pairs, triples and fours of letters it has, and its letters, none for words
    // that are compared as a whole; and its substitutes. One line of the cache.
    struct alignas(64) Facts {
        Bits triples, fours, substitutes;
        std::uint64_t pairs = 0;
        std::uint32_t letters = 0;
        std::uint32_t bit = 0;  // its own among substitutes
    };

    template <class Body>
    static void for_bits(std::uint64_t bits, std::size_t from, const Body& body) {
        for (; bits != 0; bits &= bits - 1) {
            body(from + static_cast<std::size_t>(std::countr_zero(bits)));
        }
    }

    // A pair of letters is enough for two words of up to six; with a longer one it takes three.
    template <class Body>
    static void for_letters(const Facts& facts, const Body& body) {
        if (facts.letters < 7) for_bits(facts.pairs, 64, body);
        for_bits(facts.triples.low, 128, body);
        for_bits(facts.triples.high, 192, body);
    }

    static Facts facts(std::u32string_view word) {
        Facts found;
        if (word.size() < kLeastLetters || word.size() > kMostLetters) return found;
        const auto is_digit = [](char32_t c) { return c >= U'0' && c <= U'9'; };
        if (std::any_of(word.begin(), word.end(), is_digit)) return found;
        found.letters = static_cast<std::uint32_t>(word.size());
        for (std::size_t i = 1; i < word.size(); ++i) {
            const std::uint64_t pair = std::uint64_t{word[i - 1]} << 21 | word[i];
            found.pairs |= std::uint64_t{1} << Bits::bit_of(pair) % 64;
            if (i < 2) continue;
            const std::uint64_t triple = std::uint64_t{word[i - 2]} << 42 | pair;
            found.triples.add(Bits::bit_of(triple));
            if (i > 2) found.fours.add(Bits::bit_of(scatter(triple) + word[i - 3]));
        }
        return found;
    }

    // A likeness above kLeast takes a common part of more than 0.185 (n + m) letters: at least two,
    // at least three from n + m = 11 on, and at least four from 17 on.
    static bool may_be_alike(const Facts& ours, const Facts& theirs) {
        if (ours.letters == 0 || theirs.letters == 0) return false;
        const std::uint32_t letters = ours.letters + theirs.letters;
        if (letters < 11) return (ours.pairs & theirs.pairs) != 0;
        return letters < 17 ? ours.triples.meets(theirs.triples) : ours.fours.meets(theirs.fours);
    }

    static double spelled_alike(std::u32string_view first, std::u32string_view second) {
        const auto common = static_cast<double>(longest_common(first, second));
        const double share = 2 * common / static_cast<double>(first.size() + second.size());
        return std::min(kMost, std::max(0.0, (share - kFloor) / (1 - kFloor)));
    }

    // Letters of the longest common substring. Bit j of run[i] says that a common part of the length
    // looked at ends with letter i of the first and letter j of the second word.
    static std::size_t longest_common(std::u32string_view first, std::u32string_view second) {
        static_assert(kMostLetters <= 64);
        std::uint64_t equal[kMostLetters], run[kMostLetters], any = 0;
        find_equal(first, second, equal);
        for (std::size_t i = 0; i < first.size(); ++i) any |= run[i] = equal[i];
        std::size_t length = 0;
        for (; any != 0; ++length) {
            any = 0;
            for (std::size_t i = first.size(); i-- > 1;) {
                run[i] = equal[i] & run[i - 1] << 1;
                any |= run[i];
            }
            run[0] = 0;
        }
        return length;
    }

    // Sets bit j of equal[i] where letter i of the first word is letter j of the second. Letters of
    // one page of 256 are told apart by their last eight bits.
    static void find_equal(std::u32string_view first, std::u32string_view second,
                           std::uint64_t* equal) {
        thread_local std::uint64_t places[256] = {};  // all zeros between calls
        char32_t pages = 0;
        for (const char32_t letter : first) pages |= letter ^ first[0];
        for (const char32_t letter : second) pages |= letter ^ first[0];
        if (pages > 255) return find_equal_anywhere(first, second, equal);
        for (std::size_t j = 0; j < second.size(); ++j) {
            places[second[j] & 255] |= std::uint64_t{1} << j;
        }
        for (std::size_t i = 0; i < first.size(); ++i) equal[i] = places[first[i] & 255];
        for (const char32_t letter : second) places[letter & 255] = 0;
    }

    static void find_equal_anywhere(std::u32string_view first, std::u32string_view second,
                                    std::uint64_t* equal) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            equal[i] = 0;
            for (std::size_t j = 0; j < second.size(); ++j) {
                equal[i] |= std::uint64_t{first[i] == second[j]} << j;
            }
        }
    }

    const SpelledWords& words_;
    std::vector<Facts> facts_;
    PairTable substitutes_;
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
        std::uint32_t ours, theirs;
        double likeness, rank, distance;
    };
    struct Match {
        std::ptrdiff_t place = -1;
        double likeness = 0;
    };

    void find_candidates(Ids hypothesis, Ids reference, const WordLikeness& likeness) {
        candidates_.clear();
        rows_.assign(1, 0);
        places_.assign((reference.size() + 63) / 64, {});
        for (std::size_t j = 0; j < reference.size(); ++j) {
            likeness.note(reference[j], std::uint64_t{1} << j % 64, places_[j / 64]);
        }
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            for (std::size_t block = 0; block < places_.size(); ++block) {
                std::uint64_t left = likeness.may_match(hypothesis[i], places_[block]);
                for (; left != 0; left &= left - 1) {
                    const std::size_t place =
                        64 * block + static_cast<std::size_t>(std::countr_zero(left));
                    const double alike = likeness(hypothesis[i], reference[place]);
                    if (alike > WordLikeness::kLeast) {
                        candidates_.push_back({static_cast<std::uint32_t>(i),
                                               static_cast<std::uint32_t>(place), alike, alike, 0});
                    }
                }
            }
            rows_.push_back(candidates_.size());
        }
        rank_candidates(hypothesis.size(), reference.size());
    }

    // Candidates lie in rows of their places in the hypothesis, so that neighbours on the diagonal
    // are found by walking along the rows before and behind.
    void rank_candidates(std::size_t ours, std::size_t theirs) {
        const auto n = static_cast<double>(ours), m = static_cast<double>(theirs);
        for (std::size_t i = 0; i < ours; ++i) {
            std::size_t above = i > 0 ? rows_[i - 1] : 0, below = rows_[i + 1];
            const std::size_t end_above = i > 0 ? rows_[i] : 0;
            const std::size_t end_below = i + 1 < ours ? rows_[i + 2] : below;
            for (std::size_t k = rows_[i]; k < rows_[i + 1]; ++k) {
                Candidate& c = candidates_[k];
                const bool is_last = i + 1 == ours, ends = c.theirs + 1 == theirs;
                const double before = i == 0 || c.theirs == 0
                                          ? i == c.theirs
                                          : found(c.theirs - 1, above, end_above);
                const double behind =
                    is_last || ends ? is_last == ends : found(c.theirs + 1, below, end_below);
                c.rank = c.likeness + kNeighbour * (before + behind);
                c.distance = std::abs(static_cast<double>(i) / n - c.theirs / m);
            }
        }
    }

    // The likeness of the candidate with a place in the reference, 0 where there is none. Looks
    // from `next` on, which stays there for later places.
    double found(std::uint32_t theirs, std::size_t& next, std::size_t end) const {
        while (next < end && candidates_[next].theirs < theirs) ++next;
        return next < end && candidates_[next].theirs == theirs ? candidates_[next].likeness : 0;
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

    std::vector<WordLikeness::Places> places_;
    std::vector<Candidate> candidates_;
    std::vector<std::size_t> rows_;
    std::vector<Match> ours_, theirs_;
};

}  // namespace rankwise
