#include "packed_strings.hpp"

#include <string.h>

#include <algorithm>
#include <bit>

#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../tune/thresholds.hpp"

namespace wherry::bind {
namespace {

constexpr int64_t kWidth = 16;  // bytes of an element on systems of 64 bits, which numpy.hpp asks for
constexpr int64_t kBlock = tune::kStringBlock;

// What is moved in place of an element. Zeros are an empty string, as they are in an element.
struct Address {
    const char* element;
    int64_t storage;
};
static_assert(sizeof(Address) == kWidth);

const npy_packed_static_string* packed(const char* element) {
    return reinterpret_cast<const npy_packed_static_string*>(element);
}
npy_packed_static_string* packed(char* element) { return reinterpret_cast<npy_packed_static_string*>(element); }

// Whether a string lies in the element itself.
bool is_within(const npy_static_string& text, const char* element) {
    return reinterpret_cast<uintptr_t>(text.buf) - reinterpret_cast<uintptr_t>(element) < uintptr_t{kWidth};
}

// Whether elements that hold their strings themselves are these strings wherever they lie. NumPy's C API does not say
// so, but describes no other way (NEP 55): an element is tried.
bool may_be_copied(npy_string_allocator* storage) {
    constexpr char kText[] = "wherry";
    alignas(kWidth) char element[kWidth] = {}, copy[kWidth];
    npy_static_string text{0, nullptr};
    if (NpyString_pack(storage, packed(element), kText, sizeof kText) < 0) return false;
    memcpy(copy, element, kWidth);
    memset(element, 0, kWidth);
    return NpyString_load(storage, packed(copy), &text) == 0 && is_within(text, copy) && text.size == sizeof kText &&
           memcmp(text.buf, kText, sizeof kText) == 0;
}

// Where strings are brought to.
struct Target {
    npy_string_allocator* storage;
    bool copies;  // elements that hold their strings themselves
};

// Elements of one storage, up to a block of them, into empty ones. Long strings lie anywhere: they are asked for before
// they are read. A null pointer is an empty string.
bool bring_block(npy_string_allocator* source, const char* const* elements, int64_t count, const Target& target,
                 char* to) {
    npy_static_string texts[kBlock];
    char* slots[kBlock];
    int64_t found = 0;
    for (int64_t k = 0; k < count; ++k, to += kWidth) {
        const char* element = elements[k];
        if (!element) continue;
        npy_static_string& text = texts[found];
        const int is_null = NpyString_load(source, packed(element), &text);
        if (is_null < 0 || (is_null > 0 && NpyString_pack_null(target.storage, packed(to)) < 0)) return false;
        if (is_null || text.size == 0) continue;
        if (target.copies && is_within(text, element)) {
            memcpy(to, element, kWidth);
            continue;
        }
        __builtin_prefetch(text.buf);
        slots[found++] = to;
    }
    for (int64_t k = 0; k < found; ++k)
        if (NpyString_pack(target.storage, packed(slots[k]), texts[k].buf, texts[k].size) < 0) return false;
    return true;
}

}  // namespace

StringSources::Lock::Lock(PyArray_Descr* descr)
    : storage(descr ? NpyString_acquire_allocator(string_dtype(descr)) : nullptr) {}

StringSources::Lock::~Lock() {
    if (storage) NpyString_release_allocator(storage);
}

void StringSources::add(PyArray_Descr* descr) {
    if (number_of(descr) == static_cast<int64_t>(storages_.size())) storages_.push_back(descr);
}

int64_t StringSources::number_of(PyArray_Descr* descr) const {
    const auto is_same = [&](PyArray_Descr* known) {
        return string_dtype(known)->allocator == string_dtype(descr)->allocator;
    };
    return std::find_if(storages_.begin(), storages_.end(), is_same) - storages_.begin();
}

Memory StringSources::addresses_of(PyArrayObject* array, int64_t bytes, int64_t first) const {
    Memory made = new_memory(most(bytes, 1));
    if (!made) return made;
    const int64_t number = number_of(PyArray_DESCR(array));
    Axes<1> axes;
    for (int a = 0; a < PyArray_NDIM(array); ++a) axes.add(sizes(array)[a], {byte_strides(array)[a]});
    if (axes.empty) return made;
    const int last = axes.ndim - 1;
    const int64_t count = axes.ndim ? axes.size[last] : 1, step = axes.ndim ? axes.stride[last][0] : 0;
    if (axes.ndim) axes.remove(last);
    Outer<1> at(axes, 0);
    for (int64_t left = axes.count(); left > 0; --left, at.next()) {
        const char* element = PyArray_BYTES(array) + at.offset[0];
        char* to = made.get() + first + at.offset[0];
        for (int64_t k = 0; k < count; ++k, element += step, to += step) {
            const Address address{element, number};
            memcpy(to, &address, kWidth);
        }
    }
    return made;
}

bool StringSources::bring_over(PyArrayObject* result, npy_string_allocator* storage) const {
    const Lock own(PyArray_DESCR(result));
    const Target target{own.storage, may_be_copied(own.storage)};
    char* to = PyArray_BYTES(result);
    alignas(kWidth) char moved[kBlock * kWidth];
    const char* elements[kBlock];
    for (int64_t left = PyArray_SIZE(result), count; left > 0; left -= count, to += count * kWidth) {
        count = least(left, kBlock);
        memcpy(moved, to, static_cast<size_t>(count * kWidth));
        memset(to, 0, static_cast<size_t>(count * kWidth));
        if (storage) {
            for (int64_t k = 0; k < count; ++k) elements[k] = moved + k * kWidth;
            if (!bring_block(storage, elements, count, target, to)) return false;
            continue;
        }
        // One storage at a time: another order than that of other code would wait for each other forever.
        const auto* addresses = reinterpret_cast<const Address*>(moved);
        uint64_t numbers = 0;
        for (int64_t k = 0; k < count; ++k) {
            __builtin_prefetch(addresses[k].element);
            numbers |= uint64_t{1} << addresses[k].storage;
        }
        for (; numbers; numbers &= numbers - 1) {
            const int number = std::countr_zero(numbers);
            for (int64_t k = 0; k < count; ++k)
                elements[k] = addresses[k].storage == number ? addresses[k].element : nullptr;
            const Lock source(storages_[static_cast<size_t>(number)]);
            if (!bring_block(source.storage, elements, count, target, to)) return false;
        }
    }
    return true;
}

void Unowned::clear() {
    if (array_) memset(PyArray_BYTES(array_), 0, static_cast<size_t>(PyArray_NBYTES(array_)));
    array_ = nullptr;
}

}  // namespace wherry::bind
