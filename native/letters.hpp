// Letters that two texts share: n-grams of them, and the longest common subsequence.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ngrams.hpp"
#include "sorted_ngrams.hpp"
#include "text.hpp"
#include "tokenise.hpp"
#include "vocabulary.hpp"

namespace rankwise {

// The length of the longest common subsequence, 64 symbols at a time. Keeps its buffers.
//
// Bit i of `row` is 0 where the subsequence grows by taking symbol i of the reference, so that zeros
// count its length (Hyyrö 2004: a row of the usual table is one addition).
class CommonSubsequence {
public:
    // Ids of the reference are below `alphabet`; the hypothesis may also hold kAbsent.
    std::int64_t operator()(Ids hypothesis, Ids reference, std::size_t alphabet) {
        const std::size_t blocks = (reference.size() + 63) / 64;
        places_.assign(alphabet * blocks, 0);
        for (std::size_t i = 0; i < reference.size(); ++i) {
            places_[reference[i] * blocks + i / 64] |= std::uint64_t{1} << i % 64;
        }
        row_.assign(blocks, ~std::uint64_t{0});
        for (const Id symbol : hypothesis) {
            if (symbol != kAbsent) take(places_.data() + symbol * blocks, blocks);
        }
        std::int64_t length = 0;
        for (const std::uint64_t block : row_) length += std::popcount(~block);
        return length;
    }

private:
    void take(const std::uint64_t* places, std::size_t blocks) {
        std::uint64_t carry = 0;
        for (std::size_t b = 0; b < blocks; ++b) {
            const std::uint64_t row = row_[b], hits = row & places[b];
            const std::uint64_t sum = row + hits, with_carry = sum + carry;
            carry = (sum < row) | (with_carry < sum);
            row_[b] = with_carry | (row & ~hits);
        }
    }

    std::vector<std::uint64_t> places_, row_;  // by symbol and block; by block
};

// Rows of pairs of texts, one per reference: n-grams of letters that both have, for n = 1 .. N and
// without white space; the longest common subsequence, with it; letters of the hypothesis and of
// the reference; characters of the hypothesis and of the reference.
class LetterCounter {
public:
    explicit LetterCounter(std::size_t max_order) : max_order_(max_order) {}

    std::size_t columns() const { return max_order_ + 5; }

    void operator()(StringView hypothesis, std::span<const StringView> references, std::int64_t* row) {
        read(hypothesis, hypothesis_);
        for (const StringView& view : references) {
            read(view, reference_);
            const Id symbols = number(reference_.text, hypothesis_.text);
            row[max_order_] = subsequence_(hypothesis_.ids, reference_.ids, symbols);
            count_ngrams(row);
            std::int64_t* sizes = row + max_order_ + 1;
            sizes[0] = static_cast<std::int64_t>(hypothesis_.letters.size());
            sizes[1] = static_cast<std::int64_t>(reference_.letters.size());
            sizes[2] = static_cast<std::int64_t>(hypothesis_.text.size());
            sizes[3] = static_cast<std::int64_t>(reference_.text.size());
            row += columns();
        }
    }

private:
    struct Side {
        std::u32string text, letters;
        std::vector<Id> ids;
    };

    static void read(StringView view, Side& side) {
        assign_code_points(view, side.text);
        side.letters.resize(side.text.size());
        std::size_t length = 0;
        for (const char32_t c : side.text) {
            side.letters[length] = c;
            length += !is_space(c);
        }
        side.letters.resize(length);
    }

    Id number(const std::u32string& reference, const std::u32string& hypothesis) {
        return Alphabet::number(reference, hypothesis, reference_.ids, hypothesis_.ids);
    }

    void count_ngrams(std::int64_t* matches) {
        const Id symbols = number(reference_.letters, hypothesis_.letters);
        const Ids reference(reference_.ids);
        matcher_.match(hypothesis_.ids, std::span(&reference, 1), symbols, max_order_, matches);
    }

    std::size_t max_order_;
    Side hypothesis_, reference_;
    CommonSubsequence subsequence_;
    CharacterMatcher matcher_;
};

}  // namespace rankwise
