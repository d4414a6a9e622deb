// Strings to tokens. A token is a range of a buffer of code points.
//
// Every tokenizer is one scan: each code point has a kind, and the kind says what it does to the
// word around it. The scan gives what sacreBLEU's chains of regular expressions give:
//
//   none  splits at white space;
//   13a   mteval-v13a: ASCII symbols stand alone, . and , unless between digits, - after a digit;
//   intl  mteval-v14: Unicode symbols stand alone, Unicode punctuation unless between numbers;
//   char  every code point stands alone;
//   zh    every Chinese character stands alone, the rest as 13a.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/text.hpp"
#include "text/token_scan.hpp"
#include "text/unicode_tables.hpp"

namespace rankwise {

namespace detail {
inline constexpr auto kSpaceTable = [] {
    std::array<bool, 0x3001> table{};
    for (std::size_t c = 0x09; c <= 0x0d; ++c) table[c] = true;
    for (std::size_t c = 0x1c; c <= 0x20; ++c) table[c] = true;
    for (std::size_t c = 0x2000; c <= 0x200a; ++c) table[c] = true;
    for (const std::size_t c :
         {0x85u, 0xa0u, 0x1680u, 0x2028u, 0x2029u, 0x202fu, 0x205fu, 0x3000u}) {
        table[c] = true;
    }
    return table;
}();
}  // namespace detail

// What Python's str.split() splits at (str.isspace).
inline bool is_space(char32_t c) { return c <= 0x3000 && detail::kSpaceTable[c]; }

// text.rstrip()
inline StringView without_space_at_end(StringView text) {
    while (text.length > 0 && is_space(text[text.length - 1])) --text.length;
    return text;
}

class Tokenizer {
public:
    // The tokenizer of that name; built once, kept for the life of the process.
    static const Tokenizer& named(std::string_view name) {
        if (name == "none") return instance<&Tokenizer::make_none>();
        if (name == "13a") return instance<&Tokenizer::make_13a>();
        if (name == "intl") return instance<&Tokenizer::make_intl>();
        if (name == "char") return instance<&Tokenizer::make_char>();
        if (name == "zh") return instance<&Tokenizer::make_zh>();
        if (name == "zh-sacrebleu") return instance<&Tokenizer::make_zh_sacrebleu>();
        throw std::invalid_argument("unknown tokenizer '" + std::string(name) +
                                    "'; choose from none, 13a, intl, char, zh, zh-sacrebleu");
    }

    // Replaces `tokens` by the tokens of `text`. True if `text` is as it was, which is always so
    // but for 13a: it first rewrites escapes.
    bool operator()(std::u32string& text, std::vector<Token>& tokens) const {
        if (scan(view_of(text), tokens)) return true;
        unescape(text);
        scan(view_of(text), tokens, true);
        return false;
    }

    // The same for a text that cannot be rewritten: false, with nothing done, if it may hold escape
    // sequences (which `unescaped` denies).
    bool scan(StringView text, std::vector<Token>& tokens, bool unescaped = false) const {
        switch (text.width) {
            case 1: return scan_units<std::uint8_t>(text, tokens, unescaped);
            case 2: return scan_units<std::uint16_t>(text, tokens, unescaped);
            default: return scan_units<char32_t>(text, tokens, unescaped);
        }
    }

private:
    template <class Unit>
    bool scan_units(StringView view, std::vector<Token>& tokens, bool unescaped) const {
        if (view.length >= std::numeric_limits<std::uint32_t>::max()) {
            throw std::length_error("a segment is longer than 4,294,967,294 characters");
        }
        const Unit* text = static_cast<const Unit*>(view.data);
        std::size_t begin = 0, end = view.length;
        if (strips_) {
            while (begin < end && is_space(text[begin])) ++begin;
            while (end > begin && is_space(text[end - 1])) --end;
        }
        tokens.resize(end - begin + 1);  // as many as there can be, and one that is never kept
        TokenScan<Unit> pass(kinds_.data(), padded_, text, static_cast<std::uint32_t>(begin),
                             static_cast<std::uint32_t>(end));
        const Token* last = pass.write(tokens.data(), !unescaped);
        tokens.resize(last == nullptr ? 0 : static_cast<std::size_t>(last - tokens.data()));
        return last != nullptr;
    }

    template <Tokenizer (*kMake)()>
    static const Tokenizer& instance() {
        // Never destroyed: a thread may still be at work when the process ends.
        static const Tokenizer& tokenizer = *new Tokenizer(kMake());
        return tokenizer;
    }

