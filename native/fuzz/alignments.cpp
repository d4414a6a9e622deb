// Alignments of METEOR, permutations and words that match in part: matches lie in both texts and no
// word has two, and trees have as many nodes as they must.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "alignment/matchers.hpp"
#include "alignment/paraphrases.hpp"
#include "alignment/permutation.hpp"
#include "alignment/word_order.hpp"
#include "fuzz/entries.hpp"
#include "soft/soft_words.hpp"
#include "text/spelled_words.hpp"

namespace rankwise::fuzz {

namespace {

void check_matches(std::span<const Match> matches, std::size_t hyp_length, std::size_t ref_length) {
    std::vector<bool> hyp(hyp_length), ref(ref_length);
    const auto take = [](std::vector<bool>& taken, std::int32_t start, std::int32_t length) {
        for (auto k = static_cast<std::size_t>(start), end = k + static_cast<std::size_t>(length);
             k < end; ++k) {
            require(k < taken.size() && !taken[k]);
            taken[k] = true;
        }
    };
    for (const Match& m : matches) {
        take(hyp, m.hyp_start, m.hyp_length);
        take(ref, m.ref_start, m.ref_length);
    }
}

void check_search(Arguments& given) {
    const std::int64_t length = given.number(1, 70);
    std::vector<Match> candidates;
    for (std::size_t count = given.size(0, 50); count > 0; --count) {
        const auto start = [&] { return static_cast<std::int32_t>(given.number(0, length - 1)); };
        const auto words = [&](std::int32_t from) {
            return static_cast<std::int32_t>(
                given.number(1, std::min<std::int64_t>(3, length - from)));
        };
        const std::int32_t ref = start(), hyp = start(), ref_words = words(ref);
        candidates.push_back({ref, ref_words, hyp, words(hyp), given.byte() % kStages});
    }
    std::ranges::stable_sort(candidates, {}, &Match::ref_start);
    const auto size = static_cast<std::size_t>(length);
    for (const Search search : {Search::corrected, Search::original}) {
        const std::size_t beam = given.size(1, 40);
        check_matches(AlignmentSearch(search, beam).run(candidates, size, size), size, size);
    }
}

// As many nodes join as leaves and nodes are there but one.
void check_permutation(Ranks ranks) {
    PermutationCounter counter;
    const PermutationCounts c = counter(ranks);
    const auto n = static_cast<std::int64_t>(ranks.size());
    std::int64_t inversions = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) inversions += ranks[j] > ranks[i];
    }
    require(c.inversions == inversions && c.length == n);
    const std::int64_t joined = c.monotone + c.inverted + 3 * c.four;
    require(joined + 4 * c.larger <= std::max<std::int64_t>(n - 1, 0));
    require(c.larger > 0 || joined == std::max<std::int64_t>(n - 1, 0));
    require(c.trees.exponent >= 1 && c.trees.mantissa >= 0.5L && c.trees.mantissa < 1);
}

