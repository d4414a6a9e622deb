// Permutations: their trees and counts, and the order of aligned words.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "alignment/permutation.hpp"
#include "alignment/word_order.hpp"
#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "threads/chunks.hpp"
#include "threads/pool.hpp"

namespace rankwise {

namespace {

// The part [starts[k], starts[k + 1]) of an array, for every k.
void check_starts(std::span<const std::int64_t> starts, std::size_t size) {
    if (starts.empty() || starts.front() != 0 || !std::is_sorted(starts.begin(), starts.end()) ||
        static_cast<std::size_t>(starts.back()) != size) {
        throw std::invalid_argument("starts do not fit the values");
    }
}

template <class Item>
std::span<const Item> part(const Item* items, std::span<const std::int64_t> starts, std::size_t k) {
    return {items + starts[k], static_cast<std::size_t>(starts[k + 1] - starts[k])};
}

// Whether every value is one of 0 .. n - 1 and none comes twice.
bool is_permutation(Ranks values, std::vector<bool>& seen) {
    seen.assign(values.size(), false);
    for (const std::int32_t value : values) {
        if (value < 0 || static_cast<std::size_t>(value) >= values.size() || seen[value]) {
            return false;
        }
        seen[value] = true;
    }
    return true;
}

void check_permutation(Ranks values, std::size_t number, std::vector<bool>& seen) {
    if (!is_permutation(values, seen)) {
        throw std::invalid_argument("permutation " + std::to_string(number) +
                                    " has not every number from 0 once");
    }
}

struct Steps {
    void shift() { taken.push_back(0); }
    void reduce(std::span<const PermutationParser::Node> children, const PermutationParser::Node&) {
        taken.push_back(static_cast<std::int32_t>(children.size()));
    }
    std::vector<std::int32_t> taken;
};

auto permutation_steps(Column<std::int32_t> values) {
    std::vector<bool> seen;
    check_permutation(span_of(values), 0, seen);
    Steps steps;
    if (values.size() > 0) PermutationParser().run(span_of(values), steps);
    return new_column(steps.taken);
}

nb::tuple permutation_counts(Column<std::int32_t> values, Column<std::int64_t> starts) {
    const auto borders = span_of(starts);
    check_starts(borders, values.size());
    const std::size_t n = borders.size() - 1;
    auto rows = new_rows<std::int64_t>(n, 6);
    const auto out = span_of(rows);
    std::vector<double> mantissas(n);
    std::vector<std::int64_t> exponents(n);
    const std::int32_t* data = values.data();
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        parallel_chunks(threads, n, 256, [&](std::size_t begin, std::size_t end) {
            PermutationCounter counter;
            std::vector<bool> seen;
            for (std::size_t k = begin; k < end; ++k) {
                const Ranks ranks = part(data, borders, k);
                check_permutation(ranks, k, seen);
                const PermutationCounts c = counter(ranks);
                const std::int64_t row[] = {c.length,   c.inversions, c.monotone,
                                            c.inverted, c.four,       c.larger};
                std::ranges::copy(row, out.subspan(6 * k, 6).begin());
                mantissas[k] = static_cast<double>(c.trees.mantissa);
                exponents[k] = c.trees.exponent;
            }
        });
    }
    return nb::make_tuple(rows, new_column(mantissas), new_column(exponents));
}

using Matches = nb::ndarray<const std::int32_t, nb::shape<-1, 5>, nb::c_contig, nb::device::cpu>;

void check_matches(std::span<const Match> matches) {
    std::int64_t end = 0;
    for (const Match& m : matches) {
        if (m.ref_start < end || m.ref_length < 0 || m.hyp_start < 0 || m.hyp_length < 0) {
            throw std::invalid_argument("matches overlap or are not in the reference's order");
        }
        end = std::int64_t{m.ref_start} + m.ref_length;
    }
}

nb::tuple word_orders(Matches matches, Column<std::int64_t> starts,
                      Column<std::int64_t> hyp_lengths) {
    const auto borders = span_of(starts);
    check_starts(borders, matches.shape(0));
    const std::size_t n = borders.size() - 1;
    if (hyp_lengths.size() != n) {
        throw std::invalid_argument("lengths and matches differ in number");
    }
    const Match* data = reinterpret_cast<const Match*>(matches.data());
    std::vector<std::int32_t> ranks;
    std::vector<std::int64_t> rank_starts{0}, runs(n);
    {
        nb::gil_scoped_release release;
        WordOrder order;
        for (std::size_t k = 0; k < n; ++k) {
            const std::span<const Match> found = part(data, borders, k);
            check_matches(found);
            const auto places = order.ranks(found);
            ranks.insert(ranks.end(), places.begin(), places.end());
            rank_starts.push_back(static_cast<std::int64_t>(ranks.size()));
            runs[k] = order.unmatched_runs(hyp_lengths.data()[k]);
        }
    }
    return nb::make_tuple(new_column(ranks), new_column(rank_starts), new_column(runs));
}

}  // namespace

void bind_permutations(nb::module_& m) {
    m.def("permutation_steps", &permutation_steps, nb::arg("values"),
          "How to build the tree of a permutation of 0 .. n - 1: 0 shifts, k joins k nodes.");
    m.def("permutation_counts", &permutation_counts, nb::arg("values"), nb::arg("starts"),
          "Length, inversions, monotone, inverted, four-way, larger nodes; trees as m * 2^e.");
    m.def("word_orders", &word_orders, nb::arg("matches"), nb::arg("starts"),
          nb::arg("hyp_lengths"),
          "Alignments as permutations of 0 .. n - 1, and their runs of unmatched words.");
}

}  // namespace rankwise
