// Fuzz target: every kernel on two arbitrary strings in any of Python's three widths.
//
// With clang it is a libFuzzer target; with -DRANKWISE_FUZZ_ALONE it has a main of its own that
// feeds it the files it is given, and then these damaged and random bytes for some seconds. Build
// both with the address and undefined sanitizers: a finding is a crash.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/matchers.hpp"
#include "alignment/paraphrases.hpp"
#include "alignment/permutation.hpp"
#include "alignment/word_order.hpp"
#include "edits/error_rate.hpp"
#include "edits/pairs.hpp"
#include "ngrams/bleu.hpp"
#include "ngrams/chrf.hpp"
#include "ngrams/pieces.hpp"
#include "sampling/resample.hpp"
#include "text/normalise.hpp"
#include "text/tercom.hpp"
#include "text/tokenise.hpp"

using namespace rankwise;

namespace {

using Bytes = std::span<const std::uint8_t>;

void require(bool holds) {
    if (!holds) std::abort();
}

// Code points of one width from bytes; each string has its own heap block, so that reading past
// its end is seen.
class Text {
public:
    Text(Bytes bytes, unsigned width) : units_(bytes.size() / width * width) {
        if (!units_.empty()) std::memcpy(units_.data(), bytes.data(), units_.size());
        if (width == 4) limit_to_unicode();
        view_ = {units_.data(), units_.size() / width, static_cast<std::uint8_t>(width)};
    }
    StringView view() const { return view_; }

private:
    void limit_to_unicode() {
        for (std::size_t i = 0; i + 4 <= units_.size(); i += 4) {
            std::uint32_t unit;
            std::memcpy(&unit, units_.data() + i, 4);
            unit %= 0x110000;
            std::memcpy(units_.data() + i, &unit, 4);
        }
    }
    std::vector<std::uint8_t> units_;
    StringView view_;
};

void check_ngrams(StringView hypothesis, std::span<const StringView> references) {
    std::vector<std::int64_t> row(64);  // enough for two references
    for (const char* name : {"none", "13a", "intl", "char", "zh", "zh-sacrebleu"}) {
        const Tokenizer& tokenizer = Tokenizer::named(name);
        BleuCounter(tokenizer, 4)(hypothesis, references, row);
        for (std::size_t n = 0; n < 4; ++n) require(row[2 + n] <= row[6 + n]);
        BleuCounter(tokenizer, 6)(hypothesis, references, row);
        OverlapCounter{tokenizer}(hypothesis, references, row);
        require(row[0] <= std::min(row[1], row[2]));
    }
    ChrfCounter(6, 2, false)(hypothesis, references, row);
    ChrfCounter(9, 0, true)(hypothesis, references, row);
}

template <class Kernel>
void check_edits(Kernel kernel, StringView hypothesis, std::span<const StringView> references) {
    kernel.compute(hypothesis, references);
    require(kernel.reference < references.size());
}

void check_edits(StringView hypothesis, std::span<const StringView> references) {
    LowestErrorRate words(SpacedWordPair{}), only_total(SpacedWordPair{}, Detail::total);
    check_edits(words, hypothesis, references);
    words.compute(hypothesis, references);
    only_total.compute(hypothesis, references);
    require(words.length == only_total.length);
    require(words.edits.total() == only_total.edits.total());
    for (const bool with_space : {true, false}) {
        LowestErrorRate listed(CharacterPair{with_space});
        CharacterErrorRate counted(with_space), total(with_space, Detail::total);
        check_edits(listed, hypothesis, references);
        listed.compute(hypothesis, references);
        counted.compute(hypothesis, references);
        require(listed.length == counted.length);
        require(listed.edits.substitutions == counted.edits.substitutions);
        require(listed.edits.insertions == counted.edits.insertions);
        require(listed.edits.deletions == counted.edits.deletions);
        total.compute(hypothesis, references);
        require(listed.length == total.length);
        require(listed.edits.total() == total.edits.total());
    }
    LowestErrorRate itself(CharacterPair(true));
    itself.compute(hypothesis, std::span(&hypothesis, 1));
    require(itself.edits.total() == 0);
    for (const TercomOptions options :
         {TercomOptions{false, false, false}, TercomOptions{true, false, false},
          TercomOptions{true, true, true}}) {
        const TercomTokenizer once(options);
        check_edits(FewestEdits(WordPair(once, TercomTwice(options))), hypothesis, references);
    }
}

// What is true of every alignment: matches lie in both texts, and no word has two.
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

// As many nodes join as leaves and nodes are there but one, and words in order have most trees.
void check_permutation(Ranks ranks) {
    PermutationCounter counter;
    const PermutationCounts c = counter(ranks);
    const auto n = static_cast<std::int64_t>(ranks.size());
    require(c.inversions >= 0 && c.inversions <= n * (n - 1) / 2);
    require(c.monotone + c.inverted + 3 * c.four + 4 * c.larger <=
            std::max<std::int64_t>(n - 1, 0));
    require(c.larger > 0 ||
            c.monotone + c.inverted + 3 * c.four == std::max<std::int64_t>(n - 1, 0));
    require(c.trees.exponent >= 1 && c.trees.mantissa >= 0.5L && c.trees.mantissa < 1);
}

// Facts about words that follow from their ids, so that every stage finds something.
class MadeUpWords {
public:
    MadeUpWords(std::size_t words, const ParaphraseTable& paraphrases) : first_{0} {
        for (std::size_t w = 0; w < words; ++w) {
            const auto id = static_cast<std::int64_t>(w);
            keys_.push_back(id);
            stems_.push_back(id % 7 - 1);
            synsets_.insert(synsets_.end(), {id % 3, 3 + id % 5});
            first_.push_back(static_cast<std::int64_t>(synsets_.size()));
            function_.push_back(static_cast<std::uint8_t>(id % 2));
            phrase_words_.push_back(static_cast<std::int32_t>(id % 5 - 1));
        }
        table = {keys_, stems_, first_, synsets_, function_, phrase_words_, &paraphrases, {}};
        table.mark_synsets();
    }
    WordTable table;

private:
    std::vector<std::int64_t> keys_, stems_, first_, synsets_;
    std::vector<std::uint8_t> function_;
    std::vector<std::int32_t> phrase_words_;
};

bool are_same(const Match& a, const Match& b) {
    return a.ref_start == b.ref_start && a.hyp_start == b.hyp_start && a.stage == b.stage;
}

void check_alignment(Ids hyp, Ids ref, std::size_t words, const ParaphraseTable& paraphrases) {
    if (hyp.size() * ref.size() > 2000) return;  // the number of candidates is what takes time
    const MadeUpWords made_up(words, paraphrases);
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

void check_meteor(StringView hypothesis, StringView reference, std::string_view bytes) {
    ParaphraseTable none(""), some("1\n\n\n");
    try {
        some = ParaphraseTable(bytes);
    } catch (const std::invalid_argument&) {  // lines that are no multiple of three
    }
    for (const Apostrophes kind :
         {Apostrophes::separate, Apostrophes::english, Apostrophes::french}) {
        const bool is_separate = kind == Apostrophes::separate;
        const NormaliserRules rules{
            !is_separate, kind == Apostrophes::english, kind, {U"a"}, {U"b"}};
        Normaliser normaliser(rules);
        std::u32string hyp_text, ref_text;
        std::vector<Token> hyp_tokens, ref_tokens;
        normaliser.run(hypothesis, hyp_text, hyp_tokens);
        normaliser.run(reference, ref_text, ref_tokens);
        for (const auto [begin, end] : hyp_tokens) require(begin < end && end <= hyp_text.size());
        Vocabulary vocabulary;
        std::vector<Id> hyp, ref;
        vocabulary.number(words_of(hyp_text, hyp_tokens), hyp);
        vocabulary.number(words_of(ref_text, ref_tokens), ref);
        check_alignment(hyp, ref, vocabulary.size(), is_separate ? none : some);
    }
}

// The search alone, on candidates read from bytes: four each.
void check_search(Bytes bytes) {
    static constexpr std::int32_t kLength = 12;
    std::vector<Match> candidates;
    for (std::size_t i = 0; i + 4 <= std::min<std::size_t>(bytes.size(), 200); i += 4) {
        const std::int32_t ref = bytes[i] % kLength, hyp = bytes[i + 1] % kLength;
        candidates.push_back({ref, 1 + bytes[i + 2] % std::min(3, kLength - ref), hyp,
                              1 + bytes[i + 3] % std::min(3, kLength - hyp),
                              bytes[i + 2] % kStages});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Match& a, const Match& b) { return a.ref_start < b.ref_start; });
    for (const Search search : {Search::corrected, Search::original}) {
        for (const std::size_t beam : {1u, 3u, 40u}) {
            check_matches(AlignmentSearch(search, beam).run(candidates, kLength, kLength), kLength,
                          kLength);
        }
    }
}

// Bytes as keys: sorting them gives a permutation with runs, blocks and mess.
void check_permutation(Bytes bytes) {
    std::vector<std::int32_t> ranks(std::min<std::size_t>(bytes.size(), 300));
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<std::int32_t>(i);
    std::stable_sort(ranks.begin(), ranks.end(), [&](std::int32_t a, std::int32_t b) {
        return bytes[static_cast<std::size_t>(a)] < bytes[static_cast<std::size_t>(b)];
    });
    check_permutation(Ranks(ranks));
}

void check_pieces(StringView hypothesis, std::span<const StringView> references) {
    if (hypothesis.length > 500) return;  // pairs of words are as many as the square
    std::vector<std::int64_t> rows(PieceCounter::kColumns * references.size());
    PieceCounter()(hypothesis, references, rows);
    for (std::size_t k = 0; k < rows.size(); k += PieceCounter::kColumns) {
        for (std::size_t c = k + 2; c < k + PieceCounter::kColumns; c += 3) {
            require(rows[c + 2] >= 0 && rows[c + 2] <= std::min(rows[c], rows[c + 1]));
        }
    }
}

// Numbers drawn many at once are those drawn one by one, and so is what comes after; of large sizes
// up to half of them are drawn again.
void check_draws(Bytes bytes) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data(), std::min<std::size_t>(bytes.size(), 4));
    if (bytes.size() % 2 == 1) size |= std::uint32_t{1} << 31;
    Pcg64 at_once(bytes[0], 2 * bytes.size() + 1), one_by_one = at_once;
    for (const std::uint8_t byte : bytes.first(std::min<std::size_t>(bytes.size(), 8))) {
        std::size_t left = std::size_t{3} * byte;
        at_once.draw_below(size, left, [&](std::uint32_t number) {
            require(left > 0 && number == one_by_one.below(size));
            --left;
        });
        require(left == 0);
    }
    require(at_once.next32() == one_by_one.next32());
    require(at_once.next64() == one_by_one.next64());
}

