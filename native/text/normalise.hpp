// METEOR's normaliser: a line of text to tokens, by the rules of METEOR 1.5.
//
// Every replacement below is one left-to-right pass over non-overlapping places, so what a
// replacement consumes cannot start the next one ("a-b-c" becomes "a b-c"): the passes keep that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "text/text.hpp"

namespace rankwise {

using WordSet = std::unordered_set<std::u32string>;

enum class Apostrophes { separate, english, french };

struct NormaliserRules {
    bool normalise = true;    // otherwise only split at ASCII whitespace
    bool punctuation = true;  // false: everything that is not a letter or a digit is a space
    Apostrophes apostrophes = Apostrophes::separate;
    WordSet prefixes;          // words that keep their full stop
    WordSet numeric_prefixes;  // words that keep it before a number
};

namespace meteor {

inline bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

inline bool is_letter(char32_t c) {
    if (c < 0x80) return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (c < 0x180) {
        return (c >= 0xc0 && c <= 0xd6) || (c >= 0xd8 && c <= 0xf6) || (c >= 0xf8 && c <= 0x17e);
    }
    return (c >= 0x400 && c <= 0x527) || (c >= 0xa640 && c <= 0xa66e) ||
           (c >= 0xa67e && c <= 0xa697) || (c >= 0x1d00 && c <= 0x1d7f);
}

inline bool is_letter_or_digit(char32_t c) { return is_digit(c) || is_letter(c); }

// Where tokens end. A vertical tab is no separator here, though it is whitespace in the rules.
inline bool is_separator(char32_t c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

// Spaces outside ASCII, which the first rule isolates and the last one drops.
inline bool is_wide_space(char32_t c) {
    return c == 0xa0 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000;
}

// A dot of an ellipsis, hidden from the rules about full stops; no text can hold it.
constexpr char32_t kEllipsisDot = 0x110000;

}  // namespace meteor

class Normaliser {
public:
    explicit Normaliser(const NormaliserRules& rules) : rules_(rules) {}

    // Replaces `out` by the text of the tokens and `tokens` by their ranges. Case is kept.
    void run(StringView text, std::u32string& out, std::vector<Token>& tokens) {
        out.clear();
        tokens.clear();
        if (!rules_.normalise) {
            assign_code_points(text, line_);
            split(line_, words_);
            for (const Token word : words_) emit(word.begin, word.end, out, tokens);
            return;
        }
        assign_code_points(text, raw_);
        isolate_symbols();
        if (ellipses_) separate_ellipses();
        separate_commas();
        unify_quotes();
        join_hyphens();
        separate_apostrophes();
        separate_full_stops(out, tokens);
        trim(out, tokens);
    }

private:
    using Test = bool (*)(char32_t);
    static bool not_digit(char32_t c) { return !meteor::is_digit(c); }
    static bool not_letter(char32_t c) { return !meteor::is_letter(c); }
    static bool neither(char32_t c) { return !meteor::is_letter_or_digit(c); }
    static bool letter_digit_dot(char32_t c) { return c == '.' || meteor::is_letter_or_digit(c); }
    static bool is_s(char32_t c) { return c == 's'; }

    static void split(const std::u32string& text, std::vector<Token>& words) {
        words.clear();
        const std::uint32_t length = static_cast<std::uint32_t>(text.size());
        for (std::uint32_t i = 0; i < length;) {
            while (i < length && meteor::is_separator(text[i])) ++i;
            const std::uint32_t begin = i;
            while (i < length && !meteor::is_separator(text[i])) ++i;
            if (i > begin) words.push_back({begin, i});
        }
    }

