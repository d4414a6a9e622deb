// Words of texts of any width, as UTF-8 in lower case, where they are ASCII or of scripts without
// spaces; else what stands between those and white space.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace rankwise {

namespace detail {

inline constexpr std::uint64_t kLowBits = 0x0101010101010101, kHighBits = kLowBits << 7;

// The highest bit of each of eight bytes that is in the range; only those below 0x80 are.
inline std::uint64_t in_range(std::uint64_t bytes, unsigned first, unsigned last) {
    const std::uint64_t low = bytes & ~kHighBits;
    const std::uint64_t from = low + kLowBits * (0x80 - first);
    const std::uint64_t behind = low + kLowBits * (0x7f - last);
    return from & ~behind & ~bytes & kHighBits;
}

// The highest bits of eight bytes as the lowest of a number.
inline std::uint64_t gathered(std::uint64_t marks) {
    return (marks >> 7) * 0x0102040810204080 >> 56;
}

inline std::uint64_t lower_case(std::uint64_t bytes) {
    return bytes | in_range(bytes, 'A', 'Z') >> 2;
}

// A lone surrogate is written like any other code point, so that no two texts become one.
inline char* write_code_point(char32_t c, char* out) {
    const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) {
        *out++ = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
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
        const std::uint64_t eight = i + 8 <= text.length ? eight_bytes(bytes + i) : kHighBits;
        if ((eight & kHighBits) == 0) {
            const std::uint64_t lower = lower_case(eight);
            std::memcpy(out, &lower, 8);
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

// Writes a text as UTF-8, ASCII letters in lower case; returns where it ends.
//
// Few texts have a character that needs more than a byte, but among many there is nearly always
// one; at its width all words would be too long for the keys of a Vocabulary.
inline char* write_lower_utf8(StringView text, char* out) {
    if (text.width == 1) return detail::write_latin_1(text, out);
    for (std::size_t i = 0; i < text.length; ++i) out = detail::write_code_point(text[i], out);
    return out;
}

// Splits UTF-8 with ASCII letters in lower case. Keeps its buffers. Eight bytes at a time are read,
// so there must be something readable behind the text up to eight bytes.
//
// A character of a script that puts no space between words is a token. They and ASCII white space,
// a vertical tab being none, cut a text into pieces; one that has a character beyond ASCII is a
// token. In others, a token is a word of letters, digits and '_', or any one character that is
// neither of a word nor white space to Python: a vertical tab and the four separators are. Only
// what stands between white space and has a capital sigma, whose lower case depends on what is
// around it, is not cut.
//
// What a byte is stands in numbers, a bit for each of 64 bytes: where words end is not to be
// foreseen, and a branch on every byte would be mispredicted once a word.
class WordSplitter {
public:
    void split(std::string_view text, bool is_ascii, std::vector<Token>& tokens) {
        tokens.resize(text.size() + 1);  // as many as there can be, and one that is never kept
        next_begin_ = next_end_ = tokens.data();
        if (is_ascii) {
            split_words(text, 0);
        } else {
            split_pieces(text);
        }
        tokens.resize(static_cast<std::size_t>(next_end_ - tokens.data()));
    }

    static bool is_ascii(std::string_view piece) {
        return std::all_of(piece.begin(), piece.end(), [](char c) { return (c & 0x80) == 0; });
    }

private:
    struct Marks {
        std::uint64_t word = 0, single = 0;
    };

    static bool is_space(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    }

    // The scripts that put no space between words, as inclusive ranges; all take three bytes.
    static constexpr char32_t kUnspaced[][2] = {
        {0x0e00, 0x0eff}, {0x1000, 0x109f}, {0x1780, 0x17ff}, {0x2e80, 0x2fdf},
        {0x3005, 0x30ff}, {0x3400, 0x9fff}, {0xf900, 0xfaff},
    };

    // Whether each code point of three bytes is one of them. Built once.
    static const std::vector<std::uint8_t>& unspaced_table() {
        static const std::vector<std::uint8_t>& table = *[] {
            auto* made = new std::vector<std::uint8_t>(0x10000, 0);
            for (const auto& [first, last] : kUnspaced) {
                for (char32_t c = first; c <= last; ++c) (*made)[c] = 1;
            }
            return made;
        }();
        return table;
    }

    // What stands between white space and is not ASCII is looked at; what stands between, which is
    // most of it in many languages, is split as a whole.
    void split_pieces(std::string_view text) {
        std::size_t done = 0;
        for (std::size_t other; (other = find_other(text, done)) < text.size();) {
            std::size_t begin = other, end = other;
            while (begin > done && !is_space(text[begin - 1])) --begin;
            while (end < text.size() && !is_space(text[end])) ++end;
            split_words(text.substr(done, begin - done), done);
            split_unspaced(text, begin, other, end);
            done = end;
        }
        split_words(text.substr(done), done);
    }

    // What stands between white space, of which `other` is the first place that is not ASCII.
    void split_unspaced(std::string_view text, std::size_t begin, std::size_t other,
                        std::size_t end) {
        const std::uint8_t* const is_unspaced = unspaced_table().data();
        const bool is_whole = text.substr(other, end - other).find("\xce\xa3") < end;
        std::size_t first_other = other;  // of the piece that begins
        for (std::size_t i = other; !is_whole && i < end;) {
            const auto lead = static_cast<std::uint8_t>(text[i]);
            const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
            if (bytes == 3 && is_unspaced[three_bytes(text.data() + i)] != 0) {
                add_piece(text, begin, first_other, i);
                add_token(i, i + bytes);
                begin = first_other = i + bytes;
            } else if (bytes == 1 && first_other == i) {
                ++first_other;
            }
            i += bytes;
        }
        add_piece(text, begin, first_other, end);
    }

    static char32_t three_bytes(const char* bytes) {
        const auto low = [&](std::size_t k) { return static_cast<char32_t>(bytes[k] & 0x3f); };
        return static_cast<char32_t>(bytes[0] & 0x0f) << 12 | low(1) << 6 | low(2);
    }

    // A piece, of which `other` is the first place that is not ASCII, or the end.
    void add_piece(std::string_view text, std::size_t begin, std::size_t other, std::size_t end) {
        if (other < end) {
            add_token(begin, end);
        } else if (begin < end) {
            split_words(text.substr(begin, end - begin), begin);
        }
    }

    void add_token(std::size_t begin, std::size_t end) {
        *next_begin_++ = Token(static_cast<std::uint32_t>(begin), 0);
        (next_end_++)->end = static_cast<std::uint32_t>(end);
    }

    // Where the first byte beyond ASCII is from some place on, or the end.
    static std::size_t find_other(std::string_view text, std::size_t from) {
        for (; from < text.size(); from += 8) {
            const std::uint64_t marks = eight_bytes(text.data() + from) & detail::kHighBits;
            if (marks != 0) return std::min(from + std::countr_zero(marks) / 8, text.size());
        }
        return text.size();
    }

    // Tokens begin and end as often, and in order.
    void split_words(std::string_view text, std::size_t offset) {
        Marks before;
        for (std::size_t block = 0; block <= text.size(); block += 64) {
            const Marks now = marks(text.substr(block, 64));
            const std::uint64_t word_before = now.word << 1 | before.word >> 63;
            const std::uint64_t single_before = now.single << 1 | before.single >> 63;
            std::uint64_t begins = (now.word & ~word_before) | now.single;
            std::uint64_t ends = (word_before & ~now.word) | single_before;
            for (; begins != 0; begins &= begins - 1) {
                (next_begin_++)->begin = place(offset + block, begins);
            }
            for (; ends != 0; ends &= ends - 1) (next_end_++)->end = place(offset + block, ends);
            before = now;
        }
    }

    static std::uint32_t place(std::size_t begin, std::uint64_t bits) {
        return static_cast<std::uint32_t>(begin + static_cast<std::size_t>(std::countr_zero(bits)));
    }

    // Of up to 64 bytes.
    static Marks marks(std::string_view text) {
        Marks found;
        for (std::size_t i = 0; i < text.size(); i += 8) {
            using detail::in_range;
            const std::uint64_t bytes = eight_bytes(text.data() + i);
            const std::uint64_t word =
                in_range(bytes, 'a', 'z') | in_range(bytes, '0', '9') | in_range(bytes, '_', '_');
            const std::uint64_t space = in_range(bytes, '\t', '\r') | in_range(bytes, 0x1c, ' ');
            found.word |= detail::gathered(word) << i;
            found.single |= detail::gathered(~(word | space) & detail::kHighBits) << i;
        }
        const std::uint64_t used = text.empty() ? 0 : ~std::uint64_t{0} >> (64 - text.size());
        return {found.word & used, found.single & used};
    }

    Token *next_begin_ = nullptr, *next_end_ = nullptr;
};

}  // namespace rankwise
