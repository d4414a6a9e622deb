// What METEOR's matchers know about words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/paraphrases.hpp"

namespace rankwise {

// What the matchers know about the words of a vocabulary, by word id.
struct WordTable {
    std::span<const std::int64_t> keys;          // words with equal keys are equal
    std::span<const std::int64_t> stems;         // equal stems match; -1 for none
    std::span<const std::int64_t> first_synset;  // those of w end where those of w + 1 begin
    std::span<const std::int64_t> synsets;       // ascending within a word
    std::span<const std::uint8_t> function;      // 1 for a function word
    std::span<const std::int32_t> phrase_words;  // ids in the paraphrase table, -1 if absent
    const ParaphraseTable* paraphrases = nullptr;

    std::vector<std::uint64_t> synset_marks;  // a bit per synset, to reject most pairs at once

    void mark_synsets() {
        synset_marks.assign(keys.size(), 0);
        for (std::size_t w = 0; w < keys.size(); ++w) {
            for (const std::int64_t s : synsets_of(w)) {
                const std::uint64_t hash = static_cast<std::uint64_t>(s) * 0x9e3779b97f4a7c15;
                synset_marks[w] |= std::uint64_t{1} << (hash >> 58);
            }
        }
    }

    std::span<const std::int64_t> synsets_of(std::size_t w) const {
        const auto begin = static_cast<std::size_t>(first_synset[w]);
        return synsets.subspan(begin, static_cast<std::size_t>(first_synset[w + 1]) - begin);
    }
};

}  // namespace rankwise