    // Puts spaces around everything but letters, digits, whitespace and . ' ` , - and quotes.
    void isolate_symbols() {
        line_.assign(1, ' ');
        ellipses_ = commas_ = quotes_ = hyphens_ = false;
        char32_t previous = 0;
        for (const char32_t c : raw_) {
            switch (c) {
                case '.':
                    ellipses_ |= previous == '.';
                    line_.push_back(c);
                    break;
                case ',':
                    commas_ = true;
                    line_.push_back(c);
                    break;
                case '-':
                    hyphens_ = true;
                    line_.push_back(c);
                    break;
                case '\'':
                case '`':
                case 0x2018:
                case 0x2019:
                    quotes_ = true;
                    line_.push_back('\'');
                    break;
                case ' ':
                case '\t':
                case '\n':
                case '\v':
                case '\f':
                case '\r': line_.push_back(c); break;
                default:
                    if (meteor::is_letter_or_digit(c)) {
                        line_.push_back(c);
                    } else {
                        // Curly double quotes and the en dash become their ASCII forms at once:
                        // no rule in between looks at them.
                        const char32_t plain =
                            c == 0x201c || c == 0x201d ? U'"' : (c == 0x2013 ? U'-' : c);
                        hyphens_ |= plain == '-';
                        line_.push_back(' ');
                        line_.push_back(plain);
                        line_.push_back(' ');
                    }
            }
            previous = c;
        }
        line_.push_back(' ');
    }

    // Two or more dots are one token.
    void separate_ellipses() {
        next_.clear();
        for (std::size_t i = 0; i < line_.size();) {
            std::size_t end = i;
            while (end < line_.size() && line_[end] == '.') ++end;
            if (end - i < 2) {
                next_.push_back(line_[i++]);
                continue;
            }
            next_.push_back(' ');
            next_.append(end - i, meteor::kEllipsisDot);
            next_.push_back(' ');
            i = end;
        }
        line_.swap(next_);
    }

    // One pass of: left, middle, right -> left, replacement, right.
    void replace(Test left, char32_t middle, Test right, const char32_t* replacement) {
        next_.clear();
        const std::size_t size = line_.size();
        std::size_t i = 0;
        while (i + 2 < size) {
            if (line_[i + 1] == middle && left(line_[i]) && right(line_[i + 2])) {
                next_.push_back(line_[i]);
                next_.append(replacement);
                next_.push_back(line_[i + 2]);
                i += 3;
            } else {
                next_.push_back(line_[i++]);
            }
        }
        next_.append(line_, i);
        line_.swap(next_);
    }

    void separate_commas() {
        if (!commas_) return;
        replace(not_digit, ',', not_digit, U" , ");
        replace(meteor::is_digit, ',', not_digit, U" , ");
        replace(not_digit, ',', meteor::is_digit, U" , ");
    }

    // Replaces a doubled character, in one pass, by `replacement`.
    void replace_pair(char32_t c, const char32_t* replacement) {
        next_.clear();
        for (std::size_t i = 0; i < line_.size();) {
            if (line_[i] == c && i + 1 < line_.size() && line_[i + 1] == c) {
                next_.append(replacement);
                i += 2;
            } else {
                next_.push_back(line_[i++]);
            }
        }
        line_.swap(next_);
    }

    void unify_quotes() {
        if (quotes_) replace_pair('\'', U" \" ");
    }

    void join_hyphens() {
        if (!hyphens_) return;
        replace_pair('-', U"-");
        replace(letter_digit_dot, '-', meteor::is_letter_or_digit, U" ");
    }

    void separate_apostrophes() {
        if (!quotes_) return;
        using meteor::is_letter;
        switch (rules_.apostrophes) {
            case Apostrophes::english:
                replace(not_letter, '\'', not_letter, U" ' ");
                replace(neither, '\'', is_letter, U" ' ");
                replace(is_letter, '\'', not_letter, U" ' ");
                replace(is_letter, '\'', is_letter, U" '");
                replace(meteor::is_digit, '\'', is_s, U" '");
                break;
            case Apostrophes::french:
                replace(not_letter, '\'', not_letter, U" ' ");
                replace(not_letter, '\'', is_letter, U" ' ");
                replace(is_letter, '\'', not_letter, U" ' ");
                replace(is_letter, '\'', is_letter, U"' ");
                break;
            case Apostrophes::separate:
                next_.clear();
                for (const char32_t c : line_) {
                    if (c == '\'') next_.append(U" ' ");
                    else next_.push_back(c);
                }
                line_.swap(next_);
        }
    }

