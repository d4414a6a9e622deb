// Character n-grams of words joined by single spaces: n-grams cross the borders of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sorted_ngrams.hpp"
#include "text.hpp"
#include "vocabulary.hpp"

namespace rankwise {

// What a character is: a code point, or (as in Java) a unit of UTF-16.
enum class Characters { code_points, utf16 };

// Appends the characters of `text`.
inline void append_characters(std::u32string_view text, Characters characters, std::u32string& out) {
    for (const char32_t c : text) {
        if (characters == Characters::utf16 && c > 0xffff) {
            out.push_back(0xd800 + ((c - 0x10000) >> 10));
            out.push_back(0xdc00 + ((c - 0x10000) & 0x3ff));
        } else {
            out.push_back(c);
        }
    }
}

// The characters of the words of a vocabulary, by id.
class SpelledWords {
public:
    void add(StringView word, Characters characters) {
        assign_code_points(word, buffer_);
        append_characters(buffer_, characters, letters_);
        ends_.push_back(letters_.size());
    }
    std::size_t size() const { return ends_.size() - 1; }

    std::u32string_view letters(Id word) const {
        return std::u32string_view(letters_).substr(ends_[word], ends_[word + 1] - ends_[word]);
    }

    // Makes `out` the words of a text with a space between them.
    void join(Ids words, std::u32string& out) const {
        out.clear();
        for (const Id w : words) {
            out.append(letters_, ends_[w], ends_[w + 1] - ends_[w]);
            out.push_back(U' ');
        }
        if (!out.empty()) out.pop_back();
    }

private:
    std::u32string letters_, buffer_;
    std::vector<std::size_t> ends_{0};
};

// Character n-grams of pairs of texts. Keeps its buffers.
class CharacterNgrams {
public:
    // Sets rows of three for n = 1 .. max_order: n-grams of the hypothesis, of the reference, and
    // of both (clipped).
    void count(const std::u32string& hypothesis, const std::u32string& reference,
               std::size_t max_order, std::int64_t* row) {
        const Id alphabet = Alphabet::number(reference, hypothesis, reference_ids_, hypothesis_ids_);
        const Ids reference_ids(reference_ids_);
        matches_.resize(max_order);
        matcher_.match(hypothesis_ids_, std::span(&reference_ids, 1), alphabet, max_order,
                       matches_.data());
        for (std::size_t n = 1; n <= max_order; ++n, row += 3) {
            row[0] = ngram_total(hypothesis.size(), n);
            row[1] = ngram_total(reference.size(), n);
            row[2] = matches_[n - 1];
        }
    }

private:
    std::vector<Id> hypothesis_ids_, reference_ids_;
    std::vector<std::int64_t> matches_;
    CharacterMatcher matcher_;
};

}  // namespace rankwise
