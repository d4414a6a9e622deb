// Pairs of neighbours of a reference, found by their words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/vocabulary.hpp"

namespace rankwise {

// At which places of a text two words follow each other. Keeps its buffers.
class NeighbourPairs {
public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    // Of a text of one word at least.
    void set(Ids words) {
        const std::size_t count = words.size() - 1;
        if (2 * count > slots_.size()) {
            slots_.assign(std::bit_ceil(4 * count), {});
            shift_ = 64 - std::countr_zero(slots_.size());
        }
        ++stamp_;
        next_.resize(count);
        for (std::size_t pair = count; pair-- > 0;) {  // so that chains rise
            Slot& slot = slot_of(key(words[pair], words[pair + 1]));
            next_[pair] = slot.first;
            slot.first = static_cast<std::uint32_t>(pair);
        }
    }

    // The first pair of these two words, and the next one of the same; kNone if there is none.
    std::uint32_t first(Id before, Id behind) const {
        const std::uint64_t wanted = key(before, behind);
        std::size_t at = place(wanted);
        while (holds_another(slots_[at], wanted)) at = (at + 1) & (slots_.size() - 1);
        return slots_[at].stamp == stamp_ ? slots_[at].first : kNone;
    }
    std::uint32_t next(std::uint32_t pair) const { return next_[pair]; }

private:
    // Slots bear the stamp of their text, so that none need be cleared.
    struct Slot {
        std::uint64_t key = 0, stamp = 0;
        std::uint32_t first = kNone;
    };

    static std::uint64_t key(Id before, Id behind) { return std::uint64_t{before} << 32 | behind; }

    std::size_t place(std::uint64_t key) const {
        return static_cast<std::size_t>(scatter(key ^ key >> 29) >> shift_);
    }

    bool holds_another(const Slot& slot, std::uint64_t key) const {
        return slot.stamp == stamp_ && slot.key != key;
    }

    Slot& slot_of(std::uint64_t key) {
        std::size_t at = place(key);
        while (holds_another(slots_[at], key)) at = (at + 1) & (slots_.size() - 1);
        const bool is_new = slots_[at].stamp != stamp_;
        slots_[at] = {key, stamp_, is_new ? kNone : slots_[at].first};
        return slots_[at];
    }

    std::vector<Slot> slots_;
    int shift_ = 0;
    std::uint64_t stamp_ = 0;
    std::vector<std::uint32_t> next_;  // by pair
};

}  // namespace rankwise
