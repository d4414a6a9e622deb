// Two metrics exchange their scores cell by cell: how far each mixture agrees with the gold scores.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "pair_counts.hpp"
#include "threads.hpp"

namespace rankwise {

// The agreement of one group's scores with its gold scores; nan where it is undefined.
enum class Agreement { pearson, tau_b, accuracy };

inline double group_pearson(const double* x, const double* y, std::size_t n) {
    double mean_x = 0, mean_y = 0;
    // From a value of the group's own: differences of scores that are almost equal are exact.
    for (std::size_t i = 0; i < n; ++i) mean_x += x[i] - x[0], mean_y += y[i] - y[0];
    mean_x /= static_cast<double>(n), mean_y /= static_cast<double>(n);
    double xx = 0, yy = 0, xy = 0;
    bool x_varies = false, y_varies = false;
    for (std::size_t i = 0; i < n; ++i) {
        const double a = (x[i] - x[0]) - mean_x, b = (y[i] - y[0]) - mean_y;
        xx += a * a, yy += b * b, xy += a * b;
        x_varies |= x[i] != x[0], y_varies |= y[i] != y[0];
    }
    if (!x_varies || !y_varies) return std::numeric_limits<double>::quiet_NaN();
    return std::fmin(1.0, std::fmax(-1.0, xy / std::sqrt(xx * yy)));
}

inline double agreement_of(Agreement kind, const double* gold, const double* metric, std::size_t n,
                           PairScratch& scratch) {
    if (n < 2) return std::numeric_limits<double>::quiet_NaN();
    if (kind == Agreement::pearson) return group_pearson(gold, metric, n);
    const PairCounts c = count_pairs(gold, metric, n, scratch);
    const auto share = [](std::int64_t a, std::int64_t b) {
        return static_cast<double>(a) / static_cast<double>(b);
    };
    if (kind == Agreement::accuracy) return share(c.concordant + c.both_ties, c.pairs());
    const std::int64_t one = c.concordant + c.discordant + c.gold_ties;
    const std::int64_t two = c.concordant + c.discordant + c.metric_ties;
    if (one == 0 || two == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(c.concordant - c.discordant) /
           std::sqrt(static_cast<double>(one) * static_cast<double>(two));
}

// The mean over groups of the agreement where it is defined; nan where it nowhere is.
inline double mean_agreement(Agreement kind, const double* gold, const double* metric,
                             const std::int64_t* starts, std::size_t groups,
                             PairScratch& scratch) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t g = 0; g < groups; ++g) {
        const auto n = static_cast<std::size_t>(starts[g + 1] - starts[g]);
        const double value = agreement_of(kind, gold + starts[g], metric + starts[g], n, scratch);
        if (std::isnan(value)) continue;
        sum += value;
        ++count;
    }
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

// coins[draw * cells + cell] is 1 where the cell keeps its scores; out[draw] gets the mean
// agreement of the first mixture and of the second.
inline void exchanged_agreement(Agreement kind, const double* gold, const double* first,
                                const double* second, const std::int64_t* starts,
                                std::size_t groups, const std::uint8_t* coins, std::size_t draws,
                                std::size_t threads, double* out) {
    const auto cells = static_cast<std::size_t>(starts[groups]);
    parallel_chunks(threads, draws, 1, [&](std::size_t begin, std::size_t end) {
        PairScratch scratch;
        std::vector<double> one(cells), two(cells);
        for (std::size_t d = begin; d < end; ++d) {
            for (std::size_t c = 0; c < cells; ++c) {
                const bool keeps = coins[d * cells + c] != 0;
                one[c] = keeps ? first[c] : second[c];
                two[c] = keeps ? second[c] : first[c];
            }
            out[2 * d] = mean_agreement(kind, gold, one.data(), starts, groups, scratch);
            out[2 * d + 1] = mean_agreement(kind, gold, two.data(), starts, groups, scratch);
        }
    });
}

// -- soft pairwise accuracy ------------------------------------------------------------------------

// The chance that random signs give at least this sum, by the normal approximation.
inline double sign_test_tail(double sum, double squares) {
    return squares > 0 ? 0.5 * std::erfc(sum / std::sqrt(2 * squares)) : 0.5;
}

// Scores of systems on segments, with room to work out how much any two systems differ.
class SystemRows {
public:
    // Rows are padded with zeros to whole vectors.
    SystemRows(std::size_t systems, std::size_t segments)
        : systems_(systems), stride_((segments + 1) / 2), cells_(systems * stride_),
          sums_(systems), products_(systems * systems) {}

