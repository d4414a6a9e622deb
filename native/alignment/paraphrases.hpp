// A table of paraphrases: pairs of phrases in file order, found in texts by a trie of words.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rankwise {

class ParaphraseTable {
public:
    struct Entry {
        std::uint32_t target, order;  // the node of the other phrase, the place in the file
    };

    // Lines in threes: a probability (ignored), a phrase, its paraphrase.
    explicit ParaphraseTable(std::string_view text) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        std::array<std::string_view, 3> lines;
        std::string_view phrase;
        std::uint32_t last = kRoot;
        std::size_t count = 0;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            lines[count % 3] = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (++count % 3 != 0) continue;
            // Tables are sorted by the phrase: most entries repeat the one before.
            if (pairs.empty() || lines[1] != phrase) last = node_of(phrase = lines[1]);
            pairs.emplace_back(last, node_of(lines[2]));
        }
        if (count % 3 != 0) throw std::invalid_argument(std::to_string(count));
        group(pairs);
    }

    std::size_t size() const { return entries_.size(); }

    // The number of a word, -1 if no phrase has it.
    std::int32_t word(std::string_view text) const {
        const auto found = words_.find(text);
        return found == words_.end() ? -1 : found->second;
    }

    static constexpr std::uint32_t kRoot = 0, kNone = 0xffffffff;

    // The node of a phrase that is one word longer, or kNone.
    std::uint32_t child(std::uint32_t node, std::int32_t word) const {
        return slots_[slot_of(key_of(node, word))].node;
    }

    // The paraphrases of a phrase, in file order.
    std::span<const Entry> paraphrases(std::uint32_t node) const {
        return std::span(entries_).subspan(first_[node], first_[node + 1] - first_[node]);
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t node = kNone;
    };

    static std::uint64_t key_of(std::uint32_t node, std::int32_t word) {
        return (static_cast<std::uint64_t>(node) << 32) | static_cast<std::uint32_t>(word);
    }

    std::size_t slot_of(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::uint64_t hash = key * 0xff51afd7ed558ccd;
        std::size_t slot = (hash ^ (hash >> 32)) & mask;
        while (slots_[slot].node != kNone && slots_[slot].key != key) slot = (slot + 1) & mask;
        return slot;
    }

    std::uint32_t add_child(std::uint32_t node, std::int32_t word) {
        const std::uint64_t key = key_of(node, word);
        std::size_t slot = slot_of(key);
        if (slots_[slot].node == kNone) {
            slots_[slot] = {key, nodes_++};
            if (std::size_t{nodes_} * 2 > slots_.size()) {
                const std::uint32_t added = nodes_ - 1;
                grow();
                return added;
            }
        }
        return slots_[slot].node;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& entry : old) {
            if (entry.node != kNone) slots_[slot_of(entry.key)] = entry;
        }
    }

    std::uint32_t node_of(std::string_view phrase) {
        std::uint32_t node = kRoot;
        for (std::size_t begin = 0; begin < phrase.size();) {
            const std::size_t end = std::min(phrase.find_first_of(" \t\r", begin), phrase.size());
            if (end > begin) node = add_child(node, word_number(phrase.substr(begin, end - begin)));
            begin = end + 1;
        }
        return node;
    }

    std::int32_t word_number(std::string_view text) {
        const auto found = words_.find(text);
        if (found != words_.end()) return found->second;
        return words_.emplace(text, static_cast<std::int32_t>(words_.size())).first->second;
    }

    void group(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
        first_.assign(nodes_ + 1, 0);
        for (const auto& pair : pairs) ++first_[pair.first + 1];
        for (std::size_t n = 0; n < nodes_; ++n) first_[n + 1] += first_[n];
        entries_.resize(pairs.size());
        std::vector<std::size_t> place(first_.begin(), first_.end() - 1);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            entries_[place[pairs[k].first]++] = {pairs[k].second, static_cast<std::uint32_t>(k)};
        }
    }

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };

    std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> words_;
    std::vector<Slot> slots_ = std::vector<Slot>(1 << 12);
    std::uint32_t nodes_ = 1;
    std::vector<std::size_t> first_;
    std::vector<Entry> entries_;
};

struct PhraseMatch {
    std::int32_t from_start, from_length, to_start, to_length;
};

// Finds the phrases of one text whose paraphrase is in another. Keeps its buffers.
class PhraseFinder {
public:
    // Calls found(match) for every position of `from`, by length of the phrase, in file order, for
    // every place of the paraphrase in `to`.
    template <class Found>
    void find(const ParaphraseTable& table, std::span<const std::int32_t> from,
              std::span<const std::int32_t> to, const Found& found) {
        index(table, to);
        for (std::size_t start = 0; start < from.size(); ++start) {
            std::uint32_t node = ParaphraseTable::kRoot;
            for (std::size_t end = start; end < from.size() && from[end] >= 0; ++end) {
                node = table.child(node, from[end]);
                if (node == ParaphraseTable::kNone) break;
                for (const ParaphraseTable::Entry& entry : table.paraphrases(node)) {
                    for (std::int32_t p = heads_[slot_of(entry.target)].first; p >= 0;
                         p = places_[static_cast<std::size_t>(p)].next) {
                        const Place& place = places_[static_cast<std::size_t>(p)];
                        found(PhraseMatch{static_cast<std::int32_t>(start),
                                          static_cast<std::int32_t>(end - start + 1), place.start,
                                          place.length});
                    }
                }
            }
        }
    }

private:
    struct Place {
        std::int32_t start, length, next;
    };
    struct Head {
        std::uint32_t node = ParaphraseTable::kNone;
        std::int32_t first = -1;
    };

    // All phrases of `to`, by node; the places of a phrase are listed in ascending order.
    void index(const ParaphraseTable& table, std::span<const std::int32_t> to) {
        spans_.clear();
        for (std::size_t start = 0; start < to.size(); ++start) {
            std::uint32_t node = ParaphraseTable::kRoot;
            for (std::size_t end = start; end < to.size() && to[end] >= 0; ++end) {
                node = table.child(node, to[end]);
                if (node == ParaphraseTable::kNone) break;
                spans_.push_back({node, static_cast<std::int32_t>(start),
                                  static_cast<std::int32_t>(end - start + 1)});
            }
        }
        std::size_t slots = 64;
        while (slots < spans_.size() * 4) slots *= 2;
        heads_.assign(slots, Head{});
        places_.clear();
        for (std::size_t k = spans_.size(); k-- > 0;) {  // backwards, so that lists ascend
            Head& head = heads_[slot_of(spans_[k].node)];
            head.node = spans_[k].node;
            places_.push_back({spans_[k].start, spans_[k].length, head.first});
            head.first = static_cast<std::int32_t>(places_.size() - 1);
        }
    }

    std::size_t slot_of(std::uint32_t node) const {
        const std::size_t mask = heads_.size() - 1;
        std::size_t slot = (node * 0x9e3779b1u >> 7) & mask;
        while (heads_[slot].node != ParaphraseTable::kNone && heads_[slot].node != node) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    struct Span {
        std::uint32_t node;
        std::int32_t start, length;
    };
    std::vector<Span> spans_;
    std::vector<Head> heads_;
    std::vector<Place> places_;
};

}  // namespace rankwise
