// The words of a reference, found by what they share with a word of the hypothesis.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "soft/one_to_one.hpp"
#include "soft/word_likeness.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Calls body(k) for every bit k that is set, the lowest first.
template <class Body>
void for_bits(std::uint64_t bits, const Body& body) {
    for (; bits != 0; bits &= bits - 1) body(static_cast<std::size_t>(std::countr_zero(bits)));
}

// The distinct words of a reference, where they are, and which of them a word may be spelled like.
// The latter are found without looking at the others. Keeps its buffers.
class ReferenceWords {
public:
    explicit ReferenceWords(const WordLikeness& likeness)
        : likeness_(likeness), numbers_(likeness.size(), 0) {}

    // They must stay where they are.
    void set(Ids words) {
        for (const Id word : words_) numbers_[word] = 0;
        words_ = words;
        firsts_.assign(1, kNone);  // of words that are nowhere
        next_.resize(words.size());
        for (std::size_t j = words.size(); j-- > 0;) {  // so that chains rise
            std::uint32_t& number = numbers_[words[j]];
            if (number == 0) {
                number = static_cast<std::uint32_t>(firsts_.size());
                firsts_.push_back(kNone);
            }
            next_[j] = firsts_[number];
            firsts_[number] = static_cast<std::uint32_t>(j);
        }
    }

    // Of a distinct word, from 1 up to count(); 0 if the reference has no such word.
    std::uint32_t number(Id word) const { return numbers_[word]; }
    std::size_t count() const { return firsts_.size() - 1; }

    // Calls body(j) for every place of a word, the first first.
    template <class Body>
    void for_places(Id word, const Body& body) const {
        for_numbered(numbers_[word], body);
    }
    template <class Body>
    void for_numbered(std::uint32_t number, const Body& body) const {
        for (std::uint32_t j = firsts_[number]; j != kNone; j = next_[j]) body(j);
    }

    // Says which words others may be spelled like: those that have letters and a place that is
    // free.
    void set_spelled(Matches matches) {
        for (std::size_t k = 0; k < spelled_.size(); ++k) {
            blocks_[k / 64].forget(likeness_, spelled_[k]);
        }
        find_spelled(matches);
        blocks_.resize(std::max(blocks_.size(), used_blocks()));
        for (std::size_t k = 0; k < spelled_.size(); ++k) {
            blocks_[k / 64].note(likeness_, spelled_[k], k % 64);
        }
        for (std::size_t block = 0; block < used_blocks(); ++block) blocks_[block].add_up();
    }

    // Leaves out those of them that have no free place any more.
    void drop_taken(Matches matches) {
        for (std::size_t block = 0; block < used_blocks(); ++block) blocks_[block].free = 0;
        for (std::size_t j = 0; j < words_.size() && !spelled_.empty(); ++j) {
            const std::uint32_t k = spelled_at_[numbers_[words_[j]]];
            const std::uint64_t is_free = (k != kNone) & matches[j].is_free();
            blocks_[k / 64 % blocks_.size()].free |= is_free << k % 64;
        }
    }

    // Calls body(other) for those of them that may have a common part with a word that has letters,
    // long enough for a likeness above kLeast. All others do not.
    template <class Body>
    void for_alike(Id word, const Body& body) const {
        for (std::size_t block = 0; block < used_blocks(); ++block) {
            for_bits(blocks_[block].alike(likeness_, word),
                     [&](std::size_t bit) { body(spelled_[64 * block + bit]); });
        }
    }

    // The same for a likeness above kNearly.
    template <class Body>
    void for_nearly_equal(Id word, const Body& body) const {
        for (std::size_t block = 0; block < used_blocks(); ++block) {
            for_bits(blocks_[block].with_gram(likeness_.middle_slots(word)), [&](std::size_t bit) {
                const Id other = spelled_[64 * block + bit];
                if (likeness_.may_be_nearly_equal(word, other)) body(other);
            });
        }
    }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    // Up to 64 words: which have an n-gram of letters (others may share its slot), which have so
    // many letters at most, and which have a free place.
    struct Block {
        std::uint64_t grams[WordLikeness::kSlots] = {};
        std::uint64_t at_most[WordLikeness::kThree + 1] = {};
        std::uint64_t free = 0;

        void note(const WordLikeness& likeness, Id word, std::size_t bit) {
            const std::uint64_t place = std::uint64_t{1} << bit;
            for (const auto slot : likeness.slots(word)) grams[slot] |= place;
            const std::size_t letters = likeness.letter_count(word);
            at_most[std::min(letters, WordLikeness::kThree)] |=
                letters <= WordLikeness::kThree ? place : 0;
            free |= place;
        }

        // From those of so many letters to those of so many at most, once all are noted.
        void add_up() {
            for (std::size_t n = 1; n <= WordLikeness::kThree; ++n) at_most[n] |= at_most[n - 1];
        }

        // Of a word and of whatever has an n-gram of it.
        void forget(const WordLikeness& likeness, Id word) {
            for (const auto slot : likeness.slots(word)) grams[slot] = 0;
            std::fill(std::begin(at_most), std::end(at_most), 0);
            free = 0;
        }

        // Those that have up to `sum` letters together with a word of so many.
        std::uint64_t up_to(std::size_t sum, std::size_t letters) const {
            return letters < sum ? at_most[sum - letters] : 0;
        }

        std::uint64_t with_gram(WordLikeness::Slots slots) const {
            std::uint64_t found = 0;
            for (const auto slot : slots) found |= grams[slot];
            return found;
        }

        std::uint64_t alike(const WordLikeness& likeness, Id word) const {
            const std::size_t letters = likeness.letter_count(word);
            const std::uint64_t with_two = free & up_to(WordLikeness::kTwo, letters);
            const std::uint64_t with_three = free & up_to(WordLikeness::kThree, letters);
            std::uint64_t two = 0, three = 0;
            if (with_two != 0) two = with_gram(likeness.slots(word, 2));
            if (with_three != 0) three = with_gram(likeness.slots(word, 3));
            return (two & with_two) | (three & with_three & ~with_two) |
                   (with_gram(likeness.slots(word, 4)) & free & ~with_three);
        }
    };

    std::size_t used_blocks() const { return (spelled_.size() + 63) / 64; }

    // The distinct words that have letters and a free place. Which are new is not to be foreseen:
    // no branch.
    void find_spelled(Matches matches) {
        spelled_at_.assign(firsts_.size(), kNone);
        spelled_.resize(words_.size() + 1);
        std::uint32_t size = 0;
        for (std::size_t j = 0; j < words_.size(); ++j) {
            std::uint32_t& at = spelled_at_[numbers_[words_[j]]];
            const bool is_new =
                (at == kNone) & (likeness_.letter_count(words_[j]) > 0) & matches[j].is_free();
            spelled_[size] = words_[j];
            at = is_new ? size : at;
            size += is_new;
        }
        spelled_.resize(size);
    }

    const WordLikeness& likeness_;
    Ids words_;
    std::vector<std::uint32_t> numbers_;        // of distinct words, from 1, by word; 0 for others
    std::vector<std::uint32_t> firsts_, next_;  // places: by number, and by place
    std::vector<Id> spelled_;                   // by block and bit
    std::vector<std::uint32_t> spelled_at_;     // by number
    std::vector<Block> blocks_;                 // all zeros from those that are used on
};

}  // namespace rankwise
