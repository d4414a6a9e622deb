// How many edits two short sequences need, and of which kind, without writing them down.
//
// The counts are those of the alignment that EditAligner finds. What both begin and end with needs
// no look: whatever is left out of a beginning, the distance tells how often. As many insertions
// more than deletions are made as the hypothesis is longer; so the distance alone tells all counts
// if it is that difference, or one more: only beyond is there a way back to be gone.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "edits/edits.hpp"

namespace rankwise {

// Where a character stands in a reference of up to 256 of them, a bit for each.
using ShortPlaces = std::array<Bits, 4>;

// The places of every character that is one byte.
class BytePlaces {
public:
    using Unit = std::uint8_t;

    const ShortPlaces& operator[](Unit c) const { return places_[c]; }
    ShortPlaces& to_change(Unit c) { return places_[c]; }
    ShortPlaces& of_known(Unit c) { return places_[c]; }

private:
    std::array<ShortPlaces, 256> places_{};
};

// The same of characters of two bytes, in pages of 256: one for each that a reference ever had.
class PagedPlaces {
public:
    using Unit = std::uint16_t;

    PagedPlaces() { pages_.fill(&kEmpty); }
    PagedPlaces(const PagedPlaces&) = delete;
    PagedPlaces& operator=(const PagedPlaces&) = delete;

    const ShortPlaces& operator[](Unit c) const { return (*pages_[c >> 8])[c & 255]; }
    ShortPlaces& to_change(Unit c) {
        if (!own_[c >> 8]) [[unlikely]]
            add_page(c >> 8);
        return of_known(c);
    }
    // The same of a character that a reference had.
    ShortPlaces& of_known(Unit c) { return (*own_[c >> 8])[c & 255]; }

private:
    using Page = std::array<ShortPlaces, 256>;

    [[gnu::noinline]] void add_page(std::size_t number) {
        own_[number] = std::make_unique<Page>();
        pages_[number] = own_[number].get();
    }

    static constexpr Page kEmpty{};
    std::array<const Page*, 256> pages_;
    std::array<std::unique_ptr<Page>, 256> own_;
};

// Counts edits against references of up to 256 characters. Keeps its buffers.
template <class Places>
class ShortEditCounter {
public:
    using Unit = typename Places::Unit;
    using Text = std::span<const Unit>;
    static constexpr std::size_t kLongest = 256;

    explicit ShortEditCounter(Detail detail) : detail_(detail) {}

    // False if the reference, without what both share at their ends, is longer than kLongest; where
    // only the total counts, the shorter of both takes its place.
    bool count(Text hypothesis, Text reference, Edits& edits) {
        strip(hypothesis, reference);
        if (is_total() && hypothesis.size() < reference.size()) std::swap(hypothesis, reference);
        const std::size_t n = hypothesis.size(), m = reference.size();
        if (m > kLongest) return false;
        switch (n == 0 ? 0 : (m + 63) / 64) {
            case 0: edits = only_lengths(n, m); break;
            case 1: edits = count_in<1>(hypothesis, reference); break;
            case 2: edits = count_in<2>(hypothesis, reference); break;
            case 3: edits = count_in<3>(hypothesis, reference); break;
            default: edits = count_in<4>(hypothesis, reference);
        }
        return true;
    }

private:
    bool is_total() const { return detail_ == Detail::total; }

    struct Steps {
        Bits diagonal, insertion;  // is the step from there optimal?
    };

    static void strip(Text& a, Text& b) {
        const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
        a = a.subspan(static_cast<std::size_t>(x - a.begin()));
        b = b.subspan(static_cast<std::size_t>(y - b.begin()));
        const auto [p, q] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
        a = a.first(static_cast<std::size_t>(a.rend() - p));
        b = b.first(static_cast<std::size_t>(b.rend() - q));
    }

    static Edits only_lengths(std::size_t n, std::size_t m) {
        Edits edits;
        edits.insertions = static_cast<std::int64_t>(n > m ? n - m : 0);
        edits.deletions = static_cast<std::int64_t>(m > n ? m - n : 0);
        return edits;
    }

