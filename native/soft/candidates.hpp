// Which words of a hypothesis and of a reference might be matched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "soft/neighbour_pairs.hpp"
#include "soft/one_to_one.hpp"
#include "soft/reference_words.hpp"
#include "soft/word_likeness.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Finds candidates: pairs of words with a likeness above WordLikeness::kLeast. Keeps its buffers.
//
// They are found in four steps, the better ones first, and only of words that are still free when
// the step begins. All candidates of a step come before all of the next, so to choose among those
// of one step after the other is to choose among all; but most words are taken before the many are
// looked for that might match a little.
class CandidateSearch {
public:
    explicit CandidateSearch(const WordLikeness& likeness)
        : likeness_(likeness), words_(likeness), common_(likeness.alphabet()) {}

    // The two texts, which must stay where they are.
    void start(Ids hypothesis, Ids reference) {
        hypothesis_ = hypothesis;
        reference_ = reference;
        put_between_borders(hypothesis, ours_);
        put_between_borders(reference, theirs_);
        words_.set(reference);
        pairs_.set(theirs_);
        pairs_at_.resize(hypothesis.size() + 1);
        for (std::size_t i = 0; i <= hypothesis.size(); ++i) {
            pairs_at_[i] = pairs_.first(ours_[i], ours_[i + 1]);
        }
        soft_.resize(ours_.size());
        for (std::size_t i = 0; i < ours_.size(); ++i) {
            soft_[i] = likeness_.may_be_like_others(ours_[i]);
        }
        values_.resize(reference.size());
        marks_.resize(reference.size() / 64 + 1);
    }

    // First: equal words between equal words. No others have a rank as high.
    void find_certain(std::vector<Candidate>& found) const {
        found.clear();
        for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
            std::uint32_t before = pairs_at_[i], behind = pairs_at_[i + 1];
            while (before != kNone && behind != kNone) {
                if (before + 1 == behind) found.push_back({i, before, 1, 2});
                const bool is_first = before < behind;
                if (is_first) before = pairs_.next(before);
                if (!is_first) behind = pairs_.next(behind);
            }
        }
    }

    // Then those of a rank above 1: equal words beside some that are alike, and a few that are
    // nearly equal.
    void find_supported(Matches ours, Matches theirs, std::vector<Candidate>& found) {
        found.clear();
        even_.clear();
        words_.set_spelled(theirs);
        bool is_sorted = true;
        for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
            if (!ours[i].is_free()) continue;
            if (!(soft_[i] | soft_[i + 1] | soft_[i + 2])) {
                add_beside_equal(i, theirs, found);
                continue;
            }
            words_.for_places(hypothesis_[i], [&](std::uint32_t j) {
                const bool is_supported = likeness_.may_be_alike(ours_[i], theirs_[j]) |
                                          likeness_.may_be_alike(ours_[i + 2], theirs_[j + 2]);
                if (is_supported & theirs[j].is_free()) add_supported({i, j, 1, 0}, found);
            });
            if (soft_[i + 1] && add_nearly_equal(i, theirs, found)) is_sorted = false;
        }
        if (!is_sorted) sort(found);
    }

    // Then those of a rank of 1. Mostly all are equal words: takes these, word by word, and
    // leaves no candidate.
    void take_equal(OneToOne& chosen, std::vector<Candidate>& found) {
        found.clear();
        for (const Candidate& c : even_) {
            if (is_free(c, chosen)) found.push_back(c);
        }
        if (!found.empty()) return add_equal(chosen, found);
        line_up_ours(chosen.ours());
        for (std::uint32_t number = 1; number <= words_.count(); ++number) {
            if (our_firsts_[number] == kNone) continue;
            our_places_.clear(), their_places_.clear();
            for (std::uint32_t i = our_firsts_[number]; i != kNone; i = our_next_[i]) {
                our_places_.push_back(i);
            }
            words_.for_numbered(number, [&](std::uint32_t j) {
                if (chosen.theirs()[j].is_free()) their_places_.push_back(j);
            });
            chosen.choose_nearest(our_places_, their_places_);
        }
    }

    // At last all others, none of which are equal words.
    void find_alike(Matches ours, Matches theirs, std::vector<Candidate>& found) {
        found.clear();
        words_.drop_taken(theirs);
        for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
            if (!(ours[i].is_free() & soft_[i + 1])) continue;
            mark_substitutes(hypothesis_[i], theirs);
            mark_spelled_alike(hypothesis_[i], theirs);
            const std::size_t begin = found.size();
            take_marked(i, found);
            join_neighbours(std::span(found).subspan(begin));
        }
    }

