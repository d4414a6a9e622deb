// Fuzz target: every text kernel on two arbitrary strings in any of Python's three widths.
//
// With clang it is a libFuzzer target; with -DRANKWISE_FUZZ_ALONE it has a main of its own that
// feeds it random bytes for some seconds. Build both with the address and undefined sanitizers:
// a finding is a crash.
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "../bleu.hpp"
#include "../chrf.hpp"
#include "../error_rate.hpp"
#include "../pairs.hpp"
#include "../tercom.hpp"
#include "../tokenise.hpp"

using namespace rankwise;

namespace {

// Code points of one width from bytes; each string has its own heap block, so that reading past
// its end is seen.
class Text {
public:
    Text(std::span<const std::uint8_t> bytes, unsigned width) : units_(bytes.size() / width * width) {
        if (!units_.empty()) std::memcpy(units_.data(), bytes.data(), units_.size());
        if (width == 4) limit_to_unicode();
        view_ = {units_.data(), units_.size() / width, static_cast<std::uint8_t>(width)};
    }
    StringView view() const { return view_; }

private:
    void limit_to_unicode() {
        for (std::size_t i = 0; i + 4 <= units_.size(); i += 4) {
            std::uint32_t unit;
            std::memcpy(&unit, units_.data() + i, 4);
            unit %= 0x110000;
            std::memcpy(units_.data() + i, &unit, 4);
        }
    }
    std::vector<std::uint8_t> units_;
    StringView view_;
};

void check(StringView hypothesis, std::span<const StringView> references) {
    std::vector<std::int64_t> row(64);
    for (const char* name : {"none", "13a", "intl", "char", "zh"}) {
        const Tokenizer& tokenizer = Tokenizer::named(name);
        BleuCounter(tokenizer, 4)(hypothesis, references, row.data());
        BleuCounter(tokenizer, 6)(hypothesis, references, row.data());
        OverlapCounter{tokenizer}(hypothesis, references, row.data());
    }
    ChrfCounter(6, 2, false)(hypothesis, references, row.data());
    ChrfCounter(9, 0, true)(hypothesis, references, row.data());
    LowestErrorRate(WordPair(split_at_space, split_at_space)).compute(hypothesis, references);
    LowestErrorRate(CharacterPair(true)).compute(hypothesis, references);
    for (const TercomOptions options : {TercomOptions{false, false, false},
                                        TercomOptions{true, true, true}}) {
        const TercomTokenizer once(options);
        FewestEdits(WordPair(once, TercomTwice(options))).compute(hypothesis, references);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    static constexpr unsigned widths[] = {1, 2, 4};
    const unsigned choice = data[0] % 9;
    const std::span rest(data + 1, size - 1);
    const std::size_t cut = data[0] * rest.size() / 256;
    const Text hypothesis(rest.first(cut), widths[choice % 3]);
    const Text reference(rest.subspan(cut), widths[choice / 3]);
    const StringView references[] = {reference.view(), hypothesis.view()};
    check(hypothesis.view(), std::span(references).first(1 + size % 2));
    return 0;
}

#ifdef RANKWISE_FUZZ_ALONE
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

int main(int argc, char** argv) {
    const auto seconds = std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 30);
    const auto end = std::chrono::steady_clock::now() + seconds;
    std::mt19937_64 random(20261115);
    static const char alphabet[] = "aabbc  .,-&<>;0123'\"\t\n\xe9\xff\x00";
    std::vector<std::uint8_t> bytes;
    long rounds = 0;
    for (; std::chrono::steady_clock::now() < end; ++rounds) {
        bytes.resize(random() % (rounds % 50 ? 200 : 4000));
        for (auto& byte : bytes) {
            byte = random() % 4 ? static_cast<std::uint8_t>(alphabet[random() % sizeof alphabet])
                                : static_cast<std::uint8_t>(random());
        }
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("%ld inputs, no finding\n", rounds);
}
#endif
