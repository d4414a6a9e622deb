// How many n-grams two token sequences share: exact, of any order, against any number of references.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text.hpp"
#include "tokenise.hpp"

namespace rankwise {

// The number of n-grams of a sequence of that length.
inline std::int64_t ngram_total(std::size_t length, std::size_t order) {
    return length < order ? 0 : static_cast<std::int64_t>(length - order + 1);
}

// A token that the references do not have.
inline constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

// Spreads a key over the upper bits (Fibonacci hashing).
inline std::uint64_t scatter(std::uint64_t key) { return key * 0x9e3779b97f4a7c15u; }

// Gives equal tokens equal numbers, 0, 1, 2 ... in order of appearance. A token is a range of bytes
// with at least 7 readable bytes behind it, which must stay where it is until clear().
//
// The key of a token of up to 7 bytes holds all of them and their number, so that equal keys are
// equal tokens; the key of a longer one is a hash, and the bytes are compared too.
class TokenNumbers {
public:
    void clear() {
        tokens_.clear();
        if (++stamp_ == 0) {  // after 2^32 rounds the old stamps would look fresh
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 1;
        }
    }

    std::size_t size() const { return tokens_.size(); }

    // The number of a token, a fresh one if it is new.
    std::uint32_t add(const char* bytes, std::size_t length) {
        if (4 * (tokens_.size() + 1) > slots_.size()) grow();
        const std::string_view token(bytes, length);
        const std::uint64_t key = key_of(token);
        Slot& slot = slots_[position(key, token)];
        if (slot.stamp != stamp_) {
            slot = {key, stamp_, static_cast<std::uint32_t>(tokens_.size())};
            tokens_.push_back(token);
        }
        return slot.number;
    }

    // The number of a token, or `absent`.
    std::uint32_t find(const char* bytes, std::size_t length) const {
        if (tokens_.empty()) return absent;
        const std::string_view token(bytes, length);
        const Slot& slot = slots_[position(key_of(token), token)];
        return slot.stamp == stamp_ ? slot.number : absent;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0, number = 0;
    };
    static constexpr std::size_t short_length = 7;

    // Up to eight bytes as a number.
    static std::uint64_t word_at(const char* bytes, std::size_t length) {
        std::uint64_t word;
        std::memcpy(&word, bytes, 8);
        return length >= 8 ? word : word & ((std::uint64_t{1} << 8 * length) - 1);
    }

    static std::uint64_t key_of(std::string_view token) {
        const std::uint64_t first = word_at(token.data(), token.size());
        if (token.size() <= short_length) return first | std::uint64_t{token.size()} << 56;
        std::uint64_t hash = scatter(first ^ token.size());
        for (std::size_t i = 8; i < token.size(); i += 8) {
            hash = scatter((hash ^ hash >> 29) + word_at(token.data() + i, token.size() - i));
        }
        return hash | std::uint64_t{0xff} << 56;
    }

    // The slot that holds the token, or the free slot where it belongs.
    std::size_t position(std::uint64_t key, std::string_view token) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = scatter(key) >> shift_;
        while (slots_[i].stamp == stamp_ && !holds(slots_[i], key, token)) i = (i + 1) & mask;
        return i;
    }

    bool holds(const Slot& slot, std::uint64_t key, std::string_view token) const {
        return slot.key == key && (token.size() <= short_length || tokens_[slot.number] == token);
    }

    void grow() {
        slots_.assign(std::max<std::size_t>(512, 2 * slots_.size()), Slot{});
        shift_ = 64 - std::countr_zero(slots_.size());
        for (std::uint32_t number = 0; number < tokens_.size(); ++number) {
            const std::uint64_t key = key_of(tokens_[number]);
            slots_[position(key, tokens_[number])] = {key, stamp_, number};
        }
    }

    std::vector<Slot> slots_;  // a power of two, at most a quarter full
    std::vector<std::string_view> tokens_;  // by number
    int shift_ = 0;
    std::uint32_t stamp_ = 1;
};

// Counts the n-grams of a hypothesis that occur in references, each at most as often as in the
// reference that has it most often (clipping).
//
// Order by order: an n-gram is the pair of the two (n-1)-grams it overlaps, so its key is exact in
// 64 bits whatever the order and the vocabulary; and only n-grams both of whose parts occur on both
// sides are looked at, because no other can match. Lists are thinned out without branches: an entry
// is always written, and the end only moves on if it is to stay.
class NgramMatcher {
public:
    using Numbers = std::span<const std::uint32_t>;

    // Sets matches[n - 1] for n = 1 .. max_order. Numbers in `references` are below `vocabulary`;
    // `hypothesis` may also hold `absent`.
    void match(Numbers hypothesis, std::span<const Numbers> references, std::size_t vocabulary,
               std::size_t max_order, std::int64_t* matches) {
        std::fill_n(matches, max_order, 0);
        if (references_.size() < references.size()) references_.resize(references.size());
        const std::span<Sequence> others(references_.data(), references.size());
        for (std::size_t r = 0; r < references.size(); ++r) others[r].assign(references[r]);
        hypothesis_.assign(hypothesis);
        start_round(vocabulary);
        matches[0] = play(others, [](std::uint64_t number) { return number; });
        for (std::size_t order = 2; order <= max_order && matches[order - 2] > 0; ++order) {
            start_round(2 * pair_up(others));
            matches[order - 1] = play(others, [this](std::uint64_t key) { return position(key); });
        }
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;  // the round's if in use, plus one once the hypothesis had it
        std::uint32_t left = 0;   // how often the hypothesis may still match it
    };

