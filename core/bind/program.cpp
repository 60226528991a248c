// Programs: the moves of a plan, checked once against the sizes of their buffers, and run with one call.
// A small model then costs a fraction of a microsecond, where each move by itself would cost several.
#include <string.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "../steps/check.hpp"
#include "../steps/fuse.hpp"
#include "../steps/implied.hpp"
#include "eager.hpp"
#include "fields.hpp"
#include "limits.hpp"
#include "memory.hpp"
#include "module.hpp"
#include "packed_strings.hpp"
#include "program.hpp"
#include "references.hpp"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr int64_t kAlignment = 64;  // of each temporary: a cache line
constexpr int64_t kMostUnread = 8;  // strings whose addresses are written for each one that is moved

// An array as a run must get it, or will return it: type, sizes and byte strides.
struct Shape {
    nb::object name;
    nb::object descr;
    std::vector<int64_t> sizes, byte_strides;
    int64_t first = 0;     // bytes from the lowest element to the first
    bool packed = false;   // row-major, so that a run can make it
    bool decides = false;  // its elements must be `value` too: the moves were planned for these
    std::string value = {};
    References references = {};

    PyArray_Descr* type() const { return reinterpret_cast<PyArray_Descr*>(descr.ptr()); }
    bool has_strings() const { return holds_strings(type()); }
    int ndim() const { return static_cast<int>(sizes.size()); }
};

std::vector<int64_t> integers(nb::handle list) {
    std::vector<int64_t> values;
    for (nb::handle value : list) values.push_back(nb::cast<int64_t>(value));
    return values;
}

// A name as most callers have it in their dicts: the same object, which is found without comparing text.
nb::object interned(nb::handle name) {
    PyObject* found = Py_NewRef(name.ptr());
    if (PyUnicode_CheckExact(found)) PyUnicode_InternInPlace(&found);
    return nb::steal(found);
}

// Widens low..high by what sizes and strides reach; false for a negative size, or if 64 bits are too few.
bool reach(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides, int64_t& low, int64_t& high) {
    for (size_t a = 0; a < sizes.size(); ++a) {
        int64_t far;
        if (sizes[a] < 0 || __builtin_mul_overflow(sizes[a] - 1, strides[a], &far)) return false;
        if (__builtin_add_overflow(far < 0 ? low : high, far, far < 0 ? &low : &high)) return false;
    }
    return true;
}

// None, or the error that is set.
nb::object refused() {
    if (PyErr_Occurred()) throw nb::python_error();
    return nb::none();
}

// The parts of a step of a program: a tensor is (buffer, byte offset, sizes, byte strides).
class Parts final : public Fields {
public:
    Parts(const nb::tuple& parts, const std::vector<int64_t>& extents) : parts_(parts), extents_(extents) {}

    bool has(int place) const override { return !at(place).is_none(); }
    Tensor target(int place, int64_t width) override { return tensor(place, width); }
    int64_t integer(int place) override { return integer_of(at(place)); }
    std::string bytes(int place) override { return bytes_of_element(at(place)); }
    IndexType index_type(int place) override { return index_type_of(at(place)); }

    Tensor tensor(int place, int64_t width) override {
        const nb::tuple parts = nb::borrow<nb::tuple>(at(place));
        const std::vector<int64_t>& sizes = kept_.emplace_back(integers(parts[2]));
        const std::vector<int64_t>& strides = kept_.emplace_back(integers(parts[3]));
        require(width >= 0, "an element has a negative width");
        require(sizes.size() == strides.size() && sizes.size() <= kMaxRank, "a rank is wrong");
        const Tensor found{nb::cast<int>(parts[0]), nb::cast<int64_t>(parts[1]), static_cast<int>(sizes.size()),
                           sizes.data(), strides.data()};
        require(found.buffer >= 0 && found.buffer < static_cast<int>(extents_.size()), "there is no such buffer");
        for (int64_t size : sizes) require(size >= 0, "a size is negative");
        if (found.empty()) return found;
        int64_t low = found.offset, high = found.offset;
        require(reach(sizes, strides, low, high), "a tensor is too large");
        require(low >= 0 && high <= extents_[static_cast<size_t>(found.buffer)] - width, "a tensor leaves its buffer");
        return found;
    }

private:
    nb::handle at(int place) const {
        require(static_cast<size_t>(place) < parts_.size(), "a step has too few parts");
        return parts_[static_cast<size_t>(place)];
    }

