// Edits: the counts and alignments of WER, CER and TER.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "edits/edits.hpp"
#include "edits/error_rate.hpp"
#include "edits/pairs.hpp"
#include "text/tercom.hpp"
#include "text/tokenise.hpp"
#include "threads/chunks.hpp"
#include "threads/pool.hpp"

namespace rankwise {

namespace {

// Calls visit(i, kernel) for every segment after kernel.compute(its hypothesis, its references).
// A segment whose texts are too far apart is an error that holds its number.
template <class MakeKernel, class Visit>
void over_segments(const Segments& segments, const MakeKernel& make_kernel, const Visit& visit) {
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    parallel_chunks(threads, segments.size(), 8, [&](std::size_t begin, std::size_t end) {
        auto kernel = make_kernel();
        for (std::size_t i = begin; i < end; ++i) {
            try {
                kernel.compute(segments.hypotheses.views[i], segments.of(i));
            } catch (const TooFarApart&) {
                throw std::length_error(std::to_string(i));  // the caller knows the rest
            }
            visit(i, kernel);
        }
    });
}

// What error rates count: words, or characters with or without the spaces between words.
enum class Unit { words, characters, characters_without_space };

Unit unit_of(int number) {
    if (number < 0 || number > 2) throw std::invalid_argument("unknown unit");
    return static_cast<Unit>(number);
}

// With every operation.
template <class Visit>
void error_rates(const Segments& segments, Unit unit, const Visit& visit) {
    if (unit == Unit::words) {
        over_segments(segments, [] { return LowestErrorRate(SpacedWordPair()); }, visit);
    } else {
        const bool with_space = unit == Unit::characters;
        const auto characters = [=] { return LowestErrorRate(CharacterPair(with_space)); };
        over_segments(segments, characters, visit);
    }
}

// With less than that.
template <class Visit>
void numbers_of_edits(const Segments& segments, Unit unit, Detail detail, const Visit& visit) {
    if (unit == Unit::words && detail == Detail::total) {
        over_segments(segments, [] { return WordErrorRate(); }, visit);
    } else if (unit == Unit::words) {
        over_segments(segments, [=] { return LowestErrorRate(SpacedWordPair(), detail); }, visit);
    } else {
        const bool with_space = unit == Unit::characters;
        over_segments(segments, [=] { return CharacterErrorRate(with_space, detail); }, visit);
    }
}

auto edit_counts(nb::object hypotheses, nb::object references, int unit) {
    const Segments segments(hypotheses, references);
    auto rows = new_rows<std::int64_t>(segments.size(), 4);
    const auto out = span_of(rows);
    const auto write_row = [out](std::size_t i, const auto& found) {
        const Edits& edits = found.edits;
        const std::int64_t row[] = {edits.substitutions, edits.insertions, edits.deletions,
                                    found.length};
        std::ranges::copy(row, out.subspan(4 * i, 4).begin());
    };
    numbers_of_edits(segments, unit_of(unit), Detail::counts, write_row);
    return rows;
}

auto edit_distances(nb::object hypotheses, nb::object references, int unit) {
    const Segments segments(hypotheses, references);
    auto rows = new_rows<std::int64_t>(segments.size(), 2);
    const auto out = span_of(rows);
    const auto write_row = [out](std::size_t i, const auto& found) {
        out[2 * i] = found.edits.total();
        out[2 * i + 1] = found.length;
    };
    numbers_of_edits(segments, unit_of(unit), Detail::total, write_row);
    return rows;
}

nb::list edit_totals(nb::object hypotheses, nb::object references, int unit) {
    return column_totals(edit_counts(hypotheses, references, unit));
}

nb::list edit_operations(nb::object hypotheses, nb::object references, int unit) {
    const Segments segments(hypotheses, references);
    std::vector<std::pair<std::size_t, std::string>> results(segments.size());
    error_rates(segments, unit_of(unit), [&](std::size_t i, const auto& found) {
        results[i] = {found.reference, found.operations};
    });
    nb::list list;
    for (const auto& [reference, operations] : results) {
        list.append(nb::make_tuple(reference, nb::str(operations.data(), operations.size())));
    }
    return list;
}

template <class Visit>
void translation_edits(const Segments& segments, TercomOptions options, bool twice,
                       const Visit& visit) {
    const TercomTokenizer once(options);
    if (twice) {
        const auto pair = [&] { return FewestEdits(WordPair(once, TercomTwice(options))); };
        over_segments(segments, pair, visit);
    } else {
        const auto pair = [&] { return FewestEdits(WordPair(once, once)); };
        over_segments(segments, pair, visit);
    }
}

auto ter_counts(nb::object hypotheses, nb::object references, bool normalized, bool no_punct,
                bool asian_support, bool twice) {
    const Segments segments(hypotheses, references);
    auto rows = new_rows<double>(segments.size(), 2);
    const auto out = span_of(rows);
    translation_edits(segments, {normalized, no_punct, asian_support}, twice,
                      [out](std::size_t i, const auto& found) {
                          out[2 * i] = static_cast<double>(found.edits);
                          out[2 * i + 1] = found.mean_length;
                      });
    return rows;
}

nb::list ter_totals(nb::object hypotheses, nb::object references, bool normalized, bool no_punct,
                    bool asian_support, bool twice) {
    return column_totals(
        ter_counts(hypotheses, references, normalized, no_punct, asian_support, twice));
}

nb::list ter_operations(nb::object hypotheses, nb::object references, bool normalized,
                        bool no_punct, bool asian_support, bool twice) {
    struct Result {
        std::size_t reference;
        std::string operations;
        std::vector<PhraseShift> shifts;
    };
    const Segments segments(hypotheses, references);
    std::vector<Result> results(segments.size());
    translation_edits(segments, {normalized, no_punct, asian_support}, twice,
                      [&](std::size_t i, const auto& found) {
                          results[i] = {found.reference, found.operations, found.shifts};
                      });
    nb::list list;
    for (const auto& [reference, operations, shifts] : results) {
        nb::list moves;
        for (const auto& [start, length, target] : shifts) {
            moves.append(nb::make_tuple(start, length, target));
        }
        list.append(
            nb::make_tuple(reference, nb::str(operations.data(), operations.size()), moves));
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
        assign_code_points(view, text);
        twice ? again(text, tokens) : once(text, tokens);
        list.append(token_list(text, tokens));
    }
    return list;
}

}  // namespace

void bind_edits(nb::module_& m) {
    m.def("edit_counts", &edit_counts, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("unit"), "Substitutions, insertions, deletions, reference length, (n, 4).");
    m.def("edit_distances", &edit_distances, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("unit"), "Edits of any kind, reference length, (n, 2).");
    m.def("edit_totals", &edit_totals, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("unit"), "The sums of edit_counts, as a list.");
    m.def("edit_operations", &edit_operations, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("unit"), "Number of the reference and operations per segment.");
    m.def("ter_counts", &ter_counts, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("normalized"), nb::arg("no_punct"), nb::arg("asian_support"), nb::arg("twice"),
          "Edits with shifts, mean reference length, (n, 2).");
    m.def("ter_totals", &ter_totals, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("normalized"), nb::arg("no_punct"), nb::arg("asian_support"), nb::arg("twice"),
          "The sums of ter_counts, as a list.");
    m.def("ter_operations", &ter_operations, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("normalized"), nb::arg("no_punct"), nb::arg("asian_support"), nb::arg("twice"),
          "Number of the reference, operations and shifts (start, length, target) per segment.");
    m.def("tercom_tokens", &tercom_tokens, nb::arg("texts"), nb::arg("normalized"),
          nb::arg("no_punct"), nb::arg("asian_support"), nb::arg("twice"),
          "The tokens of TER of every text.");
}

}  // namespace rankwise
