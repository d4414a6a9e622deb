// Code points as UTF-8.
#pragma once

namespace rankwise {

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

}  // namespace rankwise