    const nb::tuple& parts_;
    const std::vector<int64_t>& extents_;
    std::deque<std::vector<int64_t>> kept_;  // sizes and strides, which tensors point to
};

}  // namespace

class Program {
public:
    Program(const Program&) = delete;
    // inputs and outputs: (name, dtype, sizes, byte strides, byte offset, bytes); temporaries: bytes; constants:
    // vectors; values: for each input its elements as bytes, where these decide what the steps are, or None.
    Program(nb::list inputs, nb::list outputs, nb::list temporaries, nb::list constants, nb::list steps,
            nb::list values) {
        for (nb::handle input : inputs) inputs_.push_back(add_shape(input));
        inputs_count_ = static_cast<int>(inputs_.size());
        require(values.size() == inputs_.size() || values.size() == 0, "there is a value for each input, or for none");
        for (size_t k = 0; k < values.size(); ++k) add_value(inputs_[k], extents_[k], values[k]);
        for (nb::handle output : outputs) outputs_.push_back(add_shape(output));
        for (nb::handle bytes : temporaries) {
            temporaries_.push_back(arena_bytes_);
            arena_bytes_ += (add_extent(nb::cast<int64_t>(bytes)) + kAlignment - 1) / kAlignment * kAlignment;
        }
        for (nb::handle constant : constants) {
            require(PyArray_Check(constant.ptr()), "a constant must be a NumPy array");
            auto* vector = reinterpret_cast<PyArrayObject*>(constant.ptr());
            look_for_references(PyArray_DESCR(vector));
            constants_.push_back(nb::borrow(constant));
            add_extent(PyArray_NBYTES(vector));
        }
        require(static_cast<int>(extents_.size()) <= kMaxBuffers, "there are too many buffers for a program");
        for (nb::handle step : steps) add_step(nb::borrow<nb::tuple>(step));
        steps_ = fuse(std::move(steps_));
        for_new_outputs_ = without_implied(steps_);
        copies_outputs_ = are_outputs_copied();
        for (const std::unique_ptr<Step>& step : steps_) step->prepare();
    }

    // The outputs by name, new ones if none are given; None where the arrays are others than planned for, or a move
    // refused.
    nb::object run(nb::handle arrays, nb::handle outputs) const {
        Held held;
        const bool in_place = !outputs.is_none();
        if (!take(arrays.ptr(), nullptr, inputs_, held)) return refused();
        if (in_place && !take(outputs.ptr(), nullptr, outputs_, held)) return refused();
        return fits(held, in_place) ? run_fitting(held, in_place) : refused();
    }

    // The outputs by name, of arrays that fit: new ones, or those behind the inputs; None where a move refused.
    nb::object run_fitting(Held& held, bool in_place) const {
        return run_on(held, in_place) ? results(held) : refused();
    }

