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

#include "text/text.hpp"

namespace rankwise {

using Id = std::uint32_t;
using Ids = std::span<const Id>;

// The id of what has not been numbered; it equals no other id.
inline constexpr Id kAbsent = ~Id{0};

// Spreads a key over the upper bits (Fibonacci hashing).
inline std::uint64_t scatter(std::uint64_t key) { return key * 0x9e3779b97f4a7c15u; }

// The words of a text that has `width` bytes per code point. Eight bytes at a time are read, so
// there must be something readable behind the last word up to eight bytes, unless it is empty.
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
// The key of a word of up to 16 bytes holds them all, the first eight and the last eight, so that
// equal keys of equal length are equal words; of a longer one all bytes are compared too.
class Vocabulary {
public:
    // Forgets all words. Slots bear the stamp of their round, so that none need be cleared.
    void clear() {
        size_ = 0;
        if (++stamp_ == 0) {  // after 2^32 rounds the old stamps would look fresh
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 1;
        }
    }

    Id size() const { return size_; }

    // The bytes of a word where it first appeared.
    std::string_view word(Id id) const { return words_[id]; }

    // Replaces `ids` by the ids of words, fresh ones for new words. There is room for a stretch of
    // words at a time: a long text has many words, but hardly as many different ones.
    void number(const Words& words, std::vector<Id>& ids) {
        ids.resize(words.tokens.size());
        for (std::size_t begin = 0; begin < words.tokens.size(); begin += kStretch) {
            const std::size_t count = std::min(kStretch, words.tokens.size() - begin);
            number({words.text, words.width, words.tokens.subspan(begin, count)},
                   ids.data() + begin);
        }
    }

    // Replaces `ids` by the ids of words, kAbsent for those that have not been numbered.
    void look_up(const Words& words, std::vector<Id>& ids) const {
        if (slots_.empty()) {
            ids.assign(words.tokens.size(), kAbsent);
            return;
        }
        ids.resize(words.tokens.size());
        fill(words, ids.data(), [&](const Key& key, std::string_view word) {
            const Slot& slot = slots_[position(key, word)];
            return static_cast<Id>(slot.id | ~in_use(slot, key));  // all bits set is kAbsent
        });
    }

private:
    struct Key {
        std::uint64_t first = 0, last = 0;
        std::uint64_t tag = 0;  // the stamp of the round, and the length modulo 2^32

        // Nothing but zeros if equal.
        std::uint64_t difference(const Key& other) const {
            return (first ^ other.first) | (last ^ other.last) | (tag ^ other.tag);
        }
    };
    struct Slot {
        Key key;
        std::uint64_t id = 0;
    };
    static constexpr std::size_t kWhole = 16;  // the length up to which a key is the word
    static constexpr std::size_t kStretch = 4096;

    void number(const Words& words, Id* ids) {
        make_room(words.tokens.size());
        std::string_view* const known = words_.data();
        Id size = size_;
        fill(words, ids, [&](const Key& key, std::string_view word) {
            Slot& slot = slots_[position(key, word)];
            const std::uint64_t old = in_use(slot, key);
            const Id id = static_cast<Id>((slot.id & old) | (size & ~old));
            slot = {key, id};
            known[size] = word;
            size += static_cast<Id>(old + 1);
            return id;
        });
        size_ = size;
    }

    // Whether a slot is free, and whether a word is new, is not to be foreseen. So truth is a
    // number here, all bits set or none, on which no branch can be made.
    static std::uint64_t in_use(const Slot& slot, const Key& key) {
        return 0 - ((((slot.key.tag ^ key.tag) >> 32) - 1) >> 63);
    }
    static std::uint64_t holds_another(const Slot& slot, const Key& key) {
        const std::uint64_t difference = slot.key.difference(key);
        return in_use(slot, key) & (difference | (0 - difference)) >> 63;
    }

    template <class IdOf>
    void fill(const Words& words, Id* next, const IdOf& id_of) const {
        for (const auto [begin, end] : words.tokens) {
            const std::string_view word(words.text + begin * words.width,
                                        (end - begin) * words.width);
            *next++ = id_of(key_of(word), word);
        }
    }

    Key key_of(std::string_view word) const {
        const std::size_t size = word.size(), rest = size > 8 ? size - 8 : 0;
        if (size == 0) [[unlikely]] {
            return {0, 0, std::uint64_t{stamp_} << 32};
        }
        const std::uint64_t used = ~std::uint64_t{0} >> 8 * (8 - (size - rest));
        const std::uint64_t last = eight_bytes(word.data() + rest) & used;
        return {eight_bytes(word.data()) & used, size > kWhole ? hashed(word, last) : last,
                std::uint64_t{stamp_} << 32 | static_cast<std::uint32_t>(size)};
    }

    // Of a longer word, a hash of all bytes but the first eight. Not inlined: it is rare.
    [[gnu::noinline]] static std::uint64_t hashed(std::string_view word, std::uint64_t last) {
        std::uint64_t hash = last;
        for (std::size_t i = 8; i + 8 < word.size(); i += 8) {
            hash = scatter((hash ^ hash >> 29) + eight_bytes(word.data() + i));
        }
        return hash;
    }

    // The slot that holds the word, or the free slot where it belongs.
    std::size_t position(const Key& key, std::string_view word) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = scatter(scatter(key.first) + key.last + key.tag) >> shift_;
        while (holds_another(slots_[i], key) ||
               (word.size() > kWhole && in_use(slots_[i], key) && words_[slots_[i].id] != word)) {
            i = (i + 1) & mask;
        }
        return i;
    }

    // For `count` more words, even if all of them are new.
    void make_room(std::size_t count) {
        const std::size_t most = size_ + count + 1;
        if (words_.size() < most) words_.resize(std::max(most, 2 * words_.size()));
        if (2 * most > slots_.size()) grow(most);
    }

    void grow(std::size_t most) {
        slots_.assign(std::bit_ceil(std::max<std::size_t>(512, 4 * most)), Slot{});
        shift_ = 64 - std::countr_zero(slots_.size());
        for (Id id = 0; id < size_; ++id) {
            const Key key = key_of(words_[id]);
            slots_[position(key, words_[id])] = {key, id};
        }
    }

    std::vector<Slot> slots_;              // a power of two, at most half full
    std::vector<std::string_view> words_;  // by id
    Id size_ = 0;
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
            next += id == 0;  // not a branch: which characters are new cannot be foreseen
            id = id == 0 ? next : id;
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
