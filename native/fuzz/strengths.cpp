// What comparisons join, and the strengths of Bradley and Terry: against the plainest way to find
// groups, and where an estimate exists it is found and its slopes are 0.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/entries.hpp"
#include "rating/connected.hpp"
#include "rating/strengths.hpp"

namespace rankwise::fuzz {

namespace {

// Pairs of different systems, some more than once, and results of runs.
struct Met {
    explicit Met(Arguments& given) : systems(given.size(given.byte() % 32 == 0 ? 100 : 2, 110)) {
        if (given.byte() % 8 != 0) systems = 2 + systems % 7;
        for (std::size_t count = given.size(0, 3 * systems); count > 0; --count) {
            const std::size_t one = given.size(0, systems - 1);
            const std::size_t two = (one + given.size(1, systems - 1)) % systems;
            left.push_back(static_cast<std::int32_t>(one));
            right.push_back(static_cast<std::int32_t>(two));
        }
        runs = given.size(1, 3);
        const bool is_strange = given.byte() % 8 == 0;
        is_ordinary = !is_strange;
        for (std::vector<double>* results : {&wins, &losses, &ties}) {
            for (std::size_t cell = 0; cell < runs * left.size(); ++cell) {
                const double found = is_strange ? std::fabs(given.finite()) : given.byte() % 4;
                results->push_back(found < 1e300 ? found : 0);
            }
        }
        if (given.is_so()) std::ranges::fill(ties, 0.0);
    }
    MetPairs pairs() const { return {systems, left, right}; }
    PairRows rows() const { return {wins, losses, ties, left.size()}; }
    PairRows turned() const { return {losses, wins, ties, left.size()}; }

    std::size_t systems, runs;
    bool is_ordinary;
    std::vector<std::int32_t> left, right;
    std::vector<double> wins, losses, ties;
};

// Whether steps lead from one system to another; allows(p, forward) says which steps there are.
template <class Allows>
std::vector<std::vector<char>> reached(const MetPairs& pairs, const Allows& allows) {
    std::vector<std::vector<char>> found(pairs.systems, std::vector<char>(pairs.systems, 0));
    for (std::size_t s = 0; s < pairs.systems; ++s) found[s][s] = 1;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        if (allows(p, true)) found[pairs.one(p)][pairs.two(p)] = 1;
        if (allows(p, false)) found[pairs.two(p)][pairs.one(p)] = 1;
    }
    for (std::size_t by = 0; by < pairs.systems; ++by) {
        for (std::size_t from = 0; from < pairs.systems; ++from) {
            if (!found[from][by]) continue;
            for (std::size_t to = 0; to < pairs.systems; ++to) {
                if (found[by][to]) found[from][to] = 1;
            }
        }
    }
    return found;
}

void check_groups(Arguments& given) {
    const Met met(given);
    const MetPairs pairs = met.pairs();
    JoinedGroups groups(met.systems);
    for (std::size_t p = 0; p < pairs.size(); ++p) groups.join(pairs.one(p), pairs.two(p));
    const auto joined = reached(pairs, [](std::size_t, bool) { return true; });
    for (std::size_t s = 0; s < met.systems; ++s) {
        const auto first = std::ranges::find(joined[s], 1) - joined[s].begin();
        require(groups.first_of(s) == static_cast<std::size_t>(first));
    }
    for (std::size_t run = 0; run < met.runs; ++run) {
        const PairResults results = met.rows().of_run(run);
        const auto of_run = reached(pairs, [&](std::size_t p, bool) { return results.met(p); });
        const auto size = [&](std::size_t s) { return std::ranges::count(of_run[s], 1); };
        std::size_t largest = 0;
        for (std::size_t s = 1; s < met.systems; ++s) {
            if (size(s) > size(largest)) largest = s;
        }
        require(main_group(pairs, results) == of_run[largest]);
    }
}

// An estimate exists for the results turned round as well; and without ties just where everybody
// is reached from everybody by wins.
void check_existence(Arguments& given) {
    const Met met(given);
    const MetPairs pairs = met.pairs();
    const FiniteEstimates estimates(pairs);
    for (std::size_t run = 0; run < met.runs; ++run) {
        const PairResults results = met.rows().of_run(run);
        const bool exists = estimates.exists(results);
        require(exists == estimates.exists(met.turned().of_run(run)));
        const auto all = reached(pairs, [&](std::size_t p, bool forward) {
            return forward ? results.left_holds(p) : results.right_holds(p);
        });
        const bool is_joined = std::ranges::all_of(
            all, [](const auto& row) { return std::ranges::find(row, 0) == row.end(); });
        const bool is_tied = std::ranges::any_of(results.ties, [](double n) { return n > 0; });
        require(exists ? is_joined : is_tied || !is_joined);
    }
}

void check_point(const RunPairs& pairs, TieModel model, std::span<const double> point) {
    double sum = 0;
    for (const double strength : point.first(pairs.systems)) sum += strength;
    require(std::fabs(sum) < 1e-6);
    Derivatives found;
    StrengthLikelihood(pairs, model).derivatives(point, found);
    for (const double slope : found.slopes) require(std::fabs(slope) < 1e-4);
}

void check_strengths(Arguments& given) {
    const Met met(given);
    const MetPairs pairs = met.pairs();
    const FiniteEstimates estimates(pairs);
    std::vector<double> start =
        given.is_so() ? given.reals(met.systems + 1) : std::vector<double>{};
    if (met.is_ordinary) start.clear();
    for (const TieModel model : {TieModel::davidson, TieModel::rao_kupper}) {
        std::vector<double> points(met.runs * (met.systems + 1));
        find_strengths(pairs, met.rows(), met.runs, model, start, 1, points);
        for (std::size_t run = 0; met.is_ordinary && run < met.runs; ++run) {
            if (!estimates.exists(met.rows().of_run(run))) continue;
            RunPairs of_run;
            of_run.take(pairs, met.rows().of_run(run));
            const auto point = std::span(points).subspan(run * (met.systems + 1), met.systems + 1);
            check_point(of_run, model, point);
        }
    }
}

constexpr Check kChecks[] = {
    {"joined_groups main_groups", check_groups},
    {"finite_estimates", check_existence},
    {"most_likely_strengths", check_strengths},
};

}  // namespace

std::span<const Check> checks() { return kChecks; }

}  // namespace rankwise::fuzz
