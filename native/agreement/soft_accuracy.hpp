// Soft pairwise accuracy: how sure random signs leave one about pairs of systems.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "threads/chunks.hpp"

namespace rankwise {

// excess[draw][table][system] is the sum over the segments with heads minus the sum over all: how
// far random signs lift the total of a system. For every table and pair of systems i < j, counts
// the draws in which i is lifted above j by more than `rounding`, and those in which it is not
// lifted below j by more: out[(table * pairs + pair) * 2], and the next.
inline void lifted_counts(std::span<const std::int64_t> excess, std::size_t tables,
                          std::size_t systems, std::int64_t rounding, std::span<std::int64_t> out) {
    const std::size_t pairs = systems * (systems - 1) / 2;
    const std::size_t draws = excess.size() / std::max<std::size_t>(tables * systems, 1);
    for (std::size_t d = 0; d < draws; ++d) {
        for (std::size_t t = 0; t < tables; ++t) {
            const auto row = excess.subspan((d * tables + t) * systems, systems);
            auto counts = out.subspan(t * pairs * 2, pairs * 2).begin();
            for (std::size_t i = 0; i < systems; ++i) {
                for (std::size_t j = i + 1; j < systems; ++j, counts += 2) {
                    const std::int64_t difference = row[i] - row[j];
                    counts[0] += difference > rounding;
                    counts[1] += difference >= -rounding;
                }
            }
        }
    }
}

// The chance that random signs give at least this sum, by the normal approximation.
inline double sign_test_tail(double sum, double squares) {
    return squares > 0 ? 0.5 * std::erfc(sum / std::sqrt(2 * squares)) : 0.5;
}

// Scores of systems on segments, with room to work out how much any two systems differ.
class SystemRows {
public:
    // Rows are padded with zeros to whole vectors.
    SystemRows(std::size_t systems, std::size_t segments)
        : systems_(systems),
          stride_((segments + 1) / 2),
          cells_(systems * stride_),
          sums_(systems),
          products_(systems * systems) {}

    std::span<double> row(std::size_t system) {
        return {reinterpret_cast<double*>(cells_.data() + system * stride_), 2 * stride_};
    }

    // Sums of every row and of the products of every two, once all rows are filled.
    void measure() {
        for (std::size_t i = 0; i < systems_; i += 2) {
            for (std::size_t j = i; j < systems_; j += 4) multiply(i, j);
        }
    }

    double difference(std::size_t i, std::size_t j) const { return sums_[i] - sums_[j]; }

    double squared_difference(std::size_t i, std::size_t j) const {
        const double both = product(i, i) + product(j, j);
        const double square = both - 2 * product(i, j);
        return square > 1e-12 * both ? square : 0.0;  // of equal rows only rounding is left
    }

private:
    typedef double Two __attribute__((vector_size(16)));

    double product(std::size_t i, std::size_t j) const { return products_[i * systems_ + j]; }

    const Two* cells_of(std::size_t system) const {
        return cells_.data() + (system < systems_ ? system : 0) * stride_;
    }

    // Rows i and i + 1 with up to four rows from j on: a row read once serves several products, and
    // the sums of the two rows are added up beside the first of them.
    void multiply(std::size_t i, std::size_t j) {
        const Two *one = cells_of(i), *two = cells_of(i + 1);
        const Two* others[4] = {cells_of(j), cells_of(j + 1), cells_of(j + 2), cells_of(j + 3)};
        Two found[2][4] = {}, sums[2] = {};
        for (std::size_t l = 0; l < stride_; ++l) {
            for (std::size_t k = 0; k < 4; ++k) {
                found[0][k] += one[l] * others[k][l];
                found[1][k] += two[l] * others[k][l];
            }
            if (i == j) sums[0] += one[l], sums[1] += two[l];
        }
        for (std::size_t row = i; row < std::min(i + 2, systems_); ++row) {
            if (i == j) sums_[row] = sums[row - i][0] + sums[row - i][1];
            for (std::size_t k = 0; k < 4 && j + k < systems_; ++k) {
                const Two& product = found[row - i][k];
                products_[row * systems_ + j + k] = product[0] + product[1];
            }
        }
    }

    std::size_t systems_, stride_;
    std::vector<Two> cells_;
    std::vector<double> sums_, products_;
};

// The same where scores are missing (nan), each pair on the segments that both have.
inline void common_differences(std::span<const double> a, std::span<const double> b, double& sum,
                               double& square) {
    sum = square = 0;
    for (std::size_t l = 0; l < a.size(); ++l) {
        const double d = a[l] - b[l];
        if (d == d) sum += d, square += d * d;
    }
}

// Tables of two metrics, (systems, segments), that exchange cells.
struct ExchangedTables {
    std::span<const double> first, second;
    std::size_t systems, segments;

    bool has_missing() const {
        for (std::size_t c = 0; c < systems * segments; ++c) {
            if (std::isnan(first[c]) || std::isnan(second[c])) return true;
        }
        return false;
    }

    // Fills the rows of one mixture: where a coin equals `keep`, the score of the first metric. The
    // choice is made by masks of bits, which no processor has to guess.
    void mix(std::span<const std::uint8_t> coins, std::uint8_t keep, SystemRows& rows) const {
        for (std::size_t s = 0, c = 0; s < systems; ++s) {
            const auto row = rows.row(s);
            for (std::size_t l = 0; l < segments; ++l, ++c) {
                const auto one = std::bit_cast<std::uint64_t>(first[c]);
                const auto two = std::bit_cast<std::uint64_t>(second[c]);
                const auto mask = -static_cast<std::uint64_t>(coins[c] == keep);
                row[l] = std::bit_cast<double>(two ^ ((one ^ two) & mask));
            }
        }
    }
};

// SPA of a mixture; gold[pair] are the p-values of the gold scores of systems i < j, and a nan
// there leaves the pair out.
inline double soft_accuracy(std::span<const double> gold, const ExchangedTables& tables,
                            bool has_missing, SystemRows& rows) {
    if (!has_missing) rows.measure();
    double error = 0;
    std::size_t counted = 0, pair = 0;
    for (std::size_t i = 0; i < tables.systems; ++i) {
        for (std::size_t j = i + 1; j < tables.systems; ++j, ++pair) {
            if (std::isnan(gold[pair])) continue;
            double sum, square;
            if (has_missing) {
                common_differences(rows.row(i).first(tables.segments), rows.row(j), sum, square);
            } else {
                sum = rows.difference(i, j), square = rows.squared_difference(i, j);
            }
            error += std::fabs(gold[pair] - sign_test_tail(sum, square));
            ++counted;
        }
    }
    return 1 - error / static_cast<double>(counted);
}

// SPA of both mixtures in every draw.
inline void exchanged_soft_accuracy(std::span<const double> gold, const ExchangedTables& tables,
                                    std::span<const std::uint8_t> coins, std::size_t threads,
                                    std::span<double> out) {
    const bool has_missing = tables.has_missing();
    const std::size_t cells = tables.systems * tables.segments;
    parallel_chunks(threads, out.size() / 2, 1, [&](std::size_t begin, std::size_t end) {
        SystemRows rows(tables.systems, tables.segments);
        for (std::size_t d = begin; d < end; ++d) {
            for (std::uint8_t side = 0; side < 2; ++side) {
                tables.mix(coins.subspan(d * cells, cells), 1 - side, rows);
                out[2 * d + side] = soft_accuracy(gold, tables, has_missing, rows);
            }
        }
    });
}

}  // namespace rankwise
