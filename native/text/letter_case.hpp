// Which letters a text has that lower case would change: in most scripts, none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/text.hpp"

namespace rankwise {

enum class Capitals : std::uint8_t { none, ascii, perhaps_others };

namespace detail {

// What is its own lower case in every version of Unicode: all but the blocks that have, or may get,
// letters of two cases.
inline constexpr char32_t kWithoutCase[][2] = {
    {0x00, 0x40},       {0x5b, 0xbf},        // ASCII and Latin-1 but capital letters
    {0x0590, 0x109f},   {0x1100, 0x139f},    // Hebrew to Myanmar, Hangul, Ethiopic
    {0x2000, 0x20ff},   {0x2190, 0x245f},    // punctuation, arrows, mathematics
    {0x2500, 0x2bff},   {0x2e00, 0xa63f},    // shapes; Chinese, Japanese, Yi
    {0xac00, 0xd7af},   {0xf900, 0xfaff},    // Hangul, compatibility ideographs
    {0xfe00, 0xff20},   {0xff3b, 0xffef},    // forms but full-width capital letters
    {0x1f000, 0x1faff}, {0x20000, 0x3ffff},  // pictures, further ideographs
};

// By code point: 0 if it has no lower case, 1 for a capital letter of ASCII, 2 for the rest. Built
// once.
inline const std::vector<std::uint8_t>& case_table() {
    static const std::vector<std::uint8_t>& table = *[] {
        auto* made = new std::vector<std::uint8_t>(0x110000, 2);
        for (const auto& [first, last] : kWithoutCase) {
            for (char32_t c = first; c <= last; ++c) (*made)[c] = 0;
        }
        for (char c = 'A'; c <= 'Z'; ++c) (*made)[static_cast<std::uint8_t>(c)] = 1;
        return made;
    }();
    return table;
}

}  // namespace detail

// The capital letters of a text; units of one to four bytes.
template <class Unit>
Capitals capitals(const Unit* text, std::size_t length) {
    const std::uint8_t* table = detail::case_table().data();
    std::uint8_t found = 0;
    for (std::size_t i = 0; i < length; ++i) found |= table[text[i]];
    return found == 0 ? Capitals::none : found == 1 ? Capitals::ascii : Capitals::perhaps_others;
}

// Writes the text with ASCII letters in lower case.
template <class Unit>
void write_lower_ascii(const Unit* text, std::size_t length, Unit* out) {
    for (std::size_t i = 0; i < length; ++i) {
        const Unit c = text[i], is_capital = c >= 'A' && c <= 'Z';
        out[i] = static_cast<Unit>(c + 32 * is_capital);
    }
}

}  // namespace rankwise
