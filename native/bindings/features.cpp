// Counts for learned metrics: character n-grams of aligned texts, the pieces of BEER 2.0, letters.
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/convert/counted_rows.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "bindings/convert/texts.hpp"
#include "ngrams/character_ngrams.hpp"
#include "ngrams/letters.hpp"
#include "ngrams/pieces.hpp"
#include "text/spelled_words.hpp"
#include "threads/chunks.hpp"
#include "threads/pool.hpp"

namespace rankwise {

namespace {

auto joined_ngrams(nb::object words, Column<std::uint32_t> ids, Column<std::int64_t> starts,
                   Column<std::int64_t> hyp_texts, Column<std::int64_t> ref_texts,
                   std::size_t max_order, bool utf16) {
    const Strings strings(words, "words");
    const PythonTexts texts{ids, starts};
    texts.check(strings.size());
    texts.check_numbers(span_of(hyp_texts));
    texts.check_numbers(span_of(ref_texts));
    const std::size_t n = hyp_texts.size(), columns = kCellsPerOrder * max_order;
    if (ref_texts.size() != n) throw std::invalid_argument("pairs of texts differ in number");
    if (max_order == 0) throw std::invalid_argument("the order is 0; expected at least 1");
    const Characters characters = utf16 ? Characters::utf16 : Characters::code_points;
    auto rows = new_rows<std::int64_t>(n, columns);
    const auto out = span_of(rows);
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        SpelledWords spelled;
        for (const StringView& word : strings.views) spelled.add(word, characters);
        parallel_chunks(threads, n, 64, [&](std::size_t begin, std::size_t end) {
            CharacterNgrams ngrams;
            std::u32string hypothesis, reference;
            for (std::size_t k = begin; k < end; ++k) {
                spelled.join(texts.text(hyp_texts.data()[k]), hypothesis);
                spelled.join(texts.text(ref_texts.data()[k]), reference);
                ngrams.count(hypothesis, reference, out.subspan(k * columns, columns));
            }
        });
    }
    return rows;
}

auto piece_counts(nb::object hypotheses, nb::object references) {
    return counted_rows(
        Segments(hypotheses, references), PieceCounter::kColumns, RowOf::reference,
        [] { return PieceCounter(); }, 32);
}

auto letter_counts(nb::object hypotheses, nb::object references, std::size_t max_order) {
    return counted_rows(Segments(hypotheses, references), LetterCounter(max_order).columns(),
                        RowOf::reference, [=] { return LetterCounter(max_order); });
}

}  // namespace

void bind_features(nb::module_& m) {
    m.def("joined_ngrams", &joined_ngrams, nb::arg("words"), nb::arg("ids"), nb::arg("starts"),
          nb::arg("hyp_texts"), nb::arg("ref_texts"), nb::kw_only(), nb::arg("max_order"),
          nb::arg("utf16"),
          "Character n-grams of texts of words joined by spaces: hypothesis, reference, shared.");
    m.def(
        "piece_counts", &piece_counts, nb::arg("hypotheses"), nb::arg("references"),
        "BEER 2.0: words of both sides, then hypothesis, reference, shared of 15 kinds of piece.");
    m.def(
        "letter_counts", &letter_counts, nb::arg("hypotheses"), nb::arg("references"),
        nb::arg("max_order"),
        "The row of chrF for characters up to an order; then, with white space, the longest common "
        "subsequence and the characters of hypothesis and reference; a row per reference.");
}

}  // namespace rankwise
