// Letters that two texts share: n-grams of them, and the longest common subsequence.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ngrams/chrf.hpp"
#include "ngrams/ngram_rows.hpp"
#include "ngrams/sorted_ngrams.hpp"
#include "text/text.hpp"
#include "text/tokenise.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// a + b + carry, 0 or 1, which becomes what is carried from it.
inline std::uint64_t add_with_carry(std::uint64_t a, std::uint64_t b, std::uint8_t& carry) {
#if defined(__x86_64__)
    unsigned long long sum;
    carry = _addcarry_u64(carry, a, b, &sum);
    return sum;
#else
    std::uint64_t sum;
    const bool one = __builtin_add_overflow(a, b, &sum);
    const bool two = __builtin_add_overflow(sum, std::uint64_t{carry}, &sum);
    carry = one | two;
    return sum;
#endif
}

// The length of the longest common subsequence, 64 symbols at a time. Keeps its buffers.
//
// Bit i of a row is 0 where the subsequence grows by taking symbol i of the reference, so that
// zeros count its length (Hyyrö 2004: a row of the usual table is one addition). A row is cut into
// strips that stay in registers while all symbols of the hypothesis go by; what a strip carries
// to the next is kept for each of them.
//
// A common subsequence that takes two symbols whose places are d apart leaves out d symbols. So one
// of length c is found by looking only at places that are less apart than what it leaves out.
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
        return static_cast<std::int64_t>(
            same + of_middle(hypothesis.subspan(begin, hypothesis.size() - same),
                             reference.subspan(begin, reference.size() - same), alphabet));
    }

private:
    static constexpr std::size_t kBlocks = 4;  // of a strip, at most
    static constexpr std::size_t kWidth = 64 * kBlocks;
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};

    // Few pairs of texts share less than two thirds; for those the first result says how far apart
    // symbols may be, and the second is exact.
    std::size_t of_middle(Ids hypothesis, Ids reference, std::size_t alphabet) {
        if (hypothesis.empty() || reference.empty()) return 0;
        const std::size_t longer = std::max(hypothesis.size(), reference.size());
        const std::size_t apart = reference.size() > kWidth ? longer / 3 : longer;
        const std::size_t length = of_near(hypothesis, reference, alphabet, apart);
        if (longer - length <= apart) return length;
        return of_near(hypothesis, reference, alphabet, longer - length);
    }

    // The longest of those that take only symbols up to `apart` places apart, and some others.
    std::size_t of_near(Ids hypothesis, Ids reference, std::size_t alphabet, std::size_t apart) {
        carries_.assign(hypothesis.size(), 0);
        std::size_t length = 0;
        for (std::size_t begin = 0; begin < reference.size(); begin += kWidth) {
            const Ids strip = reference.subspan(begin, std::min(kWidth, reference.size() - begin));
            const std::size_t from = begin - std::min(begin, apart);
            if (from >= hypothesis.size()) break;
            const std::size_t to = std::min(hypothesis.size(), begin + strip.size() + apart);
            length += of_strip(hypothesis.subspan(from, to - from), strip, alphabet,
                               carries_.data() + from);
        }
        return length;
    }

    std::size_t of_strip(Ids hypothesis, Ids strip, std::size_t alphabet, std::uint8_t* carries) {
        const std::size_t blocks = (strip.size() + 63) / 64;
        places_.assign((alphabet + 1) * blocks, 0);
        for (std::size_t i = 0; i < strip.size(); ++i) {
            places_[row_of(strip[i]) * blocks + i / 64] |= std::uint64_t{1} << i % 64;
        }
        switch (blocks) {
            case 1: return take_all<1>(hypothesis, carries);
            case 2: return take_all<2>(hypothesis, carries);
            case 3: return take_all<3>(hypothesis, carries);
            default: return take_all<kBlocks>(hypothesis, carries);
        }
    }

    // Of a symbol in places_; the first is that of kAbsent, which is nowhere.
    static std::size_t row_of(Id symbol) { return static_cast<Id>(symbol + 1); }

    template <std::size_t kBlocks>
    std::size_t take_all(Ids hypothesis, std::uint8_t* carries) const {
        std::array<std::uint64_t, kBlocks> row;
        row.fill(kAll);
        const std::uint64_t* const all = places_.data();
        for (const Id symbol : hypothesis) {
            const std::uint64_t* const places = all + row_of(symbol) * kBlocks;
            std::array<std::uint64_t, kBlocks> hits, sums;
            for (std::size_t b = 0; b < kBlocks; ++b) hits[b] = row[b] & places[b];
            std::uint8_t carry = *carries;
#pragma GCC unroll 4
            for (std::size_t b = 0; b < kBlocks; ++b) {
                sums[b] = add_with_carry(row[b], hits[b], carry);
            }
            *carries++ = carry;
            for (std::size_t b = 0; b < kBlocks; ++b) row[b] = sums[b] | (row[b] ^ hits[b]);
        }
        std::size_t zeros = 0;
        for (const std::uint64_t bits : row) {
            zeros += static_cast<std::size_t>(std::popcount(bits ^ kAll));
        }
        return zeros;
    }

    std::vector<std::uint64_t> places_;  // by symbol and block
    std::vector<std::uint8_t> carries_;  // by symbol of the hypothesis
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