private:
    static constexpr std::uint32_t kNone = NeighbourPairs::kNone;

    void put_between_borders(Ids words, std::vector<Id>& out) const {
        out.resize(words.size() + 2);
        out.front() = likeness_.before_all();
        std::copy(words.begin(), words.end(), out.begin() + 1);
        out.back() = likeness_.behind_all();
    }

    // By places, each pair of places once.
    static void sort(std::vector<Candidate>& found) {
        const auto places = [](const Candidate& c) { return std::pair(c.ours, c.theirs); };
        std::ranges::sort(found, {}, places);
        const auto others = std::ranges::unique(found, {}, places);
        found.erase(others.begin(), others.end());
    }

    // -- equal and nearly equal words

    static bool is_free(const Candidate& c, const OneToOne& chosen) {
        return chosen.ours()[c.ours].is_free() && chosen.theirs()[c.theirs].is_free();
    }

    // All equal words, beside what is found.
    void add_equal(const OneToOne& chosen, std::vector<Candidate>& found) const {
        for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
            words_.for_places(hypothesis_[i], [&](std::uint32_t j) {
                const Candidate c{i, j, 1, 0};
                if (is_free(c, chosen)) found.push_back(c);
            });
        }
        sort(found);
    }

    // Our free words by their number in the reference.
    void line_up_ours(Matches ours) {
        our_firsts_.assign(words_.count() + 1, kNone);
        our_next_.resize(ours.size());
        for (auto i = static_cast<std::uint32_t>(ours.size()); i-- > 0;) {  // so that chains rise
            if (!ours[i].is_free()) continue;
            std::uint32_t& first = our_firsts_[words_.number(hypothesis_[i])];
            our_next_[i] = std::exchange(first, i);
        }
    }

    // Equal words with an equal word before them or behind; none has both.
    void add_beside_equal(std::uint32_t i, Matches theirs, std::vector<Candidate>& found) const {
        std::uint32_t before = pairs_at_[i], behind = pairs_at_[i + 1];
        while (before != kNone || behind != kNone) {
            const bool is_first = before < behind;
            const std::uint32_t j = is_first ? before : behind - 1;
            if (is_first) before = pairs_.next(before);
            if (!is_first) behind = pairs_.next(behind);
            if (theirs[j].is_free()) found.push_back({i, j, 1, 1});
        }
    }

    // Adds a candidate if its rank is above 1. Words that differ and have a rank of 1 are kept for
    // later.
    void add_supported(Candidate c, std::vector<Candidate>& found) {
        join_neighbours({&c, 1});
        if (c.rank() > 1) found.push_back(c);
        if (c.likeness < 1 && c.rank() == 1) even_.push_back(c);
    }

    // Whether there are any.
    bool add_nearly_equal(std::uint32_t i, Matches theirs, std::vector<Candidate>& found) {
        const Id word = hypothesis_[i];
        const std::size_t size = found.size();
        nearly_equal_.clear();
        const auto add = [&](Id other) {
            if (other != word) nearly_equal_.push_back(other);
        };
        for (const auto& substitute : likeness_.substitutes(word)) {
            if (substitute.likeness > WordLikeness::kNearly) add(substitute.word);
        }
        if (likeness_.letter_count(word) > 0) words_.for_nearly_equal(word, add);
        for (const Id other : nearly_equal_) {
            const double likeness = likeness_(word, other, common_);
            if (likeness <= WordLikeness::kNearly) continue;
            words_.for_places(other, [&](std::uint32_t j) {
                if (theirs[j].is_free()) add_supported({i, j, likeness, 0}, found);
            });
        }
        return found.size() > size;
    }

    // -- words that are alike

    bool is_marked(std::size_t place) const { return marks_[place / 64] >> place % 64 & 1; }

    void mark(std::size_t place, double likeness, Matches theirs) {
        marks_[place / 64] |= std::uint64_t{theirs[place].is_free()} << place % 64;
        values_[place] = likeness;
    }

    // Of two equal pairs of substitutes the last counts.
    void mark_substitutes(Id word, Matches theirs) {
        for (const auto& substitute : likeness_.substitutes(word)) {
            words_.for_places(substitute.word,
                              [&](std::size_t j) { mark(j, substitute.likeness, theirs); });
        }
    }

    // Of words that are substitutes too the larger likeness counts.
    void mark_spelled_alike(Id word, Matches theirs) {
        if (likeness_.letter_count(word) == 0) return;
        words_.for_alike(word, [&](Id other) {
            const double likeness = likeness_.spelled_alike(word, other, common_);
            if (likeness <= WordLikeness::kLeast) return;
            words_.for_places(other, [&](std::size_t j) {
                mark(j, is_marked(j) ? std::max(values_[j], likeness) : likeness, theirs);
            });
        });
    }

    // Makes candidates of what is marked, and marks nothing.
    void take_marked(std::uint32_t i, std::vector<Candidate>& found) {
        for (std::size_t block = 0; block < marks_.size(); ++block) {
            for_bits(std::exchange(marks_[block], 0), [&](std::size_t bit) {
                const auto j = static_cast<std::uint32_t>(64 * block + bit);
                if (values_[j] > WordLikeness::kLeast) found.push_back({i, j, values_[j], 0});
            });
        }
    }

    // -- neighbours

    // The borders of the texts are words that are equal.
    void join_neighbours(std::span<Candidate> row) {
        for (Candidate& c : row) c.neighbours = likeness(ours_[c.ours], theirs_[c.theirs]);
        for (Candidate& c : row) c.neighbours += likeness(ours_[c.ours + 2], theirs_[c.theirs + 2]);
    }

    // Nothing if it is not above kLeast.
    double likeness(Id first, Id second) {
        if (!likeness_.may_be_alike(first, second)) return 0;
        const double found = likeness_(first, second, common_);
        return found > WordLikeness::kLeast ? found : 0;
    }

    const WordLikeness& likeness_;
    Ids hypothesis_, reference_;
    std::vector<Id> ours_, theirs_;  // the same between words that stand for borders
    ReferenceWords words_;
    NeighbourPairs pairs_;
    LongestCommon common_;
    std::vector<std::uint32_t> pairs_at_;  // the first pair of the reference like one of ours
    std::vector<std::uint8_t> soft_;  // whether those of ours_ may be like others than themselves
    std::vector<Id> nearly_equal_;    // to a word
    std::vector<std::uint32_t> our_firsts_, our_next_;      // places: by number, and by place
    std::vector<std::uint32_t> our_places_, their_places_;  // of a word
    std::vector<Candidate> even_;       // of words that differ and have a rank of 1
    std::vector<std::uint64_t> marks_;  // a bit for every place of the reference
    std::vector<double> values_;        // likeness at a place that is marked
};

}  // namespace rankwise
