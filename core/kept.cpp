// Buffers that are kept: found by their sizes, which stand before them.
#include "kept.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "tune/machine.hpp"
#include "tune/thresholds.hpp"

namespace wherry {
namespace {

// Stands before each buffer, which begins with the next line.
struct Head {
    size_t bytes;  // of the buffer
};
static_assert(sizeof(Head) <= tune::kLine);

size_t rounded(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

// Room for the next arrays of nearly as many bytes, too: what was let go last is in the cache.
size_t roomy(size_t bytes) {
    const size_t part = std::bit_floor(bytes) / tune::kWastedPart;
    return rounded(bytes, part);
}

Head* head_of(void* buffer) { return reinterpret_cast<Head*>(static_cast<char*>(buffer) - tune::kLine); }
const Head* head_of(const void* buffer) {
    return reinterpret_cast<const Head*>(static_cast<const char*>(buffer) - tune::kLine);
}

// The system then hands memory out 2 MiB at a time: one fault in place of 512. NumPy asks for it from as many bytes on.
void ask_for_huge_pages([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) {
#ifdef MADV_HUGEPAGE
    if (bytes < static_cast<size_t>(tune::kHugePagesBytes)) return;
    const uintptr_t begin = rounded(reinterpret_cast<uintptr_t>(block), tune::kPage);
    const size_t skipped = begin - reinterpret_cast<uintptr_t>(block);
    madvise(reinterpret_cast<void*>(begin), bytes - skipped, MADV_HUGEPAGE);  // a wish: no error matters
#endif
}

}  // namespace

void* Kept::take(size_t bytes) {
    if (bytes >= tune::kLeastKeptBytes)
        if (void* found = find(bytes)) return found;
    if (bytes > SIZE_MAX / 4) return nullptr;
    if (bytes >= tune::kLeastKeptBytes) bytes = roomy(bytes);
    const size_t all = rounded(tune::kLine + bytes, tune::kLine);
    void* block = std::aligned_alloc(tune::kLine, all);
    if (!block) return nullptr;
    ask_for_huge_pages(block, all);
    static_cast<Head*>(block)->bytes = bytes;
    return static_cast<char*>(block) + tune::kLine;
}

void Kept::let_go(void* buffer) {
    if (!buffer) return;
    const size_t bytes = head_of(buffer)->bytes;
    if (bytes < tune::kLeastKeptBytes) return std::free(head_of(buffer));
    const std::lock_guard guard(lock_);
    if (bytes > most_) return std::free(head_of(buffer));
    buffers_.push_back(buffer);
    sum_ += bytes;
    give_back(most_);
}

size_t Kept::bytes_of(const void* buffer) { return head_of(buffer)->bytes; }

size_t Kept::limit(size_t most) {
    const std::lock_guard guard(lock_);
    std::swap(most_, most);
    give_back(most_);
    return most;
}

size_t Kept::sum() {
    const std::lock_guard guard(lock_);
    return sum_;
}

// The buffer that was let go last, and is the likeliest to be in the cache, of those that fit and waste little.
void* Kept::find(size_t bytes) {
    const std::lock_guard guard(lock_);
    const auto fits = [&](void* buffer) {
        const size_t there = head_of(buffer)->bytes;
        return there >= bytes && there - bytes <= there / tune::kWastedPart;
    };
    const auto found = std::find_if(buffers_.rbegin(), buffers_.rend(), fits);
    if (found == buffers_.rend()) return nullptr;
    void* buffer = *found;
    sum_ -= head_of(buffer)->bytes;
    buffers_.erase(std::next(found).base());
    return buffer;
}

void Kept::give_back(size_t most) {
    while (sum_ > most) {
        Head* oldest = head_of(buffers_.front());
        sum_ -= oldest->bytes;
        std::free(oldest);
        buffers_.erase(buffers_.begin());
    }
}

// WHERRY_KEPT_BYTES in the environment chooses another; 0 keeps nothing.
size_t Kept::chosen() {
    const char* text = std::getenv("WHERRY_KEPT_BYTES");
    char* end = nullptr;
    const long long bytes = text ? std::strtoll(text, &end, 10) : -1;
    return bytes < 0 || end == text || *end ? machine().kept : static_cast<size_t>(bytes);
}

Kept& kept() {
    static Kept* const found = new Kept;  // never ends: arrays may be let go when the process does
    return *found;
}

}  // namespace wherry
