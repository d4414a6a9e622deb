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
};

// A range of a text, in code points. Made without a value, so that lists of tokens grow for free.
struct Token {
    Token() {}
    Token(std::uint32_t first, std::uint32_t last) : begin(first), end(last) {}

    std::uint32_t begin, end;
};

namespace detail {
template <class Unit>
void widen(const void* data, std::size_t length, char32_t* out) {
    const Unit* units = static_cast<const Unit*>(data);
    for (std::size_t i = 0; i < length; ++i) out[i] = static_cast<char32_t>(units[i]);
}

template <class Unit>
void narrow_to(const std::u32string& text, char* out) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const Unit unit = static_cast<Unit>(text[i]);
        std::memcpy(out + i * sizeof unit, &unit, sizeof unit);
    }
}
}  // namespace detail

// Makes `out` the code points of `text`.
inline void assign_code_points(StringView text, std::u32string& out) {
    out.resize(text.length);  // not cleared first: what was there need not be filled with zeros
    switch (text.width) {
        case 1: detail::widen<std::uint8_t>(text.data, text.length, out.data()); break;
        case 2: detail::widen<std::uint16_t>(text.data, text.length, out.data()); break;
        default: detail::widen<std::uint32_t>(text.data, text.length, out.data()); break;
    }
}

// The code points of `text` in `width` bytes each, which must be enough, and 8 bytes of padding.
inline void narrow(const std::u32string& text, std::uint8_t width, std::string& out) {
    out.resize(text.size() * width + 8);
    switch (width) {
        case 1: detail::narrow_to<std::uint8_t>(text, out.data()); break;
        case 2: detail::narrow_to<std::uint16_t>(text, out.data()); break;
        default: detail::narrow_to<std::uint32_t>(text, out.data()); break;
    }
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
