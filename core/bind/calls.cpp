// What keeps calls, and what answers them, for Python.
#include "numpy.hpp"

#include <nanobind/nanobind.h>

#include "../steps/step.hpp"
#include "answering.hpp"
#include "copies.hpp"
#include "module.hpp"
#include "passing.hpp"
#include "recent_calls.hpp"

namespace nb = nanobind;

namespace wherry::bind {

void add_calls(nb::module_& m) {
    nb::class_<RecentCalls>(m, "RecentCalls", "The programs of calls that ran last, up to `most`, by their arguments.")
        .def(nb::init<size_t, bool>(), nb::arg("most"), nb::arg("strings_alone") = false)
        .def(
            "answers",
            [](nb::object self, nb::object function, nb::object passing, nb::object results) {
                require(passing.is_none() || nb::isinstance<Passing>(passing), "passing must be a Passing");
                const bool is_type =
                    PyType_Check(results.ptr()) &&
                    (results.ptr() == reinterpret_cast<PyObject*>(&PyList_Type) ||
                     PyType_FastSubclass(reinterpret_cast<PyTypeObject*>(results.ptr()), Py_TPFLAGS_TUPLE_SUBCLASS));
                require(results.is_none() || is_type, "results must be list, or a class of tuples");
                return make_answering(std::move(self), std::move(function), std::move(passing), std::move(results));
            },
            nb::arg("function"), nb::arg("passing") = nb::none(), nb::arg("results") = nb::none(),
            "A decorator: a function whose calls like one that was kept are answered without it. What is kept of a\n"
            "call are its arguments by position, and behind them a dict of those by name but for `out`, or what is\n"
            "passed on of them. Its result is the first output; or all, as a list, or a tuple of a class.")
        .def(
            "run", &RecentCalls::run, nb::arg("arguments").none(), nb::arg("out") = nb::none(),
            "The outputs of the program for a call like one before, of which the only one is written to `out` if that\n"
            "is given; None if there is none, or it refuses.")
        .def(
            "keep", &RecentCalls::keep, nb::arg("arguments"), nb::arg("program"), nb::arg("inputs"),
            nb::arg("tensors") = nb::list(), nb::arg("is_found_again") = false, nb::arg("keeps_made") = false,
            nb::arg("takes_arrays") = false, nb::arg("out") = nb::none(),
            "Keeps a program whose inputs are these arrays of the arguments, or a function of Python's, or what finds\n"
            "either for the arrays of the next call. A program of the core may write to `out`.")
        .def("keep_for_any_sizes", &RecentCalls::keep_for_any_sizes, nb::arg("arguments"), nb::arg("function"),
             nb::arg("inputs"), nb::arg("makes_view"), nb::arg("refuses_empty") = false, nb::arg("values") = nb::list(),
             "Keeps what makes the outputs from these arrays of the arguments, and from others of other sizes. It\n"
             "answers a call whose sizes, or elements of the inputs `values`, are new; the next one like that is not\n"
             "answered.")
        .def("lacks_for_any_sizes", &RecentCalls::lacks_for_any_sizes, nb::arg("arguments"),
             "Whether nothing is kept for such arguments, whatever the sizes of arrays are, and something could be.")
        .def("__len__", &RecentCalls::size);
    nb::class_<Copies>(m, "Copies", "Outputs that are the same at each call.")
        .def(nb::init<nb::dict>(), nb::arg("results"))
        .def("__call__", &Copies::operator(), nb::arg("arrays"), nb::arg("written") = nb::none(),
             "Copies of them by their names: new ones, or in the arrays that are to be written.");
}

}  // namespace wherry::bind
