// The most likely strengths of systems that were compared (Bradley and Terry), with a parameter for
// ties: Newton's method over the pairs that met.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "rating/met_pairs.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

enum class TieModel { davidson, rao_kupper };

// The pairs that met in a run, one after the other.
struct RunPairs {
    std::size_t systems = 0;
    std::vector<std::uint32_t> left, right;
    std::vector<double> wins, losses, ties;

    void take(const MetPairs& pairs, const PairResults& results) {
        systems = pairs.systems;
        left.clear(), right.clear(), wins.clear(), losses.clear(), ties.clear();
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            if (!results.met(p)) continue;
            left.push_back(static_cast<std::uint32_t>(pairs.left[p]));
            right.push_back(static_cast<std::uint32_t>(pairs.right[p]));
            wins.push_back(results.wins[p]);
            losses.push_back(results.losses[p]);
            ties.push_back(results.ties[p]);
        }
    }

    std::size_t size() const { return left.size(); }
    double games(std::size_t p) const { return wins[p] + losses[p] + ties[p]; }
};

// Slopes of a log-likelihood, and its bends, -1 times the second derivatives: the matrix couples
// two systems by -weights[p] and each with the parameter of ties by `mixed`.
struct Derivatives {
    std::vector<double> slopes, diagonal, mixed, weights;
    double tie_slope = 0, tie_bend = 1;

    void clear(std::size_t systems, std::size_t pairs) {
        slopes.assign(systems, 0), diagonal.assign(systems, 0), mixed.assign(systems, 0);
        weights.assign(pairs, 0);
        tie_slope = tie_bend = 0;
    }
};

// A run's results under a model of ties: the log-likelihood that strengths.py writes down. A point
// is the strengths of all systems and the parameter of ties after them.
class StrengthLikelihood {
public:
    StrengthLikelihood(const RunPairs& pairs, TieModel model) : pairs_(pairs), model_(model) {
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            decided_ += pairs.wins[p] + pairs.losses[p];
            tied_ += pairs.ties[p];
        }
    }

    // A given point, its strengths made to sum to 0; without one, all systems equally strong, and
    // the observed share of ties.
    std::vector<double> start(std::span<const double> given) const {
        std::vector<double> point = equal_start();
        if (given.empty()) return point;
        const auto strengths = given.first(pairs_.systems);
        const double sum = std::accumulate(strengths.begin(), strengths.end(), 0.0);
        const double mean = sum / static_cast<double>(pairs_.systems);
        std::ranges::transform(strengths, point.begin(), [mean](double s) { return s - mean; });
        if (tied_ > 0 && is_inside(given)) point.back() = given.back();
        return point;
    }

    std::vector<double> equal_start() const {
        std::vector<double> point(pairs_.systems + 1, 0);
        if (tied_ > 0 && model_ == TieModel::davidson) {
            point.back() = std::log(2 * tied_ / std::max(decided_, 1e-300));
        } else if (tied_ > 0) {
            point.back() = std::log((decided_ + 2 * tied_) / std::max(decided_, 1e-300));
        }
        return point;
    }

    bool is_inside(std::span<const double> point) const {
        return tied_ == 0 || model_ == TieModel::davidson || point.back() > 0;
    }

    void derivatives(std::span<const double> point, Derivatives& found) const {
        found.clear(pairs_.systems, pairs_.size());
        if (model_ == TieModel::davidson) {
            davidson(point, found);
        } else {
            rao_kupper(point, found);
        }
        if (tied_ > 0) return;
        std::ranges::fill(found.mixed, 0.0);
        found.tie_slope = 0, found.tie_bend = 1;
    }

private:
    // What a pair adds: its slope for the left system, its weight, its bend with the parameter.
    void add(std::size_t p, double slope, double weight, double mixed, Derivatives& found) const {
        const std::size_t i = pairs_.left[p], j = pairs_.right[p];
        found.slopes[i] += slope, found.slopes[j] -= slope;
        found.diagonal[i] += weight, found.diagonal[j] += weight;
        found.mixed[i] += mixed, found.mixed[j] -= mixed;
        found.weights[p] = weight;
    }

    void davidson(std::span<const double> point, Derivatives& found) const {
        const double log_nu = point.back();
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            const double games = pairs_.games(p);
            const double difference = point[pairs_.left[p]] - point[pairs_.right[p]];
            const double gap = std::fabs(difference);
            // Chances relative to the stronger one's; the weights below are symmetric in the two.
            const double low = std::exp(-gap), tie = tied_ > 0 ? std::exp(log_nu - 0.5 * gap) : 0;
            const double total = 1 / (1 + low + tie);
            const double tied = tie * total, won = difference > 0 ? total : low * total;
            const double share = won + 0.5 * tied;  // a tie as half a win
            add(p, pairs_.wins[p] + 0.5 * pairs_.ties[p] - games * share,
                games * (won + 0.25 * tied - share * share), games * tied * (0.5 - share), found);
            found.tie_slope += pairs_.ties[p] - games * tied;
            found.tie_bend += games * tied * (1 - tied);
        }
    }

    void rao_kupper(std::span<const double> point, Derivatives& found) const {
        const double threshold = point.back();
        const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            const double difference = point[pairs_.left[p]] - point[pairs_.right[p]];
            const double left = logistic(difference - threshold);
            const double right = logistic(-difference - threshold);
            const double left_short = (pairs_.wins[p] + pairs_.ties[p]) * (1 - left);
            const double right_short = (pairs_.losses[p] + pairs_.ties[p]) * (1 - right);
            const double left_bend = left_short * left, right_bend = right_short * right;
            add(p, left_short - right_short, left_bend + right_bend, right_bend - left_bend, found);
            found.tie_slope -= left_short + right_short;
            found.tie_bend += left_bend + right_bend;
        }
        if (tied_ == 0) return;
        const double shrink = -std::expm1(-2 * threshold);
        found.tie_slope += 2 * tied_ / shrink;
        found.tie_bend += tied_ * 4 * (1 - shrink) / (shrink * shrink);
    }

    const RunPairs& pairs_;
    TieModel model_;
    double decided_ = 0, tied_ = 0;
};

