// Statistics of n-grams, pieces and letters: those of the fast ways are what maps of n-grams count,
// and a table of pairs of texts has the rows of each pair.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fuzz/entries.hpp"
#include "ngrams/bleu.hpp"
#include "ngrams/bleu_score.hpp"
#include "ngrams/character_ngrams.hpp"
#include "ngrams/chrf.hpp"
#include "ngrams/letters.hpp"
#include "ngrams/pairwise.hpp"
#include "ngrams/pieces.hpp"
#include "text/spelled_words.hpp"
#include "text/tokenise.hpp"

namespace rankwise::fuzz {

namespace {

constexpr const char* kTokenizers[] = {"none", "13a", "intl", "char", "zh", "zh-sacrebleu"};

const Tokenizer& tokenizer(Arguments& given) {
    return Tokenizer::named(kTokenizers[given.byte() % std::size(kTokenizers)]);
}

template <class Item>
using Counts = std::map<std::vector<Item>, std::int64_t>;

template <class Sequence>
auto plain_ngrams(const Sequence& items, std::size_t order) {
    Counts<typename Sequence::value_type> found;
    for (std::size_t i = 0; i + order <= items.size(); ++i) {
        ++found[{items.begin() + static_cast<std::ptrdiff_t>(i),
                 items.begin() + static_cast<std::ptrdiff_t>(i + order)}];
    }
    return found;
}

template <class Item>
std::int64_t shared(const Counts<Item>& one, const Counts<Item>& two) {
    std::int64_t sum = 0;
    for (const auto& [ngram, times] : one) {
        const auto found = two.find(ngram);
        if (found != two.end()) sum += std::min(times, found->second);
    }
    return sum;
}

// Of a text without white space at its end, as sacreBLEU has it.
std::vector<std::u32string> words(const Tokenizer& tokenizer, StringView view) {
    view = without_space_at_end(view);
    std::u32string text;
    std::vector<Token> tokens;
    assign_code_points(view, text);
    if (!tokenizer.scan(view, tokens)) tokenizer(text, tokens);
    std::vector<std::u32string> found;
    for (const Token token : tokens) {
        require(token.begin < token.end && token.end <= text.size());
        found.push_back(text.substr(token.begin, token.end - token.begin));
    }
    return found;
}

void check_bleu(Arguments& given) {
    const Tokenizer& tokenizer = fuzz::tokenizer(given);
    const std::size_t orders = given.size(1, 6);
    const Segment segment = given.segment(300);
    const auto references = segment.references();
    std::vector<std::int64_t> row(2 + 2 * orders);
    BleuCounter(tokenizer, orders)(segment.hypothesis(), references, row);
    const auto mine = words(tokenizer, segment.hypothesis());
    require(row[0] == static_cast<std::int64_t>(mine.size()));
    for (std::size_t n = 1; n <= orders; ++n) {
        Counts<std::u32string> most;
        for (const StringView reference : references) {
            for (const auto& [ngram, times] : plain_ngrams(words(tokenizer, reference), n)) {
                most[ngram] = std::max(most[ngram], times);
            }
        }
        require(row[1 + n] == shared(plain_ngrams(mine, n), most));
        require(row[1 + orders + n] ==
                std::max<std::int64_t>(0, row[0] - static_cast<std::int64_t>(n) + 1));
    }
}

void check_overlap(Arguments& given) {
    const Tokenizer& tokenizer = fuzz::tokenizer(given);
    const Segment segment = given.segment(300);
    const auto references = segment.references();
    std::vector<std::int64_t> rows(OverlapCounter::kColumns * references.size());
    OverlapCounter{tokenizer}(segment.hypothesis(), references, rows);
    const auto mine = plain_ngrams(words(tokenizer, segment.hypothesis()), 1);
    for (std::size_t r = 0; r < references.size(); ++r) {
        const auto theirs = plain_ngrams(words(tokenizer, references[r]), 1);
        require(rows[3 * r] == shared(mine, theirs));
    }
}

// Cells of the character orders of a row, and 0 where the reference is too short.
void check_character_cells(CountRow row, const std::u32string& mine, const std::u32string& theirs) {
    for (std::size_t n = 1; n <= row.size() / kCellsPerOrder; ++n) {
        const CountRow cells = cells_of_order(row, n);
        const std::int64_t total = ngram_total(mine.size(), n);
        require(cells[1] == ngram_total(theirs.size(), n));
        require(cells[0] == (cells[1] == 0 ? 0 : total));
        require(cells[2] == shared(plain_ngrams(mine, n), plain_ngrams(theirs, n)));
    }
}

std::u32string characters(StringView view, bool whitespace) {
    std::u32string found;
    assign_code_points(view, found);
    if (!whitespace) std::erase_if(found, is_space);
    return found;
}

void check_chrf(Arguments& given) {
    const std::size_t characters_orders = given.size(0, 9), word_orders = given.size(0, 3);
    const bool whitespace = given.is_so();
    const Segment segment = given.segment(300);
    const auto references = segment.references();
    const std::size_t columns = kCellsPerOrder * (characters_orders + word_orders);
    std::vector<std::int64_t> rows(columns * references.size());
    ChrfCounter(characters_orders, word_orders, whitespace)(segment.hypothesis(), references, rows);
    const std::u32string mine = characters(segment.hypothesis(), whitespace);
    for (std::size_t r = 0; r < references.size(); ++r) {
        const CountRow row = CountRow(rows).subspan(r * columns, columns);
        check_character_cells(row.first(kCellsPerOrder * characters_orders), mine,
                              characters(references[r], whitespace));
        for (std::size_t k = 0; k < columns; k += kCellsPerOrder) {
            require(row[k + 2] >= 0 && row[k + 2] <= std::min(row[k], row[k + 1]));
        }
    }
}

std::vector<StringView> views_of(const Segment& segment) {
    std::vector<StringView> views;
    views.reserve(segment.texts.size());
    for (const Text& text : segment.texts) views.push_back(text.view());
    return views;
}

void check_bleu_pairs(Arguments& given) {
    const Tokenizer& tokenizer = fuzz::tokenizer(given);
    const std::size_t orders = given.size(1, 5), columns = 2 + 2 * orders;
    const Segment segment = given.segment(200);
    const auto texts = views_of(segment);
    std::vector<std::int64_t> rows(texts.size() * texts.size() * columns), row(columns);
    bleu_pairwise(1, texts, tokenizer, orders, rows);
    BleuCounter counter(tokenizer, orders);
    for (std::size_t pair = 0; pair < texts.size() * texts.size(); ++pair) {
        const StringView reference = texts[pair % texts.size()];
        counter(texts[pair / texts.size()], std::span(&reference, 1), row);
        require(std::ranges::equal(row, std::span(rows).subspan(pair * columns, columns)));
    }
}

void check_chrf_pairs(Arguments& given) {
    const std::size_t orders = given.size(0, 7), word_orders = given.size(0, 3);
    const bool whitespace = given.is_so();
    const std::size_t columns = kCellsPerOrder * (orders + word_orders);
    const Segment segment = given.segment(200);
    const auto texts = views_of(segment);
    std::vector<std::int64_t> rows(texts.size() * texts.size() * columns), row(columns);
    chrf_pairwise(1, texts, orders, word_orders, whitespace, rows);
    ChrfCounter counter(orders, word_orders, whitespace);
    for (std::size_t pair = 0; pair < texts.size() * texts.size(); ++pair) {
        const StringView reference = texts[pair % texts.size()];
        counter(texts[pair / texts.size()], std::span(&reference, 1), row);
        require(std::ranges::equal(row, std::span(rows).subspan(pair * columns, columns)));
    }
}

// Precisions from 0 to 100 have a mean there.
void check_bleu_score(Arguments& given) {
    const std::size_t orders = given.size(0, 6);
    std::vector<double> percents = given.reals(orders);
    for (const Summation how : {Summation::plain, Summation::compensated}) {
        bleu_score(given.real(), given.real(), percents, how);
    }
    for (double& percent : percents) percent = static_cast<double>(given.byte()) / 2.55;
    const double score = bleu_score(given.byte(), given.byte(), percents, Summation::plain);
    require(score >= 0 && score <= 100.0001);
}

std::int64_t plain_subsequence(const std::u32string& one, const std::u32string& two) {
    std::vector<std::int64_t> row(two.size() + 1);
    for (const char32_t c : one) {
        std::int64_t diagonal = 0;
        for (std::size_t j = 0; j < two.size(); ++j) {
            const std::int64_t above = row[j + 1];
            row[j + 1] = c == two[j] ? diagonal + 1 : std::max(above, row[j]);
            diagonal = above;
        }
    }
    return row.back();
}

void check_letters(Arguments& given) {
    const std::size_t orders = given.size(0, 8);
    const Segment segment = given.segment(700);
    const auto references = segment.references();
    LetterCounter counter(orders);
    const std::size_t columns = counter.columns(), chrf_cells = kCellsPerOrder * orders;
    std::vector<std::int64_t> rows(columns * references.size());
    counter(segment.hypothesis(), references, rows);
    const std::u32string mine = characters(segment.hypothesis(), true);
    for (std::size_t r = 0; r < references.size(); ++r) {
        const CountRow row = CountRow(rows).subspan(r * columns, columns);
        const std::u32string theirs = characters(references[r], true);
        require(row[chrf_cells] == plain_subsequence(mine, theirs));
        if (segment.longest() > 200) continue;
        check_character_cells(row.first(chrf_cells), characters(segment.hypothesis(), false),
                              characters(references[r], false));
    }
}

void check_pieces(Arguments& given) {
    const Segment segment = given.segment(400);
    const auto references = segment.references();
    std::vector<std::int64_t> rows(PieceCounter::kColumns * references.size());
    PieceCounter()(segment.hypothesis(), references, rows);
    for (std::size_t k = 0; k < rows.size(); k += PieceCounter::kColumns) {
        for (std::size_t c = k + 2; c < k + PieceCounter::kColumns; c += 3) {
            require(rows[c + 2] >= 0 && rows[c + 2] <= std::min(rows[c], rows[c + 1]));
        }
    }
}

// Texts of words joined by spaces.
void check_joined(Arguments& given) {
    SpelledWords spelled;
    const std::size_t count = given.size(1, 5);
    const auto kind = given.is_so() ? Characters::utf16 : Characters::code_points;
    for (std::size_t w = 0; w < count; ++w) spelled.add(given.text(12).view(), kind);
    std::u32string sides[2];
    for (std::u32string& side : sides) {
        spelled.join(given.numbers<Id>(given.size(0, 20), 0, static_cast<std::int64_t>(count) - 1),
                     side);
    }
    std::vector<std::int64_t> row(kCellsPerOrder * given.size(1, 8));
    CharacterNgrams().count(sides[0], sides[1], row);
    leave_out_missing_orders(row);
    check_character_cells(row, sides[0], sides[1]);
}

constexpr Check kChecks[] = {
    {"bleu_statistics bleu_totals", check_bleu},
    {"overlap_statistics", check_overlap},
    {"chrf_statistics chrf_totals", check_chrf},
    {"bleu_pairs", check_bleu_pairs},
    {"chrf_pairs", check_chrf_pairs},
    {"bleu_scores", check_bleu_score},
    {"letter_counts", check_letters},
    {"piece_counts", check_pieces},
    {"joined_ngrams", check_joined},
};

}  // namespace

std::span<const Check> checks() { return kChecks; }

}  // namespace rankwise::fuzz
