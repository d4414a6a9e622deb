// Alignments of METEOR: words of texts, the matchers and the search.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alignment/align.hpp"
#include "alignment/matchers.hpp"
#include "alignment/paraphrases.hpp"
#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "bindings/convert/texts.hpp"
#include "text/normalise.hpp"
#include "text/vocabulary.hpp"
#include "threads/chunks.hpp"
#include "threads/pool.hpp"

namespace rankwise {

namespace {

void add_words(WordSet& set, nb::object words) {
    const Strings strings(words, "prefixes");
    for (const StringView view : strings.views) {
        std::u32string word;
        assign_code_points(view, word);
        set.insert(std::move(word));
    }
}

struct TokenisedText {
    std::u32string letters;
    std::vector<Token> tokens;
};

std::vector<TokenisedText> tokenised(const std::vector<StringView>& texts,
                                     const NormaliserRules& rules, std::size_t threads) {
    std::vector<TokenisedText> result(texts.size());
    parallel_chunks(threads, texts.size(), 64, [&](std::size_t begin, std::size_t end) {
        Normaliser normaliser(rules);
        for (std::size_t i = begin; i < end; ++i) {
            normaliser.run(texts[i], result[i].letters, result[i].tokens);
        }
    });
    return result;
}

// The words of texts of four bytes per code point.
nb::list words_as_list(const Vocabulary& vocabulary) {
    nb::list words;
    for (Id id = 0; id < vocabulary.size(); ++id) {
        const std::string_view bytes = vocabulary.word(id);
        words.append(string_of(
            {reinterpret_cast<const char32_t*>(bytes.data()), bytes.size() / sizeof(char32_t)}));
    }
    return words;
}

nb::tuple meteor_words(nb::object hypotheses, nb::object references, bool normalise,
                       bool punctuation, int apostrophes, nb::object prefixes,
                       nb::object numeric_prefixes) {
    if (apostrophes < 0 || apostrophes > 2) throw std::invalid_argument("unknown apostrophes");
    const Strings hyps(hypotheses, "hypotheses");
    const References refs(references);
    NormaliserRules rules{normalise, punctuation, static_cast<Apostrophes>(apostrophes), {}, {}};
    add_words(rules.prefixes, prefixes);
    add_words(rules.numeric_prefixes, numeric_prefixes);
    std::vector<StringView> texts(hyps.views);
    texts.insert(texts.end(), refs.views.begin(), refs.views.end());
    std::vector<TokenisedText> lines;  // the vocabulary points into them
    Vocabulary vocabulary;
    std::vector<Id> ids, ids_of_line;
    std::vector<std::int64_t> starts{0};
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        lines = tokenised(texts, rules, threads);
        for (const auto& [letters, tokens] : lines) {
            vocabulary.number(words_of(letters, tokens), ids_of_line);
            ids.insert(ids.end(), ids_of_line.begin(), ids_of_line.end());
            starts.push_back(static_cast<std::int64_t>(ids.size()));
        }
    }
    const std::vector<std::int64_t> ref_starts(refs.starts.begin(), refs.starts.end());
    return nb::make_tuple(words_as_list(vocabulary), new_column(ids), new_column(starts),
                          new_column(ref_starts));
}

ParaphraseTable* new_paraphrase_table(nb::bytes text) {
    nb::gil_scoped_release release;
    return new ParaphraseTable({static_cast<const char*>(text.data()), text.size()});
}

auto paraphrase_word_ids(const ParaphraseTable& table, nb::object words) {
    const nb::object tuple = frozen(words, "words");
    std::vector<std::int32_t> ids;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple.ptr()); ++i) {
        Py_ssize_t length = 0;
        const char* utf8 = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(tuple.ptr(), i), &length);
        if (utf8 == nullptr) PyErr_Clear();  // a lone surrogate: in no table
        ids.push_back(utf8 ? table.word({utf8, static_cast<std::size_t>(length)}) : -1);
    }
    return new_column(ids);
}

