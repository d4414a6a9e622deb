// The alignment of METEOR: one-to-one matches of words or phrases, found by a beam search.
//
// A candidate covers words of the hypothesis and of the reference that some matcher (a "stage")
// calls equal. The search reads the reference from left to right and prefers, in this order, more
// covered words (a match that is not exact counts half), fewer chunks, and a smaller distance
// between the positions of matched words.
//
// Search::original repeats METEOR 1.5 with its two errors: the half counts are rounded down after
// every addition (a single non-exact word counts nothing), and the distance of a chosen match is
// added to the state it was chosen from, so that it weighs on the alternatives instead.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "paraphrases.hpp"

namespace rankwise {

enum Stage : std::int32_t { kExact, kStem, kSynonym, kParaphrase, kStages };

enum class Search { corrected, original };

struct Match {
    std::int32_t ref_start, ref_length, hyp_start, hyp_length, stage;
};

// Finds the best set of candidates. Keeps its buffers, so one object serves many pairs.
class AlignmentSearch {
public:
    explicit AlignmentSearch(Search search, std::size_t beam = 40)
        : search_(search), beam_(beam) {}

    // `candidates` are ordered by ref_start; among equal ones, the order decides ties. The result
    // is ordered by ref_start too.
    const std::vector<Match>& run(std::span<const Match> candidates, std::size_t hyp_length,
                                  std::size_t ref_length) {
        candidates_ = candidates;
        index(hyp_length, ref_length);
        begin();
        for (std::size_t j = 0; j < ref_length; ++j) {
            if (fixed_[j] >= 0) {
                apply_everywhere(j);
            } else if (first_[j] == first_[j + 1]) {
                skip_everywhere(j);
            } else {
                choose(j);
            }
        }
        collect();
        return chosen_;
    }

private:
    struct State {
        std::int32_t covered;     // (half) words on both sides
        std::int32_t chunks;      // closed ones
        std::int32_t next;        // first reference position not yet decided
        std::int32_t last_end;    // end of the last match in the hypothesis, -1 outside a chunk
        std::int64_t distance;
        std::int32_t trail;       // last chosen match in trail_, -1 for none
    };
    struct Step {
        std::int32_t match, previous;
    };
    // What decides the order of states, and how to make the state: parent and match (-1: skip).
    struct Option {
        std::uint64_t words;  // fewer covered words, then more chunks, come later
        std::uint64_t place;  // distance, then the order of their making
        std::uint32_t parent;
        std::int32_t match;

        std::int64_t distance() const { return static_cast<std::int64_t>(place >> kOrderBits); }

        bool operator<(const Option& other) const {
            return words != other.words ? words < other.words : place < other.place;
        }
    };
    static constexpr int kOrderBits = 24;

    static std::uint64_t rank(std::int64_t covered, std::int32_t chunks) {
        return (static_cast<std::uint64_t>(0x7fffffff - covered) << 32) |
               static_cast<std::uint32_t>(chunks);
    }

    // Coverage of every word, the matches fixed in advance, and what a choice takes and gains.
    void index(std::size_t hyp_length, std::size_t ref_length) {
        hyp_cover_.assign(hyp_length, 0);
        ref_cover_.assign(ref_length, 0);
        first_.assign(ref_length + 1, 0);
        fixed_.assign(ref_length, -1);
        for (const Match& m : candidates_) {
            ++first_[static_cast<std::size_t>(m.ref_start) + 1];
            for (std::int32_t k = 0; k < m.hyp_length; ++k) ++hyp_cover_[at(m.hyp_start + k)];
            for (std::int32_t k = 0; k < m.ref_length; ++k) ++ref_cover_[at(m.ref_start + k)];
        }
        for (std::size_t j = 0; j < ref_length; ++j) {
            const bool alone = first_[j + 1] == 1;
            first_[j + 1] += first_[j];
            if (alone && is_unrivalled(candidates_[first_[j]])) {
                fixed_[j] = static_cast<std::int32_t>(first_[j]);
            }
        }
        number_contested_words();
    }

    bool is_unrivalled(const Match& m) const {
        for (std::int32_t k = 0; k < m.hyp_length; ++k) {
            if (hyp_cover_[at(m.hyp_start + k)] != 1) return false;
        }
        for (std::int32_t k = 0; k < m.ref_length; ++k) {
            if (ref_cover_[at(m.ref_start + k)] != 1) return false;
        }
        return true;
    }

