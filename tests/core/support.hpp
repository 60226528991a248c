// What the tests of the kernels share: checks, random strided views with exact memory, indices by the definition.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "../../core/kernels/blocks.hpp"

namespace wherry::test {

inline int failures = 0;
inline long checks = 0;

#define CHECK(condition, what)                                                                            \
    do {                                                                                                  \
        ++checks;                                                                                         \
        if (!(condition)) {                                                                               \
            if (++failures <= 20) std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, (what)); \
        }                                                                                                 \
    } while (0)

inline std::mt19937_64 generator(12345);

inline int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(generator() % static_cast<uint64_t>(high - low + 1));
}

template <class T>
T one_of(std::initializer_list<T> all) {
    return *(all.begin() + between(0, static_cast<int64_t>(all.size()) - 1));
}

// A strided view and the exact bytes that it reaches over.
struct View {
    std::vector<int64_t> sizes, strides;
    std::unique_ptr<char[]> memory;
    int64_t bytes = 0, start = 0, width = 1;

    char* at(const std::vector<int64_t>& position) const {
        int64_t offset = start;
        for (size_t a = 0; a < sizes.size(); ++a) offset += position[a] * strides[a];
        return memory.get() + offset;
    }
};

enum Broadcast { kNever, kSometimes };

inline View make_view(std::vector<int64_t> sizes, int64_t width, Broadcast broadcast) {
    View v;
    v.sizes = sizes;
    v.width = width;
    v.strides.resize(sizes.size());
    std::vector<size_t> order(sizes.size());
    for (size_t a = 0; a < order.size(); ++a) order[a] = a;
    if (between(0, 2) == 0) std::shuffle(order.begin(), order.end(), generator);
    int64_t stride = width;
    for (size_t k = order.size(); k-- > 0;) {
        const size_t a = order[k];
        if (between(0, 4) == 0) stride += between(1, 3) * one_of<int64_t>({1, width});
        if (broadcast == kSometimes && between(0, 7) == 0) {
            v.strides[a] = 0;
            continue;
        }
        v.strides[a] = between(0, 5) == 0 ? -stride : stride;
        stride *= sizes[a] > 0 ? sizes[a] : 1;
    }
    int64_t low = 0, high = width;
    for (size_t a = 0; a < sizes.size(); ++a) {
        if (sizes[a] == 0) high = low = 0;
        if (sizes[a] == 0) break;
        const int64_t reach = v.strides[a] * (sizes[a] - 1);
        (reach < 0 ? low : high) += reach;
    }
    v.start = -low;
    v.bytes = high - low;
    v.memory.reset(new char[static_cast<size_t>(v.bytes)]);
    for (int64_t i = 0; i < v.bytes; ++i) v.memory[i] = static_cast<char>(generator());
    return v;
}

// All positions in row-major order.
template <class Body>
void for_positions(const std::vector<int64_t>& sizes, Body body) {
    for (int64_t n : sizes)
        if (n == 0) return;
    std::vector<int64_t> position(sizes.size(), 0);
    while (true) {
        body(position);
        size_t a = sizes.size();
        while (a-- > 0) {
            if (++position[a] < sizes[a]) break;
            position[a] = 0;
        }
        if (a == static_cast<size_t>(-1)) return;
    }
}

inline std::vector<char> elements(const View& v) {
    std::vector<char> all;
    for_positions(v.sizes, [&](const auto& p) { all.insert(all.end(), v.at(p), v.at(p) + v.width); });
    return all;
}

// The bytes between the elements: no kernel may touch them.
inline std::vector<char> gaps(const View& v) {
    std::vector<char> all(v.memory.get(), v.memory.get() + v.bytes);
    for_positions(v.sizes, [&](const auto& p) {
        std::memset(all.data() + (v.at(p) - v.memory.get()), 0, static_cast<size_t>(v.width));
    });
    return all;
}

inline std::vector<int64_t> random_sizes(int rank, int64_t budget) {
    std::vector<int64_t> sizes;
    for (int a = 0; a < rank; ++a) {
        int64_t n = between(0, 2) == 0 ? between(1, 3) : between(1, 40);
        if (between(0, 9) == 0) n = between(60, 300);
        if (between(0, 99) == 0) n = 0;
        while (n > 1 && n > budget) n /= 2;
        if (n > 0) budget /= n;
        sizes.push_back(n);
    }
    return sizes;
}

inline int64_t random_width() { return one_of<int64_t>({1, 2, 3, 4, 4, 4, 5, 8, 8, 12, 16, 17, 31, 33, 64, 65, 100}); }

__extension__ typedef __int128 Wide;

// The place of an index, by the definition; -1: none. Wide holds every index type.
inline int64_t place(Wide v, const IndexRule& rule) {
    if (rule.negative == Negative::from_end && v < 0) v += rule.size;
    if (v >= 0 && v < rule.size) return static_cast<int64_t>(v);
    if (rule.out_of_range == OutOfRange::clamp) return v < 0 ? 0 : rule.size - 1;
    if (rule.out_of_range == OutOfRange::wrap) {
        Wide rest = v % rule.size;
        return static_cast<int64_t>(rest < 0 ? rest + rule.size : rest);
    }
    return -1;
}

// One index, written as its type; its value as that type reads it.
template <class T>
Wide put(char* p, int64_t v) {
    const T value = static_cast<T>(v);
    std::memcpy(p, &value, sizeof(T));
    return static_cast<Wide>(value);
}

inline Wide put_index(IndexKind kind, char* p, int64_t v) {
    switch (kind) {
        case IndexKind::i8: return put<int8_t>(p, v);
        case IndexKind::i16: return put<int16_t>(p, v);
        case IndexKind::i32: return put<int32_t>(p, v);
        case IndexKind::i64: return put<int64_t>(p, v);
        case IndexKind::u8: return put<uint8_t>(p, v);
        case IndexKind::u16: return put<uint16_t>(p, v);
        case IndexKind::u32: return put<uint32_t>(p, v);
        case IndexKind::u64: return put<uint64_t>(p, v);
    }
    return 0;
}

inline int64_t random_index(int64_t size, bool wild) {
    if (!wild) return between(0, size - 1);
    if (between(0, 20) == 0) return one_of<int64_t>({INT64_MIN, INT64_MAX, INT64_MIN + 1, -1, size, -size, -size - 1});
    return between(-2 * size, 2 * size);
}

}  // namespace wherry::test
