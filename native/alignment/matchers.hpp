// METEOR's matchers: which words and phrases of two texts are called equal, stage by stage; and the
// counts of an alignment.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "alignment/align.hpp"
#include "alignment/long_search.hpp"
#include "alignment/paraphrases.hpp"
#include "alignment/word_runs.hpp"
#include "alignment/word_table.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// The stages that run, in their order: of equal matches, that of the earlier stage is taken.
using StageOrder = std::vector<Stage>;

// Counts that add up over segments; `alignment_row` fills one.
constexpr std::size_t kAlignmentColumns = 5 + 4 * kStages;

// Finds the candidates of a pair of token sequences, stage by stage, and aligns them.
class MeteorAligner {
public:
    // Candidates are listed for up to so many pairs of words; beyond, and where nothing but single
    // words match by the corrected search, they are found as runs: the same alignment, in time and
    // memory that grow with the texts.
    static constexpr std::size_t kListedPairs = std::size_t{1} << 18;
    // Where they are listed: pairs of words that are looked at, and candidates, at most; beyond it
    // the texts are refused.
    static constexpr std::size_t kMostPairs = std::size_t{1} << 30;
    static constexpr std::size_t kMostListed = std::size_t{1} << 23;

    MeteorAligner(const WordTable& words, StageOrder stages, Search search,
                  std::size_t listed_pairs = kListedPairs)
        : words_(words),
          stages_(std::move(stages)),
          search_(search),
          has_runs_(search == Search::corrected &&
                    std::find(stages_.begin(), stages_.end(), kParaphrase) == stages_.end()),
          listed_pairs_(listed_pairs) {}

    const std::vector<Match>& align(Ids hyp, Ids ref) {
        if (has_runs_ && hyp.size() * ref.size() > listed_pairs_) {
            runs_.index(words_, stages_, hyp, ref);
            return long_search_.run(runs_, ref.size());
        }
        if (hyp.size() * ref.size() > kMostPairs) throw TooManyMatches();
        matches_.clear();
        gather(hyp, hyp_keys_, words_.keys);
        gather(ref, ref_keys_, words_.keys);
        for (const Stage stage : stages_) {
            add_stage(stage, hyp, ref);
            if (hyp_keys_ == ref_keys_) break;  // identical sentences: the first stage suffices
        }
        by_reference(ref.size());
        return search_.run(ordered_, hyp.size(), ref.size());
    }

private:
    template <class Source, class Target>
    static void gather(Ids ids, std::vector<Target>& out, std::span<const Source> table) {
        out.resize(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) out[i] = table[ids[i]];
    }

    void add_stage(Stage stage, Ids hyp, Ids ref) {
        switch (stage) {
            case kExact: add_exact(); break;
            case kStem: add_stems(hyp, ref); break;
            case kSynonym: add_synonyms(hyp, ref); break;
            default: add_paraphrases(hyp, ref);
        }
    }

    void add_word(std::size_t j, std::size_t i, Stage stage) {
        const auto ref = static_cast<std::int32_t>(j), hyp = static_cast<std::int32_t>(i);
        add_match({ref, 1, hyp, 1, stage});
    }

    void add_match(const Match& match) {
        if (matches_.size() == kMostListed) throw TooManyMatches();
        matches_.push_back(match);
    }

    void add_exact() {
        for (std::size_t j = 0; j < ref_keys_.size(); ++j) {
            for (std::size_t i = 0; i < hyp_keys_.size(); ++i) {
                if (hyp_keys_[i] == ref_keys_[j]) add_word(j, i, kExact);
            }
        }
    }

    void add_stems(Ids hyp, Ids ref) {
        gather(hyp, hyp_stems_, words_.stems);
        gather(ref, ref_stems_, words_.stems);
        for (std::size_t j = 0; j < ref.size(); ++j) {
            if (ref_stems_[j] < 0) continue;
            for (std::size_t i = 0; i < hyp.size(); ++i) {
                if (hyp_stems_[i] == ref_stems_[j] && hyp_keys_[i] != ref_keys_[j]) {
                    add_word(j, i, kStem);
                }
            }
        }
    }

