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
static_assert(sizeof(Address) == kWidth && sizeof(npy_static_string) == kWidth);

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

// In the halves in which NumPy has just written it: a vector that spans two stores waits for both.
npy_static_string copy_of(const npy_static_string& text) {
    const size_t size = *const_cast<const volatile size_t*>(&text.size);
    return {size, text.buf};
}

// Elements of one storage, null where there is none for a place, into the places from `to` on; each may lie in its
// place. Strings that lie in elements are moved with these. Others lie anywhere: they are asked for, and brought over
// when all elements of a block have been looked at.
template <class ElementAt>
bool bring(npy_string_allocator* source, npy_string_allocator* target, char* to, int64_t count,
           ElementAt&& element_at) {
    npy_static_string texts[kBlock];
    int16_t places[kBlock];
    int64_t longer = 0;
    for (int64_t k = 0; k < count; ++k) {
        const char* element = element_at(k);
        if (!element) continue;
        char* slot = to + k * kWidth;
        npy_static_string text;
        const int is_null = NpyString_load(source, packed(element), &text);
        if (is_null < 0) return false;
        if (is_within(text, element)) {
            if (element != slot) memcpy(slot, element, kWidth);
            continue;
        }
        memset(slot, 0, kWidth);
        if (is_null) {
            if (NpyString_pack_null(target, packed(slot)) < 0) return false;
            continue;
        }
        texts[longer] = copy_of(text);
        __builtin_prefetch(text.buf);
        places[longer] = static_cast<int16_t>(k);
        longer += text.size > 0;
    }
    for (int64_t k = 0; k < longer; ++k)
        if (NpyString_pack(target, packed(to + places[k] * kWidth), texts[k].buf, texts[k].size) < 0) return false;
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
    if (!may_be_copied(own.storage)) return false;
    char* to = PyArray_BYTES(result);
    Address addresses[kBlock];
    for (int64_t left = PyArray_SIZE(result), count; left > 0; left -= count, to += count * kWidth) {
        count = least(left, kBlock);
        if (storage) {
            if (!bring(storage, own.storage, to, count, [to](int64_t k) { return to + k * kWidth; })) return false;
            continue;
        }
        memcpy(addresses, to, static_cast<size_t>(count * kWidth));
        uint64_t numbers = 0;
        for (int64_t k = 0; k < count; ++k) {
            __builtin_prefetch(addresses[k].element);
            numbers |= uint64_t{1} << addresses[k].storage;
        }
        // One storage at a time: another order than that of other code would wait for each other forever.
        for (; numbers; numbers &= numbers - 1) {
            const int number = std::countr_zero(numbers);
            const Lock source(storages_[static_cast<size_t>(number)]);
            const auto element_at = [&](int64_t k) {
                return addresses[k].storage == number ? addresses[k].element : nullptr;
            };
            if (!bring(source.storage, own.storage, to, count, element_at)) return false;
        }
    }
    return true;
}

void Unowned::clear() {
    if (array_) memset(PyArray_BYTES(array_), 0, static_cast<size_t>(PyArray_NBYTES(array_)));
    array_ = nullptr;
}

}  // namespace wherry::bind
