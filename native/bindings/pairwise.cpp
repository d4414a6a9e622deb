// Candidates against each other: the rows of all pairs of texts.
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "ngrams/pairwise.hpp"

namespace rankwise {

namespace {

auto bleu_pairs(nb::object texts, const std::string& tokenizer, std::size_t max_order) {
    const Tokenizer& split = Tokenizer::named(tokenizer);
    const Strings strings(texts, "candidates");
    auto rows = new_rows<std::int64_t>(strings.size() * strings.size(), 2 + 2 * max_order);
    const auto out = span_of(rows);
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    bleu_pairwise(threads, strings.views, split, max_order, out);
    return rows;
}

auto chrf_pairs(nb::object texts, std::size_t char_order, std::size_t word_order, bool whitespace) {
    const Strings strings(texts, "candidates");
    auto rows = new_rows<std::int64_t>(strings.size() * strings.size(),
                                       kCellsPerOrder * (char_order + word_order));
    const auto out = span_of(rows);
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    chrf_pairwise(threads, strings.views, char_order, word_order, whitespace, out);
    return rows;
}

}  // namespace

void bind_pairwise(nb::module_& m) {
    m.def("bleu_pairs", &bleu_pairs, nb::arg("candidates"), nb::arg("tokenizer"),
          nb::arg("max_order"), "Rows of BLEU of every candidate against every candidate.");
    m.def("chrf_pairs", &chrf_pairs, nb::arg("candidates"), nb::arg("char_order"),
          nb::arg("word_order"), nb::arg("whitespace"),
          "Rows of chrF of every candidate against every candidate.");
}

}  // namespace rankwise
