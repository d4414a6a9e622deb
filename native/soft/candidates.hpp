// Which words of a hypothesis and of a reference might be matched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "soft/one_to_one.hpp"
#include "soft/reference_words.hpp"
#include "soft/word_likeness.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Finds candidates: pairs of words with a likeness above WordLikeness::kLeast. Keeps its buffers.
//
// Places of the reference are bits, 64 to a block, so that many words are looked at at once.
class CandidateSearch {
public:
    explicit CandidateSearch(const WordLikeness& likeness)
        : likeness_(likeness), words_(likeness), seen_at_(likeness.size(), 0) {}

    // The two texts, which must stay where they are.
    void start(Ids hypothesis, Ids reference) {
        hypothesis_ = hypothesis;
        reference_ = reference;
        words_.set(reference);
    }

    // Equal words between equal words: they go before all others, so that those who choose them
    // first need not compare them with anything else.
    void find_certain(std::vector<Candidate>& found) {
        found.clear();
        if (hypothesis_.empty() || reference_.empty()) return;
        Places before, here = words_.places(hypothesis_[0]);
        for (std::size_t i = 0; i < hypothesis_.size(); ++i) {
            const bool is_last = i + 1 == hypothesis_.size();
            const Places behind = is_last ? Places{} : words_.places(hypothesis_[i + 1]);
            for (std::size_t block = 0; block < words_.blocks(); ++block) {
                const std::uint64_t left =
                    i == 0 ? bit_at(0, block) : shifted_behind(before, block);
                const std::uint64_t right =
                    is_last ? bit_at(reference_.size() - 1, block) : shifted_before(behind, block);
                for_bits(here[block] & left & right, [&](std::size_t bit) {
                    found.push_back({static_cast<std::uint32_t>(i),
                                     static_cast<std::uint32_t>(64 * block + bit), 1, 2});
                });
            }
            before = here, here = behind;
        }
    }

    // All candidates of words that are free on both sides, with the likeness of their neighbours.
    void find(std::span<const WordMatch> ours, std::span<const WordMatch> theirs,
              std::vector<Candidate>& found) {
        found.clear();
        start_rows(theirs);
        for (std::size_t i = 0; i < hypothesis_.size(); ++i) {
            here_.places.assign(words_.blocks(), 0);
            if (ours[i].is_free()) add_row(i, ours, found);
            row_begins_.push_back(found.size());
            join_free_neighbours(found);
            std::swap(above_, here_);
        }
        join_other_neighbours(ours, theirs, found);
    }

private:
    using Places = std::span<const std::uint64_t>;

    // The candidates of one word of the hypothesis: at which places of the reference they are, and
    // which they are.
    struct Row {
        std::vector<std::uint64_t> places;
        std::vector<std::uint32_t> candidates;  // by place
    };

    // What a place is; the sum of two tells what a pair of places is.
    enum State : std::uint8_t { kTaken, kFree, kBorder };

    // Two words beside those of a candidate.
    struct Neighbours {
        std::uint32_t ours, theirs;  // their places, and then their words
        std::uint32_t candidate;
    };

    // -- bits ------------------------------------------------------------------------------------

    static std::uint64_t bit_at(std::size_t place, std::size_t block) {
        return std::uint64_t{place / 64 == block} << place % 64;
    }
    // The places right behind, and right before, given ones.
    static std::uint64_t shifted_behind(Places places, std::size_t block) {
        return places[block] << 1 | (block > 0 ? places[block - 1] >> 63 : 0);
    }
    static std::uint64_t shifted_before(Places places, std::size_t block) {
        return places[block] >> 1 | (block + 1 < places.size() ? places[block + 1] << 63 : 0);
    }

    // -- candidates of a word ---------------------------------------------------------------------

    void start_rows(std::span<const WordMatch> theirs) {
        free_.assign(words_.blocks(), 0);
        for (std::size_t j = 0; j < theirs.size(); ++j) {
            free_[j / 64] |= std::uint64_t{theirs[j].is_free()} << j % 64;
        }
        words_.set_spelled(free_);
        for (Row* row : {&above_, &here_}) row->candidates.resize(theirs.size());
        above_.places.assign(words_.blocks(), 0);
        row_begins_.assign(1, 0);
    }

    void add_row(std::size_t i, std::span<const WordMatch> ours, std::vector<Candidate>& found) {
        const Id word = hypothesis_[i];
        const std::uint32_t before = seen_at_[word];
        seen_at_[word] = static_cast<std::uint32_t>(i);
        if (before < i && hypothesis_[before] == word && ours[before].is_free()) {
            repeat_row(before, i, found);
            return;
        }
        find_substitutes(word);
        for (std::size_t block = 0; block < words_.blocks(); ++block) {
            if (free_[block] != 0) add_block(word, i, block, found);
        }
    }

    // Of a word that was there before.
    void repeat_row(std::size_t before, std::size_t i, std::vector<Candidate>& found) {
        for (std::size_t k = row_begins_[before]; k < row_begins_[before + 1]; ++k) {
            add(i, found[k].theirs, found[k].likeness, found);
        }
    }

