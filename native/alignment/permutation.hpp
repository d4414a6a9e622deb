// Permutation trees (PETs): a permutation taken apart into operators that cannot be taken apart.
//
// A stack of nodes, each a range of positions whose values are a range too. After every shift, the
// fewest topmost nodes whose values together are a range become one node, until none do; the
// result is the tree that branches to the left wherever there is a choice (Zhang and Gildea 2007).
//
// Which nodes to join is known without looking down the stack. For positions x <= y, let
//
//     excess(x) = max - min - (y - x)     over the values at x .. y,
//
// which is never negative and zero where they are a range. When y moves on, the excess of a
// position further left grows no faster than that of one further right; so a position whose excess
// is larger than that of one to its left will never be zero again and is dropped for good (Uno and
// Yagiura 2000). What is left is a list along which the excess falls, from left to right, to zero.
// It is kept as differences of neighbours: a new maximum raises the excess of whole ranges of
// positions, which changes differences at their borders only. So all steps together are linear in
// the length, but for the inverse Ackermann function of finding the neighbours.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rankwise {

using Ranks = std::span<const std::int32_t>;  // each of 0 .. n - 1 once

enum class Operator : std::int8_t { leaf, monotone, inverted, longer };

// Finds the tree of a permutation. Keeps its buffers, so one object serves many.
class PermutationParser {
public:
    struct Node {
        std::int32_t begin, low, high;  // first position, smallest and largest value
        Operator kind;
        std::int32_t chain;  // children, if nodes of the same binary operator were one
    };

    // Calls sink.shift() for every element and sink.reduce(children, node) for every node, bottom
    // up; returns the root. There is at least one element.
    template <class Sink>
    Node run(Ranks values, Sink& sink) {
        start(values.size());
        for (std::size_t y = 0; y < values.size(); ++y) {
            shift(static_cast<std::int32_t>(y), values[y]);
            sink.shift();
            while (const std::size_t arity = reducible()) {
                const std::span<const Node> children = std::span(nodes_).last(arity);
                const Node node = joined(children);
                sink.reduce(children, node);
                replace(arity, node);
            }
        }
        return nodes_.back();
    }

private:
    // Positions from `begin` to the next segment share a maximum (or minimum) up to here.
    struct Segment {
        std::int32_t begin, extreme;
    };

    void start(std::size_t length) {
        nodes_.clear();
        highs_.clear();
        lows_.clear();
        next_.resize(length + 1);
        for (std::size_t x = 0; x <= length; ++x) next_[x] = static_cast<std::int32_t>(x);
        previous_.resize(length);
        drop_.resize(length);
    }

    void shift(std::int32_t y, std::int32_t value) {
        previous_[y] = nodes_.empty() ? -1 : nodes_.back().begin;
        drop_[y] = -1;  // the last node was a range, with an excess of zero; y is one further
        raise(highs_, y, value, 1);
        raise(lows_, y, value, -1);
        nodes_.push_back({y, value, value, Operator::leaf, 1});
    }

    // Replaces the segments that `value` exceeds, `sign` saying which way, by one that ends at y.
    void raise(std::vector<Segment>& segments, std::int32_t y, std::int32_t value, int sign) {
        std::int32_t begin = y, end = y;
        std::size_t kept = segments.size();
        for (; kept > 0 && sign * (value - segments[kept - 1].extreme) > 0; --kept) {
            begin = segments[kept - 1].begin;
            const std::int32_t first = candidate(begin);
            if (first < end) {
                const std::int32_t growth = sign * (value - segments[kept - 1].extreme);
                drop_[first] -= growth;
                drop_[candidate(end)] += growth;
            }
            end = begin;
        }
        for (std::size_t s = kept; s < segments.size(); ++s) prune(candidate(segments[s].begin));
        segments.resize(kept);
        segments.push_back({begin, value});
    }

    // The first position at or after x that has not been dropped.
    std::int32_t candidate(std::int32_t x) {
        while (next_[x] != x) {
            next_[x] = next_[next_[x]];
            x = next_[x];
        }
        return x;
    }

    // Drops x and what follows it for as long as their excess is above that of the one before.
    void prune(std::int32_t x) {
        const std::int32_t before = previous_[x];
        if (before < 0) return;
        while (drop_[x] < 0) {
            const std::int32_t after = candidate(x + 1);
            drop_[after] += drop_[x];
            previous_[after] = before;
            next_[x] = after;
            x = after;
        }
    }

    // How many topmost nodes become one, 0 for none.
    std::size_t reducible() const {
        const std::int32_t top = nodes_.back().begin, before = previous_[top];
        if (before < 0 || drop_[top] != 0) return 0;
        std::size_t arity = 2;
        while (nodes_[nodes_.size() - arity].begin != before) ++arity;
        return arity;
    }