    // The n-grams of one order that may still match: where they begin, their keys and slots.
    struct Sequence {
        std::vector<std::uint32_t> begins, slots;
        std::vector<std::uint64_t> keys;
        std::size_t count = 0;

        void assign(Numbers numbers) {
            if (begins.size() < numbers.size() + 1) {
                begins.resize(numbers.size() + 1);
                slots.resize(numbers.size() + 1);
                keys.resize(numbers.size() + 1);
            }
            count = 0;
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                begins[count] = static_cast<std::uint32_t>(i);
                keys[count] = numbers[i];
                count += numbers[i] != absent;
            }
        }

        void pair_up() {
            std::size_t kept = 0;
            for (std::size_t i = 0; i + 1 < count; ++i) {
                const bool touch = begins[i + 1] == begins[i] + 1;
                keys[kept] = std::uint64_t{slots[i]} << 32 | slots[i + 1];
                begins[kept] = begins[i];
                kept += touch;
            }
            count = kept;
        }
    };

    // A round has a stamp of its own, so that no slot need be cleared.
    void start_round(std::size_t size) {
        size = std::bit_ceil(std::max<std::size_t>(size, 16));
        if (size > slots_.size()) slots_.resize(size);
        mask_ = size - 1;
        shift_ = 64 - std::countr_zero(size);
        stamp_ += 2;
        if (stamp_ == 0) {  // after 2^31 rounds the old stamps would look fresh
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 2;
        }
    }

    // One order: counts the references' n-grams, then what the hypothesis matches of them.
    template <class Locate>
    std::int64_t play(std::span<Sequence> others, const Locate& locate) {
        if (others.size() == 1) {
            count(others[0], locate);
        } else {
            count_most(others, locate);
        }
        const std::int64_t matches = take(locate);
        for (Sequence& other : others) forget_unmatched(other);
        return matches;
    }

    template <class Locate>
    void count(Sequence& other, const Locate& locate) {
        for (std::size_t i = 0; i < other.count; ++i) {
            Slot& slot = claim(other, i, locate);
            ++slot.left;
        }
    }

    // For several references: the largest of their counts.
    template <class Locate>
    void count_most(std::span<Sequence> others, const Locate& locate) {
        if (here_.size() < slots_.size()) here_.resize(slots_.size());
        for (Sequence& other : others) {
            for (std::size_t i = 0; i < other.count; ++i) {
                claim(other, i, locate);
                here_[other.slots[i]] = 0;
            }
            for (std::size_t i = 0; i < other.count; ++i) {
                const std::uint32_t here = ++here_[other.slots[i]];
                Slot& slot = slots_[other.slots[i]];
                slot.left = std::max(slot.left, here);
            }
        }
    }

    template <class Locate>
    Slot& claim(Sequence& other, std::size_t i, const Locate& locate) {
        const std::uint64_t key = other.keys[i];
        const std::size_t where = locate(key);
        other.slots[i] = static_cast<std::uint32_t>(where);
        Slot& slot = slots_[where];
        slot = {key, stamp_, in_use(slot) ? slot.left : 0};
        return slot;
    }

    template <class Locate>
    std::int64_t take(const Locate& locate) {
        std::int64_t matches = 0;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < hypothesis_.count; ++i) {
            const std::size_t where = locate(hypothesis_.keys[i]);
            Slot& slot = slots_[where];
            const bool found = in_use(slot), matched = found & (slot.left > 0);
            slot.stamp |= found;
            slot.left -= matched;
            matches += matched;
            hypothesis_.begins[kept] = hypothesis_.begins[i];
            hypothesis_.slots[kept] = static_cast<std::uint32_t>(where);
            kept += found;
        }
        hypothesis_.count = kept;
        return matches;
    }

    void forget_unmatched(Sequence& other) const {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < other.count; ++i) {
            const std::uint32_t where = other.slots[i];
            other.begins[kept] = other.begins[i];
            other.slots[kept] = where;
            kept += slots_[where].stamp & 1;
        }
        other.count = kept;
    }

    // How many n-grams of the next order the references still have.
    std::size_t pair_up(std::span<Sequence> others) {
        hypothesis_.pair_up();
        std::size_t count = 0;
        for (Sequence& other : others) {
            other.pair_up();
            count += other.count;
        }
        return count;
    }

    bool in_use(const Slot& slot) const { return (slot.stamp | 1) == (stamp_ | 1); }

    // The slot of a key, or the free slot where it belongs.
    std::size_t position(std::uint64_t key) const {
        std::size_t i = scatter(key) >> shift_;
        while (in_use(slots_[i]) && slots_[i].key != key) i = (i + 1) & mask_;
        return i;
    }

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> here_;  // by slot: occurrences in the reference being read
    std::size_t mask_ = 0;
    int shift_ = 0;
    std::uint32_t stamp_ = 0;
    Sequence hypothesis_;
    std::vector<Sequence> references_;
};

}  // namespace rankwise
