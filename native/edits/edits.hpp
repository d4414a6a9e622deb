// Levenshtein distance of two sequences of ids, with the edits that make it up.
//
// Bit-parallel after Myers (1999) in the form of Hyyrö (2003): bits run along the reference, one
// step per hypothesis token. D[i][j] is the distance of the first i hypothesis tokens to the first
// j reference tokens; `up` holds the bits where D[i][j] - D[i][j-1] is +1, `down` where it is -1.
//
// Among the optimal alignments we take the one found backwards from the ends of both sequences
// by preferring a match or substitution, then an insertion, then a deletion.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edits/narrowing.hpp"
#include "edits/occurrences.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// What happens to a token: an insertion is a hypothesis token that the reference lacks, a deletion
// a reference token that the hypothesis lacks.
namespace operation {
inline constexpr char kMatch = '=', kSubstitution = 'S', kInsertion = 'I', kDeletion = 'D';
}

struct Edits {
    std::int64_t substitutions = 0, insertions = 0, deletions = 0;
    std::int64_t total() const { return substitutions + insertions + deletions; }
};

// The edits of an alignment of n hypothesis tokens with m reference tokens. Each operation takes a
// token of both, but insertions only of the one and deletions only of the other.
inline Edits count_edits(std::string_view operations, std::size_t n, std::size_t m) {
    const std::int64_t length = static_cast<std::int64_t>(operations.size());
    const std::int64_t matches =
        std::count(operations.begin(), operations.end(), operation::kMatch);
    Edits edits;
    edits.insertions = length - static_cast<std::int64_t>(m);
    edits.deletions = length - static_cast<std::int64_t>(n);
    edits.substitutions = length - matches - edits.insertions - edits.deletions;
    return edits;
}

// Writes operations from the last to the first.
class BackwardOperations {
public:
    // `out` will hold at most `most` operations.
    BackwardOperations(std::string& out, std::size_t most) : out_(out) {
        out.resize(most);
        place_ = out.data() + most;
    }
    void add(char o) { *--place_ = o; }
    void add(char o, std::size_t count) {
        place_ -= count;
        std::fill_n(place_, count, o);
    }
    void finish() { out_.erase(0, static_cast<std::size_t>(place_ - out_.data())); }

private:
    std::string& out_;
    char* place_;
};

// Aligns sequences; keeps its memory from one pair to the next.
class EditAligner {
public:
    // Replaces `operations` by the alignment, in the order of the texts. Ids of the reference are
    // below `distinct`; a hypothesis id that is not matches nothing.
    void align(Ids hypothesis, Ids reference, Id distinct, std::string& operations) {
        const std::size_t suffix = common_suffix(hypothesis, reference);
        hypothesis_ = hypothesis.first(hypothesis.size() - suffix);
        reference_ = reference.first(reference.size() - suffix);
        i_ = hypothesis_.size();
        j_ = reference_.size();
        BackwardOperations out(operations, hypothesis.size() + j_);
        out.add(operation::kMatch, suffix);
        if (i_ > 0 && j_ > 0) {
            occurrences_.index(reference_, distinct);
            if (j_ <= 64) {
                align_in_one_block(out);
            } else if (j_ <= kFewColumns && i_ <= kSteps / (kFewColumns / 64)) {
                align_in_few_blocks(out);
            } else {
                align_in_blocks(out);
            }
        }
        out.add(operation::kInsertion, i_);
        out.add(operation::kDeletion, j_);
        out.finish();
    }

private:
    // What the way back needs of 64 cells of row i: is the step from (i-1, j-1) optimal, is the
    // step from (i-1, j)?
    struct Steps {
        Bits diagonal, insertion;
    };
    // 64 cells of a row as differences between neighbours.
    struct Block {
        Bits up = ~Bits{0}, down = 0;
    };

    static std::size_t common_suffix(Ids a, Ids b) {
        const std::size_t limit = std::min(a.size(), b.size());
        std::size_t length = 0;
        while (length < limit && a[a.size() - 1 - length] == b[b.size() - 1 - length]) ++length;
        return length;
    }

