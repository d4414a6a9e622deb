// Pairs of words chosen one to one, the best pair first.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

namespace rankwise {

// A word of the hypothesis (ours) and a word of the reference (theirs), by their places, that might
// be matched.
struct Candidate {
    std::uint32_t ours, theirs;
    double likeness;
    double neighbours;  // the likeness of the words before both, and of those behind both

    static constexpr double kNeighbour = 0.1;  // how much of the neighbours' likeness counts

    double rank() const { return likeness + kNeighbour * neighbours; }
};

// The word that a word is matched with: its place in the other text, and how alike the two are.
struct WordMatch {
    std::ptrdiff_t place = -1;
    double likeness = 0;

    bool is_free() const { return place < 0; }
};

using Matches = std::span<const WordMatch>;

// Chooses candidates until no word is left that has one. Keeps its buffers.
//
// First come those that are more alike, a tenth of the likeness of their neighbours added; then
// those nearer to the same place in their texts; then the earlier ones.
class OneToOne {
public:
    // All words are free.
    void start(std::size_t our_size, std::size_t their_size) {
        ours_.assign(our_size, {});
        theirs_.assign(their_size, {});
        set_shares(our_size, our_shares_);
        set_shares(their_size, their_shares_);
    }

    Matches ours() const { return ours_; }
    Matches theirs() const { return theirs_; }

    // One after the other would do, the first first; but a candidate that comes before all others
    // of both its words is chosen whatever else is. So each round chooses those, and looks at what
    // is left of the others. Few rounds are needed; should there be many, the rest is sorted.
    // `candidates` is used up.
    void choose(std::vector<Candidate>& candidates) {
        if (choose_all(candidates)) return;
        orders_.resize(candidates.size() + 1);  // and one that is behind all others
        for (std::size_t k = 0; k < candidates.size(); ++k) orders_[k] = order_of(candidates[k]);
        for (int round = 0; round < kMostRounds && !candidates.empty(); ++round) {
            choose_firsts(candidates);
            drop_taken(candidates);
        }
        choose_sorted(candidates);
    }

    // The same for equal words at these places of ours and of theirs, which rise: as all are alike,
    // the nearest to the same place go first. The two nearest have no other between them, so only
    // neighbours are looked at, and those that become neighbours when what is between them is
    // taken.
    void choose_nearest(std::span<const std::uint32_t> ours,
                        std::span<const std::uint32_t> theirs) {
        if (ours.empty() || theirs.empty()) return;
        if (ours.size() == 1 || theirs.size() == 1) return choose_only(ours, theirs);
        line_up(ours, theirs);
        near_.clear();
        for (std::uint32_t k = 1; k + 1 < line_.size(); ++k) add_near(k - 1, k);
        std::make_heap(near_.begin(), near_.end());
        while (!near_.empty()) {
            std::pop_heap(near_.begin(), near_.end());
            const auto [distance, i, j, left, right] = near_.back();
            near_.pop_back();
            if (!ours_[i].is_free() || !theirs_[j].is_free()) continue;
            take({i, j, 1, 0});
            const std::uint32_t before = line_[left].before, behind = line_[right].behind;
            line_[before].behind = behind, line_[behind].before = before;
            if (add_near(before, behind)) std::push_heap(near_.begin(), near_.end());
        }
    }

private:
    // A word of either text among others like it, by where it is.
    struct Standing {
        double share;
        std::uint32_t place;
        enum : std::uint32_t { kBorder, kOurs, kTheirs } side;
        std::uint32_t before, behind;
    };

    // Two that stand beside each other.
    struct Near {
        double distance;
        std::uint32_t ours, theirs, left, right;

        // Whether it goes later: the first is on top of a heap.
        bool operator<(const Near& other) const {
            return std::tie(distance, ours, theirs) >
                   std::tie(other.distance, other.ours, other.theirs);
        }
    };

    // One word of one text takes the nearest of the other, of equally near ones the first.
    void choose_only(std::span<const std::uint32_t> ours, std::span<const std::uint32_t> theirs) {
        std::uint32_t best_ours = ours[0], best_theirs = theirs[0];
        for (const std::uint32_t i : ours) {
            for (const std::uint32_t j : theirs) {
                const bool is_nearer = distance(i, j) < distance(best_ours, best_theirs);
                best_ours = is_nearer ? i : best_ours;
                best_theirs = is_nearer ? j : best_theirs;
            }
        }
        take({best_ours, best_theirs, 1, 0});
    }

    // All of them in order between two borders.
    void line_up(std::span<const std::uint32_t> ours, std::span<const std::uint32_t> theirs) {
        line_.clear();
        const auto add = [&](double share, std::uint32_t place, auto side) {
            const auto k = static_cast<std::uint32_t>(line_.size());
            line_.push_back({share, place, side, k - 1, k + 1});
        };
        add(0, 0, Standing::kBorder);
        for (std::size_t i = 0, j = 0; i < ours.size() || j < theirs.size();) {
            const bool is_ours =
                j == theirs.size() ||
                (i < ours.size() && our_shares_[ours[i]] <= their_shares_[theirs[j]]);
            if (is_ours) {
                add(our_shares_[ours[i]], ours[i], Standing::kOurs), ++i;
            } else {
                add(their_shares_[theirs[j]], theirs[j], Standing::kTheirs), ++j;
            }
        }
        add(0, 0, Standing::kBorder);
    }

