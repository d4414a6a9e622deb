// Arguments of kernels, read from bytes: well formed, and as hostile as the bindings let through.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sampling/random.hpp"
#include "text/text.hpp"

namespace rankwise::fuzz {

// What must hold whatever the input: else the target ends, and libFuzzer keeps the input.
inline void require(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (holds) return;
    std::fprintf(stderr, "%s:%d does not hold\n", file, line);
    std::abort();
}

// Code points in one of Python's three widths. Each text has its own heap block, as long as it is,
// so that reading past its end is seen.
class Text {
public:
    Text(std::span<const char32_t> points, std::uint8_t width) : units_(points.size() * width) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            std::memcpy(units_.data() + i * width, &points[i], width);
        }
        view_ = {units_.data(), points.size(), width};
    }
    StringView view() const { return view_; }
    std::u32string points() const {
        std::u32string found;
        assign_code_points(view_, found);
        return found;
    }

private:
    std::vector<std::uint8_t> units_;
    StringView view_;
};

// A hypothesis and its references.
struct Segment {
    std::vector<Text> texts;  // the hypothesis first

    StringView hypothesis() const { return texts.front().view(); }
    std::vector<StringView> references() const {
        std::vector<StringView> views;
        for (const Text& text : std::span(texts).subspan(1)) views.push_back(text.view());
        return views;
    }
    std::size_t longest() const {
        std::size_t most = 0;
        for (const Text& text : texts) most = std::max(most, text.view().length);
        return most;
    }
};

// Bytes that are read as arguments; where they end, they begin again.
class Arguments {
public:
    explicit Arguments(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::uint8_t byte() {
        if (bytes_.empty()) return 0;
        const std::uint8_t found = bytes_[place_];
        place_ = (place_ + 1) % bytes_.size();
        return found;
    }

    std::uint64_t word(int count = 8) {
        std::uint64_t found = 0;
        for (int i = 0; i < count; ++i) found |= std::uint64_t{byte()} << 8 * i;
        return found;
    }

    // A whole number from `low` to `high`.
    std::int64_t number(std::int64_t low, std::int64_t high) {
        const auto count = static_cast<std::uint64_t>(high - low) + 1;
        return low + static_cast<std::int64_t>(word(count <= 256 ? 1 : 8) % count);
    }
    std::size_t size(std::size_t low, std::size_t high) {
        return static_cast<std::size_t>(
            number(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
    }
    bool is_so() { return byte() % 2 != 0; }

    // As a rule one of few numbers, so that there are ties; now and then a strange one.
    double real() {
        const std::uint8_t kind = byte();
        if (kind < 10) return kStrange[kind];
        if (kind < 20) return std::bit_cast<double>(word());
        return static_cast<double>(kind % 16) / (kind < 128 ? 1 : 10) - 5;
    }
    // The same without nan and infinities.
    double finite() {
        const double found = real();
        return found - found == 0 ? found : 0;
    }
    // From 0 or the smallest number on.
    double positive() {
        const double found = finite();
        return found > 0 ? found : found < 0 ? -found : std::numeric_limits<double>::denorm_min();
    }

    std::vector<double> reals(std::size_t count) {
        std::vector<double> found(count);
        for (double& one : found) one = real();
        return found;
    }
    template <class Number>
    std::vector<Number> numbers(std::size_t count, std::int64_t low, std::int64_t high) {
        std::vector<Number> found(count);
        for (Number& one : found) one = static_cast<Number>(number(low, high));
        return found;
    }

    // Where parts of a list begin, and its end.
    std::vector<std::int64_t> starts(std::size_t length, std::size_t most = 4) {
        const std::size_t inner = size(0, most - 1);
        auto found = numbers<std::int64_t>(inner, 0, static_cast<std::int64_t>(length));
        found.push_back(0), found.push_back(static_cast<std::int64_t>(length));
        std::ranges::sort(found);
        return found;
    }

    Pcg64 generator() {
        const std::uint64_t state = word(), increment = word();
        return Pcg64(state, 2 * Pcg64::Wide{increment} + 1);
    }

    std::string bytes(std::size_t count) {
        std::string found(count, '\0');
        for (char& one : found) one = static_cast<char>(byte());
        return found;
    }

    // Half of all texts are of few letters, so that much comes twice.
    Text text(std::size_t most) {
        static constexpr char32_t kLetters[] = {
            'a',     'a',    'a', 'b', ' ', ' ',  '.',
            ',',     '\'',   '-', '1', 'A', '\n', 0xe9,  // in one byte
            0x3002,  0x4e2d,                             // in two
            0x1f600, 0xd800};
        static constexpr std::uint8_t kWidths[] = {1, 2, 4};
        const std::uint8_t kind = byte(), width = kWidths[kind % 3];
        std::u32string points(length(most), U' ');
        for (char32_t& point : points) {
            point = kind < 128 ? kLetters[byte() % (width == 1   ? 14
                                                    : width == 2 ? 16
                                                                 : 18)]
                               : static_cast<char32_t>(word(width) % 0x110000);
        }
        return Text(points, width);
    }

    // A text that differs from another in few places.
    Text text_like(const Text& other, std::size_t most) {
        static constexpr char32_t kNew[] = U"a b.";
        std::u32string points = other.points();
        for (std::size_t changes = size(0, 6); changes > 0; --changes) {
            const std::size_t place = size(0, points.size());
            switch (byte() % 3) {
                case 0: points.insert(place, 1, kNew[byte() % 4]); break;
                case 1: points.erase(place, size(1, 9)); break;
                default:
                    std::rotate(points.begin(), points.begin() + std::ptrdiff_t(place),
                                points.end());
            }
        }
        points.resize(std::min(points.size(), most));
        return Text(points, other.view().width);
    }

    // A hypothesis with one to three references, some of them near it.
    Segment segment(std::size_t most) {
        Segment found;
        found.texts.push_back(text(most));
        for (std::size_t count = size(1, 3); count > 0; --count) {
            found.texts.push_back(is_so() ? text(most) : text_like(found.texts.front(), most));
        }
        return found;
    }

private:
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    static constexpr double kStrange[] = {std::numeric_limits<double>::quiet_NaN(),
                                          kInfinity,
                                          -kInfinity,
                                          -0.0,
                                          5e-324,
                                          1e-200,
                                          1e200,
                                          1.7e308,
                                          -1.7e308,
                                          1 + 2.3e-16};

    // Mostly short.
    std::size_t length(std::size_t most) {
        const std::size_t found = byte();
        return std::min(most, found < 224 ? found % 64 : (found - 220) * 24);
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t place_ = 0;
};

}  // namespace rankwise::fuzz
