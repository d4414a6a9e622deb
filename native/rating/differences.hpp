// Joint beliefs about many numbers of which mostly differences are known.
#pragma once

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

    // The inverse by Gauss and Jordan in place; no pivots are needed.
    std::vector<double> inverse() && {
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
        return std::move(cells_);
    }

private:
    double& at(std::size_t i, std::size_t j) { return cells_[i * size_ + j]; }

    std::size_t size_;
    std::vector<double> cells_;
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