// The word table of a call, and the arrays that keep it alive.
struct PythonWords {
    Column<std::int64_t> keys, stems, first_synset, synsets;
    Column<std::uint8_t> function;
    Column<std::int32_t> phrase_words;
    const ParaphraseTable* paraphrases;

    WordTable table() const {
        WordTable words{
            span_of(keys),     span_of(stems),        span_of(first_synset), span_of(synsets),
            span_of(function), span_of(phrase_words), paraphrases,           {}};
        const std::size_t n = words.keys.size();
        if (words.stems.size() != n || words.function.size() != n ||
            words.first_synset.size() != n + 1 || words.phrase_words.size() != n) {
            throw std::invalid_argument("columns of the word table differ in length");
        }
        const auto first = words.first_synset;
        if (first.front() < 0 || !std::is_sorted(first.begin(), first.end()) ||
            static_cast<std::size_t>(first.back()) > words.synsets.size()) {
            throw std::invalid_argument("the starts of synsets do not fit the synsets");
        }
        if (std::any_of(words.function.begin(), words.function.end(),
                        [](int f) { return f > 1; })) {
            throw std::invalid_argument("a function word is 1, any other word 0");
        }
        words.mark_synsets();
        return words;
    }
};

StageOrder stage_order(const std::string& stages, const ParaphraseTable* paraphrases) {
    StageOrder order;
    for (const char stage : stages) {
        if (stage < '0' || stage >= '0' + kStages) throw std::invalid_argument("unknown stage");
        order.push_back(static_cast<Stage>(stage - '0'));
        if (std::count(order.begin(), order.end(), order.back()) > 1) {
            throw std::invalid_argument("a stage comes twice");
        }
        if (order.back() == kParaphrase && paraphrases == nullptr) {
            throw std::invalid_argument("no paraphrases");
        }
    }
    return order;
}

// A pair of which too many words match is an error that holds its number.
const std::vector<Match>& aligned(MeteorAligner& aligner, Ids hyp, Ids ref, std::size_t pair) {
    try {
        return aligner.align(hyp, ref);
    } catch (const TooManyMatches&) {
        throw std::length_error(std::to_string(pair));  // the caller knows the rest
    }
}

nb::tuple align_texts(Column<std::uint32_t> ids, Column<std::int64_t> starts,
                      Column<std::int64_t> hyp_texts, Column<std::int64_t> ref_texts,
                      Column<std::int64_t> keys, Column<std::int64_t> stems,
                      Column<std::int64_t> first_synset, Column<std::int64_t> synsets,
                      Column<std::uint8_t> function, Column<std::int32_t> phrase_words,
                      const ParaphraseTable* paraphrases, const std::string& stages, bool original,
                      bool keep_matches, std::size_t listed_pairs) {
    const PythonTexts texts{ids, starts};
    const PythonWords python{keys,     stems,        first_synset, synsets,
                             function, phrase_words, paraphrases};
    const WordTable words = python.table();
    const StageOrder order = stage_order(stages, paraphrases);
    const Search search = original ? Search::original : Search::corrected;
    const std::size_t n = hyp_texts.size();
    if (ref_texts.size() != n) throw std::invalid_argument("pairs of texts differ in number");
    texts.check(words.keys.size());
    texts.check_numbers(span_of(hyp_texts));
    texts.check_numbers(span_of(ref_texts));
    auto rows = new_rows<std::int64_t>(n, kAlignmentColumns);
    std::vector<std::vector<Match>> kept(keep_matches ? n : 0);
    const auto out = span_of(rows);
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        parallel_chunks(threads, n, 8, [&](std::size_t begin, std::size_t end) {
            MeteorAligner aligner(words, order, search, listed_pairs);
            for (std::size_t k = begin; k < end; ++k) {
                const Ids hyp = texts.text(hyp_texts.data()[k]);
                const Ids ref = texts.text(ref_texts.data()[k]);
                const std::vector<Match>& matches = aligned(aligner, hyp, ref, k);
                alignment_row(matches, hyp, ref, words.function,
                              out.subspan(k * kAlignmentColumns, kAlignmentColumns));
                if (keep_matches) kept[k] = matches;
            }
        });
    }
    std::vector<std::int64_t> match_starts{0};
    std::size_t total = 0;
    for (const auto& matches : kept) {
        total += matches.size();
        match_starts.push_back(static_cast<std::int64_t>(total));
    }
    auto flat = new_rows<std::int32_t>(total, 5);
    Match* target = reinterpret_cast<Match*>(flat.data());
    for (const auto& matches : kept) target = std::copy(matches.begin(), matches.end(), target);
    return nb::make_tuple(rows, flat, new_column(match_starts));
}

