// Results in arrays that a caller gives for them.
#pragma once

#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include <span>

namespace wherry::bind {

// Copies each result, which may be a view of anything, to the array for it. False, with nothing written, where these
// are not all arrays, of plain elements or objects, of the same types and sizes, writable, and apart in memory:
// who knows the call then says what is wrong, or finds another way. Errors are thrown.
bool write_results(std::span<PyObject* const> results, std::span<PyObject* const> outs);

// The same of lists or tuples; false of anything else.
bool write_results(nanobind::handle results, nanobind::handle outs);

// Whether it is sure that no array of `outs` shares memory with one that is read, or with another of them. At most 64.
bool are_apart(std::span<PyObject* const> read, std::span<PyObject* const> outs);

// Whether an array is one that results are copied to, if it has their types and sizes.
bool may_take_result(PyObject* out);

// Whether it is an array of Python objects.
bool holds_objects(PyObject* given);

// Whether results, an array or several, hold strings wherever they hold Python objects: the only ones that the dialects
// know. A call like one before is told by types and sizes, so that what it moved is looked at: a few words out of a
// large vocabulary.
bool hold_strings(PyObject* results);

}  // namespace wherry::bind
