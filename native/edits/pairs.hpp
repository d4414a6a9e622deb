// A hypothesis and its references, one after the other, as sequences of ids.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/text.hpp"
#include "text/tokenise.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Words, as readers find them: reader(text, tokens) may rewrite the text, and replaces
// the tokens by its own.
template <class HypothesisReader, class ReferenceReader>
class WordPair {
public:
    WordPair(HypothesisReader read_hypothesis, ReferenceReader read_reference)
        : read_hypothesis_(std::move(read_hypothesis)),
          read_reference_(std::move(read_reference)) {}

    void set_hypothesis(StringView text) { hypothesis_text_.read(text, read_hypothesis_); }

    void set_reference(StringView text) {
        reference_text_.read(text, read_reference_);
        if (reference_text_.tokens.size() == 1 && hypothesis_text_.tokens.size() == 1) {
            reference.assign(1, 0);  // two long words, where a language has no spaces
            hypothesis.assign(1, reference_text_.first() == hypothesis_text_.first() ? 0 : kAbsent);
            distinct_ = 1;
            return;
        }
        vocabulary_.clear();
        vocabulary_.number(words_of(reference_text_.text, reference_text_.tokens), reference);
        vocabulary_.look_up(words_of(hypothesis_text_.text, hypothesis_text_.tokens), hypothesis);
        distinct_ = vocabulary_.size();
    }

    std::vector<Id> hypothesis, reference;
    Id distinct() const { return distinct_; }  // ids of the reference are below this

private:
    struct Text {
        std::u32string text;
        std::vector<Token> tokens;

        std::u32string_view first() const {
            return std::u32string_view(text).substr(tokens[0].begin,
                                                    tokens[0].end - tokens[0].begin);
        }

        template <class Reader>
        void read(StringView from, Reader& reader) {
            assign_code_points(from, text);
            reader(text, tokens);
        }
    };

    HypothesisReader read_hypothesis_;
    ReferenceReader read_reference_;
    Text hypothesis_text_, reference_text_;
    Vocabulary vocabulary_;
    Id distinct_ = 0;
};

// Words between white space, read at the width that both texts need: the narrower, the more words
// are known by their key alone.
class SpacedWordPair {
public:
    void set_hypothesis(StringView text) {
        hypothesis_text_ = text;
        between_spaces_.scan(text, hypothesis_tokens_);
        width_ = 0;
    }

    void set_reference(StringView text) {
        read_reference(text);
        number();
    }

    // The first half of set_reference(), after which there are words.
    void read_reference(StringView text) {
        between_spaces_.scan(text, reference_tokens_);
        const std::uint8_t width = std::max(text.width, hypothesis_text_.width);
        if (width != width_) assign_bytes(hypothesis_text_, width, hypothesis_bytes_);
        width_ = width;
        assign_bytes(text, width, reference_bytes_);
    }

    // The second half, after which there are ids.
    void number() {
        vocabulary_.clear();
        vocabulary_.number(reference_words(), reference);
        vocabulary_.look_up(hypothesis_words(), hypothesis);
    }

    Words hypothesis_words() const {
        return {hypothesis_bytes_.data(), width_, hypothesis_tokens_};
    }
    Words reference_words() const { return {reference_bytes_.data(), width_, reference_tokens_}; }

    std::vector<Id> hypothesis, reference;
    Id distinct() const { return vocabulary_.size(); }

private:
    const Tokenizer& between_spaces_ = Tokenizer::named("none");
    StringView hypothesis_text_;
    std::uint8_t width_ = 0;  // of hypothesis_bytes_
    std::string hypothesis_bytes_, reference_bytes_;
    std::vector<Token> hypothesis_tokens_, reference_tokens_;
    Vocabulary vocabulary_;
};

// Characters of words, with one space or none between words.
class CharacterPair {
public:
    explicit CharacterPair(bool with_space) : with_space_(with_space) {}

    void set_hypothesis(StringView text) { read(text, hypothesis_text_); }

    void set_reference(StringView text) {
        read(text, reference_text_);
        distinct_ = Alphabet::number(reference_text_, hypothesis_text_, reference, hypothesis);
    }

    std::vector<Id> hypothesis, reference;
    Id distinct() const { return distinct_; }

private:
    void read(StringView from, std::u32string& text) {
        between_spaces_.scan(from, tokens_);
        assign_code_points(from, text);
        char32_t* end = text.data();
        for (const Token token : tokens_) {
            if (with_space_ && end != text.data()) *end++ = U' ';
            const char32_t* word = &text[token.begin];
            const std::size_t length = token.end - token.begin;
            if (word != end) std::copy(word, word + length, end);  // mostly they are in place
            end += length;
        }
        text.resize(static_cast<std::size_t>(end - text.data()));
    }

    const Tokenizer& between_spaces_ = Tokenizer::named("none");
    bool with_space_;
    std::u32string hypothesis_text_, reference_text_;
    std::vector<Token> tokens_;
    Id distinct_ = 0;
};

}  // namespace rankwise
