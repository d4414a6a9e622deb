// How many n-grams two token sequences share: exact, of any order, against any number of references.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text.hpp"
#include "tokenise.hpp"

namespace rankwise {

// The number of n-grams of a sequence of that length.
inline std::int64_t ngram_total(std::size_t length, std::size_t order) {
    return length < order ? 0 : static_cast<std::int64_t>(length - order + 1);
}

// A token or n-gram that the references do not have.
inline constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

namespace detail {
inline std::uint64_t mix(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15u;
    return key ^ (key >> 32);
}
}  // namespace detail

// Gives equal tokens equal numbers, 0, 1, 2 ... in order of appearance. Tokens are compared code
// point by code point, so no two different ones ever share a number. The text must stay alive.
class TokenNumbers {
public:
    void clear() {
        tokens_.clear();
        if (++stamp_ == 0) {  // after 2^32 rounds the old stamps would look fresh
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 1;
        }
    }

    std::size_t size() const { return tokens_.size(); }

    // The number of a token, a fresh one if it is new.
    std::uint32_t add(std::u32string_view token) {
        if (2 * (tokens_.size() + 1) > slots_.size()) grow();
        const std::uint64_t hash = hash_of(token);
        Slot& slot = slots_[position(token, hash)];
        if (slot.stamp != stamp_) {
            slot = {hash, stamp_, static_cast<std::uint32_t>(tokens_.size())};
            tokens_.push_back(token);
        }
        return slot.number;
    }

    // The number of a token, or `absent`.
    std::uint32_t find(std::u32string_view token) const {
        if (slots_.empty()) return absent;
        const Slot& slot = slots_[position(token, hash_of(token))];
        return slot.stamp == stamp_ ? slot.number : absent;
    }

private:
    struct Slot {
        std::uint64_t hash = 0;
        std::uint32_t stamp = 0, number = 0;
    };

    static std::uint64_t hash_of(std::u32string_view token) {
        std::uint64_t hash = token.size();
        for (const char32_t c : token) hash = (hash ^ c) * 0x9e3779b97f4a7c15u;
        return hash ^ (hash >> 32);
    }

    // The slot that holds the token, or the free slot where it belongs.
    std::size_t position(std::u32string_view token, std::uint64_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = hash & mask;
        while (slots_[i].stamp == stamp_ &&
               (slots_[i].hash != hash || tokens_[slots_[i].number] != token)) {
            i = (i + 1) & mask;
        }
        return i;
    }

    void grow() {
        slots_.assign(std::max<std::size_t>(256, 2 * slots_.size()), Slot{});
        for (std::uint32_t number = 0; number < tokens_.size(); ++number) {
            const std::uint64_t hash = hash_of(tokens_[number]);
            slots_[position(tokens_[number], hash)] = {hash, stamp_, number};
        }
    }

    std::vector<Slot> slots_;  // a power of two, at most half full
    std::vector<std::u32string_view> tokens_;
    std::uint32_t stamp_ = 1;
};

// Counts the n-grams of a hypothesis that occur in references, each at most as often as in the
// reference that has it most often (clipping).
//
// Order by order: an n-gram is the pair of the two (n-1)-grams it overlaps, so its key is exact in
// 64 bits whatever the order and the vocabulary; and only n-grams both of whose parts occur on both
// sides are looked at, because no other can match.
class NgramMatcher {
public:
    // matches[n - 1] for n = 1 .. max_order. Numbers in `references` are below `vocabulary`;
    // `hypothesis` may also hold `absent`. Both are used as scratch.
    void match(std::span<std::uint32_t> hypothesis,
               std::span<const std::span<std::uint32_t>> references, std::size_t vocabulary,
               std::size_t max_order, std::int64_t* matches) {
        std::fill_n(matches, max_order, 0);
        reserve(vocabulary);
        const auto direct = [](std::uint32_t* node) { return *node; };
        bool alive = level(hypothesis, references, 1, direct, direct, matches[0]);
        std::size_t longest = 0;
        for (const auto& reference : references) longest += reference.size();
        for (std::size_t order = 2; alive && order <= max_order; ++order) {
            reserve(2 * longest);
            alive = level(
                hypothesis, references, order,
                [this](std::uint32_t* node) { return insert(key(node)); },
                [this](std::uint32_t* node) { return find(key(node)); }, matches[order - 1]);
        }
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;  // in use when equal to the round's
        std::uint32_t left = 0;   // occurrences in references that the hypothesis may still match
        std::uint32_t here = 0;   // occurrences in the reference being read
        std::uint32_t reference = 0;
        bool matched = false;     // by the hypothesis
    };

