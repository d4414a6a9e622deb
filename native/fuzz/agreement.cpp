// Pairs of scores, their calibration and exchange, and ranked lists: against every pair looked at
// one by one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "agreement/calibration.hpp"
#include "agreement/exchange.hpp"
#include "agreement/pair_counts.hpp"
#include "agreement/ranked_lists.hpp"
#include "agreement/soft_accuracy.hpp"
#include "fuzz/entries.hpp"

namespace rankwise::fuzz {

namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool is_between(double low, double value, double high) { return low <= value && value <= high; }

// Scores of cells in groups; half of the time without nan, which most of Python keeps away.
struct Table {
    explicit Table(Arguments& given, std::size_t most = 80) {
        const std::size_t cells = given.byte() % 4 == 0 ? given.size(0, most) : given.size(0, 20);
        has_strange = given.is_so();
        for (std::vector<double>* column : {&gold, &first, &second}) {
            for (std::size_t c = 0; c < cells; ++c) {
                column->push_back(has_strange ? given.real()
                                              : static_cast<double>(given.number(-4, 4)));
            }
        }
        starts = given.starts(cells);
    }
    Groups groups() const { return {starts}; }
    std::vector<std::uint8_t> coins(Arguments& given, std::size_t draws) const {
        return given.numbers<std::uint8_t>(draws * gold.size(), 0, 1);
    }

