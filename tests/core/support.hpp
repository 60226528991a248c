// What the tests of the kernels share: checks, random strided views with exact memory, indices by the definition.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "../../core/kernels/blocks.hpp"
#include "memory.hpp"

namespace wherry::test {

// Cases are as large as they must be for caches of these sizes, whichever machine runs them; the environment may name
// others.
inline const int tuned = setenv("WHERRY_TUNE", "second=512K,last=32M,fetch-rows=512K", 0);

inline int failures = 0;
inline long checks = 0;

#define CHECK(condition, what)                                                                            \
    do {                                                                                                  \
        ++checks;                                                                                         \
        if (!(condition)) {                                                                               \
            if (++failures <= 20) std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, (what)); \
        }                                                                                                 \
    } while (0)

// Calls of kernels that did their work, and those that refused an index; a fuzzer prints them. Not counted are searches
// and checks besides, and the calls by which a case finds out what to expect.
struct Calls {
    long done = 0, refused = 0;
};

inline Calls calls;

inline bool called(bool whole = true) {
    ++(whole ? calls.done : calls.refused);
    return whole;
}

// Where the tests' choices come from: a random generator or, as long as there are some, the bytes of a fuzzer's input.
class Choices {
public:
    using result_type = uint64_t;
    static constexpr uint64_t min() { return 0; }
    static constexpr uint64_t max() { return UINT64_MAX; }

    // From here on choices are made by these bytes, and everything else follows from `seed`.
    void follow(const uint8_t* bytes, size_t count, uint64_t seed) {
        next_ = bytes, end_ = bytes + count, state_ = seed;
    }

    bool has_bytes() const { return next_ != end_; }

    // Steele, Lea and Flood's SplitMix64.
    uint64_t operator()() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    // A number from 0 to `last`, of as few bytes as it needs.
    uint64_t up_to(uint64_t last) {
        if (!has_bytes()) return last == UINT64_MAX ? (*this)() : (*this)() % (last + 1);
        uint64_t value = 0;
        for (uint64_t reach = last; reach > 0 && has_bytes(); reach >>= 8) value = value << 8 | *next_++;
        return last == UINT64_MAX ? value : value % (last + 1);
    }

private:
    const uint8_t *next_ = nullptr, *end_ = nullptr;
    uint64_t state_ = 12345;
};

inline Choices generator;

inline int64_t between(int64_t low, int64_t high) {
    const uint64_t first = static_cast<uint64_t>(low), last = static_cast<uint64_t>(high);
    return static_cast<int64_t>(first + generator.up_to(last - first));
}

// Elements of a view at most, whatever a test asks for; fuzzers rather see many small views than a few large ones.
inline int64_t most_elements = INT64_MAX;

// A size for a test that chooses its own; `beside`: the product of those that it chose before for the same view.
inline int64_t size_to(int64_t most, int64_t beside = 1) {
    return between(1, std::min(most, std::max<int64_t>(most_elements / beside, 1)));
}

inline void fill_randomly(char* bytes, int64_t count) {
    for (; count > 0; bytes += 8, count -= 8) {
        const uint64_t value = generator();
        copy_bytes(bytes, &value, std::min<int64_t>(count, 8));
    }
}

// A test of one case, all of whose choices come from `generator`: what a fuzzer runs.
struct OneCase {
    const char* name;
    void (*run)();
};

inline std::vector<OneCase>& one_cases() {
    static std::vector<OneCase> cases;
    return cases;
}

struct Fuzzed {
    Fuzzed(const char* name, void (*run)()) { one_cases().push_back({name, run}); }
};

template <class T>
T one_of(std::initializer_list<T> all) {
    return *(all.begin() + between(0, static_cast<int64_t>(all.size()) - 1));
}

// A strided view and the exact bytes that it reaches over.
struct View {
    Sizes sizes, strides;
    Memory memory;
    int64_t bytes = 0, start = 0, width = 1;

    char* at(const Sizes& position) const {
        int64_t offset = start;
        for (size_t a = 0; a < sizes.size(); ++a) offset += position[a] * strides[a];
        return memory.get() + offset;
    }
};

enum Broadcast { kNever, kSometimes };

inline View make_view(const Sizes& sizes, int64_t width, Broadcast broadcast) {
    View v;
    v.sizes = v.strides = sizes;
    v.width = width;
    Sizes order = sizes;
    std::iota(order.begin(), order.end(), 0);
    if (between(0, 2) == 0) std::shuffle(order.begin(), order.end(), generator);
    int64_t stride = width;
    for (size_t k = order.size(); k-- > 0;) {
        const auto a = static_cast<size_t>(order[k]);
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
    v.memory = take_memory(v.bytes);
    fill_randomly(v.memory.get(), v.bytes);
    return v;
}

inline int64_t count_of(const Sizes& sizes) {
    int64_t count = 1;
    for (int64_t n : sizes) count *= n;
    return count;
}

// All positions in row-major order.
template <class Body>
void for_positions(const Sizes& sizes, Body body) {
    for (int64_t n : sizes)
        if (n == 0) return;
    Sizes position(sizes.size(), 0);
    while (true) {
        body(std::as_const(position));
        size_t a = sizes.size();
        while (a-- > 0) {
            if (++position[a] < sizes[a]) break;
            position[a] = 0;
        }
        if (a == static_cast<size_t>(-1)) return;
    }
}

inline Vector<char> elements(const View& v) {
    Vector<char> all(static_cast<size_t>(count_of(v.sizes) * v.width));
    char* next = all.data();
    for_positions(v.sizes, [&](const auto& p) {
        copy_bytes(next, v.at(p), v.width);
        next += v.width;
    });
    return all;
}

// The bytes between the elements: no kernel may touch them.
inline Vector<char> gaps(const View& v) {
    Vector<char> all(v.memory.get(), v.memory.get() + v.bytes);
    for_positions(v.sizes, [&](const auto& p) {
        char* const element = all.data() + (v.at(p) - v.memory.get());
        std::fill(element, element + v.width, '\0');
    });
    return all;
}

inline Sizes random_sizes(int rank, int64_t budget) {
    Sizes sizes;
    budget = std::min(budget, most_elements);
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

inline Wide put_index(IndexType type, char* p, int64_t v) {
    switch (type) {
        case IndexType::i8: return put<int8_t>(p, v);
        case IndexType::i16: return put<int16_t>(p, v);
        case IndexType::i32: return put<int32_t>(p, v);
        case IndexType::i64: return put<int64_t>(p, v);
        case IndexType::u8: return put<uint8_t>(p, v);
        case IndexType::u16: return put<uint16_t>(p, v);
        case IndexType::u32: return put<uint32_t>(p, v);
        case IndexType::u64: return put<uint64_t>(p, v);
    }
    return 0;
}

// The number that an index of that type is.
inline Wide index_at(IndexType type, const char* p) {
    int64_t bits = 0;
    copy_bytes(&bits, p, index_width(type));
    char scratch[8];
    return put_index(type, scratch, bits);
}

inline int64_t random_index(int64_t size, bool wild) {
    if (!wild) return between(0, size - 1);
    if (between(0, 20) == 0) return one_of<int64_t>({INT64_MIN, INT64_MAX, INT64_MIN + 1, -1, size, -size, -size - 1});
    return between(-2 * size, 2 * size);
}

}  // namespace wherry::test
