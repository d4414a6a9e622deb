// Which blocks of a row of the edit-distance matrix an optimal alignment can still pass through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankwise {

// D[i][j] is the distance of the first i of n rows to the first j of m columns; block b holds the
// 64 columns up to the end e = 64 (b + 1). From D[i][j] the rest costs at least |(n - i) - (m - j)|
// and at most max(n - i, m - j). So every end that is known bounds the whole distance from above,
// and what must exceed the lowest such bound is left out (Ukkonen 1985). Neighbours differ by at
// most one, hence all of a block is out if its end, or the end before it, says so.
class NarrowingBand {
public:
    static constexpr std::size_t kRows = 16;  // how often it is worth to look

    // Alignments of more than `limit` edits do not count.
    void start(std::size_t rows, std::size_t columns, std::size_t limit) {
        n_ = static_cast<std::ptrdiff_t>(rows);
        m_ = static_cast<std::ptrdiff_t>(columns);
        most_ = static_cast<std::ptrdiff_t>(limit);
        first_ = last_ = 0;
        ends_.assign((columns + 63) / 64, 64);
        widen(0);
    }

    // The blocks of the next row.
    std::size_t first() const { return first_; }
    std::size_t last() const { return last_; }

    // D rises and falls by as much at the end of a block.
    void move_end(std::size_t block, std::uint64_t rise, std::uint64_t fall) {
        ends_[block] += static_cast<std::ptrdiff_t>(rise) - static_cast<std::ptrdiff_t>(fall);
    }

    // After that many rows; false if nothing is left. A block that is new at the right continues
    // the one before by differences of +1.
    bool narrow(std::size_t rows) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(rows);
        for (std::size_t b = first_; b <= last_ && end(b) <= m_; ++b) {
            most_ = std::min(most_, ends_[b] + std::max(n_ - row, m_ - end(b)));
        }
        // What was left at the left is never reached again.
        while (ends_[first_] + surplus(first_, row) > most_) {
            if (first_++ == last_) return false;
        }
        while (last_ > first_ && !reaches_beyond(last_ - 1, row)) --last_;
        widen(row);
        return true;
    }

private:
    static std::ptrdiff_t end(std::size_t block) {
        return 64 * static_cast<std::ptrdiff_t>(block + 1);
    }

    // How many more columns than rows are left at the end of a block.
    std::ptrdiff_t surplus(std::size_t block, std::ptrdiff_t row) const {
        return (m_ - end(block)) - (n_ - row);
    }

    // Can an alignment cross the end of a block within kRows rows? In each of them D may fall by
    // one, and the surplus grows by one.
    bool reaches_beyond(std::size_t block, std::ptrdiff_t row) const {
        const std::ptrdiff_t slack = 2 * static_cast<std::ptrdiff_t>(kRows);
        return ends_[block] - surplus(block, row) - slack <= most_;
    }

    void widen(std::ptrdiff_t row) {
        while (last_ + 1 < ends_.size() && reaches_beyond(last_, row)) {
            ends_[last_ + 1] = ends_[last_] + 64;
            ++last_;
        }
    }

    std::ptrdiff_t n_ = 0, m_ = 0;
    std::ptrdiff_t most_ = 0;  // the distance is at most this
    std::size_t first_ = 0, last_ = 0;
    std::vector<std::ptrdiff_t> ends_;  // D at the end of every block
};

}  // namespace rankwise
