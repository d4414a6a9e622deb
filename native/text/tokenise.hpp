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

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/text.hpp"
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

namespace detail {
// Of up to 64 bytes, a bit for each that is no ASCII letter or digit. 16 at a time (a vector type
// of GCC and Clang).
inline std::uint64_t not_ascii_letters(const std::uint8_t (&bytes)[64]) {
    typedef std::uint8_t Sixteen __attribute__((vector_size(16)));
    typedef std::uint64_t Halves __attribute__((vector_size(16)));
    std::uint64_t bits = 0;
    for (int k = 0; k < 4; ++k) {
        Sixteen c;
        std::memcpy(&c, bytes + 16 * static_cast<std::size_t>(k), sizeof c);
        const Sixteen letter = (c | 0x20) - 'a', digit = c - '0';
        const Halves plain = (Halves)((letter < 26) | (digit < 10));
        for (int half = 0; half < 2; ++half) {  // the k-th bit of the k-th byte, gathered on top
            const std::uint64_t eight = (~plain[half] & 0x8040201008040201u) * 0x0101010101010101u;
            bits |= eight >> 56 << (16 * k + 8 * half);
        }
    }
    return bits;
}
}  // namespace detail

// Of up to 64 code points, a bit for each that is no ASCII letter or digit.
template <class Unit>
std::uint64_t not_ascii_letters(const Unit* text, std::size_t count) {
    std::uint8_t bytes[64];
    if (count == 64) {  // a loop of known length, which compilers turn into vectors
        for (std::size_t k = 0; k < 64; ++k) bytes[k] = text[k] < 0x80 ? text[k] : 0x80;
        return detail::not_ascii_letters(bytes);
    }
    std::memset(bytes, 'a', 64);
    for (std::size_t k = 0; k < count; ++k) bytes[k] = text[k] < 0x80 ? text[k] : 0x80;
    return detail::not_ascii_letters(bytes);
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
    // Bits beside the kind: a code point that does not continue a word, and one that may begin an
    // escape sequence.
    static constexpr std::uint8_t kSpecial = 0x80, kEscape = 0x40, kKindBits = 0x0f;

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
        Scan<Unit> pass{kinds_.data(),
                        padded_,
                        text,
                        static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(end),
                        tokens.data()};
        const bool done = pass.run(unescaped ? 0 : kEscape);
        tokens.erase(tokens.begin() + (pass.next - tokens.data()), tokens.end());
        return done;
    }

    // One pass over [begin, end) of `text`. Words end without a branch: a token is always written
    // to `next`, which only moves on if there was one.
    template <class Unit>
    struct Scan {
        const std::uint8_t* kinds;
        const bool padded;
        const Unit* text;
        const std::uint32_t begin, end;
        Token* next;
        std::uint32_t word = begin;    // where the current word began
        std::uint32_t resume = begin;  // what comes before has been dealt with

        Kind kind(std::uint32_t i) const { return static_cast<Kind>(kinds[text[i]] & kKindBits); }

        // Beyond either end is white space where the line is padded; else it acts as a digit,
        // because the regular expressions need a character there in order to split.
        bool is_digit(std::uint32_t i) const {
            return i >= begin && i < end ? kind(i) == Kind::digit : !padded;
        }

        // 64 code points at a time, of which only some are looked at. Stops and says false at a bit
        // of `stop`.
        bool run(std::uint8_t stop) {
            for (std::uint64_t block = begin; block < end; block += 64) {
                const std::uint32_t first = static_cast<std::uint32_t>(block);
                const std::uint32_t count = std::min<std::uint32_t>(64, end - first);
                for (std::uint64_t bits = candidates(first, count); bits != 0; bits &= bits - 1) {
                    const std::uint32_t i =
                        first + static_cast<std::uint32_t>(std::countr_zero(bits));
                    if (kinds[text[i]] & stop) return false;
                    visit(i);
                }
            }
            close(end);
            return true;
        }

        // A bit for each code point of a block that may be special: all but ASCII letters and
        // digits, unless these are special too or the text is in another script.
        std::uint64_t candidates(std::uint32_t first, std::uint32_t count) const {
            if (kinds[std::uint8_t{'a'}] & kSpecial) return specials(first, count);
            const std::uint64_t bits = not_ascii_letters(text + first, count);
            const bool is_foreign = (bits & bits >> 1 & bits >> 2 & bits >> 3) != 0;
            return is_foreign ? specials(first, count) : bits;
        }

        // A bit for each special code point of a block.
        std::uint64_t specials(std::uint32_t first, std::uint32_t count) const {
            std::uint64_t bits = 0;
            std::uint32_t k = 0;
            for (; k + 8 <= count; k += 8) {  // a loop of known length, which compilers unroll
                std::uint32_t eight = 0;
                for (std::uint32_t j = 0; j < 8; ++j) {
                    eight |= static_cast<std::uint32_t>(kinds[text[first + k + j]] / kSpecial) << j;
                }
                bits |= std::uint64_t{eight} << k;
            }
            for (; k < count; ++k) {
                bits |= static_cast<std::uint64_t>(kinds[text[first + k]] / kSpecial) << k;
            }
            return bits;
        }

        void visit(std::uint32_t i) {
            const Kind what = kind(i);
            if (what <= Kind::digit) return;
            if (what <= Kind::single) {  // or white space, the same without the token
                close(i);
                *next = {i, i + 1};
                next += what == Kind::single;
                word = i + 1;
            } else if (i >= resume) {
                if (what == Kind::mark) {
                    marks(i);
                } else if (i > begin && is_digit(i - 1)) {
                    stand_alone(i);
                }
            }
        }

        void close(std::uint32_t i) {
            *next = {word, i};
            next += i > word;
        }

        void stand_alone(std::uint32_t i) {
            close(i);
            *next++ = {i, i + 1};
            word = i + 1;
        }

        // A run of marks. The regular expression that splits after a non-digit consumes two
        // characters at a time, so one mark is left over when the run is even (odd after a digit);
        // if a digit follows, the mark left over stays with it, and a lone mark with both sides.
        void marks(const std::uint32_t first) {
            std::uint32_t last = first + 1;
            while (last < end && kind(last) == Kind::mark) ++last;
            resume = last;
            const bool odd = (last - first) % 2 == 1;
            const bool sticks = odd == is_digit(first - 1) && is_digit(last);
            if (sticks && last - first == 1) return;
            for (std::uint32_t i = first; i < last - sticks; ++i) stand_alone(i);
        }
    };

    template <Tokenizer (*kMake)()>
    static const Tokenizer& instance() {
        // Never destroyed: a thread may still be at work when the process ends.
        static const Tokenizer& tokenizer = *new Tokenizer(kMake());
        return tokenizer;
    }

    explicit Tokenizer(Kind rest) : kinds_(0x110000, flagged(rest)) {
        for (std::size_t c = 0; c < detail::kSpaceTable.size(); ++c) {
            if (detail::kSpaceTable[c]) kinds_[c] = flagged(Kind::space);
        }
    }

    static std::uint8_t flagged(Kind kind) {
        return static_cast<std::uint8_t>(kind) | (kind > Kind::digit ? kSpecial : 0);
    }

    // Sets the kind of a range, white space excepted.
    void set(std::uint32_t first, std::uint32_t last, Kind kind) {
        for (std::uint32_t c = first; c <= last; ++c) {
            if (!is_space(c)) kinds_[c] = flagged(kind);
        }
    }

    void set_western() {
        for (const auto& [first, last] :
             {std::pair{'!', '&'}, {'(', '+'}, {'/', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}) {
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
        made.padded_ = true;
        for (const char c : {'&', '<', '\n'}) made.kinds_[static_cast<std::uint8_t>(c)] |= kEscape;
        return made;
    }

    static Tokenizer make_intl() {
        Tokenizer made(Kind::letter);
        for (const auto& [first, last] : unicode::kPunctuation) made.set(first, last, Kind::mark);
        for (const auto& [first, last] : unicode::kSymbols) made.set(first, last, Kind::single);
        for (const auto& [first, last] : unicode::kNumbers) made.set(first, last, Kind::digit);
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
        for (const auto& [first, last] : kRanges) made.set(first, last, Kind::single);
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
