// How alike two words are: equal, known substitutes, or with a long common part.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/spelled_words.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Letters of the longest string that two words of up to 64 letters hold. Keeps a table.
class LongestCommon {
public:
    static constexpr std::size_t kMostLetters = 64;

    // Letters are numbers below `alphabet`.
    explicit LongestCommon(std::size_t alphabet) : places_(alphabet, 0) {}

    // The word to compare others with, until the next one. It must stay where it is.
    void set(Ids word) {
        if (word.data() == word_.data() && word.size() == word_.size()) return;
        for (const Id letter : word_) places_[letter] = 0;
        word_ = word;
        for (std::size_t i = 0; i < word.size(); ++i) places_[word[i]] |= std::uint64_t{1} << i;
    }

    std::size_t operator()(Ids other) const {
        const std::size_t bits = (word_.size() + 1) * other.size();
        if (bits <= 64 && other.size() > 1) return of_short<std::uint64_t>(other);
        if (bits <= 128 && other.size() > 1) return of_short<Bits128>(other);
        return of_any(other);
    }

private:
    __extension__ typedef unsigned __int128 Bits128;

    // Which letters are equal, one row for each letter of the other, all in one number. Bit i of
    // row j of `run` says that a common part of the length looked at ends with letter i of the word
    // that was set and with letter j of the other; the bit that ends a row is never set.
    template <class Bits>
    std::size_t of_short(Ids other) const {
        const std::size_t row = word_.size() + 1;
        Bits equal = 0;
        for (std::size_t j = other.size(); j-- > 0;) equal = equal << row | places_[other[j]];
        std::size_t length = 0;
        for (Bits run = equal; run != 0; run = equal & run << (row + 1)) ++length;
        return length;
    }

    // The same with numbers of their own for rows.
    [[gnu::noinline]] std::size_t of_any(Ids other) const {
        std::uint64_t equal[kMostLetters], run[kMostLetters], any = 0;
        for (std::size_t j = 0; j < other.size(); ++j) {
            any |= run[j] = equal[j] = places_[other[j]];
        }
        std::size_t length = 0;
        for (; any != 0; ++length) {
            any = 0;
            for (std::size_t j = other.size(); j-- > length + 1;) {
                run[j] = equal[j] & run[j - 1] << 1;
                any |= run[j];
            }
        }
        return length;
    }

    Ids word_;
    std::vector<std::uint64_t> places_;  // by letter
};

// Letters by number: 0, 1, 2 ... as they appear.
class LetterNumbers {
public:
    Id operator()(char32_t letter) {
        std::vector<Id>& page = pages_[letter / kPage];
        if (page.empty()) page.assign(kPage, kAbsent);
        Id& number = page[letter % kPage];
        if (number == kAbsent) number = size_++;
        return number;
    }

    Id size() const { return size_; }

private:
    static constexpr std::size_t kPage = 256;

    std::vector<std::vector<Id>> pages_{0x110000 / kPage};
    Id size_ = 0;
};

// The words of a vocabulary as they are compared: their letters, what they share with others, and
// their substitutes. Only equal words have likeness 1.
class WordLikeness {
public:
    static constexpr std::size_t kLeastLetters = 4, kMostLetters = LongestCommon::kMostLetters;
    static constexpr double kFloor = 0.3;    // the share of a common part that counts as nothing
    static constexpr double kMost = 0.999;   // of words that differ
    static constexpr double kLeast = 0.1;    // what does not exceed it is no match
    static constexpr double kNearly = 0.79;  // from a little more on, neighbours may lift it to 1

    struct Substitute {
        Id word;
        double likeness;
    };
    using Slots = std::span<const std::uint16_t>;

    explicit WordLikeness(const SpelledWords& words)
        : size_(words.size()), facts_(words.size() + 3), places_(words.size() + 2) {
        LetterNumbers numbers;
        for (Id w = 0; w < words.size(); ++w) {
            const std::u32string_view word = words.letters(w);
            places_[w] = {letters_.size(), slots_.size()};
            facts_[w].letters = compared_letters(word);
            if (facts_[w].letters == 0) continue;
            for (const char32_t letter : word) letters_.push_back(numbers(letter));
            add_slots(letters(w), facts_[w]);
        }
        alphabet_ = numbers.size();
    }