// Solves the equations of a Newton step; strengths of a step sum to 0.
class StepSolver {
public:
    explicit StepSolver(const RunPairs& pairs) : pairs_(pairs) {}

    // The step, to within `tolerance` of the slopes where systems are many.
    const std::vector<double>& solve(const Derivatives& given, double tolerance) {
        if (pairs_.systems <= kFew || !by_gradients(given, tolerance)) by_elimination(given);
        return step_;
    }

private:
    static constexpr std::size_t kFew = 96;

    // Cholesky's factors of the whole matrix, with a weight on the sum of strengths, which the
    // results say nothing about.
    void by_elimination(const Derivatives& given) {
        const std::size_t systems = pairs_.systems, size = systems + 1;
        matrix_.assign(size * size, 0);
        double trace = given.tie_bend;
        for (const double bend : given.diagonal) trace += bend;
        const auto count = static_cast<double>(systems);
        const double anchor = trace / (count * count);
        for (std::size_t i = 0; i < systems; ++i) {
            for (std::size_t j = 0; j <= i; ++j) matrix_[i * size + j] = anchor;
            matrix_[i * size + i] += given.diagonal[i];
            matrix_[systems * size + i] = given.mixed[i];
        }
        matrix_.back() = given.tie_bend;
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            const std::size_t i = pairs_.left[p], j = pairs_.right[p];
            matrix_[std::max(i, j) * size + std::min(i, j)] -= given.weights[p];
        }
        for (std::size_t i = 0; i < size; ++i) {
            const std::span<double> row = std::span(matrix_).subspan(i * size, size);
            for (std::size_t j = 0; j <= i; ++j) {
                const std::span<double> other = std::span(matrix_).subspan(j * size, size);
                double left = row[j];
                for (std::size_t k = 0; k < j; ++k) left -= row[k] * other[k];
                row[j] = j < i ? left / other[j] : std::sqrt(left);
            }
        }
        step_ = given.slopes;
        step_.push_back(given.tie_slope);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t k = 0; k < i; ++k) step_[i] -= matrix_[i * size + k] * step_[k];
            step_[i] /= matrix_[i * size + i];
        }
        for (std::size_t i = size; i-- > 0;) {
            step_[i] /= matrix_[i * size + i];
            for (std::size_t k = 0; k < i; ++k) step_[k] -= matrix_[i * size + k] * step_[i];
        }
    }

    // Conjugate gradients, scaled by the diagonal; false if they do not get there.
    bool by_gradients(const Derivatives& given, double tolerance) {
        const std::size_t systems = pairs_.systems, size = systems + 1;
        const auto scaled = [&](std::size_t i) {
            return residual_[i] / (i < systems ? given.diagonal[i] : given.tie_bend);
        };
        const auto inner = [&](const std::vector<double>& one) {
            double sum = 0;
            for (std::size_t i = 0; i < size; ++i) sum += one[i] * residual_[i];
            return sum;
        };
        step_.assign(size, 0), image_.assign(size, 0), preconditioned_.resize(size);
        residual_ = given.slopes;
        centre(residual_);  // what rounding left of their sum has no image
        residual_.push_back(given.tie_slope);
        for (std::size_t i = 0; i < size; ++i) preconditioned_[i] = scaled(i);
        direction_ = preconditioned_;
        double energy = inner(preconditioned_);
        const double enough = energy * tolerance * tolerance;
        for (std::size_t round = 0; energy > enough; ++round) {
            if (round > 2 * systems || !std::isfinite(energy)) return false;
            multiply(given);
            double bend = 0;
            for (std::size_t i = 0; i < size; ++i) bend += direction_[i] * image_[i];
            const double length = energy / bend;
            for (std::size_t i = 0; i < size; ++i) {
                step_[i] += length * direction_[i];
                residual_[i] -= length * image_[i];
                preconditioned_[i] = scaled(i);
            }
            const double before = energy;
            energy = inner(preconditioned_);
            const double share = energy / before;
            for (std::size_t i = 0; i < size; ++i) {
                direction_[i] = preconditioned_[i] + share * direction_[i];
            }
        }
        centre(std::span(step_).first(systems));
        return true;
    }

    static void centre(std::span<double> values) {
        double sum = 0;
        for (const double value : values) sum += value;
        for (double& value : values) value -= sum / static_cast<double>(values.size());
    }

    // The image of the direction under the matrix of bends.
    void multiply(const Derivatives& given) {
        const std::size_t systems = pairs_.systems;
        double last = given.tie_bend * direction_[systems];
        for (std::size_t s = 0; s < systems; ++s) {
            image_[s] = given.diagonal[s] * direction_[s] + given.mixed[s] * direction_[systems];
            last += given.mixed[s] * direction_[s];
        }
        image_[systems] = last;
        for (std::size_t p = 0; p < pairs_.size();) {  // sums of a left system stay at hand
            const std::uint32_t left = pairs_.left[p];
            const double of_left = direction_[left];
            double sum = 0;
            for (; p < pairs_.size() && pairs_.left[p] == left; ++p) {
                sum += given.weights[p] * direction_[pairs_.right[p]];
                image_[pairs_.right[p]] -= given.weights[p] * of_left;
            }
            image_[left] -= sum;
        }
    }

    const RunPairs& pairs_;
    std::vector<double> step_, matrix_, residual_, preconditioned_, direction_, image_;
};

