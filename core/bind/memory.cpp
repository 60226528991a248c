#include "memory.hpp"

#include <string.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "../tune/machine.hpp"
#include "../tune/thresholds.hpp"
#include "module.hpp"

namespace wherry::bind {
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

// The system then hands memory out 2 MiB at a time: one fault in place of 512. NumPy asks for it from as many bytes on.
void ask_for_huge_pages([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) {
#ifdef MADV_HUGEPAGE
    if (bytes < static_cast<size_t>(tune::kHugePagesBytes)) return;
    const uintptr_t begin = rounded(reinterpret_cast<uintptr_t>(block), tune::kPage);
    const size_t skipped = begin - reinterpret_cast<uintptr_t>(block);
    madvise(reinterpret_cast<void*>(begin), bytes - skipped, MADV_HUGEPAGE);  // a wish: no error matters
#endif
}

// Buffers that were let go, up to a sum of bytes; the oldest are given back to the system first. Without Python's lock,
// since a free-threaded Python has none.
class Kept {
public:
    // Null if there is no memory.
    void* take(size_t bytes) {
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

    void let_go(void* buffer) {
        if (!buffer) return;
        const size_t bytes = head_of(buffer)->bytes;
        if (bytes < tune::kLeastKeptBytes) return std::free(head_of(buffer));
        const std::lock_guard guard(lock_);
        if (bytes > most_) return std::free(head_of(buffer));
        buffers_.push_back(buffer);
        sum_ += bytes;
        give_back(most_);
    }

    size_t limit(size_t most) {
        const std::lock_guard guard(lock_);
        std::swap(most_, most);
        give_back(most_);
        return most;
    }

    size_t sum() {
        const std::lock_guard guard(lock_);
        return sum_;
    }

private:
    // The buffer that was let go last, and is the likeliest to be in the cache, of those that fit and waste little.
    void* find(size_t bytes) {
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

    void give_back(size_t most) {
        while (sum_ > most) {
            Head* oldest = head_of(buffers_.front());
            sum_ -= oldest->bytes;
            std::free(oldest);
            buffers_.erase(buffers_.begin());
        }
    }

    // WHERRY_KEPT_BYTES in the environment chooses another; 0 keeps nothing.
    static size_t chosen() {
        const char* text = std::getenv("WHERRY_KEPT_BYTES");
        char* end = nullptr;
        const long long bytes = text ? std::strtoll(text, &end, 10) : -1;
        return bytes < 0 || end == text || *end ? machine().kept : static_cast<size_t>(bytes);
    }

    std::mutex lock_;
    std::vector<void*> buffers_;  // the oldest first
    size_t sum_ = 0, most_ = chosen();
};

Kept& kept() {
    static Kept* const found = new Kept;  // never ends: arrays may be let go when the process does
    return *found;
}

void* array_malloc(void*, size_t bytes) { return kept().take(bytes); }
void array_free(void*, void* buffer, size_t) { kept().let_go(buffer); }

// While it is set, memory that NumPy asks for with zeros in it has any content: it is written before anything reads it.
thread_local bool is_overwritten = false;

void* array_calloc(void*, size_t count, size_t bytes) {
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) return nullptr;
    void* made = kept().take(all);
    return made && !is_overwritten ? memset(made, 0, all) : made;
}

void* array_realloc(void*, void* buffer, size_t bytes) {
    void* made = kept().take(bytes);
    if (!made || !buffer) return made;
    memcpy(made, buffer, std::min(bytes, head_of(buffer)->bytes));
    kept().let_go(buffer);
    return made;
}

PyDataMem_Handler handler = {"wherry", 1, {nullptr, array_malloc, array_calloc, array_realloc, array_free}};

// What NumPy is given for arrays of kept memory, which hold it; null, with an error set, without memory.
PyObject* capsule() {
    static PyObject* const made = PyCapsule_New(&handler, "mem_handler", nullptr);
    return made;
}

bool is_large(PyArray_Descr* descr, int ndim, const int64_t* sizes) {
    int64_t bytes = PyDataType_ELSIZE(descr);
    for (int a = 0; a < ndim; ++a)
        if (__builtin_mul_overflow(bytes, sizes[a], &bytes)) return false;
    return bytes >= tune::kLeastKeptBytes;
}

// While it lives, NumPy makes arrays of kept memory, unless the caller has set an allocator of his own.
class FromKept {
public:
    explicit FromKept(bool wanted) {
        if (!wanted) return;
        PyObject* now = PyDataMem_GetHandler();
        if (now == PyDataMem_DefaultHandler && capsule()) before_ = PyDataMem_SetHandler(capsule());
        is_overwritten = before_ != nullptr;
        Py_XDECREF(now);
        PyErr_Clear();
    }
    ~FromKept() {
        is_overwritten = false;
        if (!before_) return;
        PyObject *kind, *error, *trace;
        PyErr_Fetch(&kind, &error, &trace);
        Py_XDECREF(PyDataMem_SetHandler(before_));
        Py_DECREF(before_);
        PyErr_Restore(kind, error, trace);
    }
    FromKept(const FromKept&) = delete;

private:
    PyObject* before_ = nullptr;
};

}  // namespace

PyObject* new_array(PyArray_Descr* descr, int ndim, const int64_t* sizes) {
    const FromKept kept_memory(is_large(descr, ndim, sizes));
    return PyArray_NewFromDescr(&PyArray_Type, descr, ndim, reinterpret_cast<const npy_intp*>(sizes), nullptr, nullptr,
                                0, nullptr);
}

void LetGo::operator()(char* memory) const { kept().let_go(memory); }

Memory new_memory(int64_t bytes) { return Memory(static_cast<char*>(kept().take(static_cast<size_t>(bytes)))); }

void add_memory(nanobind::module_& m) {
    m.def(
        "keep_memory", [](size_t most) { return kept().limit(most); }, nanobind::arg("most"),
        "Sets how many bytes of large results that were let go are kept for new ones; returns what it was.");
    m.def("kept_memory", [] { return kept().sum(); }, "The bytes of large results that were let go and are kept.");
}

}  // namespace wherry::bind
