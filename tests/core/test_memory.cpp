// The arena of the cases: what lies beside a piece may not be touched, nor what was given back.
#include "support.hpp"

extern "C" __attribute__((weak)) int __asan_address_is_poisoned(const volatile void* address);

using namespace wherry::test;

namespace {

bool is_free(const char* address) { return __asan_address_is_poisoned && !__asan_address_is_poisoned(address); }
bool is_forbidden(const char* address) { return !__asan_address_is_poisoned || __asan_address_is_poisoned(address); }

void test_pieces(int64_t bytes) {
    const Memory before = take_memory(1);
    Memory piece = take_memory(bytes);
    const Memory behind = take_memory(1);
    char* const start = piece.get();
    CHECK(reinterpret_cast<uintptr_t>(start) % 16 == 0, "aligned as by malloc");
    if (__asan_address_is_poisoned)
        for (int64_t k = 0; k < bytes; ++k) CHECK(is_free(start + k), "a byte of the piece");
    for (int64_t k = 1; k <= 64; ++k) {
        CHECK(is_forbidden(start - k), "a byte before the piece");
        CHECK(is_forbidden(start + bytes - 1 + k), "a byte behind the piece");
    }
    piece.reset();
    for (int64_t k = 0; k < bytes; ++k) CHECK(is_forbidden(start + k), "a byte that was given back");
}

// Larger than the arena, in between and afterwards.
void test_large() {
    const Memory small = take_memory(8), large = take_memory(8 << 20), other = take_memory(8);
    fill_randomly(large.get(), 8 << 20);
    CHECK(small.get() < other.get() && other.get() - small.get() < 1024, "small pieces lie side by side");
}

}  // namespace

void test_memory() {
    const char* const front = take_memory(1).get();
    for (int64_t bytes = 0; bytes < 200; ++bytes) test_pieces(bytes);
    test_large();
    CHECK(take_memory(1).get() == front, "once all are given back, the arena begins at its front");
}