    // The same, whose outputs stand behind the inputs; false where a move refused.
    bool run_on(Held& held, bool in_place) const {
        if (in_place && (has_references_ || has_strings_ || copies_outputs_)) return run_aside(held);
        std::vector<Uncounted> uncounted;
        std::vector<Unowned> unowned;
        if (!in_place && !make_outputs(held, uncounted, unowned)) return false;
        const Memory arena = arena_bytes_ ? new_memory(arena_bytes_) : nullptr;
        if (arena_bytes_ && !arena) return false;
        if (arena && (has_references_ || has_strings_)) memset(arena.get(), 0, static_cast<size_t>(arena_bytes_));
        // Where the buffers begin, in their order: inputs, outputs, temporaries, constants.
        char* base[kMaxBuffers];
        int count = 0;
        for (const std::vector<Shape>* shapes : {&inputs_, &outputs_})
            for (const Shape& shape : *shapes) {
                base[count] = PyArray_BYTES(held[count]) - shape.first;
                ++count;
            }
        for (int64_t offset : temporaries_) base[count++] = arena.get() + offset;
        for (const nb::object& constant : constants_)
            base[count++] = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(constant.ptr()));
        if (in_place && shares_memory(base, count)) return false;
        const Step* refusing = nullptr;
        if (has_strings_) {
            if (!run_strings(held, base)) return false;
        } else if (!run_steps(base, in_place, refusing)) {
            throw nb::python_error();
        }
        if (refusing) {
            if (!in_place || refusing->only_reads()) return false;
            set_changed_error();
            throw nb::python_error();
        }
        for (Uncounted& each : uncounted) each.count();
        for (Unowned& each : unowned) each.keep();
        return true;
    }

    // Whether arrays, in the order of the inputs, and of the outputs if these are given, are those planned for.
    bool fits(const Held& held, bool in_place) const {
        const int count = inputs_count_ + (in_place ? static_cast<int>(outputs_.size()) : 0);
        return held.count() == count && fit(held, 0, inputs_) && (!in_place || take_results(held));
    }

    // Holds the arrays of a dict by name, and those of `otherwise` that it lacks; false if one is missing, or unknown.
    // The keys of a dict may run code of the caller's: the arrays are looked at when all of them are held.
    static bool take(PyObject* arrays, PyObject* otherwise, const std::vector<Shape>& shapes, Held& held) {
        if (!PyDict_CheckExact(arrays)) return false;
        Py_ssize_t found = 0;
        for (const Shape& shape : shapes) {
            PyObject* given = PyDict_GetItemWithError(arrays, shape.name.ptr());
            if (given)
                ++found;
            else if (PyErr_Occurred() || !otherwise || !(given = PyDict_GetItemWithError(otherwise, shape.name.ptr())))
                return false;
            held.add(given);
        }
        return found == PyDict_GET_SIZE(arrays);
    }

    // Holds the inputs, and the outputs if these are given.
    bool take(PyObject* arrays, PyObject* otherwise, PyObject* outputs, Held& held) const {
        return take(arrays, otherwise, inputs_, held) && (outputs == Py_None || take(outputs, nullptr, outputs_, held));
    }

