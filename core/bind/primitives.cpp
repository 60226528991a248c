// Single moves over NumPy arrays: each is a program of one step, made on the spot.
#include "../steps/check.hpp"
#include "../steps/copy.hpp"
#include "../steps/fill.hpp"
#include "../steps/gather.hpp"
#include "../steps/scatter.hpp"
#include "fields.hpp"
#include "module.hpp"

namespace nb = nanobind;

namespace wherry::bind {
namespace {

// The bytes of an array's elements. Of anything else it is 0: the move says that it must be an array.
int64_t width_in(nb::handle object) {
    return PyArray_Check(object.ptr()) ? PyArray_ITEMSIZE(reinterpret_cast<PyArrayObject*>(object.ptr())) : 0;
}

void run_or_raise(Arguments& arguments, Move& move) {
    if (arguments.run(move)) return;
    set_changed_error();
    throw nb::python_error();
}

template <size_t N>
void run_move(std::string_view name, const Argument (&values)[N]) {
    Arguments(values).run(*make_move(name));
}

void copy_array(nb::handle src, nb::handle dst) {
    const int64_t width = width_in(dst);
    CopyStep step;
    Arguments({dst, src, width}).run(step);
}

void fill_array(nb::handle dst, nb::handle value) {
    FillStep step;
    Arguments({dst, value}).run(step);
}

void select_array(nb::handle condition, nb::handle x, nb::handle y, nb::handle out) {
    const int64_t width = width_in(out);
    run_move("select", {out, condition, x, y, width});
}

void convert_array(nb::handle data, nb::handle out, nb::handle from_element, nb::handle to_element,
                   nb::handle saturates) {
    run_move("convert", {out, data, from_element, to_element, saturates});
}

void translate_array(nb::handle data, nb::handle out, nb::handle table, nb::handle code_width, nb::handle from_element,
                     nb::handle code_element, nb::handle saturates) {
    const int64_t width = width_in(out);
    run_move("translate", {out, data, width, table, code_width, from_element, code_element, saturates});
}

void round_array(nb::handle data, nb::handle out, nb::handle from_element, nb::handle format) {
    run_move("round", {out, data, from_element, format});
}

void calculate_array(nb::handle first, nb::handle second, nb::handle out, nb::handle function, nb::handle element) {
    const int64_t one = 1, no_slot = 0, value = -1;
    const int64_t kind = PyBytes_Check(second.ptr()) ? value : no_slot;
    run_move("calculate", {one, function, element, out, no_slot, first, no_slot, second, kind});
}

void divide_array(nb::handle dividend, nb::handle divisor, nb::handle out, nb::handle element, bool is_remainder,
                  bool floors, bool takes_zero, bool wraps) {
    if (!takes_zero || !wraps) {
        const Argument values[] = {dividend, divisor, element, int64_t{takes_zero}, int64_t{wraps}};
        if (!Arguments(values).run(*make_move("divisible"))) throw nb::value_error("a quotient is not defined");
    }
    const int64_t division = 2 * is_remainder + floors;
    run_move("divide", {out, dividend, divisor, element, division});
}

void add_array(nb::handle target, nb::handle source, nb::handle element) { run_move("add", {target, source, element}); }

void fill_diagonals(nb::handle out, nb::handle data, nb::handle value, nb::handle begin, nb::handle end,
                    nb::handle inverted) {
    run_move("diagonals", {out, data, value, begin, end, inverted});
}

void write_range(nb::handle out, nb::handle start, nb::handle delta, nb::handle element) {
    run_move("range", {out, start, delta, element});
}

void gather_into(nb::handle data, nb::handle indices, nb::handle out, nb::handle out_of_range, nb::handle negative) {
    const int64_t width = width_in(data);
    const Argument values[] = {out, data, indices, width, indices, out_of_range, negative};
    Arguments arguments(values);
    GatherStep step;
    run_or_raise(arguments, step);
}

void scatter_into(nb::handle target, nb::handle indices, nb::handle updates, nb::handle reduction,
                  nb::handle out_of_range, nb::handle negative, nb::handle element, nb::handle nan) {
    const int64_t width = width_in(target);
    const Argument values[] = {target,    indices,      updates,  width,   indices,
                               reduction, out_of_range, negative, element, nan};
    Arguments arguments(values);
    ScatterStep step;
    run_or_raise(arguments, step);
}

nb::object check_indices(nb::handle indices, nb::handle size, nb::handle negative) {
    const Argument values[] = {indices, indices, size, negative};
    Arguments arguments(values);
    CheckStep step;
    if (arguments.run(step)) return nb::none();
    BadIndex bad{};
    if (!without_gil(step.bytes, [&] { bad = step.first_bad(arguments.base()); })) throw nb::python_error();
    if (!bad.found) return nb::none();
    if (step.rule.type == IndexType::u64) return nb::make_tuple(bad.position, static_cast<uint64_t>(bad.value));
    return nb::make_tuple(bad.position, bad.value);
}

}  // namespace

void add_primitives(nb::module_& m) {
    m.def("copy", &copy_array, nb::arg("src"), nb::arg("dst"),
          "Copies src to dst: same sizes, same element width, any strides. Overlap is the caller's duty.");
    m.def("fill", &fill_array, nb::arg("dst"), nb::arg("value"),
          "Fills dst with the one element of value, an array of the same element width.");
    m.def("select", &select_array, nb::arg("condition"), nb::arg("x"), nb::arg("y"), nb::arg("out"),
          "out[c] = x[c] if condition[c] else y[c]: equal sizes, any strides; conditions of one byte. Overlap is the\n"
          "caller's duty.");
    m.def(
        "convert", &convert_array, nb::arg("data"), nb::arg("out"), nb::arg("from_element"), nb::arg("to_element"),
        nb::arg("saturates") = nb::int_(0),
        "out[c] = data[c] as another type: equal sizes, any strides; elements are numbered as for scatter_into.\n"
        "Integers out of range wrap around, or are the nearest end of it if `saturates` is 1. Overlap is the caller's\n"
        "duty.");
    m.def("translate", &translate_array, nb::arg("data"), nb::arg("out"), nb::arg("table"), nb::arg("code_width"),
          nb::arg("from_element").none(), nb::arg("code_element"), nb::arg("saturates"),
          "out[c] = table[code of data[c]], the bytes of one element for each code: equal sizes, any strides, see\n"
          "wherry.moves.TranslateMove. Without from_element the bits of an element are its code. Overlap is the\n"
          "caller's duty.");
    m.def("round", &round_array, nb::arg("data"), nb::arg("out"), nb::arg("from_element"), nb::arg("format"),
          "out[c] = data[c] as the nearest float of a type of at most 8 bits, which 8 bytes tell: equal sizes, any\n"
          "strides, see wherry.moves.RoundMove; elements are numbered as for scatter_into. Overlap is the caller's\n"
          "duty.");
    m.def("calculate", &calculate_array, nb::arg("first"), nb::arg("second"), nb::arg("out"), nb::arg("function"),
          nb::arg("element"),
          "out[c] = function(first[c], second[c]), or of first[c] alone: equal sizes, any strides. Second may be the\n"
          "bytes of one element. Functions are numbered as in wherry.moves.calculate.FUNCTIONS, elements as for\n"
          "scatter_into. Out may be first; any other overlap is the caller's duty.");
    m.def("divide", &divide_array, nb::arg("dividend"), nb::arg("divisor"), nb::arg("out"), nb::arg("element"),
          nb::arg("is_remainder"), nb::arg("floors"), nb::arg("takes_zero"), nb::arg("wraps"),
          "out[c] = dividend[c] / divisor[c], of integers: equal sizes, any strides, see wherry.moves.DivideMove.\n"
          "Raises ValueError, and leaves out as it was, where that is to be refused. Overlap is the caller's duty.");
    m.def("add", &add_array, nb::arg("target"), nb::arg("source").none(), nb::arg("element"),
          "target[c] += source[c], or += 0 without one: equal sizes, any strides; elements are numbered as for\n"
          "scatter_into. Overlap is the caller's duty.");
    m.def("fill_diagonals", &fill_diagonals, nb::arg("out"), nb::arg("data").none(), nb::arg("value"), nb::arg("begin"),
          nb::arg("end"), nb::arg("inverted"),
          "out[.., y, x] = value if (begin <= x - y < end) != inverted else data[.., y, x], which None leaves as it\n"
          "is: equal sizes, any strides. Overlap is the caller's duty.");
    m.def("range", &write_range, nb::arg("out"), nb::arg("start"), nb::arg("delta"), nb::arg("element"),
          "out[n] = start + n * delta, given as the bytes of an integer, float32 or float64; elements are numbered as\n"
          "for scatter_into.");
    m.def(
        "gather_into", &gather_into, nb::arg("data"), nb::arg("indices"), nb::arg("out"), nb::arg("out_of_range"),
        nb::arg("negative"),
        "out[c] = data[c ++ indices[c]]: data has the axes of out and then the indexed ones, indices the axes of out\n"
        "and then one column for each indexed axis. Axes that repeat have stride 0.\n\n"
        "out_of_range: 0 raise (IndexError with out partly written: check first), 1 clamp, 2 zero, 3 wrap;\n"
        "negative: 0 from_end, 1 invalid.");
    m.def("scatter_into", &scatter_into, nb::arg("target"), nb::arg("indices"), nb::arg("updates"),
          nb::arg("reduction"), nb::arg("out_of_range"), nb::arg("negative"), nb::arg("element"), nb::arg("nan"),
          "target[c ++ indices[c]] = reduction(target[c ++ indices[c]], updates[c]), in row-major order of c.\n\n"
          "Sizes as for gather_into, with updates for out. out_of_range: 0 raise (IndexError with the other updates\n"
          "applied: check first), 1 clamp, 2 skip, 3 wrap; reduction: 0 none, 1 add, 2 sub, 3 mul, 4 min, 5 max;\n"
          "element: the place of the type in wherry.moves.ARITHMETIC; nan: 0 propagate, 1 update, 2 data.");
    m.def("check_indices", &check_indices, nb::arg("indices"), nb::arg("size"), nb::arg("negative"),
          "None if every index lies on an axis of that size, else (flat position, value) of the first bad one.");
}

}  // namespace wherry::bind