    void add(std::size_t i, std::size_t place, double likeness, std::vector<Candidate>& found) {
        here_.places[place / 64] |= std::uint64_t{1} << place % 64;
        here_.candidates[place] = static_cast<std::uint32_t>(found.size());
        found.push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(place), likeness, 0});
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

    // Candidates in 64 places. The likeness of a place that has one goes to values_.
    void add_block(Id word, std::size_t i, std::size_t block, std::vector<Candidate>& found) {
        const std::uint64_t equal = words_.places(word)[block] & free_[block];
        const Alike substitutes = look_up_substitutes(block);
        const std::uint64_t alike =
            substitutes.alike | spelled_alike(word, block, equal, substitutes.known);
        for_bits(alike | equal, [&](std::size_t bit) {
            add(i, 64 * block + bit, equal >> bit & 1 ? 1 : values_[bit], found);
        });
    }

    // Places of substitutes, and of those that are alike enough.
    struct Alike {
        std::uint64_t known = 0, alike = 0;
    };

    Alike look_up_substitutes(std::size_t block) {
        Alike result;
        for (const auto& [other, likeness] : std::span(substitutes_).first(substitute_count_)) {
            const std::uint64_t places = words_.places(other)[block] & free_[block];
            result.known |= places;
            result.alike =
                (result.alike & ~places) | (likeness > WordLikeness::kLeast ? places : 0);
            for_bits(places, [&, value = likeness](std::size_t bit) { values_[bit] = value; });
        }
        return result;
    }

    // Places of words with a common part. Of words that are `known` substitutes the larger likeness
    // counts; words that are equal are left out.
    std::uint64_t spelled_alike(Id word, std::size_t block, std::uint64_t equal,
                                std::uint64_t known) {
        const std::size_t letters = likeness_.letter_count(word);
        if (letters == 0) return 0;
        const std::uint64_t spelled = words_.spelled_alike(word, block) & ~equal;
        if (spelled != 0) common_.set(likeness_.letters(word));
        std::uint64_t alike = 0;
        for_bits(spelled, [&](std::size_t bit) {
            const std::u32string_view other = likeness_.letters(reference_[64 * block + bit]);
            const double value =
                WordLikeness::spelled_alike(common_(other), letters + other.size());
            values_[bit] = known >> bit & 1 ? std::max(values_[bit], value) : value;
            alike |= std::uint64_t{values_[bit] > WordLikeness::kLeast} << bit;
        });
        return alike;
    }

    // -- likeness of neighbours -------------------------------------------------------------------

    // Candidates of the row before with their neighbours in this one.
    void join_free_neighbours(std::vector<Candidate>& found) {
        std::uint64_t carry = 0;
        for (std::size_t block = 0; block < here_.places.size(); ++block) {
            const std::uint64_t before = above_.places[block];
            for_bits(here_.places[block] & (before << 1 | carry), [&](std::size_t bit) {
                Candidate& left = found[above_.candidates[64 * block + bit - 1]];
                Candidate& right = found[here_.candidates[64 * block + bit]];
                left.neighbours += right.likeness;
                right.neighbours += left.likeness;
            });
            carry = before >> 63;
        }
    }

    // The neighbours of candidates that are no candidates, as one of their words is taken; and the
    // borders of the texts, which are alike. Few are left of many: each step passes on what is
    // left, without a branch.
    void join_other_neighbours(std::span<const WordMatch> ours, std::span<const WordMatch> theirs,
                               std::vector<Candidate>& found) {
        set_states(ours, our_states_);
        set_states(theirs, their_states_);
        for (const Neighbours& n : likely_neighbours(taken_neighbours(found))) {
            const double likeness = likeness_(n.ours, n.theirs, common_);
            found[n.candidate].neighbours += likeness > WordLikeness::kLeast ? likeness : 0;
        }
    }

    // Of the border, of all words and of the border.
    static void set_states(std::span<const WordMatch> matches, std::vector<std::uint8_t>& states) {
        states.resize(matches.size() + 2);
        states.front() = states.back() = kBorder;
        for (std::size_t i = 0; i < matches.size(); ++i) {
            states[i + 1] = matches[i].is_free() ? kFree : kTaken;
        }
    }

    // Neighbours of which one at least is taken and none is a border. Counts pairs of borders.
    std::span<Neighbours> taken_neighbours(std::vector<Candidate>& found) {
        neighbours_.resize(2 * found.size() + 1);
        std::size_t size = 0;
        for (std::uint32_t k = 0; k < found.size(); ++k) {
            Candidate& c = found[k];
            const int before = our_states_[c.ours] + their_states_[c.theirs];
            const int behind = our_states_[c.ours + 2] + their_states_[c.theirs + 2];
            c.neighbours += (before == 2 * kBorder) + (behind == 2 * kBorder);
            neighbours_[size] = {c.ours - 1, c.theirs - 1, k};
            size += before < 2 * kFree;
            neighbours_[size] = {c.ours + 1, c.theirs + 1, k};
            size += behind < 2 * kFree;
        }
        return std::span(neighbours_).first(size);
    }

    // Places become words; those that cannot be alike are left out.
    std::span<Neighbours> likely_neighbours(std::span<Neighbours> all) const {
        std::size_t size = 0;
        for (const Neighbours& n : all) {
            const Id first = hypothesis_[n.ours], second = reference_[n.theirs];
            all[size] = {first, second, n.candidate};
            size += likeness_.may_be_alike(first, second);
        }
        return all.first(size);
    }

    const WordLikeness& likeness_;
    Ids hypothesis_, reference_;
    ReferenceWords words_;
    LongestCommon common_;
    std::vector<WordLikeness::Substitute> substitutes_;  // of a word; those the reference has first
    std::size_t substitute_count_ = 0;
    double values_[64] = {};               // of the places in a block that are alike
    std::vector<std::uint32_t> seen_at_;   // a place of a word in the hypothesis, or anything
    std::vector<std::size_t> row_begins_;  // where the candidates of a word begin, by its place
    Row above_, here_;                     // of the word before, and of this one
    std::vector<std::uint64_t> free_;      // places of the reference
    std::vector<std::uint8_t> our_states_, their_states_;
    std::vector<Neighbours> neighbours_;
};

}  // namespace rankwise
