// Functions written in Python whose calls like one before are answered by what is kept. Such a call costs no frame of
// Python's, nor a dict of its arguments.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry::bind {

// What is given by position to `function`, and behind that a dict of what is given by name but for `out`, is what
// `calls` keeps; or, with a Passing, what that passes on. Its result is the first output; where `results` is list or a
// class of tuples, all of them as one.
nanobind::object make_answering(nanobind::object calls, nanobind::object function, nanobind::object passing,
                                nanobind::object results);

}  // namespace wherry::bind