    // Pairs of words and how well they stand for each other, either way; of equal pairs the last.
    void set_substitutes(std::span<const Id> firsts, std::span<const Id> seconds,
                         std::span<const double> likenesses) {
        for (std::size_t k = 0; k < firsts.size(); ++k) {
            ++facts_[firsts[k]].substitutes, ++facts_[seconds[k]].substitutes;
        }
        std::uint32_t end = 0;
        for (Facts& facts : facts_) facts.substitutes = end += facts.substitutes;
        substitutes_.resize(end);
        for (std::size_t k = firsts.size(); k-- > 0;) {  // each goes before those that are there
            const double likeness = std::min(likenesses[k], kMost);
            substitutes_[--facts_[firsts[k]].substitutes] = {seconds[k], likeness};
            substitutes_[--facts_[seconds[k]].substitutes] = {firsts[k], likeness};
            facts_[firsts[k]].substitute_signs |= sign_of(seconds[k]);
            facts_[seconds[k]].substitute_signs |= sign_of(firsts[k]);
        }
    }

    std::size_t size() const { return size_; }

    // Words that stand before the first and behind the last of a text; like no others.
    Id before_all() const { return static_cast<Id>(size_); }
    Id behind_all() const { return static_cast<Id>(size_ + 1); }

    // Of a word, as numbers below alphabet(); none for words that are compared as a whole.
    Ids letters(Id word) const {
        return Ids(letters_).subspan(places_[word].letters, facts_[word].letters);
    }
    std::size_t alphabet() const { return alphabet_; }

    std::size_t letter_count(Id word) const { return facts_[word].letters; }

    std::span<const Substitute> substitutes(Id word) const {
        const std::uint32_t begin = facts_[word].substitutes;
        return std::span(substitutes_).subspan(begin, facts_[word + 1].substitutes - begin);
    }

    // Numbers below kSlots of the n-grams of a word that has letters, n = 2, 3 or 4: equal n-grams
    // have equal numbers, and those of other n have others.
    static constexpr std::array<std::uint16_t, 4> kBegins = {0, 256, 768, 1280};
    static constexpr std::size_t kSlots = kBegins[3];
    Slots slots(Id word, std::size_t n) const {
        const std::size_t letters = facts_[word].letters;
        const std::size_t before[] = {0, letters - 1, 2 * letters - 3};
        return slots(word).subspan(before[n - 2], letters + 1 - n);
    }
    Slots slots(Id word) const {
        return std::span(slots_).subspan(places_[word].slots, 3 * facts_[word].letters - 6);
    }

    // Whether it has letters or substitutes.
    bool may_be_like_others(Id word) const {
        return (facts_[word].letters > 0) | (facts_[word].substitute_signs != 0);
    }

    // Whether two words may have a likeness above kLeast; if not, they have none.
    bool may_be_alike(Id first, Id second) const {
        const bool may_substitute = (facts_[first].substitute_signs & sign_of(second)) != 0;
        return (first == second) | may_substitute | may_be_spelled_alike(first, second);
    }

    // Of two words; exact above kLeast, else it may be 0. `common` is changed.
    double operator()(Id first, Id second, LongestCommon& common) const {
        if (first == second) return 1;
        double likeness = 0;
        if (facts_[first].substitute_signs & sign_of(second)) {
            const auto ours = substitutes(first), theirs = substitutes(second);
            const bool is_shorter = ours.size() <= theirs.size();
            for (const Substitute& other : is_shorter ? ours : theirs) {
                likeness = other.word == (is_shorter ? second : first) ? other.likeness : likeness;
            }
        }
        if (!may_be_spelled_alike(first, second)) return likeness;
        return std::max(likeness, spelled_alike(first, second, common));
    }

    // Of two words that have letters, by these alone.
    double spelled_alike(Id first, Id second, LongestCommon& common) const {
        common.set(letters(first));
        const Ids other = letters(second);
        return spelled_alike(common(other), letter_count(first) + other.size());
    }

