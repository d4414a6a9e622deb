// Shared word n-grams, up to order 4, with a bit for every place of the reference.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams/ngrams.hpp"
#include "ngrams/shift_and.hpp"

namespace rankwise {

// What NgramMatcher counts, for references of up to some hundred words.
//
// Bit p of `ends[n - 1]` says whether the n words of the hypothesis up to here are the n words of
// the reference up to place p (Shift-And, Baeza-Yates and Gonnet 1992). An n-gram takes one of the
// places that no n-gram of its order has taken before. So of h equal n-grams the first min(h, r)
// find a place, which is clipping; and with several references, those that find a place in any of
// them are the first min(h, max r). Nothing here branches on the text, so nothing is mispredicted.
//
// 64 places are looked at at a time; the first three are those before, where n-grams may begin.
class PlaceMatcher {
public:
    static bool fits(Ids hypothesis, std::span<const Ids> references, std::size_t max_order) {
        return max_order <= kOrders && hypothesis.size() <= kLongest &&
               std::ranges::all_of(references, [](Ids ids) { return ids.size() <= kPlaces; });
    }

    // Sets matches[n - 1] for every order n; see NgramMatcher.
    void match(Ids hypothesis, std::span<const Ids> references, std::size_t vocabulary,
               std::span<std::int64_t> matches) {
        const std::size_t max_order = matches.size();
        read(hypothesis, vocabulary);
        for (const Ids reference : references) {
            match_words(reference);
            for (std::size_t begin = 0; max_order > 1 && begin < reference.size(); begin += kNew) {
                const std::size_t before = std::min(begin, kContext);
                const Ids block = reference.subspan(begin - before);
                match_block(block.first(std::min(block.size(), kNew + before)), before);
            }
            for (std::size_t i = 0; i < matched_.size(); ++i) matched_[i] |= found_[i];
        }
        std::uint64_t counts = 0;  // 16 bits for every order
        for (const Orders orders : matched_) {
            counts += (orders * 0x0000200040008001u) & 0x0001000100010001u;
        }
        for (std::size_t n = 0; n < max_order; ++n) {
            matches[n] = static_cast<std::int64_t>(counts >> 16 * n & kLongest);
        }
    }

private:
    using Bits = std::uint64_t;
    using Orders = std::uint8_t;  // bit n - 1 stands for order n

    static constexpr std::size_t kOrders = 4, kContext = kOrders - 1, kNew = 64 - kContext;
    static constexpr std::size_t kPlaces = 16 * kNew;  // beyond that, NgramMatcher is faster
    static constexpr std::size_t kLongest = 0xffff;    // what 16 bits can count

    // The end of a bigram of the hypothesis, and where the reference has the bigram.
    struct Bigram {
        std::uint32_t position;
        Bits ends;
    };

    // The hypothesis as ids plus one; 0 stands for kAbsent, and for what comes before it.
    void read(Ids hypothesis, std::size_t vocabulary) {
        const std::size_t size = hypothesis.size();
        if (words_.size() < size + kContext) words_.resize(size + kContext);
        std::fill_n(words_.data(), kContext, 0);
        std::uint32_t* words = words_.data() + kContext;
        for (std::size_t i = 0; i < size; ++i) words[i] = hypothesis[i] + 1;
        if (bigrams_.size() < size + 1) bigrams_.resize(size + 1);
        places_.assign(vocabulary + 1, 0);
        left_.assign(vocabulary + 1, 0);
        found_.resize(size);
        matched_.assign(size, 0);
    }

    // Order 1 needs no places, only their number.
    void match_words(Ids reference) {
        std::uint32_t* left = left_.data();
        for (const Id id : reference) ++left[id + 1];
        const std::uint32_t* words = words_.data() + kContext;
        Orders* found = found_.data();
        for (std::size_t i = 0, size = found_.size(); i < size; ++i) {
            std::uint32_t& here = left[words[i]];
            found[i] = here > 0;
            here -= here > 0;
        }
        for (const Id id : reference) left[id + 1] = 0;
    }

