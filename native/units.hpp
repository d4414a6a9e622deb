// What an error rate counts: words, or characters with or without the spaces between words.
#pragma once

#include <string>
#include <vector>

#include "text.hpp"
#include "tokenise.hpp"
#include "vocabulary.hpp"

namespace rankwise {

enum class Unit { kWords, kCharacters, kCharactersWithoutSpace };

// A hypothesis and one of its references after the other, as ids of their units.
class UnitPair {
public:
    explicit UnitPair(Unit unit) : unit_(unit) {}

    void set_hypothesis(StringView text) { read(text, hypothesis_text_, hypothesis_tokens_); }

    void set_reference(StringView text) {
        read(text, reference_text_, reference_tokens_);
        if (unit_ == Unit::kWords) {
            words_.number(reference_text_, reference_tokens_, reference);
            words_.look_up(hypothesis_text_, hypothesis_tokens_, hypothesis);
            distinct = words_.size();
        } else {
            characters_.number(reference_text_, reference);
            characters_.look_up(hypothesis_text_, hypothesis);
            distinct = characters_.size();
        }
    }

    std::vector<Id> hypothesis, reference;
    Id distinct = 0;  // ids of the reference are below this

private:
    void read(StringView text, std::u32string& out, std::vector<Token>& tokens) {
        out.clear();
        tokens.clear();
        append_code_points(text, out);
        split_at_space(out, tokens);
        if (unit_ != Unit::kWords) join(out, tokens, unit_ == Unit::kCharacters);
    }

    // Moves the words of `text` together, one space or none between them.
    static void join(std::u32string& text, const std::vector<Token>& tokens, bool with_space) {
        std::size_t end = 0;
        for (const Token token : tokens) {
            if (with_space && end > 0) text[end++] = U' ';
            for (std::size_t i = token.begin; i < token.end; ++i) text[end++] = text[i];
        }
        text.resize(end);
    }

    Unit unit_;
    std::u32string hypothesis_text_, reference_text_;
    std::vector<Token> hypothesis_tokens_, reference_tokens_;
    WordIds words_;
    CharacterIds characters_;
};

}  // namespace rankwise