// Numbers sorted: a permutation with runs, blocks and mess.
void check_permutations(Arguments& given) {
    const auto keys = given.numbers<int>(given.size(0, 200), 0, given.number(0, 255));
    std::vector<std::int32_t> ranks(keys.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<std::int32_t>(i);
    std::ranges::stable_sort(ranks, {}, [&](std::int32_t i) { return keys[std::size_t(i)]; });
    check_permutation(ranks);
}

// Steps take every word once, and leave one tree.
struct CountedSteps {
    void shift() { ++words, ++trees; }
    void reduce(std::span<const PermutationParser::Node> children, const PermutationParser::Node&) {
        require(children.size() > 1 && children.size() <= trees);
        trees -= children.size() - 1;
    }
    std::size_t words = 0, trees = 0;
};

void check_steps(Arguments& given) {
    const auto keys = given.numbers<int>(given.size(1, 200), 0, given.number(0, 255));
    std::vector<std::int32_t> ranks(keys.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<std::int32_t>(i);
    std::ranges::stable_sort(ranks, {}, [&](std::int32_t i) { return keys[std::size_t(i)]; });
    CountedSteps steps;
    PermutationParser().run(ranks, steps);
    require(steps.words == ranks.size() && steps.trees == 1);
}

// Facts about words: few stems and synsets, so that every stage finds something.
class MadeUpWords {
public:
    MadeUpWords(Arguments& given, std::size_t words, const ParaphraseTable& paraphrases) {
        const auto count = static_cast<std::int64_t>(words);
        keys_ = given.numbers<std::int64_t>(words, 0, count);
        stems_ = given.numbers<std::int64_t>(words, -1, 4);
        for (std::size_t w = 0; w < words; ++w) {
            auto synsets = given.numbers<std::int64_t>(given.size(0, 3), -3, 9);
            std::ranges::sort(synsets);
            synsets_.insert(synsets_.end(), synsets.begin(), synsets.end());
            first_.push_back(static_cast<std::int64_t>(synsets_.size()));
        }
        function_ = given.numbers<std::uint8_t>(words, 0, 1);
        phrase_words_ = given.numbers<std::int32_t>(words, -1, 5);
        table = {keys_, stems_, first_, synsets_, function_, phrase_words_, &paraphrases, {}};
        table.mark_synsets();
    }
    WordTable table;

private:
    std::vector<std::int64_t> keys_, stems_, first_{0}, synsets_;
    std::vector<std::uint8_t> function_;
    std::vector<std::int32_t> phrase_words_;
};

// A table of phrases of few words, or of any bytes that have lines by three.
ParaphraseTable paraphrases(Arguments& given) {
    std::string text;
    if (given.byte() % 4 == 0) text = given.bytes(given.size(0, 90));
    for (std::size_t count = given.size(0, 6); count > 0 && text.empty(); --count) {
        std::string entry = "0.5\n";
        for (int side = 0; side < 2; ++side) {
            for (std::size_t words = given.size(1, 3); words > 0; --words) {
                entry += {static_cast<char>('a' + given.byte() % 6), words > 1 ? ' ' : '\n'};
            }
        }
        text += entry;
    }
    try {
        return ParaphraseTable(text);
    } catch (const std::invalid_argument&) {  // lines that are no multiple of three
        return ParaphraseTable("1\na\nb\n");
    }
}

void check_table(Arguments& given) {
    const ParaphraseTable table = paraphrases(given);
    for (int i = 0; i < 4; ++i) {
        const std::int32_t found = table.word(given.bytes(given.size(0, 3)));
        require(found >= -1);
    }
    require(table.word("") >= -1);
}

bool are_same(const Match& a, const Match& b) {
    return a.ref_start == b.ref_start && a.hyp_start == b.hyp_start && a.stage == b.stage;
}

void check_alignment(Arguments& given) {
    const std::size_t words = given.size(1, 12);
    const ParaphraseTable table = paraphrases(given);
    const MadeUpWords made_up(given, words, table);
    const auto last = static_cast<std::int64_t>(words) - 1;
    const auto hyp = given.numbers<Id>(given.size(0, 40), 0, last);
    const auto ref = given.numbers<Id>(given.size(0, 40), 0, last);
    for (const Search search : {Search::corrected, Search::original}) {
        MeteorAligner aligner(made_up.table, {kExact, kParaphrase, kStem, kSynonym}, search);
        const std::vector<Match>& matches = aligner.align(hyp, ref);
        check_matches(matches, hyp.size(), ref.size());
        std::vector<std::int64_t> row(kAlignmentColumns);
        alignment_row(matches, hyp, ref, made_up.table.function, row);
        require(row[4] <= static_cast<std::int64_t>(matches.size()));
        WordOrder order;
        check_permutation(order.ranks(matches));
        require(order.unmatched_runs(row[0]) <= static_cast<std::int64_t>(matches.size()) + 1);
    }
    const StageOrder stages{kExact, kStem, kSynonym};
    MeteorAligner listed(made_up.table, stages, Search::corrected);
    MeteorAligner in_runs(made_up.table, stages, Search::corrected, 0);
    require(std::ranges::equal(listed.align(hyp, ref), in_runs.align(hyp, ref), are_same));
}

// No more is matched than there is, and a text matches itself.
void check_soft_words(Arguments& given) {
    const std::size_t words = given.size(1, 14), pairs = given.size(0, 6);
    const auto last = static_cast<std::int64_t>(words) - 1;
    SpelledWords spelled;
    for (std::size_t w = 0; w < words; ++w) {
        spelled.add(given.text(given.byte() % 16 == 0 ? 200 : 9).view(), Characters::code_points);
    }
    const auto firsts = given.numbers<Id>(pairs, 0, last),
               seconds = given.numbers<Id>(pairs, 0, last);
    std::vector<double> likenesses(pairs), weights(words);
    for (double& likeness : likenesses) likeness = static_cast<double>(given.byte()) / 255;
    for (double& weight : weights) weight = static_cast<double>(given.byte()) / 10;
    WordLikeness likeness(spelled);
    likeness.set_substitutes(firsts, seconds, likenesses);
    SoftMatcher matcher(likeness);
    const auto hyp = given.numbers<Id>(given.size(0, 150), 0, last);
    const auto ref = given.is_so() ? given.numbers<Id>(given.size(0, 150), 0, last) : hyp;
    std::vector<double> row(SoftMatcher::kColumns);
    matcher.match(hyp, ref, weights, std::span(row).first<SoftMatcher::kColumns>());
    for (const std::size_t whole : {0, 1, 4, 5}) {
        const double matched = row[whole + 2], most = row[whole] * (1 + 1e-9) + 1e-9;
        require(matched >= 0 && matched <= most);
        if (hyp == ref) require(matched >= row[whole] * (1 - 1e-9) - 1e-9);
    }
}

constexpr Check kChecks[] = {
    {"align_candidates", check_search},           {"permutation_counts", check_permutations},
    {"permutation_steps", check_steps},           {"ParaphraseTable", check_table},
    {"align_texts word_orders", check_alignment}, {"soft_matches", check_soft_words},
};

}  // namespace

std::span<const Check> checks() { return kChecks; }

}  // namespace rankwise::fuzz
