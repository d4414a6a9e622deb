// Rows of counts of segments, filled by one counter for each chunk of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "threads/chunks.hpp"
#include "threads/pool.hpp"

namespace rankwise {

// What a row of counts belongs to.
enum class RowOf { segment, reference };

// Rows by counter(hypothesis, references, rows of the segment), one counter per chunk of at least
// `smallest` segments.
template <class MakeCounter>
auto counted_rows(const Segments& segments, std::size_t columns, RowOf owner,
                  const MakeCounter& make_counter, std::size_t smallest = 64) {
    const auto& starts = segments.references.starts;
    const bool per_reference = owner == RowOf::reference;
    auto rows = new_rows<std::int64_t>(per_reference ? starts.back() : segments.size(), columns);
    const std::span<std::int64_t> out = span_of(rows);
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        parallel_chunks(threads, segments.size(), smallest,
                        [&](std::size_t begin, std::size_t end) {
                            auto counter = make_counter();
                            for (std::size_t i = begin; i < end; ++i) {
                                if (i + 1 < end) segments.prefetch(i + 1);
                                const std::size_t first = per_reference ? starts[i] : i;
                                const std::size_t last = per_reference ? starts[i + 1] : i + 1;
                                counter(segments.hypotheses.views[i], segments.of(i),
                                        out.subspan(first * columns, (last - first) * columns));
                            }
                        });
    }
    return rows;
}

}  // namespace rankwise