    // Orders from 2. Each n-gram that has found no place takes one of the block, if it can; the
    // first `context` places are not to be had.
    void match_block(Ids block, std::size_t context) {
        Bits* places = places_.data();
        Orders* found = found_.data();
        const std::uint32_t* words = words_.data() + kContext;
        for (std::size_t p = 0; p < block.size(); ++p) places[block[p] + 1] |= Bits{1} << p;
        Bits free[kOrders];
        std::fill_n(free, kOrders, ~Bits{0} << context);
        for (const auto& [position, bigram_ends] : bigrams()) {
            const std::uint32_t* word = words + position;
            const Bits trigram_ends = bigram_ends & places[word[-2]] << 2;
            const Bits ends[] = {0, bigram_ends, trigram_ends,
                                 trigram_ends & places[word[-3]] << 3};
            unsigned orders = found[position];
            for (std::size_t n = 1; n < kOrders; ++n) {
                const Bits wanted = Bits{orders >> n & 1} - 1;
                const Bits open = ends[n] & free[n] & wanted;
                free[n] ^= open & -open;
                orders |= static_cast<unsigned>(open != 0) << n;
            }
            found[position] = static_cast<Orders>(orders);
        }
        for (const Id id : block) places[id + 1] = 0;
    }

    // The bigrams of the hypothesis that the block has.
    std::span<const Bigram> bigrams() {
        const Bits* places = places_.data();
        const std::uint32_t* words = words_.data() + kContext;
        Bigram* next = bigrams_.data();
        Bits before = 0;
        for (std::size_t i = 0, size = found_.size(); i < size; ++i) {
            const Bits here = places[words[i]], ends = before << 1 & here;
            *next = {static_cast<std::uint32_t>(i), ends};
            next += ends != 0;
            before = here;
        }
        return {bigrams_.data(), next};
    }

    std::vector<std::uint32_t> words_;  // by position, from kContext
    std::vector<std::uint32_t> left_;   // by word: how often it may still match
    std::vector<Bits> places_;          // by word: where in the block it is
    std::vector<Bigram> bigrams_;
    std::vector<Orders> found_, matched_;  // by position: in this reference, in any
};

// The same for one reference of few words, a bit of one number for each.
class ShortMatcher {
public:
    static bool fits(std::span<const Ids> references, std::size_t max_order) {
        return references.size() == 1 && references[0].size() <= kPlaces &&
               max_order <= kShiftAndOrders;
    }

    void match(Ids hypothesis, Ids reference, std::size_t vocabulary,
               std::span<std::int64_t> matches) {
        if (reference.size() <= 64) {
            match(hypothesis, reference, vocabulary, matches, narrow_);
        } else {
            match(hypothesis, reference, vocabulary, matches, wide_);
        }
    }

private:
    static constexpr std::size_t kPlaces = 128;

    template <class Bits>
    static void match(Ids hypothesis, Ids reference, std::size_t vocabulary,
                      std::span<std::int64_t> matches, std::vector<Bits>& places) {
        places.assign(vocabulary + 1, 0);  // by id plus one: 0 stands for kAbsent
        for (std::size_t p = 0; p < reference.size(); ++p) places[reference[p] + 1] |= Bits{1} << p;
        shift_and<kShiftAndOrders, Bits>(
            hypothesis, [&](Id id) { return places[static_cast<Id>(id + 1)]; }, matches);
    }

    std::vector<std::uint64_t> narrow_;
    std::vector<Wide> wide_;
};

// The fastest of the three wherever it applies.
class WordMatcher {
public:
    void match(Ids hypothesis, std::span<const Ids> references, std::size_t vocabulary,
               std::span<std::int64_t> matches) {
        if (ShortMatcher::fits(references, matches.size())) {
            short_.match(hypothesis, references[0], vocabulary, matches);
        } else if (PlaceMatcher::fits(hypothesis, references, matches.size())) {
            places_.match(hypothesis, references, vocabulary, matches);
        } else {
            general_.match(hypothesis, references, vocabulary, matches);
        }
    }

private:
    ShortMatcher short_;
    PlaceMatcher places_;
    NgramMatcher general_;
};

}  // namespace rankwise
