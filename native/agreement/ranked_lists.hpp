// Ranked lists of predicted against gold ranks: what the measures of agreement count in each.
//
// A list holds the items that both sides rank; smaller is better, nan is not ranked.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "agreement/groups.hpp"
#include "agreement/ranks.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// How predicted ties are broken: the mean over all orders, the worst and the best order, not at all
// (the normalised rank counts), or as RankEval's cumulated gain did, where the last item of a tie
// takes the place of the others.
enum class TieOrder : std::int64_t { expected, worst, best, ranked, overwritten };

enum class Quantity : std::int64_t { pairs, reciprocal, gains, err, best_rank, best_share };

// 2^rel - 1; the same by 2^-max rel, which cancels in a ratio and cannot overflow; rel itself.
enum class Gain : std::int64_t { raw, scaled, linear };

struct Request {
    Quantity quantity;
    Normalisation ties;
    TieOrder order;
    std::size_t depth;  // how many places count; 0 for all
    double value;       // gains: a Gain; err: the top grade (0: items, -1: seen); share: the rank

    std::size_t columns() const {
        if (quantity == Quantity::pairs) return 8;
        return quantity == Quantity::gains ? 2 : 1;
    }
};

class RankedList {
public:
    void read(std::span<const double> predicted, std::span<const double> gold) {
        const std::size_t n = gold.size();
        predicted_.values.resize(n), gold_.values.resize(n);
        std::size_t ranked = 0;
        for (std::size_t i = 0; i < n; ++i) {
            predicted_.values[ranked] = predicted[i];
            gold_.values[ranked] = gold[i];
            ranked += !std::isnan(predicted[i]) && !std::isnan(gold[i]);
        }
        predicted_.values.resize(ranked), gold_.values.resize(ranked);
        predicted_.sort(), gold_.sort();
    }

    // Writes the columns of a request; nan where a list without items has no value.
    void write(const Request& request, std::span<double> row) {
        if (request.quantity == Quantity::pairs) return count_pairs(row);
        if (size() == 0) {
            std::ranges::fill(row, std::numeric_limits<double>::quiet_NaN());
            return;
        }
        switch (request.quantity) {
            case Quantity::pairs: break;
            case Quantity::reciprocal: row[0] = reciprocal_rank(request); break;
            case Quantity::gains: cumulated_gain(request, row); break;
            case Quantity::err: row[0] = expected_reciprocal_rank(request); break;
            case Quantity::best_rank: row[0] = rank_of_best(request); break;
            case Quantity::best_share: row[0] = share_of_best(request); break;
        }
    }

private:
    std::size_t size() const { return gold_.size(); }
    std::size_t depth(const Request& request) const {
        return request.depth == 0 ? size() : std::min(request.depth, size());
    }

    // -- pairs -----------------------------------------------------------------------------------

    // [concordant, discordant, tied in gold only, in predicted only, in both; items, distinct
    // predicted and gold ranks]
    void count_pairs(std::span<double> row) {
        const std::size_t n = size();
        const auto c = n == 0    ? std::array<std::uint64_t, 5>{}
                       : n <= 32 ? pairs_one_by_one()
                                 : pairs_by_sorting();
        for (std::size_t i = 0; i < c.size(); ++i) row[i] = static_cast<double>(c[i]);
        row[5] = static_cast<double>(n);
        row[6] = predicted_.distinct;
        row[7] = gold_.distinct;
    }

    std::array<std::uint64_t, 5> pairs_one_by_one() const {
        const std::uint32_t *p = predicted_.less.data(), *g = gold_.less.data();
        std::uint32_t concordant = 0, tied_gold = 0, tied_predicted = 0, tied_both = 0;
        for (std::size_t j = 1; j < size(); ++j) {
            for (std::size_t i = 0; i < j; ++i) {
                const std::uint32_t is_tied_p = p[i] == p[j], is_tied_g = g[i] == g[j];
                tied_predicted += is_tied_p, tied_gold += is_tied_g;
                tied_both += is_tied_p & is_tied_g;
                concordant += ((p[i] < p[j]) & (g[i] < g[j])) | ((p[i] > p[j]) & (g[i] > g[j]));
            }
        }
        const auto pairs = static_cast<std::uint32_t>(size() * (size() - 1) / 2);
        const std::uint32_t discordant =
            pairs - concordant - tied_gold - tied_predicted + tied_both;
        return {concordant, discordant, tied_gold - tied_both, tied_predicted - tied_both,
                tied_both};
    }

