// Edit distance within a beam around the diagonal, as TER has it; equal to sacreBLEU 2.6.
//
// D[i][j] is the distance of the first i hypothesis words to the first j reference words, but row i
// has only the cells of a band around the diagonal; there is nothing outside it. The band is at
// most 50 cells wide (unless the reference is more than 50 times as long), so the differences
// between neighbours of a row fit one machine word whatever the lengths: a row costs a dozen
// instructions. Equality with the plain definition rests on what we pretend outside the band:
// above it each cell is one more than the one before, below it all cells are equal, and a word
// matches only where the diagonal step starts inside the band of the row before.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "edits/edits.hpp"
#include "edits/occurrences.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

inline constexpr std::size_t kBeam = 25;  // cells on either side of the diagonal

// A rotation of the hypothesis words [begin, end) that brings `middle` to the front: the phrase
// moves over the words between it and its target.
struct Rotation {
    std::size_t begin, middle, end;
};

// The cells of a row that exist: first <= j < end.
struct BandRow {
    std::size_t first, end;
};

// The bands of rows 0..n against m reference words.
inline void band_rows(std::size_t n, std::size_t m, std::vector<BandRow>& rows) {
    const double ratio = static_cast<double>(m) / static_cast<double>(n);
    std::size_t beam = kBeam;
    if (static_cast<double>(beam) < ratio / 2) {
        beam = static_cast<std::size_t>(std::ceil(ratio / 2 + static_cast<double>(beam)));
    }
    rows.assign(1, {0, m + 1});
    for (std::size_t i = 1; i <= n; ++i) {
        const std::size_t diagonal = static_cast<std::size_t>(static_cast<double>(i) * ratio);
        rows.push_back({diagonal > beam ? diagonal - beam : 0, std::min(m + 1, diagonal + beam)});
    }
    rows.back().end = m + 1;
}

// Distance of hypotheses of one length to one reference, for bands that fit a machine word: bit t
// of row i speaks of cell first + t.
class NarrowBeam {
public:
    static bool fits(std::size_t n, std::size_t m) { return m <= 2 * kBeam * n; }

    // Prepares for hypotheses of `n` words. The reference word of cell j is reference[j], and
    // `places` says where its words are; reference[0] is in no hypothesis.
    void start(std::size_t n, Ids reference, const Occurrences& places) {
        band_rows(n, reference.size() - 1, band_);
        reference_ = reference;
        places_ = &places;
        rows_.resize(n + 1);
        for (std::size_t i = 1; i <= n; ++i) rows_[i] = row_masks(band_[i - 1], band_[i]);
        states_.assign(n + 1, State{});
        steps_.resize(n + 1);
        equals_.resize(n + 1);
    }

    // The distance of `hypothesis`, which agrees with the one measured before up to word `from`.
    std::size_t measure(Ids hypothesis, std::size_t from) {
        hypothesis_ = hypothesis;
        for (std::size_t i = from; i < hypothesis.size(); ++i) {
            equals_[i + 1] = matches(i + 1, hypothesis[i]);
            states_[i + 1] = advance(states_[i], i + 1, equals_[i + 1], &steps_[i + 1]);
        }
        return distance_ = final_distance(states_.back());
    }

    // The distance of the measured hypothesis after a rotation. Only the rows of the rotated words
    // and those after them differ, and the latter only until the states are the same again.
    std::size_t measure_rotated(const Rotation& shift) const {
        State state = states_[shift.begin];
        std::size_t row = shift.begin;
        for (std::size_t i = shift.middle; i < shift.end; ++i) {
            ++row;
            state = advance(state, row, matches(row, hypothesis_[i]), nullptr);
        }
        for (std::size_t i = shift.begin; i < shift.middle; ++i) {
            ++row;
            state = advance(state, row, matches(row, hypothesis_[i]), nullptr);
        }
        while (row < hypothesis_.size()) {
            const State& usual = states_[row];
            if (state.up == usual.up && state.down == usual.down) {
                return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(distance_) +
                                                state.value - usual.value);
            }
            ++row;
            state = advance(state, row, equals_[row], nullptr);
        }
        return final_distance(state);
    }

    // The operations of the measured hypothesis.
    void trace(std::string& operations) const {
        std::size_t i = hypothesis_.size(), j = reference_.size() - 1;
        BackwardOperations out(operations, i + j);
        while (i > 0) {
            const Bits bit = Bits{1} << (j - band_[i].first);
            if (steps_[i].diagonal & bit) {
                const bool is_match = hypothesis_[i - 1] == reference_[j];
                out.add(is_match ? operation::kMatch : operation::kSubstitution);
                --i, --j;
            } else if (steps_[i].insertion & bit) {
                --i;
                out.add(operation::kInsertion);
            } else {
                --j;
                out.add(operation::kDeletion);
            }
        }
        out.add(operation::kDeletion, j);
        out.finish();
    }

