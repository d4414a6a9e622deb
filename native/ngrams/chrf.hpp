// Character and word n-grams shared with each reference: the counts of chrF and chrF++.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ngrams/character_ngrams.hpp"
#include "ngrams/ngram_rows.hpp"
#include "ngrams/placed_words.hpp"
#include "ngrams/word_ngrams.hpp"
#include "text/text.hpp"
#include "text/tokenise.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// What chrF++ calls punctuation: the ASCII characters that are no letter, digit, space or control.
inline constexpr auto kAsciiPunctuation = [] {
    std::array<bool, 0x81> table{};  // the last stands for all that is not ASCII
    for (std::size_t c = '!'; c <= '~'; ++c) {
        const bool is_digit = c >= '0' && c <= '9';
        const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        table[c] = !is_digit && !is_letter;
    }
    return table;
}();

inline bool is_ascii_punctuation(char32_t c) {
    return kAsciiPunctuation[std::min<char32_t>(c, 0x80)];
}

// The words of chrF++, from those between white space: one punctuation character is split off the
// end of a word or else off its beginning; never both, as in the original program and in sacreBLEU.
// Which words have any is not to be foreseen, so there is no branch on it.
template <class Unit>
void split_punctuation(const Unit* text, std::span<const Token> words, std::vector<Token>& out) {
    out.resize(2 * words.size() + 1);  // as many as there can be, and one that is never kept
    Token* next = out.data();
    for (const auto [begin, end] : words) {
        const unsigned longer = end - begin > 1;
        const unsigned at_end = longer & is_ascii_punctuation(text[end - 1]);
        const unsigned at_begin = longer & ~at_end & is_ascii_punctuation(text[begin]);
        const std::uint32_t middle = end - at_end - (end - begin - 1) * at_begin;
        *next++ = {begin, middle};
        *next = {middle, end};
        next += at_end | at_begin;
    }
    out.resize(static_cast<std::size_t>(next - out.data()));
}

inline void split_punctuation(StringView text, std::span<const Token> words,
                              std::vector<Token>& out) {
    switch (text.width) {
        case 1: return split_punctuation(static_cast<const std::uint8_t*>(text.data), words, out);
        case 2: return split_punctuation(static_cast<const std::uint16_t*>(text.data), words, out);
        default: return split_punctuation(static_cast<const char32_t*>(text.data), words, out);
    }
}

// As in sacreBLEU, the hypothesis counts for nothing at an order that the reference is too short
// for.
inline void leave_out_missing_orders(CountRow row) {
    for (std::size_t n = 1; n <= row.size() / kCellsPerOrder; ++n) {
        const CountRow cells = cells_of_order(row, n);
        if (cells[1] == 0) cells[0] = 0;
    }
}

// Rows of chrF, one per reference: for every order (characters 1..N, then words 1..M) the number
// of n-grams of the hypothesis, of the reference, and of both.
class ChrfCounter {
public:
    ChrfCounter(std::size_t char_order, std::size_t word_order, bool whitespace)
        : char_cells_(kCellsPerOrder * char_order),
          word_cells_(kCellsPerOrder * word_order),
          whitespace_(whitespace),
          matches_(word_order) {}

    void operator()(StringView hypothesis, std::span<const StringView> references, CountRow rows) {
        std::uint8_t width = hypothesis.width;
        for (const StringView& view : references) width = std::max(width, view.width);
        read(hypothesis, width, hypothesis_);
        for (const StringView& view : references) {
            read(view, width, reference_);
            const CountRow row = rows.first(char_cells_ + word_cells_);
            if (char_cells_ > 0) count_characters(row.first(char_cells_));
            if (word_cells_ > 0) count_words(width, row.subspan(char_cells_));
            leave_out_missing_orders(row);
            rows = rows.subspan(row.size());
        }
    }

private:
    struct Side {
        std::u32string text, characters;
        std::string bytes;  // of the text, for words
        std::vector<Token> between_spaces, words;
        std::vector<Id> ids;  // of words
    };

    void read(StringView view, std::uint8_t width, Side& side) const {
        assign_code_points(view, side.text);
        if (word_cells_ > 0) {
            assign_bytes(view, width, side.bytes);
            none_.scan(view, side.between_spaces);
            split_punctuation(view, side.between_spaces, side.words);
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

    void count_characters(CountRow row) {
        character_ngrams_.count(characters(hypothesis_), characters(reference_), row);
    }

    void count_words(std::size_t width, CountRow row) {
        const Words ours{hypothesis_.bytes.data(), width, hypothesis_.words};
        const Words theirs{reference_.bytes.data(), width, reference_.words};
        if (PlacedWords::fits(theirs, matches_.size())) {
            placed_.match(ours, theirs, matches_);
            return write_orders(row, ours.tokens.size(), theirs.tokens.size(), matches_);
        }
        vocabulary_.clear();
        vocabulary_.number(theirs, reference_.ids);
        vocabulary_.look_up(ours, hypothesis_.ids);
        word_ngrams_.count(hypothesis_.ids, reference_.ids, vocabulary_.size(), row);
    }

    const Tokenizer& none_ = Tokenizer::named("none");
    std::size_t char_cells_, word_cells_;  // in a row
    bool whitespace_;
    Side hypothesis_, reference_;
    std::vector<std::int64_t> matches_;  // by order of words
    PlacedWords placed_;
    Vocabulary vocabulary_;
    CharacterNgrams character_ngrams_;
    NgramRows<WordMatcher> word_ngrams_;
};

}  // namespace rankwise
