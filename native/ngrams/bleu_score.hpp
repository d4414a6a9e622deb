// The score of BLEU from its precisions, in the order and with the functions of sacreBLEU 2.6.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace rankwise {

// How Python's sum() adds floats: one after the other up to 3.11, since 3.12 with what rounding
// took away from each step added at the end (Neumaier 1974).
enum class Summation { plain, compensated };

// Python's sum(map(math.log, values)).
inline double sum_of_logarithms(std::span<const double> values, Summation how) {
    double sum = 0, lost = 0;
    for (const double value : values) {
        const double term = std::log(value), next = sum + term;
        lost += std::fabs(sum) >= std::fabs(term) ? (sum - next) + term : (term - next) + sum;
        sum = next;
    }
    return how == Summation::compensated ? sum + lost : sum;
}

// The factor for a hypothesis shorter than its reference.
inline double brevity_penalty(double hypothesis_length, double reference_length) {
    if (hypothesis_length >= reference_length) return 1;
    return hypothesis_length > 0 ? std::exp(1 - reference_length / hypothesis_length) : 0;
}

// The geometric mean of precisions in percent, times the penalty; 0 if there are none, or if one is
// 0. sacreBLEU takes -9999999999 for the logarithm of 0, whose exponential is 0 too.
inline double bleu_score(double hypothesis_length, double reference_length,
                         std::span<const double> percents, Summation how) {
    if (percents.empty() || std::ranges::find(percents, 0.0) != percents.end()) return 0;
    const double mean = sum_of_logarithms(percents, how) / static_cast<double>(percents.size());
    return brevity_penalty(hypothesis_length, reference_length) * std::exp(mean);
}

}  // namespace rankwise
