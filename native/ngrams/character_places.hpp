// Shared character n-grams, up to order 6, with a bit for every place of the reference.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams/ngrams.hpp"

namespace rankwise {

// What NgramMatcher counts, for one reference of up to some hundred characters.
//
// As PlaceMatcher does with words: bit p of `ends` says whether the last n characters of the
// hypothesis are those of the reference up to place p; an n-gram takes one of the places that no
// n-gram of its order has taken before, which is clipping. Bigrams that the reference lacks are
// left out first, then trigrams, so that few of the many positions are looked at in all orders.
//
// 64 places are looked at at a time; the first five are those before, where n-grams may begin.
class CharacterPlaceMatcher {
public:
    // `sorts` says whether SortedMatcher could do it too.
    static bool fits(Ids reference, std::size_t max_order, bool sorts) {
        return max_order <= kOrders && reference.size() <= (sorts ? kFewPlaces : kPlaces);
    }

    // Sets matches[n - 1] for every order n; see NgramMatcher.
    void match(Ids hypothesis, Ids reference, std::size_t vocabulary,
               std::span<std::int64_t> matches) {
        read(hypothesis);
        places_.resize(vocabulary + 1);
        std::int64_t found[kOrders] = {};
        if (reference.size() <= kWidth) {
            match_block<true, true>(reference, 0, found);
        } else {
            found[0] = match_characters(reference);
            open_.assign(size_, 0xff);
            match_block<true, false>(reference.first(kWidth), 0, found);
            std::size_t begin = kWidth;
            for (; begin + kNew < reference.size(); begin += kNew) {
                const Ids block = reference.subspan(begin - kContext, kNew + kContext);
                match_block<false, false>(block, kContext, found);
            }
            match_block<false, true>(reference.subspan(begin - kContext), kContext, found);
        }
        std::copy_n(found, matches.size(), matches.begin());
    }

private:
    using Bits = std::uint64_t;

    static constexpr std::size_t kOrders = 6, kContext = kOrders - 1;
    static constexpr std::size_t kWidth = 64, kNew = kWidth - kContext;  // places of a block
    static constexpr std::size_t kPlaces = kWidth + 12 * kNew;    // beyond, NgramMatcher is faster
    static constexpr std::size_t kFewPlaces = kWidth + 5 * kNew;  // beyond, SortedMatcher is

    // The end of an n-gram of the hypothesis, and where the reference has the n-gram.
    struct Shared {
        std::uint32_t position;
        Bits ends;
    };

    // The hypothesis as ids plus one; 0 stands for kAbsent, and for what comes before it.
    void read(Ids hypothesis) {
        size_ = hypothesis.size();
        if (characters_.size() < size_ + kContext) {
            characters_.resize(size_ + kContext);
            bigrams_.resize(size_ + 1), trigrams_.resize(size_ + 1);
        }
        std::uint32_t* const characters = characters_.data() + kContext;
        for (std::size_t i = 0; i < size_; ++i) characters[i] = hypothesis[i] + 1;
    }

    // Order 1 of several blocks needs no places, only their number.
    std::int64_t match_characters(Ids reference) {
        left_.assign(places_.size(), 0);
        std::uint32_t* const left = left_.data();
        for (const Id id : reference) ++left[id + 1];
        const std::uint32_t* const characters = characters_.data() + kContext;
        std::int64_t matches = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            std::uint32_t& here = left[characters[i]];
            const std::uint32_t taken = here > 0;
            matches += taken;
            here -= taken;
        }
        return matches;
    }

    // The places of a block that n-grams of one order may still take. Which n-grams have found one
    // is looked up but in the first block, and noted but in the last.
    template <bool kFirst, bool kLast>
    struct Order {
        Bits free;

        // Takes a place where the n-gram ends, unless it has one; returns the bit to clear.
        unsigned take(Bits ends, [[maybe_unused]] unsigned orders, [[maybe_unused]] unsigned bit) {
            Bits chosen = ends & free;
            if constexpr (!kFirst) chosen &= -Bits{orders >> bit & 1};
            free ^= chosen & -chosen;
            return kLast ? 0 : static_cast<unsigned>(chosen != 0) << bit;
        }
    };

