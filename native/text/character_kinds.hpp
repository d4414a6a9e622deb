// What characters are to a word: part of it, a word of their own, or white space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/code_points.hpp"

namespace rankwise {

// By code point, as whoever builds the table says: what it is, and its lower case.
class CharacterKinds {
public:
    // `kRest` is what one character alone does not tell: whose lower case is several characters,
    // has another length in UTF-8 or depends on what is around it; and what is behind the table.
    enum Kind : std::uint8_t { kSpace, kWord, kSingle, kRest };

    struct Entry {
        std::uint32_t lower : 24;
        std::uint32_t kind : 4;
        std::uint32_t bytes : 4;  // of its lower case in UTF-8
        std::uint32_t utf8;       // these, the first in its lowest bits
    };

    static constexpr char32_t kSize = 0x20000;

    // `is_word`, `is_space` and `lower` are asked of code points.
    template <class IsWord, class IsSpace, class Lower>
    CharacterKinds(const IsWord& is_word, const IsSpace& is_space, const Lower& lower)
        : entries_(kSize) {
        for (char32_t c = 0; c < kSize; ++c) {
            const char32_t small = lower(c);
            const bool is_rest = c == 0x130 || c == 0x3a3 || utf8_bytes(c) != utf8_bytes(small);
            char utf8[4] = {};
            write_code_point(small, utf8);
            entries_[c].lower = small;
            entries_[c].bytes = utf8_bytes(small) & 7;
            std::memcpy(&entries_[c].utf8, utf8, sizeof utf8);
            entries_[c].kind = is_rest                                            ? kRest
                               : is_unspaced(small)                               ? kSingle
                               : is_sign(small) || small == '_' || is_word(small) ? kWord
                               : is_space(small)                                  ? kSpace
                                                                                  : kSingle;
        }
    }

    Entry operator[](char32_t c) const { return c < kSize ? entries_[c] : Entry{c, kRest, 4, 0}; }

    static std::size_t utf8_bytes(char32_t c) {
        return std::size_t{1} + (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);
    }

private:
    // Scripts that put no space between words, as inclusive ranges.
    static constexpr char32_t kUnspaced[][2] = {
        {0x0e00, 0x0eff}, {0x1000, 0x109f}, {0x1780, 0x17ff}, {0x2e80, 0x2fdf},
        {0x3005, 0x30ff}, {0x3400, 0x9fff}, {0xf900, 0xfaff},
    };
    // Signs that belong to the word they stand in, though they are no letters.
    static constexpr char32_t kSigns[][2] = {
        {0x0300, 0x036f}, {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c2},
        {0x05c4, 0x05c5}, {0x05c7, 0x05c7}, {0x0610, 0x061a}, {0x064b, 0x065f},
        {0x0670, 0x0670}, {0x0900, 0x0963}, {0x0966, 0x0dff}, {0x200c, 0x200d},
    };

    template <std::size_t kCount>
    static bool is_in(const char32_t (&ranges)[kCount][2], char32_t c) {
        for (const auto& [first, last] : ranges) {
            if (c >= first && c <= last) return true;
        }
        return false;
    }
    static bool is_unspaced(char32_t c) { return is_in(kUnspaced, c); }
    static bool is_sign(char32_t c) { return is_in(kSigns, c); }

    std::vector<Entry> entries_;
};

}  // namespace rankwise
