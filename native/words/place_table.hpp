// Words of a text by where they are, with a bit for every place.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/text.hpp"
#include "text/vocabulary.hpp"
#include "words/wide_bits.hpp"
#include "words/word_key.hpp"

namespace rankwise {

// The words of a reference of up to 64 or 128 words, with a bit for every place of each.
template <class Bits>
class PlaceTable {
public:
    static constexpr std::size_t kPlaces = 8 * sizeof(Bits);

    // Fills an empty table.
    void add_all(const Words& reference) {
        if (keys_.empty()) make();
        WordKey* const keys = keys_.data();
        Bits* const places = places_.data();
        std::uint32_t* const used = used_.data();
        for (std::size_t p = 0, size = reference.tokens.size(); p < size; ++p) {
            WordKey key;
            const std::size_t slot = find(keys, places, reference, word_at(reference, p), key);
            keys[slot] = key;
            places[slot] |= Bits{1} << p;
            used[p] = static_cast<std::uint32_t>(slot);
        }
    }

    // Sets `slots` to those of the words of a text.
    void find_all(const Words& text, const Words& reference, std::uint32_t* slots) const {
        const WordKey* const keys = keys_.data();
        const Bits* const places = places_.data();
        for (std::size_t i = 0, size = text.tokens.size(); i < size; ++i) {
            WordKey key;
            slots[i] =
                static_cast<std::uint32_t>(find(keys, places, reference, word_at(text, i), key));
        }
    }

    // By slot.
    const Bits* places() const { return places_.data(); }

    // Empties a table that has the words of a reference.
    void forget_all(const Words& reference) {
        for (std::size_t p = 0, size = reference.tokens.size(); p < size; ++p) {
            places_[used_[p]] = 0;
        }
    }

private:
    static constexpr std::size_t kSlots = 4 * kPlaces;  // a quarter of them in use at most
    static constexpr int kShift = 64 - std::countr_zero(kSlots);

    void make() {
        keys_.resize(kSlots);
        places_.resize(kSlots);
        used_.resize(kPlaces);
    }

    // The slot that holds the word, or the free slot where it belongs; and the key of the word.
    static std::size_t find(const WordKey* keys, const Bits* places, const Words& reference,
                            std::string_view word, WordKey& key) {
        if (WordKey::is_long(word)) [[unlikely]] {
            return find_long(keys, places, reference, word, key);
        }
        key.read(word);
        std::size_t i = key.hash() >> kShift;
        while ((in_use(places[i]) & keys[i].difference(key)) != 0) i = (i + 1) % kSlots;
        return i;
    }

    // Not inlined: the loops above have few registers to spare.
    [[gnu::noinline]] static std::size_t find_long(const WordKey* keys, const Bits* places,
                                                   const Words& reference, std::string_view word,
                                                   WordKey& key) {
        key.read_long(word);
        std::size_t i = key.hash() >> kShift;
        while (places[i] != 0 &&
               (keys[i].difference(key) != 0 || word_at(reference, lowest(places[i])) != word)) {
            i = (i + 1) % kSlots;
        }
        return i;
    }

    static std::string_view word_at(const Words& words, std::size_t i) {
        const Token token = words.tokens[i];
        return {words.text + token.begin * words.width, (token.end - token.begin) * words.width};
    }

    // Whether a slot is free is not to be foreseen. So truth is a number here, all bits set or
    // none, on which no branch can be made.
    static std::uint64_t in_use(std::uint64_t places) {
        return 0 - ((places | (0 - places)) >> 63);
    }
    static std::uint64_t in_use(Wide places) {
        return in_use(static_cast<std::uint64_t>(places) |
                      static_cast<std::uint64_t>(places >> 64));
    }

    std::vector<WordKey> keys_;        // by slot
    std::vector<Bits> places_;         // by slot; none where it is free
    std::vector<std::uint32_t> used_;  // by place: its slot
};

}  // namespace rankwise