    // Knight (1966): with items by gold, then predicted, the discordant pairs are inversions.
    std::array<std::uint64_t, 5> pairs_by_sorting() {
        const auto pairs_of = [](std::uint64_t k) { return k * (k - 1) / 2; };
        const std::size_t n = size();
        keys_.resize(n);
        std::uint64_t tied_gold = 0, tied_predicted = 0, tied_both = 0;
        for (std::size_t i = 0; i < n; ++i) {
            keys_[i] = std::uint64_t{gold_.less[i]} << 32 | predicted_.less[i];
            tied_gold += gold_.equal[i] - 1;
            tied_predicted += predicted_.equal[i] - 1;
        }
        std::sort(keys_.begin(), keys_.end());
        for (std::size_t begin = 0, end; begin < n; begin = end) {
            for (end = begin + 1; end < n && keys_[end] == keys_[begin];) ++end;
            tied_both += pairs_of(end - begin);
        }
        tied_gold = tied_gold / 2 - tied_both;
        tied_predicted = tied_predicted / 2 - tied_both;
        sequence_.resize(n);
        for (std::size_t i = 0; i < n; ++i) sequence_[i] = static_cast<std::uint32_t>(keys_[i]);
        const std::uint64_t discordant = inversions();
        const std::uint64_t rest = discordant + tied_gold + tied_predicted + tied_both;
        return {pairs_of(n) - rest, discordant, tied_gold, tied_predicted, tied_both};
    }

    // Sorts sequence_ by merging and counts the pairs that stood the other way.
    std::uint64_t inversions() {
        std::uint64_t found = 0;
        const std::size_t n = sequence_.size();
        merged_.resize(n);
        for (std::size_t width = 1; width < n; width *= 2) {
            for (std::size_t begin = 0; begin < n; begin += 2 * width) {
                const std::size_t middle = std::min(begin + width, n);
                const std::size_t end = std::min(begin + 2 * width, n);
                std::size_t left = begin, right = middle;
                for (std::size_t out = begin; out < end; ++out) {
                    if (left < middle && (right == end || sequence_[left] <= sequence_[right])) {
                        merged_[out] = sequence_[left++];
                    } else {
                        found += middle - left;
                        merged_[out] = sequence_[right++];
                    }
                }
            }
            std::swap(sequence_, merged_);
        }
        return found;
    }

    // -- the best item ---------------------------------------------------------------------------

