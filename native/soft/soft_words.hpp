// Words of two texts that match in full or in part, aligned one to one.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "soft/reference_words.hpp"
#include "soft/word_likeness.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Aligns the words of two texts one to one, the most alike first. Keeps its buffers.
//
// Of all pairs of words whose likeness is above WordLikeness::kLeast, those come first that are
// more alike, a tenth of the likeness of the pairs right before and behind added (the borders of
// both texts are alike); then those nearer to the same place in their texts; then the earlier ones.
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
        weigh(hypothesis, ours_, reference.size(), weights, row);
        weigh(reference, theirs_, hypothesis.size(), weights, row + 1);
    }

private:
    // A larger one goes first. It is made of the bits of two numbers that are not negative, which
    // are ordered as the numbers are: one comparison for both.
    __extension__ typedef unsigned __int128 Order;

    struct Candidate {
        std::uint32_t ours, theirs;
        double likeness;
        double near;  // the likeness of the pairs right before and behind
    };
    // Where in the reference the candidates of a word are, a bit each, and which they are.
    struct Row {
        std::vector<std::uint64_t> places;
        std::vector<std::uint32_t> at;
    };
    enum State : std::uint8_t { kTaken, kFree, kBorder };
    struct Neighbours {
        std::uint32_t ours, theirs;  // their places, and then their words
        std::uint32_t beside;        // a candidate
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
        if (hypothesis.empty() || reference.empty()) return;
        const std::uint64_t *before = nullptr, *here = words_.places(hypothesis[0]);
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            const bool is_last = i + 1 == hypothesis.size();
            const std::uint64_t* behind = is_last ? nullptr : words_.places(hypothesis[i + 1]);
            for (std::size_t block = 0; block < words_.blocks(); ++block) {
                const std::uint64_t left = i == 0 ? bit_at(0, block) : places_behind(before, block);
                const std::uint64_t right =
                    is_last ? bit_at(reference.size() - 1, block) : places_before(behind, block);
                for_bits(here[block] & left & right, [&](std::size_t bit) {
                    candidates_.push_back({static_cast<std::uint32_t>(i),
                                           static_cast<std::uint32_t>(64 * block + bit), 1, 2});
                });
            }
            before = here, here = behind;
        }
    }

    static std::uint64_t bit_at(std::size_t place, std::size_t block) {
        return std::uint64_t{place / 64 == block} << place % 64;
    }
    static std::uint64_t places_behind(const std::uint64_t* places, std::size_t block) {
        return places[block] << 1 | (block > 0 ? places[block - 1] >> 63 : 0);
    }
    std::uint64_t places_before(const std::uint64_t* places, std::size_t block) const {
        return places[block] >> 1 | (block + 1 < words_.blocks() ? places[block + 1] << 63 : 0);
    }

    // Of words that are free on both sides.
    void find_candidates(Ids hypothesis, Ids reference) {
        candidates_.clear();
        free_.assign(words_.blocks(), 0);
        for (std::size_t j = 0; j < reference.size(); ++j) {
            free_[j / 64] |= std::uint64_t{theirs_[j].place < 0} << j % 64;
        }
        words_.set_spelled(free_);
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
        join_taken(hypothesis, reference);
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
        candidates_.push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(place), likeness, 0});
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

    // The neighbours of candidates that are no candidates as one of their words is taken; the
    // borders are alike. Few are left of many: each step passes on what is left, without a branch.
    void join_taken(Ids hypothesis, Ids reference) {
        set_states(ours_, our_states_);
        set_states(theirs_, their_states_);
        neighbours_.resize(2 * candidates_.size() + 1);
        Neighbours *begin = neighbours_.data(), *end = begin;
        for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
            Candidate& c = candidates_[k];
            const int before = our_states_[c.ours] + their_states_[c.theirs];
            const int behind = our_states_[c.ours + 2] + their_states_[c.theirs + 2];
            c.near += (before == 2 * kBorder) + (behind == 2 * kBorder);
            *end = {c.ours - 1, c.theirs - 1, k};
            end += before < 2 * kFree;
            *end = {c.ours + 1, c.theirs + 1, k};
            end += behind < 2 * kFree;
        }
        const auto all = std::span(begin, end);
        end = begin;
        for (const Neighbours& n : all) {
            const Id first = hypothesis[n.ours], second = reference[n.theirs];
            *end = {first, second, n.beside};
            end += likeness_.may_be_alike(first, second);
        }
        for (const Neighbours& n : std::span(begin, end)) {
            candidates_[n.beside].near += likeness_of(n.ours, n.theirs);
        }
    }

    // Of the border, of all words and of the border: the sum of two says what a pair is.
    static void set_states(const std::vector<Match>& matches, std::vector<std::uint8_t>& states) {
        states.resize(matches.size() + 2);
        states.front() = states.back() = kBorder;
        for (std::size_t i = 0; i < matches.size(); ++i) {
            states[i + 1] = matches[i].place < 0 ? kFree : kTaken;
        }
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

    // Those that the reference has go first; what is behind them is of no use.
    void find_substitutes(Id word) {
        const auto all = likeness_.substitutes(word);
        substitutes_.resize(std::max(substitutes_.size(), all.size()));
        substitute_count_ = 0;
        for (const auto& substitute : all) {
            substitutes_[substitute_count_] = substitute;
            substitute_count_ += words_.has(substitute.word);
        }
    }

    void add_candidates(Id word, std::size_t i, Ids reference, std::size_t block) {
        const std::uint64_t free = free_[block], equal = words_.places(word)[block] & free;
        std::uint64_t known = 0, alike = 0;  // places of substitutes; all that are above kLeast
        for (const auto& [other, likeness] : std::span(substitutes_).first(substitute_count_)) {
            const std::uint64_t places = words_.places(other)[block] & free;
            known |= places;
            alike = (alike & ~places) | (likeness > WordLikeness::kLeast ? places : 0);
            for_bits(places, [&, value = likeness](std::size_t bit) { values_[bit] = value; });
        }
        if (const std::size_t letters = likeness_.letter_count(word); letters > 0) {
            const std::uint64_t spelled = words_.spelled_alike(word, block) & ~equal;
            if (spelled != 0) common_.set(likeness_.letters(word));
            for_bits(spelled, [&](std::size_t bit) {
                const std::u32string_view other = likeness_.letters(reference[64 * block + bit]);
                const double value =
                    WordLikeness::spelled_alike(common_(other), letters + other.size());
                values_[bit] = known >> bit & 1 ? std::max(values_[bit], value) : value;
                alike |= std::uint64_t{values_[bit] > WordLikeness::kLeast} << bit;
            });
        }
        for_bits(alike | equal, [&](std::size_t bit) {
            add(i, 64 * block + bit, equal >> bit & 1 ? 1 : values_[bit]);
        });
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
        orders_.resize(candidates_.size() + 1);  // and one that is behind all others
        for (std::size_t k = 0; k < candidates_.size(); ++k) orders_[k] = order_of(candidates_[k]);
        for (int round = 0; round < kMostRounds && !candidates_.empty(); ++round) choose_first();
        left_.resize(candidates_.size());
        std::iota(left_.begin(), left_.end(), 0);
        std::stable_sort(left_.begin(), left_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return orders_[a] > orders_[b]; });
        for (const std::uint32_t k : left_) take(candidates_[k]);
    }

    Order order_of(const Candidate& c) const {
        const double rank = c.likeness + kNeighbour * c.near;
        return Order{std::bit_cast<std::uint64_t>(rank)} << 64 |
               ~std::bit_cast<std::uint64_t>(distance(c));
    }

    // Which candidate is the first of a word is not to be foreseen: it is chosen without a branch.
    void choose_first() {
        const auto none = static_cast<std::uint32_t>(candidates_.size());
        orders_[none] = 0;
        first_ours_.assign(ours_.size(), none);
        first_theirs_.assign(theirs_.size(), none);
        for (std::uint32_t k = 0; k < none; ++k) {
            hold_first(k, first_ours_[candidates_[k].ours]);
            hold_first(k, first_theirs_[candidates_[k].theirs]);
        }
        for (const std::uint32_t k : first_ours_) {
            if (k != none && first_theirs_[candidates_[k].theirs] == k) take(candidates_[k]);
        }
        drop_taken();
    }

    // Of equal ones the earlier stays first.
    void hold_first(std::uint32_t now, std::uint32_t& first) const {
        const std::uint32_t is_before = orders_[now] > orders_[first];
        first ^= (first ^ now) & (0 - is_before);
    }

    void drop_taken() {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < candidates_.size(); ++k) {
            candidates_[kept] = candidates_[k];
            orders_[kept] = orders_[k];
            kept += is_free(candidates_[k]);
        }
        candidates_.resize(kept);
    }

    // Both places are negative if all their bits together are: one test for two.
    bool is_free(const Candidate& c) const {
        return (ours_[c.ours].place & theirs_[c.theirs].place) < 0;
    }

    void take(const Candidate& c) {
        if (!is_free(c)) return;
        ours_[c.ours] = {static_cast<std::ptrdiff_t>(c.theirs), c.likeness};
        theirs_[c.theirs] = {static_cast<std::ptrdiff_t>(c.ours), c.likeness};
    }

    // Sets every other number of `row`. A pair is matched where both words are, next to each other
    // and in order; its likeness is the geometric mean of theirs. The borders weigh nothing and
    // match each other. Four sums that wait for nothing but themselves take as long as one.
    static void weigh(Ids words, const std::vector<Match>& matches, std::size_t other_size,
                      std::span<const double> weights, double* row) {
        double all = 0, matched = 0, all_pairs = 0, matched_pairs = 0, left_weight = 0;
        Match left{-1, 1};
        const auto add_pair = [&](const Match& right, double weight) {
            const double likeness = std::sqrt(left.likeness * right.likeness);
            all_pairs += left_weight + weight;
            matched_pairs += right.place == left.place + 1 ? (left_weight + weight) * likeness : 0;
            left = right, left_weight = weight;
        };
        for (std::size_t i = 0; i < words.size(); ++i) {
            const double weight = weights[words[i]];
            all += weight;
            matched += weight * matches[i].likeness;
            add_pair(matches[i], weight);
        }
        add_pair({static_cast<std::ptrdiff_t>(other_size), 1}, 0);
        row[0] = all, row[2] = matched, row[4] = all_pairs, row[6] = matched_pairs;
    }

    const WordLikeness& likeness_;
    ReferenceWords words_;
    LongestCommon common_;
    std::vector<WordLikeness::Substitute> substitutes_;  // of a word; those the reference has first
    std::size_t substitute_count_ = 0;
    double values_[64] = {};              // of the places in a block that are alike
    std::vector<std::uint32_t> seen_at_;  // a place of a word in the hypothesis, or anything
    std::vector<Candidate> candidates_;
    std::vector<Neighbours> neighbours_;
    std::vector<std::uint8_t> our_states_, their_states_;
    std::vector<std::size_t> rows_;  // where the candidates of a word of the hypothesis begin
    Row above_, here_;
    std::vector<std::uint64_t> free_;  // places of the reference, a bit each
    std::vector<double> our_shares_, their_shares_;
    std::vector<Match> ours_, theirs_;
    std::vector<Order> orders_;                             // of candidates
    std::vector<std::uint32_t> first_ours_, first_theirs_;  // candidates by word
    std::vector<std::uint32_t> left_;
};

}  // namespace rankwise
