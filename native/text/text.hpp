// Text as the kernels see it: views of strings that somebody else keeps alive, and code points.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace rankwise {

static_assert(std::endian::native == std::endian::little, "the kernels read bytes as numbers");

// A string in one of CPython's three fixed widths: 1 (Latin-1), 2 (UCS-2) or 4 (UCS-4) bytes per
// code point. Lone surrogates and NUL are ordinary code points.
struct StringView {
    const void* data = nullptr;
    std::size_t length = 0;  // in code points
    std::uint8_t width = 1;

    char32_t operator[](std::size_t i) const {
        switch (width) {
            case 1: return static_cast<const std::uint8_t*>(data)[i];
            case 2: return static_cast<const std::uint16_t*>(data)[i];
            default: return static_cast<const std::uint32_t*>(data)[i];
        }
    }
};

// Eight bytes as a number, the first in its lowest bits.
inline std::uint64_t eight_bytes(const void* bytes) {
    std::uint64_t number;
    std::memcpy(&number, bytes, 8);
    return number;
}

// A range of a text, in code points. Made without a value, so that lists of tokens grow for free.
struct Token {
    Token() {}
    Token(std::uint32_t first, std::uint32_t last) : begin(first), end(last) {}

    std::uint32_t begin, end;
};

inline StringView view_of(const std::u32string& text) {
    return {text.data(), text.size(), sizeof(char32_t)};
}

namespace detail {
template <class From, class To>
void copy_units(StringView text, char* out) {
    if constexpr (sizeof(From) == sizeof(To)) {
        if (text.length > 0) std::memcpy(out, text.data, text.length * sizeof(To));
        return;
    }
    const From* units = static_cast<const From*>(text.data);
    for (std::size_t i = 0; i < text.length; ++i) {
        const To unit = static_cast<To>(units[i]);
        std::memcpy(out + i * sizeof unit, &unit, sizeof unit);
    }
}

template <class To>
void copy_as(StringView text, char* out) {
    switch (text.width) {
        case 1: copy_units<std::uint8_t, To>(text, out); break;
        case 2: copy_units<std::uint16_t, To>(text, out); break;
        default: copy_units<std::uint32_t, To>(text, out); break;
    }
}
}  // namespace detail

// Makes `out` the code points of `text`.
inline void assign_code_points(StringView text, std::u32string& out) {
    out.resize(text.length);  // not cleared first: what was there need not be filled with zeros
    detail::copy_as<std::uint32_t>(text, reinterpret_cast<char*>(out.data()));
}

// Writes the code points of `text` in `width` bytes each, which must be enough.
inline void copy_at_width(StringView text, std::uint8_t width, char* out) {
    switch (width) {
        case 1: detail::copy_as<std::uint8_t>(text, out); break;
        case 2: detail::copy_as<std::uint16_t>(text, out); break;
        default: detail::copy_as<std::uint32_t>(text, out); break;
    }
}

// The longest key of a word, which is read as a whole wherever the word ends.
inline constexpr std::size_t kKeyBytes = 32;

// The code points of `text` in `width` bytes each, which must be enough, and padding for a key.
inline void assign_bytes(StringView text, std::uint8_t width, std::string& out) {
    out.resize(text.length * width + kKeyBytes);
    copy_at_width(text, width, out.data());
}

// text.replace(from, to) in place; `to` is not longer than `from`.
inline void replace_all(std::u32string& text, std::u32string_view from, std::u32string_view to) {
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

}  // namespace rankwise
