// What stands between ASCII white space in texts of any width, as UTF-8.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "text.hpp"

namespace rankwise {

namespace detail {

inline constexpr std::uint64_t kLowBits = 0x0101010101010101, kHighBits = kLowBits << 7;

// A lone surrogate is written like any other code point, so that no two texts become one.
inline char* write_code_point(char32_t c, char* out) {
    const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) {
        *out++ = static_cast<char>(c);
        return out;
    }
    if (c < 0x800) {
        *out++ = static_cast<char>(0xc0 | c >> 6);
    } else if (c < 0x10000) {
        *out++ = static_cast<char>(0xe0 | c >> 12);
        *out++ = tail(6);
    } else {
        *out++ = static_cast<char>(0xf0 | c >> 18);
        *out++ = tail(12);
        *out++ = tail(6);
    }
    *out++ = tail(0);
    return out;
}

// Most texts are ASCII: eight bytes of it at a time.
inline char* write_latin_1(StringView text, char* out) {
    const char* bytes = static_cast<const char*>(text.data);
    for (std::size_t i = 0; i < text.length;) {
        if (i + 8 <= text.length && (eight_bytes(bytes + i) & kHighBits) == 0) {
            std::memcpy(out, bytes + i, 8);
            i += 8, out += 8;
        } else {
            out = write_code_point(text[i++], out);
        }
    }
    return out;
}

}  // namespace detail

// Bytes that a text has at most in UTF-8.
inline std::size_t most_utf8_bytes(StringView text) {
    return text.length * (text.width == 1 ? 2 : text.width == 2 ? 3 : 4);
}

// Writes a text as UTF-8; returns where it ends.
//
// Few texts have a character that needs more than a byte, but among many there is nearly always
// one; at its width all words would be too long for the keys of a Vocabulary.
inline char* write_utf8(StringView text, char* out) {
    if (text.width == 1) return detail::write_latin_1(text, out);
    for (std::size_t i = 0; i < text.length; ++i) out = detail::write_code_point(text[i], out);
    return out;
}

// Makes `tokens` what stands between ASCII white space, a vertical tab being none. Eight bytes at a
// time are read, so there must be something readable behind the text up to eight bytes.
//
// White space is marked in a number, a bit for each of 64 bytes: where words end is not to be
// foreseen, and a branch on every byte would be mispredicted once a word.
inline void split_at_ascii_space(std::string_view text, std::vector<Token>& tokens) {
    constexpr std::uint64_t kAboveSpace = detail::kLowBits * (0x80 - (' ' + 1));
    constexpr std::uint64_t kGather = 0x0102040810204080;  // the lowest bits of bytes to the top byte
    tokens.resize(text.size() / 2 + 2);  // as many as there can be, and one that is never kept
    Token* next = tokens.data();
    std::uint32_t begin = 0;
    const auto end_at = [&](std::size_t place) {
        const auto end = static_cast<std::uint32_t>(place);
        *next = {begin, end};
        next += end > begin;
        begin = end + 1;
    };
    for (std::size_t block = 0; block < text.size(); block += 64) {
        const std::size_t size = std::min<std::size_t>(64, text.size() - block);
        std::uint64_t low = 0;  // bytes up to ' '
        for (std::size_t i = 0; i < size; i += 8) {
            const std::uint64_t bytes = eight_bytes(text.data() + block + i);
            const std::uint64_t above = ((bytes & ~detail::kHighBits) + kAboveSpace) | bytes;
            low |= ((~above & detail::kHighBits) >> 7) * kGather >> 56 << i;
        }
        for (low &= ~std::uint64_t{0} >> (64 - size); low != 0; low &= low - 1) {
            const std::size_t place = block + static_cast<std::size_t>(std::countr_zero(low));
            const char c = text[place];
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') end_at(place);
        }
    }
    end_at(text.size());
    tokens.resize(static_cast<std::size_t>(next - tokens.data()));
}

}  // namespace rankwise
