// Translation edit rate: edits after a greedy search for phrase shifts, equal to sacreBLEU 2.6.
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
#include <span>
#include <string>
#include <vector>

#include "edits.hpp"
#include "occurrences.hpp"
#include "vocabulary.hpp"

namespace rankwise {

namespace ter {
inline constexpr std::size_t kLongestPhrase = 10;
inline constexpr std::size_t kFarthestMatch = 50;
inline constexpr std::size_t kBeam = 25;
inline constexpr std::size_t kMostCandidates = 1000;  // per hypothesis and reference
}  // namespace ter

// A rotation of the hypothesis words [begin, end) that brings `middle` to the front: the phrase
// moves over the words between it and its target.
struct Rotation {
    std::size_t begin, middle, end;
};

// A phrase of `length` words that moved from `start` to `target`, positions before and after.
struct PhraseShift {
    std::size_t start, length, target;
};

// The cells of a row that exist: first <= j < end.
struct BandRow {
    std::size_t first, end;
};

// The bands of rows 0..n against m reference words.
inline void band_rows(std::size_t n, std::size_t m, std::vector<BandRow>& rows) {
    const double ratio = static_cast<double>(m) / static_cast<double>(n);
    std::size_t beam = ter::kBeam;
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
    static bool fits(std::size_t n, std::size_t m) { return m <= 2 * ter::kBeam * n; }

    // Prepares for hypotheses of `n` words. The reference word of cell j is reference[j], and
    // `places` says where its words are; reference[0] is in no hypothesis.
    void start(std::size_t n, std::span<const Id> reference, const Occurrences& places) {
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
    std::size_t measure(std::span<const Id> hypothesis, std::size_t from) {
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

    static Bits lowest(std::size_t count) { return count >= 64 ? ~Bits{0} : (Bits{1} << count) - 1; }

    static Row row_masks(BandRow before, BandRow here) {
        const unsigned shift = static_cast<unsigned>(here.first - before.first);
        const Bits reached = lowest(before.end - here.first + 1);
        return {static_cast<std::uint32_t>(here.first), shift, shift > 0 ? reached : reached & ~Bits{1},
                lowest(here.end - here.first) & ~Bits{1}};
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
    std::span<const Id> hypothesis_, reference_;
    std::size_t distance_ = 0;
};

// The same by the plain definition, for references over 50 times as long as the hypothesis, where
// the band is wider than a machine word. There are few rows then.
class WideBeam {
public:
    void start(std::size_t n, std::span<const Id> reference, const Occurrences&) {
        band_rows(n, reference.size() - 1, band_);
        reference_ = reference;
        rows_.resize(n + 1);
        for (std::size_t i = 0; i <= n; ++i) rows_[i].resize(band_[i].end - band_[i].first);
        for (std::size_t j = 0; j < reference.size(); ++j) rows_[0][j] = static_cast<Cost>(j);
    }

    std::size_t measure(std::span<const Id> hypothesis, std::size_t) {
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
    std::span<const Id> reference_;
    std::vector<Id> hypothesis_;
    std::vector<std::vector<Cost>> rows_;
};

// Searches shifts and keeps its memory from one pair to the next.
class ShiftSearch {
public:
    std::vector<PhraseShift> shifts;  // what the last search did, in this order
    std::string operations;           // the edits that are left after the shifts

    // Edits and shifts that turn the hypothesis into the reference. Ids of the reference are below
    // `distinct`; a hypothesis id that is not matches nothing. An empty reference costs one edit
    // per word.
    std::size_t edits(std::span<const Id> hypothesis, std::span<const Id> reference, Id distinct) {
        shifts.clear();
        if (hypothesis.empty() || reference.empty()) {
            operations.assign(hypothesis.size(), operation::kInsertion);
            operations.append(reference.size(), operation::kDeletion);
            return operations.size();
        }
        hypothesis_.assign(hypothesis.begin(), hypothesis.end());
        // A word in front that occurs nowhere else: cells and reference words then have the same
        // numbers.
        reference_.assign(1, distinct);
        reference_.insert(reference_.end(), reference.begin(), reference.end());
        places_.index(reference_, distinct + 1);
        return NarrowBeam::fits(hypothesis.size(), reference.size()) ? search(narrow_)
                                                                     : search(wide_);
    }

private:
    struct Candidate {
        std::ptrdiff_t gain = 0;
        PhraseShift shift{0, 0, 0};
        Rotation rotation{0, 0, 0};
    };

    // Shift after shift while one reduces the distance. A round that reaches the limit of
    // candidates shifts nothing, whatever it found.
    template <class Beam>
    std::size_t search(Beam& beam) {
        beam.start(hypothesis_.size(), reference_, places_);
        candidates_ = 0;
        std::size_t changed_from = 0;
        for (;;) {
            distance_ = beam.measure(hypothesis_, changed_from);
            beam.trace(operations);
            if (distance_ == 0) break;
            read_alignment();
            const Candidate best = best_shift(beam);
            if (candidates_ >= ter::kMostCandidates || best.gain <= 0) break;
            const auto at = [this](std::size_t i) {
                return hypothesis_.begin() + static_cast<std::ptrdiff_t>(i);
            };
            const Rotation& r = best.rotation;
            std::rotate(at(r.begin), at(r.middle), at(r.end));
            shifts.push_back(moved(best));
            changed_from = r.begin;
        }
        return shifts.size() + distance_;
    }

    // From the operations: how many hypothesis words stand before the end of each reference word,
    // and the first wrong word at or after each word of either side.
    void read_alignment() {
        targets_.resize(reference_.size());
        hypothesis_error_.resize(hypothesis_.size());
        reference_error_.resize(reference_.size());
        std::size_t i = 0, j = 0;
        targets_[0] = reference_error_[0] = 0;
        for (const char o : operations) {
            const bool is_error = o != operation::kMatch;
            if (o != operation::kDeletion) hypothesis_error_[i++] = is_error;
            if (o == operation::kInsertion) continue;
            reference_error_[++j] = is_error;
            targets_[j] = i;
        }
        to_next_error(hypothesis_error_);
        to_next_error(reference_error_);
    }

    // Turns flags into positions of the first flag at or after each position.
    static void to_next_error(std::vector<std::size_t>& flags) {
        std::size_t next = flags.size() + ter::kLongestPhrase;  // out of reach of any phrase
        for (std::size_t i = flags.size(); i-- > 0;) {
            if (flags[i]) next = i;
            flags[i] = next;
        }
    }

    template <class Beam>
    Candidate best_shift(Beam& beam) {
        Candidate best;
        for (std::size_t start = 0; start < hypothesis_.size(); ++start) {
            // A phrase must have an error; the longest that starts here has none.
            if (hypothesis_error_[start] >= start + ter::kLongestPhrase) continue;
            // Reference word `place` is the word of index place - 1.
            const std::size_t first =
                start > ter::kFarthestMatch ? start + 1 - ter::kFarthestMatch : 1;
            const std::size_t last = std::min(start + ter::kFarthestMatch + 2, reference_.size());
            for (std::size_t place = first; place < last; place += 64) {
                Bits matches = places_.window(hypothesis_[start], place);
                if (last - place < 64) matches &= (Bits{1} << (last - place)) - 1;
                for (; matches != 0; matches &= matches - 1) {
                    const std::size_t match = place + std::countr_zero(matches);
                    try_phrases(beam, start, match, best);
                    if (candidates_ >= ter::kMostCandidates) return best;
                }
            }
        }
        return best;
    }

    // All phrases that begin at hypothesis word `start` and equal the reference from `match` on,
    // if both hold an error and the phrase is not aligned with its own place already.
    template <class Beam>
    void try_phrases(Beam& beam, std::size_t start, std::size_t match, Candidate& best) {
        const std::size_t longest = std::min({ter::kLongestPhrase, hypothesis_.size() - start,
                                              reference_.size() - match});
        const std::size_t error =
            std::max(hypothesis_error_[start] - start, reference_error_[match] - match);
        for (std::size_t length = 1;
             length <= longest && hypothesis_[start + length - 1] == reference_[match + length - 1];
             ++length) {
            if (length <= error) continue;
            if (targets_[match] > start && targets_[match] <= start + length) continue;
            try_targets(beam, start, match, length, best);
            if (candidates_ >= ter::kMostCandidates) return;
        }
    }

    // In front of the place of the first word, and after that of each word of the phrase.
    template <class Beam>
    void try_targets(Beam& beam, std::size_t start, std::size_t match, std::size_t length,
                     Candidate& best) {
        std::size_t before = std::numeric_limits<std::size_t>::max();
        for (std::size_t word = match - 1; word < match + length; ++word) {
            const std::size_t target = targets_[word];
            if (target == before) continue;
            before = target;
            ++candidates_;
            const Rotation rotation = shifted(start, length, target);
            const std::ptrdiff_t gain = static_cast<std::ptrdiff_t>(distance_) -
                                        static_cast<std::ptrdiff_t>(beam.measure_rotated(rotation));
            keep_better(best, gain, {start, length, target}, rotation);
        }
    }

    Rotation shifted(std::size_t start, std::size_t length, std::size_t target) const {
        const std::size_t end = start + length;
        if (target < start) return {target, start, end};
        if (target > end) return {start, end, target};
        return {start, end, std::min(end + target - start, hypothesis_.size())};
    }

    // The shift with its target as a position after it, not before it.
    static PhraseShift moved(const Candidate& found) {
        const auto& [start, length, target] = found.shift;
        const Rotation& r = found.rotation;
        return {start, length, target < start ? target : r.begin + r.end - r.middle};
    }

    // The largest gain, then the longest phrase, then the earliest, then the earliest target.
    static void keep_better(Candidate& best, std::ptrdiff_t gain, const PhraseShift& shift,
                            const Rotation& rotation) {
        if (gain < best.gain || gain <= 0) return;
        const PhraseShift& old = best.shift;
        if (gain == best.gain) {
            if (shift.length != old.length) {
                if (shift.length < old.length) return;
            } else if (shift.start != old.start) {
                if (shift.start > old.start) return;
            } else if (shift.target >= old.target) {
                return;
            }
        }
        best = {gain, shift, rotation};
    }

    NarrowBeam narrow_;
    WideBeam wide_;
    Occurrences places_;
    std::vector<Id> hypothesis_, reference_;
    std::size_t distance_ = 0, candidates_ = 0;
    std::vector<std::size_t> targets_, hypothesis_error_, reference_error_;
};

}  // namespace rankwise
