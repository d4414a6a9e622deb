// Where each id occurs in a sequence, as bits: the input of bit-parallel comparison.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "text/vocabulary.hpp"

namespace rankwise {

using Bits = std::uint64_t;

// Position p of the sequence is bit p % 64 of block p / 64. A table of all ids and blocks serves
// while it is small; beyond that, sorted lists of positions keep memory linear in the sequence.
class Occurrences {
public:
    // Indexes `sequence`, whose ids are below `distinct`.
    void index(Ids sequence, Id distinct) {
        distinct_ = distinct;
        blocks_ = sequence.size() / 64 + 2;  // one spare, so that a window may start in the last
        is_dense_ = distinct * blocks_ <= kDenseBlocks;
        if (is_dense_) {
            index_dense(sequence);
        } else {
            index_sparse(sequence);
        }
    }

    // The occurrences of `id` in blocks [first, last], in scratch space or in the table itself.
    // The scratch space belongs to this call until the next one.
    const Bits* blocks(Id id, std::size_t first, std::size_t last) {
        if (id >= distinct_) id = distinct_;  // the table's empty row
        if (is_dense_) return &table_[id * blocks_ + first];
        scratch_.assign(last - first + 1, 0);
        if (id == distinct_) return scratch_.data();
        for (auto p = at_or_after(id, first * 64); p != ends(id) && *p < (last + 1) * 64; ++p) {
            scratch_[*p / 64 - first] |= Bits{1} << (*p % 64);
        }
        return scratch_.data();
    }

    // Bit t says whether `id` occurs at position `start` + t.
    Bits window(Id id, std::size_t start) const {
        if (id >= distinct_) return 0;
        if (!is_dense_) return sparse_window(id, start);
        const Bits* row = &table_[id * blocks_ + start / 64];
        const unsigned shift = start % 64;
        return row[0] >> shift | row[1] << 1 << (63 - shift);
    }

private:
    static constexpr std::size_t kDenseBlocks = std::size_t{1} << 17;  // 1 MB
    using Positions = std::vector<std::uint32_t>;

    void index_dense(Ids sequence) {
        table_.assign((distinct_ + 1) * blocks_, 0);
        for (std::size_t p = 0; p < sequence.size(); ++p) {
            table_[sequence[p] * blocks_ + p / 64] |= Bits{1} << (p % 64);
        }
    }

    // Counting sort of the positions by id.
    void index_sparse(Ids sequence) {
        starts_.assign(distinct_ + 1, 0);
        for (const Id id : sequence) ++starts_[id];
        std::uint32_t total = 0;
        for (std::uint32_t& start : starts_) total += std::exchange(start, total);
        positions_.resize(sequence.size());
        for (std::size_t p = 0; p < sequence.size(); ++p) {
            positions_[starts_[sequence[p]]++] = static_cast<std::uint32_t>(p);
        }
        for (Id id = distinct_; id > 0; --id) starts_[id] = starts_[id - 1];
        starts_[0] = 0;
    }

    Positions::const_iterator ends(Id id) const { return positions_.begin() + starts_[id + 1]; }
    Positions::const_iterator at_or_after(Id id, std::size_t position) const {
        return std::lower_bound(positions_.begin() + starts_[id], ends(id), position);
    }
    Bits sparse_window(Id id, std::size_t start) const {
        Bits bits = 0;
        for (auto p = at_or_after(id, start); p != ends(id) && *p < start + 64; ++p) {
            bits |= Bits{1} << (*p - start);
        }
        return bits;
    }

    bool is_dense_ = true;
    Id distinct_ = 0;
    std::size_t blocks_ = 0;
    std::vector<Bits> table_, scratch_;
    Positions starts_, positions_;
};

}  // namespace rankwise