    void add_synonyms(Ids hyp, Ids ref) {
        const std::span<const std::uint64_t> marks = words_.synset_marks;
        gather(hyp, hyp_marks_, marks);
        for (std::size_t j = 0; j < ref.size(); ++j) {
            const std::uint64_t mark = marks[ref[j]];
            if (mark == 0) continue;
            for (std::size_t i = 0; i < hyp.size(); ++i) {
                if ((hyp_marks_[i] & mark) != 0 && hyp_keys_[i] != ref_keys_[j] &&
                    share_synset(hyp[i], ref[j])) {
                    add_word(j, i, kSynonym);
                }
            }
        }
    }

    bool share_synset(std::size_t left, std::size_t right) const {
        const auto a = words_.synsets_of(left), b = words_.synsets_of(right);
        for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
            if (a[i] == b[j]) return true;
            if (a[i] < b[j]) ++i;
            else ++j;
        }
        return false;
    }

    // Phrases of the table read from the reference to the hypothesis, then the other way round.
    void add_paraphrases(Ids hyp, Ids ref) {
        gather(hyp, hyp_phrase_words_, words_.phrase_words);
        gather(ref, ref_phrase_words_, words_.phrase_words);
        const ParaphraseTable& table = *words_.paraphrases;
        phrases_.find(table, ref_phrase_words_, hyp_phrase_words_, [&](const PhraseMatch& p) {
            add_match({p.from_start, p.from_length, p.to_start, p.to_length, kParaphrase});
        });
        phrases_.find(table, hyp_phrase_words_, ref_phrase_words_, [&](const PhraseMatch& p) {
            add_match({p.to_start, p.to_length, p.from_start, p.from_length, kParaphrase});
        });
    }

    // A stable counting sort by reference position.
    void by_reference(std::size_t ref_length) {
        slots_.assign(ref_length + 1, 0);
        for (const Match& m : matches_) ++slots_[static_cast<std::size_t>(m.ref_start) + 1];
        for (std::size_t j = 0; j < ref_length; ++j) slots_[j + 1] += slots_[j];
        ordered_.resize(matches_.size());
        for (const Match& m : matches_) {
            ordered_[slots_[static_cast<std::size_t>(m.ref_start)]++] = m;
        }
    }

    const WordTable& words_;
    StageOrder stages_;
    AlignmentSearch search_;
    bool has_runs_;
    std::size_t listed_pairs_;
    WordRuns runs_;
    LongSearch long_search_;
    PhraseFinder phrases_;
    std::vector<std::int64_t> hyp_keys_, ref_keys_, hyp_stems_, ref_stems_;
    std::vector<std::uint64_t> hyp_marks_;
    std::vector<std::int32_t> hyp_phrase_words_, ref_phrase_words_;
    std::vector<Match> matches_, ordered_;
    std::vector<std::size_t> slots_;
};

// Runs of matches that are adjacent and in the same order on both sides.
inline std::int64_t chunk_count(std::span<const Match> matches) {
    std::int64_t chunks = 0;
    std::int32_t ref_end = -1, hyp_end = -1;
    for (const Match& m : matches) {
        chunks += m.ref_start != ref_end || m.hyp_start != hyp_end;
        ref_end = m.ref_start + m.ref_length;
        hyp_end = m.hyp_start + m.hyp_length;
    }
    return chunks;
}

// Words of a text.
inline Ids words_in(Ids words, std::int32_t start, std::int32_t length) {
    return words.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(length));
}

// Fills a row: lengths, function words and chunks, then per stage the matched content and function
// words of the hypothesis and of the reference. A perfect segment (one chunk of all words) has no
// chunks: it is not fragmented.
inline void alignment_row(std::span<const Match> matches, Ids hyp, Ids ref,
                          std::span<const std::uint8_t> function, std::span<std::int64_t> row) {
    row[0] = static_cast<std::int64_t>(hyp.size());
    row[1] = static_cast<std::int64_t>(ref.size());
    for (const std::uint32_t w : hyp) row[2] += function[w];
    for (const std::uint32_t w : ref) row[3] += function[w];
    std::int64_t covered = 0;
    for (const Match& m : matches) {
        const auto counts = row.subspan(5 + 4 * static_cast<std::size_t>(m.stage), 4);
        for (const Id w : words_in(hyp, m.hyp_start, m.hyp_length)) ++counts[function[w]];
        for (const Id w : words_in(ref, m.ref_start, m.ref_length)) ++counts[2 + function[w]];
        covered += m.hyp_length + m.ref_length;
    }
    row[4] = chunk_count(matches);
    if (row[4] == 1 && covered == row[0] + row[1]) row[4] = 0;
}

}  // namespace rankwise
