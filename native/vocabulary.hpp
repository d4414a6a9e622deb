// Tokens to small numbers, one text at a time: equal tokens get equal ids 0, 1, 2 ...
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "tokenise.hpp"

namespace rankwise {

using Id = std::uint32_t;

// The id of a token that the numbered text does not contain; it equals no other id.
inline constexpr Id kAbsent = ~Id{0};

// Numbers the words of one text by first occurrence, then looks up the words of others. Open
// addressing; entries carry the round they belong to, so that a new text costs no clearing.
class WordIds {
public:
    // Replaces `ids` by the ids of the words of `text` and remembers them. `text` must outlive
    // the lookups that follow.
    void number(const std::u32string& text, const std::vector<Token>& tokens, std::vector<Id>& ids) {
        start_round(tokens.size());
        text_ = text.data();
        ids.resize(tokens.size());
        Id* id = ids.data();
        for (const Token token : tokens) {
            Entry& entry = find(text.data(), token);
            if (entry.round != round_) entry = {hash_, round_, size_++, token};
            *id++ = entry.id;
        }
    }

    // Replaces `ids` by the ids of the words of another text; kAbsent for words not numbered.
    void look_up(const std::u32string& text, const std::vector<Token>& tokens, std::vector<Id>& ids) {
        ids.resize(tokens.size());
        Id* id = ids.data();
        for (const Token token : tokens) {
            const Entry& entry = find(text.data(), token);
            *id++ = entry.round == round_ ? entry.id : kAbsent;
        }
    }

    // How many distinct words were numbered.
    Id size() const { return size_; }

private:
    struct Entry {
        std::uint32_t hash = 0, round = 0;
        Id id = 0;
        Token token{0, 0};
    };

    void start_round(std::size_t words) {
        if (entries_.size() < 2 * words + 2) {
            entries_.assign(std::bit_ceil(4 * words + 16), Entry{});
            round_ = 0;
        }
        if (++round_ == 0) {  // the counter wrapped: old entries would look new
            std::fill(entries_.begin(), entries_.end(), Entry{});
            round_ = 1;
        }
        size_ = 0;
    }

    // The entry of the word, or the free entry where it belongs. Leaves its hash in hash_.
    Entry& find(const char32_t* text, Token token) {
        const char32_t* word = text + token.begin;
        const std::size_t length = token.end - token.begin;
        hash_ = hash(word, length);
        const std::size_t mask = entries_.size() - 1;
        for (std::size_t slot = hash_ & mask;; slot = (slot + 1) & mask) {
            Entry& entry = entries_[slot];
            if (entry.round != round_) return entry;
            if (entry.hash == hash_ && entry.token.end - entry.token.begin == length &&
                std::memcmp(text_ + entry.token.begin, word, length * sizeof *word) == 0) {
                return entry;
            }
        }
    }

    static std::uint32_t hash(const char32_t* word, std::size_t length) {
        constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15u;
        std::uint64_t state = length;
        for (; length >= 2; length -= 2, word += 2) {
            std::uint64_t pair;
            std::memcpy(&pair, word, sizeof pair);
            state = std::rotl((state ^ pair) * kMultiplier, 29);
        }
        if (length == 1) state = (state ^ *word) * kMultiplier;
        return static_cast<std::uint32_t>((state * kMultiplier) >> 32);
    }

    std::vector<Entry> entries_;
    const char32_t* text_ = nullptr;
    std::uint32_t round_ = 0, hash_ = 0;
    Id size_ = 0;
};

// The same for single characters: a table for the first plane, a map for the others.
class CharacterIds {
public:
    void number(const std::u32string& text, std::vector<Id>& ids) {
        start_round();
        ids.resize(text.size());
        Id* id = ids.data();
        for (const char32_t c : text) *id++ = c < kPlane ? in_plane(c) : in_map(c);
    }

    void look_up(const std::u32string& text, std::vector<Id>& ids) const {
        ids.resize(text.size());
        Id* id = ids.data();
        for (const char32_t c : text) *id++ = c < kPlane ? known(c) : known_in_map(c);
    }

    Id size() const { return size_; }

private:
    struct Entry {
        std::uint32_t round = 0;
        Id id = 0;
    };
    static constexpr char32_t kPlane = 0x10000;

    void start_round() {
        if (++round_ == 0) {
            std::fill(plane_.begin(), plane_.end(), Entry{});
            round_ = 1;
        }
        others_.clear();
        size_ = 0;
    }
    Id in_plane(char32_t c) {
        Entry& entry = plane_[c];
        if (entry.round != round_) entry = {round_, size_++};
        return entry.id;
    }
    Id in_map(char32_t c) {
        const auto [entry, is_new] = others_.try_emplace(c, size_);
        if (is_new) ++size_;
        return entry->second;
    }
    Id known(char32_t c) const { return plane_[c].round == round_ ? plane_[c].id : kAbsent; }
    Id known_in_map(char32_t c) const {
        const auto entry = others_.find(c);
        return entry == others_.end() ? kAbsent : entry->second;
    }

    std::vector<Entry> plane_ = std::vector<Entry>(kPlane);
    std::unordered_map<char32_t, Id> others_;
    std::uint32_t round_ = 0;
    Id size_ = 0;
};

}  // namespace rankwise
