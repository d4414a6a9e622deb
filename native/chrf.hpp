// Character and word n-grams shared with each reference: the counts of chrF and chrF++.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "ngrams.hpp"
#include "sorted_ngrams.hpp"
#include "text.hpp"
#include "tokenise.hpp"

namespace rankwise {

// What chrF++ calls punctuation: the ASCII characters that are no letter, digit, space or control.
inline bool is_ascii_punctuation(char32_t c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

// The words of chrF++, from those between white space: one punctuation character is split off the
// end of a word or else off its beginning; never both, as in the original program and in sacreBLEU.
inline void split_punctuation(const std::u32string& text, const TokenList& words, TokenList& out) {
    Token* next = out.start(2 * words.size() + 1);
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
    out.finish(next);
}

// Gives the characters of a reference the numbers 0, 1, 2 ... in order of appearance.
class CharacterNumbers {
public:
    static std::size_t number(const std::u32string& reference, const std::u32string& hypothesis,
                              std::vector<std::uint32_t>& reference_numbers,
                              std::vector<std::uint32_t>& hypothesis_numbers) {
        std::uint32_t* const numbers = table();
        std::uint32_t next = 0;
        reference_numbers.resize(reference.size());
        hypothesis_numbers.resize(hypothesis.size());
        for (std::size_t i = 0; i < reference.size(); ++i) {
            std::uint32_t& number = numbers[reference[i]];
            if (number == 0) number = ++next;
            reference_numbers[i] = number - 1;
        }
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            hypothesis_numbers[i] = numbers[hypothesis[i]] - 1;  // 0 - 1 is `absent`
        }
        for (const char32_t c : reference) numbers[c] = 0;
        return next;
    }

private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    // By code point, plus one; all zeros between calls, so that every thread can keep its own: to
    // map these pages anew costs more than to count hundreds of segments. The system hands out
    // zeros and keeps only the pages we touch.
    static std::uint32_t* table() {
        thread_local const std::unique_ptr<std::uint32_t, Free> numbers(
            static_cast<std::uint32_t*>(std::calloc(0x110000, 4)));
        if (!numbers) throw std::bad_alloc();
        return numbers.get();
    }
};

// Rows of chrF, one per reference: for every order (characters 1..N, then words 1..M) the number
// of n-grams of the hypothesis, of the reference, and of both. As in sacreBLEU, the hypothesis
// counts for nothing at an order that the reference is too short for.
class ChrfCounter {
public:
    ChrfCounter(std::size_t char_order, std::size_t word_order, bool whitespace)
        : char_order_(char_order), word_order_(word_order), whitespace_(whitespace),
          matches_(std::max(char_order, word_order)) {}

    void operator()(StringView hypothesis, std::span<const StringView> references, std::int64_t* rows) {
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
        TokenList between_spaces, words;
        std::vector<std::uint32_t> numbers;
    };

    void read(StringView view, std::uint8_t width, Side& side) const {
        assign_code_points(view, side.text);
        if (word_order_ > 0) {
            at_spaces_(side.text, side.between_spaces);
            split_punctuation(side.text, side.between_spaces, side.words);
            narrow(side.text, width, side.bytes);
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
        const std::size_t alphabet = CharacterNumbers::number(characters(reference_), characters(hypothesis_),
                                                        reference_.numbers, hypothesis_.numbers);
        match(character_matcher_, alphabet, char_order_, row);
    }

    void count_words(std::size_t width, std::int64_t* row) {
        words_.clear();
        number(reference_, width, [this](auto... word) { return words_.add(word...); });
        number(hypothesis_, width, [this](auto... word) { return words_.find(word...); });
        match(word_matcher_, words_.size(), word_order_, row);
    }

    template <class NumberOf>
    static void number(Side& side, std::size_t width, const NumberOf& number_of) {
        side.numbers.resize(side.words.size());
        std::uint32_t* next = side.numbers.data();
        for (const auto [begin, end] : side.words) {
            *next++ = number_of(side.bytes.data() + begin * width, (end - begin) * width);
        }
    }

    template <class Matcher>
    void match(Matcher& matcher, std::size_t vocabulary, std::size_t max_order, std::int64_t* row) {
        const std::span<const std::uint32_t> reference(reference_.numbers);
        matcher.match(hypothesis_.numbers, std::span(&reference, 1), vocabulary, max_order,
                      matches_.data());
        for (std::size_t n = 1; n <= max_order; ++n, row += 3) {
            row[1] = ngram_total(reference_.numbers.size(), n);
            row[0] = row[1] > 0 ? ngram_total(hypothesis_.numbers.size(), n) : 0;
            row[2] = matches_[n - 1];
        }
    }

    const Tokenizer& at_spaces_ = Tokenizer::named("none");
    std::size_t char_order_, word_order_;
    bool whitespace_;
    std::vector<std::int64_t> matches_;
    Side hypothesis_, reference_;
    TokenNumbers words_;
    CharacterMatcher character_matcher_;
    WordMatcher word_matcher_;
};

}  // namespace rankwise
