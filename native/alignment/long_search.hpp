// METEOR's search for long texts: the same alignment as AlignmentSearch finds, without a list of
// all candidates.
//
// Among the candidates of a state and a run of equal words, only one continues a chunk; the others
// differ in distance alone, which grows with every step away from the reference position. As the
// beam keeps so many options, no more than so many free places on either side can matter: they are
// found by walking outwards, until what is further could not enter the beam.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "alignment/align.hpp"
#include "alignment/taken_places.hpp"
#include "alignment/word_runs.hpp"

namespace rankwise {

// Search::corrected for matches of single words. Keeps its buffers.
class LongSearch {
public:
    explicit LongSearch(std::size_t beam = 40) : beam_(beam) {}

    // The matches that AlignmentSearch chooses, ordered by the reference.
    const std::vector<Match>& run(const WordRuns& runs, std::size_t ref_length) {
        runs_ = &runs;
        states_.assign(1, State{});
        taken_.begin(runs.positions().size());
        trail_.clear();
        trail_limit_ = kTrail;
        for (std::size_t j = 0; j < ref_length; ++j) {
            if (runs.runs(j).empty()) {
                for (State& state : states_) close_chunk(state);
                sort_states();
            } else if (runs.is_unrivalled(j)) {
                apply_everywhere(j);
            } else {
                choose(j);
            }
        }
        collect(ref_length);
        return chosen_;
    }

private:
    struct State {
        std::int32_t covered = 0;    // half words on both sides
        std::int32_t chunks = 0;     // closed ones
        std::int32_t last_end = -1;  // end of the last match in the hypothesis, -1 outside a chunk
        std::int32_t trail = -1;     // last chosen match in trail_, -1 for none
        std::int64_t distance = 0;
    };
    struct Step {
        std::int32_t ref, hyp, previous;
        Stage stage;
    };
    // A state to be: what decides its place in the beam, and how to make it.
    struct Option {
        std::uint64_t words;  // fewer covered words, then more chunks, come later
        std::int64_t distance;
        std::uint64_t order;  // of equals: parent, stage, position
        std::uint32_t parent, place;
        Stage stage;  // kStages: the reference word stays without a match

        bool operator<(const Option& other) const {
            if (words != other.words) return words < other.words;
            return distance != other.distance ? distance < other.distance : order < other.order;
        }
    };

    static std::uint64_t rank(std::int64_t covered, std::int32_t chunks) {
        return (static_cast<std::uint64_t>(0x7fffffff - covered) << 32) |
               static_cast<std::uint32_t>(chunks);
    }
    static std::int32_t gain(Stage stage) { return stage == kExact ? 4 : 2; }

    static void close_chunk(State& state) {
        state.chunks += state.last_end != -1;
        state.last_end = -1;
    }

    static void advance(State& state, std::int32_t position, Stage stage) {
        state.chunks += state.last_end != -1 && state.last_end != position;
        state.covered += gain(stage);
        state.last_end = position + 1;
    }

    static std::int64_t distance(std::size_t j, std::int32_t position) {
        return std::abs(static_cast<std::int64_t>(j) - position);
    }

    static bool before(const State& a, const State& b) {
        const std::uint64_t x = rank(a.covered, a.chunks), y = rank(b.covered, b.chunks);
        return x != y ? x < y : a.distance < b.distance;
    }

    std::int32_t position(std::uint32_t place) const { return runs_->positions()[place]; }

    void apply_everywhere(std::size_t j) {
        const Run& run = runs_->runs(j)[0];
        for (State& state : states_) {
            advance(state, position(run.begin), run.stage);
            state.distance += distance(j, position(run.begin));
        }
        sort_states();
    }

