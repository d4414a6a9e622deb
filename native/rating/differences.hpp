// Joint beliefs about many numbers of which mostly differences are known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace rankwise {

// A precision matrix: independent priors, and what is known about differences.
class DifferencePrecision {
public:
    DifferencePrecision(std::size_t size, double diagonal) : size_(size), cells_(size * size, 0) {
        for (std::size_t i = 0; i < size; ++i) at(i, i) = diagonal;
    }

    // Adds times * (e_i - e_j) (e_i - e_j)^T: what is known about the difference of i and j.
    void add_difference(std::size_t i, std::size_t j, double times) {
        at(i, i) += times, at(j, j) += times, at(i, j) -= times, at(j, i) -= times;
    }

    // The inverse; no pivots are needed.
    std::vector<double> inverse() && {
        if (size_ < kMany) {
            eliminate();
        } else {
            sweep();
        }
        return std::move(cells_);
    }

private:
    static constexpr std::size_t kMany = 128, kBlock = 64, kTile = 4;

    double& at(std::size_t i, std::size_t j) { return cells_[i * size_ + j]; }

    // Gauss and Jordan in place.
    void eliminate() {
        for (std::size_t k = 0; k < size_; ++k) {
            const double pivot = 1 / at(k, k);
            at(k, k) = 1;
            for (std::size_t j = 0; j < size_; ++j) at(k, j) *= pivot;
            for (std::size_t i = 0; i < size_; ++i) {
                if (i == k) continue;
                const double factor = at(i, k);
                at(i, k) = 0;
                for (std::size_t j = 0; j < size_; ++j) at(i, j) -= factor * at(k, j);
            }
        }
    }

    // The same by blocks that fit into the cache, on the lower half of what stays symmetric: a
    // block K becomes -inv(A_KK), rows beside it H = A_iK inv(A_KK), all else A_ij - H A_Kj; when
    // every block has had its turn, that is -1 times the inverse (Goodnight's sweep).
    void sweep() {
        for (std::size_t begin = 0; begin < size_; begin += kBlock) {
            sweep_block(begin, std::min(kBlock, size_ - begin));
        }
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t j = 0; j <= i; ++j) at(j, i) = at(i, j) = -at(i, j);
        }
    }

    void sweep_block(std::size_t begin, std::size_t width) {
        DifferencePrecision pivot(width, 0);
        columns_.assign(width * size_, 0), products_.assign(size_ * width, 0);
        for (std::size_t k = 0; k < width; ++k) {
            for (std::size_t i = 0; i < size_; ++i) {
                columns_[k * size_ + i] = i >= begin + k ? at(i, begin + k) : at(begin + k, i);
            }
            for (std::size_t l = 0; l < width; ++l) {
                pivot.at(k, l) = columns_[k * size_ + begin + l];
            }
        }
        pivot.eliminate();
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t l = 0; l < width; ++l) {
                const double column = columns_[l * size_ + i];
                for (std::size_t k = 0; k < width; ++k) {
                    products_[i * width + k] += column * pivot.at(l, k);
                }
            }
        }
        for (std::size_t i = 0; i < size_; i += kTile) {
            for (std::size_t j = 0; j < i + kTile && j < size_; j += kTile) {
                subtract_tile(i, j, width);
            }
        }
        for (std::size_t k = 0; k < width; ++k) {
            for (std::size_t i = 0; i < size_; ++i) {
                (i >= begin + k ? at(i, begin + k) : at(begin + k, i)) = products_[i * width + k];
            }
        }
        for (std::size_t k = 0; k < width; ++k) {
            for (std::size_t l = 0; l <= k; ++l) at(begin + k, begin + l) = -pivot.at(k, l);
        }
    }

    // Takes the product of some rows and some columns from the cells where they meet.
    void subtract_tile(std::size_t row, std::size_t column, std::size_t width) {
        if (row + kTile > size_ || column + kTile > size_) {
            for (std::size_t i = row; i < std::min(row + kTile, size_); ++i) {
                for (std::size_t j = column; j < std::min(column + kTile, size_); ++j) {
                    double sum = 0;
                    for (std::size_t k = 0; k < width; ++k) {
                        sum += products_[i * width + k] * columns_[k * size_ + j];
                    }
                    at(i, j) -= sum;
                }
            }
            return;
        }
        double sums[kTile][kTile] = {};
        for (std::size_t k = 0; k < width; ++k) {
            const double* const right = &columns_[k * size_ + column];
            for (std::size_t i = 0; i < kTile; ++i) {
                const double left = products_[(row + i) * width + k];
                for (std::size_t j = 0; j < kTile; ++j) sums[i][j] += left * right[j];
            }
        }
        for (std::size_t i = 0; i < kTile; ++i) {
            for (std::size_t j = 0; j < kTile; ++j) at(row + i, column + j) -= sums[i][j];
        }
    }

    std::size_t size_;
    std::vector<double> cells_, columns_, products_;
};

// Variances around the mean of all: where all stand together is not known.
inline std::vector<double> centred_variances(const std::vector<double>& covariance,
                                             std::size_t size) {
    const auto n = static_cast<double>(size);
    std::vector<double> row_means(size, 0), result(size);
    double grand_mean = 0;
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) row_means[i] += covariance[i * size + j] / n;
        grand_mean += row_means[i] / n;
    }
    for (std::size_t i = 0; i < size; ++i) {
        result[i] = covariance[i * size + i] - 2 * row_means[i] + grand_mean;
    }
    return result;
}

// Numbers from 0 for those that play; `count` becomes how many they are.
inline std::vector<std::size_t> playing_numbers(const std::vector<char>& plays,
                                                std::size_t& count) {
    std::vector<std::size_t> numbers(plays.size(), 0);
    count = 0;
    for (std::size_t s = 0; s < plays.size(); ++s) {
        numbers[s] = count;
        count += static_cast<std::size_t>(plays[s]);
    }
    return numbers;
}

}  // namespace rankwise
