// Numbers for the words of texts whose words are characters, as in Chinese.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "text/text.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// What Vocabulary does, faster where most words are one character: these are numbered in a table by
// code point, and only the rest is hashed. Ids are odd for the ones and even for the others.
class CharacterWords {
public:
    // Whether this is worth while for such a text.
    static bool suits(std::span<const Token> tokens) {
        return !tokens.empty() && tokens.back().end < 2 * tokens.size();
    }

    // Ids are below this.
    std::size_t size() const {
        return 2 * std::max<std::size_t>(characters_ + 1, rest_vocabulary_.size());
    }

    // Replaces `ids` by the ids of the words of each reference and of the hypothesis; kAbsent for
    // those that no reference has. Every entry has words() and ids, the hypothesis comes first.
    template <class Text>
    void number(std::span<Text> texts) {
        Id* const table = by_code_point();
        characters_ = 0;
        rest_vocabulary_.clear();
        for (Text& text : texts.subspan(1)) {
            number_characters(text.words(), text.ids, table);
            rest_vocabulary_.number(rest_words(text.words()), rest_ids_);
            put_rest(text.ids);
        }
        look_up_characters(texts[0].words(), texts[0].ids, table);
        rest_vocabulary_.look_up(rest_words(texts[0].words()), rest_ids_);
        put_rest(texts[0].ids);
        for (Text& text : texts.subspan(1)) forget(text.words(), table);
    }

private:
    static constexpr std::uint32_t kCharacters = 0x10000;  // one more stands for all other words

    void number_characters(const Words& words, std::vector<Id>& ids, Id* table) {
        Id next = characters_;
        read(words, ids, [&](std::uint32_t character) {
            Id& id = table[character];
            next += id == 0;  // not a branch: which characters are new cannot be foreseen
            id = id == 0 ? next : id;
            return 2 * id - 1;
        });
        characters_ = next;
    }

    void look_up_characters(const Words& words, std::vector<Id>& ids, const Id* table) {
        read(words, ids, [=](std::uint32_t character) {
            return 2 * table[character] - 1;  // 0 - 1 is kAbsent
        });
    }

    static void forget(const Words& words, Id* table) {
        for (const Token token : words.tokens) table[character_of(words, token)] = 0;
    }

    // Sets the ids of characters, and lists the rest of the words; without a branch, since which is
    // which cannot be foreseen either.
    template <class IdOf>
    void read(const Words& words, std::vector<Id>& ids, const IdOf& id_of) {
        const std::size_t size = words.tokens.size();
        ids.resize(size);
        rest_.resize(size + 1);
        places_.resize(size + 1);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint32_t character = character_of(words, words.tokens[i]);
            ids[i] = id_of(character);
            rest_[kept] = words.tokens[i];
            places_[kept] = static_cast<std::uint32_t>(i);
            kept += character == kCharacters;
        }
        rest_.resize(kept);
    }

    // The code point of a word of one character, or kCharacters.
    static std::uint32_t character_of(const Words& words, Token token) {
        const std::uint64_t first = eight_bytes(words.text + token.begin * words.width);
        const std::uint64_t point = first & ~std::uint64_t{0} >> 8 * (8 - words.width);
        const bool is_character = (token.end - token.begin == 1) & (point < kCharacters);
        return is_character ? static_cast<std::uint32_t>(point) : kCharacters;
    }

    Words rest_words(const Words& words) const { return {words.text, words.width, rest_}; }

    void put_rest(std::vector<Id>& ids) const {
        for (std::size_t k = 0; k < rest_.size(); ++k) {
            ids[places_[k]] = rest_ids_[k] == kAbsent ? kAbsent : 2 * rest_ids_[k];
        }
    }

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    // By code point, plus one; all zeros between calls, so that every thread can keep its own.
    static Id* by_code_point() {
        thread_local const std::unique_ptr<Id, Free> ids(
            static_cast<Id*>(std::calloc(kCharacters + 1, sizeof(Id))));
        if (!ids) throw std::bad_alloc();
        return ids.get();
    }

    Id characters_ = 0;
    Vocabulary rest_vocabulary_;
    std::vector<Token> rest_;            // of one text: words that are no character
    std::vector<std::uint32_t> places_;  // where they stand
    std::vector<Id> rest_ids_;
};

}  // namespace rankwise
