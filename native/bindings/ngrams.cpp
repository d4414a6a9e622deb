// Tokens and n-grams: tokenise, and the statistics of BLEU, chrF and word overlap.
#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "ngrams/bleu.hpp"
#include "ngrams/chrf.hpp"
#include "text/tokenise.hpp"
#include "threads/chunks.hpp"
#include "threads/pool.hpp"

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

// Rows from counters, one counter per chunk of segments. With `per_reference` every reference has
// its row, in order; otherwise every segment has.
template <class MakeCounter>
auto count_rows(const Segments& segments, std::size_t columns, bool per_reference,
                const MakeCounter& make_counter) {
    const auto& starts = segments.references.starts;
    auto rows = new_rows<std::int64_t>(per_reference ? starts.back() : segments.size(), columns);
    std::int64_t* out = rows.data();
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        parallel_chunks(threads, segments.size(), 64, [&](std::size_t begin, std::size_t end) {
            auto counter = make_counter();
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t row = per_reference ? starts[i] : i;
                counter(segments.hypotheses.views[i], segments.of(i), out + row * columns);
            }
        });
    }
    return rows;
}

auto bleu_statistics(nb::object hypotheses, nb::object references, const std::string& tokenizer,
                     std::size_t max_order) {
    const Tokenizer& split = Tokenizer::named(tokenizer);
    return count_rows(Segments(hypotheses, references), 2 + 2 * max_order, false,
                      [&] { return BleuCounter(split, max_order); });
}

auto overlap_statistics(nb::object hypotheses, nb::object references,
                        const std::string& tokenizer) {
    const Tokenizer& split = Tokenizer::named(tokenizer);
    return count_rows(Segments(hypotheses, references), 3, true,
                      [&] { return OverlapCounter(split); });
}

auto chrf_statistics(nb::object hypotheses, nb::object references, std::size_t char_order,
                     std::size_t word_order, bool whitespace) {
    return count_rows(Segments(hypotheses, references), 3 * (char_order + word_order), true,
                      [&] { return ChrfCounter(char_order, word_order, whitespace); });
}

}  // namespace

void bind_ngrams(nb::module_& m) {
    m.attr("unicode_version") = unicode::version;
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
