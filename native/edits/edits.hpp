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
#include <stdexcept>
#include <string>
#include <string_view>
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

// How much is asked of an alignment: every operation, how many of each kind, or how many edits in
// all. The less, the faster.
enum class Detail { operations, counts, total };

// Where only their total is asked for, all edits are called substitutions.
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

// Two sequences are too long, and differ too much, to be aligned.
struct TooFarApart : std::length_error {
    TooFarApart() : std::length_error("two texts are too long and differ too much") {}
};

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
        strip_suffix(hypothesis, reference);
        BackwardOperations out(operations, hypothesis.size() + j_);
        out.add(operation::kMatch, hypothesis.size() - i_);
        if (i_ > 0 && j_ > 0) {
            occurrences_.index(reference_, distinct);
            if (j_ <= 64) {
                align_in_one_block(out);
            } else {
                align_in_blocks();
                backward(out);
            }
        }
        out.add(operation::kInsertion, i_);
        out.add(operation::kDeletion, j_);
        out.finish();
    }

    // The edits alone, of the same alignment. What both begin with needs no look: it changes where
    // insertions or deletions are made, never how many.
    Edits count(Ids hypothesis, Ids reference, Id distinct, std::string& operations) {
        strip_prefix(hypothesis, reference);
        align(hypothesis, reference, distinct, operations);
        return count_edits(operations, hypothesis.size(), reference.size());
    }

    // How many edits there are in all, with no way back.
    Edits total(Ids hypothesis, Ids reference, Id distinct) {
        strip_prefix(hypothesis, reference);
        strip_suffix(hypothesis, reference);
        Edits edits;
        if (i_ == 0 || j_ == 0) {
            edits.substitutions = static_cast<std::int64_t>(i_ + j_);
            return edits;
        }
        occurrences_.index(reference_, distinct);
        if (j_ <= 64) {
            width_ = 1;
            state_.assign(1, Block{});
            for (const Id id : hypothesis_) {
                Carry carry;
                advance(state_[0], *occurrences_.blocks(id, 0, 0), carry);
            }
        } else {
            align_in_blocks(kNoSteps);
        }
        edits.substitutions = static_cast<std::int64_t>(distance());
        return edits;
    }