    // Only hypothesis words that several candidates cover can be taken; each gets a bit.
    void number_contested_words() {
        bit_.assign(hyp_cover_.size(), -1);
        std::int32_t bits = 0;
        for (std::size_t i = 0; i < hyp_cover_.size(); ++i) {
            if (hyp_cover_[i] > 1) bit_[i] = bits++;
        }
        blocks_ = static_cast<std::size_t>(bits + 63) / 64;
        takes_.assign(candidates_.size() * blocks_, 0);
        for (std::size_t c = 0; c < candidates_.size(); ++c) {
            const Match& m = candidates_[c];
            for (std::int32_t k = 0; k < m.hyp_length; ++k) {
                const std::int32_t bit = bit_[at(m.hyp_start + k)];
                if (bit >= 0) takes_[c * blocks_ + at(bit / 64)] |= std::uint64_t{1} << (bit % 64);
            }
        }
    }

    void begin() {
        states_.assign(1, {0, 0, 0, -1, 0, -1});
        taken_.assign(blocks_, 0);
        trail_.clear();
    }

    std::int32_t gain(const Match& m) const {
        if (search_ == Search::corrected) {
            return (m.hyp_length + m.ref_length) * (m.stage == kExact ? 2 : 1);
        }
        return m.stage == kExact ? m.hyp_length + m.ref_length
                                 : m.hyp_length / 2 + m.ref_length / 2;
    }

    static std::int64_t distance(const Match& m) {
        return std::abs(static_cast<std::int64_t>(m.ref_start) - m.hyp_start);
    }

    static std::int32_t chunks_after(const State& state, const Match& m) {
        return state.chunks + (state.last_end != -1 && state.last_end != m.hyp_start);
    }

    void advance(State& state, const Match& m) const {
        state.chunks = chunks_after(state, m);
        state.covered += gain(m);
        state.next = m.ref_start + m.ref_length;
        state.last_end = m.hyp_start + m.hyp_length;
    }

    static void close_chunk(State& state) {
        state.chunks += state.last_end != -1;
        state.last_end = -1;
    }

    void apply_everywhere(std::size_t j) {
        const Match& m = candidates_[at(fixed_[j])];
        for (State& state : states_) {
            if (state.next != static_cast<std::int32_t>(j)) continue;
            advance(state, m);
            state.distance += distance(m);
        }
        sort_states();
    }

    void skip_everywhere(std::size_t j) {
        for (State& state : states_) {
            if (state.next != static_cast<std::int32_t>(j)) continue;
            close_chunk(state);
            ++state.next;
        }
        sort_states();
    }

    void choose(std::size_t j) {
        options_.clear();
        for (std::size_t s = 0; s < states_.size(); ++s) add_options(s, j);
        keep_best();
        next_states_.clear();
        next_taken_.clear();
        for (const Option& option : options_) make_state(option, j);
        states_.swap(next_states_);
        taken_.swap(next_taken_);
    }

    void add_options(std::size_t s, std::size_t j) {
        const State& state = states_[s];
        if (state.next != static_cast<std::int32_t>(j)) {
            add_option(s, -1, rank(state.covered, state.chunks), state.distance);
            return;
        }
        std::int64_t passed_on = state.distance;  // grows under the original's second error
        for (std::size_t c = first_[j]; c < first_[j + 1]; ++c) {
            if (!is_free(s, c)) continue;
            const Match& m = candidates_[c];
            const std::uint64_t words = rank(state.covered + gain(m), chunks_after(state, m));
            if (search_ == Search::corrected) {
                add_option(s, static_cast<std::int32_t>(c), words, state.distance + distance(m));
            } else {
                add_option(s, static_cast<std::int32_t>(c), words, passed_on);
                passed_on += distance(m);
            }
        }
        add_option(s, -1, rank(state.covered, state.chunks + (state.last_end != -1)), passed_on);
    }

    void add_option(std::size_t parent, std::int32_t match, std::uint64_t words,
                    std::int64_t distance) {
        const std::uint64_t place =
            (static_cast<std::uint64_t>(distance) << kOrderBits) | options_.size();
        options_.push_back({words, place, static_cast<std::uint32_t>(parent), match});
    }

    bool is_free(std::size_t s, std::size_t c) const {
        for (std::size_t b = 0; b < blocks_; ++b) {
            if (taken_[s * blocks_ + b] & takes_[c * blocks_ + b]) return false;
        }
        return true;
    }

    void keep_best() {
        if (options_.size() > beam_) {
            const auto middle = options_.begin() + static_cast<std::ptrdiff_t>(beam_);
            std::nth_element(options_.begin(), middle, options_.end());
            options_.resize(beam_);
        }
        std::sort(options_.begin(), options_.end());
    }

