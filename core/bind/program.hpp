// Programs: the moves of a plan, checked once and run with one call.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry::bind {

void add_program(nanobind::module_& m);

}  // namespace wherry::bind