    // A stable sort; the states are nearly in order already.
    void sort_states() {
        if (std::is_sorted(states_.begin(), states_.end(), before)) return;
        order_.clear();
        for (std::uint32_t s = 0; s < states_.size(); ++s) order_.push_back(s);
        std::stable_sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
            return before(states_[a], states_[b]);
        });
        next_states_.clear();
        for (const std::uint32_t s : order_) {
            next_states_.push_back(states_[s]);
            taken_.copy(s);
        }
        states_.swap(next_states_);
        taken_.step();
    }

    void choose(std::size_t j) {
        options_.clear();
        is_full_ = false;
        find_middles(j);
        for (std::uint32_t s = 0; s < states_.size(); ++s) add_options(s, j);
        keep_best();
        std::sort(options_.begin(), options_.end());
        next_states_.clear();
        for (const Option& option : options_) make_state(option, j);
        states_.swap(next_states_);
        taken_.step();
        if (trail_.size() > trail_limit_) forget_lost_steps();
    }

    // The first place of every run that is not before the reference position.
    void find_middles(std::size_t j) {
        middles_.clear();
        const auto positions = runs_->positions();
        for (const Run& run : runs_->runs(j)) {
            const auto middle =
                std::lower_bound(positions.begin() + run.begin, positions.begin() + run.end,
                                 static_cast<std::int32_t>(j));
            middles_.push_back(static_cast<std::uint32_t>(middle - positions.begin()));
        }
    }

    void add_options(std::uint32_t s, std::size_t j) {
        const State& state = states_[s];
        const std::span<const Run> runs = runs_->runs(j);
        for (std::size_t r = 0; r < runs.size(); ++r) {
            continue_chunk(s, j, runs[r]);
            walk_left(s, j, runs[r], middles_[r]);
            walk_right(s, j, runs[r], middles_[r]);
        }
        const std::uint64_t words = rank(state.covered, state.chunks + (state.last_end != -1));
        offer({words, state.distance, order(s, kTurns - 1, 0), s, 0, kStages});
    }

    void continue_chunk(std::uint32_t s, std::size_t j, const Run& run) {
        const State& state = states_[s];
        if (state.last_end == -1 ||
            static_cast<std::size_t>(state.last_end) >= runs_->positions().size()) {
            return;
        }
        const std::uint32_t place = runs_->place_of(state.last_end);
        if (place < run.begin || place >= run.end || taken_.has(s, place)) return;
        offer(option(s, j, run, place, state.chunks));
    }

    // Both walks offer the nearest free places first, at most a beam of them, and end at the first
    // that is too far away.
    void walk_left(std::uint32_t s, std::size_t j, const Run& run, std::uint32_t middle) {
        std::size_t count = 0;
        for (std::uint32_t end = taken_.free_before(s, middle, run.begin); end > run.begin;
             end = taken_.free_before(s, end - 1, run.begin)) {
            if (count++ > beam_ || !offer_apart(s, j, run, end - 1)) return;
        }
    }

    void walk_right(std::uint32_t s, std::size_t j, const Run& run, std::uint32_t middle) {
        std::size_t count = 0;
        for (std::uint32_t place = taken_.free_from(s, middle, run.end); place < run.end;
             place = taken_.free_from(s, place + 1, run.end)) {
            if (count++ > beam_ || !offer_apart(s, j, run, place)) return;
        }
    }

    // Offers a place that continues no chunk; false if it, and all further away, come too late.
    bool offer_apart(std::uint32_t s, std::size_t j, const Run& run, std::uint32_t place) {
        const State& state = states_[s];
        if (position(place) == state.last_end) return true;  // offered already
        const Option made = option(s, j, run, place, state.chunks + (state.last_end != -1));
        if (is_full_ && is_later(made)) return false;
        offer(made);
        return true;
    }

    Option option(std::uint32_t s, std::size_t j, const Run& run, std::uint32_t place,
                  std::int32_t chunks) const {
        const State& state = states_[s];
        return {rank(state.covered + gain(run.stage), chunks),
                state.distance + distance(j, position(place)),
                order(s, run.turn, position(place)),
                s,
                place,
                run.stage};
    }

    static std::uint64_t order(std::uint32_t s, std::uint32_t turn, std::int32_t position) {
        return (std::uint64_t{s} * kTurns + turn) << 32 | static_cast<std::uint32_t>(position);
    }

    bool is_later(const Option& option) const {
        return option.words != last_.words ? option.words > last_.words
                                           : option.distance > last_.distance;
    }

    void offer(const Option& option) {
        if (is_full_ && !(option < last_)) return;
        options_.push_back(option);
        if (options_.size() >= 4 * beam_) keep_best();
    }

    void keep_best() {
        if (options_.size() < beam_) return;
        const auto last = options_.begin() + static_cast<std::ptrdiff_t>(beam_) - 1;
        std::nth_element(options_.begin(), last, options_.end());
        last_ = *last;
        is_full_ = true;
        options_.resize(beam_);
    }

    void make_state(const Option& option, std::size_t j) {
        State state = states_[option.parent];
        if (option.stage == kStages) {
            close_chunk(state);
            taken_.copy(option.parent);
        } else {
            advance(state, position(option.place), option.stage);
            taken_.copy_with(option.parent, option.place);
            trail_.push_back(
                {static_cast<std::int32_t>(j), position(option.place), state.trail, option.stage});
            state.trail = static_cast<std::int32_t>(trail_.size() - 1);
        }
        state.distance = option.distance;
        next_states_.push_back(state);
    }

    // Keeps only the steps that led to a state of the beam.
    void forget_lost_steps() {
        new_numbers_.assign(trail_.size(), -1);
        for (const State& state : states_) {
            for (std::int32_t t = state.trail; t >= 0 && new_numbers_[at(t)] < 0;
                 t = trail_[at(t)].previous) {
                new_numbers_[at(t)] = 0;
            }
        }
        std::int32_t kept = 0;
        const auto renewed = [this](std::int32_t t) { return t < 0 ? t : new_numbers_[at(t)]; };
        for (std::size_t t = 0; t < trail_.size(); ++t) {
            if (new_numbers_[t] < 0) continue;
            new_numbers_[t] = kept;
            Step step = trail_[t];
            step.previous = renewed(step.previous);
            trail_[at(kept++)] = step;
        }
        for (State& state : states_) state.trail = renewed(state.trail);
        trail_.resize(at(kept));
        trail_limit_ = std::max(kTrail, 2 * trail_.size());
    }

    void collect(std::size_t ref_length) {
        for (State& state : states_) close_chunk(state);
        const State& best = *std::min_element(states_.begin(), states_.end(), before);
        chosen_.clear();
        for (std::size_t j = 0; j < ref_length; ++j) {
            if (!runs_->is_unrivalled(j)) continue;
            const Run& run = runs_->runs(j)[0];
            chosen_.push_back({static_cast<std::int32_t>(j), 1, position(run.begin), 1, run.stage});
        }
        for (std::int32_t t = best.trail; t >= 0; t = trail_[at(t)].previous) {
            const Step& step = trail_[at(t)];
            chosen_.push_back({step.ref, 1, step.hyp, 1, step.stage});
        }
        std::sort(chosen_.begin(), chosen_.end(),
                  [](const Match& a, const Match& b) { return a.ref_start < b.ref_start; });
    }

    static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

    static constexpr std::uint32_t kTurns = kStages + 1;  // the stages, then no match
    static constexpr std::size_t kTrail = std::size_t{1} << 16;

    std::size_t beam_;
    const WordRuns* runs_ = nullptr;
    TakenPlaces taken_;
    std::vector<State> states_, next_states_;
    std::vector<Option> options_;
    Option last_{};  // the last of a full beam
    bool is_full_ = false;
    std::vector<std::uint32_t> middles_, order_;
    std::vector<Step> trail_;
    std::size_t trail_limit_ = kTrail;
    std::vector<std::int32_t> new_numbers_;
    std::vector<Match> chosen_;
};

}  // namespace rankwise
