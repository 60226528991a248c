// Memory of results and temporaries. The system hands out large buffers page by page, each with a fault and filled with
// zeros, which takes as long as some operators: buffers that are let go are kept for what comes next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace wherry {

// Buffers that were let go, up to a sum of bytes; the oldest are given back to the system first. Without Python's lock,
// since a free-threaded Python has none.
class Kept {
public:
    // Begins with a cache line; null if there is no memory.
    void* take(size_t bytes);
    void let_go(void* buffer);
    static size_t bytes_of(const void* buffer);

    // Sets how many bytes are kept at most; returns what it was.
    size_t limit(size_t most);
    size_t sum();

private:
    void* find(size_t bytes);
    void give_back(size_t most);
    static size_t chosen();

    std::mutex lock_;
    std::vector<void*> buffers_;  // the oldest first
    size_t sum_ = 0, most_ = chosen();
};

Kept& kept();

struct LetGo {
    void operator()(char* memory) const { kept().let_go(memory); }
};
using KeptMemory = std::unique_ptr<char, LetGo>;

// Memory of any content that begins with a cache line; null if there is none.
inline KeptMemory new_memory(int64_t bytes) {
    return KeptMemory(static_cast<char*>(kept().take(static_cast<size_t>(bytes))));
}

}  // namespace wherry
