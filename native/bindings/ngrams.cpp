// Tokens and n-grams: tokenise, and the statistics of BLEU, chrF and word overlap.
#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/counted_rows.hpp"
#include "bindings/convert/strings.hpp"
#include "ngrams/bleu.hpp"
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
    m.def("overlap_statistics", &overlap_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), "matches, hyp_len, ref_len of each reference, (references, 3).");
    m.def("chrf_statistics", &chrf_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("char_order"), nb::arg("word_order"), nb::arg("whitespace"),
          "hypothesis, reference, shared n-grams of each order and reference.");
}

}  // namespace rankwise
