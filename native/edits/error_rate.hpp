// Segments against several references: which one counts for WER and CER, and which for TER.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "edits/edit_counts.hpp"
#include "edits/edits.hpp"
#include "edits/pairs.hpp"
#include "edits/spaced_text.hpp"
#include "edits/ter.hpp"
#include "edits/word_distance.hpp"
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
    // Without that detail, operations are left undefined.
    explicit LowestErrorRate(Pair pair, Detail detail = Detail::operations)
        : pair_(std::move(pair)), detail_(detail) {}

    std::size_t reference = 0;  // number of the reference
    std::int64_t length = 0;    // its length
    Edits edits;
    std::string operations;

    void compute(StringView hypothesis, std::span<const StringView> references) {
        pair_.set_hypothesis(hypothesis);
        for (std::size_t r = 0; r < references.size(); ++r) {
            pair_.set_reference(references[r]);
            const Edits found = aligned();
            const std::int64_t size = static_cast<std::int64_t>(pair_.reference.size());
            if (r > 0 && !is_lower_rate(found.total(), size, edits.total(), length)) continue;
            reference = r;
            length = size;
            edits = found;
            operations.swap(found_);
        }
    }

private:
    Edits aligned() {
        const Ids hypothesis = pair_.hypothesis, reference = pair_.reference;
        const Id distinct = pair_.distinct();
        if (detail_ == Detail::total) return aligner_.total(hypothesis, reference, distinct);
        if (detail_ == Detail::counts) {
            return aligner_.count(hypothesis, reference, distinct, found_);
        }
        aligner_.align(hypothesis, reference, distinct, found_);
        return count_edits(found_, hypothesis.size(), reference.size());
    }

    Pair pair_;
    Detail detail_;
    EditAligner aligner_;
    std::string found_;
};

// The edits of LowestErrorRate between words, all in one number: faster against references of few.
class WordErrorRate {
public:
    std::int64_t length = 0;
    Edits edits;

    void compute(StringView hypothesis, std::span<const StringView> references) {
        pair_.set_hypothesis(hypothesis);
        for (std::size_t r = 0; r < references.size(); ++r) {
            pair_.read_reference(references[r]);
            const std::int64_t found = distance();
            const auto size = static_cast<std::int64_t>(pair_.reference_words().tokens.size());
            if (r > 0 && !is_lower_rate(found, size, edits.total(), length)) continue;
            length = size;
            edits.substitutions = found;
        }
    }

private:
    std::int64_t distance() {
        if (WordDistance::fits(pair_.reference_words())) {
            return distance_(pair_.hypothesis_words(), pair_.reference_words());
        }
        pair_.number();
        return aligner_.total(pair_.hypothesis, pair_.reference, pair_.distinct()).total();
    }

    SpacedWordPair pair_;
    WordDistance distance_;
    EditAligner aligner_;
};

// The edits of LowestErrorRate without operations, faster for short texts of one or two bytes a
// character.
class CharacterErrorRate {
public:
    explicit CharacterErrorRate(bool with_space, Detail detail = Detail::counts)
        : bytes_(with_space, detail),
          pairs_of_bytes_(with_space, detail),
          general_(CharacterPair(with_space), detail) {}

    std::int64_t length = 0;
    Edits edits;

    void compute(StringView hypothesis, std::span<const StringView> references) {
        if (count_short(hypothesis, references)) return;
        general_.compute(hypothesis, references);
        length = general_.length;
        edits = general_.edits;
    }

private:
    // What reads and counts characters of one width.
    template <class Places>
    struct Short {
        using Unit = typename Places::Unit;
        using Text = std::span<const Unit>;

        Short(bool with_space, Detail detail)
            : read_hypothesis(with_space), read_reference(with_space), counter(detail) {}

        // The text itself, or a wider copy.
        static Text units_of(StringView text, std::vector<Unit>& wide) {
            if (text.width == sizeof(Unit)) {
                return {static_cast<const Unit*>(text.data), text.length};
            }
            wide.resize(text.length);
            copy_at_width(text, sizeof(Unit), reinterpret_cast<char*>(wide.data()));
            return wide;
        }

        Text hypothesis(StringView text) {
            return read_hypothesis.read(units_of(text, wide_hypothesis));
        }
        Text reference(StringView text) {
            return read_reference.read(units_of(text, wide_reference));
        }

        SpacedText<Unit> read_hypothesis, read_reference;
        std::vector<Unit> wide_hypothesis, wide_reference;
        ShortEditCounter<Places> counter;
    };

    // False if a text is too wide, or too long.
    bool count_short(StringView hypothesis, std::span<const StringView> references) {
        std::size_t length = hypothesis.length;
        std::uint8_t width = hypothesis.width;
        for (const StringView text : references) {
            length = std::max(length, text.length);
            width = std::max(width, text.width);
        }
        if (length > kLongest || width > 2) return false;
        return width == 1 ? count_with(bytes_, hypothesis, references)
                          : count_with(pairs_of_bytes_, hypothesis, references);
    }

    template <class Places>
    bool count_with(Short<Places>& by, StringView hypothesis,
                    std::span<const StringView> references) {
        const auto mine = by.hypothesis(hypothesis);
        for (std::size_t r = 0; r < references.size(); ++r) {
            const auto text = by.reference(references[r]);
            Edits found;
            if (!by.counter.count(mine, text, found)) return false;
            const auto size = static_cast<std::int64_t>(text.size());
            if (r > 0 && !is_lower_rate(found.total(), size, edits.total(), length)) continue;
            length = size;
            edits = found;
        }
        return true;
    }

    static constexpr std::size_t kLongest = 4 * ShortEditCounter<BytePlaces>::kLongest;

    Short<BytePlaces> bytes_;
    Short<PagedPlaces> pairs_of_bytes_;
    LowestErrorRate<CharacterPair> general_;
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
