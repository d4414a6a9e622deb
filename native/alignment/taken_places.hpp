// Sets of places that share what they have in common: to copy one and add a place to it costs a
// page, not the whole set.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rankwise {

// The sets of the states of a search, by number, and those of its next step.
class TakenPlaces {
public:
    // One empty set over so many places.
    void begin(std::size_t places) {
        pages_per_set_ = places / kPlaces + 1;
        pages_.assign(2, Page{});
        pages_[kFull].fill(~std::uint64_t{0});
        free_.clear();
        sets_.assign(pages_per_set_, kEmpty);
        next_.clear();
    }

    // The next step's next set: a copy of set `number`.
    void copy(std::size_t number) {
        const auto from = set(number);
        next_.insert(next_.end(), from.begin(), from.end());
    }

    // The same with one more place.
    void copy_with(std::size_t number, std::uint32_t place) {
        copy(number);
        const std::size_t index = next_.size() - pages_per_set_ + place / kPlaces;
        const std::uint32_t made = new_page();
        Page& page = pages_[made];
        page = pages_[next_[index]];
        page[place / 64 % kWords] |= std::uint64_t{1} << (place % 64);
        next_[index] = made;
        if (page == pages_[kFull]) {
            next_[index] = kFull;
            free_.push_back(made);
        }
    }

    // The next step's sets become those of this one.
    void step() {
        sets_.swap(next_);
        next_.clear();
    }

    bool has(std::size_t number, std::uint32_t place) const {
        return word(set(number), place) >> (place % 64) & 1;
    }

    // The first place from `place` on that a set has not, or `end`.
    std::uint32_t free_from(std::size_t number, std::uint32_t place, std::uint32_t end) const {
        const auto pages = set(number);
        while (place < end) {
            if (pages[place / kPlaces] == kFull) {
                place = (place / kPlaces + 1) * kPlaces;
                continue;
            }
            const std::uint64_t left = ~word(pages, place) >> (place % 64);
            if (left != 0) {
                return std::min(end, place + static_cast<std::uint32_t>(std::countr_zero(left)));
            }
            place = (place / 64 + 1) * 64;
        }
        return end;
    }

    // One beyond the last place before `end` that a set has not, or `begin`.
    std::uint32_t free_before(std::size_t number, std::uint32_t end, std::uint32_t begin) const {
        const auto pages = set(number);
        while (end > begin) {
            const std::uint32_t last = end - 1;
            if (pages[last / kPlaces] == kFull) {
                end = last / kPlaces * kPlaces;
                continue;
            }
            const std::uint64_t left = ~word(pages, last) << (63 - last % 64);
            if (left != 0) {
                const std::uint32_t found =
                    end - static_cast<std::uint32_t>(std::countl_zero(left));
                return std::max(begin, found);
            }
            end = last / 64 * 64;
        }
        return begin;
    }

private:
    static constexpr std::uint32_t kWords = 32, kPlaces = 64 * kWords;  // of a page
    static constexpr std::uint32_t kEmpty = 0, kFull = 1;
    using Page = std::array<std::uint64_t, kWords>;

    std::span<const std::uint32_t> set(std::size_t number) const {
        return std::span(sets_).subspan(number * pages_per_set_, pages_per_set_);
    }

    std::uint64_t word(std::span<const std::uint32_t> pages, std::uint32_t place) const {
        return pages_[pages[place / kPlaces]][place / 64 % kWords];
    }

    std::uint32_t new_page() {
        if (free_.empty()) reclaim();
        const std::uint32_t page = free_.back();
        free_.pop_back();
        return page;
    }

    // Finds the pages that no set has any more, and makes more room if they are few.
    void reclaim() {
        in_use_.assign(pages_.size(), 0);
        in_use_[kEmpty] = in_use_[kFull] = 1;
        for (const auto* sets : {&sets_, &next_}) {
            for (const std::uint32_t page : *sets) in_use_[page] = 1;
        }
        for (std::size_t p = 0; p < in_use_.size(); ++p) {
            if (in_use_[p] == 0) free_.push_back(static_cast<std::uint32_t>(p));
        }
        const std::size_t old = pages_.size();
        if (free_.size() > old / 2) return;
        pages_.resize(2 * old + 64);
        for (std::size_t p = old; p < pages_.size(); ++p) {
            free_.push_back(static_cast<std::uint32_t>(p));
        }
    }

    std::size_t pages_per_set_ = 0;
    std::vector<Page> pages_;
    std::vector<std::uint32_t> sets_, next_, free_;
    std::vector<std::uint8_t> in_use_;
};

}  // namespace rankwise
