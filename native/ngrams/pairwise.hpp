// How many n-grams every two of many texts share: each text is prepared once, not once per pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ngrams/bleu.hpp"
#include "ngrams/chrf.hpp"
#include "ngrams/ngram_rows.hpp"
#include "ngrams/ngrams.hpp"
#include "text/text.hpp"
#include "text/tokenise.hpp"
#include "text/vocabulary.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// Matches of n-grams between all pairs of sequences, order by order. An n-gram counts for a pair as
// often as it occurs in the sequence that has it less often, so the matrix is symmetric.
//
// Every order goes from n-grams to the sequences that have them; an n-gram of one sequence alone
// matches no other, nor does a longer one that contains it, and both are dropped. A sequence and
// itself share all they have.
class SharedNgrams {
public:
    using Numbers = std::span<const std::uint32_t>;

    explicit SharedNgrams(std::span<const Numbers> sequences) : nodes_(sequences.size()) {
        for (std::size_t s = 0; s < sequences.size(); ++s) {
            nodes_[s].assign(sequences[s].begin(), sequences[s].end());
            lengths_.push_back(sequences[s].size());
        }
    }

    // Calls visit(order, matches) for orders 1 .. max_order; matches[i * size + j] is of a pair.
    template <class Visit>
    void each_order(std::size_t threads, std::size_t max_order, const Visit& visit) {
        std::vector<std::int64_t> matches(nodes_.size() * nodes_.size());
        for (std::size_t order = 1; order <= max_order; ++order) {
            number(order > 1);
            post();
            std::fill(matches.begin(), matches.end(), 0);
            parallel_chunks(threads, nodes_.size(), 8, [&](std::size_t begin, std::size_t end) {
                for (std::size_t s = begin; s < end; ++s) {
                    add(s, std::span(matches).subspan(s * nodes_.size(), nodes_.size()));
                    matches[s * nodes_.size() + s] = ngram_total(lengths_[s], order);
                }
            });
            visit(order, std::span<const std::int64_t>(matches));
            forget_unshared();
        }
    }

private:
    struct Posting {
        std::uint32_t sequence, count;
    };
    struct Ngram {
        std::uint32_t number, count;
    };

    // Gives equal n-grams equal numbers 0, 1, 2 ...; one of order n is a pair of neighbours of
    // order n - 1, so its key is exact.
    void number(bool in_pairs) {
        numbers_.clear();
        for (auto& nodes : nodes_) {
            if (in_pairs && !nodes.empty()) {
                for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
                    const bool is_shared = nodes[i] != kAbsent && nodes[i + 1] != kAbsent;
                    nodes[i] = is_shared ? number_of(std::uint64_t{nodes[i]} << 32 | nodes[i + 1])
                                         : kAbsent;
                }
                nodes.pop_back();
            } else {
                for (std::uint32_t& node : nodes) node = number_of(node);
            }
        }
    }

    std::uint32_t number_of(std::uint64_t key) {
        return numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
    }

    // Lists the n-grams of every sequence with their counts, and the sequences of every n-gram.
    void post() {
        ngrams_.assign(nodes_.size(), {});
        starts_.assign(numbers_.size() + 1, 0);
        counts_.assign(numbers_.size(), 0);
        for (std::size_t s = 0; s < nodes_.size(); ++s) {
            for (const std::uint32_t node : nodes_[s]) {
                if (node != kAbsent && ++counts_[node] == 1) ngrams_[s].push_back({node, 0});
            }
            for (Ngram& ngram : ngrams_[s]) {
                ngram.count = std::exchange(counts_[ngram.number], 0);
                ++starts_[ngram.number + 1];
            }
        }
        for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
        postings_.resize(starts_.back());
        std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
        for (std::size_t s = 0; s < nodes_.size(); ++s) {
            for (const Ngram& ngram : ngrams_[s]) {
                postings_[next[ngram.number]++] = {static_cast<std::uint32_t>(s), ngram.count};
            }
        }
    }

    void add(std::size_t sequence, std::span<std::int64_t> row) const {
        for (const Ngram& ngram : ngrams_[sequence]) {
            for (std::size_t p = starts_[ngram.number]; p < starts_[ngram.number + 1]; ++p) {
                row[postings_[p].sequence] += std::min(postings_[p].count, ngram.count);
            }
        }
    }

    void forget_unshared() {
        for (auto& nodes : nodes_) {
            for (std::uint32_t& node : nodes) {
                if (node != kAbsent && starts_[node + 1] - starts_[node] < 2) node = kAbsent;
            }
        }
    }

    std::vector<std::size_t> lengths_;
    std::vector<std::vector<std::uint32_t>> nodes_;  // of every sequence, where an n-gram begins
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
    std::vector<std::vector<Ngram>> ngrams_;
    std::vector<Posting> postings_;
    std::vector<std::size_t> starts_;  // postings of n-gram i begin at starts_[i]
    std::vector<std::uint32_t> counts_;
};

