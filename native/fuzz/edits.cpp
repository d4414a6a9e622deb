// Edits of words and characters: every way to count them gives the same, which is what the table of
// all distances gives; those of TER are no more.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "edits/error_rate.hpp"
#include "edits/pairs.hpp"
#include "fuzz/entries.hpp"
#include "text/tercom.hpp"

namespace rankwise::fuzz {

namespace {

// The table of Levenshtein, row by row.
std::int64_t plain_distance(Ids hypothesis, Ids reference) {
    std::vector<std::int64_t> row(reference.size() + 1);
    std::iota(row.begin(), row.end(), std::int64_t{0});
    for (const Id id : hypothesis) {
        std::int64_t diagonal = row[0]++;
        for (std::size_t j = 0; j < reference.size(); ++j) {
            const std::int64_t here = diagonal + (id != reference[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({here, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

// The operations take every word of the hypothesis and of the reference once.
void check_operations(std::string_view operations, std::size_t hypothesis, std::size_t reference) {
    const auto times = [&](char kind) {
        return static_cast<std::size_t>(std::ranges::count(operations, kind));
    };
    const std::size_t both = times(operation::kMatch) + times(operation::kSubstitution);
    require(both + times(operation::kInsertion) == hypothesis);
    require(both + times(operation::kDeletion) == reference);
    require(times(operation::kMatch) + times(operation::kSubstitution) +
                times(operation::kInsertion) + times(operation::kDeletion) ==
            operations.size());
}

// Of the reference that was chosen: as many edits as the table says, and the same operations.
template <class Pair>
void check_chosen(Pair pair, const Segment& segment, const LowestErrorRate<Pair>& found) {
    const auto references = segment.references();
    require(found.reference < references.size());
    pair.set_hypothesis(segment.hypothesis());
    pair.set_reference(references[found.reference]);
    check_operations(found.operations, pair.hypothesis.size(), pair.reference.size());
    const auto matched = std::ranges::count(found.operations, operation::kMatch);
    require(found.edits.total() == static_cast<std::int64_t>(found.operations.size()) - matched);
    if (segment.longest() > 300) return;  // the table is as large as the square
    require(found.edits.total() == plain_distance(pair.hypothesis, pair.reference));
}

void require_same(const Edits& one, const Edits& two) {
    require(one.substitutions == two.substitutions && one.insertions == two.insertions);
    require(one.deletions == two.deletions);
}

void check_words(Arguments& given) {
    const Segment segment = given.segment(600);
    const auto references = segment.references();
    LowestErrorRate listed(SpacedWordPair{}), counted(SpacedWordPair{}, Detail::counts),
        total(SpacedWordPair{}, Detail::total);
    listed.compute(segment.hypothesis(), references);
    counted.compute(segment.hypothesis(), references);
    total.compute(segment.hypothesis(), references);
    require(listed.length == total.length && listed.edits.total() == total.edits.total());
    require(listed.length == counted.length);
    require_same(listed.edits, counted.edits);
    WordErrorRate alone;
    alone.compute(segment.hypothesis(), references);
    require(listed.length == alone.length && listed.edits.total() == alone.edits.total());
    check_chosen(SpacedWordPair{}, segment, listed);
}

void check_characters(Arguments& given) {
    const Segment segment = given.segment(600);
    const auto references = segment.references();
    for (const bool with_space : {true, false}) {
        LowestErrorRate listed(CharacterPair{with_space});
        CharacterErrorRate counted(with_space), total(with_space, Detail::total);
        listed.compute(segment.hypothesis(), references);
        counted.compute(segment.hypothesis(), references);
        total.compute(segment.hypothesis(), references);
        require(listed.length == counted.length && listed.length == total.length);
        require_same(listed.edits, counted.edits);
        require(listed.edits.total() == total.edits.total());
        check_chosen(CharacterPair(with_space), segment, listed);
    }
    LowestErrorRate itself(CharacterPair(true));
    const StringView hypothesis = segment.hypothesis();
    itself.compute(hypothesis, std::span(&hypothesis, 1));
    require(itself.edits.total() == 0);
}

template <class Pair>
void check_shifts(Pair pair, const Segment& segment) {
    const auto references = segment.references();
    FewestEdits found(pair);
    found.compute(segment.hypothesis(), references);
    require(found.reference < references.size() && found.mean_length >= 0);
    pair.set_hypothesis(segment.hypothesis());
    pair.set_reference(references[found.reference]);
    require(found.shifts.size() <= found.edits);
    if (std::max(pair.hypothesis.size(), pair.reference.size()) <= 20) {  // no beam is so narrow
        const std::int64_t plain = plain_distance(pair.hypothesis, pair.reference);
        require(static_cast<std::int64_t>(found.edits) <= plain);
    }
    for (const PhraseShift& shift : found.shifts) {
        require(shift.length > 0 && shift.start + shift.length <= pair.hypothesis.size());
        require(shift.target <= pair.hypothesis.size());
    }
}

void check_translation_edits(Arguments& given) {
    const TercomOptions options{given.is_so(), given.is_so(), given.is_so()};
    const bool twice = given.is_so();
    const Segment segment = given.segment(120);
    const TercomTokenizer once(options);
    if (twice) {
        check_shifts(WordPair(once, TercomTwice(options)), segment);
    } else {
        check_shifts(WordPair(once, once), segment);
    }
}

constexpr Check kChecks[] = {
    {"edit_counts edit_distances edit_totals edit_operations", check_words},
    {"edit_counts edit_distances edit_totals edit_operations", check_characters},
    {"ter_counts ter_totals ter_operations", check_translation_edits},
};

}  // namespace

std::span<const Check> checks() { return kChecks; }

}  // namespace rankwise::fuzz
