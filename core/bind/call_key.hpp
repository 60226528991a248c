// What a call is given, as bytes.
#pragma once

#include "numpy.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "passing.hpp"

namespace wherry::bind {

// Bytes, whose hash is known.
struct Key {
    std::string_view bytes;
    size_t hash;
};

size_t hash_of(std::string_view bytes);

// Equal bytes stand for arguments that mean the same. Element types, Python's types and the names that it keeps once
// are told by their addresses, of which a call that is kept holds the objects. No code of a caller's runs. The sizes
// and strides of arrays come behind all else, which is what is known where they may be any.
class CallKey {
public:
    static constexpr int kMostArrays = 32;

    // `level`: of how many lists and dicts it is part. `out` is the array that the result goes to, or null or None.
    explicit CallKey(PyObject* given, int level = 0, PyObject* out = nullptr) {
        is_known_ = add(given, level) && add_out(out) && add_sizes();
    }

    // The same as of a tuple of the arguments by position, and behind them a dict of those by name but for `out`.
    CallKey(PyObject* const* given, Py_ssize_t count, PyObject* names, PyObject* out);

    // The same as of the tuple that is passed on of these parameters.
    CallKey(const Passing& passing, PyObject* const* values, PyObject* out);

    // False if there is something in the arguments that may mean something else the next time.
    bool is_known() const { return is_known_; }
    Key key() const { return {{bytes_, count_}, hash_}; }
    // Without the sizes of arrays: the numbers of their axes alone; and without the array that is written.
    Key key_of_any_sizes() const { return {{bytes_, without_sizes_}, hash_without_sizes_}; }
    int arrays() const { return arrays_; }
    PyObject* array(int place) const { return array_[place]; }
    int times(int place) const { return times_[place]; }  // that it is among the arguments
    int out() const { return out_; }                      // the place of the array that is written; -1: there is none
    std::span<PyObject* const> told_by_address() const { return {told_by_address_, told_count_}; }

    // The bytes without sizes, and behind them the sizes and elements of some arrays; none where these are many, or
    // scattered.
    std::string bytes_with(const std::vector<int>& places) const;
    // A hash of the call in which elements of some arrays count, where these are few.
    size_t hash_with(const std::vector<int>& places) const;
    // Whether the elements of these arrays are few, which may come again.
    bool has_few(const std::vector<int>& places) const;
    // Whether one of these arrays is a condition, and all arrays of the call are so small that what is kept for any
    // elements answers as soon as a plan for these, with the copy of its result.
    bool are_answered_as_soon(const std::vector<int>& places) const;

    // Also the elements of an array; false if they are scattered, or too many.
    bool add_elements(int place);

private:
    static constexpr size_t kMostBytes = 2048;  // that stand for the arguments: longer ones are not kept

    bool put(const void* bytes, size_t count);
    template <class T>
    bool put(char kind, const T& value) {
        return put(&kind, 1) && put(&value, sizeof(T));
    }
    bool add(PyObject* value, int level);
    bool add_all(PyObject* value, int level);
    bool add_integer(PyObject* value);
    bool add_scalar(PyObject* value);
    bool add_text(PyObject* value);
    bool add_address(char kind, PyObject* value);
    bool add_names(PyArray_Descr* descr);
    bool add_element_type(PyArray_Descr* descr);
    bool add_array(PyObject* value);
    bool add_out(PyObject* out);
    bool add_sizes();

    bool is_known_;
    char bytes_[kMostBytes];
    size_t count_ = 0, without_sizes_ = 0;
    size_t hash_ = 0, hash_without_sizes_ = 0;
    int arrays_ = 0, out_ = -1;
    PyObject* array_[kMostArrays];
    int times_[kMostArrays];
    PyObject* told_by_address_[kMostBytes / (1 + sizeof(PyObject*))];
    size_t told_count_ = 0;
};

}  // namespace wherry::bind
