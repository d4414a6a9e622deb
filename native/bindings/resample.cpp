// Sums of resampled rows, from numpy's random stream.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/state.hpp"
#include "sampling/resample.hpp"
#include "threads/pool.hpp"

namespace rankwise {

namespace {

using Integers = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Resampler new_resampler(Integers rows, Column<std::uint64_t> state) {
    if (rows.shape(0) == 0 || rows.shape(0) > 0xffffffffu) {
        throw std::invalid_argument("expected 1 to 2**32 - 1 rows");
    }
    const Pcg64 random = generator(state);
    nb::gil_scoped_release release;
    return Resampler(span_of(rows), rows.shape(0), rows.shape(1), random);
}

template <void (Resampler::*kDraw)(std::size_t, std::size_t, std::span<std::int64_t>)>
auto resampled(Resampler& resampler, std::size_t samples) {
    auto sums = new_rows<std::int64_t>(samples, resampler.columns());
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    (resampler.*kDraw)(samples, threads, span_of(sums));
    return sums;
}

// A generator that counts the cells of resampled groups; see bootstrap_counts.
struct GroupResampler {
    Column<std::int64_t> starts;
    Column<std::int32_t> cells;
    std::size_t width;
    Pcg64 random;
};

GroupResampler new_group_resampler(Column<std::int64_t> starts, Column<std::int32_t> cells,
                                   std::size_t width, Column<std::uint64_t> state) {
    const auto borders = span_of(starts);
    if (borders.size() < 2 || borders.size() > 0xffffffffu || borders.front() != 0 ||
        borders.back() != static_cast<std::int64_t>(cells.size()) ||
        !std::ranges::is_sorted(borders)) {
        throw std::invalid_argument("the starts of groups must rise from 0 to the number of cells");
    }
    const auto limit = static_cast<std::int64_t>(width);
    if (!std::ranges::all_of(span_of(cells),
                             [&](std::int32_t cell) { return cell >= 0 && cell < limit; })) {
        throw std::invalid_argument("a cell lies outside the width");
    }
    return {starts, cells, width, generator(state)};
}

auto resampled_counts(GroupResampler& groups, std::size_t samples) {
    auto counts = new_rows<std::int64_t>(samples, groups.width);
    const std::size_t threads = thread_count();
    nb::gil_scoped_release release;
    bootstrap_counts(span_of(groups.starts), span_of(groups.cells), groups.width, groups.random,
                     samples, threads, span_of(counts));
    return counts;
}

// Leaves out what so many samples would have drawn: how many steps that is depends on the numbers.
void skip_counts(GroupResampler& groups, std::size_t samples) {
    const auto count = static_cast<std::uint32_t>(groups.starts.shape(0) - 1);
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < samples * count; ++i) groups.random.below(count);
}

}  // namespace

void bind_resample(nb::module_& m) {
    // Stateful: successive calls continue one random stream, so a long run comes in blocks.
    nb::class_<Resampler>(m, "Resampler", "Integer rows and numpy's PCG64 stream to resample with.")
        .def(nb::new_(&new_resampler), nb::arg("rows"), nb::arg("state"))
        .def("bootstrap", &resampled<&Resampler::bootstrap>, nb::arg("samples"),
             "Sums over rows drawn with replacement, (samples, columns).")
        .def("coins", &resampled<&Resampler::coins>, nb::arg("samples"),
             "Sums over the rows that a fair coin picks, (samples, columns).");
    nb::class_<GroupResampler>(m, "GroupResampler", "Groups of cells to count in resamples.")
        .def(nb::new_(&new_group_resampler), nb::arg("starts"), nb::arg("cells"), nb::arg("width"),
             nb::arg("state"))
        .def("bootstrap", &resampled_counts, nb::arg("samples"),
             "Counts of cells over groups drawn with replacement, (samples, width).")
        .def("skip", &skip_counts, nb::arg("samples"), "Go on as if these had been drawn.");
}

}  // namespace rankwise
