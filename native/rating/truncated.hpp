// The mean and variance of a normal variable of which an interval is known, without loss of digits.
#pragma once

#include <algorithm>
#include <cmath>

namespace rankwise {

// X ~ N(t, 1) and X is known to lie in an interval: its mean is t + shift, its variance 1 - lost.
// `kept` is the variance itself, exact where it is tiny; the papers call shift v and lost w.
struct Truncated {
    double shift, lost, kept;
};

namespace truncated_detail {

inline constexpr double kRootHalf = 0.70710678118654752440;
inline constexpr double kInverseRootTwoPi = 0.39894228040143267794;

inline double density(double x) { return kInverseRootTwoPi * std::exp(-0.5 * x * x); }

// The tail of N(0, 1) above z: the hazard density(z) / P(X > z), which is its mean, how far that is
// beyond z, and its variance.
struct Tail {
    double hazard, beyond, variance;
};

// Far out the hazard is the continued fraction z + 1/(z + 2/(z + 3/(z + ...))), whose parts are
// what remains after the cancellations in hazard - z and 1 - hazard (hazard - z).
inline Tail far_tail(double z) {
    int depth = z > 50 ? 8 : z > 12 ? 20 : 60;
    double rest = z;
    for (; depth > 2; --depth) rest = z + depth / rest;
    const double two = 2 / rest, beyond = 1 / (z + two);
    return {z + beyond, beyond, beyond * (two - beyond)};
}

// The hazard between -4 and 5 from power series around nodes a sixteenth apart. With t = z - node,
// h' = h (h - z) gives each coefficient of those before it; the next one would add less than 1e-15
// of the whole. This takes a third of the time of exp and erfc, and loses fewer digits.
class HazardSeries {
public:
    static constexpr double kLeast = -4, kMost = 5;

    HazardSeries() noexcept {
        for (int number = 0; number < kNodeCount; ++number) expand(number);
    }

    double at(double z) const {
        // Never below 0. NOLINTNEXTLINE(bugprone-incorrect-roundings)
        const int number = static_cast<int>((z - kLeast) * kPerOne + 0.5);
        const double* const c = coefficients_[number];
        const double t = z - node(number), t2 = t * t, t4 = t2 * t2;
        const double low = (c[0] + c[1] * t) + (c[2] + c[3] * t) * t2;
        const double high = (c[4] + c[5] * t) + (c[6] + c[7] * t) * t2;
        return low + (high + (c[8] + c[9] * t) * t4) * t4;
    }

private:
    static constexpr int kPerOne = 16, kTerms = 10;
    static constexpr int kNodeCount = static_cast<int>(kMost - kLeast) * kPerOne + 1;

    static double node(int number) { return kLeast + static_cast<double>(number) / kPerOne; }

    void expand(int number) {
        const auto a = static_cast<long double>(node(number));
        const long double root_half = std::sqrt(0.5L), half_root_pi = std::sqrt(std::atan(1.0L));
        long double c[kTerms];
        // density(a) / P(X > a), where density is exp(-a^2 / 2) / sqrt(2 pi)
        c[0] = std::exp(-0.5L * a * a) * root_half / half_root_pi / std::erfc(a * root_half);
        for (int k = 0; k + 1 < kTerms; ++k) {
            long double sum = -a * c[k] - (k > 0 ? c[k - 1] : 0);
            for (int i = 0; i <= k; ++i) sum += c[i] * c[k - i];
            c[k + 1] = sum / static_cast<long double>(k + 1);
        }
        for (int k = 0; k < kTerms; ++k) coefficients_[number][k] = static_cast<double>(c[k]);
    }

