// The lines of a block of text in UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "text/text.hpp"

namespace rankwise {

inline bool is_ascii(std::string_view text) {
    std::uint64_t seen = 0;
    std::size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) seen |= eight_bytes(text.data() + i);
    for (; i < text.size(); ++i) seen |= static_cast<std::uint8_t>(text[i]);
    return (seen & 0x8080808080808080u) == 0;
}

// `block` without the end of its last line: `\n` or `\r\n`, after which a `\r` may stand alone.
inline std::string_view without_last_end(std::string_view block) {
    if (block.ends_with('\r')) block.remove_suffix(1);
    if (!block.ends_with('\n')) return block;
    block.remove_suffix(block.ends_with("\r\n") ? 2 : 1);
    return block;
}

// Calls take(line) for every line of `block`, without its end, until one returns false; whether
// none did. The last line may lack its end; an empty block is one empty line.
template <class Take>
bool each_line(std::string_view block, const Take& take) {
    block = without_last_end(block);
    while (true) {
        const std::size_t end = block.find('\n');
        if (end == std::string_view::npos) return take(block);
        const std::string_view line = block.substr(0, end);
        if (!take(line.ends_with('\r') ? line.substr(0, end - 1) : line)) return false;
        block.remove_prefix(end + 1);
    }
}

}  // namespace rankwise
