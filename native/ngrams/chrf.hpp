// Character and word n-grams shared with each reference: the counts of chrF and chrF++.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ngrams/ngrams.hpp"
#include "ngrams/sorted_ngrams.hpp"
#include "ngrams/word_ngrams.hpp"
#include "text/text.hpp"
#include "text/tokenise.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// What chrF++ calls punctuation: the ASCII characters that are no letter, digit, space or control.
inline bool is_ascii_punctuation(char32_t c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

// The words of chrF++, from those between white space: one punctuation character is split off the
// end of a word or else off its beginning; never both, as in the original program and in sacreBLEU.
inline void split_punctuation(const std::u32string& text, const std::vector<Token>& words,
                              std::vector<Token>& out) {
    out.resize(2 * words.size() + 1);  // as many as there can be, and one that is never kept
    Token* next = out.data();
    for (const auto [begin, end] : words) {
        std::uint32_t middle = end;
        if (end - begin > 1 && is_ascii_punctuation(text[end - 1])) {
            middle = end - 1;
        } else if (end - begin > 1 && is_ascii_punctuation(text[begin])) {
            middle = begin + 1;
        }
        *next++ = {begin, middle};
        *next = {middle, end};
        next += middle < end;
    }
    out.erase(out.begin() + (next - out.data()), out.end());
}

// Rows of chrF, one per reference: for every order (characters 1..N, then words 1..M) the number
// of n-grams of the hypothesis, of the reference, and of both. As in sacreBLEU, the hypothesis
// counts for nothing at an order that the reference is too short for.
class ChrfCounter {
public:
    ChrfCounter(std::size_t char_order, std::size_t word_order, bool whitespace)
        : char_order_(char_order),
          word_order_(word_order),
          whitespace_(whitespace),
          matches_(std::max(char_order, word_order)) {}

    void operator()(StringView hypothesis, std::span<const StringView> references,
                    std::int64_t* rows) {
        std::uint8_t width = hypothesis.width;
        for (const StringView& view : references) width = std::max(width, view.width);
        read(hypothesis, width, hypothesis_);
        for (const StringView& view : references) {
            read(view, width, reference_);
            if (char_order_ > 0) count_characters(rows);
            if (word_order_ > 0) count_words(width, rows + 3 * char_order_);
            rows += 3 * (char_order_ + word_order_);
        }
    }

private:
    struct Side {
        std::u32string text, characters;
        std::string bytes;  // of the text, for words
        std::vector<Token> between_spaces, words;
        std::vector<Id> ids;
    };

    void read(StringView view, std::uint8_t width, Side& side) const {
        assign_code_points(view, side.text);
        if (word_order_ > 0) {
            split_at_space(side.text, side.between_spaces);
            split_punctuation(side.text, side.between_spaces, side.words);
            assign_bytes(view_of(side.text), width, side.bytes);
        }
        if (!whitespace_) drop_spaces(side.text, side.characters);
    }

    const std::u32string& characters(const Side& side) const {
        return whitespace_ ? side.text : side.characters;
    }

    static void drop_spaces(const std::u32string& text, std::u32string& out) {
        out.resize(text.size());
        std::size_t length = 0;
        for (const char32_t c : text) {
            out[length] = c;
            length += !is_space(c);
        }
        out.resize(length);
    }

    void count_characters(std::int64_t* row) {
        const Id alphabet = Alphabet::number(characters(reference_), characters(hypothesis_),
                                             reference_.ids, hypothesis_.ids);
        match(character_matcher_, alphabet, char_order_, row);
    }

    void count_words(std::size_t width, std::int64_t* row) {
        vocabulary_.clear();
        vocabulary_.number({reference_.bytes.data(), width, reference_.words}, reference_.ids);
        vocabulary_.look_up({hypothesis_.bytes.data(), width, hypothesis_.words}, hypothesis_.ids);
        match(word_matcher_, vocabulary_.size(), word_order_, row);
    }

    template <class Matcher>
    void match(Matcher& matcher, std::size_t vocabulary, std::size_t max_order, std::int64_t* row) {
        const Ids reference(reference_.ids);
        matcher.match(hypothesis_.ids, std::span(&reference, 1), vocabulary, max_order,
                      matches_.data());
        for (std::size_t n = 1; n <= max_order; ++n, row += 3) {
            row[1] = ngram_total(reference_.ids.size(), n);
            row[0] = row[1] > 0 ? ngram_total(hypothesis_.ids.size(), n) : 0;
            row[2] = matches_[n - 1];
        }
    }

    std::size_t char_order_, word_order_;
    bool whitespace_;
    std::vector<std::int64_t> matches_;
    Side hypothesis_, reference_;
    Vocabulary vocabulary_;
    CharacterMatcher character_matcher_;
    WordMatcher word_matcher_;
};

}  // namespace rankwise
