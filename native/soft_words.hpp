// Words of two texts that match in full or in part, aligned one to one.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "text.hpp"
#include "vocabulary.hpp"
#include "word_likeness.hpp"

namespace rankwise {

// Makes `tokens` what stands between ASCII white space, a vertical tab being none.
template <class Unit>
void split_units_at_ascii_space(const Unit* text, std::size_t length, std::vector<Token>& tokens) {
    tokens.resize(length / 2 + 2);  // as many as there can be, and one that is never kept
    Token* next = tokens.data();
    std::uint32_t begin = 0;
    for (std::uint32_t i = 0; i < length; ++i) {
        const Unit c = text[i];
        if (c > ' ' || (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f')) continue;
        *next = {begin, i};
        next += i > begin;
        begin = i + 1;
    }
    *next = {begin, static_cast<std::uint32_t>(length)};
    next += length > begin;
    tokens.resize(static_cast<std::size_t>(next - tokens.data()));
}

inline void split_at_ascii_space(StringView text, std::vector<Token>& tokens) {
    switch (text.width) {
        case 1:
            return split_units_at_ascii_space(static_cast<const std::uint8_t*>(text.data),
                                              text.length, tokens);
        case 2:
            return split_units_at_ascii_space(static_cast<const std::uint16_t*>(text.data),
                                              text.length, tokens);
        default:
            return split_units_at_ascii_space(static_cast<const std::uint32_t*>(text.data),
                                              text.length, tokens);
    }
}

// The words of a reference by what they share, so that those which a word may match are found
// without looking at the others. Keeps its buffers.
class ReferenceWords {
public:
    explicit ReferenceWords(const WordLikeness& likeness)
        : likeness_(likeness), present_(likeness.size() / 64 + 1), numbers_(likeness.size()) {}

    void set(Ids words) {
        for (const Id word : words_) present_[word / 64] = 0;
        words_ = words;
        blocks_.resize((words.size() + 63) / 64);
        for (Block& block : blocks_) block = {};
        Id size = 0;
        for (const Id word : words) {
            std::uint64_t& present = present_[word / 64];
            const std::uint64_t bit = std::uint64_t{1} << word % 64;
            if ((present & bit) == 0) present |= bit, numbers_[word] = size++;
        }
        equal_.assign(size * blocks_.size(), 0);
        for (std::size_t j = 0; j < words.size(); ++j) note(words[j], j);
    }

    std::size_t blocks() const { return blocks_.size(); }

    bool has(Id word) const { return present_[word / 64] >> word % 64 & 1; }

    // Places of a word in a block of 64, a bit each.
    std::uint64_t equal(Id word, std::size_t block) const {
        if (!has(word)) return 0;
        return equal_[numbers_[word] * blocks_.size() + block];
    }

    // Places of words in a block that may have a common part with a word that has letters, long
    // enough for a likeness above kLeast. All others do not.
    std::uint64_t spelled_alike(Id word, std::size_t block) const {
        const Block& here = blocks_[block];
        const std::size_t letters = likeness_.letter_count(word);
        const std::uint64_t with_two = here.up_to(WordLikeness::kTwo, letters);
        const std::uint64_t with_three = here.up_to(WordLikeness::kThree, letters);
        std::uint64_t two = 0, three = 0, four = 0;
        if (with_two != 0) {
            for (const auto slot : likeness_.slots(word, 2)) two |= here.twos[slot];
        }
        if (with_three != 0) {
            for (const auto slot : likeness_.slots(word, 3)) three |= here.threes[slot];
        }
        for (const auto slot : likeness_.slots(word, 4)) four |= here.fours[slot];
        return (two & with_two) | (three & with_three & ~with_two) | (four & ~with_three);
    }

private:
    // Up to 64 words: which have an n-gram of letters (others may share its slot), and which have
    // so many letters at most.
    struct Block {
        std::uint64_t twos[WordLikeness::kSlots[0]], threes[WordLikeness::kSlots[1]],
            fours[WordLikeness::kSlots[2]];
        std::uint64_t at_most[WordLikeness::kThree + 1];

        // Those that have up to `sum` letters together with a word of so many.
        std::uint64_t up_to(std::size_t sum, std::size_t letters) const {
            return letters < sum ? at_most[sum - letters] : 0;
        }
    };

    void note(Id word, std::size_t j) {
        Block& block = blocks_[j / 64];
        const std::uint64_t place = std::uint64_t{1} << j % 64;
        equal_[numbers_[word] * blocks_.size() + j / 64] |= place;
        const std::size_t letters = likeness_.letter_count(word);
        if (letters == 0) return;
        for (const auto slot : likeness_.slots(word, 2)) block.twos[slot] |= place;
        for (const auto slot : likeness_.slots(word, 3)) block.threes[slot] |= place;
        for (const auto slot : likeness_.slots(word, 4)) block.fours[slot] |= place;
        for (std::size_t most = letters; most <= WordLikeness::kThree; ++most) block.at_most[most] |= place;
    }

    const WordLikeness& likeness_;
    Ids words_;
    std::vector<std::uint64_t> present_;  // a bit for every word of the vocabulary
    std::vector<Id> numbers_;             // of those that are present, by word
    std::vector<std::uint64_t> equal_;  // by number and block
    std::vector<Block> blocks_;
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
    static constexpr int kMostRounds = 8;

    explicit SoftMatcher(const WordLikeness& likeness)
        : likeness_(likeness), words_(likeness), seen_at_(likeness.size(), 0) {}

    // Sets for words and then for pairs of neighbouring words, borders included: the weight of the
    // hypothesis, of the reference, and of what is matched in either.
    void match(Ids hypothesis, Ids reference, std::span<const double> weights, double* row) {
        start(hypothesis, reference);
        find_certain(hypothesis, reference);
        choose();
        find_candidates(hypothesis, reference);
        choose();
        row[0] = row[1] = row[2] = row[3] = 0;
        weigh_words(hypothesis, ours_, weights, row[0], row[2]);
        weigh_words(reference, theirs_, weights, row[1], row[3]);
        weigh_pairs(hypothesis, ours_, reference.size(), weights, row[4], row[6]);
        weigh_pairs(reference, theirs_, hypothesis.size(), weights, row[5], row[7]);
    }

private:
    struct Candidate {
        std::uint32_t ours, theirs;
        double likeness;
        double near;  // the likeness of the pairs right before and behind
        double rank() const { return likeness + kNeighbour * near; }
    };
    // Where in the reference the candidates of a word are, a bit each, and which they are.
    struct Row {
        std::vector<std::uint64_t> places;
        std::vector<std::uint32_t> at;
    };
    struct First {
        double rank = -1, distance = 0;
        const Candidate* at = nullptr;
    };
    struct Match {
        std::ptrdiff_t place = -1;
        double likeness = 0;
    };

    void start(Ids hypothesis, Ids reference) {
        words_.set(reference);
        ours_.assign(hypothesis.size(), {});
        theirs_.assign(reference.size(), {});
        set_shares(hypothesis.size(), our_shares_);
        set_shares(reference.size(), their_shares_);
    }

    // Equal words between equal words go before all others: chosen first, they and their matches
    // need not be compared with anything else.
    void find_certain(Ids hypothesis, Ids reference) {
        candidates_.clear();
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            for (std::size_t block = 0; block < words_.blocks(); ++block) {
                for_bits(words_.equal(hypothesis[i], block), [&](std::size_t bit) {
                    const std::size_t j = 64 * block + bit;
                    const bool is_last = i + 1 == hypothesis.size(), ends = j + 1 == reference.size();
                    const bool before =
                        i == 0 || j == 0 ? i == j : hypothesis[i - 1] == reference[j - 1];
                    if (!before) return;
                    if (is_last || ends ? is_last == ends : hypothesis[i + 1] == reference[j + 1]) {
                        candidates_.push_back({static_cast<std::uint32_t>(i),
                                               static_cast<std::uint32_t>(j), 1, 2});
                    }
                });
            }
        }
    }

    // Of words that are free on both sides.
    void find_candidates(Ids hypothesis, Ids reference) {
        candidates_.clear();
        free_.assign(words_.blocks(), 0);
        for (std::size_t j = 0; j < reference.size(); ++j) {
            free_[j / 64] |= std::uint64_t{theirs_[j].place < 0} << j % 64;
        }
        for (Row* row : {&above_, &here_}) row->at.resize(reference.size());
        above_.places.assign(words_.blocks(), 0);
        rows_.assign(1, 0);
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            here_.places.assign(words_.blocks(), 0);
            if (ours_[i].place < 0) add_row(hypothesis, i, reference);
            rows_.push_back(candidates_.size());
            join_neighbours();
            std::swap(above_, here_);
        }
        for (Candidate& c : candidates_) join_taken(hypothesis, reference, c);
    }

    void add_row(Ids hypothesis, std::size_t i, Ids reference) {
        const Id word = hypothesis[i];
        const std::uint32_t before = seen_at_[word];
        seen_at_[word] = static_cast<std::uint32_t>(i);
        if (before < i && hypothesis[before] == word && ours_[before].place < 0) {
            repeat_candidates(before, i);
            return;
        }
        find_substitutes(word);
        for (std::size_t block = 0; block < words_.blocks(); ++block) {
            if (free_[block] != 0) add_candidates(word, i, reference, block);
        }
    }

    void add(std::size_t i, std::size_t place, double likeness) {
        here_.places[place / 64] |= std::uint64_t{1} << place % 64;
        here_.at[place] = static_cast<std::uint32_t>(candidates_.size());
        candidates_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(place), likeness, 0});
    }

    // Candidates of the row before with their neighbours in this one.
    void join_neighbours() {
        std::uint64_t carry = 0;
        for (std::size_t block = 0; block < here_.places.size(); ++block) {
            const std::uint64_t before = above_.places[block];
            for_bits(here_.places[block] & (before << 1 | carry), [&](std::size_t bit) {
                Candidate& left = candidates_[above_.at[64 * block + bit - 1]];
                Candidate& right = candidates_[here_.at[64 * block + bit]];
                left.near += right.likeness;
                right.near += left.likeness;
            });
            carry = before >> 63;
        }
    }

    // The neighbours of a candidate that are no candidates as one of their words is taken.
    void join_taken(Ids hypothesis, Ids reference, Candidate& c) {
        const std::size_t i = c.ours, j = c.theirs;
        if (i == 0 || j == 0) {
            c.near += i == j;
        } else if (is_taken(i - 1, j - 1)) {
            c.near += likeness_of(hypothesis[i - 1], reference[j - 1]);
        }
        const bool is_last = i + 1 == hypothesis.size(), ends = j + 1 == reference.size();
        if (is_last || ends) {
            c.near += is_last == ends;
        } else if (is_taken(i + 1, j + 1)) {
            c.near += likeness_of(hypothesis[i + 1], reference[j + 1]);
        }
    }

    bool is_taken(std::size_t i, std::size_t j) const {
        return ours_[i].place >= 0 || theirs_[j].place >= 0;
    }

    double likeness_of(Id first, Id second) {
        const double likeness = likeness_(first, second, common_);
        return likeness > WordLikeness::kLeast ? likeness : 0;
    }

    // Of a word that was there before.
    void repeat_candidates(std::size_t before, std::size_t i) {
        for (std::size_t k = rows_[before]; k < rows_[before + 1]; ++k) {
            add(i, candidates_[k].theirs, candidates_[k].likeness);
        }
    }

    // Those that the reference has.
    void find_substitutes(Id word) {
        substitutes_.clear();
        for (const auto& substitute : likeness_.substitutes(word)) {
            if (words_.has(substitute.word)) substitutes_.push_back(substitute);
        }
    }

    void add_candidates(Id word, std::size_t i, Ids reference, std::size_t block) {
        std::uint64_t left = 0;
        for (const auto& [other, likeness] : substitutes_) {
            const std::uint64_t places = words_.equal(other, block) & free_[block];
            left |= places;
            for_bits(places, [&, value = likeness](std::size_t bit) { values_[bit] = value; });
        }
        const std::uint64_t equal = words_.equal(word, block) & free_[block];
        if (likeness_.letter_count(word) > 0) {
            const std::uint64_t spelled = words_.spelled_alike(word, block) & free_[block] & ~equal;
            if (spelled != 0) compare_letters(word, spelled, left, reference.subspan(64 * block));
            left |= spelled;
        }
        for_bits(equal, [&](std::size_t bit) { values_[bit] = 1; });
        for_bits(left | equal, [&](std::size_t bit) {
            if (values_[bit] > WordLikeness::kLeast) add(i, 64 * block + bit, values_[bit]);
        });
    }

    // Sets the values of places where the letters of words are alike; those known may be larger.
    void compare_letters(Id word, std::uint64_t places, std::uint64_t known, Ids reference) {
        common_.set(likeness_.letters(word));
        for_bits(places, [&](std::size_t bit) {
            const std::u32string_view other = likeness_.letters(reference[bit]);
            const std::size_t letters = likeness_.letter_count(word) + other.size();
            const double value = WordLikeness::spelled_alike(common_(other), letters);
            values_[bit] = known >> bit & 1 ? std::max(values_[bit], value) : value;
        });
    }

    template <class Body>
    static void for_bits(std::uint64_t bits, const Body& body) {
        for (; bits != 0; bits &= bits - 1) body(static_cast<std::size_t>(std::countr_zero(bits)));
    }

    // Whether a candidate goes before another; equal ones go as they are.
    bool is_before(const Candidate& one, const Candidate& other) const {
        const double rank = one.rank(), other_rank = other.rank();
        return rank > other_rank || (rank == other_rank && distance(one) < distance(other));
    }

    double distance(const Candidate& c) const {
        return std::abs(our_shares_[c.ours] - their_shares_[c.theirs]);
    }

    // How far from the begin each place is, as a share of the whole.
    static void set_shares(std::size_t size, std::vector<double>& shares) {
        shares.resize(size);
        for (std::size_t i = 0; i < size; ++i) {
            shares[i] = static_cast<double>(i) / static_cast<double>(size);
        }
    }

    // One after the other would do, the first first; but a candidate that comes before all others
    // of both its words is chosen whatever else is. So each round chooses those, and looks at what
    // is left of the others. Few rounds are needed; should there be many, the rest is sorted.
    void choose() {
        for (int round = 0; round < kMostRounds && !candidates_.empty(); ++round) choose_first();
        if (candidates_.empty()) return;
        std::stable_sort(
            candidates_.begin(), candidates_.end(),
            [this](const Candidate& a, const Candidate& b) { return is_before(a, b); });
        for (const Candidate& c : candidates_) take(c);
    }

    void choose_first() {
        first_ours_.assign(ours_.size(), {});
        first_theirs_.assign(theirs_.size(), {});
        for (const Candidate& c : candidates_) {  // in order: of equal ones the earlier stays first
            const First now{c.rank(), distance(c), &c};
            hold_first(now, first_ours_[c.ours]);
            hold_first(now, first_theirs_[c.theirs]);
        }
        for (const First& first : first_ours_) {
            if (first.at == nullptr || first_theirs_[first.at->theirs].at != first.at) continue;
            take(*first.at);
        }
        std::erase_if(candidates_, [&](const Candidate& c) { return !is_free(c); });
    }

    static void hold_first(const First& now, First& first) {
        if (now.rank > first.rank || (now.rank == first.rank && now.distance < first.distance)) {
            first = now;
        }
    }

    bool is_free(const Candidate& c) const {
        return ours_[c.ours].place < 0 && theirs_[c.theirs].place < 0;
    }

    void take(const Candidate& c) {
        if (!is_free(c)) return;
        ours_[c.ours] = {static_cast<std::ptrdiff_t>(c.theirs), c.likeness};
        theirs_[c.theirs] = {static_cast<std::ptrdiff_t>(c.ours), c.likeness};
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

    const WordLikeness& likeness_;
    ReferenceWords words_;
    LongestCommon common_;
    std::vector<WordLikeness::Substitute> substitutes_;  // of a word, in the reference
    double values_[64] = {};  // of substitutes in a block
    std::vector<std::uint32_t> seen_at_;  // a place of a word in the hypothesis, or anything
    std::vector<Candidate> candidates_;
    std::vector<std::size_t> rows_;  // where the candidates of a word of the hypothesis begin
    Row above_, here_;
    std::vector<std::uint64_t> free_;  // places of the reference, a bit each
    std::vector<double> our_shares_, their_shares_;
    std::vector<Match> ours_, theirs_;
    std::vector<First> first_ours_, first_theirs_;
};

}  // namespace rankwise