    double* row(std::size_t system) { return reinterpret_cast<double*>(&cells_[system * stride_]); }

    // Sums of every row and of the products of every two, once all rows are filled.
    void measure() {
        for (std::size_t i = 0; i < systems_; ++i) {
            const Two* row = &cells_[i * stride_];
            Two sum{};
            for (std::size_t l = 0; l < stride_; ++l) sum += row[l];
            sums_[i] = sum[0] + sum[1];
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

    // Row i with up to four rows from j on: a row read once serves four products.
    void multiply(std::size_t i, std::size_t j) {
        const std::size_t here = systems_ - j < 4 ? systems_ - j : 4;
        const Two* one = &cells_[i * stride_];
        const Two* others[4];
        for (std::size_t k = 0; k < 4; ++k) others[k] = &cells_[(j + (k < here ? k : 0)) * stride_];
        Two a{}, b{}, c{}, d{};
        for (std::size_t l = 0; l < stride_; ++l) {
            a += one[l] * others[0][l], b += one[l] * others[1][l];
            c += one[l] * others[2][l], d += one[l] * others[3][l];
        }
        const Two found[4] = {a, b, c, d};
        for (std::size_t k = 0; k < here; ++k) {
            products_[i * systems_ + j + k] = found[k][0] + found[k][1];
        }
    }

    std::size_t systems_, stride_;
    std::vector<Two> cells_;
    std::vector<double> sums_, products_;
};

// The same where scores are missing (nan), each pair on the segments that both have.
inline void common_differences(const double* a, const double* b, std::size_t segments, double& sum,
                               double& square) {
    sum = square = 0;
    for (std::size_t l = 0; l < segments; ++l) {
        const double d = a[l] - b[l];
        if (d == d) sum += d, square += d * d;
    }
}

// Tables of two metrics, (systems, segments), that exchange cells.
struct ExchangedTables {
    const double *first, *second;
    std::size_t systems, segments;

    bool has_missing() const {
        for (std::size_t c = 0; c < systems * segments; ++c) {
            if (std::isnan(first[c]) || std::isnan(second[c])) return true;
        }
        return false;
    }

    // Fills the rows of one mixture: where a coin equals `keep`, the score of the first metric.
    void mix(const std::uint8_t* coins, std::uint8_t keep, SystemRows& rows) const {
        const double* both[2] = {second, first};
        for (std::size_t s = 0, c = 0; s < systems; ++s) {
            double* row = rows.row(s);
            for (std::size_t l = 0; l < segments; ++l, ++c) row[l] = both[coins[c] == keep][c];
        }
    }
};

// SPA of a mixture; gold[pair] are the p-values of the gold scores of systems i < j, and a nan there
// leaves the pair out.
inline double soft_accuracy(const double* gold, const ExchangedTables& tables, bool has_missing,
                            SystemRows& rows) {
    if (!has_missing) rows.measure();
    double error = 0;
    std::size_t counted = 0;
    for (std::size_t i = 0; i < tables.systems; ++i) {
        for (std::size_t j = i + 1; j < tables.systems; ++j, ++gold) {
            if (std::isnan(*gold)) continue;
            double sum, square;
            if (has_missing) {
                common_differences(rows.row(i), rows.row(j), tables.segments, sum, square);
            } else {
                sum = rows.difference(i, j), square = rows.squared_difference(i, j);
            }
            error += std::fabs(*gold - sign_test_tail(sum, square));
            ++counted;
        }
    }
    return 1 - error / static_cast<double>(counted);
}

// SPA of both mixtures in every draw.
inline void exchanged_soft_accuracy(const double* gold, const ExchangedTables& tables,
                                    const std::uint8_t* coins, std::size_t draws,
                                    std::size_t threads, double* out) {
    const bool has_missing = tables.has_missing();
    const std::size_t cells = tables.systems * tables.segments;
    parallel_chunks(threads, draws, 1, [&](std::size_t begin, std::size_t end) {
        SystemRows rows(tables.systems, tables.segments);
        for (std::size_t d = begin; d < end; ++d) {
            for (std::uint8_t side = 0; side < 2; ++side) {
                tables.mix(coins + d * cells, 1 - side, rows);
                out[2 * d + side] = soft_accuracy(gold, tables, has_missing, rows);
            }
        }
    });
}

}  // namespace rankwise
