// How many edits make one text of another, for few words that have no numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/vocabulary.hpp"
#include "words/place_table.hpp"
#include "words/wide_bits.hpp"

namespace rankwise {

// The distance that EditAligner finds, from the places of words. Keeps its memory.
class WordDistance {
public:
    static bool fits(const Words& reference) {
        return reference.tokens.size() <= PlaceTable<Wide>::kPlaces;
    }

    // kKeyBytes behind the last word are read.
    std::int64_t operator()(const Words& hypothesis, const Words& reference) {
        if (reference.tokens.size() <= narrow_.kPlaces) {
            return distance(narrow_, hypothesis, reference);
        }
        return distance(wide_, hypothesis, reference);
    }

private:
    // See EditAligner for the recurrence.
    template <class Bits>
    std::int64_t distance(PlaceTable<Bits>& table, const Words& hypothesis,
                          const Words& reference) {
        const std::size_t rows = hypothesis.tokens.size(), columns = reference.tokens.size();
        if (columns == 0) return static_cast<std::int64_t>(rows);
        found_.resize(rows);
        table.add_all(reference);
        table.find_all(hypothesis, reference, found_.data());
        const Bits* const places = table.places();
        Bits up = ~Bits{0}, down = 0;
        for (const std::uint32_t slot : found_) {
            const Bits equal = places[slot], vertical = equal | down;
            const Bits same = (((equal & up) + up) ^ up) | equal;
            const Bits risen = (down | ~(same | up)) << 1 | 1;
            up = (same & up) << 1 | ~(vertical | risen);
            down = risen & vertical;
        }
        table.forget_all(reference);
        const Bits inside = ~Bits{0} >> (table.kPlaces - columns);
        return static_cast<std::int64_t>(rows) + count_of(up & inside) - count_of(down & inside);
    }

    PlaceTable<std::uint64_t> narrow_;
    PlaceTable<Wide> wide_;
    std::vector<std::uint32_t> found_;  // by word of the hypothesis: its slot
};

}  // namespace rankwise