    void make_state(const Option& option, std::size_t j) {
        State state = states_[option.parent];
        const std::size_t row = next_taken_.size();
        for (std::size_t b = 0; b < blocks_; ++b) {
            next_taken_.push_back(taken_[option.parent * blocks_ + b]);
        }
        if (option.match >= 0) {
            advance(state, candidates_[at(option.match)]);
            for (std::size_t b = 0; b < blocks_; ++b) {
                next_taken_[row + b] |= takes_[at(option.match) * blocks_ + b];
            }
            trail_.push_back({option.match, state.trail});
            state.trail = static_cast<std::int32_t>(trail_.size() - 1);
        } else if (state.next == static_cast<std::int32_t>(j)) {
            close_chunk(state);
            ++state.next;
        }
        state.distance = option.distance();
        next_states_.push_back(state);
    }

    static bool before(const State& a, const State& b) {
        const std::uint64_t x = rank(a.covered, a.chunks), y = rank(b.covered, b.chunks);
        return x != y ? x < y : a.distance < b.distance;
    }

    // A stable sort; the states are nearly in order already.
    void sort_states() {
        if (std::is_sorted(states_.begin(), states_.end(), before)) return;
        options_.clear();
        for (std::size_t s = 0; s < states_.size(); ++s) {
            const State& state = states_[s];
            add_option(s, -1, rank(state.covered, state.chunks), state.distance);
        }
        std::sort(options_.begin(), options_.end());
        next_states_.clear();
        next_taken_.clear();
        for (const Option& option : options_) {
            next_states_.push_back(states_[option.parent]);
            for (std::size_t b = 0; b < blocks_; ++b) {
                next_taken_.push_back(taken_[option.parent * blocks_ + b]);
            }
        }
        states_.swap(next_states_);
        taken_.swap(next_taken_);
    }

    void collect() {
        for (State& state : states_) close_chunk(state);
        const State& best = *std::min_element(states_.begin(), states_.end(), before);
        chosen_.clear();
        for (const std::int32_t c : fixed_) {
            if (c >= 0) chosen_.push_back(candidates_[at(c)]);
        }
        for (std::int32_t t = best.trail; t >= 0; t = trail_[at(t)].previous) {
            chosen_.push_back(candidates_[at(trail_[at(t)].match)]);
        }
        std::sort(chosen_.begin(), chosen_.end(),
                  [](const Match& a, const Match& b) { return a.ref_start < b.ref_start; });
    }

    static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

    Search search_;
    std::size_t beam_, blocks_ = 0;
    std::span<const Match> candidates_;
    std::vector<std::int32_t> hyp_cover_, ref_cover_, fixed_, bit_;
    std::vector<std::size_t> first_;  // candidates that start at j: [first_[j], first_[j + 1])
    std::vector<std::uint64_t> takes_, taken_, next_taken_;
    std::vector<State> states_, next_states_;
    std::vector<Option> options_;
    std::vector<Step> trail_;
    std::vector<Match> chosen_;
};

// What the matchers know about the words of a vocabulary, by word id.
struct WordTable {
    std::span<const std::int64_t> keys;      // words with equal keys are equal
    std::span<const std::int64_t> stems;     // equal stems match; -1 for none
    std::span<const std::int64_t> first_synset;  // synsets of w: [first_synset[w], first_synset[w + 1])
    std::span<const std::int64_t> synsets;   // ascending within a word
    std::span<const std::uint8_t> function;  // 1 for a function word
    std::span<const std::int32_t> phrase_words;  // ids in the paraphrase table, -1 if absent
    const ParaphraseTable* paraphrases = nullptr;

    std::vector<std::uint64_t> synset_marks;  // a bit per synset, to reject most pairs at once

    void mark_synsets() {
        synset_marks.assign(keys.size(), 0);
        for (std::size_t w = 0; w < keys.size(); ++w) {
            for (const std::int64_t s : synsets_of(w)) {
                synset_marks[w] |=
                    std::uint64_t{1} << ((static_cast<std::uint64_t>(s) * 0x9e3779b97f4a7c15) >> 58);
            }
        }
    }

    std::span<const std::int64_t> synsets_of(std::size_t w) const {
        const auto begin = static_cast<std::size_t>(first_synset[w]);
        return synsets.subspan(begin, static_cast<std::size_t>(first_synset[w + 1]) - begin);
    }
};

using WordIds = std::span<const std::uint32_t>;
using StageSet = std::array<bool, kStages>;

// Counts that add up over segments; `alignment_row` fills one.
constexpr std::size_t kAlignmentColumns = 5 + 4 * kStages;

// Finds the candidates of a pair of token sequences, stage by stage, and aligns them.
class Aligner {
public:
    Aligner(const WordTable& words, StageSet stages, Search search)
        : words_(words), stages_(stages), search_(search) {}