private:
    // Whether all outputs are sooner copied than the indices are checked that a run without them spares.
    bool are_outputs_copied() const {
        if (has_references_ || has_strings_ || for_new_outputs_.spared == 0) return false;
        int64_t made = 0;
        for (size_t k = 0; k < outputs_.size(); ++k)
            made = sum_of_bytes(made, outputs_[k].packed ? extents_[inputs_.size() + k] : INT64_MAX);
        return are_sooner_copied(made, for_new_outputs_.spared);
    }

    // A run in place where elements hold references, or outputs are sooner copied: new outputs take the place of what
    // is in those given. What that refers to is let go when all is done, since it may run code of the caller's. Strings
    // are copied, each array has its storage.
    bool run_aside(const Held& held) const {
        for (const Shape& shape : outputs_)
            if (!shape.packed) return false;
        Held aside;
        for (int k = 0; k < inputs_count_; ++k) aside.add(held.object(k));
        if (!run_on(aside, false)) return false;
        for (int k = inputs_count_; k < held.count(); ++k) {
            if (copies_outputs_)
                memcpy(PyArray_BYTES(held[k]), PyArray_BYTES(aside[k]), static_cast<size_t>(PyArray_NBYTES(held[k])));
            else if (!holds_strings(PyArray_DESCR(held[k])))
                exchange(PyArray_BYTES(held[k]), PyArray_BYTES(aside[k]), PyArray_NBYTES(held[k]));
            else if (PyArray_CopyInto(held[k], aside[k]) < 0)
                throw nb::python_error();
        }
        return true;
    }

    // What elements hold beside bytes.
    References look_for_references(PyArray_Descr* descr) {
        has_strings_ |= holds_strings(descr);
        const References found = holds_strings(descr) ? References() : References(descr);
        require(found.are_known(), "elements have storage of their own");
        has_references_ |= found.any();
        return found;
    }

    // Whether the arrays from `first` on are as planned.
    static bool fit(const Held& held, int first, const std::vector<Shape>& shapes) {
        for (const Shape& shape : shapes)
            if (!is_as_planned(held[first++], shape)) return false;
        return true;
    }

    // Whether the arrays after the inputs can take the outputs.
    bool take_results(const Held& held) const {
        if (!fit(held, inputs_count_, outputs_)) return false;
        for (int k = inputs_count_; k < held.count(); ++k)
            if (!PyArray_ISWRITEABLE(held[k])) return false;
        return true;
    }

    // False without an error if there is no memory: the plan itself says how much was needed.
    bool make_outputs(Held& held, std::vector<Uncounted>& uncounted, std::vector<Unowned>& unowned) const {
        // Which may fail only as long as there is no output.
        if (has_references_) uncounted.reserve(outputs_.size());
        if (has_strings_) unowned.reserve(outputs_.size());
        for (const Shape& shape : outputs_) {
            if (!shape.packed) return false;
            Py_INCREF(shape.type());
            PyObject* made = new_array(shape.type(), shape.ndim(), shape.sizes.data());
            if (!made) {
                PyErr_Clear();
                return false;
            }
            held.add_new(made);
            if (shape.has_strings()) unowned.emplace_back(reinterpret_cast<PyArrayObject*>(made));
            if (!shape.references.any()) continue;
            auto* array = reinterpret_cast<PyArrayObject*>(made);
            uncounted.emplace_back(shape.references, PyArray_BYTES(array), PyArray_NBYTES(array));
        }
        return true;
    }

    // False, with an error set, if it was interrupted; `refusing` is the step that refused, if one did.
    bool run_steps(char* const* base, bool in_place, const Step*& refusing) const {
        const auto run_each = [&](const auto& steps) {
            for (const auto& step : steps) {
                const bool fine = step->run(base);
                if (is_given_up()) break;
                if (fine) continue;
                refusing = &*step;
                break;
            }
        };
        const auto run_all = [&] { in_place || has_references_ ? run_each(steps_) : run_each(for_new_outputs_.steps); };
        if (!has_references_) return without_gil(bytes_moved_, run_all);
        run_all();  // no other code may run, and let an object go, before its references are counted
        return true;
    }

    // The same on strings: their addresses are moved where they are of several storages, unless most are not needed.
    // False where a step refused, or there is no memory.
    bool run_strings(const Held& held, char** base) const {
        StringSources sources;
        std::vector<std::pair<size_t, PyArrayObject*>> read;  // by the number of the buffer
        std::vector<PyArrayObject*> made;
        int64_t bytes_read = 0, bytes_made = 0;
        const auto add_source = [&](size_t number, PyArrayObject* array) {
            if (!holds_strings(PyArray_DESCR(array))) return;
            sources.add(PyArray_DESCR(array));
            read.emplace_back(number, array);
            bytes_read = sum_of_bytes(bytes_read, extents_[number]);
        };
        for (int k = 0; k < inputs_count_; ++k) add_source(static_cast<size_t>(k), held[k]);
        for (size_t k = 0, first = extents_.size() - constants_.size(); k < constants_.size(); ++k)
            add_source(first + k, reinterpret_cast<PyArrayObject*>(constants_[k].ptr()));
        for (int k = inputs_count_; k < held.count(); ++k) {
            if (holds_strings(PyArray_DESCR(held[k]))) made.push_back(held[k]);
            bytes_made = sum_of_bytes(bytes_made, PyArray_NBYTES(held[k]));
        }
        std::vector<Memory> addresses;
        if (!sources.have_one_storage()) {
            if (bytes_read / kMostUnread > bytes_made) return false;
            for (const auto& [number, array] : read) {
                const int64_t first = PyArray_BYTES(array) - base[number];
                addresses.push_back(sources.addresses_of(array, extents_[number], first));
                if (!addresses.back()) return false;
                base[number] = addresses.back().get();
            }
        }
        return sources.run(made, has_references_ ? 0 : bytes_moved_, [&] {
            for (const std::unique_ptr<Step>& step : steps_)
                if (!step->run(base)) return false;
            return true;
        });
    }

    nb::object results(const Held& held) const {
        nb::object found = nb::steal(PyDict_New());
        if (!found.is_valid()) throw nb::python_error();
        int made = inputs_count_;
        for (const Shape& shape : outputs_)
            if (PyDict_SetItem(found.ptr(), shape.name.ptr(), held.object(made++)) < 0) throw nb::python_error();
        return found;
    }

    // Whether an output lies where another buffer does.
    bool shares_memory(char* const* base, int count) const {
        const int first = inputs_count_, end = first + static_cast<int>(outputs_.size());
        for (int out = first; out < end; ++out)
            for (int other = 0; other < count; ++other)
                if (other != out && base[out] < base[other] + extents_[static_cast<size_t>(other)] &&
                    base[other] < base[out] + extents_[static_cast<size_t>(out)])
                    return true;
        return false;
    }

    static bool is_as_planned(PyArrayObject* array, const Shape& shape) {
        if (!PyArray_CheckExact(array)) return false;
        if (PyArray_NDIM(array) != shape.ndim() || !PyArray_ISALIGNED(array)) return false;
        if (!are_equivalent(PyArray_DESCR(array), shape.type())) return false;
        for (int a = 0; a < shape.ndim(); ++a) {
            if (wherry::bind::sizes(array)[a] != shape.sizes[a]) return false;
            if (shape.sizes[a] > 1 && wherry::bind::byte_strides(array)[a] != shape.byte_strides[a]) return false;
        }
        return !shape.decides || memcmp(PyArray_BYTES(array), shape.value.data(), shape.value.size()) == 0;
    }

    int64_t add_extent(int64_t bytes) {
        require(bytes >= 0, "a buffer has a negative size");
        extents_.push_back(bytes);
        return bytes;
    }

    Shape add_shape(nb::handle description) {
        const nb::tuple parts = nb::borrow<nb::tuple>(description);
        Shape shape{interned(parts[0]), nb::borrow(parts[1]), integers(parts[2]), integers(parts[3]),
                    nb::cast<int64_t>(parts[4])};
        require(PyArray_DescrCheck(shape.descr.ptr()), "a dtype is needed");
        shape.references = look_for_references(shape.type());
        require(shape.sizes.size() == shape.byte_strides.size() && shape.ndim() <= NPY_MAXDIMS, "a rank is wrong");
        const int64_t bytes = nb::cast<int64_t>(parts[5]);
        // What the arrays of a run reach is what their sizes and strides say: the moves are checked against that.
        int64_t low = 0, high = 0;
        bool empty = false;
        for (int a = 0; a < shape.ndim(); ++a) empty |= shape.sizes[a] == 0;
        require(empty || reach(shape.sizes, shape.byte_strides, low, high), "a size is negative, or too large");
        const int64_t width = PyDataType_ELSIZE(shape.type());
        require(empty ? bytes == 0 : shape.first == -low && bytes == high - low + width, "an array has another extent");
        add_extent(bytes);
        shape.packed = true;
        int64_t step = width;
        for (int a = shape.ndim() - 1; a >= 0; --a) {
            const size_t axis = static_cast<size_t>(a);
            shape.packed &= empty || shape.sizes[axis] == 1 || shape.byte_strides[axis] == step;
            step *= empty ? 1 : shape.sizes[axis];
        }
        return shape;
    }

    static void add_value(Shape& shape, int64_t extent, nb::handle value) {
        if (value.is_none()) return;
        const nb::bytes bytes = nb::cast<nb::bytes>(value);
        require(shape.packed && static_cast<int64_t>(bytes.size()) == extent, "a value has another number of bytes");
        shape.decides = true;
        shape.value.assign(bytes.c_str(), bytes.size());
    }

    void add_step(const nb::tuple& parts) {
        Parts fields(parts, extents_);
        std::unique_ptr<Move> move = make_move(nb::cast<std::string>(parts[0]));
        move->check(fields);
        bytes_moved_ = sum_of_bytes(bytes_moved_, move->bytes);
        steps_.push_back(std::move(move));
    }

    std::vector<Shape> inputs_, outputs_;
    int inputs_count_ = 0;
    std::vector<int64_t> temporaries_;  // offsets in the arena
    std::vector<nb::object> constants_;
    std::vector<int64_t> extents_;  // bytes of each buffer: inputs, outputs, temporaries, constants
    Steps steps_;
    Needed for_new_outputs_;       // of these
    bool copies_outputs_ = false;  // to those that are given
    int64_t arena_bytes_ = 0;
    int64_t bytes_moved_ = 0;
    // Among the elements of inputs, outputs or constants.
    bool has_references_ = false;
    bool has_strings_ = false;
};