// The search alone, for one pair: candidates (m, 5) ordered by reference position.
auto align_candidates(nb::ndarray<const std::int32_t, nb::shape<-1, 5>, nb::c_contig> candidates,
                      std::size_t hyp_length, std::size_t ref_length, bool original,
                      std::size_t beam) {
    static_assert(sizeof(Match) == 5 * sizeof(std::int32_t));
    const Match* data = reinterpret_cast<const Match*>(candidates.data());
    for (std::size_t k = 0; k < candidates.shape(0); ++k) {
        const Match& m = data[k];
        const auto fits = [](std::int64_t start, std::int64_t length, std::size_t size) {
            return start >= 0 && length > 0 && static_cast<std::size_t>(start + length) <= size;
        };
        if (!fits(m.ref_start, m.ref_length, ref_length) ||
            !fits(m.hyp_start, m.hyp_length, hyp_length) ||
            (k > 0 && m.ref_start < data[k - 1].ref_start)) {
            throw std::invalid_argument("candidates do not fit the texts or are not in order");
        }
    }
    AlignmentSearch search(original ? Search::original : Search::corrected, beam);
    const auto& chosen = search.run({data, candidates.shape(0)}, hyp_length, ref_length);
    auto result = new_rows<std::int32_t>(chosen.size(), 5);
    std::copy(chosen.begin(), chosen.end(), reinterpret_cast<Match*>(result.data()));
    return result;
}

}  // namespace

void bind_alignments(nb::module_& m) {
    // Alignments.
    nb::class_<ParaphraseTable>(m, "ParaphraseTable", "Pairs of phrases, found by a trie of words.")
        .def(nb::new_(&new_paraphrase_table), nb::arg("text"))
        .def("__len__", &ParaphraseTable::size)
        .def("word_ids", &paraphrase_word_ids, nb::arg("words"), "Numbers of words, -1 if absent.");
    m.def("meteor_words", &meteor_words, nb::arg("hypotheses"), nb::arg("references"),
          nb::kw_only(), nb::arg("normalise"), nb::arg("punctuation"), nb::arg("apostrophes"),
          nb::arg("prefixes"), nb::arg("numeric_prefixes"),
          "Distinct words, and per text (hypotheses, then references) the ids of its tokens.");
    m.def("align_texts", &align_texts, nb::arg("ids"), nb::arg("starts"), nb::arg("hyp_texts"),
          nb::arg("ref_texts"), nb::kw_only(), nb::arg("keys"), nb::arg("stems"),
          nb::arg("first_synset"), nb::arg("synsets"), nb::arg("function"), nb::arg("phrase_words"),
          nb::arg("paraphrases").none(), nb::arg("stages"), nb::arg("original"),
          nb::arg("keep_matches"), nb::arg("listed_pairs") = MeteorAligner::kListedPairs,
          "METEOR's alignment of pairs of texts: counts and matches.");
    m.def("align_candidates", &align_candidates, nb::arg("candidates"), nb::arg("hyp_length"),
          nb::arg("ref_length"), nb::kw_only(), nb::arg("original"), nb::arg("beam"),
          "METEOR's search for the best alignment among candidates.");
}

}  // namespace rankwise
