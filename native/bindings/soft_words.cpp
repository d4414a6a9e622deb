// Words that match in part: the weights of words and of pairs of words that two texts share.
#include "../soft_words.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "../threads.hpp"
#include "bindings.hpp"
#include "rows.hpp"
#include "strings.hpp"
#include "texts.hpp"

namespace rankwise {

namespace {

auto soft_matches(nb::object words, Column<std::uint32_t> ids, Column<std::int64_t> starts,
                  Column<std::int64_t> hyp_texts, Column<std::int64_t> ref_texts,
                  Column<double> weights, Column<std::uint32_t> firsts,
                  Column<std::uint32_t> seconds, Column<double> likenesses) {
    const Strings strings(words, "words");
    const PythonTexts texts{ids, starts};
    texts.check(strings.size());
    texts.check_numbers(span_of(hyp_texts));
    texts.check_numbers(span_of(ref_texts));
    const std::size_t n = hyp_texts.size(), pairs = firsts.size();
    if (ref_texts.size() != n) throw std::invalid_argument("pairs of texts differ in number");
    if (weights.size() != strings.size()) throw std::invalid_argument("expected a weight per word");
    if (seconds.size() != pairs || likenesses.size() != pairs) {
        throw std::invalid_argument("substitutes differ in number");
    }
    for (std::size_t k = 0; k < pairs; ++k) {
        if (firsts.data()[k] >= strings.size() || seconds.data()[k] >= strings.size()) {
            throw std::invalid_argument("a substitute is not in the word table");
        }
    }
    auto rows = new_rows<double>(n, SoftMatcher::kColumns);
    double* out = rows.data();
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        SpelledWords spelled;
        for (const StringView& word : strings.views) spelled.add(word, Characters::code_points);
        WordLikeness likeness(spelled);
        for (std::size_t k = 0; k < pairs; ++k) {
            likeness.add_substitutes(firsts.data()[k], seconds.data()[k], likenesses.data()[k]);
        }
        parallel_chunks(threads, n, 32, [&](std::size_t begin, std::size_t end) {
            SoftMatcher matcher;
            for (std::size_t k = begin; k < end; ++k) {
                matcher.match(texts.text(hyp_texts.data()[k]), texts.text(ref_texts.data()[k]),
                              likeness, span_of(weights), out + k * SoftMatcher::kColumns);
            }
        });
    }
    return rows;
}

}  // namespace

void bind_soft_words(nb::module_& m) {
    m.def("soft_matches", &soft_matches, nb::arg("words"), nb::arg("ids"), nb::arg("starts"),
          nb::arg("hyp_texts"), nb::arg("ref_texts"), nb::kw_only(), nb::arg("weights"),
          nb::arg("firsts"), nb::arg("seconds"), nb::arg("likenesses"),
          "Weights of words and of pairs of words: hypothesis, reference, matched in either.");
}

}  // namespace rankwise
