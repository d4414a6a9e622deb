// The sampler of Hopkins and May's model, as Sakaguchi, Post and Van Durme (2014) describe it, and
// as their code carries it out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "rating/matches.hpp"
#include "rating/outcome_kinds.hpp"
#include "rating/truncated.hpp"
#include "sampling/random.hpp"
#include "threads/chunks.hpp"

namespace rankwise {

// Standard normal numbers by Marsaglia's polar method, two at a time.
class Normals {
public:
    explicit Normals(Pcg64 random) : random_(random) {}

    double next() {
        if (has_spare_) {
            has_spare_ = false;
            return spare_;
        }
        for (;;) {
            const double x = 2 * random_.uniform() - 1, y = 2 * random_.uniform() - 1;
            const double square = x * x + y * y;
            if (square >= 1 || square == 0) continue;
            const double scale = std::sqrt(-2 * std::log(square) / square);
            spare_ = y * scale;
            has_spare_ = true;
            return x * scale;
        }
    }

    std::uint32_t below(std::uint32_t size) { return random_.below(size); }

private:
    Pcg64 random_;
    double spare_ = 0;
    bool has_spare_ = false;
};

// Qualities scatter around a system's mean with `deviation`; two within `radius` are a tie.
struct QualityModel {
    double deviation, radius;
    std::size_t iterations, burn_in;

    // The difference of two qualities, made to respect the judgment.
    double respecting(double difference, bool is_tie) const {
        return is_tie ? std::clamp(difference, -radius, radius) : std::max(difference, radius);
    }

    // Mean and variance of that, for a difference from N(mean, spread^2): with what lies below
    // `low` moved there, and for a tie also with what lies above the radius.
    Skill moments(double mean, double spread, bool is_tie) const {
        using namespace truncated_detail;
        const double low = is_tie ? -radius : radius, a = (low - mean) / spread;
        const double below = 0.5 * std::erfc(-a * kRootHalf), at_low = density(a);
        double inside = 1 - below, above = 0, first = at_low, second = (mean + low) * at_low;
        if (is_tie) {
            const double b = (radius - mean) / spread, at_high = density(b);
            above = 0.5 * std::erfc(b * kRootHalf);
            inside -= above;
            first -= at_high;
            second -= (mean + radius) * at_high;
        }
        const double average = low * below + radius * above + mean * inside + spread * first;
        const double square = low * low * below + radius * radius * above +
                              (mean * mean + spread * spread) * inside + spread * second;
        return {average, std::max(0.0, square - average * average)};
    }
};

// A sum of more numbers than this is drawn at once, from the normal distribution it nearly has.
inline constexpr std::int64_t kMany = 64;

inline void centre(std::vector<double>& means, const std::vector<char>& plays) {
    double sum = 0, count = 0;
    for (std::size_t s = 0; s < means.size(); ++s) {
        if (plays[s]) sum += means[s], count += 1;
    }
    for (double& mean : means) mean -= sum / count;
}

// Drawn from N(0, 1) and centred.
inline std::vector<double> first_means(const std::vector<char>& plays, Normals& normals) {
    std::vector<double> means(plays.size());
    for (double& mean : means) mean = normals.next();
    centre(means, plays);
    return means;
}

// All judgments in every iteration. Qualities are drawn as sums and differences, which are
// independent: the sum of all sums is one normal number; so, nearly, is that of many differences.
class CountSampler {
public:
    CountSampler(const OutcomeKinds& kinds, std::span<const std::int64_t> counts,
                 std::size_t systems)
        : judgments_(systems, 0), plays_(systems, 0) {
        kinds.each(counts, [&](std::size_t i, std::size_t j, bool is_tie, std::int64_t times) {
            outcomes_.push_back({i, j, is_tie, times});
            judgments_[i] += static_cast<double>(times);
            judgments_[j] += static_cast<double>(times);
            plays_[i] = plays_[j] = 1;
        });
    }

    const std::vector<char>& plays() const { return plays_; }

    // Means over the iterations after burn-in, and how much they scatter.
    std::vector<Skill> run(const QualityModel& model, Normals& normals) const {
        std::vector<double> means = first_means(plays_, normals);
        std::vector<Skill> sums(means.size(), Skill{0, 0});
        for (std::size_t iteration = 0; iteration < model.iterations; ++iteration) {
            means = next_means(means, model, normals);
            if (iteration < model.burn_in) continue;
            const auto kept = static_cast<double>(iteration - model.burn_in + 1);
            for (std::size_t s = 0; s < means.size(); ++s) {  // Welford's running moments
                const double before = means[s] - sums[s].mean;
                sums[s].mean += before / kept;
                sums[s].variance += before * (means[s] - sums[s].mean);
            }
        }
        const auto kept = static_cast<double>(model.iterations - model.burn_in);
        for (Skill& sum : sums) sum.variance /= kept - 1;
        return sums;
    }

private:
    struct Outcome {
        std::size_t one, two;
        bool is_tie;
        std::int64_t times;
    };

    std::vector<double> next_means(const std::vector<double>& means, const QualityModel& model,
                                   Normals& normals) const {
        std::vector<double> sums(means.size(), 0);
        const double deviation = std::sqrt(2.0) * model.deviation;
        for (const Outcome& outcome : outcomes_) {
            const auto times = static_cast<double>(outcome.times);
            const double both = times * (means[outcome.one] + means[outcome.two]) +
                                std::sqrt(times) * deviation * normals.next();
            const double expected = means[outcome.one] - means[outcome.two];
            double differences = 0;
            if (outcome.times > kMany) {
                const Skill one = model.moments(expected, deviation, outcome.is_tie);
                differences = times * one.mean + std::sqrt(times * one.variance) * normals.next();
            } else {
                for (std::int64_t i = 0; i < outcome.times; ++i) {
                    differences +=
                        model.respecting(expected + deviation * normals.next(), outcome.is_tie);
                }
            }
            sums[outcome.one] += 0.5 * (both + differences);
            sums[outcome.two] += 0.5 * (both - differences);
        }
        for (std::size_t s = 0; s < sums.size(); ++s) sums[s] /= std::max(1.0, judgments_[s]);
        centre(sums, plays_);
        return sums;
    }

