// Strings of NumPy's own. An element holds a short string itself, or says where a longer one lies in storage that
// belongs to the array's dtype object, of which each array has its own. So elements may be moved as bytes, but what
// comes to lie in another array must be brought over into its storage: that is done at the end, for a whole result at
// once.
//
// Elements of one storage are moved as they are. Where they come from several, their addresses are moved in their
// place, which are as wide and say which storage to ask.
#pragma once

#include <vector>

#include "memory.hpp"
#include "numpy.hpp"

namespace wherry::bind {

inline bool holds_strings(PyArray_Descr* descr) { return descr->type_num == NPY_VSTRING; }

inline const PyArray_StringDTypeObject* string_dtype(PyArray_Descr* descr) {
    return reinterpret_cast<const PyArray_StringDTypeObject*>(descr);
}

// Whether elements of two dtypes mean the same. NumPy takes strings without a missing value for strings with any: those
// are told apart by the object, so that some are not equal here which are for NumPy.
inline bool are_equivalent(PyArray_Descr* one, PyArray_Descr* other) {
    if (one == other) return true;
    if (!holds_strings(one) || !holds_strings(other)) return PyArray_EquivTypes(one, other);
    return string_dtype(one)->coerce == string_dtype(other)->coerce &&
           string_dtype(one)->na_object == string_dtype(other)->na_object;
}

// The storages that the strings of one move come from.
class StringSources {
public:
    // Of an array that outlives the move.
    void add(PyArray_Descr* descr);
    bool have_one_storage() const { return storages_.size() == 1; }

    // Memory that lies as that of an array, of addresses in place of elements; null without memory.
    Memory addresses_of(PyArrayObject* array, int64_t bytes, int64_t first) const;

    // Calls `move`, which moves elements or addresses into the memory of new arrays, and brings these strings over.
    // Storages are locked as long as they are read: others may write to them without Python's lock. False where `move`
    // is false, or there is no memory.
    template <class Move>
    bool run(const std::vector<PyArrayObject*>& results, int64_t bytes, Move&& move) const {
        const ReleasedFrom released(bytes);
        const Lock lock(have_one_storage() ? storages_[0] : nullptr);
        if (!move()) return false;
        for (PyArrayObject* result : results)
            if (!bring_over(result, lock.storage)) return false;
        return true;
    }

private:
    // Python's lock is given up before that of a storage is taken, and not waited for while one is held.
    struct ReleasedFrom {
        explicit ReleasedFrom(int64_t bytes) : state(bytes < tune::kReleaseBytes ? nullptr : PyEval_SaveThread()) {}
        ~ReleasedFrom() {
            if (state) PyEval_RestoreThread(state);
        }
        ReleasedFrom(const ReleasedFrom&) = delete;
        PyThreadState* state;
    };
    struct Lock {
        explicit Lock(PyArray_Descr* descr);
        ~Lock();
        Lock(const Lock&) = delete;
        npy_string_allocator* storage;
    };

    // `storage` is the only one, which is locked; null where addresses were moved.
    bool bring_over(PyArrayObject* result, npy_string_allocator* storage) const;
    int64_t number_of(PyArray_Descr* descr) const;

    std::vector<PyArray_Descr*> storages_;
};

// Memory of a new array until the strings in it are its own: without that none of them is left in it.
class Unowned {
public:
    explicit Unowned(PyArrayObject* array) : array_(array) {}
    Unowned(Unowned&& other) : array_(other.array_) { other.array_ = nullptr; }
    ~Unowned() { clear(); }

    void keep() { array_ = nullptr; }
    void clear();

private:
    PyArrayObject* array_;
};

}  // namespace wherry::bind
