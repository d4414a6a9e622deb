// Letters that texts share with their references: n-grams and the longest common subsequence.
#include "ngrams/letters.hpp"

#include <cstddef>
#include <cstdint>

#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "threads/chunks.hpp"
#include "threads/pool.hpp"

namespace rankwise {

namespace {

auto letter_counts(nb::object hypotheses, nb::object references, std::size_t max_order) {
    const Segments segments(hypotheses, references);
    const auto& starts = segments.references.starts;
    const std::size_t columns = LetterCounter(max_order).columns();
    auto rows = new_rows<std::int64_t>(starts.back(), columns);
    std::int64_t* out = rows.data();
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        parallel_chunks(threads, segments.size(), 64, [&](std::size_t begin, std::size_t end) {
            LetterCounter counter(max_order);
            for (std::size_t i = begin; i < end; ++i) {
                counter(segments.hypotheses.views[i], segments.of(i), out + starts[i] * columns);
            }
        });
    }
    return rows;
}

}  // namespace

void bind_letters(nb::module_& m) {
    m.def("letter_counts", &letter_counts, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("max_order"),
          "Shared n-grams of letters by order, longest common subsequence, letters and characters "
          "of hypothesis and reference; a row per reference.");
}

}  // namespace rankwise
