// Texts into words, lines and letters: whatever they hold, tokens lie in their text and are found
// again.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/entries.hpp"
#include "text/character_kinds.hpp"
#include "text/letter_case.hpp"
#include "text/lines.hpp"
#include "text/normalise.hpp"
#include "text/tercom.hpp"
#include "text/tokenise.hpp"
#include "text/vocabulary.hpp"
#include "text/whole_pieces.hpp"
#include "text/word_splitter.hpp"

namespace rankwise::fuzz {

namespace {

// Tokens that follow one another.
void check_tokens(std::span<const Token> tokens, std::size_t length) {
    std::size_t end = 0;
    for (const Token token : tokens) {
        require(token.begin >= end && token.begin < token.end && token.end <= length);
        end = token.end;
    }
}

// A text gives the same tokens at any width that holds it.
void check_tokenizers(Arguments& given) {
    const Text text = given.text(400);
    const std::u32string points = text.points();
    for (const char* name : {"none", "13a", "intl", "char", "zh", "zh-sacrebleu"}) {
        const Tokenizer& tokenizer = Tokenizer::named(name);
        std::vector<Token> narrow, wide;
        std::u32string buffer = points;
        const bool is_read = tokenizer.scan(text.view(), narrow);
        require(tokenizer(buffer, wide) == is_read);
        check_tokens(wide, buffer.size());
        if (!is_read) continue;
        check_tokens(narrow, points.size());
        require(narrow.size() == wide.size());
        for (std::size_t i = 0; i < wide.size(); ++i) {
            require(narrow[i].begin == wide[i].begin && narrow[i].end == wide[i].end);
        }
    }
}

void check_tercom(Arguments& given) {
    const TercomOptions options{given.is_so(), given.is_so(), given.is_so()};
    const Text text = given.text(400);
    std::u32string once = text.points(), twice = once;
    std::vector<Token> tokens;
    TercomTokenizer{options}(once, tokens);
    check_tokens(tokens, once.size());
    TercomTwice{options}(twice, tokens);
    check_tokens(tokens, twice.size());
}

// The lines joined again are the block, but for the ends of lines.
void check_lines(Arguments& given) {
    std::string block = given.bytes(given.size(0, 300));
    for (char& byte : block) {
        if (given.byte() % 8 == 0) byte = given.is_so() ? '\n' : '\r';
    }
    std::size_t total = 0, count = 0;
    const auto most = static_cast<std::size_t>(given.byte());
    const bool are_all = each_line(block, [&](std::string_view line) {
        require(line.find('\n') == std::string_view::npos);
        bool plain = true;
        for (const char byte : line) plain = plain && static_cast<unsigned char>(byte) < 0x80;
        require(is_ascii(line) == plain);
        total += line.size();
        return ++count <= most;
    });
    require(are_all == (count <= most) && total <= block.size());
}

template <class Unit>
void check_case(StringView view) {
    const auto* units = static_cast<const Unit*>(view.data);
    const Capitals found = capitals(units, view.length);
    std::vector<Unit> lower(view.length);
    write_lower_ascii(units, view.length, lower.data());
    for (std::size_t i = 0; i < view.length; ++i) {
        const bool is_capital = view[i] >= 'A' && view[i] <= 'Z';
        require(!is_capital || found != Capitals::none);
        require(lower[i] == view[i] + (is_capital ? 32 : 0));
    }
}

void check_lower_case(Arguments& given) {
    const Text text = given.text(300);
    switch (text.view().width) {
        case 1: return check_case<std::uint8_t>(text.view());
        case 2: return check_case<std::uint16_t>(text.view());
        default: return check_case<std::uint32_t>(text.view());
    }
}

// Characters as no Python knows them: what is a word is a matter of the table alone, but in ASCII.
const CharacterKinds& kinds() {
    static const CharacterKinds& made = *new CharacterKinds(
        [](char32_t c) {
            const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            return is_plain || (c >= 0x80 && c % 3 == 0);
        },
        [](char32_t c) { return is_space(c); },
        [](char32_t c) {
            return c >= 'A' && c <= 'Z' ? c + 32 : c >= 0x400 && c < 0x410 ? c + 16 : c;
        });
    return made;
}

// Words of a text lie in what was written of it, with memory behind the last of them that may be
// read up to eight bytes; they are the same at any width that holds it.
void check_word_splitter(Arguments& given) {
    const Text text = given.text(500);
    const std::u32string points = text.points();
    std::vector<char> bytes(most_utf8_bytes(text.view()) + 8), others(4 * points.size() + 8);
    WordSplitter splitter(kinds());
    std::vector<Token> tokens, wide;
    const std::span<char> written(bytes.data(), splitter.split(text.view(), bytes.data(), tokens));
    require(written.size() + 8 <= bytes.size());
    check_tokens(tokens, written.size());
    const std::span<char> again_written(others.data(),
                                        splitter.split(view_of(points), others.data(), wide));
    require(std::ranges::equal(written, again_written) && tokens.size() == wide.size());
    for (std::size_t i = 0; i < wide.size(); ++i) {
        require(tokens[i].begin == wide[i].begin && tokens[i].end == wide[i].end);
    }
    Vocabulary vocabulary;
    std::vector<Id> ids, again;
    vocabulary.number({bytes.data(), 1, tokens}, ids);
    vocabulary.look_up({bytes.data(), 1, tokens}, again);
    require(ids == again);
    for (const Id id : ids) splitter.is_word(vocabulary.word(id));
}

// Words stay, and of every piece come as many words as it has.
void check_pieces(Arguments& given) {
    const std::int64_t first = given.number(0, 5), pieces = given.number(1, 4);
    const auto lengths = given.numbers<std::int64_t>(static_cast<std::size_t>(pieces), 0, 3);
    std::size_t most = 0;
    for (const std::int64_t length : lengths) most += static_cast<std::size_t>(length);
    const auto words = given.numbers<Id>(most, 0, 9);
    const auto text = given.numbers<Id>(given.size(0, 30), 0, first + pieces - 1);
    std::vector<Id> found;
    WholePieces(static_cast<Id>(first), words, lengths).append(text, found);
    std::size_t expected = 0;
    for (const Id id : text) {
        const std::int64_t piece = std::int64_t{id} - first;
        expected += piece < 0 ? 1 : static_cast<std::size_t>(lengths[std::size_t(piece)]);
    }
    require(found.size() == expected);
}

void check_normaliser(Arguments& given) {
    const NormaliserRules rules{given.is_so(),
                                given.is_so(),
                                static_cast<Apostrophes>(given.byte() % 3),
                                {U"a", U"b."},
                                {U"b"}};
    Normaliser normaliser(rules);
    Vocabulary vocabulary;
    std::u32string kept[2];  // the vocabulary points into them
    for (std::u32string& out : kept) {
        std::vector<Token> tokens;
        std::vector<Id> ids;
        normaliser.run(given.text(400).view(), out, tokens);
        check_tokens(tokens, out.size());
        vocabulary.number(words_of(out, tokens), ids);
        for (const Id id : ids) require(id < vocabulary.size());
    }
}

constexpr Check kChecks[] = {
    {"tokenise", check_tokenizers},       {"tercom_tokens", check_tercom},
    {"utf8_lines", check_lines},          {"lower_case", check_lower_case},
    {"split_words", check_word_splitter}, {"words_of_pieces", check_pieces},
    {"meteor_words", check_normaliser},
};

}  // namespace

std::span<const Check> checks() { return kChecks; }

}  // namespace rankwise::fuzz
