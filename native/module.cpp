// The table of contents of rankwise._core: every function converts, releases the GIL and calls.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "error_rate.hpp"
#include "pairs.hpp"
#include "python_text.hpp"
#include "tercom.hpp"
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

// --- edits: WER, CER, TER ------------------------------------------------------------------------

// Calls visit(i, kernel) for every segment after kernel.compute(its hypothesis, its references).
template <class MakeKernel, class Visit>
void over_segments(const Strings& hypotheses, const References& references,
                   const MakeKernel& make_kernel, const Visit& visit) {
    if (references.size() != hypotheses.size()) {
        throw nb::value_error("expected references for every hypothesis");
    }
    const ReferenceViews& flat = references.flat;
    for (std::size_t i = 0; i < references.size(); ++i) {
        if (flat.starts[i] == flat.starts[i + 1]) {
            throw nb::value_error("expected at least one reference for every hypothesis");
        }
    }
    nb::gil_scoped_release release;
    parallel_chunks(hypotheses.size(), 8, [&](std::size_t begin, std::size_t end) {
        auto kernel = make_kernel();
        for (std::size_t i = begin; i < end; ++i) {
            kernel.compute(hypotheses.views[i], std::span(flat.views).subspan(
                               flat.starts[i], flat.starts[i + 1] - flat.starts[i]));
            visit(i, kernel);
        }
    });
}

// What error rates count: words, or characters with or without the spaces between words.
enum class Unit { kWords, kCharacters, kCharactersWithoutSpace };

template <class Visit>
void error_rates(const Strings& hypotheses, const References& references, Unit unit,
                 const Visit& visit) {
    if (unit == Unit::kWords) {
        const auto words = [] { return LowestErrorRate(WordPair(split_at_space, split_at_space)); };
        over_segments(hypotheses, references, words, visit);
    } else {
        const bool with_space = unit == Unit::kCharacters;
        const auto characters = [=] { return LowestErrorRate(CharacterPair(with_space)); };
        over_segments(hypotheses, references, characters, visit);
    }
}

auto edit_counts(nb::object hypotheses, nb::object references, int unit) {
    const Strings hyps(hypotheses, "hypotheses");
    const References refs(references);
    auto rows = new_rows<std::int64_t>(hyps.size(), 4);
    std::int64_t* out = rows.data();
    error_rates(hyps, refs, static_cast<Unit>(unit), [out](std::size_t i, const auto& found) {
        const Edits& edits = found.edits;
        const std::int64_t row[] = {edits.substitutions, edits.insertions, edits.deletions,
                                    found.length};
        std::copy(std::begin(row), std::end(row), out + 4 * i);
    });
    return rows;
}

nb::list edit_operations(nb::object hypotheses, nb::object references, int unit) {
    const Strings hyps(hypotheses, "hypotheses");
    const References refs(references);
    std::vector<std::pair<std::size_t, std::string>> results(hyps.size());
    error_rates(hyps, refs, static_cast<Unit>(unit), [&](std::size_t i, const auto& found) {
        results[i] = {found.reference, found.operations};
    });
    nb::list list;
    for (const auto& [reference, operations] : results) {
        list.append(nb::make_tuple(reference, nb::str(operations.data(), operations.size())));
    }
    return list;
}

template <class Visit>
void translation_edits(const Strings& hypotheses, const References& references,
                       TercomOptions options, bool twice, const Visit& visit) {
    const TercomTokenizer once(options);
    if (twice) {
        const auto pair = [&] { return FewestEdits(WordPair(once, TercomTwice(options))); };
        over_segments(hypotheses, references, pair, visit);
    } else {
        const auto pair = [&] { return FewestEdits(WordPair(once, once)); };
        over_segments(hypotheses, references, pair, visit);
    }
}

auto ter_counts(nb::object hypotheses, nb::object references, bool normalized, bool no_punct,
                bool asian_support, bool twice) {
    const Strings hyps(hypotheses, "hypotheses");
    const References refs(references);
    auto rows = new_rows<double>(hyps.size(), 2);
    double* out = rows.data();
    translation_edits(hyps, refs, {normalized, no_punct, asian_support}, twice,
                      [out](std::size_t i, const auto& found) {
                          out[2 * i] = static_cast<double>(found.edits);
                          out[2 * i + 1] = found.mean_length;
                      });
    return rows;
}

nb::list ter_operations(nb::object hypotheses, nb::object references, bool normalized,
                        bool no_punct, bool asian_support, bool twice) {
    struct Result {
        std::size_t reference;
        std::string operations;
        std::vector<PhraseShift> shifts;
    };
    const Strings hyps(hypotheses, "hypotheses");
    const References refs(references);
    std::vector<Result> results(hyps.size());
    translation_edits(hyps, refs, {normalized, no_punct, asian_support}, twice,
                      [&](std::size_t i, const auto& found) {
                          results[i] = {found.reference, found.operations, found.shifts};
                      });
    nb::list list;
    for (const auto& [reference, operations, shifts] : results) {
        nb::list moves;
        for (const auto& [start, length, target] : shifts) {
            moves.append(nb::make_tuple(start, length, target));
        }
        list.append(nb::make_tuple(reference, nb::str(operations.data(), operations.size()), moves));
    }
    return list;
}

nb::list tercom_tokens(nb::object texts, bool normalized, bool no_punct, bool asian_support,
                       bool twice) {
    const Strings strings(texts);
    TercomTokenizer once({normalized, no_punct, asian_support});
    TercomTwice again({normalized, no_punct, asian_support});
    nb::list list;
    std::u32string text;
    std::vector<Token> tokens;
    for (const StringView view : strings.views) {
        text.clear();
        tokens.clear();
        append_code_points(view, text);
        twice ? again(text, tokens) : once(text, tokens);
        nb::list words;
        for (const Token token : tokens) {
            PyObject* word = PyUnicode_FromKindAndData(
                PyUnicode_4BYTE_KIND, text.data() + token.begin, token.end - token.begin);
            if (word == nullptr) throw nb::python_error();
            words.append(nb::steal(word));
        }
        list.append(words);
    }
    return list;
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "Text into counts: the native core of Rankwise.";
    m.def("thread_count", &thread_count, "How many threads the kernels use.");
    m.def("token_counts", &token_counts, nb::arg("texts"), "Tokens of text.split(), (n, 1).");
    m.def("edit_counts", &edit_counts, nb::arg("hypotheses"), nb::arg("references"), nb::arg("unit"),
          "Substitutions, insertions, deletions, reference length, (n, 4).");
    m.def("edit_operations", &edit_operations, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("unit"), "Number of the reference and operations per segment.");
    m.def("ter_counts", &ter_counts, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("normalized"), nb::arg("no_punct"), nb::arg("asian_support"), nb::arg("twice"),
          "Edits with shifts, mean reference length, (n, 2).");
    m.def("ter_operations", &ter_operations, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("normalized"), nb::arg("no_punct"), nb::arg("asian_support"), nb::arg("twice"),
          "Number of the reference, operations and shifts (start, length, target) per segment.");
    m.def("tercom_tokens", &tercom_tokens, nb::arg("texts"), nb::arg("normalized"),
          nb::arg("no_punct"), nb::arg("asian_support"), nb::arg("twice"),
          "The tokens of TER of every text.");
}
