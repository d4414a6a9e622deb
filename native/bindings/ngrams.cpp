// Lines, tokens and n-grams: utf8_lines, are_all_str, tokenise, lower_case, and the statistics of
// BLEU, chrF and word overlap.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/counted_rows.hpp"
#include "bindings/convert/lines.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "ngrams/bleu.hpp"
#include "ngrams/bleu_score.hpp"
#include "ngrams/chrf.hpp"
#include "text/letter_case.hpp"
#include "text/tokenise.hpp"

namespace rankwise {

namespace {

// Whether every entry of a list or tuple is a str, and of no class beneath it.
bool are_all_str(nb::handle entries) {
    if (!PyList_Check(entries.ptr()) && !PyTuple_Check(entries.ptr())) {
        throw nb::type_error("expected a list or a tuple");
    }
    PyObject* const* const items = PySequence_Fast_ITEMS(entries.ptr());
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(entries.ptr());
    return std::all_of(items, items + count,
                       [](PyObject* item) { return PyUnicode_CheckExact(item); });
}

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

// text.lower() where Python keeps `Unit`s; most texts of such scripts have no capital letters, or
// those of a few Latin names, which Python would look up one by one.
template <class Unit>
nb::object lower_case_of(nb::handle text, Py_UCS4 widest) {
    const auto* units = static_cast<const Unit*>(PyUnicode_DATA(text.ptr()));
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr()));
    const Capitals found = capitals(units, length);
    if (found == Capitals::none) return nb::borrow(text);
    if (found == Capitals::perhaps_others) return text.attr("lower")();
    PyObject* made = PyUnicode_New(static_cast<Py_ssize_t>(length), widest);
    if (made == nullptr) throw nb::python_error();
    write_lower_ascii(units, length, static_cast<Unit*>(PyUnicode_DATA(made)));
    return nb::steal(made);
}

nb::object lower_case_of(nb::handle text) {
    switch (PyUnicode_KIND(text.ptr())) {
        case PyUnicode_1BYTE_KIND: return text.attr("lower")();  // Python is fast there
        case PyUnicode_2BYTE_KIND: return lower_case_of<Py_UCS2>(text, 0xffff);
        default: return lower_case_of<Py_UCS4>(text, 0x10ffff);
    }
}

nb::list lower_case(nb::object texts) {
    const nb::object owner = frozen(texts, "texts");
    nb::list lines;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(owner.ptr()); ++i) {
        const nb::handle text = PyTuple_GET_ITEM(owner.ptr(), i);
        if (!PyUnicode_Check(text.ptr())) raise_type("texts", i, text.ptr());
        lines.append(lower_case_of(text));
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

nb::list bleu_totals(nb::object hypotheses, nb::object references, const std::string& tokenizer,
                     std::size_t max_order) {
    return column_totals(bleu_statistics(hypotheses, references, tokenizer, max_order));
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

nb::list chrf_totals(nb::object hypotheses, nb::object references, std::size_t char_order,
                     std::size_t word_order, bool whitespace) {
    return column_totals(
        chrf_statistics(hypotheses, references, char_order, word_order, whitespace));
}

}  // namespace

void bind_ngrams(nb::module_& m) {
    m.attr("unicode_version") = unicode::kVersion;
    m.def("utf8_lines", &utf8_lines, nb::arg("block"),
          "The lines of a block without their ends; None where it holds a NUL or is no UTF-8.");
    m.def("are_all_str", &are_all_str, nb::arg("entries"),
          "Whether the entries of a list or tuple are plain str.");
    m.def("tokenise", &tokenise, nb::arg("texts"), nb::arg("tokenizer"),
          "The tokens of each text.");
    m.def("lower_case", &lower_case, nb::arg("texts"), "text.lower() of each text.");
    m.def("bleu_statistics", &bleu_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), nb::arg("max_order"),
          "hyp_len, ref_len, matches, totals of each segment, (n, 2 + 2 max_order).");
    m.def("bleu_scores", &bleu_scores, nb::arg("hyp_len"), nb::arg("ref_len"), nb::arg("percents"),
          nb::arg("orders"), nb::arg("compensated"),
          "BLEU of each row in sacreBLEU's digits, over its first precisions, (n,).");
    m.def("bleu_totals", &bleu_totals, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), nb::arg("max_order"), "The sums of bleu_statistics, as a list.");
    m.def("overlap_statistics", &overlap_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("tokenizer"), "matches, hyp_len, ref_len of each reference, (references, 3).");
    m.def("chrf_statistics", &chrf_statistics, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("char_order"), nb::arg("word_order"), nb::arg("whitespace"),
          "hypothesis, reference, shared n-grams of each order and reference.");
    m.def("chrf_totals", &chrf_totals, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("char_order"), nb::arg("word_order"), nb::arg("whitespace"),
          "The sums of chrf_statistics, as a list.");
}

}  // namespace rankwise
