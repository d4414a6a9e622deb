// Tokens to numbers: the distinct words of many texts, numbered in order of first occurrence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankwise {

class Vocabulary {
public:
    Vocabulary() : slots_(1024, kEmpty) {}

    std::uint32_t add(std::u32string_view word) {
        const std::uint64_t hash = hash_of(word);
        std::size_t slot = find(word, hash);
        if (slots_[slot] == kEmpty) {
            slots_[slot] = static_cast<std::uint32_t>(entries_.size());
            entries_.push_back({letters_.size(), word.size(), hash});
            letters_.append(word);
            if (entries_.size() * 2 > slots_.size()) grow();
            return static_cast<std::uint32_t>(entries_.size() - 1);
        }
        return slots_[slot];
    }

    std::size_t size() const { return entries_.size(); }

    std::u32string_view word(std::size_t id) const {
        return {letters_.data() + entries_[id].begin, entries_[id].length};
    }

private:
    struct Entry {
        std::size_t begin, length;
        std::uint64_t hash;
    };
    static constexpr std::uint32_t kEmpty = 0xffffffff;

    static std::uint64_t hash_of(std::u32string_view word) {
        std::uint64_t hash = 0x9e3779b97f4a7c15;
        for (const char32_t c : word) hash = (hash ^ c) * 0xff51afd7ed558ccd;
        return hash ^ (hash >> 32);
    }

    std::size_t find(std::u32string_view text, std::uint64_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = hash & mask;
        while (slots_[slot] != kEmpty &&
               (entries_[slots_[slot]].hash != hash || word(slots_[slot]) != text)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    void grow() {
        slots_.assign(slots_.size() * 4, kEmpty);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t id = 0; id < entries_.size(); ++id) {
            std::size_t slot = entries_[id].hash & mask;
            while (slots_[slot] != kEmpty) slot = (slot + 1) & mask;
            slots_[slot] = static_cast<std::uint32_t>(id);
        }
    }

    std::u32string letters_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> slots_;
};

}  // namespace rankwise
