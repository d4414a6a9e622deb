// Words that match in part: the weights of words and of pairs of words that two texts share.
#include "soft/soft_words.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/convert/rows.hpp"
#include "bindings/convert/strings.hpp"
#include "bindings/convert/texts.hpp"
#include "text/character_kinds.hpp"
#include "text/spelled_words.hpp"
#include "text/whole_pieces.hpp"
#include "text/word_splitter.hpp"
#include "threads/chunks.hpp"
#include "threads/pool.hpp"

namespace rankwise {

namespace {

// UTF-8 in which any word may have been found, so lone surrogates as well.
nb::object decoded(std::string_view word) {
    PyObject* made =
        PyUnicode_DecodeUTF8(word.data(), static_cast<Py_ssize_t>(word.size()), "surrogatepass");
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

// What Python takes characters for: the classes \w and \s of its patterns. Built once.
const CharacterKinds& character_kinds() {
    static const CharacterKinds& kinds = *new CharacterKinds(
        [](char32_t c) { return Py_UNICODE_ISALNUM(static_cast<Py_UCS4>(c)) != 0; },
        [](char32_t c) { return Py_UNICODE_ISSPACE(static_cast<Py_UCS4>(c)) != 0; },
        [](char32_t c) { return char32_t{Py_UNICODE_TOLOWER(static_cast<Py_UCS4>(c))}; });
    return kinds;
}

// Makes ids of words go before those of pieces; returns how many there are.
Id put_words_first(const Vocabulary& vocabulary, const WordSplitter& splitter,
                   std::vector<Id>& order, std::vector<Id>& ids) {
    std::vector<Id> pieces, number(vocabulary.size());
    for (Id id = 0; id < vocabulary.size(); ++id) {
        (splitter.is_word(vocabulary.word(id)) ? order : pieces).push_back(id);
    }
    const Id count = static_cast<Id>(order.size());
    order.insert(order.end(), pieces.begin(), pieces.end());
    for (Id k = 0; k < order.size(); ++k) number[order[k]] = k;
    if (!pieces.empty()) {
        for (Id& id : ids) id = number[id];
    }
    return count;
}

// The distinct words of hypotheses and then of references, in lower case; the distinct pieces that
// are left whole (see WordSplitter); and the ids of every text, those of words first.
nb::tuple split_words(nb::object hypotheses, nb::object references) {
    const Strings hyps(hypotheses, "hypotheses");
    const References refs(references);
    std::vector<StringView> texts(hyps.views);
    texts.insert(texts.end(), refs.views.begin(), refs.views.end());
    std::size_t most = 8;  // behind the last text
    for (const StringView& text : texts) most += most_utf8_bytes(text);
    // The vocabulary points into them.
    const auto bytes = std::make_unique_for_overwrite<char[]>(most);
    Vocabulary vocabulary;
    std::vector<Id> ids, ids_of_text, order;
    std::vector<std::int64_t> starts{0};
    Id words_end = 0;
    {
        nb::gil_scoped_release release;
        ids.reserve(most / 8);  // seldom too few; memory that is not used costs nothing
        WordSplitter splitter(character_kinds());
        std::vector<Token> tokens;
        char* next = bytes.get();
        for (const StringView& text : texts) {
            char* const begin = next;
            next = splitter.split(text, begin, tokens);
            vocabulary.number({begin, 1, tokens}, ids_of_text);
            ids.insert(ids.end(), ids_of_text.begin(), ids_of_text.end());
            starts.push_back(static_cast<std::int64_t>(ids.size()));
        }
        words_end = put_words_first(vocabulary, splitter, order, ids);
    }
    nb::list words, others;
    for (Id k = 0; k < order.size(); ++k) {
        (k < words_end ? words : others).append(decoded(vocabulary.word(order[k])));
    }
    return nb::make_tuple(words, others, new_column(ids), new_column(starts));
}

// Texts of ids of words and, from `first` on, of pieces, as ids of words: `words` has those of one
// piece after the other, and `lengths` how many each has.
nb::tuple words_of_pieces(Column<std::uint32_t> ids, Column<std::int64_t> starts, Id first,
                          Column<std::uint32_t> words, Column<std::int64_t> lengths) {
    const PythonTexts texts{ids, starts};
    texts.check(first + lengths.size());
    const WholePieces pieces(first, span_of(words), span_of(lengths));
    std::vector<std::uint32_t> found;
    std::vector<std::int64_t> found_starts{0};
    {
        nb::gil_scoped_release release;
        found.reserve(ids.size() + ids.size() / 4);
        for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
            pieces.append(texts.text(static_cast<std::int64_t>(k)), found);
            found_starts.push_back(static_cast<std::int64_t>(found.size()));
        }
    }
    return nb::make_tuple(new_column(found), new_column(found_starts));
}

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
    const auto out = span_of(rows);
    const std::size_t threads = thread_count();
    {
        nb::gil_scoped_release release;
        SpelledWords spelled;
        for (const StringView& word : strings.views) spelled.add(word, Characters::code_points);
        WordLikeness likeness(spelled);
        likeness.set_substitutes(span_of(firsts), span_of(seconds), span_of(likenesses));
        parallel_chunks(threads, n, 32, [&](std::size_t begin, std::size_t end) {
            SoftMatcher matcher(likeness);
            for (std::size_t k = begin; k < end; ++k) {
                matcher.match(
                    texts.text(hyp_texts.data()[k]), texts.text(ref_texts.data()[k]),
                    span_of(weights),
                    out.subspan(k * SoftMatcher::kColumns).first<SoftMatcher::kColumns>());
            }
        });
    }
    return rows;
}

}  // namespace

void bind_soft_words(nb::module_& m) {
    m.def("split_words", &split_words, nb::arg("hypotheses"), nb::arg("references"),
          "Distinct words in lower case, pieces between white space that one character at a time "
          "does not cut, and per text (hypotheses, then references) its ids, words before pieces; "
          "where texts start.");
    m.def("words_of_pieces", &words_of_pieces, nb::arg("ids"), nb::arg("starts"), nb::arg("first"),
          nb::arg("words"), nb::arg("lengths"),
          "Ids of words, and where texts start, from ids of words and, from the first on, of "
          "pieces.");
    m.def("soft_matches", &soft_matches, nb::arg("words"), nb::arg("ids"), nb::arg("starts"),
          nb::arg("hyp_texts"), nb::arg("ref_texts"), nb::kw_only(), nb::arg("weights"),
          nb::arg("firsts"), nb::arg("seconds"), nb::arg("likenesses"),
          "Weights of words and of pairs of words: hypothesis, reference, matched in either.");
}

}  // namespace rankwise
