// Words and characters to small numbers: equal ones get equal ids, 0, 1, 2 ... as they appear.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text.hpp"

namespace rankwise {

using Id = std::uint32_t;
using Ids = std::span<const Id>;

// The id of what has not been numbered; it equals no other id.
inline constexpr Id kAbsent = ~Id{0};

// Spreads a key over the upper bits (Fibonacci hashing).
inline std::uint64_t scatter(std::uint64_t key) { return key * 0x9e3779b97f4a7c15u; }

// The words of a text that has `width` bytes per code point. Eight bytes at a time are read, so
// there must be something readable behind the last word up to a multiple of eight of its length.
struct Words {
    const char* text;
    std::size_t width;
    std::span<const Token> tokens;
};

// The character that ends every string is enough to read there.
inline Words words_of(const std::u32string& text, std::span<const Token> tokens) {
    return {reinterpret_cast<const char*>(text.data()), sizeof(char32_t), tokens};
}

// Numbers words, whose texts must stay where they are until clear(). Texts of one width only.
//
// The key of a word of up to 7 bytes holds all of them and their number, so that equal keys are
// equal words; the key of a longer one is a hash, and the bytes are compared too.
class Vocabulary {
public:
    // Forgets all words. Slots bear the stamp of their round, so that none need be cleared.
    void clear() {
        words_.clear();
        if (++stamp_ == 0) {  // after 2^32 rounds the old stamps would look fresh
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 1;
        }
    }

    Id size() const { return static_cast<Id>(words_.size()); }

    // The bytes of a word where it first appeared.
    std::string_view word(Id id) const { return words_[id]; }

    // Replaces `ids` by the ids of words, fresh ones for new words.
    void number(const Words& words, std::vector<Id>& ids) {
        fill(words, ids, [this](std::string_view word) { return add(word); });
    }

    // Replaces `ids` by the ids of words, kAbsent for those that have not been numbered.
    void look_up(const Words& words, std::vector<Id>& ids) const {
        fill(words, ids, [this](std::string_view word) { return find(word); });
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;
        Id id = 0;
    };
    static constexpr std::size_t kShort = 7;

    template <class IdOf>
    static void fill(const Words& words, std::vector<Id>& ids, const IdOf& id_of) {
        ids.resize(words.tokens.size());
        Id* next = ids.data();
        for (const auto [begin, end] : words.tokens) {
            *next++ = id_of({words.text + begin * words.width, (end - begin) * words.width});
        }
    }

    Id add(std::string_view word) {
        if (4 * (words_.size() + 1) > slots_.size()) grow();
        const std::uint64_t key = key_of(word);
        Slot& slot = slots_[position(key, word)];
        if (slot.stamp != stamp_) {
            slot = {key, stamp_, size()};
            words_.push_back(word);
        }
        return slot.id;
    }

    Id find(std::string_view word) const {
        if (words_.empty()) return kAbsent;
        const Slot& slot = slots_[position(key_of(word), word)];
        return slot.stamp == stamp_ ? slot.id : kAbsent;
    }

    // Up to eight bytes as a number.
    static std::uint64_t number_at(const char* bytes, std::size_t length) {
        std::uint64_t number;
        std::memcpy(&number, bytes, 8);
        return length >= 8 ? number : number & ((std::uint64_t{1} << 8 * length) - 1);
    }

    static std::uint64_t key_of(std::string_view word) {
        const std::uint64_t first = number_at(word.data(), word.size());
        if (word.size() <= kShort) return first | std::uint64_t{word.size()} << 56;
        std::uint64_t hash = scatter(first ^ word.size());
        for (std::size_t i = 8; i < word.size(); i += 8) {
            hash = scatter((hash ^ hash >> 29) + number_at(word.data() + i, word.size() - i));
        }
        return hash | std::uint64_t{0xff} << 56;
    }

    // The slot that holds the word, or the free slot where it belongs.
    std::size_t position(std::uint64_t key, std::string_view word) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = scatter(key) >> shift_;
        while (slots_[i].stamp == stamp_ && !holds(slots_[i], key, word)) i = (i + 1) & mask;
        return i;
    }

    bool holds(const Slot& slot, std::uint64_t key, std::string_view word) const {
        return slot.key == key && (word.size() <= kShort || words_[slot.id] == word);
    }

    // Not inlined: it is rare, and the loops over words then keep their registers.
    [[gnu::noinline]] void grow() {
        slots_.assign(std::max<std::size_t>(512, 2 * slots_.size()), Slot{});
        shift_ = 64 - std::countr_zero(slots_.size());
        for (Id id = 0; id < size(); ++id) {
            const std::uint64_t key = key_of(words_[id]);
            slots_[position(key, words_[id])] = {key, stamp_, id};
        }
    }

    std::vector<Slot> slots_;  // a power of two, at most a quarter full
    std::vector<std::string_view> words_;  // by id
    int shift_ = 0;
    std::uint32_t stamp_ = 1;
};

// Numbers the characters of a reference and looks up those of a hypothesis.
class Alphabet {
public:
    // Returns how many distinct characters the reference has.
    static Id number(const std::u32string& reference, const std::u32string& hypothesis,
                     std::vector<Id>& reference_ids, std::vector<Id>& hypothesis_ids) {
        Id* const ids = table();
        Id next = 0;
        reference_ids.resize(reference.size());
        hypothesis_ids.resize(hypothesis.size());
        for (std::size_t i = 0; i < reference.size(); ++i) {
            Id& id = ids[reference[i]];
            if (id == 0) id = ++next;
            reference_ids[i] = id - 1;
        }
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            hypothesis_ids[i] = ids[hypothesis[i]] - 1;  // 0 - 1 is kAbsent
        }
        for (const char32_t c : reference) ids[c] = 0;
        return next;
    }

private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    // By code point, plus one; all zeros between calls, so that every thread can keep its own: to
    // map these pages anew costs more than to count hundreds of segments. The system hands out
    // zeros and keeps only the pages we touch.
    static Id* table() {
        thread_local const std::unique_ptr<Id, Free> ids(
            static_cast<Id*>(std::calloc(0x110000, sizeof(Id))));
        if (!ids) throw std::bad_alloc();
        return ids.get();
    }
};

}  // namespace rankwise
