// The table of contents of rankwise._core: every function converts, releases the GIL and calls.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

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

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "Text into counts: the native core of Rankwise.";
    m.def("thread_count", &thread_count, "How many threads the kernels use.");
    m.def("token_counts", &token_counts, nb::arg("texts"), "Tokens of text.split(), (n, 1).");
}
