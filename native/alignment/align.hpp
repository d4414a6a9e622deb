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
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <vector>

namespace rankwise {

// More words of two texts match each other than can be weighed.
struct TooManyMatches : std::length_error {
    TooManyMatches() : std::length_error("too many words match each other") {}
};

enum Stage : std::int32_t { kExact, kStem, kSynonym, kParaphrase, kStages };

enum class Search { corrected, original };

struct Match {
    std::int32_t ref_start, ref_length, hyp_start, hyp_length, stage;
};

// Finds the best set of candidates. Keeps its buffers, so one object serves many pairs.
class AlignmentSearch {
public:
    explicit AlignmentSearch(Search search, std::size_t beam = 40) : search_(search), beam_(beam) {}

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
        std::int32_t covered;   // (half) words on both sides
        std::int32_t chunks;    // closed ones
        std::int32_t next;      // first reference position not yet decided
        std::int32_t last_end;  // end of the last match in the hypothesis, -1 outside a chunk
        std::int64_t distance;
        std::int32_t trail;  // last chosen match in trail_, -1 for none
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

    // Only hypothesis words that several candidates cover can be taken; each gets a bit, so that a
    // candidate takes the bits from bits_before_ its first word to bits_before_ its end.
    void number_contested_words() {
        bits_before_.assign(hyp_cover_.size() + 1, 0);
        for (std::size_t i = 0; i < hyp_cover_.size(); ++i) {
            bits_before_[i + 1] = bits_before_[i] + (hyp_cover_[i] > 1);
        }
        blocks_ = (bits_before_.back() + 63) / 64;
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
            const Match& m = candidates_[c];
            if (!is_free(s, m)) continue;
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

    bool is_free(std::size_t s, const Match& m) const {
        const auto taken = std::span(taken_).subspan(s * blocks_, blocks_);
        for (std::size_t b = first_bit(m); b < end_bit(m); ++b) {
            if (taken[b / 64] >> (b % 64) & 1) return false;
        }
        return true;
    }

    void take(const Match& m, std::span<std::uint64_t> taken) const {
        for (std::size_t b = first_bit(m); b < end_bit(m); ++b) {
            taken[b / 64] |= std::uint64_t{1} << (b % 64);
        }
    }

    std::size_t first_bit(const Match& m) const { return bits_before_[at(m.hyp_start)]; }
    std::size_t end_bit(const Match& m) const {
        return bits_before_[at(m.hyp_start + m.hyp_length)];
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
            take(candidates_[at(option.match)], std::span(next_taken_).subspan(row, blocks_));
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
    std::vector<std::int32_t> hyp_cover_, ref_cover_, fixed_;
    std::vector<std::size_t> bits_before_;
    std::vector<std::size_t> first_;  // candidates that start at j: [first_[j], first_[j + 1])
    std::vector<std::uint64_t> taken_, next_taken_;
    std::vector<State> states_, next_states_;
    std::vector<Option> options_;
    std::vector<Step> trail_;
    std::vector<Match> chosen_;
};

}  // namespace rankwise
