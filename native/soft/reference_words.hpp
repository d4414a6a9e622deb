// The words of a reference, found by what they share with a word of the hypothesis.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "soft/word_likeness.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Calls body(k) for every bit k that is set, the lowest first.
template <class Body>
void for_bits(std::uint64_t bits, const Body& body) {
    for (; bits != 0; bits &= bits - 1) body(static_cast<std::size_t>(std::countr_zero(bits)));
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
        Id size = 0;
        for (const Id word : words) {
            std::uint64_t& present = present_[word / 64];
            const std::uint64_t bit = std::uint64_t{1} << word % 64;
            if ((present & bit) == 0) present |= bit, numbers_[word] = ++size;
        }
        equal_.assign((size + 1) * blocks_.size(), 0);
        for (std::size_t j = 0; j < words.size(); ++j) {
            equal_[numbers_[words[j]] * blocks_.size() + j / 64] |= std::uint64_t{1} << j % 64;
        }
    }

    // Says at which places, a bit each, words are that others may be spelled like.
    void set_spelled(std::span<const std::uint64_t> free) {
        for (std::size_t block = 0; block < blocks_.size(); ++block) {
            blocks_[block] = {};
            for_bits(free[block],
                     [&](std::size_t bit) { note(words_[64 * block + bit], block, bit); });
        }
    }

    std::size_t blocks() const { return blocks_.size(); }

    bool has(Id word) const { return present_[word / 64] >> word % 64 & 1; }

    // Places of a word, a bit each, by block of 64.
    std::span<const std::uint64_t> places(Id word) const {
        return std::span(equal_).subspan((has(word) ? numbers_[word] : 0) * blocks_.size(),
                                         blocks_.size());
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

    void note(Id word, std::size_t in, std::size_t bit) {
        Block& block = blocks_[in];
        const std::uint64_t place = std::uint64_t{1} << bit;
        const std::size_t letters = likeness_.letter_count(word);
        if (letters == 0) return;
        for (const auto slot : likeness_.slots(word, 2)) block.twos[slot] |= place;
        for (const auto slot : likeness_.slots(word, 3)) block.threes[slot] |= place;
        for (const auto slot : likeness_.slots(word, 4)) block.fours[slot] |= place;
        for (std::size_t most = letters; most <= WordLikeness::kThree; ++most) {
            block.at_most[most] |= place;
        }
    }

    const WordLikeness& likeness_;
    Ids words_;
    std::vector<std::uint64_t> present_;  // a bit for every word of the vocabulary
    std::vector<Id> numbers_;             // of those that are present, from 1, by word
    std::vector<std::uint64_t> equal_;    // by number and block; nothing at 0
    std::vector<Block> blocks_;
};

}  // namespace rankwise
