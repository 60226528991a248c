// Elements that are references to Python objects, or records that hold some. The core moves them as bytes, not counted,
// while Python's lock is held; those that lie in the results are counted at the end, when no move can fail any more.
#pragma once

#include <string.h>

#include <vector>

#include "numpy.hpp"

namespace wherry::bind {

class References {
public:
    References() = default;
    explicit References(PyArray_Descr* descr) : width_(PyDataType_ELSIZE(descr)) {
        if (PyDataType_REFCHK(descr)) find(descr, 0);
    }

    // Whether elements hold references.
    bool any() const { return !places_.empty(); }
    // Whether elements are bytes and references alone: strings of NumPy's own have storage outside the array.
    bool are_known() const { return known_; }
    // Counts each reference in memory of so many bytes, in which elements lie one after another.
    void count(char* memory, int64_t bytes) const;

private:
    void find(PyArray_Descr* descr, int64_t place);

    int64_t width_ = 0;
    std::vector<int64_t> places_;  // bytes from the beginning of an element
    bool known_ = true;
};

// Memory of a new array until the references in it are counted: without that none of them is left in it.
class Uncounted {
public:
    Uncounted(const References& references, char* memory, int64_t bytes)
        : references_(references), memory_(memory), bytes_(bytes) {}
    Uncounted(Uncounted&& other) : references_(other.references_), memory_(other.memory_), bytes_(other.bytes_) {
        other.memory_ = nullptr;
    }
    ~Uncounted() { clear(); }

    void count() {
        references_.count(memory_, bytes_);
        memory_ = nullptr;
    }
    void clear() {
        if (memory_ && references_.any()) memset(memory_, 0, static_cast<size_t>(bytes_));
        memory_ = nullptr;
    }

private:
    const References& references_;
    char* memory_;
    int64_t bytes_;
};

// Gives memory the content of other memory, and the other way round: each reference stays counted.
void exchange(char* memory, char* other, int64_t bytes);

}  // namespace wherry::bind
