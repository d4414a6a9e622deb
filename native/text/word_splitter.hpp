// Words of texts of any width, as UTF-8 in lower case; or what stands between white space, where it
// takes more than one character to know its words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "text/character_kinds.hpp"
#include "text/code_points.hpp"
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
    for (std::size_t i = 0; i < text.length; ++i) out = write_code_point(text[i], out);
    return out;
}

// Writes texts as UTF-8 in lower case and splits them. Keeps its buffers.
//
// A token is a word of letters, digits, signs and '_', or any one character that is neither of a
// word nor white space to Python; a character of a script that puts no space between words is one.
// What stands between ASCII white space, a vertical tab being none, and has a character that is of
// no known kind is a token as a whole.
//
// What a byte is stands in numbers, a bit for each of 64 bytes: where words end is not to be
// foreseen, and a branch on every byte would be mispredicted once a word.
class WordSplitter {
public:
    explicit WordSplitter(const CharacterKinds& kinds) : kinds_(kinds) {}

    // Returns where what it has written ends: up to most_utf8_bytes(text). Eight bytes more must be
    // there.
    char* split(StringView text, char* out, std::vector<Token>& tokens) {
        tokens.resize(most_utf8_bytes(text) + 1);  // as many as there can be, and one never kept
        next_begin_ = next_end_ = tokens.data();
        char* end = nullptr;
        if (text.width == 2) end = write_and_split<std::uint16_t>(text, out);
        if (text.width == 4) end = write_and_split<std::uint32_t>(text, out);
        if (end == nullptr) {  // mostly ASCII, or with a character of no known kind
            next_begin_ = next_end_ = tokens.data();
            end = write_lower_utf8(text, out);
            split_written({out, end}, text.length);
        }
        tokens.resize(static_cast<std::size_t>(next_end_ - tokens.data()));
        return end;
    }

    // Whether a token is a word, and not left whole.
    bool is_word(std::string_view token) const {
        for (std::size_t i = 0; i < token.size();) {
            const CodePoint c = code_point(token.data() + i);
            if (kinds_[c.value].kind == CharacterKinds::kRest) return false;
            i += c.bytes;
        }
        return true;
    }

private:
    static constexpr std::size_t kFew = 24;  // of so many characters, less than one

    struct Marks {
        std::uint64_t word = 0, single = 0;
    };
    struct CodePoint {
        char32_t value;
        std::size_t bytes;
    };

    static bool is_space(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    }

    static CodePoint code_point(const char* bytes) {
        const auto lead = static_cast<std::uint8_t>(bytes[0]);
        const auto low = [&](std::size_t k) { return static_cast<char32_t>(bytes[k] & 0x3f); };
        if (lead < 0x80) return {lead, 1};
        if (lead < 0xe0) return {(lead & 0x1fu) << 6 | low(1), 2};
        if (lead < 0xf0) return {(lead & 0x0fu) << 12 | low(1) << 6 | low(2), 3};
        return {(lead & 0x07u) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4};
    }

    // A text with many characters beyond ASCII, in one pass; nullptr if they are few, or if one is
    // of no known kind. How many bytes a character takes, and what it is to words, is looked up:
    // both are not to be foreseen.
    template <class Unit>
    char* write_and_split(StringView text, char* const begin) {
        const auto* units = static_cast<const Unit*>(text.data);
        std::size_t others = 0;
        for (std::size_t i = 0; i < text.length; ++i) others += units[i] >= 0x80;
        if (kFew * others < text.length) return nullptr;
        char* out = begin;
        Borders borders{next_begin_, next_end_};
        for (std::size_t i = 0; i < text.length; ++i) {
            const CharacterKinds::Entry entry = kinds_[units[i]];
            if (entry.kind == CharacterKinds::kRest) [[unlikely]] {
                return nullptr;
            }
            std::memcpy(out, &entry.utf8, sizeof entry.utf8);
            borders.pass(entry.kind, static_cast<std::uint32_t>(out - begin), entry.bytes);
            out += entry.bytes;
        }
        finish(borders, static_cast<std::uint32_t>(out - begin));
        return out;
    }

    // Where words begin and end is written in any case, and kept where it is so.
    struct Borders {
        Token *next_begin, *next_end;
        bool is_inside = false;

        // A character of some kind, of so many bytes.
        void pass(std::uint32_t kind, std::uint32_t place, std::uint32_t bytes) {
            const bool is_letter = kind == CharacterKinds::kWord;
            const bool is_single = kind == CharacterKinds::kSingle;
            next_end->end = place;
            next_end += is_inside & !is_letter;
            next_begin->begin = place;
            next_begin += is_single | (is_letter & !is_inside);
            next_end->end = place + bytes;
            next_end += is_single;
            is_inside = is_letter;
        }
    };

    void finish(const Borders& borders, std::uint32_t end) {
        borders.next_end->end = end;
        next_begin_ = borders.next_begin;
        next_end_ = borders.next_end + borders.is_inside;
    }

    // ASCII letters are in lower case already.
    void split_written(std::span<char> text, std::size_t characters) {
        if (text.size() == characters) {
            split_words({text.data(), text.size()}, 0);
        } else {
            split_pieces(text);
        }
    }

    // What stands between white space and is not ASCII is looked at; what stands between, which is
    // most of it in many languages, is split as a whole.
    void split_pieces(std::span<char> all) {
        const std::string_view text(all.data(), all.size());
        std::size_t done = 0;
        for (std::size_t other; (other = find_other(text, done)) < text.size();) {
            std::size_t begin = other, end = other;
            while (begin > done && !is_space(text[begin - 1])) --begin;
            while (end < text.size() && !is_space(text[end])) ++end;
            split_words(text.substr(done, begin - done), done);
            split_piece(all.data(), begin, end);
            done = end;
        }
        split_words(text.substr(done), done);
    }

    void split_piece(char* text, std::size_t begin, std::size_t end) {
        Borders borders{next_begin_, next_end_};
        for (std::size_t i = begin; i < end;) {
            const CodePoint c = code_point(text + i);
            const CharacterKinds::Entry entry = kinds_[c.value];
            if (entry.kind == CharacterKinds::kRest) [[unlikely]] {
                return add_token(begin, end);
            }
            if (entry.lower != c.value) write_code_point(entry.lower, text + i);
            borders.pass(entry.kind, static_cast<std::uint32_t>(i),
                         static_cast<std::uint32_t>(c.bytes));
            i += c.bytes;
        }
        finish(borders, static_cast<std::uint32_t>(end));
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

    const CharacterKinds& kinds_;
    Token *next_begin_ = nullptr, *next_end_ = nullptr;
};

}  // namespace rankwise