    template <std::size_t kUsed>
    Edits count_in(Text hypothesis, Text reference) {
        const std::size_t n = hypothesis.size(), m = reference.size();
        for (std::size_t j = 0; j < m; ++j) {
            places_.to_change(reference[j])[j / 64] |= Bits{1} << (j % 64);
        }
        const std::size_t distance =
            is_total() ? forward<kUsed, false>(hypothesis, m) : forward<kUsed, true>(hypothesis, m);
        for (const Unit c : reference) {
            ShortPlaces& places = places_.of_known(c);
            for (std::size_t b = 0; b < kUsed; ++b) places[b] = 0;
        }
        Edits edits;
        if (is_total()) {
            edits.substitutions = static_cast<std::int64_t>(distance);
            return edits;
        }
        edits = only_lengths(n, m);
        const std::size_t surplus = distance - static_cast<std::size_t>(edits.total());
        if (surplus < 2) {
            edits.substitutions = static_cast<std::int64_t>(surplus);
        } else if (kUsed == 1 && 4 * surplus > n) {
            edits.substitutions = substitutions_by_row(hypothesis, reference);
        } else {
            edits.substitutions = substitutions<kUsed>(hypothesis, reference);
        }
        const std::int64_t pairs = (static_cast<std::int64_t>(surplus) - edits.substitutions) / 2;
        edits.insertions += pairs;
        edits.deletions += pairs;
        return edits;
    }

    // The distance; leaves all steps, if they are kept. See EditAligner for the recurrence.
    template <std::size_t kUsed, bool kKeep>
    std::size_t forward(Text hypothesis, std::size_t m) {
        const std::size_t kept = kKeep ? hypothesis.size() * kUsed : 0;
        if (steps_.size() < kept) steps_.resize(kept);
        Steps* steps = steps_.data();
        Bits ups[kUsed], downs[kUsed];
        std::fill_n(ups, kUsed, ~Bits{0});
        std::fill_n(downs, kUsed, Bits{0});
        for (const Unit c : hypothesis) {
            const auto& places = places_[c];
            Bits rise = 1, fall = 0;
            for (std::size_t b = 0; b < kUsed; ++b) {
                const Bits equal = places[b], up = ups[b], down = downs[b];
                const Bits vertical = equal | down, start = equal | fall;
                const Bits same = ((start & up) + up) ^ up | start;
                const Bits rises = down | ~(same | up), falls = same & up;
                const Bits risen = rises << 1 | rise;
                ups[b] = falls << 1 | fall | ~(vertical | risen);
                downs[b] = risen & vertical;
                if constexpr (kKeep) *steps++ = {equal | ~(same | down), rises};
                rise = rises >> 63;
                fall = falls >> 63;
            }
        }
        auto distance = static_cast<std::ptrdiff_t>(hypothesis.size());
        for (std::size_t b = 0; b < kUsed; ++b) {
            const Bits inside = b + 1 < kUsed ? ~Bits{0} : ~Bits{0} >> (63 - (m - 1) % 64);
            distance += std::popcount(ups[b] & inside) - std::popcount(downs[b] & inside);
        }
        return static_cast<std::size_t>(distance);
    }

    // Those of the alignment found backwards by preferring a match or substitution, then an
    // insertion, then a deletion.
    template <std::size_t kUsed>
    std::int64_t substitutions(Text hypothesis, Text reference) const {
        std::int64_t found = 0;
        std::size_t i = hypothesis.size(), j = reference.size();
        for (;;) {
            // Equal ones are a match: no other step is better.
            while (i > 0 && j > 0 && hypothesis[i - 1] == reference[j - 1]) --i, --j;
            if (i == 0 || j == 0) return found;
            const Steps& steps = steps_[(i - 1) * kUsed + (j - 1) / 64];
            const std::size_t bit = (j - 1) % 64;
            const std::size_t diagonal = steps.diagonal >> bit & 1;
            const std::size_t insertion = steps.insertion >> bit & 1 & ~diagonal;
            found += static_cast<std::int64_t>(diagonal);
            i -= diagonal | insertion;
            j -= 1 - insertion;
        }
    }

    // The same where matches are few and no branch could be foreseen, for one block: the deletions
    // of a row are passed over at once.
    std::int64_t substitutions_by_row(Text hypothesis, Text reference) const {
        std::int64_t found = 0;
        std::size_t j = reference.size();
        for (std::size_t i = hypothesis.size(); i-- > 0 && j > 0;) {
            const Steps& steps = steps_[i];
            const Bits left = (steps.diagonal | steps.insertion) & ~Bits{0} >> (64 - j);
            if (left == 0) return found;  // deletions up to the beginning
            const auto bit = static_cast<std::size_t>(63 - std::countl_zero(left));
            const std::size_t diagonal = steps.diagonal >> bit & 1;
            found += static_cast<std::int64_t>(diagonal & (hypothesis[i] != reference[bit]));
            j = bit + 1 - diagonal;
        }
        return found;
    }

    Detail detail_;
    Places places_;  // all zeros between calls
    std::vector<Steps> steps_;
};

}  // namespace rankwise