private:
    // A row: D at its first cell, and where D rises or falls from one cell to the next. Bit 0, the
    // step into the first cell, is never set.
    struct State {
        Bits up = ~Bits{1}, down = 0;
        std::ptrdiff_t value = 0;

        // Makes the next cell the first.
        void move_on() {
            up = up >> 1 | Bits{1} << 63;
            down >>= 1;
            value += static_cast<int>(up & 1) - static_cast<int>(down & 1);
        }
    };
    struct Row {
        std::uint32_t first;  // its first cell
        unsigned shift;       // cells by which the band moved on from the row before
        Bits from_diagonal;   // cells whose diagonal neighbour exists
        Bits inside;          // cells of the row but its first
    };
    struct Steps {
        Bits diagonal, insertion;
    };

    static Bits lowest(std::size_t count) {
        return count >= 64 ? ~Bits{0} : (Bits{1} << count) - 1;
    }

    static Row row_masks(BandRow before, BandRow here) {
        const unsigned shift = static_cast<unsigned>(here.first - before.first);
        const Bits reached = lowest(before.end - here.first + 1);
        return {static_cast<std::uint32_t>(here.first), shift,
                shift > 0 ? reached : reached & ~Bits{1}, lowest(here.end - here.first) & ~Bits{1}};
    }

    // The cells of row i that a word matches.
    Bits matches(std::size_t i, Id word) const {
        return places_->window(word, rows_[i].first) & rows_[i].from_diagonal;
    }

    State advance(State state, std::size_t i, Bits equal, Steps* steps) const {
        const Row& row = rows_[i];
        for (unsigned left = row.shift; left > 0; --left) state.move_on();
        const Bits same = (((equal & state.up) + state.up) ^ state.up) | (equal | state.down);
        const Bits falls = same & state.up;
        const Bits rises = ~((same | state.up) & ~state.down);
        if (steps != nullptr) *steps = {equal | (~same & row.from_diagonal), rises};
        state.value += static_cast<int>(rises & 1) - static_cast<int>(falls & 1);
        const Bits not_risen = ~rises << 1;
        state.up = ((falls << 1 | (not_risen & ~same)) & row.inside) | ~(row.inside | 1);
        state.down = same & ~not_risen & row.inside;
        return state;
    }

    std::size_t final_distance(const State& state) const {
        const Bits inside = rows_.back().inside;
        return static_cast<std::size_t>(state.value + std::popcount(state.up & inside) -
                                        std::popcount(state.down & inside));
    }

    std::vector<BandRow> band_;
    std::vector<Row> rows_;
    std::vector<State> states_;
    std::vector<Steps> steps_;
    std::vector<Bits> equals_;
    const Occurrences* places_ = nullptr;
    Ids hypothesis_, reference_;
    std::size_t distance_ = 0;
};

// The same by the plain definition, for references over 50 times as long as the hypothesis, where
// the band is wider than a machine word. There are few rows then.
class WideBeam {
public:
    void start(std::size_t n, Ids reference, const Occurrences&) {
        band_rows(n, reference.size() - 1, band_);
        reference_ = reference;
        rows_.resize(n + 1);
        for (std::size_t i = 0; i <= n; ++i) rows_[i].resize(band_[i].end - band_[i].first);
        for (std::size_t j = 0; j < reference.size(); ++j) rows_[0][j] = static_cast<Cost>(j);
    }

    std::size_t measure(Ids hypothesis, std::size_t) {
        hypothesis_.assign(hypothesis.begin(), hypothesis.end());
        return distance();
    }

    std::size_t measure_rotated(const Rotation& shift) {
        const auto at = [this](std::size_t i) {
            return hypothesis_.begin() + static_cast<std::ptrdiff_t>(i);
        };
        const auto middle = std::rotate(at(shift.begin), at(shift.middle), at(shift.end));
        const std::size_t result = distance();
        std::rotate(at(shift.begin), middle, at(shift.end));
        return result;
    }

    // The operations of what was measured last.
    void trace(std::string& operations) const {
        std::size_t i = hypothesis_.size(), j = reference_.size() - 1;
        BackwardOperations out(operations, i + j);
        while (i > 0) {
            const Cost here = cell(i, j);
            if (j > 0 && here == after_diagonal(i, j)) {
                const bool is_match = hypothesis_[i - 1] == reference_[j];
                out.add(is_match ? operation::kMatch : operation::kSubstitution);
                --i, --j;
            } else if (here == cell(i - 1, j) + 1) {
                --i;
                out.add(operation::kInsertion);
            } else {
                --j;
                out.add(operation::kDeletion);
            }
        }
        out.add(operation::kDeletion, j);
        out.finish();
    }

private:
    using Cost = std::uint32_t;
    static constexpr Cost kNothing = std::numeric_limits<Cost>::max() / 2;

    Cost cell(std::size_t i, std::size_t j) const {
        const bool exists = j >= band_[i].first && j < band_[i].end;
        return exists ? rows_[i][j - band_[i].first] : kNothing;
    }
    Cost after_diagonal(std::size_t i, std::size_t j) const {
        return cell(i - 1, j - 1) + (hypothesis_[i - 1] != reference_[j]);
    }
    std::size_t distance() {
        for (std::size_t i = 1; i <= hypothesis_.size(); ++i) compute_row(i);
        return rows_.back().back();
    }
    void compute_row(std::size_t i) {
        Cost left = kNothing;
        for (std::size_t j = band_[i].first; j < band_[i].end; ++j) {
            Cost best = std::min(cell(i - 1, j), left) + 1;
            if (j > 0) best = std::min(best, after_diagonal(i, j));
            rows_[i][j - band_[i].first] = left = best;
        }
    }

    std::vector<BandRow> band_;
    Ids reference_;
    std::vector<Id> hypothesis_;
    std::vector<std::vector<Cost>> rows_;
};

}  // namespace rankwise
