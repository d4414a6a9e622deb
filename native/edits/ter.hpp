// Translation edit rate: edits after a greedy search for phrase shifts, equal to sacreBLEU 2.6.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "edits/beam.hpp"
#include "edits/edits.hpp"
#include "edits/occurrences.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

namespace ter {
inline constexpr std::size_t kLongestPhrase = 10;
inline constexpr std::size_t kFarthestMatch = 50;
inline constexpr std::size_t kMostCandidates = 1000;  // per hypothesis and reference
}  // namespace ter

// A phrase of `length` words that moved from `start` to `target`, positions before and after.
struct PhraseShift {
    std::size_t start, length, target;
};

// Searches shifts and keeps its memory from one pair to the next.
class ShiftSearch {
public:
    std::vector<PhraseShift> shifts;  // what the last search did, in this order
    std::string operations;           // the edits that are left after the shifts

    // Edits and shifts that turn the hypothesis into the reference. Ids of the reference are below
    // `distinct`; a hypothesis id that is not matches nothing. An empty reference costs one edit
    // per word.
    std::size_t edits(Ids hypothesis, Ids reference, Id distinct) {
        shifts.clear();
        if (hypothesis.empty() || reference.empty()) {
            operations.assign(hypothesis.size(), operation::kInsertion);
            operations.append(reference.size(), operation::kDeletion);
            return operations.size();
        }
        if (hypothesis.size() == 1 && reference.size() == 1) {  // as lines without spaces are
            const bool is_match = hypothesis[0] == reference[0];
            operations.assign(1, is_match ? operation::kMatch : operation::kSubstitution);
            return is_match ? 0 : 1;
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
                    const std::size_t match =
                        place + static_cast<std::size_t>(std::countr_zero(matches));
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
        const std::size_t longest =
            std::min({ter::kLongestPhrase, hypothesis_.size() - start, reference_.size() - match});
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