// Rows of BLEU of every text against every text, (n * n, 2 + 2 max_order).
inline void bleu_pairwise(std::size_t threads, std::span<const StringView> texts,
                          const Tokenizer& tokenizer, std::size_t max_order,
                          std::span<std::int64_t> rows) {
    const std::size_t count = texts.size(), columns = 2 + 2 * max_order;
    NumberedSegment segment(tokenizer);
    segment.read({}, texts);
    const auto sequences = segment.references();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            const auto row = rows.subspan((i * count + j) * columns, columns);
            row[0] = static_cast<std::int64_t>(sequences[i].size());
            row[1] = static_cast<std::int64_t>(sequences[j].size());
            for (std::size_t n = 1; n <= max_order; ++n) {
                row[1 + max_order + n] = ngram_total(sequences[i].size(), n);
            }
        }
    }
    SharedNgrams(sequences).each_order(
        threads, max_order, [&](std::size_t order, std::span<const std::int64_t> matches) {
            for (std::size_t pair = 0; pair < count * count; ++pair) {
                rows[pair * columns + 1 + order] = matches[pair];
            }
        });
}

namespace detail {

// The numbers of the characters of texts, without white space unless it counts.
inline std::vector<std::vector<std::uint32_t>> character_numbers(std::span<const StringView> texts,
                                                                 bool whitespace) {
    std::vector<std::vector<std::uint32_t>> numbers(texts.size());
    std::u32string points;
    for (std::size_t t = 0; t < texts.size(); ++t) {
        assign_code_points(texts[t], points);
        if (!whitespace) std::erase_if(points, is_space);
        numbers[t].assign(points.begin(), points.end());
    }
    return numbers;
}

// The numbers of the words of chrF++.
inline std::vector<std::vector<std::uint32_t>> word_numbers(std::span<const StringView> texts) {
    std::uint8_t width = 1;
    for (const StringView& view : texts) width = std::max(width, view.width);
    std::vector<std::vector<std::uint32_t>> numbers(texts.size());
    std::vector<std::string> bytes(texts.size());  // words point into them
    std::u32string points;
    std::vector<Token> between_spaces, words;
    Vocabulary vocabulary;
    for (std::size_t t = 0; t < texts.size(); ++t) {
        assign_code_points(texts[t], points);
        split_at_space(points, between_spaces);
        split_punctuation(view_of(points), between_spaces, words);
        assign_bytes(view_of(points), width, bytes[t]);
        vocabulary.number({bytes[t].data(), width, words}, numbers[t]);
    }
    return numbers;
}

}  // namespace detail

// Rows of chrF of every text against every text, (n * n, 3 (char_order + word_order)).
inline void chrf_pairwise(std::size_t threads, std::span<const StringView> texts,
                          std::size_t char_order, std::size_t word_order, bool whitespace,
                          std::span<std::int64_t> rows) {
    const std::size_t count = texts.size(), columns = kCellsPerOrder * (char_order + word_order);
    const auto fill = [&](const std::vector<std::vector<std::uint32_t>>& numbers,
                          std::size_t max_order, std::size_t first) {
        const std::vector<SharedNgrams::Numbers> sequences(numbers.begin(), numbers.end());
        SharedNgrams(sequences).each_order(
            threads, max_order, [&](std::size_t order, std::span<const std::int64_t> matches) {
                for (std::size_t pair = 0; pair < count * count; ++pair) {
                    const CountRow row = rows.subspan(pair * columns + first);
                    const CountRow cells = cells_of_order(row, order);
                    write_order(cells, numbers[pair / count].size(), numbers[pair % count].size(),
                                order, matches[pair]);
                    leave_out_missing_orders(cells);
                }
            });
    };
    if (char_order > 0) fill(detail::character_numbers(texts, whitespace), char_order, 0);
    if (word_order > 0) fill(detail::word_numbers(texts), word_order, kCellsPerOrder * char_order);
}

}  // namespace rankwise
