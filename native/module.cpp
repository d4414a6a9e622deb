// The table of contents of rankwise._core. A bound function converts, releases the GIL and calls.
#include <nanobind/nanobind.h>

#include "bindings/bindings.hpp"
#include "threads/pool.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Text into counts: the native core of Rankwise.";
    m.def("thread_count", &rankwise::thread_count, "How many threads the kernels use.");
    rankwise::bind_ngrams(m);        // lines; tokenise; BLEU, chrF and word-overlap statistics
    rankwise::bind_pairwise(m);      // BLEU and chrF of candidates against each other
    rankwise::bind_alignments(m);    // METEOR: words, matchers, search
    rankwise::bind_edits(m);         // WER, CER and TER counts and alignments
    rankwise::bind_rating(m);        // TrueSkill
    rankwise::bind_strengths(m);     // Bradley and Terry; what comparisons join
    rankwise::bind_hopkins_may(m);   // the sampler of Hopkins and May
    rankwise::bind_resample(m);      // sums of resampled rows
    rankwise::bind_permutations(m);  // trees of permutations, the order of aligned words
    rankwise::bind_features(m);      // n-grams, pieces and letters of texts, for learned metrics
    rankwise::bind_soft_words(m);    // words that match in part, for learned metrics
    rankwise::bind_ranked_lists(m);  // pairs, places and gains of ranked lists
    rankwise::bind_agreement(m);     // pairs of two tables of scores, tie calibration, exchange
}
