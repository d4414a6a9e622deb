// Ranks of the items of a list, with a stated place for ties; smaller is better, nan is not ranked.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agreement/groups.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// Which rank tied items get of the places they take: one place for all, their first, their last,
// their middle.
enum class Normalisation : std::int64_t { minimize, floor, ceiling, middle };

// The values of one side of a list, sorted and with their ties.
class RankedSide {
public:
    void clear() { values.clear(); }

    // Puts the items in order and counts what is smaller and equal.
    void sort() {
        const std::size_t n = values.size();
        order.resize(n), less.resize(n), equal.resize(n), dense.resize(n);
        n <= 16 ? compare_all() : sort_indices();
        distinct = 0;
        for (std::size_t begin = 0, end; begin < n; begin = end) {
            end = begin + equal[order[begin]];
            for (std::size_t i = begin; i < end; ++i) dense[order[i]] = distinct;
            ++distinct;
        }
    }

    double rank(std::size_t item, Normalisation ties) const {
        switch (ties) {
            case Normalisation::minimize: return dense[item] + 1.0;
            case Normalisation::floor: return less[item] + 1.0;
            case Normalisation::ceiling: return static_cast<double>(less[item]) + equal[item];
            case Normalisation::middle: break;
        }
        return less[item] + (equal[item] + 1.0) / 2;
    }

    std::size_t size() const { return values.size(); }

    std::vector<double> values;
    std::vector<std::uint32_t> order;               // items from best to worst, ties in input order
    std::vector<std::uint32_t> less, equal, dense;  // per item: smaller, equal, distinct smaller
    std::uint32_t distinct = 0;

private:
    // Short lists: every pair, without a branch that could be mispredicted; the lengths that people
    // rank are known to the compiler, so that all stays in registers.
    void compare_all() {
        switch (values.size()) {
            case 2: return compare<2>();
            case 3: return compare<3>();
            case 4: return compare<4>();
            case 5: return compare<5>();
            default: return compare<0>();
        }
    }

    template <std::size_t kSize>
    void compare() {
        const std::size_t n = kSize == 0 ? values.size() : kSize;
        std::uint32_t smaller[16] = {}, others[16] = {}, before[16] = {};  // before: equal, earlier
        for (std::size_t j = 1; j < n; ++j) {
            for (std::size_t i = 0; i < j; ++i) {
                const std::uint32_t is_less = values[i] < values[j];
                const std::uint32_t is_more = values[i] > values[j];
                const std::uint32_t is_equal = 1 - is_less - is_more;
                smaller[j] += is_less, smaller[i] += is_more;
                others[i] += is_equal, others[j] += is_equal, before[j] += is_equal;
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            less[i] = smaller[i], equal[i] = others[i] + 1;
            order[smaller[i] + before[i]] = static_cast<std::uint32_t>(i);
        }
    }

    void sort_indices() {
        const std::size_t n = values.size();
        for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::uint32_t>(i);
        std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
            return values[a] < values[b];
        });
        for (std::size_t begin = 0, end; begin < n; begin = end) {
            for (end = begin + 1; end < n && values[order[end]] == values[order[begin]];) ++end;
            for (std::size_t i = begin; i < end; ++i) {
                less[order[i]] = static_cast<std::uint32_t>(begin);
                equal[order[i]] = static_cast<std::uint32_t>(end - begin);
            }
        }
    }
};

// Ranks from 1 within every list; what is not ranked stays so.
inline void normalise_ranks(std::size_t threads, const Groups& lists, std::span<const double> ranks,
                            Normalisation ties, std::span<double> out) {
    parallel_chunks(threads, lists.count(), 512, [&](std::size_t begin, std::size_t end) {
        RankedSide side;
        for (std::size_t i = begin; i < end; ++i) {
            side.clear();
            for (const double rank : lists.of(ranks, i)) {
                if (!std::isnan(rank)) side.values.push_back(rank);
            }
            side.sort();
            std::size_t item = 0;
            for (std::size_t at = lists.begin(i); at < lists.end(i); ++at) {
                out[at] = std::isnan(ranks[at]) ? ranks[at] : side.rank(item++, ties);
            }
        }
    });
}

}  // namespace rankwise
