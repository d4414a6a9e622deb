// Words as numbers: equal where the words are, up to a length.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "text/text.hpp"
#include "text/vocabulary.hpp"

namespace rankwise {

// The key of a word of up to 31 bytes holds them all and their number, so that equal keys are equal
// words. That of a longer one is a hash of its bytes, and equals that of no shorter word.
class WordKey {
public:
    static bool is_long(std::string_view word) { return word.size() >= kKeyBytes; }

    // Of a word that is not long; kKeyBytes are read wherever it ends.
    void read(std::string_view word) {
        const Bytes& used = kUsed[word.size()];
        read(word.data(), used, kSize[word.size()]);
    }

    void read_long(std::string_view word) {
        std::uint64_t hash = eight_bytes(word.data() + word.size() - 8);
        for (std::size_t i = 0; i + 8 < word.size(); i += 8) {
            hash = scatter((hash ^ hash >> 29) + eight_bytes(word.data() + i));
        }
        Bytes bytes;
        bytes.fill(0xff);
        std::memcpy(bytes.data(), &hash, sizeof hash);
        read(reinterpret_cast<const char*>(bytes.data()), kAll, {});
    }

#if defined(__SSE2__)
    // Nothing but zeros if equal.
    std::uint64_t difference(const WordKey& other) const {
        const __m128i equal = _mm_and_si128(_mm_cmpeq_epi32(first_, other.first_),
                                            _mm_cmpeq_epi32(last_, other.last_));
        return static_cast<std::uint64_t>(_mm_movemask_epi8(equal)) ^ 0xffff;
    }

    // Its upper bits are spread.
    std::uint64_t hash() const {
        const __m128i both = _mm_add_epi64(first_, _mm_shuffle_epi32(last_, 0x4e));
        return hash_of(low(both), low(_mm_unpackhi_epi64(both, both)));
    }
#else
    std::uint64_t difference(const WordKey& other) const {
        std::uint64_t found = 0;
        for (std::size_t k = 0; k < words_.size(); ++k) found |= words_[k] ^ other.words_[k];
        return found;
    }

    std::uint64_t hash() const { return hash_of(words_[0] + words_[3], words_[1] + words_[2]); }
#endif

private:
    using Half = std::array<std::uint8_t, kKeyBytes / 2>;
    using Bytes = std::array<std::uint8_t, kKeyBytes>;

    // Two multiplications at a time, not one after the other.
    static std::uint64_t hash_of(std::uint64_t one, std::uint64_t other) {
        return scatter(one) + other * 0xbf58476d1ce4e5b9u;
    }

#if defined(__SSE2__)
    static std::uint64_t low(__m128i bits) {
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(bits));
    }

    void read(const char* word, const Bytes& used, const Half& size) {
        const auto* bytes = reinterpret_cast<const __m128i*>(word);
        const auto* masks = reinterpret_cast<const __m128i*>(used.data());
        const auto* more = reinterpret_cast<const __m128i*>(size.data());
        first_ = _mm_and_si128(_mm_loadu_si128(bytes), _mm_loadu_si128(masks));
        last_ = _mm_or_si128(_mm_and_si128(_mm_loadu_si128(bytes + 1), _mm_loadu_si128(masks + 1)),
                             _mm_loadu_si128(more));
    }

    __m128i first_, last_;
#else
    void read(const char* word, const Bytes& used, const Half& size) {
        for (std::size_t k = 0; k < words_.size(); ++k) {
            words_[k] = eight_bytes(word + 8 * k) & eight_bytes(used.data() + 8 * k);
        }
        words_[2] |= eight_bytes(size.data());
        words_[3] |= eight_bytes(size.data() + 8);
    }

    std::array<std::uint64_t, 4> words_;
#endif

    // By size: which bytes are in use, and a last half that has the size at its end.
    static constexpr auto kUsed = [] {
        std::array<Bytes, kKeyBytes> used{};
        for (std::size_t size = 0; size < kKeyBytes; ++size) {
            for (std::size_t k = 0; k < size; ++k) used[size][k] = 0xff;
        }
        return used;
    }();
    static constexpr auto kSize = [] {
        std::array<Half, kKeyBytes> sizes{};
        for (std::size_t size = 0; size < kKeyBytes; ++size) {
            sizes[size].back() = static_cast<std::uint8_t>(size);
        }
        return sizes;
    }();
    static constexpr auto kAll = [] {
        Bytes all{};
        all.fill(0xff);
        return all;
    }();
};

}  // namespace rankwise