    // A likeness above kLeast takes a common part of more than 0.185 (n + m) letters: two at least,
    // three from n + m = 11 on and four from 17 on.
    static constexpr std::size_t kTwo = 10, kThree = 16;

    // Of the n-grams, n = 4, in the middle of a word that has letters: every word with a likeness
    // above kNearly has one of them. That takes a common part of more than 0.426 (n + m) letters,
    // and so of at least 0.743 n of either word: the middle is in it, wherever it begins. Of five
    // letters it may be the first four or the last.
    Slots middle_slots(Id word) const {
        const std::size_t letters = facts_[word].letters;
        return slots(word, 4).subspan((letters - 4) / 2, letters == 5 ? 2 : 1);
    }

    // Whether the longest part that two words can have in common is long enough for that.
    bool may_be_nearly_equal(Id first, Id second) const {
        const std::size_t n = letter_count(first), m = letter_count(second);
        return spelled_alike(std::min(n, m), n + m) > kNearly;
    }

    // By the length of their longest common part.
    static double spelled_alike(std::size_t common, std::size_t letters) {
        const double share = 2 * static_cast<double>(common) / static_cast<double>(letters);
        return std::min(kMost, std::max(0.0, (share - kFloor) / (1 - kFloor)));
    }

private:
    // What is asked of pairs of words, in one line of a cache. Its n-grams, n = 2, 3 and 4, and its
    // substitutes are signs, a bit each, shared with others; n-grams have two, for fewer share
    // both.
    struct alignas(64) Facts {
        std::uint64_t grams[3] = {}, other_grams[3] = {}, substitute_signs = 0;
        std::uint32_t substitutes = 0, letters = 0;
    };

    // Where its letters and its slots begin.
    struct Places {
        std::size_t letters = 0, slots = 0;
    };

    static std::uint64_t sign_of(Id word) { return std::uint64_t{1} << (scatter(word) >> 58); }

    // Words that are compared as a whole have no n-grams.
    bool may_be_spelled_alike(Id first, Id second) const {
        const Facts &ours = facts_[first], &theirs = facts_[second];
        const std::uint32_t letters = ours.letters + theirs.letters;
        const std::size_t n = std::size_t{letters > kTwo} + std::size_t{letters > kThree};
        return ((ours.grams[n] & theirs.grams[n]) != 0) &
               ((ours.other_grams[n] & theirs.other_grams[n]) != 0);
    }

    static std::uint32_t compared_letters(std::u32string_view word) {
        const auto is_digit = [](char32_t c) { return c >= U'0' && c <= U'9'; };
        const bool is_whole = word.size() < kLeastLetters || word.size() > kMostLetters ||
                              std::any_of(word.begin(), word.end(), is_digit);
        return is_whole ? 0 : static_cast<std::uint32_t>(word.size());
    }

    // Of n-grams up to four letters as numbers of 16 bits each; of more letters some share slots.
    void add_slots(Ids word, Facts& facts) {
        for (std::size_t n = 2; n <= 4; ++n) {
            const std::uint64_t all = ~std::uint64_t{0} >> (64 - 16 * n);
            std::uint64_t gram = 0;
            for (std::size_t i = 0; i < word.size(); ++i) {
                gram = (gram << 16 ^ word[i]) & all;
                if (i + 1 < n) continue;
                const auto size = static_cast<std::uint64_t>(kBegins[n - 1] - kBegins[n - 2]);
                const std::uint64_t hash = scatter(gram), slot = (hash >> 48) % size;
                slots_.push_back(static_cast<std::uint16_t>(kBegins[n - 2] + slot));
                facts.grams[n - 2] |= std::uint64_t{1} << slot % 64;
                facts.other_grams[n - 2] |= std::uint64_t{1} << (hash >> 40) % 64;
            }
        }
    }

    std::size_t size_;
    std::vector<Facts> facts_;  // and of what is before and behind all, and one more
    std::vector<Places> places_;
    std::vector<Id> letters_;
    std::size_t alphabet_ = 0;
    std::vector<std::uint16_t> slots_;
    std::vector<Substitute> substitutes_;
};

}  // namespace rankwise
