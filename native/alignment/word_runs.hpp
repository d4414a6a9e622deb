// The words of a hypothesis that each word of a reference matches, as runs of places instead of a
// list of pairs: a word that both texts have n times has one run, not n * n candidates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/align.hpp"
#include "alignment/word_table.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Places [begin, end) of one word of the hypothesis, which a stage calls equal to a reference word.
struct Run {
    std::uint32_t begin, end;
    Stage stage;
    std::uint32_t turn;  // of the stage: candidates of an earlier one come first
};

// Finds the runs of a pair of texts for matchers of single words. Keeps its buffers.
class WordRuns {
public:
    // Runs of all distinct words of the reference, at most; beyond it the texts are refused.
    static constexpr std::size_t kMost = std::size_t{1} << 22;

    void index(const WordTable& words, std::span<const Stage> stages, Ids hyp, Ids ref) {
        words_ = &words;
        place_words(hyp);
        list_forms();
        number_references(ref);
        runs_.clear();
        ends_.clear();
        const bool are_equal = have_equal_keys(hyp, ref);
        for (const Id word : ref_words_) {
            for (std::size_t turn = 0; turn < (are_equal ? 1 : stages.size()); ++turn) {
                add_stage(word, stages[turn], static_cast<std::uint32_t>(turn));
            }
            ends_.push_back(runs_.size());
        }
        count_rivals(ref);
    }

    // Places are ordered by word, those of one word by position.
    std::span<const std::int32_t> positions() const { return positions_; }
    std::uint32_t place_of(std::int32_t position) const {
        return places_[static_cast<std::size_t>(position)];
    }

    // What the reference word at a position matches.
    std::span<const Run> runs(std::size_t ref_position) const {
        return runs_of(ref_numbers_[ref_position]);
    }

    // Is there one candidate for the reference word there, which has no rival on either side?
    bool is_unrivalled(std::size_t ref_position) const {
        const std::span<const Run> found = runs(ref_position);
        return found.size() == 1 && found[0].end - found[0].begin == 1 &&
               rivals_[found[0].begin] == 1;
    }

private:
    struct HypWord {
        Id id;
        std::uint32_t begin, end;
    };
    struct Form {
        std::int64_t form;
        std::uint32_t word;  // number in hyp_words_
        bool operator<(const Form& other) const {
            return form != other.form ? form < other.form : word < other.word;
        }
    };

    std::span<const Run> runs_of(std::size_t word) const {
        const std::size_t begin = word == 0 ? 0 : ends_[word - 1];
        return std::span(runs_).subspan(begin, ends_[word] - begin);
    }

    // Ids with their positions, in order.
    void sort_by_word(Ids text) {
        sorted_.clear();
        for (std::size_t i = 0; i < text.size(); ++i) {
            sorted_.push_back(std::uint64_t{text[i]} << 32 | i);
        }
        std::sort(sorted_.begin(), sorted_.end());
    }

    void place_words(Ids hyp) {
        sort_by_word(hyp);
        positions_.resize(hyp.size());
        places_.resize(hyp.size());
        hyp_words_.clear();
        for (std::uint32_t place = 0; place < hyp.size(); ++place) {
            const Id id = static_cast<Id>(sorted_[place] >> 32);
            const auto position = static_cast<std::uint32_t>(sorted_[place]);
            positions_[place] = static_cast<std::int32_t>(position);
            places_[position] = place;
            if (hyp_words_.empty() || hyp_words_.back().id != id) {
                hyp_words_.push_back({id, place, place});
            }
            hyp_words_.back().end = place + 1;
        }
    }

    void list_forms() {
        by_key_.clear(), by_stem_.clear(), by_synset_.clear();
        for (std::uint32_t k = 0; k < hyp_words_.size(); ++k) {
            const Id id = hyp_words_[k].id;
            by_key_.push_back({words_->keys[id], k});
            if (words_->stems[id] >= 0) by_stem_.push_back({words_->stems[id], k});
            for (const std::int64_t synset : words_->synsets_of(id)) {
                by_synset_.push_back({synset, k});
            }
        }
        for (auto* forms : {&by_key_, &by_stem_, &by_synset_}) {
            std::sort(forms->begin(), forms->end());
        }
    }

    void number_references(Ids ref) {
        sort_by_word(ref);
        ref_words_.clear();
        ref_numbers_.resize(ref.size());
        for (const std::uint64_t entry : sorted_) {
            const Id id = static_cast<Id>(entry >> 32);
            if (ref_words_.empty() || ref_words_.back() != id) ref_words_.push_back(id);
            ref_numbers_[static_cast<std::uint32_t>(entry)] = ref_words_.size() - 1;
        }
    }

    bool have_equal_keys(Ids hyp, Ids ref) const {
        return std::equal(hyp.begin(), hyp.end(), ref.begin(), ref.end(),
                          [this](Id a, Id b) { return words_->keys[a] == words_->keys[b]; });
    }

    void add_stage(Id word, Stage stage, std::uint32_t turn) {
        found_.clear();
        if (stage == kExact) {
            find(by_key_, words_->keys[word]);
        } else if (stage == kStem && words_->stems[word] >= 0) {
            find(by_stem_, words_->stems[word]);
        } else if (stage == kSynonym) {
            for (const std::int64_t synset : words_->synsets_of(word)) find(by_synset_, synset);
            std::sort(found_.begin(), found_.end());
            found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
        }
        for (const std::uint32_t k : found_) {
            const HypWord& other = hyp_words_[k];
            if (stage != kExact && words_->keys[other.id] == words_->keys[word]) continue;
            runs_.push_back({other.begin, other.end, stage, turn});
        }
        if (runs_.size() > kMost) throw TooManyMatches();
    }

    void find(const std::vector<Form>& forms, std::int64_t form) {
        auto next = std::lower_bound(forms.begin(), forms.end(), Form{form, 0});
        for (; next != forms.end() && next->form == form; ++next) found_.push_back(next->word);
    }

    // How many candidates cover each word of the hypothesis, by place.
    void count_rivals(Ids ref) {
        times_.assign(ref_words_.size(), 0);
        for (std::size_t j = 0; j < ref.size(); ++j) ++times_[ref_numbers_[j]];
        rivals_.assign(positions_.size() + 1, 0);  // first as differences of neighbours
        for (std::size_t r = 0; r < ref_words_.size(); ++r) {
            for (const Run& run : runs_of(r)) {
                rivals_[run.begin] += times_[r];
                rivals_[run.end] -= times_[r];
            }
        }
        for (std::size_t p = 1; p < rivals_.size(); ++p) rivals_[p] += rivals_[p - 1];
    }

    const WordTable* words_ = nullptr;
    std::vector<std::uint64_t> sorted_;
    std::vector<std::int32_t> positions_;
    std::vector<std::uint32_t> places_, found_;
    std::vector<HypWord> hyp_words_;
    std::vector<Form> by_key_, by_stem_, by_synset_;
    std::vector<Id> ref_words_;
    std::vector<std::size_t> ref_numbers_, ends_;
    std::vector<Run> runs_;
    std::vector<std::int64_t> times_, rivals_;
};

}  // namespace rankwise