    // Whether they are of both texts.
    bool add_near(std::uint32_t left, std::uint32_t right) {
        const Standing &one = line_[left], &other = line_[right];
        if (one.side + other.side != Standing::kOurs + Standing::kTheirs) return false;
        const bool is_ours = one.side == Standing::kOurs;
        const std::uint32_t i = is_ours ? one.place : other.place;
        const std::uint32_t j = is_ours ? other.place : one.place;
        near_.push_back({distance(i, j), i, j, left, right});
        return true;
    }

    // How far two places are apart, as shares of their texts.
    double distance(std::uint32_t ours, std::uint32_t theirs) const {
        return std::abs(our_shares_[ours] - their_shares_[theirs]);
    }

    static constexpr int kMostRounds = 8;

    // A larger one goes first. It is made of the bits of two numbers that are not negative, which
    // are ordered as the numbers are: one comparison for both.
    __extension__ typedef unsigned __int128 Order;

    Order order_of(const Candidate& c) const {
        return Order{std::bit_cast<std::uint64_t>(c.rank())} << 64 |
               ~std::bit_cast<std::uint64_t>(distance(c.ours, c.theirs));
    }

    // How far from the begin each place is, as a share of the whole. Numbers of 32 bits, since
    // several of those are made doubles at once.
    static void set_shares(std::size_t size, std::vector<double>& shares) {
        shares.resize(size);
        const auto end = static_cast<std::int32_t>(size);
        for (std::int32_t i = 0; i < end; ++i) {
            shares[static_cast<std::size_t>(i)] = static_cast<double>(i) / static_cast<double>(end);
        }
    }

    // Takes all candidates and returns true if no two of them have a word in common.
    bool choose_all(std::vector<Candidate>& candidates) {
        std::size_t taken = 0;
        while (taken < candidates.size() && is_free(candidates[taken])) take(candidates[taken++]);
        if (taken == candidates.size()) return true;
        while (taken > 0) {
            const Candidate& c = candidates[--taken];
            ours_[c.ours] = theirs_[c.theirs] = {};
        }
        return false;
    }

    // Those that are the first of both their words. Candidates of a word of ours follow each other.
    void choose_firsts(std::span<const Candidate> candidates) {
        const auto none = static_cast<std::uint32_t>(candidates.size());
        orders_[none] = 0;
        their_firsts_.assign(theirs_.size(), none);
        our_firsts_.resize(candidates.size() + 1);
        std::size_t row = 0;  // one for each word of ours that has candidates
        std::uint32_t first = 0;
        for (std::uint32_t k = 0; k < none; ++k) {
            keep_first(k, their_firsts_[candidates[k].theirs]);
            const bool is_next = candidates[k].ours != candidates[first].ours;
            row += is_next;
            first = is_next | (orders_[k] > orders_[first]) ? k : first;
            our_firsts_[row] = first;
        }
        for (const std::uint32_t k : std::span(our_firsts_).first(row + 1)) {
            if (their_firsts_[candidates[k].theirs] == k) take(candidates[k]);
        }
    }

    // Of equal ones the earlier stays first. Which is first is not to be foreseen: no branch.
    void keep_first(std::uint32_t now, std::uint32_t& first) const {
        const std::uint32_t is_before = orders_[now] > orders_[first];
        first ^= (first ^ now) & (0 - is_before);
    }

    void drop_taken(std::vector<Candidate>& candidates) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            candidates[kept] = candidates[k];
            orders_[kept] = orders_[k];
            kept += is_free(candidates[k]);
        }
        candidates.resize(kept);
    }

    void choose_sorted(std::span<const Candidate> candidates) {
        sorted_.resize(candidates.size());
        std::iota(sorted_.begin(), sorted_.end(), 0);
        std::stable_sort(sorted_.begin(), sorted_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return orders_[a] > orders_[b]; });
        for (const std::uint32_t k : sorted_) {
            if (is_free(candidates[k])) take(candidates[k]);
        }
    }

    // Both places are negative if all their bits together are: one test for two.
    bool is_free(const Candidate& c) const {
        return (ours_[c.ours].place & theirs_[c.theirs].place) < 0;
    }

    void take(const Candidate& c) {
        ours_[c.ours] = {static_cast<std::ptrdiff_t>(c.theirs), c.likeness};
        theirs_[c.theirs] = {static_cast<std::ptrdiff_t>(c.ours), c.likeness};
    }

    std::vector<WordMatch> ours_, theirs_;
    std::vector<double> our_shares_, their_shares_;
    std::vector<Order> orders_;                             // of candidates
    std::vector<std::uint32_t> our_firsts_, their_firsts_;  // a candidate for each word, or row
    std::vector<std::uint32_t> sorted_;                     // candidates
    std::vector<Standing> line_;
    std::vector<Near> near_;
};

}  // namespace rankwise
