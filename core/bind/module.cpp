// The module wherry._core.
#define WHERRY_IMPORTS_NUMPY
#include "numpy.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "../kernels/isa.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "limits.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

bool import_numpy() { return PyArray_ImportNumPyAPI() == 0; }

// 0 if Python does not tell.
unsigned long main_thread() {
    PyObject* module = PyImport_ImportModule("threading");
    PyObject* thread = module ? PyObject_CallMethod(module, "main_thread", nullptr) : nullptr;
    PyObject* ident = thread ? PyObject_GetAttrString(thread, "ident") : nullptr;
    const unsigned long found = ident && PyLong_Check(ident) ? PyLong_AsUnsignedLong(ident) : 0;
    Py_XDECREF(module);
    Py_XDECREF(thread);
    Py_XDECREF(ident);
    PyErr_Clear();
    return found;
}

using RangeTimes = std::tuple<int, double, std::vector<double>>;

std::pair<double, std::vector<RangeTimes>> range_times(const nb::callable& call) {
    using Clock = std::chrono::steady_clock;
    wherry::Record record;
    const auto begin = Clock::now();
    call();
    const std::chrono::duration<double> whole = Clock::now() - begin;
    std::vector<RangeTimes> found;
    for (wherry::Record::Job& job : record.jobs) found.emplace_back(job.threads, job.whole, std::move(job.seconds));
    return {whole.count(), std::move(found)};
}

}  // namespace

bool takes_signals() {
    static const unsigned long main = main_thread();
    return PyThread_get_thread_ident() == main;
}

}  // namespace wherry::bind

NB_MODULE(_core, m) {
    using namespace wherry::bind;
    if (!import_numpy()) throw nb::python_error();
    if (std::getenv("WHERRY_TUNE")) wherry::machine();  // what is wrong there is told now, not by some later move
    nb::set_leak_warnings(false);  // what a module of the user's holds until the interpreter ends is no leak
    m.doc() = "Moves of tensor data over strided memory. Arrays are NumPy arrays; strides may be any.";

    PyObject* name = PyUnicode_FromString("wherry");
    PyObject* gather = PyCFunction_NewEx(&gather_method, nullptr, name);
    Py_XDECREF(name);
    if (!gather) throw nb::python_error();
    m.attr("gather") = nb::steal(gather);

    add_calls(m);
    add_declared(m);
    add_direct(m);
    add_eager(m);
    add_gathering(m);
    add_integers(m);
    add_memory(m);
    add_method(m);
    add_nonzero(m);
    add_passing(m);
    add_primitives(m);
    add_program(m);
    add_reducing(m);
    add_results(m);
    add_shaping(m);
    add_strings(m);
    add_transposing(m);
    add_tuples(m);
    add_unique(m);
    add_views(m);
    m.def("watch_limits", &wherry::bind::watch_limits, "Lets the core look up which limits are in force.");
    m.def("set_num_threads", &wherry::set_num_threads, nb::arg("n"),
          "Threads for large moves; 0 goes back to the default (OMP_NUM_THREADS, or the cores).");
    m.def("get_num_threads", &wherry::get_num_threads, "Threads that a large move may use.");
    m.def("range_times", &range_times, nb::arg("call"),
          "Calls; what it shares among threads runs on this one, range by range. The seconds of the call, and for each "
          "time\n"
          "that it shared something: among how many threads, the seconds of all ranges with what it took to time them, "
          "and\n"
          "those of each.");
    m.def(
        "isa", [] { return wherry::block_kernels().name; },
        "The instruction set in use, one of isas(). WHERRY_ISA in the environment chooses one.");
    m.def(
        "isas",
        [] {
            nb::list names;
            for (const wherry::BlockKernels* table : wherry::block_tables()) names.append(table->name);
            return names;
        },
        "The instruction sets with kernels of their own that the machine has, the plainest first: scalar; avx2, avx512 "
        "and\n"
        "avx512vbmi on x86-64; neon on AArch64.");
    m.def(
        "machine",
        [] {
            nb::dict found;
            for (const wherry::Setting& setting : wherry::settings())
                found[setting.name] = wherry::machine().*setting.value;
            return found;
        },
        "What was read of the machine, and the limits that follow from it, by the names of WHERRY_TUNE.");
}
