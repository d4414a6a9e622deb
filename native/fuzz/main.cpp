// What all fuzz targets share. With clang's -fsanitize=fuzzer this is a libFuzzer target, whose
// first byte chooses a check and whose others are its arguments. With -DRANKWISE_FUZZ_ALONE it has
// a main of its own:
//
//     TARGET --entries               prints the entries that the target drives
//     TARGET SECONDS SEED [FILE ...] gives the files to every check, then these damaged, and random
//                                    bytes, until the time is up
//
// A finding ends the program: build it with the address and undefined sanitizers.
#include <cstddef>
#include <cstdint>

#include "fuzz/entries.hpp"

using namespace rankwise::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto all = checks();
    Arguments arguments({data + 1, size - 1});
    all[data[0] % all.size()].run(arguments);
    return 0;
}

#ifdef RANKWISE_FUZZ_ALONE
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> contents(std::span<char*> names) {
    std::vector<Bytes> found;
    for (const char* name : names) {
        std::ifstream file(name, std::ios::binary);
        found.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return found;
}

long replayed(std::span<const Bytes> kept) {
    long calls = 0;
    for (const Bytes& bytes : kept) {
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
        for (const Check& check : checks()) {
            Arguments arguments(bytes);
            check.run(arguments);
            ++calls;
        }
    }
    return calls;
}

// Random bytes, or a kept input of which one byte in sixteen is another.
Bytes made(std::span<const Bytes> kept, std::mt19937_64& random) {
    if (!kept.empty() && random() % 2 == 0) {
        Bytes bytes = kept[random() % kept.size()];
        for (std::uint8_t& byte : bytes) {
            if (random() % 16 == 0) byte = static_cast<std::uint8_t>(random());
        }
        return bytes;
    }
    Bytes bytes(random() % (random() % 50 == 0 ? 4000 : 200));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
}

long fuzzed(std::span<const Bytes> kept, int seconds, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    long calls = 0;
    for (; std::chrono::steady_clock::now() < end; ++calls) {
        const Bytes bytes = made(kept, random);
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    return calls;
}

}  // namespace

int main(int argc, char** argv) {
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    if (argc == 2 && arguments[1] == std::string_view("--entries")) {
        for (const Check& check : checks()) std::puts(check.entries);
        return 0;
    }
    if (argc < 3) return 2;
    const auto kept = contents(arguments.subspan(3));
    const long calls = replayed(kept);
    const long more =
        fuzzed(kept, std::atoi(arguments[1]), std::strtoull(arguments[2], nullptr, 10));
    std::printf("%ld calls with %zu kept inputs and %ld with new ones, no finding\n", calls,
                kept.size(), more);
}
#endif