    static Node joined(std::span<const Node> children) {
        Node node = children.front();
        for (const Node& child : children) {
            node.low = std::min(node.low, child.low);
            node.high = std::max(node.high, child.high);
        }
        if (children.size() > 2) {
            node.kind = Operator::longer;
            node.chain = 1;
            return node;
        }
        node.kind = children[0].low < children[1].low ? Operator::monotone : Operator::inverted;
        node.chain = children[0].kind == node.kind ? children[0].chain + 1 : 2;
        return node;
    }

    void replace(std::size_t arity, const Node& node) {
        for (const Node& child : std::span(nodes_).last(arity - 1)) {
            if (next_[child.begin] == child.begin) next_[child.begin] = child.begin + 1;
        }
        nodes_.resize(nodes_.size() - arity);
        nodes_.push_back(node);
    }

    std::vector<Node> nodes_;
    std::vector<Segment> highs_, lows_;
    std::vector<std::int32_t> next_;      // itself, or where to look for the next candidate
    std::vector<std::int32_t> previous_;  // of a candidate: the one before, -1 for none
    std::vector<std::int32_t> drop_;      // its excess subtracted from that of the one before
};

// A positive number as mantissa * 2^exponent, as large as any count of trees.
struct Scaled {
    long double mantissa = 0.5L;
    std::int64_t exponent = 1;

    Scaled times(long double numerator, long double denominator = 1) const {
        int shift = 0;
        const long double product = std::frexp(mantissa * numerator / denominator, &shift);
        return {product, exponent + shift};
    }
    Scaled times(const Scaled& other) const {
        const Scaled product = times(other.mantissa);
        return {product.mantissa, product.exponent + other.exponent};
    }
};

// What is counted of a permutation.
struct PermutationCounts {
    std::int64_t length = 0, inversions = 0;
    std::int64_t monotone = 0, inverted = 0, four = 0, larger = 0;  // nodes
    Scaled trees;
};

// Pairs of elements in the wrong order.
class InversionCounter {
public:
    std::int64_t operator()(Ranks values) {
        return values.size() <= 64 ? by_bits(values) : by_merging(values);
    }

private:
    // The values seen so far are bits of a number.
    static std::int64_t by_bits(Ranks values) {
        std::int64_t inversions = 0;
        std::uint64_t seen = 0;
        for (const std::int32_t value : values) {
            inversions += std::popcount(seen >> value);
            seen |= std::uint64_t{1} << value;
        }
        return inversions;
    }

    std::int64_t by_merging(Ranks values) {
        sorted_.assign(values.begin(), values.end());
        merged_.resize(values.size());
        std::int64_t inversions = 0;
        for (std::size_t width = 1; width < sorted_.size(); width *= 2) {
            for (std::size_t begin = 0; begin < sorted_.size(); begin += 2 * width) {
                const std::size_t middle = std::min(begin + width, sorted_.size());
                inversions += merge(begin, middle, std::min(begin + 2 * width, sorted_.size()));
            }
            sorted_.swap(merged_);
        }
        return inversions;
    }

    std::int64_t merge(std::size_t begin, std::size_t middle, std::size_t end) {
        std::int64_t inversions = 0;
        std::size_t left = begin, right = middle;
        for (std::size_t k = begin; k < end; ++k) {
            const bool from_right =
                left == middle || (right < end && sorted_[right] < sorted_[left]);
            if (from_right) inversions += static_cast<std::int64_t>(middle - left);
            merged_[k] = sorted_[from_right ? right++ : left++];
        }
        return inversions;
    }

    std::vector<std::int32_t> sorted_, merged_;
};

// Counts nodes, trees and inversions of permutations.
//
// All trees of a permutation differ only in how runs of one binary operator are bracketed: c
// children of such a run can be bracketed in Catalan(c - 1) ways.
class PermutationCounter {
public:
    using Node = PermutationParser::Node;

    PermutationCounts operator()(Ranks values) {
        counts_ = {};
        counts_.length = static_cast<std::int64_t>(values.size());
        if (values.empty()) return counts_;
        counts_.inversions = inversions_(values);
        close(parser_.run(values, *this));
        return counts_;
    }

    void shift() {}
    void reduce(std::span<const Node> children, const Node& node) {
        counts_.monotone += node.kind == Operator::monotone;
        counts_.inverted += node.kind == Operator::inverted;
        counts_.four += children.size() == 4;
        counts_.larger += children.size() > 4;
        const bool continues = node.chain > 2;
        for (const Node& child : children.subspan(continues)) close(child);
    }

private:
    // The run of binary nodes that ends in this one is complete.
    void close(const Node& node) {
        if (node.chain < 3) return;
        counts_.trees = counts_.trees.times(catalan(static_cast<std::size_t>(node.chain - 1)));
    }

    const Scaled& catalan(std::size_t n) {
        while (catalans_.size() <= n) {
            const auto k = static_cast<long double>(catalans_.size());
            catalans_.push_back(catalans_.back().times(4 * k - 2, k + 1));
        }
        return catalans_[n];
    }

    PermutationParser parser_;
    InversionCounter inversions_;
    PermutationCounts counts_;
    std::vector<Scaled> catalans_{Scaled{}};
};

}  // namespace rankwise