    const std::vector<Match>& align(WordIds hyp, WordIds ref) {
        matches_.clear();
        gather(hyp, hyp_keys_, words_.keys);
        gather(ref, ref_keys_, words_.keys);
        for (std::int32_t stage = 0; stage < kStages; ++stage) {
            if (!stages_[static_cast<std::size_t>(stage)]) continue;
            add_stage(static_cast<Stage>(stage), hyp, ref);
            if (hyp_keys_ == ref_keys_) break;  // identical sentences: the first stage suffices
        }
        by_reference(ref.size());
        return search_.run(ordered_, hyp.size(), ref.size());
    }

private:
    template <class Source, class Target>
    static void gather(WordIds ids, std::vector<Target>& out, std::span<const Source> table) {
        out.resize(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) out[i] = table[ids[i]];
    }

    void add_stage(Stage stage, WordIds hyp, WordIds ref) {
        switch (stage) {
            case kExact: add_exact(); break;
            case kStem: add_stems(hyp, ref); break;
            case kSynonym: add_synonyms(hyp, ref); break;
            default: add_paraphrases(hyp, ref);
        }
    }

    void add_word(std::size_t j, std::size_t i, Stage stage) {
        matches_.push_back({static_cast<std::int32_t>(j), 1, static_cast<std::int32_t>(i), 1, stage});
    }

    void add_exact() {
        for (std::size_t j = 0; j < ref_keys_.size(); ++j) {
            for (std::size_t i = 0; i < hyp_keys_.size(); ++i) {
                if (hyp_keys_[i] == ref_keys_[j]) add_word(j, i, kExact);
            }
        }
    }

    void add_stems(WordIds hyp, WordIds ref) {
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

    void add_synonyms(WordIds hyp, WordIds ref) {
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
    void add_paraphrases(WordIds hyp, WordIds ref) {
        gather(hyp, hyp_phrase_words_, words_.phrase_words);
        gather(ref, ref_phrase_words_, words_.phrase_words);
        const ParaphraseTable& table = *words_.paraphrases;
        phrases_.find(table, ref_phrase_words_, hyp_phrase_words_, [&](const PhraseMatch& p) {
            matches_.push_back({p.from_start, p.from_length, p.to_start, p.to_length, kParaphrase});
        });
        phrases_.find(table, hyp_phrase_words_, ref_phrase_words_, [&](const PhraseMatch& p) {
            matches_.push_back({p.to_start, p.to_length, p.from_start, p.from_length, kParaphrase});
        });
    }

    // A stable counting sort by reference position.
    void by_reference(std::size_t ref_length) {
        slots_.assign(ref_length + 1, 0);
        for (const Match& m : matches_) ++slots_[static_cast<std::size_t>(m.ref_start) + 1];
        for (std::size_t j = 0; j < ref_length; ++j) slots_[j + 1] += slots_[j];
        ordered_.resize(matches_.size());
        for (const Match& m : matches_) ordered_[slots_[static_cast<std::size_t>(m.ref_start)]++] = m;
    }

    const WordTable& words_;
    StageSet stages_;
    AlignmentSearch search_;
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

// Fills a row: lengths, function words and chunks, then per stage the matched content and function
// words of the hypothesis and of the reference. A perfect segment (one chunk of all words) has no
// chunks: it is not fragmented.
inline void alignment_row(std::span<const Match> matches, WordIds hyp, WordIds ref,
                          std::span<const std::uint8_t> function, std::int64_t* row) {
    row[0] = static_cast<std::int64_t>(hyp.size());
    row[1] = static_cast<std::int64_t>(ref.size());
    for (const std::uint32_t w : hyp) row[2] += function[w];
    for (const std::uint32_t w : ref) row[3] += function[w];
    std::int64_t covered = 0;
    for (const Match& m : matches) {
        std::int64_t* counts = row + 5 + 4 * m.stage;
        for (std::int32_t k = 0; k < m.hyp_length; ++k) {
            ++counts[function[hyp[static_cast<std::size_t>(m.hyp_start + k)]]];
        }
        for (std::int32_t k = 0; k < m.ref_length; ++k) {
            ++counts[2 + function[ref[static_cast<std::size_t>(m.ref_start + k)]]];
        }
        covered += m.hyp_length + m.ref_length;
    }
    row[4] = chunk_count(matches);
    if (row[4] == 1 && covered == row[0] + row[1]) row[4] = 0;
}

}  // namespace rankwise