// Finds the maximum, which must exist, from a given start or the one that the likelihood names.
// Steps that go far beyond the highest point of their line are halved.
class StrengthFinder {
public:
    explicit StrengthFinder(const RunPairs& pairs) : solver_(pairs) {}

    // The point, or false if it was not found.
    bool find(const StrengthLikelihood& likelihood, std::span<const double> start,
              std::vector<double>& point) {
        point = likelihood.start(start);
        likelihood.derivatives(point, here_);
        double first = 0;
        for (int round = 0; round < 200; ++round) {
            const double steepness = largest(here_);
            if (round == 0) first = steepness;
            const double tolerance = std::clamp(steepness / first, 1e-6, 1e-2);
            step_ = solver_.solve(here_, tolerance);
            double longest = 0;
            for (const double change : step_) longest = std::max(longest, std::fabs(change));
            if (!std::isfinite(longest)) return false;
            const bool is_last = longest < kClose;
            climb(likelihood, point, is_last);
            if (is_last) return true;
        }
        return false;
    }

private:
    static constexpr double kClose = 1e-9;  // the next step would be about the square of this

    static double largest(const Derivatives& found) {
        double most = std::fabs(found.tie_slope);
        for (const double slope : found.slopes) most = std::max(most, std::fabs(slope));
        return std::max(most, 1e-300);
    }

    static double along(const Derivatives& found, const std::vector<double>& step) {
        double sum = found.tie_slope * step.back();
        for (std::size_t s = 0; s < found.slopes.size(); ++s) sum += found.slopes[s] * step[s];
        return sum;
    }

    void climb(const StrengthLikelihood& likelihood, std::vector<double>& point, bool is_last) {
        const double rise = along(here_, step_);
        double size = 2;
        for (int halvings = 0; halvings < 60; ++halvings) {
            size /= 2;
            end_ = point;
            for (std::size_t i = 0; i < end_.size(); ++i) end_[i] += size * step_[i];
            if (!likelihood.is_inside(end_)) continue;
            if (is_last) break;
            likelihood.derivatives(end_, here_);
            if (along(here_, step_) >= -0.5 * rise) break;
        }
        std::swap(point, end_);
    }

    StepSolver solver_;
    Derivatives here_;
    std::vector<double> step_, end_;
};

// The most likely points of runs, a row of S + 1 each; how many were not found. `start` is a point
// near them, or empty.
inline std::size_t find_strengths(const MetPairs& pairs, const PairRows& rows, std::size_t runs,
                                  TieModel model, std::span<const double> start,
                                  std::size_t threads, std::span<double> points) {
    std::atomic<std::size_t> missed{0};
    parallel_chunks(threads, runs, 1, [&](std::size_t begin, std::size_t end) {
        RunPairs of_run;
        StrengthFinder finder(of_run);
        std::vector<double> point;
        for (std::size_t run = begin; run < end; ++run) {
            of_run.take(pairs, rows.of_run(run));
            const StrengthLikelihood likelihood(of_run, model);
            missed += !(finder.find(likelihood, start, point) ||
                        (!start.empty() && finder.find(likelihood, {}, point)));
            std::ranges::copy(
                point, points.begin() + static_cast<std::ptrdiff_t>(run * (pairs.systems + 1)));
        }
    });
    return missed;
}

}  // namespace rankwise
