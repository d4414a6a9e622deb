// Strings to tokens. A token is a range of a buffer of code points.
//
// Every tokenizer is one scan: each code point has a kind, and the kind says what it does to the
// word around it. The scan gives what sacreBLEU's chains of regular expressions give:
//
//   none  splits at white space;
//   13a   mteval-v13a: ASCII symbols stand alone, '.' and ',' unless between digits, '-' after a digit;
//   intl  mteval-v14: Unicode symbols stand alone, Unicode punctuation unless between numbers;
//   char  every code point stands alone;
//   zh    every Chinese character stands alone, the rest as 13a.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "text.hpp"
#include "unicode_tables.hpp"

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

// text.rstrip()
inline void trim_end(std::u32string& text) {
    while (!text.empty() && is_space(text.back())) text.pop_back();
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

// What a code point does to the word around it. The first two continue a word.
enum class Kind : std::uint8_t {
    letter,
    digit,   // a letter that keeps one mark on either side attached
    space,   // ends a word and is dropped
    single,  // a token of its own
    mark,    // a token of its own unless between digits
    dash,    // a token of its own after a digit, else a letter
};

class Tokenizer {
public:
    // The tokenizer of that name; built once, kept for the life of the process.
    static const Tokenizer& named(std::string_view name) {
        if (name == "13a") return instance<&Tokenizer::make_13a>();
        if (name == "none") return instance<&Tokenizer::make_none>();
        if (name == "intl") return instance<&Tokenizer::make_intl>();
        if (name == "char") return instance<&Tokenizer::make_char>();
        if (name == "zh") return instance<&Tokenizer::make_zh>();
        if (name == "zh-sacrebleu") return instance<&Tokenizer::make_zh_sacrebleu>();
        throw std::invalid_argument("unknown tokenizer '" + std::string(name) +
                                    "'; choose from none, 13a, intl, char, zh, zh-sacrebleu");
    }

    // Replaces `tokens` by the tokens of `text`; 13a rewrites escapes in `text` first.
    void operator()(std::u32string& text, std::vector<Token>& tokens) const {
        if (unescapes_) unescape(text);
        if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
            throw std::length_error("a segment is longer than 4,294,967,295 characters");
        }
        std::size_t begin = 0, end = text.size();
        if (strips_) {
            while (begin < end && is_space(text[begin])) ++begin;
            while (end > begin && is_space(text[end - 1])) --end;
        }
        tokens.clear();
        Scan{*this, text.data(), static_cast<std::uint32_t>(begin),
             static_cast<std::uint32_t>(end), tokens}.run();
    }

private:
    // One pass over [begin, end) of `text`.
    struct Scan {
        const Tokenizer& tokenizer;
        const char32_t* text;
        const std::uint32_t begin, end;
        std::vector<Token>& tokens;
        std::uint32_t word = begin;  // where the current word began

        Kind kind(std::uint32_t i) const { return tokenizer.kinds_[text[i]]; }

        // Beyond either end is white space where the line is padded; else it acts as a digit,
        // because the regular expressions need a character there in order to split.
        bool is_digit(std::uint32_t i) const {
            return i >= begin && i < end ? kind(i) == Kind::digit : !tokenizer.padded_;
        }

        void run() {
            std::uint32_t i = begin;
            for (;;) {
                while (i < end && kind(i) <= Kind::digit) ++i;
                if (i >= end) break;
                switch (kind(i)) {
                    case Kind::mark: i = marks(i); break;
                    case Kind::dash:
                        if (i > begin && is_digit(i - 1)) stand_alone(i);
                        ++i;
                        break;
                    case Kind::space: close(i), word = ++i; break;
                    default: stand_alone(i++); break;
                }
            }
            close(end);
        }

        void close(std::uint32_t i) {
            if (i > word) tokens.push_back({word, i});
        }

        void stand_alone(std::uint32_t i) {
            close(i);
            tokens.push_back({i, i + 1});
            word = i + 1;
        }

        // A run of marks. The regular expression that splits after a non-digit consumes two
        // characters at a time, so one mark is left over when the run is even (odd after a digit);
        // if a digit follows, the mark left over stays with it, and a lone mark with both sides.
        std::uint32_t marks(const std::uint32_t first) {
            std::uint32_t last = first + 1;
            while (last < end && kind(last) == Kind::mark) ++last;
            const bool odd = (last - first) % 2 == 1;
            const bool sticks = odd == is_digit(first - 1) && is_digit(last);
            if (sticks && last - first == 1) return last;
            for (std::uint32_t i = first; i < last - sticks; ++i) stand_alone(i);
            return last;
        }
    };

    template <Tokenizer (*make)()>
    static const Tokenizer& instance() {
        static const Tokenizer tokenizer = make();
        return tokenizer;
    }

    explicit Tokenizer(Kind rest) : kinds_(0x110000, rest) {
        for (char32_t c = 0; c <= 0x3000; ++c) {
            if (is_space(c)) kinds_[c] = Kind::space;
        }
    }

    void set(std::uint32_t first, std::uint32_t last, Kind kind) {
        for (std::uint32_t c = first; c <= last; ++c) {
            if (kinds_[c] != Kind::space) kinds_[c] = kind;
        }
    }

    void set_western() {
        for (const auto& [first, last] : {std::pair{'!', '&'}, {'(', '+'}, {'/', '/'}, {':', '@'},
                                          {'[', '`'}, {'{', '~'}}) {
            set(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), Kind::single);
        }
        set('0', '9', Kind::digit);
        set('.', '.', Kind::mark);
        set(',', ',', Kind::mark);
        set('-', '-', Kind::dash);
    }

    static Tokenizer make_none() { return Tokenizer(Kind::letter); }
    static Tokenizer make_char() { return Tokenizer(Kind::single); }

    static Tokenizer make_13a() {
        Tokenizer made(Kind::letter);
        made.set_western();
        made.padded_ = made.unescapes_ = true;
        return made;
    }

    static Tokenizer make_intl() {
        Tokenizer made(Kind::letter);
        for (const auto& [first, last] : unicode::punctuation) made.set(first, last, Kind::mark);
        for (const auto& [first, last] : unicode::symbols) made.set(first, last, Kind::single);
        for (const auto& [first, last] : unicode::numbers) made.set(first, last, Kind::digit);
        return made;
    }

    static Tokenizer make_zh() {
        Tokenizer made = make_zh_common();
        made.set(0x20000, 0x2a6d6, Kind::single);  // CJK extension B
        made.set(0x2f800, 0x2fa1d, Kind::single);  // CJK compatibility supplement
        return made;
    }

    // sacreBLEU 2.6 writes the two ranges above with four hexadecimal digits and one stray
    // character each, which splits dashes, quotes and arrows and leaves extension B whole.
    static Tokenizer make_zh_sacrebleu() {
        Tokenizer made = make_zh_common();
        made.set(0x2001, 0x2a6d, Kind::single);
        made.set(0x2f81, 0x2fa1, Kind::single);
        return made;
    }

    static Tokenizer make_zh_common() {
        Tokenizer made(Kind::letter);
        made.set_western();
        made.strips_ = true;
        static constexpr std::uint32_t ranges[][2] = {
            {0x3400, 0x4db5}, {0x4e00, 0x9fbb},                    // ideographs
            {0xf900, 0xfa2d}, {0xfa30, 0xfa6a}, {0xfa70, 0xfad9},  // compatibility ideographs
            {0x2e80, 0x2eff}, {0x2f00, 0x2fdf}, {0x2ff0, 0x2fff},  // radicals, structure
            {0x3000, 0x303f}, {0xfe10, 0xfe1f}, {0xfe30, 0xfe4f},  // punctuation
            {0x3100, 0x312f}, {0x31a0, 0x31bf}, {0x31c0, 0x31ef},  // phonetic symbols, strokes
            {0x2600, 0x26ff}, {0x2700, 0x27bf},                    // symbols, dingbats
            {0x3200, 0x32ff}, {0x3300, 0x33ff},                    // enclosed, squared
            {0xff00, 0xffef},                                      // full and half width
        };
        for (const auto& [first, last] : ranges) made.set(first, last, Kind::single);
        return made;
    }

    // mteval-v13a's clean-up, in its order: each replacement sees the result of the one before.
    static void unescape(std::u32string& text) {
        bool special = false;
        for (const char32_t c : text) special |= (c == U'<') | (c == U'&') | (c == U'\n');
        if (!special) return;
        replace(text, U"<skipped>", U"");
        replace(text, U"-\n", U"");
        replace(text, U"&quot;", U"\"");
        replace(text, U"&amp;", U"&");
        replace(text, U"&lt;", U"<");
        replace(text, U"&gt;", U">");
    }

    // text.replace(from, to) in place; `to` is not longer than `from`.
    static void replace(std::u32string& text, std::u32string_view from, std::u32string_view to) {
        std::size_t read = text.find(from);
        if (read == std::u32string::npos) return;
        std::size_t write = read;
        while (read < text.size()) {
            if (text.compare(read, from.size(), from) == 0) {
                write += to.copy(text.data() + write, to.size());
                read += from.size();
            } else {
                text[write++] = text[read++];
            }
        }
        text.resize(write);
    }

    std::vector<Kind> kinds_;  // by code point
    bool padded_ = false;      // the line is scanned as if between two spaces
    bool strips_ = false;      // white space at the ends is cut off first
    bool unescapes_ = false;
};

}  // namespace rankwise
