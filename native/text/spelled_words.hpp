// The words of a vocabulary letter by letter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// What a character is: a code point, or (as in Java) a unit of UTF-16.
enum class Characters { code_points, utf16 };

// Appends the characters of `text`.
inline void append_characters(std::u32string_view text, Characters characters,
                              std::u32string& out) {
    for (const char32_t c : text) {
        if (characters == Characters::utf16 && c > 0xffff) {
            out.push_back(0xd800 + ((c - 0x10000) >> 10));
            out.push_back(0xdc00 + ((c - 0x10000) & 0x3ff));
        } else {
            out.push_back(c);
        }
    }
}

// The characters of the words of a vocabulary, by id.
class SpelledWords {
public:
    void add(StringView word, Characters characters) {
        assign_code_points(word, buffer_);
        append_characters(buffer_, characters, letters_);
        ends_.push_back(letters_.size());
    }
    std::size_t size() const { return ends_.size() - 1; }

    std::u32string_view letters(Id word) const {
        return std::u32string_view(letters_).substr(ends_[word], ends_[word + 1] - ends_[word]);
    }

    // Makes `out` the words of a text with a space between them.
    void join(Ids words, std::u32string& out) const {
        out.clear();
        for (const Id w : words) {
            out.append(letters_, ends_[w], ends_[w + 1] - ends_[w]);
            out.push_back(U' ');
        }
        if (!out.empty()) out.pop_back();
    }

private:
    std::u32string letters_, buffer_;
    std::vector<std::size_t> ends_{0};
};

}  // namespace rankwise
