// One pass from code points to tokens, 64 at a time, with a bit for each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "text/text.hpp"

namespace rankwise {

// What a code point does to the word around it: flags, of which a letter has none.
namespace kind {
inline constexpr std::uint8_t kLetter = 0;
inline constexpr std::uint8_t kSpace = 0x80;   // ends a word and is dropped
inline constexpr std::uint8_t kSingle = 0x40;  // a token of its own
inline constexpr std::uint8_t kMark = 0x20;    // a token of its own unless between digits
inline constexpr std::uint8_t kDigit = 0x10;   // keeps one mark on either side attached
inline constexpr std::uint8_t kDash = 0x08;    // a token of its own after a digit, else a letter
inline constexpr std::uint8_t kEscape = 0x04;  // beside these: may begin an escape sequence
}  // namespace kind

namespace detail {

// For each of 64 bytes, a bit that says whether it has the flag.
template <std::uint8_t kFlag>
std::uint64_t flagged(const std::uint8_t* bytes) {
    constexpr int kUp = std::countl_zero(kFlag);  // from the flag to the highest bit
    std::uint64_t bits = 0;
#if defined(__SSE2__)
    for (int k = 0; k < 4; ++k) {
        const __m128i sixteen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + k);
        const auto some = static_cast<unsigned>(_mm_movemask_epi8(_mm_slli_epi16(sixteen, kUp)));
        bits |= std::uint64_t{some} << 16 * k;
    }
#else
    for (int k = 0; k < 8; ++k) {  // the k-th bit of the k-th byte, gathered on top
        const std::uint64_t eight = eight_bytes(bytes + 8 * k) << kUp & 0x8080808080808080u;
        bits |= (eight >> 7) * 0x0102040810204080u >> 56 << 8 * k;
    }
#endif
    return bits;
}

}  // namespace detail

// Splits [begin, end) of `text`, whose code points have the kinds of a table.
//
// Where words end is not to be foreseen, and a branch on every character would be mispredicted once
// a word. So all questions are asked of 64 code points at once; only the tokens found are visited,
// and the marks in front of digits, which are few.
template <class Unit>
class TokenScan {
public:
    // Beyond either end is white space where the line is padded; else it acts as a digit, because
    // the regular expressions need a character there in order to split.
    TokenScan(const std::uint8_t* kinds, bool padded, const Unit* text, std::uint32_t begin,
              std::uint32_t end)
        : kinds_(kinds), padded_(padded), text_(text), begin_(begin), end_(end) {}

    // Writes the tokens; there must be room for one for each code point, and one more. Returns
    // where they end, or nullptr if it met an escape that it should stop at.
    Token* write(Token* tokens, bool stops_at_escapes) {
        next_ = tokens;
        for (std::size_t chunk = begin_; chunk < end_; chunk += kChunk) {
            const std::size_t count = std::min(kChunk, end_ - chunk);
            read(chunk, count);
            for (std::size_t k = 0; k < count; k += 64) {
                const std::uint8_t* kinds = here_ + k;
                if (stops_at_escapes && detail::flagged<kind::kEscape>(kinds) != 0) return nullptr;
                write_block(kinds, static_cast<std::uint32_t>(chunk + k));
            }
        }
        if (word_before_ | single_before_) next_[-1].end = end_;
        return next_;
    }

private:
    using Bits = std::uint64_t;

    static constexpr std::size_t kChunk = 512;

    // The kinds of a chunk and of the code point behind it; white space after the end.
    void read(std::size_t chunk, std::size_t count) {
        const Unit* text = text_ + chunk;
        const std::uint8_t* kinds = kinds_;
        std::size_t i = 0;
        for (; i + 8 <= count; i += 8) {  // a loop of known length, which compilers unroll
            for (std::size_t k = 0; k < 8; ++k) here_[i + k] = kinds[text[i + k]];
        }
        for (; i < count; ++i) here_[i] = kinds[text[i]];
        if (chunk + count < end_) {
            here_[count] = kinds_[text[count]];
        } else {
            std::memset(here_ + count, padded_ ? kind::kSpace : kind::kSpace | kind::kDigit, 64);
        }
    }

    void write_block(const std::uint8_t* kinds, std::uint32_t first) {
        const Bits digits = detail::flagged<kind::kDigit>(kinds);
        const Bits next_digit = (kinds[64] & kind::kDigit) != 0;
        Bits marks = detail::flagged<kind::kMark>(kinds);
        for (Bits left = marks & (digits >> 1 | next_digit << 63); left != 0; left &= left - 1) {
            if (sticks(place(first, left))) marks &= ~(left & -left);
        }
        const Bits dashes = detail::flagged<kind::kDash>(kinds) & (digits << 1 | digit_before_);
        const Bits single = detail::flagged<kind::kSingle>(kinds) | marks | dashes;
        const Bits word = ~(detail::flagged<kind::kSpace>(kinds) | single);
        const Bits after_word = word << 1 | word_before_;
        write_tokens(first, single | (word & ~after_word),
                     single << 1 | single_before_ | (after_word & ~word));
        word_before_ = word >> 63;
        single_before_ = single >> 63;
        digit_before_ = digits >> 63;
    }

    // Tokens begin and end in turns; one may be open from the block before.
    void write_tokens(std::uint32_t first, Bits begins, Bits ends) {
        const Bits is_open = word_before_ | single_before_;
        Token unused;
        (is_open ? next_ - 1 : &unused)->end = place(first, ends);
        ends &= ends - is_open;
        for (; begins != 0; begins &= begins - 1, ends &= ends - 1) {
            *next_++ = {place(first, begins), place(first, ends)};
        }
    }

    static std::uint32_t place(std::uint32_t first, Bits bits) {
        return first + static_cast<std::uint32_t>(std::countr_zero(bits));
    }

    // Whether a mark in front of a digit stays with it. The regular expression that splits after a
    // non-digit consumes two characters at a time, so of a run of marks one is left over when the
    // run is even (odd after a digit). A lone mark stays with both sides.
    bool sticks(std::uint32_t last) const {
        std::uint32_t first = last;
        while (first > begin_ && (kinds_[text_[first - 1]] & kind::kMark) != 0) --first;
        const bool is_odd = (last - first) % 2 == 0;
        const bool after_digit =
            first > begin_ ? (kinds_[text_[first - 1]] & kind::kDigit) != 0 : !padded_;
        return is_odd == after_digit;
    }

    const std::uint8_t* kinds_;  // by code point
    const bool padded_;
    const Unit* text_;
    const std::size_t begin_, end_;
    Token* next_ = nullptr;
    Bits word_before_ = 0, single_before_ = 0, digit_before_ = 0;  // 1 or 0
    std::uint8_t here_[kChunk + 64];
};

}  // namespace rankwise