    static std::uint64_t key(const std::uint32_t* node) {
        return std::uint64_t{node[0]} << 32 | node[1];
    }

    // Makes room for a round of `count` slots and starts it.
    void reserve(std::size_t count) {
        const std::size_t size = std::bit_ceil(std::max<std::size_t>(count, 16));
        if (size > slots_.size()) slots_.resize(size);
        mask_ = size - 1;
        shift_ = 64 - std::countr_zero(size);
        if (++stamp_ == 0) {
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 1;
        }
    }

    // One order: nodes of order - 1 become nodes of this order, or `absent`.
    template <class Insert, class Find>
    bool level(std::span<std::uint32_t> hypothesis,
               std::span<const std::span<std::uint32_t>> references, std::size_t order,
               const Insert& insert_node, const Find& find_node, std::int64_t& matches) {
        std::uint32_t number = 0;
        for (const auto& reference : references) {
            extend(reference, order, insert_node, [&](Slot& slot) { count(slot, number); });
            ++number;
        }
        std::int64_t found = 0;
        extend(hypothesis, order, find_node, [&](Slot& slot) {
            slot.matched = true;
            if (slot.left > 0) --slot.left, ++found;
        });
        matches = found;
        for (const auto& reference : references) forget_unmatched(reference, order);
        return found > 0;
    }

    template <class Node, class Visit>
    void extend(std::span<std::uint32_t> nodes, std::size_t order, const Node& node_of,
                const Visit& visit) {
        const auto total = static_cast<std::size_t>(ngram_total(nodes.size(), order));
        for (std::size_t i = 0; i < total; ++i) {
            if (nodes[i] == absent || (order > 1 && nodes[i + 1] == absent)) {
                nodes[i] = absent;
                continue;
            }
            nodes[i] = node_of(&nodes[i]);
            if (nodes[i] != absent) visit(slots_[nodes[i]]);
        }
    }

    void count(Slot& slot, std::uint32_t reference) {
        if (slot.stamp != stamp_) slot = {slot.key, stamp_, 0, 0, reference, false};
        if (slot.reference != reference) slot.reference = reference, slot.here = 0;
        slot.left = std::max(slot.left, ++slot.here);
    }

    void forget_unmatched(std::span<std::uint32_t> nodes, std::size_t order) {
        const auto total = static_cast<std::size_t>(ngram_total(nodes.size(), order));
        for (std::size_t i = 0; i < total; ++i) {
            if (nodes[i] != absent && !slots_[nodes[i]].matched) nodes[i] = absent;
        }
    }

    std::uint32_t insert(std::uint64_t wanted) {
        const std::size_t i = position(wanted);
        slots_[i].key = wanted;
        return static_cast<std::uint32_t>(i);
    }

    std::uint32_t find(std::uint64_t wanted) const {
        const std::size_t i = position(wanted);
        return slots_[i].stamp == stamp_ ? static_cast<std::uint32_t>(i) : absent;
    }