    explicit Tokenizer(std::uint8_t rest) : kinds_(0x110000, rest) {
        for (std::size_t c = 0; c < detail::kSpaceTable.size(); ++c) {
            if (detail::kSpaceTable[c]) kinds_[c] = kind::kSpace;
        }
    }

    // Sets the kind of a range, white space excepted.
    void set(std::uint32_t first, std::uint32_t last, std::uint8_t what) {
        for (std::uint32_t c = first; c <= last; ++c) {
            if (!is_space(c)) kinds_[c] = what;
        }
    }

    void set_western() {
        for (const auto& [first, last] :
             {std::pair{'!', '&'}, {'(', '+'}, {'/', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}) {
            set(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), kind::kSingle);
        }
        set('0', '9', kind::kDigit);
        set('.', '.', kind::kMark);
        set(',', ',', kind::kMark);
        set('-', '-', kind::kDash);
    }

    static Tokenizer make_none() { return Tokenizer(kind::kLetter); }
    static Tokenizer make_char() { return Tokenizer(kind::kSingle); }

    static Tokenizer make_13a() {
        Tokenizer made(kind::kLetter);
        made.set_western();
        made.padded_ = true;
        for (const char c : {'&', '<', '\n'})
            made.kinds_[static_cast<std::uint8_t>(c)] |= kind::kEscape;
        return made;
    }

    static Tokenizer make_intl() {
        Tokenizer made(kind::kLetter);
        for (const auto& [first, last] : unicode::kPunctuation) made.set(first, last, kind::kMark);
        for (const auto& [first, last] : unicode::kSymbols) made.set(first, last, kind::kSingle);
        for (const auto& [first, last] : unicode::kNumbers) made.set(first, last, kind::kDigit);
        return made;
    }

    static Tokenizer make_zh() {
        Tokenizer made = make_zh_common();
        made.set(0x20000, 0x2a6d6, kind::kSingle);  // CJK extension B
        made.set(0x2f800, 0x2fa1d, kind::kSingle);  // CJK compatibility supplement
        return made;
    }

    // sacreBLEU 2.6 writes the two ranges above with four hexadecimal digits and one stray
    // character each, which splits dashes, quotes and arrows and leaves extension B whole.
    static Tokenizer make_zh_sacrebleu() {
        Tokenizer made = make_zh_common();
        made.set(0x2001, 0x2a6d, kind::kSingle);
        made.set(0x2f81, 0x2fa1, kind::kSingle);
        return made;
    }

    static Tokenizer make_zh_common() {
        Tokenizer made(kind::kLetter);
        made.set_western();
        made.strips_ = true;
        static constexpr std::uint32_t kRanges[][2] = {
            {0x3400, 0x4db5}, {0x4e00, 0x9fbb},                    // ideographs
            {0xf900, 0xfa2d}, {0xfa30, 0xfa6a}, {0xfa70, 0xfad9},  // compatibility ideographs
            {0x2e80, 0x2eff}, {0x2f00, 0x2fdf}, {0x2ff0, 0x2fff},  // radicals, structure
            {0x3000, 0x303f}, {0xfe10, 0xfe1f}, {0xfe30, 0xfe4f},  // punctuation
            {0x3100, 0x312f}, {0x31a0, 0x31bf}, {0x31c0, 0x31ef},  // phonetic symbols, strokes
            {0x2600, 0x26ff}, {0x2700, 0x27bf},                    // symbols, dingbats
            {0x3200, 0x32ff}, {0x3300, 0x33ff},                    // enclosed, squared
            {0xff00, 0xffef},                                      // full and half width
        };
        for (const auto& [first, last] : kRanges) made.set(first, last, kind::kSingle);
        return made;
    }

    // mteval-v13a's clean-up, in its order: each replacement sees the result of the one before.
    static void unescape(std::u32string& text) {
        replace_all(text, U"<skipped>", U"");
        replace_all(text, U"-\n", U"");
        replace_all(text, U"&quot;", U"\"");
        replace_all(text, U"&amp;", U"&");
        replace_all(text, U"&lt;", U"<");
        replace_all(text, U"&gt;", U">");
    }

    std::vector<std::uint8_t> kinds_;  // by code point, with flags
    bool padded_ = false;              // the line is scanned as if between two spaces
    bool strips_ = false;              // white space at the ends is cut off first
};

// The tokens of text.split().
inline void split_at_space(std::u32string& text, std::vector<Token>& tokens) {
    Tokenizer::named("none")(text, tokens);
}

}  // namespace rankwise
