// What module.cpp calls: one function per concept, each in the file of its name.
#pragma once

#include <nanobind/nanobind.h>

namespace rankwise {

namespace nb = nanobind;

void bind_agreement(nb::module_& m);
void bind_alignments(nb::module_& m);
void bind_edits(nb::module_& m);
void bind_features(nb::module_& m);
void bind_hopkins_may(nb::module_& m);
void bind_ngrams(nb::module_& m);
void bind_pairwise(nb::module_& m);
void bind_permutations(nb::module_& m);
void bind_rating(nb::module_& m);
void bind_resample(nb::module_& m);
void bind_ranked_lists(nb::module_& m);
void bind_soft_words(nb::module_& m);
void bind_strengths(nb::module_& m);

}  // namespace rankwise