const Program* program_of(nb::handle object) {
    return nb::isinstance<Program>(object) ? nb::inst_ptr<Program>(object) : nullptr;
}

bool run_in_order(const Program& program, Held& held, bool in_place) {
    return program.fits(held, in_place) && program.run_on(held, in_place);
}

namespace {

// The programs of one model that ran last, each for arrays of other types, sizes, strides or values: up to `most`.
class RecentPrograms {
public:
    // defaults: a dict of arrays for inputs that are not given.
    RecentPrograms(size_t most, nb::object defaults) : most_(most), defaults_(std::move(defaults)) {
        require(most > 0, "at least one program must be kept");
        require(PyDict_CheckExact(defaults_.ptr()), "defaults must be a dict");
    }

    // What the program for these arrays returns; None where there is none under the limits in force, or it refuses.
    nb::object run(nb::handle arrays, nb::handle outputs) {
        if (programs_.empty() || (limits_.is_valid() && !are_in_force(limits_.ptr()))) return refused();
        Held held;
        {
            const Kept newest = programs_.front();  // which keys of the dict may drop
            if (!newest.program->take(arrays.ptr(), defaults_.ptr(), outputs.ptr(), held)) return refused();
        }
        for (size_t k = 0; k < programs_.size(); ++k) {
            const Kept found = programs_[k];  // also while other threads keep programs here
            if (!found.program->fits(held, !outputs.is_none())) continue;
            if (k > 0) make_newest(found.program);
            return found.program->run_fitting(held, !outputs.is_none());
        }
        return nb::none();
    }

