// Token statistics of segments: the counts of BLEU and of word overlap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ngrams/ngrams.hpp"
#include "ngrams/placed_words.hpp"
#include "ngrams/word_ngrams.hpp"
#include "text/character_words.hpp"
#include "text/text.hpp"
#include "text/tokenise.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// Texts of one segment as ids of tokens: those of the references, and where the hypothesis has the
// same token, the same id.
class NumberedSegment {
public:
    explicit NumberedSegment(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

    void read(StringView hypothesis, std::span<const StringView> references) {
        tokenise(hypothesis, references);
        number();
    }

    // The first half of read(), after which there are tokens.
    void tokenise(StringView hypothesis, std::span<const StringView> references) {
        if (texts_.size() < references.size() + 1) texts_.resize(references.size() + 1);
        count_ = references.size() + 1;
        std::uint8_t width = hypothesis.width;
        for (const StringView& view : references) width = std::max(width, view.width);
        texts_[0].read(hypothesis, width, tokenizer_);
        for (std::size_t r = 0; r < references.size(); ++r) {
            texts_[r + 1].read(references[r], width, tokenizer_);
        }
    }

    // The second half, after which there are ids.
    void number() {
        const std::span<Text> texts = std::span(texts_).first(count_);
        if (has_characters()) {
            characters_.number(texts);
            size_ = characters_.size();
        } else {
            vocabulary_.clear();
            for (Text& text : texts.subspan(1)) vocabulary_.number(text.words(), text.ids);
            vocabulary_.look_up(texts[0].words(), texts[0].ids);
            size_ = vocabulary_.size();
        }
        references_.clear();
        for (const Text& text : texts.subspan(1)) references_.emplace_back(text.ids);
    }

    // Whether most words are characters.
    bool has_characters() const { return CharacterWords::suits(texts_[1].tokens); }

    // The tokens of the hypothesis, 0, and of the references, from 1.
    std::size_t texts() const { return count_; }
    Words words(std::size_t text) const { return texts_[text].words(); }

    std::size_t vocabulary() const { return size_; }
    Ids hypothesis() const { return texts_[0].ids; }
    std::span<const Ids> references() const { return references_; }

private:
    struct Text {
        std::u32string points;  // of a text that had to be rewritten
        std::string bytes;      // the same, in as few bytes as the widest text of the segment needs
        std::vector<Token> tokens;
        std::vector<Id> ids;
        std::uint8_t width = 1;

        // sacreBLEU cuts white space off the end before it tokenises, which 13a and intl notice.
        void read(StringView view, std::uint8_t common_width, const Tokenizer& tokenizer) {
            view = without_space_at_end(view);
            width = common_width;
            if (tokenizer.scan(view, tokens)) {
                assign_bytes(view, width, bytes);
            } else {
                assign_code_points(view, points);
                tokenizer(points, tokens);
                assign_bytes(view_of(points), width, bytes);
            }
        }

        Words words() const { return {bytes.data(), width, tokens}; }
    };

    const Tokenizer& tokenizer_;
    Vocabulary vocabulary_;
    CharacterWords characters_;
    std::size_t size_ = 0;     // of whichever was used last
    std::vector<Text> texts_;  // the hypothesis, then the references
    std::size_t count_ = 0;    // of those in use
    std::vector<Ids> references_;
};

// Of several lengths the one closest to `length`, the shorter of two equally close.
inline std::size_t closest_length(std::size_t length, const NumberedSegment& segment) {
    const auto distance = [length](std::size_t n) { return n > length ? n - length : length - n; };
    std::size_t closest = segment.words(1).tokens.size();
    for (std::size_t r = 2; r < segment.texts(); ++r) {
        const std::size_t n = segment.words(r).tokens.size();
        if (distance(n) < distance(closest) || (distance(n) == distance(closest) && n < closest)) {
            closest = n;
        }
    }
    return closest;
}

// Rows of BLEU: hyp_len, ref_len, matches 1..N, totals 1..N. There is at least one reference.
class BleuCounter {
public:
    BleuCounter(const Tokenizer& tokenizer, std::size_t max_order)
        : segment_(tokenizer), max_order_(max_order) {}

    void operator()(StringView hypothesis, std::span<const StringView> references,
                    std::span<std::int64_t> row) {
        segment_.tokenise(hypothesis, references);
        const std::size_t length = segment_.words(0).tokens.size();
        row[0] = static_cast<std::int64_t>(length);
        row[1] = static_cast<std::int64_t>(closest_length(length, segment_));
        match(row.subspan(2, max_order_));
        const auto totals = row.subspan(2 + max_order_, max_order_);
        for (std::size_t n = 1; n <= max_order_; ++n) totals[n - 1] = ngram_total(length, n);
    }

private:
    void match(std::span<std::int64_t> matches) {
        if (segment_.texts() == 2 && PlacedWords::fits(segment_.words(1), max_order_) &&
            !segment_.has_characters()) {
            placed_.match(segment_.words(0), segment_.words(1), matches);
        } else {
            segment_.number();
            matcher_.match(segment_.hypothesis(), segment_.references(), segment_.vocabulary(),
                           matches);
        }
    }

    NumberedSegment segment_;
    PlacedWords placed_;
    WordMatcher matcher_;
    std::size_t max_order_;
};

// Rows of word overlap, one per reference: matches, hyp_len, ref_len.
class OverlapCounter {
public:
    explicit OverlapCounter(const Tokenizer& tokenizer) : segment_(tokenizer) {}

    static constexpr std::size_t kColumns = 3;

    void operator()(StringView hypothesis, std::span<const StringView> references,
                    std::span<std::int64_t> rows) {
        segment_.read(hypothesis, references);
        for (const auto& reference : segment_.references()) {
            matcher_.match(segment_.hypothesis(), std::span(&reference, 1), segment_.vocabulary(),
                           rows.first(1));
            rows[1] = static_cast<std::int64_t>(segment_.hypothesis().size());
            rows[2] = static_cast<std::int64_t>(reference.size());
            rows = rows.subspan(kColumns);
        }
    }

private:
    NumberedSegment segment_;
    WordMatcher matcher_;
};

}  // namespace rankwise