private:
    static void strip_prefix(Ids& hypothesis, Ids& reference) {
        const auto [first, other] =
            std::mismatch(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end());
        hypothesis = hypothesis.subspan(static_cast<std::size_t>(first - hypothesis.begin()));
        reference = reference.subspan(static_cast<std::size_t>(other - reference.begin()));
    }

    void strip_suffix(Ids hypothesis, Ids reference) {
        const std::size_t suffix = common_suffix(hypothesis, reference);
        hypothesis_ = hypothesis.first(hypothesis.size() - suffix);
        reference_ = reference.first(reference.size() - suffix);
        i_ = hypothesis_.size();
        j_ = reference_.size();
    }

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

    bool narrow(std::size_t rows) {
        const std::size_t last = band_.last();
        if (!band_.narrow(rows)) return false;
        for (std::size_t b = last + 1; b <= band_.last(); ++b) state_[b] = Block{};
        return true;
    }

    // A limit that is too low leaves nothing of the band after the share of rows that it is of the
    // distance: to begin with a low one costs texts that differ much next to nothing, saves those
    // that differ little most of the work, and tells which limit to try next.
    void align_in_blocks(std::size_t most_steps = kSteps) {
        most_steps_ = most_steps;
        const std::size_t least = i_ > j_ ? i_ - j_ : j_ - i_, most = std::max(i_, j_);
        std::size_t limit = std::min(most, least + std::clamp<std::size_t>(most / 4, 64, 128));
        refuse_beyond(limit);
        while (const std::size_t failed = forward(limit)) {
            if (limit == most) break;
            const std::size_t expected = limit + limit / 4, needed = expected * i_ / failed;
            limit = std::min(most, std::max(limit + limit / 2, needed));
            refuse_beyond(limit);
        }
    }

    // The blocks that a limit may need: the rows, times what of a row is within the limit.
    void refuse_beyond(std::size_t limit) const {
        const std::size_t width = std::min(j_ / 64, limit / 64) + 1;
        if (i_ > kMostBlocks / width) throw TooFarApart();
    }

    // Blocks that count in kRows rows.
    struct Range {
        std::size_t first, last;
        std::size_t width() const { return last - first + 1; }
    };

    // 0 if the distance is at most `limit`, else after how many rows nothing of the band was left.
    // Leaves the range of every group of rows in ranges_, the state before every stretch of them in
    // checkpoints_, and all steps if there is room.
    std::size_t forward(std::size_t limit) {
        width_ = (j_ + 63) / 64;
        stretch_ = rows_at_once(std::min(width_, limit / 64 + 3));
        state_.assign(width_, Block{});
        band_.start(i_, j_, limit);
        ranges_.clear(), checkpoints_.clear(), begins_.clear();
        kept_ = 0;
        for (std::size_t row = 0; row < i_; row += NarrowingBand::kRows) {
            const Range range{band_.first(), band_.last()};
            ranges_.push_back(range);
            if (row % stretch_ == 0 && most_steps_ != kNoSteps) {
                const auto begin = state_.begin() + static_cast<std::ptrdiff_t>(range.first);
                checkpoints_.emplace_back(begin,
                                          begin + static_cast<std::ptrdiff_t>(range.width()));
            }
            const std::size_t end = std::min(i_, row + NarrowingBand::kRows);
            if (Steps* const steps = room_for(end - row, range.width())) {
                advance_rows<true>(row, end, range, steps);
            } else {
                advance_rows<false>(row, end, range, nullptr);
            }
            if (end == row + NarrowingBand::kRows && !narrow(end)) return end;
        }
        return band_.last() + 1 == width_ && distance() <= limit ? 0 : i_;
    }

    // Where the steps of these rows go, or nowhere when all kept ones would be too many.
    Steps* room_for(std::size_t rows, std::size_t width) {
        begins_.push_back(kept_);
        kept_ += rows * width;
        if (kept_ > most_steps_) return nullptr;
        if (steps_.size() < kept_) steps_.resize(std::min(kSteps, 2 * kept_));
        return steps_.data() + begins_.back();
    }

    template <bool kKeep>
    void advance_rows(std::size_t row, std::size_t end, Range range, Steps* steps) {
        for (; row < end; ++row) {
            const Bits* equal = occurrences_.blocks(hypothesis_[row], range.first, range.last);
            Carry carry;
            for (std::size_t b = range.first; b <= range.last; ++b) {
                const Steps found = advance(state_[b], equal[b - range.first], carry);
                if constexpr (kKeep) *steps++ = found;
                band_.move_end(b, carry.rise, carry.fall);
            }
        }
    }

    // Rows whose steps are kept at a time, whole groups of them.
    std::size_t rows_at_once(std::size_t width) const {
        const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(i_)));
        const std::size_t rows = std::max(kSteps / width, root);
        return std::max<std::size_t>(1, rows / NarrowingBand::kRows) * NarrowingBand::kRows;
    }

    const Range& range_of(std::size_t row) const { return ranges_[row / NarrowingBand::kRows]; }

    // The steps of the rows of a stretch from the state that was kept before it.
    void compute_stretch(std::size_t stretch) {
        const std::size_t begin = stretch * stretch_, end = std::min(begin + stretch_, i_);
        Range before = range_of(begin);
        std::ranges::copy(checkpoints_[stretch],
                          state_.begin() + static_cast<std::ptrdiff_t>(before.first));
        width_ = 0;
        for (std::size_t row = begin; row < end; row += NarrowingBand::kRows) {
            width_ = std::max(width_, range_of(row).width());
        }
        if (steps_.size() < (end - begin) * width_) steps_.resize((end - begin) * width_);
        Steps* steps = steps_.data();
        for (std::size_t row = begin; row < end; ++row, steps += width_) {
            const Range range = range_of(row);
            for (std::size_t b = before.last + 1; b <= range.last; ++b) state_[b] = Block{};
            const Bits* equal = occurrences_.blocks(hypothesis_[row], range.first, range.last);
            Carry carry;
            for (std::size_t b = range.first; b <= range.last; ++b) {
                steps[b - range.first] = advance(state_[b], equal[b - range.first], carry);
            }
            before = range;
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

    // With all steps at once, or else stretch by stretch from the end.
    void backward(BackwardOperations& out) {
        if (kept_ <= kSteps) {
            const auto kept_at = [&](std::size_t i, std::size_t block) -> const Steps& {
                const Range& range = range_of(i - 1);
                const std::size_t row = (i - 1) % NarrowingBand::kRows;
                return steps_[begins_[(i - 1) / NarrowingBand::kRows] + row * range.width() +
                              block - range.first];
            };
            go_back(0, kept_at, out);
            return;
        }
        while (i_ > 0 && j_ > 0) {
            const std::size_t stretch = (i_ - 1) / stretch_, row = stretch * stretch_;
            compute_stretch(stretch);
            const auto steps_at = [&](std::size_t i, std::size_t block) -> const Steps& {
                return steps_[(i - 1 - row) * width_ + block - range_of(i - 1).first];
            };
            go_back(row, steps_at, out);
        }
    }

    static constexpr std::size_t kMostBlocks = std::size_t{1} << 31;  // some seconds
    static constexpr std::size_t kSteps = std::size_t{1} << 17;       // steps kept at a time: 2 MB
    static constexpr std::size_t kNoSteps = 0;                        // if there is no way back

    Ids hypothesis_, reference_;
    std::size_t i_ = 0, j_ = 0;  // the cell where the way back stands
    Occurrences occurrences_;
    NarrowingBand band_;
    std::vector<Steps> steps_;

    std::size_t width_ = 0, stretch_ = 0;  // blocks kept per row, rows kept at a time
    std::vector<Block> state_;
    std::vector<Range> ranges_;
    std::vector<std::size_t> begins_;  // of the steps of every group of rows
    std::size_t kept_ = 0;             // steps, if there had been room
    std::size_t most_steps_ = kSteps;
    std::vector<std::vector<Block>> checkpoints_;
};

}  // namespace rankwise