    // The same, and else of what is run eagerly where no other than the default limits are in force.
    nb::object run_any(nb::handle arrays, nb::handle outputs) {
        nb::object made = run(arrays, outputs);
        if (!made.is_none() || !outputs.is_none() || !eager_.is_valid() || eager_.is_none() || !are_default())
            return made.is_none() ? refused() : made;
        const nb::object owner = eager_;  // what runs may set another
        return eager_of(owner)->run_new(arrays);
    }

    void set_eager(nb::object eager) {
        eager_of(eager);  // throws for anything else
        eager_ = std::move(eager);
    }

    // Makes a program the newest one. Those that were kept under other limits are dropped; None: any limits will do.
    void keep(nb::object program, nb::object limits) {
        const Program* kept = &nb::cast<const Program&>(program);  // throws for anything else
        if (limits.is_none()) limits.reset();
        if (!limits.is(limits_)) {
            limits_ = std::move(limits);
            std::vector<Kept>().swap(programs_);
        }
        if (make_newest(kept)) return;
        programs_.insert(programs_.begin(), {std::move(program), kept});
        if (programs_.size() > most_) programs_.pop_back();
    }

    size_t size() const { return programs_.size(); }

private:
    struct Kept {
        nb::object owner;
        const Program* program;
    };

    // False if the program is not among those that are kept.
    bool make_newest(const Program* program) {
        const auto found =
            std::find_if(programs_.begin(), programs_.end(), [&](const Kept& kept) { return kept.program == program; });
        if (found == programs_.end()) return false;
        std::rotate(programs_.begin(), found, found + 1);
        return true;
    }

    size_t most_;
    nb::object defaults_;
    nb::object limits_;
    std::vector<Kept> programs_;  // the newest first
    nb::object eager_;            // what runs the graph on sizes and values that are new, or None
};

}  // namespace

void add_program(nb::module_& m) {
    nb::class_<Program>(m, "Program", "The moves of a plan, checked once; see Plan in wherry/plan.py.")
        .def(nb::init<nb::list, nb::list, nb::list, nb::list, nb::list, nb::list>(), nb::arg("inputs"),
             nb::arg("outputs"), nb::arg("temporaries"), nb::arg("constants"), nb::arg("steps"),
             nb::arg("values") = nb::list())
        .def("run", &Program::run, nb::arg("arrays").none(), nb::arg("outputs") = nb::none(),
             "Outputs by name, new ones or those given; None if the arrays are not as planned or a move refuses.");
    nb::class_<RecentPrograms>(m, "RecentPrograms", "The programs of one model that ran last, up to `most`.")
        .def(nb::init<size_t, nb::object>(), nb::arg("most"), nb::arg("defaults") = nb::dict())
        .def("run", &RecentPrograms::run_any, nb::arg("arrays").none(), nb::arg("outputs") = nb::none(),
             "Outputs by name, new ones or those given, by the program for these arrays, or by what is to run eagerly; "
             "None if there is neither, or a move refuses.")
        .def("set_eager", &RecentPrograms::set_eager, nb::arg("eager").none(),
             "Sets what runs arrays for which there is no program, under the default limits; None: nothing does.")
        .def("keep", &RecentPrograms::keep, nb::arg("program"), nb::arg("limits") = nb::none(),
             "Makes a program the newest one; it runs only while `limits` are in force, or under any without.")
        .def("__len__", &RecentPrograms::size);
}

}  // namespace wherry::bind
