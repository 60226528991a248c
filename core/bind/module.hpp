// What each file of the binding adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry::bind {

void add_calls(nanobind::module_& m);
void add_declared(nanobind::module_& m);
void add_direct(nanobind::module_& m);
void add_eager(nanobind::module_& m);
void add_gathering(nanobind::module_& m);
void add_integers(nanobind::module_& m);
void add_memory(nanobind::module_& m);
void add_method(nanobind::module_& m);
void add_nonzero(nanobind::module_& m);
void add_passing(nanobind::module_& m);
void add_primitives(nanobind::module_& m);
void add_program(nanobind::module_& m);
void add_reducing(nanobind::module_& m);
void add_results(nanobind::module_& m);
void add_shaping(nanobind::module_& m);
void add_strings(nanobind::module_& m);
void add_transposing(nanobind::module_& m);
void add_tuples(nanobind::module_& m);
void add_unique(nanobind::module_& m);
void add_views(nanobind::module_& m);

}  // namespace wherry::bind
