// Tokens and n-grams: tokenise, and the statistics of BLEU, chrF and word overlap.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/counted_rows.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "ngrams/bleu.hpp"
#include "ngrams/bleu_score.hpp"
#include "ngrams/chrf.hpp"
#include "text/tokenise.hpp"

namespace rankwise {

namespace {

nb::list tokenise(nb::object texts, const std::string& tokenizer) {
    const Tokenizer& split = Tokenizer::named(tokenizer);
    const Strings strings(texts);
    nb::list lines;
    std::u32string buffer;
    std::vector<Token> tokens;
    for (const StringView& view : strings.views) {
        assign_code_points(view, buffer);
        if (!split.scan(view, tokens)) split(buffer, tokens);
        lines.append(token_list(buffer, tokens));
    }
    return lines;
}

auto bleu_statistics(nb::object hypotheses, nb::object references, const std::string& tokenizer,
                     std::size_t max_order) {
    const Tokenizer& split = Tokenizer::named(tokenizer);
    return counted_rows(Segments(hypotheses, references), 2 + 2 * max_order, RowOf::segment,
                        [&] { return BleuCounter(split, max_order); });
}

using Percents = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

auto bleu_scores(Column<double> hyp_len, Column<double> ref_len, Percents percents,
                 Column<std::int64_t> orders, bool compensated) {
    const std::size_t rows = percents.shape(0), columns = percents.shape(1);
    if (hyp_len.size() != rows || ref_len.size() != rows || orders.size() != rows) {
        throw std::invalid_argument("lengths, precisions and orders differ in number");
    }
    const Summation how = compensated ? Summation::compensated : Summation::plain;
    std::vector<double> scores(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        const std::int64_t most = static_cast<std::int64_t>(columns);
        const std::int64_t order = std::clamp<std::int64_t>(orders.data()[i], 0, most);
        const auto row = span_of(percents).subspan(i * columns, static_cast<std::size_t>(order));
        scores[i] = bleu_score(hyp_len.data()[i], ref_len.data()[i], row, how);
    }
    return new_column(scores);
}

auto overlap_statistics(nb::object hypotheses, nb::object references,
                        const std::string& tokenizer) {
    const Tokenizer& split = Tokenizer::named(tokenizer);
    return counted_rows(Segments(hypotheses, references), OverlapCounter::kColumns,
                        RowOf::reference, [&] { return OverlapCounter(split); });
}

auto chrf_statistics(nb::object hypotheses, nb::object references, std::size_t char_order,
                     std::size_t word_order, bool whitespace) {
    return counted_rows(Segments(hypotheses, references),
                        kCellsPerOrder * (char_order + word_order), RowOf::reference,
                        [&] { return ChrfCounter(char_order, word_order, whitespace); });
}

}  // namespace

void bind_ngrams(nb::module_& m) {
    m.attr("unicode_version") = unicode::kVersion;
    m.def("tokenise", &tokenise, nb::arg("texts"), nb::arg("tokenizer"),
          "The tokens of each text.");
    m.def("bleu_statistics", &bleu_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), nb::arg("max_order"),
          "hyp_len, ref_len, matches, totals of each segment, (n, 2 + 2 max_order).");
    m.def("bleu_scores", &bleu_scores, nb::arg("hyp_len"), nb::arg("ref_len"), nb::arg("percents"),
          nb::arg("orders"), nb::arg("compensated"),
          "BLEU of each row in sacreBLEU's digits, over its first precisions, (n,).");
    m.def("overlap_statistics", &overlap_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), "matches, hyp_len, ref_len of each reference, (references, 3).");
    m.def("chrf_statistics", &chrf_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("char_order"), nb::arg("word_order"), nb::arg("whitespace"),
          "hypothesis, reference, shared n-grams of each order and reference.");
}

}  // namespace rankwise
