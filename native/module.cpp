// The table of contents of rankwise._core: every function converts, releases the GIL and calls.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "edits.hpp"
#include "python_text.hpp"
#include "text.hpp"
#include "threads.hpp"
#include "tokenise.hpp"
#include "units.hpp"

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

// --- edits: WER, CER -----------------------------------------------------------------------------

// Is a / a_length below b / b_length? Against an empty reference the rate is 0 or 1.
bool is_lower_rate(std::int64_t a, std::int64_t a_length, std::int64_t b, std::int64_t b_length) {
    const auto rate = [](std::int64_t& edits, std::int64_t& length) {
        if (length == 0) edits = edits > 0, length = 1;
    };
    rate(a, a_length);
    rate(b, b_length);
    return a * b_length < b * a_length;
}

// Calls found(i, reference number, operations, reference length) with the reference of lowest
// error rate, the first of equals, for every segment.
template <class Found>
void align_segments(const Strings& hypotheses, const References& references, Unit unit,
                    const Found& found) {
    parallel_chunks(hypotheses.size(), 32, [&](std::size_t begin, std::size_t end) {
        UnitPair pair(unit);
        Aligner aligner;
        std::string operations, best;
        for (std::size_t i = begin; i < end; ++i) {
            pair.set_hypothesis(hypotheses.views[i]);
            const std::size_t first = references.flat.starts[i];
            std::int64_t best_total = 0, best_length = 0;
            std::size_t best_reference = 0;
            for (std::size_t r = first; r < references.flat.starts[i + 1]; ++r) {
                pair.set_reference(references.flat.views[r]);
                aligner.align(pair.hypothesis, pair.reference, pair.distinct, operations);
                const std::int64_t total = count_edits(operations).total();
                const std::int64_t length = static_cast<std::int64_t>(pair.reference.size());
                if (r > first && !is_lower_rate(total, length, best_total, best_length)) continue;
                best_total = total;
                best_length = length;
                best_reference = r - first;
                best.swap(operations);
            }
            found(i, best_reference, best, best_length);
        }
    });
}

auto edit_counts(nb::object hypotheses, nb::object references, int unit) {
    const Strings hyps(hypotheses, "hypotheses");
    const References refs(references);
    auto rows = new_rows<std::int64_t>(hyps.size(), 4);
    std::int64_t* out = rows.data();
    {
        nb::gil_scoped_release release;
        align_segments(hyps, refs, static_cast<Unit>(unit),
                       [out](std::size_t i, std::size_t, const std::string& operations,
                             std::int64_t length) {
                           const Edits edits = count_edits(operations);
                           std::int64_t* row = out + 4 * i;
                           row[0] = edits.substitutions;
                           row[1] = edits.insertions;
                           row[2] = edits.deletions;
                           row[3] = length;
                       });
    }
    return rows;
}

nb::list edit_operations(nb::object hypotheses, nb::object references, int unit) {
    const Strings hyps(hypotheses, "hypotheses");
    const References refs(references);
    std::vector<std::pair<std::size_t, std::string>> found(hyps.size());
    {
        nb::gil_scoped_release release;
        align_segments(hyps, refs, static_cast<Unit>(unit),
                       [&](std::size_t i, std::size_t reference, const std::string& operations,
                           auto) { found[i] = {reference, operations}; });
    }
    nb::list result;
    for (const auto& [reference, operations] : found) {
        result.append(nb::make_tuple(reference, nb::str(operations.data(), operations.size())));
    }
    return result;
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
}
