// Shared word n-grams of texts whose words have no numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams/shift_and.hpp"
#include "text/vocabulary.hpp"
#include "words/place_table.hpp"
#include "words/wide_bits.hpp"

namespace rankwise {

// What Vocabulary and ShortMatcher find together, for one reference of few words: the table has the
// places of a word in the reference instead of its number, so that a word is looked up only once.
class PlacedWords {
public:
    static bool fits(const Words& reference, std::size_t max_order) {
        return reference.tokens.size() <= PlaceTable<Wide>::kPlaces && max_order <= kShiftAndOrders;
    }

    // Sets matches[n - 1] for every order n; see NgramMatcher. kKeyBytes behind the last word are
    // read.
    void match(const Words& hypothesis, const Words& reference, std::span<std::int64_t> matches) {
        if (reference.tokens.size() <= narrow_.kPlaces) {
            match(narrow_, hypothesis, reference, matches);
        } else {
            match(wide_, hypothesis, reference, matches);
        }
    }

private:
    template <class Bits>
    void match(PlaceTable<Bits>& table, const Words& hypothesis, const Words& reference,
               std::span<std::int64_t> matches) {
        found_.resize(hypothesis.tokens.size());
        table.add_all(reference);
        table.find_all(hypothesis, reference, found_.data());
        const auto places_of = [places = table.places()](std::uint32_t slot) {
            return places[slot];
        };
        if (matches.size() <= 2) {
            shift_and<2, Bits>(found_, places_of, matches);
        } else {
            shift_and<kShiftAndOrders, Bits>(found_, places_of, matches);
        }
        table.forget_all(reference);
    }

    PlaceTable<std::uint64_t> narrow_;
    PlaceTable<Wide> wide_;
    std::vector<std::uint32_t> found_;  // by word of the hypothesis: its slot
};

}  // namespace rankwise