    // Goes back through rows (first_row, i_], whose steps are given; stops at the first row kept.
    template <class StepsAt>
    void go_back(std::size_t first_row, const StepsAt& steps_at, BackwardOperations& out) {
        while (i_ > first_row && j_ > 0) {
            const Steps& steps = steps_at(i_, (j_ - 1) / 64);
            const Bits bit = Bits{1} << ((j_ - 1) % 64);
            if (steps.diagonal & bit) {
                --i_, --j_;
                const bool is_match = hypothesis_[i_] == reference_[j_];
                out.add(is_match ? operation::kMatch : operation::kSubstitution);
            } else if (steps.insertion & bit) {
                --i_;
                out.add(operation::kInsertion);
            } else {
                --j_;
                out.add(operation::kDeletion);
            }
        }
    }

    void align_in_one_block(BackwardOperations& out) {
        if (steps_.size() < i_) steps_.resize(i_);
        Block block;
        for (std::size_t i = 0; i < i_; ++i) {
            Carry carry;
            steps_[i] = advance(block, *occurrences_.blocks(hypothesis_[i], 0, 0), carry);
        }
        go_back(0, [&](std::size_t i, std::size_t) -> const Steps& { return steps_[i - 1]; }, out);
    }

    // Does D rise or fall from row i-1 to row i at the cell before a block? 0 or 1 each.
    struct Carry {
        Bits rise = 1, fall = 0;
    };

    // One row of one block; `carry` is then that of the next block.
    static Steps advance(Block& block, Bits equal, Carry& carry) {
        const auto [up, down] = block;
        const Bits vertical = equal | down;
        const Bits start = equal | carry.fall;
        const Bits same = ((((start & up) + up) ^ up) | start);
        const Bits rises = down | ~(same | up);
        const Bits falls = same & up;
        const Bits risen = rises << 1 | carry.rise;
        block.up = falls << 1 | carry.fall | ~(vertical | risen);
        block.down = risen & vertical;
        carry = {rises >> 63, falls >> 63};
        return {equal | ~(same | down), rises};
    }

    // --- references of more than 64 tokens -----------------------------------------------------

    // The steps of all rows are kept, of each the blocks that an optimal path may touch. These are
    // fewer if we guess that not almost everything differs; where it does, we try again.
    void align_in_few_blocks(BackwardOperations& out) {
        width_ = (j_ + 63) / 64;
        if (steps_.size() < i_ * width_) steps_.resize(i_ * width_);
        const std::size_t most = std::max(i_, j_);
        std::size_t limit = most * 5 / 8;
        while (!forward_narrowing(limit) && limit < most) limit = std::min(most, 2 * limit);
        const auto steps_at = [&](std::size_t i, std::size_t block) -> const Steps& {
            return steps_[(i - 1) * width_ + block];
        };
        go_back(0, steps_at, out);
    }

    // False if the distance may be above `limit`, which makes the steps worthless.
    bool forward_narrowing(std::size_t limit) {
        state_.assign(width_, Block{});
        band_.start(i_, j_, limit);
        Steps* steps = steps_.data();
        for (std::size_t row = 0; row < i_; ++row, steps += width_) {
            const std::size_t first = band_.first(), last = band_.last();
            const Bits* equal = occurrences_.blocks(hypothesis_[row], first, last);
            Carry carry;
            for (std::size_t b = first; b <= last; ++b) {
                steps[b] = advance(state_[b], equal[b - first], carry);
                band_.move_end(b, carry.rise, carry.fall);
            }
            if ((row + 1) % NarrowingBand::kRows == 0 && !narrow(row + 1)) return false;
        }
        return band_.last() + 1 == width_ && distance() <= limit;
    }

    bool narrow(std::size_t rows) {
        const std::size_t last = band_.last();
        if (!band_.narrow(rows)) return false;
        for (std::size_t b = last + 1; b <= band_.last(); ++b) state_[b] = Block{};
        return true;
    }

    // With at most `limit` edits a path stays where (limit - |n - m|) / 2 more insertions or
    // deletions than necessary lead; only blocks of these diagonals are computed. A result within
    // the limit is the true one (Ukkonen 1985); otherwise the limit grows.
    void align_in_blocks(BackwardOperations& out) {
        const std::size_t n = i_, m = j_;
        const std::size_t least = n > m ? n - m : m - n, most = std::max(n, m);
        std::size_t limit = std::min(most, least + 64);
        while (forward(limit) > limit) limit = std::min(most, 2 * limit);
        backward(out);
    }