    bool has_strange;
    std::vector<double> gold, first, second;
    std::vector<std::int64_t> starts;
};

void check_pairs(Arguments& given) {
    const Table table(given);
    const Groups groups = table.groups();
    std::vector<std::int64_t> rows(groups.count() * PairCounts::kColumns), ruled(rows.size());
    grouped_pair_counts(table.gold, table.first, groups, 1, rows);
    ruled_pair_counts(table.gold, table.first, groups, {0, 0, false}, 1, ruled);
    for (std::size_t g = 0; g < groups.count() && !table.has_strange; ++g) {
        const PairCounts plain =
            count_each_pair(groups.of(Scores(table.gold), g), groups.of(Scores(table.first), g));
        std::vector<std::int64_t> row(PairCounts::kColumns);
        plain.write(row);
        const auto found = counts_of_group(rows, g), by_rule = counts_of_group(ruled, g);
        require(std::ranges::equal(std::span(row).first(6), found.first(6)));
        require(std::ranges::equal(found.first(6), by_rule.first(6)));
    }
}

void check_ruled_pairs(Arguments& given) {
    const Table table(given);
    const Groups groups = table.groups();
    const PairRule rule{given.real(), given.real(), given.is_so()};
    std::vector<std::int64_t> rows(groups.count() * PairCounts::kColumns), all(rows.size());
    ruled_pair_counts(table.gold, table.first, groups, rule, 1, rows);
    grouped_pair_counts(table.gold, table.first, groups, 1, all);
    for (std::size_t cell = 0; cell < rows.size(); ++cell) require(rows[cell] >= 0);
    for (std::size_t g = 0; g < groups.count(); ++g) {
        const auto row = counts_of_group(rows, g);
        require(row[1] + row[2] + row[3] + row[4] + row[5] <= choose_two(row[0]));
    }
}

// The worth of pairs judged right when differences up to epsilon are ties.
std::int64_t worth(const WeightedGroups& cells, Scores metric, double epsilon) {
    std::int64_t sum = 0;
    cells.each_pair([&](std::size_t g, std::size_t i, std::size_t j) {
        const bool is_tied = std::fabs(metric[i] - metric[j]) <= epsilon;
        const int h = sign_of(cells.gold[i], cells.gold[j]);
        const int m = is_tied ? 0 : sign_of(metric[i], metric[j]);
        sum += h == m ? cells.weights[g] : 0;
    });
    return sum;
}

Calibrated plainly_calibrated(const WeightedGroups& cells, Scores metric) {
    std::vector<double> differences{0.0};
    cells.each_pair([&](std::size_t, std::size_t i, std::size_t j) {
        differences.push_back(std::fabs(metric[i] - metric[j]));
    });
    std::ranges::sort(differences);
    const std::int64_t at_zero = worth(cells, metric, 0);
    Calibrated found{at_zero, at_zero, 0};
    for (const double difference : differences) {
        const std::int64_t here = worth(cells, metric, difference);
        if (here > found.best) found.best = here, found.epsilon = difference;
    }
    return found;
}

void check_calibration(Arguments& given) {
    const Table table(given, 60);
    const auto weights = given.numbers<std::int64_t>(table.groups().count(), 0, 5);
    const WeightedGroups cells{table.gold, table.groups(), weights};
    const Calibrated listed = calibrate(cells, table.first);
    const Calibrated in_bins = calibrate(cells, table.first, given.byte());
    if (table.has_strange) return;
    require(listed.at_zero == in_bins.at_zero && listed.best == in_bins.best);
    require(listed.epsilon == in_bins.epsilon);
    if (table.gold.size() > 20) return;
    const Calibrated plain = plainly_calibrated(cells, table.first);
    require(listed.at_zero == plain.at_zero && listed.best == plain.best);
    require(listed.epsilon == plain.epsilon);
}

// A draw that exchanges nothing calibrates the two metrics as they are.
void check_recalibration(Arguments& given) {
    const Table table(given, 24);
    const auto weights = given.numbers<std::int64_t>(table.groups().count(), 0, 5);
    const WeightedGroups cells{table.gold, table.groups(), weights};
    const std::size_t draws = given.size(1, 70);
    std::vector<std::uint8_t> coins = table.coins(given, draws);
    std::ranges::fill(std::span(coins).first(table.gold.size()), std::uint8_t{1});
    std::vector<std::int64_t> found(2 * draws);
    Recalibration(cells, table.first, table.second).run(coins, 1, found);
    if (table.has_strange) return;
    require(found[0] == calibrate(cells, table.first).best);
    require(found[1] == calibrate(cells, table.second).best);
}

void check_exchange(Arguments& given) {
    const Table table(given);
    const Groups groups = table.groups();
    const std::size_t draws = given.size(1, 5);
    std::vector<std::uint8_t> coins = table.coins(given, draws);
    std::ranges::fill(std::span(coins).first(table.gold.size()), std::uint8_t{1});
    PairScratch scratch;
    for (const Agreement kind : {Agreement::pearson, Agreement::tau_b, Agreement::accuracy}) {
        std::vector<double> found(2 * draws);
        exchanged_agreement(kind, table.gold, table.first, table.second, groups, coins, 1, found);
        require(same(found[0], mean_agreement(kind, table.gold, table.first, groups, scratch)));
        require(same(found[1], mean_agreement(kind, table.gold, table.second, groups, scratch)));
        for (const double value : found) {
            require(table.has_strange || std::isnan(value) ||
                    is_between(-1.000001, value, 1.000001));
        }
    }
}

void check_soft_accuracy(Arguments& given) {
    const std::size_t systems = given.size(1, 9), segments = given.size(0, 12);
    const std::size_t cells = systems * segments, draws = given.size(0, 4);
    const bool is_ordinary = given.is_so();
    std::vector<double> gold(systems * (systems - 1) / 2), first(cells), second(cells);
    for (double& value : gold) value = static_cast<double>(given.byte()) / 255;
    for (std::vector<double>* table : {&first, &second}) {
        for (double& value : *table) value = is_ordinary ? given.byte() : given.real();
    }
    const auto coins = given.numbers<std::uint8_t>(draws * cells, 0, 1);
    std::vector<double> found(2 * draws);
    exchanged_soft_accuracy(gold, {first, second, systems, segments}, coins, 1, found);
    if (!is_ordinary || gold.empty()) return;
    for (const double value : found) require(is_between(-1e-9, value, 1 + 1e-9));
}

void check_lifted(Arguments& given) {
    const std::size_t draws = given.size(0, 5), tables = given.size(0, 3);
    const std::size_t systems = given.size(1, 6), pairs = systems * (systems - 1) / 2;
    const auto excess = given.numbers<std::int64_t>(draws * tables * systems, -99, 99);
    const std::int64_t rounding = given.number(0, 9);
    std::vector<std::int64_t> found(tables * pairs * 2);
    lifted_counts(excess, tables, systems, rounding, found);
    for (std::size_t k = 0; k < found.size(); k += 2) {
        require(found[k] >= 0 && found[k] <= found[k + 1]);
        require(found[k + 1] <= static_cast<std::int64_t>(draws));
    }
}

// Pairs of ranked items counted one by one: concordant, discordant, and items.
std::vector<double> plain_pairs(Scores predicted, Scores gold) {
    std::vector<double> found(3, 0);
    for (std::size_t i = 0; i < gold.size(); ++i) {
        if (std::isnan(gold[i]) || std::isnan(predicted[i])) continue;
        ++found[2];
        for (std::size_t j = 0; j < i; ++j) {
            const int h = sign_of(gold[i], gold[j]), m = sign_of(predicted[i], predicted[j]);
            found[0] += h * m > 0, found[1] += h * m < 0;
        }
    }
    return found;
}

void check_lists(Arguments& given) {
    const Table table(given, 80);
    std::vector<Request> requests{
        {Quantity::pairs, Normalisation::minimize, TieOrder::expected, 0, 0}};
    for (std::size_t count = given.size(0, 4); count > 0; --count) {
        const auto quantity = static_cast<Quantity>(given.byte() % 6);
        const double value = quantity == Quantity::gains ? given.byte() % 3 : given.real();
        requests.push_back({quantity, static_cast<Normalisation>(given.byte() % 4),
                            static_cast<TieOrder>(given.byte() % 5), given.size(0, 200), value});
    }
    std::size_t width = 0;
    for (const Request& request : requests) width += request.columns();
    const Groups lists = table.groups();
    std::vector<double> rows(lists.count() * width);
    ranked_list_rows(1, lists, table.first, table.gold, requests, rows);
    for (std::size_t g = 0; g < lists.count(); ++g) {
        const auto plain =
            plain_pairs(lists.of(Scores(table.first), g), lists.of(Scores(table.gold), g));
        require(rows[g * width] == plain[0] && rows[g * width + 1] == plain[1]);
        require(rows[g * width + 5] == plain[2]);
    }
}

// Ranks keep the order, and their ties share one place.
void check_ranks(Arguments& given) {
    const Table table(given, 80);
    const Groups lists = table.groups();
    for (int kind = 0; kind < 4; ++kind) {
        std::vector<double> ranks(table.gold.size());
        normalise_ranks(1, lists, table.gold, static_cast<Normalisation>(kind), ranks);
        for (std::size_t g = 0; g < lists.count(); ++g) {
            for (std::size_t i = lists.begin(g); i < lists.end(g); ++i) {
                require(std::isnan(table.gold[i]) == std::isnan(ranks[i]));
                for (std::size_t j = lists.begin(g); j < i; ++j) {
                    require(sign_of(table.gold[i], table.gold[j]) == sign_of(ranks[i], ranks[j]));
                }
            }
        }
    }
}

constexpr Check kChecks[] = {
    {"pair_counts", check_pairs},           {"pair_counts_by", check_ruled_pairs},
    {"tie_calibration", check_calibration}, {"exchanged_calibration", check_recalibration},
    {"exchanged", check_exchange},          {"exchanged_soft_accuracy", check_soft_accuracy},
    {"lifted_counts", check_lifted},        {"ranked_list_rows", check_lists},
    {"normalise_ranks", check_ranks},
};

}  // namespace

std::span<const Check> checks() { return kChecks; }

}  // namespace rankwise::fuzz
