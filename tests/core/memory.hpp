// Memory for cases that live for microseconds: numbers of axes that need none, and views and arrays from one arena.
// Most of a fuzzer's time went to such allocations.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <vector>

// Of AddressSanitizer; absent without it. What is poisoned may not be touched.
extern "C" __attribute__((weak)) void __asan_poison_memory_region(const volatile void* start, size_t bytes);
extern "C" __attribute__((weak)) void __asan_unpoison_memory_region(const volatile void* start, size_t bytes);

namespace wherry::test {

// Sizes, strides or a position: a number for each of a few axes.
class Sizes {
public:
    Sizes() = default;
    Sizes(std::initializer_list<int64_t> numbers) : Sizes(numbers.begin(), numbers.end()) {}
    Sizes(const int64_t* first, const int64_t* last) { append(first, last); }
    Sizes(size_t count, int64_t number) : count_(checked(count)) { std::fill(begin(), end(), number); }
    Sizes(const Sizes& other) : Sizes(other.begin(), other.end()) {}
    Sizes& operator=(const Sizes& other) {
        count_ = other.count_;
        std::copy(other.begin(), other.end(), begin());
        return *this;
    }

    void push_back(int64_t number) { append(&number, &number + 1); }
    void append(const int64_t* first, const int64_t* last) {
        const size_t before = count_;
        count_ = checked(before + static_cast<size_t>(last - first));
        std::copy(first, last, numbers_ + before);
    }

    size_t size() const { return count_; }
    const int64_t* data() const { return numbers_; }
    int64_t& operator[](size_t axis) { return numbers_[axis]; }
    int64_t operator[](size_t axis) const { return numbers_[axis]; }
    int64_t& back() { return numbers_[count_ - 1]; }
    int64_t back() const { return numbers_[count_ - 1]; }
    int64_t* begin() { return numbers_; }
    int64_t* end() { return numbers_ + count_; }
    const int64_t* begin() const { return numbers_; }
    const int64_t* end() const { return numbers_ + count_; }

private:
    static constexpr size_t kMost = 12;

    static size_t checked(size_t count) {
        if (count > kMost) std::abort();
        return count;
    }

    size_t count_ = 0;
    int64_t numbers_[kMost];
};

// Pieces of exactly the bytes that are asked for, one behind the other: a sanitizer sees each byte beside them, and
// those that were given back. Once all of them are, pieces begin at the front again.
class Arena {
public:
    Arena() { poison(memory_, kBytes); }

    // Aligned as by malloc; from there where a piece is larger than what is left.
    void* take(size_t bytes) {
        const size_t room = (bytes + kAlignment - 1) / kAlignment * kAlignment + kGuard;
        if (room > kBytes - used_) return ::operator new(bytes);
        char* const piece = memory_ + used_;
        used_ += room;
        ++pieces_;
        if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(piece, bytes);
        return piece;
    }

    void give_back(void* piece, size_t bytes) {
        char* const start = static_cast<char*>(piece);
        if (start < memory_ || start >= memory_ + kBytes) return ::operator delete(piece);
        poison(start, (bytes + kAlignment - 1) / kAlignment * kAlignment);
        if (--pieces_ == 0) used_ = kGuard;
    }

private:
    // Between pieces and before the first: more than a vector.
    static constexpr size_t kBytes = 1 << 20, kGuard = 128, kAlignment = 16;

    static void poison(char* start, size_t bytes) {
        if (__asan_poison_memory_region) __asan_poison_memory_region(start, bytes);
    }

    alignas(64) char memory_[kBytes];
    size_t used_ = kGuard, pieces_ = 0;
};

inline Arena arena;

template <class T>
struct FromArena {
    using value_type = T;

    FromArena() = default;
    template <class U>
    FromArena(const FromArena<U>&) {}

    T* allocate(size_t count) { return static_cast<T*>(arena.take(count * sizeof(T))); }
    void deallocate(T* first, size_t count) { arena.give_back(first, count * sizeof(T)); }
    bool operator==(const FromArena&) const { return true; }
};

template <class T>
using Vector = std::vector<T, FromArena<T>>;

struct GiveBack {
    size_t bytes = 0;
    void operator()(char* piece) const { arena.give_back(piece, bytes); }
};

using Memory = std::unique_ptr<char[], GiveBack>;

inline Memory take_memory(int64_t bytes) {
    const auto count = static_cast<size_t>(bytes);
    return Memory(static_cast<char*>(arena.take(count)), GiveBack{count});
}

// So many whole pages, beside which nothing can be read: a sanitizer sees neither masked loads nor those by indices.
class Fenced {
public:
    explicit Fenced(size_t bytes) : bytes_(bytes) {
        void* const mapped = mmap(nullptr, bytes + 2 * kFence, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) std::abort();
        first_ = static_cast<char*>(mapped) + kFence;
        if (mprotect(first_, bytes, PROT_READ | PROT_WRITE) != 0) std::abort();
    }
    Fenced(const Fenced&) = delete;
    ~Fenced() { munmap(first_ - kFence, bytes_ + 2 * kFence); }

    // The first of them, or the last.
    char* bytes(size_t count, bool at_end = false) const {
        if (count > bytes_) std::abort();
        return at_end ? first_ + bytes_ - count : first_;
    }

private:
    static constexpr size_t kFence = 64 * 1024;  // a page of any machine
    size_t bytes_;
    char* first_;
};

// memcpy and memcmp of an element. What a sanitizer does for each call of those takes longer than the few bytes.
inline void copy_bytes(void* to, const void* from, int64_t count) {
    char* target = static_cast<char*>(to);
    const char* source = static_cast<const char*>(from);
    for (; count >= 8; target += 8, source += 8, count -= 8) std::memcpy(target, source, 8);
    for (; count > 0; ++target, ++source, --count) *target = *source;
}

inline bool equal_bytes(const char* one, const char* other, int64_t count) {
    for (; count >= 8; one += 8, other += 8, count -= 8)
        if (std::memcmp(one, other, 8) != 0) return false;
    for (; count > 0; ++one, ++other, --count)
        if (*one != *other) return false;
    return true;
}

}  // namespace wherry::test