    std::pair<std::size_t, std::size_t> active_blocks(std::size_t row) const {
        const std::ptrdiff_t diagonal = static_cast<std::ptrdiff_t>(row);
        const std::ptrdiff_t last_cell = static_cast<std::ptrdiff_t>(reference_.size()) - 1;
        const auto block = [&](std::ptrdiff_t cell) {
            return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(cell, 0, last_cell)) / 64;
        };
        return {block(diagonal + lowest_ - 1), block(diagonal + highest_ - 1)};
    }

    // The distance if it is at most `limit`, else something above it. Leaves the steps of the last
    // stretch of rows in steps_, and the state before every stretch in checkpoints_.
    std::size_t forward(std::size_t limit) {
        const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(hypothesis_.size());
        const std::ptrdiff_t m = static_cast<std::ptrdiff_t>(reference_.size());
        const std::ptrdiff_t spare = static_cast<std::ptrdiff_t>(limit) - std::abs(m - n);
        lowest_ = std::min<std::ptrdiff_t>(0, m - n) - spare / 2 - 1;
        highest_ = std::max<std::ptrdiff_t>(0, m - n) + spare / 2 + 1;
        const std::size_t blocks = (reference_.size() + 63) / 64;
        width_ = std::min(blocks, static_cast<std::size_t>(highest_ - lowest_) / 64 + 2);
        stretch_ = std::max({kSteps / width_, std::size_t{1},
                             static_cast<std::size_t>(std::sqrt(static_cast<double>(n)))});
        state_.assign(blocks, Block{});
        checkpoints_.clear();
        for (std::size_t row = 0; row < hypothesis_.size(); row += stretch_) {
            const auto [first, last] = active_blocks(row + 1);
            checkpoints_.emplace_back(state_.begin() + static_cast<std::ptrdiff_t>(first),
                                      state_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
            compute_stretch(row);
        }
        return distance();
    }

    void compute_stretch(std::size_t row) {
        const std::size_t end = std::min(row + stretch_, hypothesis_.size());
        if (steps_.size() < (end - row) * width_) steps_.resize((end - row) * width_);
        Steps* out = steps_.data();
        for (; row < end; ++row, out += width_) {
            const auto [first, last] = active_blocks(row + 1);
            const Bits* equal = occurrences_.blocks(hypothesis_[row], first, last);
            Carry carry;
            for (std::size_t b = first; b <= last; ++b) {
                out[b - first] = advance(state_[b], equal[b - first], carry);
            }
        }
    }

    // D[n][m]: a block that has been left keeps its last differences, and D grew by one in every
    // row since, so the rows and all the differences add up.
    std::size_t distance() const {
        std::ptrdiff_t total = static_cast<std::ptrdiff_t>(hypothesis_.size());
        for (const Block& block : state_) {
            const bool is_last = &block == &state_.back();
            const Bits inside =
                is_last ? ~Bits{0} >> (63 - (reference_.size() - 1) % 64) : ~Bits{0};
            total += std::popcount(block.up & inside) - std::popcount(block.down & inside);
        }
        return static_cast<std::size_t>(total);
    }

    // Stretch by stretch from the end; all but the last are computed again.
    void backward(BackwardOperations& out) {
        for (std::size_t stretch = checkpoints_.size(); stretch-- > 0 && j_ > 0;) {
            const std::size_t row = stretch * stretch_;
            if (stretch + 1 < checkpoints_.size()) {
                std::fill(state_.begin(), state_.end(), Block{});
                std::copy(
                    checkpoints_[stretch].begin(), checkpoints_[stretch].end(),
                    state_.begin() + static_cast<std::ptrdiff_t>(active_blocks(row + 1).first));
                compute_stretch(row);
            }
            const auto steps_at = [&](std::size_t i, std::size_t block) -> const Steps& {
                return steps_[(i - 1 - row) * width_ + block - active_blocks(i).first];
            };
            go_back(row, steps_at, out);
        }
    }

    static constexpr std::size_t kFewColumns = 4096;
    static constexpr std::size_t kSteps = std::size_t{1} << 20;  // steps kept at a time: 16 MB

    Ids hypothesis_, reference_;
    std::size_t i_ = 0, j_ = 0;  // the cell where the way back stands
    Occurrences occurrences_;
    NarrowingBand band_;
    std::vector<Steps> steps_;

    std::ptrdiff_t lowest_ = 0, highest_ = 0;  // the diagonals j - i that count
    std::size_t width_ = 0, stretch_ = 0;      // blocks kept per row, rows kept at a time
    std::vector<Block> state_;
    std::vector<std::vector<Block>> checkpoints_;
};

}  // namespace rankwise