    // Orders from 2. Each n-gram that has found no place takes one of the block, if it can; the
    // first `context` places are not to be had.
    template <bool kFirst, bool kLast>
    void match_block(Ids block, std::size_t context, std::int64_t* found) {
        Bits* const places = places_.data();
        std::fill_n(places, places_.size(), 0);
        for (std::size_t p = 0; p < block.size(); ++p) places[block[p] + 1] |= Bits{1} << p;
        const Bits fresh = ~Bits{0} << context;
        Order<kFirst, kLast> one{fresh}, two{fresh}, three{fresh}, four{fresh}, five{fresh},
            six{fresh};
        const std::uint32_t* const characters = characters_.data() + kContext;
        std::uint8_t* const open = open_.data();
        for (const auto [position, ends] : trigrams(bigrams(one), two)) {
            const std::uint32_t* const last = characters + position;
            const Bits ends_four = ends & places[last[-3]] << 3;
            const Bits ends_five = ends_four & places[last[-4]] << 4;
            const Bits ends_six = ends_five & places[last[-5]] << 5;
            const unsigned orders = kFirst ? 0 : open[position];
            const unsigned taken = three.take(ends, orders, 2) | four.take(ends_four, orders, 3) |
                                   five.take(ends_five, orders, 4) | six.take(ends_six, orders, 5);
            if constexpr (!kLast) open[position] ^= static_cast<std::uint8_t>(taken);
        }
        found[1] += std::popcount(fresh ^ two.free), found[2] += std::popcount(fresh ^ three.free);
        found[3] += std::popcount(fresh ^ four.free), found[4] += std::popcount(fresh ^ five.free);
        found[5] += std::popcount(fresh ^ six.free);
        if (kFirst && kLast) found[0] = std::popcount(fresh ^ one.free);
    }

    // The bigrams of the hypothesis that the block has; the characters of an only block take places
    // meanwhile.
    template <bool kFirst, bool kLast>
    std::span<const Shared> bigrams(Order<kFirst, kLast>& order) {
        const Bits* const places = places_.data();
        const std::uint32_t* const characters = characters_.data() + kContext;
        Shared* next = bigrams_.data();
        Order<kFirst, kLast> one = order;
        Bits before = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            const Bits here = places[characters[i]], ends = before << 1 & here;
            if (kFirst && kLast) one.take(here, 0, 0);
            *next = {static_cast<std::uint32_t>(i), ends};
            next += ends != 0;
            before = here;
        }
        order = one;
        return {bigrams_.data(), next};
    }

    // Those of them that end a trigram of the block; all take places of their own meanwhile.
    template <bool kFirst, bool kLast>
    std::span<const Shared> trigrams(std::span<const Shared> bigrams, Order<kFirst, kLast>& order) {
        const Bits* const places = places_.data();
        const std::uint32_t* const characters = characters_.data() + kContext;
        std::uint8_t* const open = open_.data();
        Shared* next = trigrams_.data();
        Order<kFirst, kLast> two = order;
        for (const auto [position, ends] : bigrams) {
            const unsigned taken = two.take(ends, kFirst ? 0 : open[position], 1);
            if constexpr (!kLast) open[position] ^= static_cast<std::uint8_t>(taken);
            const std::uint32_t* const last = characters + position;
            const Bits longer = ends & places[last[-2]] << 2;
            *next = {position, longer};
            next += longer != 0;
        }
        order = two;
        return {trigrams_.data(), next};
    }

    std::size_t size_ = 0;                   // of the hypothesis
    std::vector<std::uint32_t> characters_;  // by position, from kContext; zeros before
    std::vector<std::uint32_t> left_;        // by character: how often it may still match
    std::vector<Bits> places_;               // by character: where in the block it is
    std::vector<std::uint8_t> open_;         // by position: a bit for orders without a place
    std::vector<Shared> bigrams_, trigrams_;
};

}  // namespace rankwise