    std::vector<Outcome> outcomes_;
    std::vector<double> judgments_;
    std::vector<char> plays_;
};

// Runs of the sampler.
inline void sample_counts(const OutcomeKinds& kinds, const CountRows& counts,
                          const Systems& systems, const QualityModel& model, const Runs& runs,
                          const RatingRows& rows) {
    runs.each([&](std::size_t run, const Pcg64& random) {
        Normals normals(random);
        const CountSampler sampler(kinds, counts.of_run(run), systems.count);
        rows.write(run, sampler.run(model, normals), sampler.plays());
    });
}

// The published code: in every iteration one ranking of each segment, qualities averaged within it
// and kept for the segment until another ranking has the system; the last iteration is the result.
// Matches are rankings of any size, their groups are segments.
class SegmentSampler {
public:
    // `rankings` are those of this run, sorted by segment; segment g owns those from begins[g] up
    // to begins[g + 1].
    SegmentSampler(const Matches& matches, std::vector<std::size_t> rankings,
                   std::vector<std::size_t> begins, std::size_t systems)
        : matches_(matches),
          rankings_(std::move(rankings)),
          begins_(std::move(begins)),
          plays_(systems, 0),
          sums_(systems, 0),
          counts_(systems, 0),
          qualities_(systems * (begins_.size() - 1), std::numeric_limits<double>::quiet_NaN()) {
        for (const std::size_t m : rankings_) matches.mark_players(m, plays_);
    }

    const std::vector<char>& plays() const { return plays_; }

    std::vector<double> run(const QualityModel& model, Normals& normals) {
        std::vector<double> means = first_means(plays_, normals);
        for (std::size_t iteration = 0; iteration < model.iterations; ++iteration) {
            for (std::size_t g = 0; g + 1 < begins_.size(); ++g) {
                const auto size = static_cast<std::uint32_t>(begins_[g + 1] - begins_[g]);
                if (size == 0) continue;
                judge(means, rankings_[begins_[g] + normals.below(size)], g, model, normals);
            }
            for (std::size_t s = 0; s < means.size(); ++s) {
                if (counts_[s] > 0) means[s] = sums_[s] / counts_[s];
            }
        }
        return means;
    }

private:
    void judge(const std::vector<double>& means, std::size_t m, std::size_t segment,
               const QualityModel& model, Normals& normals) {
        const auto players = matches_.players_of(m);
        const auto ranks = matches_.ranks_of(m);
        const std::size_t size = players.size();
        drawn_.assign(size, 0);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = i + 1; j < size; ++j) {
                const std::size_t one = ranks[j] < ranks[i] ? j : i, two = one == i ? j : i;
                const double first = means[static_cast<std::size_t>(players[one])] +
                                     model.deviation * normals.next();
                const double second = means[static_cast<std::size_t>(players[two])] +
                                      model.deviation * normals.next();
                const double difference = first - second;
                const double half =
                    0.5 * (model.respecting(difference, ranks[i] == ranks[j]) - difference);
                drawn_[one] += first + half;
                drawn_[two] += second - half;
            }
        }
        for (std::size_t i = 0; i < size; ++i) {
            keep(static_cast<std::size_t>(players[i]), segment,
                 drawn_[i] / static_cast<double>(size - 1));
        }
    }

    void keep(std::size_t system, std::size_t segment, double quality) {
        double& kept = qualities_[segment * plays_.size() + system];
        if (std::isnan(kept)) {
            counts_[system] += 1;
        } else {
            sums_[system] -= kept;
        }
        sums_[system] += quality;
        kept = quality;
    }

    const Matches& matches_;
    std::vector<std::size_t> rankings_, begins_;
    std::vector<char> plays_;
    std::vector<double> sums_, counts_, qualities_, drawn_;
};

// Runs of the published code, a row of means each; a run draws as many rankings as there are with
// replacement first, or takes all of them once.
inline void sample_segments(const Matches& matches, const Systems& systems,
                            const QualityModel& model, bool resample, const Runs& runs,
                            std::span<double> means) {
    runs.each([&](std::size_t run, const Pcg64& random) {
        Normals normals(random);
        const std::size_t count = matches.count();
        std::vector<std::uint32_t> weights(count, resample ? 0 : 1);
        for (std::size_t i = 0; resample && i < count; ++i) {
            ++weights[normals.below(static_cast<std::uint32_t>(count))];
        }
        std::vector<std::size_t> rankings, begins(1, 0);
        for (std::size_t g = 0; g < matches.group_count(); ++g) {
            for (auto m = static_cast<std::size_t>(matches.groups[g]);
                 m < static_cast<std::size_t>(matches.groups[g + 1]); ++m) {
                rankings.insert(rankings.end(), weights[m], m);
            }
            begins.push_back(rankings.size());
        }
        SegmentSampler sampler(matches, std::move(rankings), std::move(begins), systems.count);
        const std::vector<double> found = sampler.run(model, normals);
        for (std::size_t s = 0; s < systems.count; ++s) {
            means[run * systems.count + s] =
                sampler.plays()[s] ? found[s] : std::numeric_limits<double>::quiet_NaN();
        }
    });
}

}  // namespace rankwise
