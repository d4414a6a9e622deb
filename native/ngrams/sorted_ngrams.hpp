// Shared n-grams of two sequences over a small alphabet, all orders at once and without hashing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "ngrams/character_places.hpp"
#include "ngrams/ngrams.hpp"

namespace rankwise {

// What NgramMatcher counts, for one reference and symbols of 8 bits: the characters of most texts.
//
// Every position has a key, the n-gram of the highest order that begins there, so that its prefixes
// are the n-grams of lower orders; the last bit says which side it is from. Sorted, equal n-grams
// of every order are neighbours: one walk counts both sides of all orders, a lane of a vector each.
// Nothing here branches on the text, so nothing is mispredicted.
class SortedMatcher {
public:
    static constexpr int kBits = 8;  // of a symbol
    static constexpr std::size_t kHighestOrder = 63 / kBits;
    static constexpr std::size_t kLongest = 32767;  // what a lane can count

    // Three symbols are taken: beyond the end of either side, and what the reference has not.
    static bool fits(Ids hypothesis, Ids reference, std::size_t vocabulary, std::size_t max_order) {
        return max_order > 0 && max_order <= kHighestOrder &&
               vocabulary + 3 <= (std::size_t{1} << kBits) && hypothesis.size() <= kLongest &&
               reference.size() <= kLongest;
    }

    // Sets matches[n - 1] for every order n; see NgramMatcher.
    void match(Ids hypothesis, Ids reference, std::size_t vocabulary,
               std::span<std::int64_t> matches) {
        const std::size_t max_order = matches.size();
        absent_symbol_ = static_cast<std::uint32_t>(vocabulary + 1);
        const std::size_t count = hypothesis.size() + reference.size();
        if (keys_.size() < count) keys_.resize(count), sorted_.resize(count);
        counts_.assign(vocabulary + 3, 0);
        used_ = ~std::uint64_t{0} << (64 - kBits * max_order);
        // What lies beyond the ends differs, so that no match reaches there.
        const Side sides[] = {{hypothesis, 0, 0}, {reference, absent_symbol_ + 1, 1}};
        std::uint64_t* next = keys_.data();
        for (const Side& side : sides) next = write_keys(side, next);
        sort(sides, count, max_order);
        const Lanes found = walk(count);
        for (std::size_t n = 0; n < max_order; ++n) matches[n] = found[n];
    }

private:
    struct Side {
        Ids ids;
        std::uint32_t beyond;  // the symbol of what lies beyond the end
        std::uint64_t bit;
    };
    // Eight counts in one register, by order from 1 (a vector type of GCC and Clang).
    typedef std::int16_t Lanes __attribute__((vector_size(16)));

    // 1 .. vocabulary, or the symbol of kAbsent.
    std::uint32_t symbol(Id id) const { return std::min(id + 1, absent_symbol_); }

    std::uint64_t* write_keys(const Side& side, std::uint64_t* keys) {
        std::uint64_t key = 0;
        for (std::size_t n = 0; n < kHighestOrder; ++n) {
            key = key >> kBits | std::uint64_t{side.beyond} << (64 - kBits);
        }
        std::uint32_t* counts = counts_.data();
        for (std::size_t i = side.ids.size(); i-- > 0;) {
            const std::uint32_t now = symbol(side.ids[i]);
            ++counts[now];
            key = key >> kBits | std::uint64_t{now} << (64 - kBits);
            keys[i] = (key & used_) | side.bit;
        }
        return keys + side.ids.size();
    }

    // By the last symbol, then by the one before, and so on; each pass keeps the order of the last.
    void sort(std::span<const Side> sides, std::size_t count, std::size_t max_order) {
        for (std::size_t n = 1; n < max_order; ++n) shift_counts(sides, n, 1);
        for (std::size_t n = max_order; n-- > 0;) {
            place(count, static_cast<int>(64 - kBits * (n + 1)));
            if (n > 0) shift_counts(sides, n, -1);
        }
    }

    // How often a symbol is the n-th of a key follows from how often it is the one before: the
    // first key's symbol drops out, what lies beyond the end comes in.
    void shift_counts(std::span<const Side> sides, std::size_t n, int step) {
        for (const Side& side : sides) {
            if (n > side.ids.size()) continue;
            counts_[symbol(side.ids[n - 1])] -= static_cast<std::uint32_t>(step);
            counts_[side.beyond] += static_cast<std::uint32_t>(step);
        }
    }

    void place(std::size_t count, int shift) {
        starts_.resize(counts_.size());
        std::uint32_t* starts = starts_.data();
        std::exclusive_scan(counts_.begin(), counts_.end(), starts, 0u);
        const std::uint64_t* keys = keys_.data();
        std::uint64_t* sorted = sorted_.data();
        constexpr std::uint64_t kOneSymbol = (std::uint64_t{1} << kBits) - 1;
        for (std::size_t i = 0; i < count; ++i) {
            sorted[starts[keys[i] >> shift & kOneSymbol]++] = keys[i];
        }
        keys_.swap(sorted_);
    }

    // At every key, the orders above what it shares with the key before it begin a new n-gram.
    Lanes walk(std::size_t count) const {
        Lanes found{}, ours{}, theirs{};
        std::uint64_t before = 0;
        for (const std::uint64_t key : std::span(keys_).first(count)) {
            const Lanes same = kKeep[std::countl_zero((key ^ before) | 1) / kBits];
            const Lanes their = kSideBits[key & 1];
            found += smaller(ours, theirs) & ~same;
            ours = (ours & same) + (1 - their);
            theirs = (theirs & same) + their;
            before = key;
        }
        return found + smaller(ours, theirs);
    }

    static Lanes smaller(Lanes a, Lanes b) {
        const Lanes less = a < b;
        return (a & less) | (b & ~less);
    }

    // keep[k] has all bits set in the lanes of orders up to k.
    static constexpr Lanes kKeep[8] = {{},
                                       {-1},
                                       {-1, -1},
                                       {-1, -1, -1},
                                       {-1, -1, -1, -1},
                                       {-1, -1, -1, -1, -1},
                                       {-1, -1, -1, -1, -1, -1},
                                       {-1, -1, -1, -1, -1, -1, -1}};
    static constexpr Lanes kSideBits[2] = {{}, {1, 1, 1, 1, 1, 1, 1, 1}};

    std::uint32_t absent_symbol_ = 0;
    std::uint64_t used_ = 0;  // the bits of a key that hold its n-gram
    std::vector<std::uint64_t> keys_, sorted_;
    std::vector<std::uint32_t> counts_, starts_;  // by symbol
};

// The fastest of the three wherever it applies.
class CharacterMatcher {
public:
    void match(Ids hypothesis, std::span<const Ids> references, std::size_t vocabulary,
               std::span<std::int64_t> matches) {
        const bool single = references.size() == 1;
        const bool sorts =
            single && SortedMatcher::fits(hypothesis, references[0], vocabulary, matches.size());
        if (single && CharacterPlaceMatcher::fits(references[0], matches.size(), sorts)) {
            places_.match(hypothesis, references[0], vocabulary, matches);
        } else if (sorts) {
            sorted_.match(hypothesis, references[0], vocabulary, matches);
        } else {
            general_.match(hypothesis, references, vocabulary, matches);
        }
    }

private:
    CharacterPlaceMatcher places_;
    SortedMatcher sorted_;
    NgramMatcher general_;
};

}  // namespace rankwise
