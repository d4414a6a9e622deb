// The tokenizer of TER, as tercom defines it and sacreBLEU 2.6 reads it. Case is the caller's.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"
#include "text/tokenise.hpp"

namespace rankwise {

struct TercomOptions {
    bool normalized = false;     // undo XML escapes, split punctuation off
    bool no_punct = false;       // drop punctuation
    bool asian_support = false;  // let the two above know Chinese and Japanese characters
};

class TercomTokenizer {
public:
    explicit TercomTokenizer(TercomOptions options) : options_(options) {}

    // Rewrites `text` and replaces `tokens` by its tokens.
    void operator()(std::u32string& text, std::vector<Token>& tokens) {
        text.resize(without_space_at_end(view_of(text)).length);
        if (options_.normalized) normalize(text);
        if (options_.no_punct) {
            std::erase_if(text, [this](char32_t c) { return is_dropped(c); });
        }
        split_at_space(text, tokens);
    }

private:
    static bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
    static bool is_stop(char32_t c) { return c == U'.' || c == U','; }
    static bool is_between(char32_t c, char32_t first, char32_t last) {
        return c >= first && c <= last;
    }

    // Printable ASCII but letters, digits and ' , - .
    static bool is_symbol(char32_t c) {
        return is_between(c, U'!', U'&') || is_between(c, U'(', U'+') || c == U'/' ||
               is_between(c, U':', U'@') || is_between(c, U'[', U'`') || is_between(c, U'{', U'~');
    }
    static bool is_asian_punctuation(char32_t c) {
        constexpr std::u32string_view kMarks = U"、。・．，？：；！＂（）";
        return kMarks.find(c) != std::u32string_view::npos || is_between(c, 0x3008, 0x3011) ||
               is_between(c, 0x3014, 0x301f) || is_between(c, 0xff61, 0xff65);
    }
    // Characters that stand alone. Hiragana and Katakana do not: the rule for them asks for the
    // start of a line, which is a space by then.
    static bool is_asian_symbol(char32_t c) {
        if (c < 0x2e80) return false;
        return is_between(c, 0x4e00, 0x9fff) || is_between(c, 0x3200, 0x4dbf) ||
               is_between(c, 0x31c0, 0x31ef) || is_between(c, 0x2e80, 0x2eff) ||
               is_between(c, 0xf900, 0xfaff) || is_between(c, 0xfe30, 0xfe4f) ||
               is_asian_punctuation(c);
    }
    bool is_dropped(char32_t c) const {
        constexpr std::u32string_view kDropped = U".,?:;!\"()";
        if (c < 0x80) return kDropped.find(c) != std::u32string_view::npos;
        return options_.asian_support && is_asian_punctuation(c);
    }

    // Each rule reads the text that the rules before it left, from left to right, and never reads
    // a character twice; a rule that takes two characters hides the second from itself.
    void normalize(std::u32string& text) {
        join_lines(text);
        if (text.find(U'&') != std::u32string::npos) unescape(text);
        separate(text, is_symbol);
        separate_possessives(text);
        rewrite(text, [](const char32_t* c, std::u32string& out) {
            if (is_digit(c[0]) || !is_stop(c[1])) return false;
            out.append({c[0], U' ', c[1], U' '});
            return true;
        });
        rewrite(text, [](const char32_t* c, std::u32string& out) {
            if (!is_stop(c[0]) || is_digit(c[1])) return false;
            out.append({U' ', c[0], U' ', c[1]});
            return true;
        });
        rewrite(text, [](const char32_t* c, std::u32string& out) {
            if (!is_digit(c[0]) || c[1] != U'-') return false;
            out.append({c[0], U' ', U'-', U' '});
            return true;
        });
        if (options_.asian_support) separate(text, is_asian_symbol);
    }

    // Calls rule(pair of characters, out) from left to right: true means it has written both.
    template <class Rule>
    void rewrite(std::u32string& text, const Rule& rule) {
        out_.clear();
        std::size_t i = 0;
        while (i + 1 < text.size()) {
            if (rule(&text[i], out_)) {
                i += 2;
            } else {
                out_.push_back(text[i++]);
            }
        }
        if (i < text.size()) out_.push_back(text[i]);
        text.swap(out_);
    }

    // A hyphen at the start of a line joins it to the line before.
    void join_lines(std::u32string& text) {
        rewrite(text,
                [](const char32_t* c, std::u32string&) { return c[0] == U'\n' && c[1] == U'-'; });
        for (char32_t& c : text) {
            if (c == U'\n') c = U' ';
        }
    }

    static void unescape(std::u32string& text) {
        replace_all(text, U"&quot;", U"\"");
        replace_all(text, U"&amp;", U"&");
        replace_all(text, U"&lt;", U"<");
        replace_all(text, U"&gt;", U">");
    }

    // A space on both sides of every character of a class, and of the text.
    template <class Class>
    void separate(std::u32string& text, const Class& is_member) {
        out_.assign(1, U' ');
        for (const char32_t c : text) {
            if (is_member(c)) {
                out_.append({U' ', c, U' '});
            } else {
                out_.push_back(c);
            }
        }
        out_.push_back(U' ');
        text.swap(out_);
    }

    void separate_possessives(std::u32string& text) {
        static constexpr std::u32string_view kPossessive = U"'s ";
        std::size_t at = text.find(kPossessive);
        if (at == std::u32string::npos) return;
        out_.clear();
        std::size_t done = 0;
        for (; at != std::u32string::npos; at = text.find(kPossessive, at + 3)) {
            out_.append(text, done, at - done);
            out_.push_back(U' ');
            done = at;
        }
        out_.append(text, done);
        text.swap(out_);
    }

    TercomOptions options_;
    std::u32string out_;
};

// Tokenises what it has tokenised, as sacreBLEU does with references. With `normalized`, and only
// then, this is not the same as once: "it is Jim's." becomes "it is jim's ." and then
// "it is jim 's .".
class TercomTwice {
public:
    explicit TercomTwice(TercomOptions options) : once_(options), differs_(options.normalized) {}

    void operator()(std::u32string& text, std::vector<Token>& tokens) {
        once_(text, tokens);
        if (!differs_) return;
        joined_.clear();
        for (const Token token : tokens) {
            if (!joined_.empty()) joined_.push_back(U' ');
            joined_.append(text, token.begin, token.end - token.begin);
        }
        text.swap(joined_);
        once_(text, tokens);
    }

private:
    TercomTokenizer once_;
    bool differs_;
    std::u32string joined_;
};

}  // namespace rankwise
