// The limits of wherry.limits that are in force.
#pragma once

#include <Python.h>

namespace wherry::bind {

// What wherry.limits tells: the limits in force here, the default ones, and what these allow a function.
struct Limits {
    PyObject *current, *defaults, *allows;
};

// Null, with an error set, if the module cannot be read.
const Limits* limits();

// Whether other limits than the default ones were ever in force; until then none are looked up.
extern bool limits_watched;

// From now on the limits in force are looked up.
void watch_limits();

// Whether the default limits are in force here; false, with or without an error, where others are.
bool are_default();

// Whether these limits are in force here, or none but the default ones ever were; false with an error set if that
// cannot be told.
bool are_in_force(PyObject* limits);

}  // namespace wherry::bind