    void separate_full_stops(std::u32string& out, std::vector<Token>& tokens) {
        split(line_, words_);
        for (std::size_t k = 0; k < words_.size(); ++k) {
            const Token word = words_[k];
            if (word.end - word.begin < 2 || line_[word.end - 1] != '.') {
                emit(word.begin, word.end, out, tokens);
                continue;
            }
            const char32_t following = k + 1 < words_.size() ? line_[words_[k + 1].begin] : 0;
            const std::uint32_t stop = word.end - 1;
            if (is_abbreviation(word.begin, stop)) {
                emit_without_dots(word, out, tokens);
            } else if (keeps_stop(word.begin, stop, following)) {
                emit(word.begin, word.end, out, tokens);
            } else {
                emit(word.begin, stop, out, tokens);
                emit(stop, word.end, out, tokens);
            }
        }
    }

    // U.S. and the like: a dot and a letter before the last dot.
    bool is_abbreviation(std::uint32_t begin, std::uint32_t end) const {
        bool dot = false, letter = false;
        for (std::uint32_t i = begin; i < end; ++i) {
            dot |= line_[i] == '.';
            letter |= meteor::is_letter(line_[i]);
        }
        return dot && letter;
    }

    bool keeps_stop(std::uint32_t begin, std::uint32_t end, char32_t following) {
        if (following >= 'a' && following <= 'z') return true;
        word_.assign(line_, begin, end - begin);
        return rules_.prefixes.contains(word_) ||
               (meteor::is_digit(following) && rules_.numeric_prefixes.contains(word_));
    }

    void emit_without_dots(Token word, std::u32string& out, std::vector<Token>& tokens) {
        word_.clear();
        for (std::uint32_t i = word.begin; i < word.end; ++i) {
            if (line_[i] != '.') word_.push_back(line_[i]);
        }
        line_.append(word_);  // beyond the words: ranges of the line stay valid
        const std::uint32_t end = static_cast<std::uint32_t>(line_.size());
        emit(end - static_cast<std::uint32_t>(word_.size()), end, out, tokens);
    }

    // Control characters vanish at both ends of the line, as whitespace does.
    static void trim(const std::u32string& out, std::vector<Token>& tokens) {
        while (!tokens.empty() && out[tokens.back().end - 1] <= ' ') {
            if (--tokens.back().end == tokens.back().begin) tokens.pop_back();
        }
        std::size_t first = 0;
        while (first < tokens.size() && out[tokens[first].begin] <= ' ') {
            if (++tokens[first].begin == tokens[first].end) ++first;
        }
        tokens.erase(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(first));
    }

    // Adds line[begin, end) as a token; without punctuation, as the tokens of its letters and
    // digits.
    void emit(std::uint32_t begin, std::uint32_t end, std::u32string& out,
              std::vector<Token>& tokens) const {
        if (rules_.normalise && end - begin == 1 && meteor::is_wide_space(line_[begin])) return;
        bool open = false;
        for (std::uint32_t i = begin; i < end; ++i) {
            const char32_t c = line_[i] == meteor::kEllipsisDot ? U'.' : line_[i];
            if (rules_.normalise && !rules_.punctuation && !meteor::is_letter_or_digit(c)) {
                open = false;
                continue;
            }
            const std::uint32_t size = static_cast<std::uint32_t>(out.size());
            if (!open) tokens.push_back({size, size});
            open = true;
            out.push_back(c);
            tokens.back().end = size + 1;
        }
    }

    const NormaliserRules& rules_;
    std::u32string raw_, line_, next_, word_;
    std::vector<Token> words_;
    bool ellipses_ = false, commas_ = false, quotes_ = false, hyphens_ = false;
};

}  // namespace rankwise