    // 1 / the predicted place of the first of the items that gold puts first.
    double reciprocal_rank(const Request& request) const {
        if (request.order == TieOrder::ranked) {
            double first = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < size() && gold_.less[gold_.order[i]] == 0; ++i) {
                first = std::min(first, predicted_.rank(gold_.order[i], request.ties));
            }
            return 1 / first;
        }
        std::uint32_t before = std::numeric_limits<std::uint32_t>::max(), tied = 0, good = 0;
        for (std::size_t i = 0; i < size() && gold_.less[gold_.order[i]] == 0; ++i) {
            const std::uint32_t item = gold_.order[i];
            if (predicted_.less[item] < before) {
                before = predicted_.less[item], tied = predicted_.equal[item], good = 0;
            }
            good += predicted_.less[item] == before;
        }
        if (request.order == TieOrder::best) return 1.0 / (before + 1.0);
        if (request.order == TieOrder::worst) return 1.0 / (before + tied - good + 1.0);
        double sum = 0, chance = static_cast<double>(good) / tied;  // that the first stands at j
        for (std::uint32_t j = 1; j + good <= tied + 1; ++j) {
            sum += chance / (static_cast<double>(before) + j);
            if (j < tied) chance *= (static_cast<double>(tied) - j - good + 1) / (tied - j);
        }
        return sum;
    }

    // The gold rank of the item predicted best: of several the worst, the best or their mean.
    double rank_of_best(const Request& request) const {
        double sum = 0, chosen = rank_of(0, request);
        std::size_t tied = 0;
        for (; tied < size() && predicted_.less[predicted_.order[tied]] == 0; ++tied) {
            const double rank = rank_of(tied, request);
            sum += rank;
            chosen =
                request.order == TieOrder::best ? std::min(chosen, rank) : std::max(chosen, rank);
        }
        return request.order == TieOrder::expected ? sum / static_cast<double>(tied) : chosen;
    }

    double share_of_best(const Request& request) const {
        if (request.order != TieOrder::expected) return rank_of_best(request) == request.value;
        std::size_t tied = 0, hits = 0;
        for (; tied < size() && predicted_.less[predicted_.order[tied]] == 0; ++tied) {
            hits += rank_of(tied, request) == request.value;
        }
        return static_cast<double>(hits) / static_cast<double>(tied);
    }

    double rank_of(std::size_t place, const Request& request) const {
        return gold_.rank(predicted_.order[place], request.ties);
    }

    // -- gains -----------------------------------------------------------------------------------

    static double power_of_two(double exponent) {
        if (!(exponent >= -1022 && exponent <= 1023)) return std::exp2(exponent);
        const auto whole = static_cast<std::int64_t>(exponent);
        if (static_cast<double>(whole) != exponent) return std::exp2(exponent);
        return std::bit_cast<double>(static_cast<std::uint64_t>(whole + 1023) << 52);
    }

    double relevance(std::size_t item, Normalisation ties) const {
        return static_cast<double>(size()) - gold_.rank(item, ties) + 1;
    }

    double top_relevance(Normalisation ties) const { return relevance(gold_.order[0], ties); }

    void fill_gains(Normalisation ties, Gain kind, double top) {
        gains_.resize(size());
        const double scale = kind == Gain::raw ? 0 : top, one = power_of_two(-scale);
        for (std::size_t i = 0; i < size(); ++i) {
            const double rel = relevance(i, ties);
            gains_[i] = kind == Gain::linear ? rel : power_of_two(rel - scale) - one;
        }
    }

    double discount(std::size_t place) {  // from 0
        while (discounts_.size() <= place) {
            discounts_.push_back(1 / std::log2(static_cast<double>(discounts_.size()) + 2));
        }
        return discounts_[place];
    }

    // [DCG, ideal DCG]
    void cumulated_gain(const Request& request, std::span<double> row) {
        fill_gains(request.ties, static_cast<Gain>(static_cast<std::int64_t>(request.value)),
                   top_relevance(request.ties));
        const std::size_t places = depth(request);
        if (request.order == TieOrder::overwritten) fill_slots();
        else if (request.order == TieOrder::expected) fill_means();
        else fill_in_order(request.order == TieOrder::best);
        row[0] = row[1] = 0;
        for (std::size_t j = 0; j < places; ++j) row[0] += slots_[j] * discount(j);
        if (request.order == TieOrder::overwritten && predicted_.distinct < size()) {
            std::sort(slots_.begin(), slots_.end(), [](double a, double b) { return a > b; });
            for (std::size_t j = 0; j < places; ++j) row[1] += slots_[j] * discount(j);
        } else {
            for (std::size_t j = 0; j < places; ++j) row[1] += gains_[gold_.order[j]] * discount(j);
        }
    }

    // The gains by predicted place, tied items with the mean of theirs.
    void fill_means() {
        slots_.resize(size());
        each_group([&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += gains_[predicted_.order[i]];
            std::fill(&slots_[begin], &slots_[begin] + (end - begin),
                      sum / static_cast<double>(end - begin));
        });
    }

    // The gains by predicted place, those of tied items falling (the best order) or rising.
    void fill_in_order(bool falling) {
        slots_.resize(size());
        each_group([&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) slots_[i] = gains_[predicted_.order[i]];
            const auto first = slots_.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto last = slots_.begin() + static_cast<std::ptrdiff_t>(end);
            std::sort(first, last);
            if (falling) std::reverse(first, last);
        });
    }

    // As RankEval: tied items share their last place, where the last one stays; the others are 0.
    void fill_slots() {
        slots_.assign(size(), 0.0);
        for (std::size_t i = 0; i < size(); ++i) {
            slots_[predicted_.less[i] + predicted_.equal[i] - 1] = gains_[i];
        }
    }

    template <class Visit>
    void each_group(const Visit& visit) const {
        for (std::size_t begin = 0, end; begin < size(); begin = end) {
            end = begin + predicted_.equal[predicted_.order[begin]];
            visit(begin, end);
        }
    }

    // The expected 1 / place at which a reader stops who stops at an item with the chance R of it.
    double expected_reciprocal_rank(const Request& request) {
        const double top = request.value > 0    ? request.value
                           : request.value == 0 ? static_cast<double>(size())
                                                : top_relevance(request.ties);
        // No chance to stop is above 1; the caller says what an infinite value means.
        if (top < top_relevance(request.ties)) return std::numeric_limits<double>::infinity();
        fill_gains(request.ties, Gain::scaled, top);
        const bool as_original = request.order == TieOrder::overwritten;
        const std::size_t places = as_original ? size() : depth(request);
        double sum = 0, going_on = 1;
        if (request.order == TieOrder::expected) {
            each_group([&](std::size_t begin, std::size_t end) {
                sum += stopping_in_group(begin, end, places, going_on);
            });
            return sum;
        }
        if (as_original) fill_slots();
        else fill_in_order(request.order == TieOrder::best);
        for (std::size_t j = 0; j < places; ++j) {
            sum += going_on * slots_[j] / static_cast<double>(j + 1);
            going_on *= 1 - slots_[j];
        }
        return sum;
    }

    // The part of a group of tied items in random order. Of m chances q = 1 - R to go on, the mean
    // product of j of them, M_j, is their j-th elementary symmetric mean; the reader goes past j
    // of the group with chance M_j, so stops at the j-th with M_(j-1) - M_j.
    double stopping_in_group(std::size_t begin, std::size_t end, std::size_t places,
                             double& going_on) {
        if (end - begin == 1) {
            const double gain = gains_[predicted_.order[begin]], reached = going_on;
            going_on *= 1 - gain;
            return begin < places ? reached * gain / static_cast<double>(end) : 0;
        }
        means_.assign(end - begin + 1, 0.0);
        means_[0] = 1;
        for (std::size_t t = 1; t <= end - begin; ++t) {
            const double q = 1 - gains_[predicted_.order[begin + t - 1]];
            const double count = static_cast<double>(t);
            for (std::size_t j = t; j > 0; --j) {
                const double taken = static_cast<double>(j);
                means_[j] = ((count - taken) * means_[j] + taken * q * means_[j - 1]) / count;
            }
        }
        double sum = 0;
        for (std::size_t j = 1; j <= end - begin && begin + j <= places; ++j) {
            sum += (means_[j - 1] - means_[j]) / static_cast<double>(begin + j);
        }
        sum *= going_on;
        going_on *= means_[end - begin];
        return sum;
    }

    RankedSide predicted_, gold_;
    std::vector<double> gains_, slots_, means_, discounts_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> sequence_, merged_;
};

// One row per list, the columns of all requests side by side.
inline void ranked_list_rows(std::size_t threads, const Groups& lists,
                             std::span<const double> predicted, std::span<const double> gold,
                             std::span<const Request> requests, std::span<double> rows) {
    std::size_t width = 0;
    for (const Request& request : requests) width += request.columns();
    parallel_chunks(threads, lists.count(), 512, [&](std::size_t begin, std::size_t end) {
        RankedList list;
        for (std::size_t i = begin; i < end; ++i) {
            list.read(lists.of(predicted, i), lists.of(gold, i));
            auto cells = rows.subspan(i * width, width);
            for (const Request& request : requests) {
                list.write(request, cells.first(request.columns()));
                cells = cells.subspan(request.columns());
            }
        }
    });
}

}  // namespace rankwise
