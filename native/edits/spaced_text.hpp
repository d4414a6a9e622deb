// What CER counts of a text of one or two bytes a character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "text/tokenise.hpp"

namespace rankwise {

// Words with one space between them, or none.
template <class Unit>
class SpacedText {
public:
    using Text = std::span<const Unit>;

    explicit SpacedText(bool with_space) : with_space_(with_space) {}

    // The text itself if it is spaced so, else a copy that is, until the next call.
    Text read(Text text) {
        if (is_plain(text)) return text;
        copy_.clear();
        bool is_apart = false;
        for (const Unit c : text) {
            if (rankwise::is_space(c)) {
                is_apart = with_space_ && !copy_.empty();
                continue;
            }
            if (is_apart) copy_.push_back(' ');
            is_apart = false;
            copy_.push_back(c);
        }
        return copy_;
    }

private:
    // Sixteen bytes of characters: an operation is done to all of them at once.
    typedef Unit Vector __attribute__((vector_size(16)));
    static constexpr std::size_t kLanes = 16 / sizeof(Unit);

    static Vector vector_at(const Unit* c) {
        Vector found;
        std::memcpy(&found, c, sizeof found);
        return found;
    }

    // Of characters and those before them: white space but the space itself, and spaces in a row
    // (or any). Bits of the characters that are.
    static Vector odd_ones(Vector c, Vector before, Vector alone) {
        const auto bits = [](auto comparison) { return reinterpret_cast<Vector>(comparison); };
        const auto within = [&](Unit first, Unit count) {
            return bits(static_cast<Vector>(c - first) < count);
        };
        Vector odd = within(9, 5) | within(28, 4) | bits(c == 0x85) | bits(c == 0xa0);
        if constexpr (sizeof(Unit) > 1) {
            odd |= bits(c == 0x1680) | within(0x2000, 11) | within(0x2028, 2) | bits(c == 0x202f) |
                   bits(c == 0x205f) | bits(c == 0x3000);
        }
        return odd | (bits(c == ' ') & (bits(before == ' ') | alone));
    }

    bool is_plain(Text text) const {
        if (text.empty()) return true;
        if (text.front() == ' ' || text.back() == ' ') return false;
        if (rankwise::is_space(text.front())) return false;
        return text.size() > kLanes ? is_long_plain(text) : is_short_plain(text);
    }

    bool is_short_plain(Text text) const {
        bool odd = false, before = !with_space_;
        for (const Unit c : text) {
            odd |= rankwise::is_space(c) & ((c != ' ') | before);
            before = (c == ' ') | !with_space_;
        }
        return !odd;
    }

    // The last vector overlaps the one before.
    bool is_long_plain(Text text) const {
        Vector odd{}, alone{};
        if (!with_space_) alone = ~alone;
        const Unit* const c = text.data();
        const std::size_t last = text.size() - kLanes;
        for (std::size_t i = 1; i < last; i += kLanes) {
            odd |= odd_ones(vector_at(c + i), vector_at(c + i - 1), alone);
        }
        odd |= odd_ones(vector_at(c + last), vector_at(c + last - 1), alone);
        std::uint64_t halves[2];
        std::memcpy(halves, &odd, sizeof odd);
        return (halves[0] | halves[1]) == 0;
    }

    bool with_space_;
    std::vector<Unit> copy_;
};

}  // namespace rankwise
