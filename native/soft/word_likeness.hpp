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

    // The word to compare others with, until the next one. It must stay where it is.
    void set(std::u32string_view word) {
        if (word.data() == word_.data() && word.size() == word_.size()) return;
        for (const char32_t letter : word_) places_[letter & 255] = 0;
        word_ = word;
        is_plain_ = true;
        for (std::size_t i = 0; i < word.size(); ++i) {
            is_plain_ &= (word[i] ^ word[0]) <= 255;
            places_[word[i] & 255] |= std::uint64_t{1} << i;
        }
    }

    std::size_t operator()(std::u32string_view other) const {
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
    std::size_t of_short(std::u32string_view other) const {
        const std::size_t row = word_.size() + 1;
        Bits equal = 0;
        char32_t apart = 0;
        for (std::size_t j = other.size(); j-- > 0;) {
            apart |= other[j] ^ word_[0];
            equal = equal << row | places_[other[j] & 255];
        }
        if (!is_plain_ || apart > 255) return of_any(other);
        std::size_t length = 0;
        for (Bits run = equal; run != 0; run = equal & run << (row + 1)) ++length;
        return length;
    }

    // The same with numbers of their own for rows.
    [[gnu::noinline]] std::size_t of_any(std::u32string_view other) const {
        std::uint64_t equal[kMostLetters], run[kMostLetters], any = 0;
        find_equal(other, equal);
        for (std::size_t j = 0; j < other.size(); ++j) any |= run[j] = equal[j];
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

    // Letters of one page of 256 are told apart by their last eight bits.
    void find_equal(std::u32string_view other, std::span<std::uint64_t, kMostLetters> equal) const {
        bool is_plain = is_plain_;
        for (std::size_t j = 0; j < other.size(); ++j) {
            is_plain &= (other[j] ^ word_[0]) <= 255;
            equal[j] = places_[other[j] & 255];
        }
        if (is_plain) return;
        for (std::size_t j = 0; j < other.size(); ++j) {
            equal[j] = 0;
            for (std::size_t i = 0; i < word_.size(); ++i) {
                equal[j] |= std::uint64_t{word_[i] == other[j]} << i;
            }
        }
    }

    std::u32string_view word_;
    bool is_plain_ = true;  // its letters are of one page
    std::uint64_t places_[256] = {};
};

// The words of a vocabulary as they are compared: their letters, what they share with others, and
// their substitutes. Only equal words have likeness 1.
class WordLikeness {
public:
    static constexpr std::size_t kLeastLetters = 4, kMostLetters = LongestCommon::kMostLetters;
    static constexpr double kFloor = 0.3;   // the share of a common part that counts as nothing
    static constexpr double kMost = 0.999;  // of words that differ
    static constexpr double kLeast = 0.1;   // what does not exceed it is no match

    struct Substitute {
        Id word;
        double likeness;
    };
    using Slots = std::span<const std::uint16_t>;

    explicit WordLikeness(const SpelledWords& words) : words_(words), facts_(words.size() + 1) {
        for (Id w = 0; w < words.size(); ++w) {
            facts_[w].letters = compared_letters(words.letters(w));
            facts_[w].slots = static_cast<std::uint32_t>(slots_.size());
            if (facts_[w].letters > 0) add_slots(words.letters(w), facts_[w].signs);
        }
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
            facts_[firsts[k]].signs.substitutes |= sign_of(seconds[k]);
            facts_[seconds[k]].signs.substitutes |= sign_of(firsts[k]);
        }
    }

    std::size_t size() const { return words_.size(); }
    std::u32string_view letters(Id word) const { return words_.letters(word); }

    // None for words that are compared as a whole.
    std::size_t letter_count(Id word) const { return facts_[word].letters; }

    std::span<const Substitute> substitutes(Id word) const {
        const std::uint32_t begin = facts_[word].substitutes;
        return std::span(substitutes_).subspan(begin, facts_[word + 1].substitutes - begin);
    }

    // Numbers below kSlots[n - 2] of the n-grams of a word that has letters, n = 2, 3 or 4: equal
    // n-grams have equal numbers.
    static constexpr std::array<std::size_t, 3> kSlots = {256, 512, 512};
    Slots slots(Id word, std::size_t n) const {
        const std::size_t letters = facts_[word].letters;
        const std::size_t before[] = {0, letters - 1, 2 * letters - 3};
        return std::span(slots_).subspan(facts_[word].slots + before[n - 2], letters + 1 - n);
    }

    // Whether two words may have a likeness above kLeast; if not, they have none.
    bool may_be_alike(Id first, Id second) const {
        const bool may_substitute = (facts_[first].signs.substitutes & sign_of(second)) != 0;
        return (first == second) | may_substitute | may_be_spelled_alike(first, second);
    }

    // Of two words; exact above kLeast, else it may be 0. `common` is changed.
    double operator()(Id first, Id second, LongestCommon& common) const {
        if (first == second) return 1;
        double likeness = 0;
        if (facts_[first].signs.substitutes & sign_of(second)) {
            for (const Substitute& other : substitutes(first)) {
                if (other.word == second) likeness = other.likeness;
            }
        }
        if (!may_be_spelled_alike(first, second)) return likeness;
        common.set(letters(first));
        const std::u32string_view other = letters(second);
        return std::max(likeness, spelled_alike(common(other), letter_count(first) + other.size()));
    }

    // A likeness above kLeast takes a common part of more than 0.185 (n + m) letters: two at least,
    // three from n + m = 11 on and four from 17 on.
    static constexpr std::size_t kTwo = 10, kThree = 16;

    // By the length of their longest common part.
    static double spelled_alike(std::size_t common, std::size_t letters) {
        const double share = 2 * static_cast<double>(common) / static_cast<double>(letters);
        return std::min(kMost, std::max(0.0, (share - kFloor) / (1 - kFloor)));
    }

private:
    // The n-grams of a word, n = 2, 3 and 4, and its substitutes: a bit each, shared with others.
    struct Signs {
        std::uint64_t grams[3] = {}, substitutes = 0;
    };

    struct Facts {
        Signs signs;
        std::uint32_t slots = 0, substitutes = 0, letters = 0;
    };

    static std::uint64_t sign_of(Id word) { return std::uint64_t{1} << (scatter(word) >> 58); }

    // Words that are compared as a whole have no n-grams.
    bool may_be_spelled_alike(Id first, Id second) const {
        const Facts &ours = facts_[first], &theirs = facts_[second];
        const std::uint32_t letters = ours.letters + theirs.letters;
        const std::size_t n = std::size_t{letters > kTwo} + std::size_t{letters > kThree};
        return (ours.signs.grams[n] & theirs.signs.grams[n]) != 0;
    }

    static std::uint32_t compared_letters(std::u32string_view word) {
        const auto is_digit = [](char32_t c) { return c >= U'0' && c <= U'9'; };
        const bool is_whole = word.size() < kLeastLetters || word.size() > kMostLetters ||
                              std::any_of(word.begin(), word.end(), is_digit);
        return is_whole ? 0 : static_cast<std::uint32_t>(word.size());
    }

    void add_slots(std::u32string_view word, Signs& signs) {
        for (std::size_t n = 2; n <= 4; ++n) {
            for (std::size_t i = 0; i + n <= word.size(); ++i) {
                std::uint64_t hash = 0;
                for (std::size_t k = i; k < i + n; ++k) hash = scatter(hash ^ hash >> 32) + word[k];
                slots_.push_back(static_cast<std::uint16_t>(scatter(hash) >> 48) % kSlots[n - 2]);
                signs.grams[n - 2] |= std::uint64_t{1} << slots_.back() % 64;
            }
        }
    }

    const SpelledWords& words_;
    std::vector<Facts> facts_;  // and one behind the last word
    std::vector<std::uint16_t> slots_;
    std::vector<Substitute> substitutes_;
};

}  // namespace rankwise
