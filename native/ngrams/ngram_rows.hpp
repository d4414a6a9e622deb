// Rows of n-gram counts: three cells for every order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams/ngrams.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// The counts of one text and one reference.
using CountRow = std::span<std::int64_t>;

inline constexpr std::size_t kCellsPerOrder = 3;

// The cells of one order, from 1, in a row.
inline CountRow cells_of_order(CountRow row, std::size_t order) {
    return row.subspan(kCellsPerOrder * (order - 1), kCellsPerOrder);
}

// N-grams of one order: of the hypothesis, of the reference, and of both.
inline void write_order(CountRow cells, std::size_t hypothesis_length, std::size_t reference_length,
                        std::size_t order, std::int64_t shared) {
    cells[0] = ngram_total(hypothesis_length, order);
    cells[1] = ngram_total(reference_length, order);
    cells[2] = shared;
}

// The same of orders 1, 2, ... for as many as are shared.
inline void write_orders(CountRow row, std::size_t hypothesis_length, std::size_t reference_length,
                         std::span<const std::int64_t> shared) {
    for (std::size_t n = 1; n <= shared.size(); ++n) {
        write_order(cells_of_order(row, n), hypothesis_length, reference_length, n, shared[n - 1]);
    }
}

// Counts the n-grams of two sequences and those they share (clipped). Keeps its buffers.
template <class Matcher>
class NgramRows {
public:
    // Sets the cells of orders 1, 2, ... as many as the row has room for. Ids of the reference are
    // below `vocabulary`; the hypothesis may also hold kAbsent.
    void count(Ids hypothesis, Ids reference, std::size_t vocabulary, CountRow row) {
        matches_.resize(row.size() / kCellsPerOrder);
        matcher_.match(hypothesis, std::span(&reference, 1), vocabulary, matches_);
        write_orders(row, hypothesis.size(), reference.size(), matches_);
    }

private:
    Matcher matcher_;
    std::vector<std::int64_t> matches_;
};

}  // namespace rankwise
