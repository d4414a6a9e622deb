// How many n-grams a text shares with any number of references: exact, of any order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "text/vocabulary.hpp"

namespace rankwise {

// The number of n-grams of a sequence of that length.
inline std::int64_t ngram_total(std::size_t length, std::size_t order) {
    return length < order ? 0 : static_cast<std::int64_t>(length - order + 1);
}

// Counts the n-grams of a hypothesis that occur in references, each at most as often as in the
// reference that has it most often (clipping).
//
// Order by order: an n-gram is the pair of the two (n-1)-grams it overlaps, so its key is exact in
// 64 bits whatever the order and the vocabulary; and only n-grams both of whose parts occur on both
// sides are looked at, because no other can match. Lists are thinned out without branches: an entry
// is always written, and the end only moves on if it is to stay.
class NgramMatcher {
public:
    // Sets matches[n - 1] for as many orders n as there is room for, one at least. Ids in
    // `references` are below `vocabulary`; `hypothesis` may also hold kAbsent.
    void match(Ids hypothesis, std::span<const Ids> references, std::size_t vocabulary,
               std::span<std::int64_t> matches) {
        std::ranges::fill(matches, 0);
        if (references_.size() < references.size()) references_.resize(references.size());
        const std::span<Sequence> others(references_.data(), references.size());
        for (std::size_t r = 0; r < references.size(); ++r) others[r].assign(references[r]);
        hypothesis_.assign(hypothesis);
        start_round(vocabulary);
        matches[0] = play(others, [](std::uint64_t id) { return id; });
        for (std::size_t order = 2; order <= matches.size() && matches[order - 2] > 0; ++order) {
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

        void assign(Ids ids) {
            if (begins.size() < ids.size() + 1) {
                begins.resize(ids.size() + 1);
                slots.resize(ids.size() + 1);
                keys.resize(ids.size() + 1);
            }
            count = 0;
            for (std::size_t i = 0; i < ids.size(); ++i) {
                begins[count] = static_cast<std::uint32_t>(i);
                keys[count] = ids[i];
                count += ids[i] != kAbsent;
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
