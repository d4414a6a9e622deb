// Letters that two texts share: n-grams of them, and the longest common subsequence.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ngrams/chrf.hpp"
#include "ngrams/ngram_rows.hpp"
#include "ngrams/sorted_ngrams.hpp"
#include "text/text.hpp"
#include "text/tokenise.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// The length of the longest common subsequence, 63 symbols at a time. Keeps its buffers.
//
// Bit i of `row` is 0 where the subsequence grows by taking symbol i of the reference, so that
// zeros count its length (Hyyrö 2004: a row of the usual table is one addition).
class CommonSubsequence {
public:
    // Ids of the reference are below `alphabet`; the hypothesis may also hold kAbsent. What both
    // begin or end with is part of a longest one, and need only be counted.
    std::int64_t operator()(Ids hypothesis, Ids reference, std::size_t alphabet) {
        const std::size_t most = std::min(hypothesis.size(), reference.size());
        std::size_t begin = 0, end = 0;
        while (begin < most && hypothesis[begin] == reference[begin]) ++begin;
        while (end < most - begin &&
               hypothesis[hypothesis.size() - 1 - end] == reference[reference.size() - 1 - end]) {
            ++end;
        }
        const std::size_t same = begin + end;
        return static_cast<std::int64_t>(same) +
               of_middle(hypothesis.subspan(begin, hypothesis.size() - same),
                         reference.subspan(begin, reference.size() - same), alphabet);
    }

private:
    // A block has 63 symbols. The last bit of its row is always set, and its sum has it unless
    // something is carried to the next block.
    static constexpr int kBits = 63;
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};

    std::int64_t of_middle(Ids hypothesis, Ids reference, std::size_t alphabet) {
        if (hypothesis.empty() || reference.empty()) return 0;
        const std::size_t blocks = (reference.size() + kBits - 1) / kBits;
        places_.assign(alphabet * blocks, 0);
        for (std::size_t i = 0; i < reference.size(); ++i) {
            places_[reference[i] * blocks + i / kBits] |= std::uint64_t{1} << i % kBits;
        }
        switch (blocks) {
            case 1: return take_all<1>(hypothesis);
            case 2: return take_all<2>(hypothesis);
            case 3: return take_all<3>(hypothesis);
            case 4: return take_all<4>(hypothesis);
            case 5: return take_all<5>(hypothesis);
            case 6: return take_all<6>(hypothesis);
            case 7: return take_all<7>(hypothesis);
            case 8: return take_all<8>(hypothesis);
            default: return take_all_of(hypothesis, blocks);
        }
    }

    // With a known number of blocks the row stays in registers.
    template <std::size_t kBlocks>
    std::int64_t take_all(Ids hypothesis) const {
        std::uint64_t row[kBlocks];
        std::fill_n(row, kBlocks, kAll);
        for (const Id symbol : hypothesis) {
            if (symbol != kAbsent) take(places_of(symbol, kBlocks), row);
        }
        return zeros(row);
    }

    std::int64_t take_all_of(Ids hypothesis, std::size_t blocks) {
        row_.assign(blocks, kAll);
        for (const Id symbol : hypothesis) {
            if (symbol != kAbsent) take(places_of(symbol, blocks), row_);
        }
        return zeros(row_);
    }

    std::span<const std::uint64_t> places_of(Id symbol, std::size_t blocks) const {
        return std::span(places_).subspan(symbol * blocks, blocks);
    }

    static inline void take(std::span<const std::uint64_t> places, std::span<std::uint64_t> rows) {
        std::uint64_t stays = 1;  // 0 if something is carried
#pragma GCC unroll 8
        for (std::size_t b = 0; b < rows.size(); ++b) {
            const std::uint64_t row = rows[b], hits = row & places[b];
            const std::uint64_t sum = row + hits + 1 - stays;
            stays = sum >> kBits;
            rows[b] = sum | (row ^ hits);
        }
    }

    static std::int64_t zeros(std::span<const std::uint64_t> rows) {
        std::int64_t count = 0;
        for (const std::uint64_t row : rows) count += std::popcount(row ^ kAll);
        return count;
    }

    std::vector<std::uint64_t> places_, row_;  // by symbol and block; by block
};

// Rows of pairs of texts, one per reference: those of chrF, for characters 1 .. N without white
// space; then with white space the longest common subsequence, and the characters of the hypothesis
// and of the reference.
class LetterCounter {
public:
    explicit LetterCounter(std::size_t max_order) : chrf_cells_(kCellsPerOrder * max_order) {}

    std::size_t columns() const { return chrf_cells_ + 3; }

    void operator()(StringView hypothesis, std::span<const StringView> references, CountRow rows) {
        assign_code_points(hypothesis, hypothesis_.text);
        for (const StringView& view : references) {
            assign_code_points(view, reference_.text);
            count(rows.first(columns()));
            rows = rows.subspan(columns());
        }
    }

private:
    struct Side {
        std::u32string text;
        std::vector<Id> ids;
    };

    void count(CountRow row) {
        const Id symbols =
            Alphabet::number(reference_.text, hypothesis_.text, reference_.ids, hypothesis_.ids);
        const CountRow with_spaces = row.subspan(chrf_cells_);
        with_spaces[0] = subsequence_(hypothesis_.ids, reference_.ids, symbols);
        with_spaces[1] = static_cast<std::int64_t>(hypothesis_.text.size());
        with_spaces[2] = static_cast<std::int64_t>(reference_.text.size());
        drop_spaces(hypothesis_);
        drop_spaces(reference_);
        const CountRow chrf = row.first(chrf_cells_);
        ngrams_.count(hypothesis_.ids, reference_.ids, symbols, chrf);
        leave_out_missing_orders(chrf);
    }

    static void drop_spaces(Side& side) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < side.text.size(); ++i) {
            side.ids[length] = side.ids[i];
            length += !is_space(side.text[i]);
        }
        side.ids.resize(length);
    }

    std::size_t chrf_cells_;  // in a row
    Side hypothesis_, reference_;
    CommonSubsequence subsequence_;
    NgramRows<CharacterMatcher> ngrams_;
};

}  // namespace rankwise