    std::size_t position(std::uint64_t wanted) const {
        std::size_t i = (wanted * 0x9e3779b97f4a7c15u) >> shift_;
        while (slots_[i].stamp == stamp_ && slots_[i].key != wanted) i = (i + 1) & mask_;
        return i;
    }

    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    int shift_ = 0;
    std::uint32_t stamp_ = 0;
};

// Texts of one segment as token numbers: those of the references, and where the hypothesis has
// the same token, the same number.
class NumberedSegment {
public:
    explicit NumberedSegment(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

    void read(StringView hypothesis, std::span<const StringView> references) {
        if (texts_.size() < references.size() + 1) {
            texts_.resize(references.size() + 1);
            reference_numbers_.resize(references.size());
        }
        numbers_.clear();
        spans.clear();
        for (std::size_t r = 0; r < references.size(); ++r) {
            decode(references[r], texts_[r]);
            number(texts_[r], reference_numbers_[r], [this](auto token) { return numbers_.add(token); });
            spans.emplace_back(reference_numbers_[r]);
        }
        decode(hypothesis, texts_[references.size()]);
        number(texts_[references.size()], hypothesis_numbers_,
               [this](auto token) { return numbers_.find(token); });
        this->hypothesis = hypothesis_numbers_;
    }

    std::size_t vocabulary() const { return numbers_.size(); }

    std::span<std::uint32_t> hypothesis;
    std::vector<std::span<std::uint32_t>> spans;  // one per reference

private:
    // sacreBLEU cuts white space off the end before it tokenises, which "13a" and "intl" notice.
    static void decode(StringView view, std::u32string& text) {
        text.clear();
        append_code_points(view, text);
        trim_end(text);
    }

    template <class NumberOf>
    void number(std::u32string& text, std::vector<std::uint32_t>& numbers, const NumberOf& number_of) {
        tokenizer_(text, tokens_);
        numbers.resize(tokens_.size());
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token token = tokens_[i];
            numbers[i] = number_of(std::u32string_view(text).substr(token.begin, token.end - token.begin));
        }
    }

    const Tokenizer& tokenizer_;
    TokenNumbers numbers_;
    std::vector<std::u32string> texts_;
    std::vector<Token> tokens_;
    std::vector<std::uint32_t> hypothesis_numbers_;
    std::vector<std::vector<std::uint32_t>> reference_numbers_;
};

// Of several lengths the one closest to `length`, the shorter of two equally close.
inline std::size_t closest_length(std::size_t length, std::span<const std::span<std::uint32_t>> references) {
    std::size_t closest = references.front().size();
    const auto distance = [length](std::size_t n) { return n > length ? n - length : length - n; };
    for (const auto& reference : references) {
        const std::size_t n = reference.size();
        if (distance(n) < distance(closest) || (distance(n) == distance(closest) && n < closest)) {
            closest = n;
        }
    }
    return closest;
}

// Rows of BLEU: hyp_len, ref_len, matches 1..N, totals 1..N. There is at least one reference.
class BleuCounter {
public:
    BleuCounter(const Tokenizer& tokenizer, std::size_t max_order)
        : segment_(tokenizer), max_order_(max_order) {}

    void operator()(StringView hypothesis, std::span<const StringView> references, std::int64_t* row) {
        segment_.read(hypothesis, references);
        const std::size_t length = segment_.hypothesis.size();
        row[0] = static_cast<std::int64_t>(length);
        row[1] = static_cast<std::int64_t>(closest_length(length, segment_.spans));
        for (std::size_t n = 1; n <= max_order_; ++n) row[1 + max_order_ + n] = ngram_total(length, n);
        matcher_.match(segment_.hypothesis, segment_.spans, segment_.vocabulary(), max_order_, row + 2);
    }

private:
    NumberedSegment segment_;
    NgramMatcher matcher_;
    std::size_t max_order_;
};

// Rows of word overlap, one per reference: matches, hyp_len, ref_len.
class OverlapCounter {
public:
    explicit OverlapCounter(const Tokenizer& tokenizer) : segment_(tokenizer) {}

    void operator()(StringView hypothesis, std::span<const StringView> references, std::int64_t* rows) {
        segment_.read(hypothesis, references);
        for (const auto& reference : segment_.spans) {
            const std::int64_t length = static_cast<std::int64_t>(segment_.hypothesis.size());
            rows[0] = matches(reference);
            rows[1] = length;
            rows[2] = static_cast<std::int64_t>(reference.size());
            rows += 3;
        }
    }

private:
    std::int64_t matches(std::span<const std::uint32_t> reference) {
        left_.assign(segment_.vocabulary(), 0);
        for (const std::uint32_t number : reference) ++left_[number];
        std::int64_t found = 0;
        for (const std::uint32_t number : segment_.hypothesis) {
            if (number != absent && left_[number] > 0) --left_[number], ++found;
        }
        return found;
    }

    NumberedSegment segment_;
    std::vector<std::uint32_t> left_;
};

}  // namespace rankwise
