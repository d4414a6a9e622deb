// The table of contents of rankwise._core: every function converts, releases the GIL and calls.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

#include "bleu.hpp"
#include "chrf.hpp"
#include "python_text.hpp"
#include "text.hpp"
#include "threads.hpp"
#include "tokenise.hpp"

namespace nb = nanobind;
using namespace rankwise;

namespace {

// A fresh int64 array (n, k) that Python owns, filled with zeros.
template <class Number>
auto new_rows(std::size_t n, std::size_t k) {
    Number* data = new Number[n * k]();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<Number*>(p); });
    return nb::ndarray<nb::numpy, Number, nb::ndim<2>>(data, {n, k}, owner);
}

auto token_counts(nb::object texts) {
    const Strings strings(texts);
    auto counts = new_rows<std::int64_t>(strings.size(), 1);
    std::int64_t* out = counts.data();
    {
        nb::gil_scoped_release release;
        parallel_chunks(strings.size(), 256, [&](std::size_t begin, std::size_t end) {
            std::u32string buffer;
            std::vector<Token> tokens;
            for (std::size_t i = begin; i < end; ++i) {
                buffer.clear();
                tokens.clear();
                append_code_points(strings.views[i], buffer);
                split_at_space(buffer, tokens);
                out[i] = static_cast<std::int64_t>(tokens.size());
            }
        });
    }
    return counts;
}

// --- tokens and n-grams ---------------------------------------------------------------------

nb::list tokenise(nb::object texts, const std::string& tokenizer) {
    const Tokenizer& split = Tokenizer::named(tokenizer);
    const Strings strings(texts);
    nb::list lines;
    std::u32string buffer;
    TokenList tokens;
    for (const StringView& view : strings.views) {
        assign_code_points(view, buffer);
        split(buffer, tokens);
        nb::list line;
        for (const Token token : tokens) {
            PyObject* text = PyUnicode_FromKindAndData(
                PyUnicode_4BYTE_KIND, buffer.data() + token.begin, token.end - token.begin);
            if (text == nullptr) throw nb::python_error();
            line.append(nb::steal(text));
        }
        lines.append(line);
    }
    return lines;
}

// Hypotheses and as many non-empty sets of references.
struct Segments {
    Segments(nb::handle texts, nb::handle reference_texts)
        : hypotheses(texts, "hypotheses"), references(reference_texts) {
        if (hypotheses.size() != references.size()) {
            throw std::invalid_argument(std::to_string(hypotheses.size()) +
                                        " hypotheses but references for " +
                                        std::to_string(references.size()) + " segments");
        }
        for (std::size_t i = 0; i < size(); ++i) {
            if (of(i).empty()) {
                throw std::invalid_argument("segment " + std::to_string(i + 1) + " has no reference");
            }
        }
    }
    std::size_t size() const { return hypotheses.size(); }
    std::span<const StringView> of(std::size_t i) const {
        const auto& [views, starts] = references.flat;
        return std::span(views).subspan(starts[i], starts[i + 1] - starts[i]);
    }

    Strings hypotheses;
    References references;
};

// Rows from counters, one counter per chunk of segments. With `per_reference` every reference has
// its row, in order; otherwise every segment has.
template <class MakeCounter>
auto count_rows(const Segments& segments, std::size_t columns, bool per_reference,
                const MakeCounter& make_counter) {
    const auto& starts = segments.references.flat.starts;
    auto rows = new_rows<std::int64_t>(per_reference ? starts.back() : segments.size(), columns);
    std::int64_t* out = rows.data();
    {
        nb::gil_scoped_release release;
        parallel_chunks(segments.size(), 64, [&](std::size_t begin, std::size_t end) {
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

auto overlap_statistics(nb::object hypotheses, nb::object references, const std::string& tokenizer) {
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

NB_MODULE(_core, m) {
    m.doc() = "Text into counts: the native core of Rankwise.";
    m.def("thread_count", &thread_count, "How many threads the kernels use.");
    m.def("token_counts", &token_counts, nb::arg("texts"), "Tokens of text.split(), (n, 1).");

    // Tokens and n-grams.
    m.attr("unicode_version") = unicode::version;
    m.def("tokenise", &tokenise, nb::arg("texts"), nb::arg("tokenizer"), "The tokens of each text.");
    m.def("bleu_statistics", &bleu_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), nb::arg("max_order"),
          "hyp_len, ref_len, matches, totals of each segment, (n, 2 + 2 max_order).");
    m.def("overlap_statistics", &overlap_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), "matches, hyp_len, ref_len of each reference, (references, 3).");
    m.def("chrf_statistics", &chrf_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("char_order"), nb::arg("word_order"), nb::arg("whitespace"),
          "hypothesis, reference, shared n-grams of each order and reference.");
}
