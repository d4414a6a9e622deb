// Text as the kernels see it: views of strings that somebody else keeps alive, decoded to code points.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace rankwise {

static_assert(std::endian::native == std::endian::little, "the kernels read bytes as numbers");

// A string in one of CPython's three fixed widths: 1 (Latin-1), 2 (UCS-2) or 4 (UCS-4) bytes per
// code point. Lone surrogates and NUL are ordinary code points.
struct StringView {
    const void* data = nullptr;
    std::size_t length = 0;  // in code points
    std::uint8_t width = 1;
};

namespace detail {
template <class Unit>
void widen(const void* data, std::size_t length, char32_t* out) {
    const Unit* units = static_cast<const Unit*>(data);
    for (std::size_t i = 0; i < length; ++i) out[i] = static_cast<char32_t>(units[i]);
}

inline void decode(StringView text, char32_t* target) {
    switch (text.width) {
        case 1: widen<std::uint8_t>(text.data, text.length, target); break;
        case 2: widen<std::uint16_t>(text.data, text.length, target); break;
        default: widen<std::uint32_t>(text.data, text.length, target); break;
    }
}
}  // namespace detail

// Appends the code points of `text` to `out`.
inline void append_code_points(StringView text, std::u32string& out) {
    const std::size_t start = out.size();
    out.resize(start + text.length);
    detail::decode(text, out.data() + start);
}

// Makes `out` the code points of `text`. Faster than to clear and append: what was there need not
// be filled with zeros first.
inline void assign_code_points(StringView text, std::u32string& out) {
    out.resize(text.length);
    detail::decode(text, out.data());
}

namespace detail {
template <class Unit>
void narrow_to(const std::u32string& text, char* out) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const Unit unit = static_cast<Unit>(text[i]);
        std::memcpy(out + i * sizeof unit, &unit, sizeof unit);
    }
}
}  // namespace detail

// The code points of `text` in `width` bytes each, which must be enough, and 8 bytes of padding.
inline void narrow(const std::u32string& text, std::uint8_t width, std::string& out) {
    out.resize(text.size() * width + 8);
    switch (width) {
        case 1: detail::narrow_to<std::uint8_t>(text, out.data()); break;
        case 2: detail::narrow_to<std::uint16_t>(text, out.data()); break;
        default: detail::narrow_to<std::uint32_t>(text, out.data()); break;
    }
}

// The references of many segments, flattened: segment i owns views[starts[i] .. starts[i + 1]).
struct ReferenceViews {
    std::vector<StringView> views;
    std::vector<std::size_t> starts{0};
};

}  // namespace rankwise
