// The pieces of BEER 2.0: n-grams of characters and words, pairs of words in order.
//
// Words stand between spaces (U+0020, no other white space); an empty text has one empty word, and
// so has the beginning of a text that begins with a space. Characters are units of UTF-16 of the
// words joined by single spaces.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ngrams/character_ngrams.hpp"
#include "ngrams/ngram_rows.hpp"
#include "ngrams/word_ngrams.hpp"
#include "text/spelled_words.hpp"
#include "text/text.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Pairs (w[i], w[j]) of words with i < j <= i + distance that two sentences share (clipped), for
// growing distances: every pair is looked at once.
class WordPairs {
public:
    // Sets three cells per distance: pairs of the hypothesis, of the reference, of both.
    // Distances ascend. Ids of the reference are below `vocabulary`; the hypothesis may have
    // kAbsent. Takes time and, for up to kDense words, memory of the square of the length.
    void count(Ids hypothesis, Ids reference, std::size_t vocabulary,
               std::span<const std::size_t> distances, CountRow row) {
        words_ = vocabulary + 1;
        dense_ = words_ <= kDense;
        if (dense_) table_.assign(words_ * words_, 0);
        sparse_.clear();
        ours_ = theirs_ = shared_ = 0;
        std::size_t distance = 0;
        for (const std::size_t last : distances) {
            const std::size_t longest = std::max(hypothesis.size(), reference.size());
            for (; distance < std::min(last, longest); ++distance) {
                add_pairs(reference, distance + 1, 1, theirs_);
                add_pairs(hypothesis, distance + 1, -1, ours_);
            }
            row[0] = ours_, row[1] = theirs_, row[2] = shared_;
            row = row.subspan(kCellsPerOrder);
        }
    }

private:
    static constexpr std::size_t kDense = 2048;

    // The balance of a pair is how often the reference has had it more than the hypothesis; a pair
    // that brings it closer to zero is shared.
    void add_pairs(Ids words, std::size_t distance, std::int32_t step, std::int64_t& total) {
        for (std::size_t i = 0; i + distance < words.size(); ++i) {
            std::int32_t& balance = at(index(words[i]), index(words[i + distance]));
            shared_ += step * balance < 0;
            balance += step;
            ++total;
        }
    }
    std::size_t index(Id word) const { return std::min<std::size_t>(word, words_ - 1); }
    std::int32_t& at(std::size_t first, std::size_t second) {
        const std::size_t key = first * words_ + second;
        return dense_ ? table_[key] : sparse_[key];
    }

    std::size_t words_ = 0;
    bool dense_ = true;
    std::vector<std::int32_t> table_;
    std::unordered_map<std::size_t, std::int32_t> sparse_;
    std::int64_t ours_ = 0, theirs_ = 0, shared_ = 0;
};

// Counts per reference: words of the hypothesis and of the reference, then rows of three (pieces
// of the hypothesis, of the reference, of both) for char1 .. char6, ngram1 .. ngram4 and the pairs
// of words that skip at most 1, 2, 3, 4 and any number of words.
class PieceCounter {
public:
    static constexpr std::size_t kCharacterOrders = 6, kWordOrders = 4;
    static constexpr std::array<std::size_t, 5> kDistances{2, 3, 4, 5, 1000001};
    static constexpr std::size_t kColumns =
        2 + 3 * (kCharacterOrders + kWordOrders + kDistances.size());

    void operator()(StringView hypothesis, std::span<const StringView> references, CountRow rows) {
        read(hypothesis, hypothesis_);
        for (const StringView& reference : references) {
            read(reference, reference_);
            vocabulary_.clear();
            vocabulary_.number(words_of(reference_.text, reference_.tokens), reference_.ids);
            vocabulary_.look_up(words_of(hypothesis_.text, hypothesis_.tokens), hypothesis_.ids);
            count(rows.first(kColumns));
            rows = rows.subspan(kColumns);
        }
    }

private:
    struct Side {
        std::u32string text, joined;
        std::vector<Token> tokens;
        std::vector<Id> ids;
        std::int64_t characters = 0;
    };

    // As Java's split(" +"): no empty word at the end, and one at the beginning where it belongs.
    void read(StringView view, Side& side) {
        assign_code_points(view, side.text);
        side.tokens.clear();
        const auto length = static_cast<std::uint32_t>(side.text.size());
        for (std::uint32_t begin = 0; begin <= length;) {
            std::uint32_t end = begin;
            while (end < length && side.text[end] != U' ') ++end;
            side.tokens.push_back({begin, end});
            for (begin = end + 1; begin < length && side.text[begin] == U' ';) ++begin;
        }
        while (!side.tokens.empty() && length > 0 && is_empty(side.tokens.back())) {
            side.tokens.pop_back();
        }
        join(side);
    }

    static bool is_empty(Token token) { return token.begin == token.end; }

    static void join(Side& side) {
        side.joined.clear();
        const std::u32string_view text(side.text);
        for (std::size_t k = 0; k < side.tokens.size(); ++k) {
            if (k > 0) side.joined.push_back(U' ');
            const auto [begin, end] = side.tokens[k];
            append_characters(text.substr(begin, end - begin), Characters::utf16, side.joined);
        }
        side.characters = static_cast<std::int64_t>(side.joined.size());
        // char<k> holds the (k - 1)-grams but the last: those of a text without its last character.
        if (!side.joined.empty()) side.joined.pop_back();
    }

    void count(CountRow row) {
        row[0] = static_cast<std::int64_t>(hypothesis_.ids.size());
        row[1] = static_cast<std::int64_t>(reference_.ids.size());
        row[2] = hypothesis_.characters;
        row[3] = reference_.characters;
        row[4] = std::min(hypothesis_.characters, reference_.characters);
        row = row.subspan(5);
        constexpr std::size_t kCharacterCells = kCellsPerOrder * (kCharacterOrders - 1);
        constexpr std::size_t kWordCells = kCellsPerOrder * kWordOrders;
        characters_.count(hypothesis_.joined, reference_.joined, row.first(kCharacterCells));
        count_words(row.subspan(kCharacterCells, kWordCells));
        pairs_.count(hypothesis_.ids, reference_.ids, vocabulary_.size(), kDistances,
                     row.subspan(kCharacterCells + kWordCells));
    }

    // Word n-grams, and for every order a piece of the first and one of the last words.
    void count_words(CountRow row) {
        words_.count(hypothesis_.ids, reference_.ids, vocabulary_.size(), row);
        for (std::size_t n = 1; n <= kWordOrders; ++n) {
            const CountRow cells = cells_of_order(row, n);
            cells[0] += 2;
            cells[1] += 2;
            cells[2] += have_same_ends(hypothesis_.ids, reference_.ids, n);
        }
    }

    static std::int64_t have_same_ends(Ids ours, Ids theirs, std::size_t order) {
        const std::size_t length = std::min(order, ours.size());
        if (length != std::min(order, theirs.size())) return 0;
        const Ids first = ours.first(length), last = ours.last(length);
        return std::equal(first.begin(), first.end(), theirs.begin()) +
               std::equal(last.begin(), last.end(), theirs.end() - static_cast<long>(length));
    }

    Side hypothesis_, reference_;
    Vocabulary vocabulary_;
    CharacterNgrams characters_;
    NgramRows<WordMatcher> words_;
    WordPairs pairs_;
};

}  // namespace rankwise
