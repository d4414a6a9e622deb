// Strings to tokens. A token is a range of a buffer of code points.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text.hpp"

namespace rankwise {

struct Token {
    std::uint32_t begin, end;
};

// What Python's str.split() splits at (str.isspace).
inline bool is_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
           c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

// The tokens of text.split().
inline void split_at_space(const std::u32string& text, std::vector<Token>& tokens) {
    const std::uint32_t length = static_cast<std::uint32_t>(text.size());
    for (std::uint32_t i = 0; i < length;) {
        while (i < length && is_space(text[i])) ++i;
        const std::uint32_t begin = i;
        while (i < length && !is_space(text[i])) ++i;
        if (i > begin) tokens.push_back({begin, i});
    }
}

}  // namespace rankwise