    double coefficients_[kNodeCount][kTerms];
};

inline const HazardSeries kHazards;

inline Tail tail(double z) {
    if (z > HazardSeries::kMost) return far_tail(z);
    const double hazard =
        z >= HazardSeries::kLeast ? kHazards.at(z) : density(z) / (0.5 * std::erfc(z * kRootHalf));
    const double beyond = hazard - z;
    return {hazard, beyond, 1 - hazard * beyond};
}

// Nodes and weights of Gauss and Legendre, 16 points; the negative half mirrors these.
inline constexpr double kNodes[8] = {0.09501250983763744, 0.2816035507792589, 0.45801677765722737,
                                     0.6178762444026438,  0.755404408355003,  0.8656312023878318,
                                     0.9445750230732326,  0.9894009349916499};
inline constexpr double kWeights[8] = {
    0.18945061045506864, 0.18260341504492364, 0.16915651939500265,  0.1495959888165767,
    0.12462897125553407, 0.0951585116824926,  0.062253523938647456, 0.027152459411754176};

// Narrow intervals by quadrature: X = margin * s with density ~ exp(k s - margin^2 s^2 / 2).
inline Truncated narrow(double distance, double margin) {
    const double k = distance * margin;
    double mass = 0, first = 0, second = 0;
    for (int i = 0; i < 8; ++i) {
        const double s = kNodes[i], g = kWeights[i] * std::exp(-0.5 * margin * margin * s * s);
        const double up = std::exp(k * s), down = 1 / up;
        mass += g * (up + down);
        first += g * s * (up - down);
        second += g * s * s * (up + down);
    }
    const double mean = first / mass, kept = margin * margin * (second / mass - mean * mean);
    return {margin * mean - distance, 1 - kept, kept};
}

// An interval on one side of the mean: the tail above its near end less the tail above its far end.
inline Truncated one_side(double distance, double margin) {
    const double near = distance - margin, width = 2 * margin;
    const Tail inner = tail(near), outer = tail(distance + margin);
    const double share = std::exp(-2 * margin * distance) * inner.hazard / outer.hazard;
    const double far = width + outer.beyond;
    const double mean = (inner.beyond - share * far) / (1 - share);
    const double square =
        (inner.variance + inner.beyond * inner.beyond - share * (outer.variance + far * far)) /
        (1 - share);
    const double kept = square - mean * mean;
    return {-near - mean, 1 - kept, kept};
}

// An interval around the mean, or near it, that is not narrow: the formulas as they are printed.
inline Truncated both_sides(double distance, double margin) {
    const double near = margin - distance, far = margin + distance;
    const double mass = 0.5 * (std::erf(near * kRootHalf) + std::erf(far * kRootHalf));
    const double scale = density(near) / mass, less = std::expm1(-2 * margin * distance);
    const double shift = scale * less;
    const double lost = shift * shift + scale * (near + far * (1 + less));
    return {shift, lost, 1 - lost};
}

}  // namespace truncated_detail

// X ~ N(t, 1) is greater than the margin: player one won. Certain wins teach nothing; in huge
// upsets, where Phi(t - margin) has underflowed, shift goes to margin - t and lost to 1.
inline Truncated won(double t, double margin) {
    const auto above = truncated_detail::tail(margin - t);
    return {above.hazard, above.hazard * above.beyond, above.variance};
}

// |X| <= margin, for X ~ N(t, 1): a tie. With margin 0 the variable is known to be 0.
inline Truncated tied(double t, double margin) {
    using namespace truncated_detail;
    const double distance = std::fabs(t);
    if (margin <= 0) return {-t, 1, 0};
    // Each formula where it keeps its digits: the printed one wherever the interval is neither
    // narrow nor far out.
    const double far_out = std::max(margin, 1.5);
    const bool is_narrow = margin < 0.1 || distance > far_out;
    Truncated result;
    if (is_narrow && distance * margin < 1) {
        result = narrow(distance, margin);
    } else {
        result = distance <= far_out ? both_sides(distance, margin) : one_side(distance, margin);
    }
    if (t < 0) result.shift = -result.shift;
    return result;
}

}  // namespace rankwise
