// Memory in the cache where bytes of a large destination are put together, to leave it as whole lines around the cache.
// A line that leaves in parts costs several accesses to memory, and so does every fence, which waits for those that are
// under way. Pieces larger than tune::kStageBytes are slower, because reading and writing no longer overlap.
#pragma once

#include <string.h>

#include "../kernels/blocks.hpp"

namespace wherry {

// Orders streamed stores before the later ones of this thread.
inline void settle_streams() {
#ifdef __SSE2__
    __builtin_ia32_sfence();
#endif
}

class Stage {
public:
    // Where to put the next bytes, at most tune::kMostStageBytes of them, that belong at dst.
    char* room(char* dst) {
        if (dst != next_) {
            flush();
            next_ = dst;
            foreign_ = used_ = reinterpret_cast<intptr_t>(dst) & (tune::kLine - 1);
        }
        return bytes_ + used_;
    }

    // `count` bytes were put there. Whole lines leave; the rest of a line waits for the bytes that follow it.
    void put(int64_t count) {
        char* const line = next_ - used_;
        next_ += count;
        used_ += count;
        const int64_t whole = used_ / tune::kLine * tune::kLine;
        if (whole == 0) return;
        int64_t from = 0;
        if (foreign_ > 0) {
            memcpy(line + foreign_, bytes_ + foreign_, static_cast<size_t>(tune::kLine - foreign_));
            foreign_ = 0;
            from = tune::kLine;
        }
        block_kernels().move(line + from, bytes_ + from, whole - from, true);
        used_ -= whole;
        memcpy(bytes_, bytes_ + whole, tune::kLine);
    }

    // To be called after the last bytes.
    void finish() {
        flush();
        settle_streams();
    }

private:
    void flush() {
        if (used_ > foreign_) {
            const auto rest = static_cast<size_t>(used_ - foreign_);
            memcpy(next_ - rest, bytes_ + foreign_, rest);
        }
        used_ = foreign_ = 0;
    }

    alignas(tune::kLine) char bytes_[tune::kMostStageBytes + 2 * tune::kLine];
    char* next_ = nullptr;  // in dst
    int64_t used_ = 0;      // bytes from the beginning of next_'s line on
    int64_t foreign_ = 0;   // of these, before the first of ours
};

}  // namespace wherry