// Sums lie between those of the smallest and of the largest value.
void check_resampling(Bytes bytes) {
    const std::size_t columns = 1 + bytes[0] % 9;
    const std::size_t n = std::min<std::size_t>(bytes.size() / columns, 100);
    if (n == 0) return;
    std::vector<std::int64_t> rows(n * columns);
    const int shift = bytes[0] % 40;
    std::transform(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(rows.size()),
                   rows.begin(),
                   [shift](std::uint8_t byte) { return std::int64_t{byte} << shift; });
    const std::int64_t most =
        *std::max_element(rows.begin(), rows.end()) * static_cast<std::int64_t>(n);
    Resampler resampler(rows, n, columns, Pcg64(bytes[0], 2 * n + 1));
    for (const auto draw : {&Resampler::bootstrap, &Resampler::coins}) {
        std::vector<std::int64_t> sums(70 * columns);
        (resampler.*draw)(70, 1, sums);
        for (const std::int64_t sum : sums) require(sum >= 0 && sum <= most);
    }
    if (most < 0x7fff) {  // counted and picked rows have the same sums
        const Strips<std::int64_t> strips(rows, n, columns, n);
        std::vector<std::int64_t> counted_ones(7 * columns), picked(7 * columns);
        Pcg64 one(bytes[0], 1), two(bytes[0], 1);
        counted_sums(counted(strips, 0x7fff), one, 7, 1, counted_ones);
        bootstrap_sums(strips, two, 7, 1, picked);
        require(counted_ones == picked);
    }
    const std::int64_t starts[] = {0, 1, static_cast<std::int64_t>(n)};
    const std::vector<std::int32_t> cells(n, static_cast<std::int32_t>(columns) - 1);
    std::vector<std::int64_t> counts(5 * columns);
    Pcg64 random(bytes[0], 1);
    bootstrap_counts(starts, cells, columns, random, 5, 1, counts);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    static constexpr unsigned kWidths[] = {1, 2, 4};
    const unsigned choice = data[0] % 9;
    const Bytes rest(data + 1, size - 1);
    const std::size_t cut = data[0] * rest.size() / 256;
    const Text hypothesis(rest.first(cut), kWidths[choice % 3]);
    const Text reference(rest.subspan(cut), kWidths[choice / 3]);
    const StringView texts[] = {reference.view(), hypothesis.view()};
    const auto references = std::span(texts).first(1 + size % 2);
    check_ngrams(hypothesis.view(), references);
    check_edits(hypothesis.view(), references);
    check_meteor(hypothesis.view(), reference.view(),
                 {reinterpret_cast<const char*>(rest.data()), rest.size()});
    check_pieces(hypothesis.view(), references);
    check_search(rest);
    check_permutation(rest);
    check_draws(rest);
    check_resampling(rest);
    return 0;
}

