// Segments against several references: which one counts for WER and CER, and which for TER.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "edits/edits.hpp"
#include "edits/pairs.hpp"
#include "edits/ter.hpp"
#include "text/text.hpp"

namespace rankwise {

// Is a / a_length below b / b_length? Against an empty reference the rate is 0 or 1.
inline bool is_lower_rate(std::int64_t a, std::int64_t a_length, std::int64_t b,
                          std::int64_t b_length) {
    if (a_length == 0) a = a > 0, a_length = 1;
    if (b_length == 0) b = b > 0, b_length = 1;
    return a * b_length < b * a_length;
}

// Edits against the reference of lowest error rate, the first of equals.
template <class Pair>
class LowestErrorRate {
public:
    explicit LowestErrorRate(Pair pair) : pair_(std::move(pair)) {}

    std::size_t reference = 0;  // number of the reference
    std::int64_t length = 0;    // its length
    Edits edits;
    std::string operations;

    void compute(StringView hypothesis, std::span<const StringView> references) {
        pair_.set_hypothesis(hypothesis);
        for (std::size_t r = 0; r < references.size(); ++r) {
            pair_.set_reference(references[r]);
            aligner_.align(pair_.hypothesis, pair_.reference, pair_.distinct(), found_);
            const Edits found =
                count_edits(found_, pair_.hypothesis.size(), pair_.reference.size());
            const std::int64_t size = static_cast<std::int64_t>(pair_.reference.size());
            if (r > 0 && !is_lower_rate(found.total(), size, edits.total(), length)) continue;
            reference = r;
            length = size;
            edits = found;
            operations.swap(found_);
        }
    }

private:
    Pair pair_;
    EditAligner aligner_;
    std::string found_;
};

// Edits and shifts against the reference that needs fewest, the first of equals; the length that
// counts is the mean of all references.
template <class Pair>
class FewestEdits {
public:
    explicit FewestEdits(Pair pair) : pair_(std::move(pair)) {}

    std::size_t reference = 0;
    std::size_t edits = 0;
    double mean_length = 0;
    std::string operations;
    std::vector<PhraseShift> shifts;

    void compute(StringView hypothesis, std::span<const StringView> references) {
        pair_.set_hypothesis(hypothesis);
        edits = std::numeric_limits<std::size_t>::max();
        std::size_t length = 0;
        for (std::size_t r = 0; r < references.size(); ++r) {
            pair_.set_reference(references[r]);
            length += pair_.reference.size();
            const std::size_t found =
                search_.edits(pair_.hypothesis, pair_.reference, pair_.distinct());
            if (found >= edits) continue;
            edits = found;
            reference = r;
            operations.swap(search_.operations);
            shifts.swap(search_.shifts);
        }
        mean_length = static_cast<double>(length) / static_cast<double>(references.size());
    }

private:
    Pair pair_;
    ShiftSearch search_;
};

}  // namespace rankwise
