// Gather, scatter and the check of indices as functions of the module.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry::bind {

void add_indexing(nanobind::module_& m);

}  // namespace wherry::bind
