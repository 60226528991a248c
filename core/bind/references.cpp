#include "references.hpp"

#include <algorithm>

#include "../tune/thresholds.hpp"

namespace wherry::bind {
namespace {

PyObject* at(const char* memory) {
    PyObject* found;
    __builtin_memcpy(&found, memory, sizeof found);  // records may be packed
    return found;
}

}  // namespace

void References::find(PyArray_Descr* descr, int64_t place) {
#ifdef Py_GIL_DISABLED
    known_ = false;  // no lock holds off a thread that lets an object go
#endif
    if (descr->type_num == NPY_OBJECT) {
        places_.push_back(place);
    } else if (PyDataType_HASSUBARRAY(descr)) {
        PyArray_Descr* element = PyDataType_SUBARRAY(descr)->base;
        const int64_t width = PyDataType_ELSIZE(element);
        for (int64_t k = 0; width > 0 && k < PyDataType_ELSIZE(descr) / width; ++k) find(element, place + k * width);
    } else if (PyDataType_HASFIELDS(descr)) {
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(PyDataType_NAMES(descr)); ++k) {
            PyObject* field = field_of(descr, k);
            PyArray_Descr* type = type_of_field(field);
            if (PyDataType_REFCHK(type)) find(type, place + PyLong_AsLongLong(PyTuple_GET_ITEM(field, 1)));
        }
    } else {
        known_ = false;
    }
}

void References::count(char* memory, int64_t bytes) const {
    // Not members: the compiler would read them again after each count.
    const int64_t width = width_, elements = width ? bytes / width : 0;
    for (const int64_t place : places_) {
        const char* object = memory + place;
        const char* const end = object + elements * width;
        // Objects lie anywhere: the line of each is asked for before it is its turn, unless all are few.
        if (bytes > tune::kFirstCache) {
            const int64_t ahead = std::min(tune::kReferencesAhead, elements) * width;
            for (const char* const until = end - ahead; object < until; object += width) {
                __builtin_prefetch(at(object + ahead), 1);
                Py_XINCREF(at(object));
            }
        }
        for (; object < end; object += width) Py_XINCREF(at(object));
    }
}

void exchange(char* memory, char* other, int64_t bytes) { std::swap_ranges(memory, memory + bytes, other); }

}  // namespace wherry::bind