#ifdef RANKWISE_FUZZ_ALONE
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>

// The files that are named, each as it is.
static std::vector<std::vector<std::uint8_t>> kept_inputs(std::span<char*> names) {
    std::vector<std::vector<std::uint8_t>> found;
    for (const char* name : names) {
        std::ifstream file(name, std::ios::binary);
        found.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return found;
}

int main(int argc, char** argv) {
    const auto seconds = std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 30);
    const auto end = std::chrono::steady_clock::now() + seconds;
    std::mt19937_64 random(20261115);
    static const char alphabet[] = "aabbc  .,-&<>;0123'\"\t\n\xe9\xff\x00";
    const auto kept =
        kept_inputs(std::span(argv, static_cast<std::size_t>(argc))
                        .subspan(std::min<std::size_t>(2, static_cast<std::size_t>(argc))));
    for (const auto& input : kept) LLVMFuzzerTestOneInput(input.data(), input.size());
    std::vector<std::uint8_t> bytes;
    long rounds = 0;
    for (; std::chrono::steady_clock::now() < end; ++rounds) {
        const bool is_new = kept.empty() || random() % 2;
        if (!is_new) bytes = kept[random() % kept.size()];
        if (is_new) bytes.resize(random() % (rounds % 50 ? 200 : 4000));
        for (auto& byte : bytes) {
            if (!is_new && random() % 16) continue;
            byte = random() % 4 ? static_cast<std::uint8_t>(alphabet[random() % sizeof alphabet])
                                : static_cast<std::uint8_t>(random());
        }
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("%zu kept and %ld new inputs, no finding\n", kept.size(), rounds);
}
#endif
