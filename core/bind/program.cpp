// Programs: the moves of a plan, checked once against the sizes of their buffers, and run with one call.
// A small model then costs a fraction of a microsecond, where each move by itself would cost several.
#include "program.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "steps.hpp"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace wherry::bind {
namespace {

constexpr int kMaxBuffers = 64;
constexpr size_t kMostGrouped = 32;
constexpr int64_t kAlignment = 64;  // of each temporary: a cache line

// An array as a run must get it, or will return it: type, sizes and byte strides.
struct Shape {
    nb::object name;
    nb::object descr;
    std::vector<int64_t> sizes, byte_strides;
    int64_t first = 0;    // bytes from the lowest element to the first
    bool packed = false;  // row-major, so that a run can make it

    PyArray_Descr* type() const { return reinterpret_cast<PyArray_Descr*>(descr.ptr()); }
    int ndim() const { return static_cast<int>(sizes.size()); }
};

// Where a tensor lies in its buffer.
struct Place {
    int buffer;
    int64_t offset;
    std::vector<int64_t> sizes, byte_strides;
};

std::vector<int64_t> integers(nb::handle list) {
    std::vector<int64_t> values;
    for (nb::handle value : list) values.push_back(nb::cast<int64_t>(value));
    return values;
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

IndexKind kind_of(nb::handle dtype) {
    IndexKind kind;
    if (!PyArray_DescrCheck(dtype.ptr()) || !index_kind(reinterpret_cast<PyArray_Descr*>(dtype.ptr()), kind))
        throw nb::type_error("indices must have a native integer type");
    return kind;
}

class Program {
public:
    // inputs and outputs: (name, dtype, sizes, byte strides, byte offset, bytes); temporaries: bytes; constants:
    // vectors.
    Program(nb::list inputs, nb::list outputs, nb::list temporaries, nb::list constants, nb::list steps) {
        for (nb::handle input : inputs) inputs_.push_back(add_shape(input));
        for (nb::handle output : outputs) outputs_.push_back(add_shape(output));
        for (nb::handle bytes : temporaries) {
            temporaries_.push_back(arena_bytes_);
            arena_bytes_ += (add_extent(nb::cast<int64_t>(bytes)) + kAlignment - 1) / kAlignment * kAlignment;
        }
        for (nb::handle constant : constants) {
            PyArrayObject* vector = as_array(constant, "constant");
            constants_.push_back(nb::borrow(constant));
            add_extent(PyArray_NBYTES(vector));
        }
        require(static_cast<int>(extents_.size()) <= kMaxBuffers, "there are too many buffers for a program");
        for (nb::handle step : steps) add_step(nb::borrow<nb::tuple>(step));
        group_copies();
        join_scatters();
    }

    // The outputs by name, new ones if none are given; None where the arrays are others than planned for, or a move
    // refused.
    nb::object run(nb::handle arrays, nb::handle outputs) const {
        char* base[kMaxBuffers + 1];
        nb::object kept[kMaxBuffers];
        int buffer = 0;
        const bool in_place = !outputs.is_none();
        if (!has_entries(arrays, inputs_) || (in_place && !has_entries(outputs, outputs_))) return nb::none();
        for (const Shape& shape : inputs_) {
            PyObject* given = PyDict_GetItemWithError(arrays.ptr(), shape.name.ptr());
            if (!given || !fits(given, shape)) return refused();
            kept[buffer] = nb::borrow(given);
            base[buffer] = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(given)) - shape.first;
            ++buffer;
        }
        const int first_output = buffer;
        for (const Shape& shape : outputs_) {
            if (in_place) {
                PyObject* given = PyDict_GetItemWithError(outputs.ptr(), shape.name.ptr());
                if (!given || !fits(given, shape)) return refused();
                auto* array = reinterpret_cast<PyArrayObject*>(given);
                if (!PyArray_ISWRITEABLE(array)) return nb::none();
                kept[buffer] = nb::borrow(given);
                base[buffer++] = PyArray_BYTES(array) - shape.first;
                continue;
            }
            if (!shape.packed) return nb::none();
            Py_INCREF(shape.type());
            PyObject* made = PyArray_NewFromDescr(&PyArray_Type, shape.type(), shape.ndim(), shape.sizes.data(),
                                                  nullptr, nullptr, 0, nullptr);
            if (!made) {
                PyErr_Clear();  // of no memory the plan itself says how much was needed
                return nb::none();
            }
            kept[buffer] = nb::steal(made);
            base[buffer] = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(made));
            ++buffer;
        }
        const std::unique_ptr<char, decltype(&std::free)> arena(
            arena_bytes_ ? static_cast<char*>(std::aligned_alloc(kAlignment, static_cast<size_t>(arena_bytes_)))
                         : nullptr,
            &std::free);
        if (arena_bytes_ && !arena) return nb::none();
        for (int64_t offset : temporaries_) base[buffer++] = arena.get() + offset;
        for (const nb::object& constant : constants_)
            base[buffer++] = PyArray_BYTES(reinterpret_cast<PyArrayObject*>(constant.ptr()));
        if (in_place && shares_memory(base, buffer)) return nb::none();
        base[buffer] = const_cast<char*>(fill_values_.data());
        const Step* refusing = nullptr;
        without_gil(bytes_moved_, [&] {
            for (const Step& step : steps_) {
                if (std::visit([&](const auto& s) { return run_step(s, base); }, step)) continue;
                refusing = &step;
                break;
            }
        });
        if (refusing && in_place && !std::holds_alternative<CheckStep>(*refusing)) {
            set_changed_error();
            throw nb::python_error();
        }
        if (refusing) return nb::none();
        nb::dict results;
        for (size_t k = 0; k < outputs_.size(); ++k)
            if (PyDict_SetItem(results.ptr(), outputs_[k].name.ptr(), kept[first_output + static_cast<int>(k)].ptr()) <
                0)
                throw nb::python_error();
        return results;
    }

private:
    static bool has_entries(nb::handle arrays, const std::vector<Shape>& shapes) {
        return PyDict_CheckExact(arrays.ptr()) &&
               PyDict_GET_SIZE(arrays.ptr()) == static_cast<Py_ssize_t>(shapes.size());
    }

    // Whether an output lies where another buffer does.
    bool shares_memory(char* const* base, int count) const {
        const int first = static_cast<int>(inputs_.size()), end = first + static_cast<int>(outputs_.size());
        for (int out = first; out < end; ++out)
            for (int other = 0; other < count; ++other)
                if (other != out && base[out] < base[other] + extents_[static_cast<size_t>(other)] &&
                    base[other] < base[out] + extents_[static_cast<size_t>(out)])
                    return true;
        return false;
    }

    static nb::object refused() {
        if (PyErr_Occurred()) throw nb::python_error();
        return nb::none();
    }

    static bool fits(PyObject* given, const Shape& shape) {
        if (!PyArray_CheckExact(given)) return false;
        auto* array = reinterpret_cast<PyArrayObject*>(given);
        if (PyArray_NDIM(array) != shape.ndim() || !PyArray_ISALIGNED(array)) return false;
        if (PyArray_DESCR(array) != shape.type() && !PyArray_EquivTypes(PyArray_DESCR(array), shape.type()))
            return false;
        for (int a = 0; a < shape.ndim(); ++a) {
            if (wherry::bind::sizes(array)[a] != shape.sizes[a]) return false;
            if (shape.sizes[a] > 1 && wherry::bind::byte_strides(array)[a] != shape.byte_strides[a]) return false;
        }
        return true;
    }

    int64_t add_extent(int64_t bytes) {
        require(bytes >= 0, "a buffer has a negative size");
        extents_.push_back(bytes);
        return bytes;
    }

    Shape add_shape(nb::handle description) {
        const nb::tuple parts = nb::borrow<nb::tuple>(description);
        Shape shape{nb::borrow(parts[0]), nb::borrow(parts[1]), integers(parts[2]), integers(parts[3]),
                    nb::cast<int64_t>(parts[4])};
        require(PyArray_DescrCheck(shape.descr.ptr()), "a dtype is needed");
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

    Place place(nb::handle description, int64_t width) const {
        const nb::tuple parts = nb::borrow<nb::tuple>(description);
        Place found{nb::cast<int>(parts[0]), nb::cast<int64_t>(parts[1]), integers(parts[2]), integers(parts[3])};
        require(found.buffer >= 0 && found.buffer < static_cast<int>(extents_.size()), "there is no such buffer");
        require(found.sizes.size() == found.byte_strides.size() && found.sizes.size() <= kMaxRank, "a rank is wrong");
        for (int64_t size : found.sizes)
            if (size == 0) return found;
        int64_t low = found.offset, high = found.offset;
        require(reach(found.sizes, found.byte_strides, low, high), "a size is negative, or too large");
        require(low >= 0 && high <= extents_[static_cast<size_t>(found.buffer)] - width, "a place leaves its buffer");
        return found;
    }

    template <int N>
    static void add_axes(Axes<N>& axes, const Place& of, const Place* const (&operands)[N]) {
        for (size_t a = 0; a < of.sizes.size(); ++a) {
            int64_t strides[N];
            for (int k = 0; k < N; ++k) strides[k] = operands[k]->byte_strides[a];
            axes.add(of.sizes[a], strides);
        }
    }

    static bool leads(const Place& longer, const Place& all) {
        if (longer.sizes.size() < all.sizes.size()) return false;
        for (size_t a = 0; a < all.sizes.size(); ++a)
            if (longer.sizes[a] != all.sizes[a]) return false;
        return true;
    }

    static int add_columns(const Place& indexed, const Place& indices, const Place& all, const IndexRule& rule,
                           Column* columns) {
        const size_t ndim = all.sizes.size();
        require(leads(indexed, all) && leads(indices, all) && indices.sizes.size() == ndim + 1, "sizes do not fit");
        const size_t count = indexed.sizes.size() - ndim;
        require(indices.sizes[ndim] == static_cast<int64_t>(count), "there must be one column for each indexed axis");
        bool any = true;
        for (int64_t size : all.sizes) any &= size != 0;
        const bool needs_element = rule.out_of_range == OutOfRange::clamp || rule.out_of_range == OutOfRange::wrap;
        for (size_t c = 0; c < count; ++c) {
            columns[c] = {indices.byte_strides[ndim] * static_cast<int64_t>(c), indexed.byte_strides[ndim + c],
                          indexed.sizes[ndim + c]};
            require(!needs_element || columns[c].size > 0 || !any, "an indexed axis has size 0");
        }
        return static_cast<int>(count);
    }

    static IndexRule rule(nb::handle dtype, int out_of_range, int negative) {
        require(out_of_range >= 0 && out_of_range <= 3 && negative >= 0 && negative <= 1, "a rule is out of range");
        return {0, static_cast<OutOfRange>(out_of_range), static_cast<Negative>(negative), kind_of(dtype)};
    }

    void count_bytes(const Place& written, int64_t width) {
        int64_t bytes = width;
        for (int64_t size : written.sizes)
            if (__builtin_mul_overflow(bytes, size, &bytes)) bytes = INT64_MAX / 2;
        if (__builtin_add_overflow(bytes_moved_, bytes, &bytes_moved_)) bytes_moved_ = INT64_MAX;
    }

    void add_step(const nb::tuple& parts) {
        const std::string kind = nb::cast<std::string>(parts[0]);
        if (kind == "copy") return add_copy(parts);
        if (kind == "fill") return add_fill(parts);
        if (kind == "gather") return add_gather(parts);
        if (kind == "check") return add_check(parts);
        if (kind == "select") return add_select(parts);
        if (kind == "convert") return add_convert(parts);
        if (kind == "add") return add_add(parts);
        if (kind == "diagonals") return add_diagonals(parts);
        if (kind == "sequence") return add_range(parts);
        require(kind == "scatter", "there is no such step");
        add_scatter(parts);
    }

    // ("copy", target, source, width)
    void add_copy(const nb::tuple& parts) {
        const int64_t width = nb::cast<int64_t>(parts[3]);
        const Place to = place(parts[1], width), from = place(parts[2], width);
        require(to.sizes == from.sizes, "sizes do not fit");
        CopyStep step{to.buffer, from.buffer, to.offset, from.offset, width, {}, 0};
        add_axes<2>(step.axes, to, {&to, &from});
        count_bytes(to, width);
        steps_.push_back(step);
    }

    // As a copy in a group; a fill reads one element, again and again, from a buffer behind all others.
    bool grouped(const Step& step, GroupedCopy& copy) {
        if (const auto* copied = std::get_if<CopyStep>(&step)) {
            copy = {copied->to, copied->from, copied->to_offset, copied->from_offset, copied->width, copied->axes};
        } else if (const auto* filled = std::get_if<FillStep>(&step)) {
            const auto width = static_cast<int64_t>(filled->value.size());
            copy = {filled->to, static_cast<int>(extents_.size()), filled->to_offset, 0, width, {}};
            copy.from_offset = static_cast<int64_t>(fill_values_.size());
            copy.axes.empty = filled->axes.empty;
            for (int a = 0; a < filled->axes.ndim; ++a)
                copy.axes.add(filled->axes.size[a], {filled->axes.stride[a][0], 0});
            fill_values_ += filled->value;
        } else {
            return false;
        }
        prepare(copy);
        return true;
    }

    static Box written_by(const GroupedCopy& copy) {
        Box box{copy.to_offset, {}, copy.width};
        box.axes.empty = copy.axes.empty;
        for (int a = 0; a < copy.axes.ndim; ++a) box.axes.add(copy.axes.size[a], {copy.axes.stride[a][0]});
        return box;
    }

    // Whether it does not matter which of the two comes first, or whether they run at the same time.
    static bool independent(const GroupedCopy& a, const GroupedCopy& b) {
        if (a.to == b.from || b.to == a.from) return false;
        return a.to != b.to || apart(written_by(a), written_by(b));
    }

    // Copies that follow each other and are independent become one step, where that pays.
    void group_copies() {
        std::vector<Step> steps;
        for (size_t first = 0; first < steps_.size();) {
            std::vector<GroupedCopy> group;
            size_t next = first;
            for (; next < steps_.size() && group.size() < kMostGrouped; ++next) {
                GroupedCopy copy;
                if (!grouped(steps_[next], copy)) break;
                bool joins = true;
                for (const GroupedCopy& other : group) joins = joins && independent(copy, other);
                if (!joins) break;
                group.push_back(copy);
            }
            const int count = static_cast<int>(group.size());
            Bands bands = count < 2 ? Bands{} : bands_of(group.data(), count);
            const Slices slices = count < 2 ? Slices{} : slices_of(group.data(), count);
            if (!bands.bands.empty()) {
                steps.push_back(BandStep{std::move(bands)});
                first = next;
            } else if (slices.depth >= 0) {
                steps.push_back(GroupStep{std::move(group), slices});
                first = next;
            } else {
                next = count < 2 ? first + 1 : next;
                int64_t bytes = 0;
                for (const GroupedCopy& copy : group) bytes += copy.bytes();
                for (; first < next; ++first) {
                    if (auto* copied = std::get_if<CopyStep>(&steps_[first])) copied->all_bytes = bytes;
                    steps.push_back(std::move(steps_[first]));
                }
            }
        }
        steps_ = std::move(steps);
    }

    // A copy that a scatter to it follows may write only what that leaves: see replace.hpp.
    void join_scatters() {
        std::vector<Step> steps;
        for (Step& step : steps_) {
            const auto* scattered = std::get_if<ScatterStep>(&step);
            const auto* copied = steps.empty() ? nullptr : std::get_if<CopyStep>(&steps.back());
            const int to = copied ? copied->to : -1;
            if (scattered && scattered->target == to && copied->from != to && scattered->updates != to &&
                scattered->indices != to)
                steps.back() = ReplaceStep{CopyStep(*copied), std::move(*std::get_if<ScatterStep>(&step))};
            else
                steps.push_back(std::move(step));
        }
        steps_ = std::move(steps);
    }

    // ("fill", target, value)
    void add_fill(const nb::tuple& parts) {
        const nb::bytes value = nb::borrow<nb::bytes>(parts[2]);
        const Place to = place(parts[1], static_cast<int64_t>(value.size()));
        FillStep step{to.buffer, to.offset, std::string(value.c_str(), value.size()), {}};
        add_axes<1>(step.axes, to, {&to});
        count_bytes(to, static_cast<int64_t>(value.size()));
        steps_.push_back(step);
    }

    // ("gather", target, data, indices, width, index dtype, out_of_range, negative)
    void add_gather(const nb::tuple& parts) {
        const int64_t width = nb::cast<int64_t>(parts[4]);
        GatherStep step;
        step.job.rule = rule(parts[5], nb::cast<int>(parts[6]), nb::cast<int>(parts[7]));
        const Place out = place(parts[1], width), data = place(parts[2], width);
        const Place indices = place(parts[3], index_width(step.job.rule.kind));
        Column columns[kMaxRank];
        const int count = add_columns(data, indices, out, step.job.rule, columns);
        require(count > 0, "indices have no column; that is a copy");
        step.out = out.buffer, step.data = data.buffer, step.indices = indices.buffer;
        step.out_offset = out.offset, step.data_offset = data.offset, step.indices_offset = indices.offset;
        step.job.width = width;
        step.job.axis_stride = columns[0].axis_stride;
        step.job.rule.size = columns[0].size;
        step.job.further_count = count - 1;
        for (int c = 1; c < count; ++c) step.job.further[c - 1] = columns[c];
        add_axes<3>(step.job.axes, out, {&out, &data, &indices});
        count_bytes(out, width);
        steps_.push_back(step);
    }

    // ("check", indices, index dtype, size, negative)
    void add_check(const nb::tuple& parts) {
        CheckStep step;
        step.array.rule = rule(parts[2], 0, nb::cast<int>(parts[4]));
        step.array.rule.size = nb::cast<int64_t>(parts[3]);
        require(step.array.rule.size >= 0, "a size is negative");
        const Place indices = place(parts[1], index_width(step.array.rule.kind));
        step.indices = indices.buffer;
        step.offset = indices.offset;
        step.array.start = nullptr;
        add_axes<1>(step.array.axes, indices, {&indices});
        count_bytes(indices, index_width(step.array.rule.kind));
        steps_.push_back(step);
    }

    // ("scatter", target, indices, updates, width, index dtype, reduction, out_of_range, negative, element, nan)
    void add_scatter(const nb::tuple& parts) {
        const int64_t width = nb::cast<int64_t>(parts[4]);
        ScatterStep step;
        ScatterJob& job = step.job;
        job.rule = rule(parts[5], nb::cast<int>(parts[7]), nb::cast<int>(parts[8]));
        const int reduction = nb::cast<int>(parts[6]), element = nb::cast<int>(parts[9]),
                  nan = nb::cast<int>(parts[10]);
        require(reduction >= 0 && reduction <= static_cast<int>(Reduction::max) && nan >= 0 &&
                    nan <= static_cast<int>(NanRule::data),
                "a rule is out of range");
        job.reduction = static_cast<Reduction>(reduction);
        job.nan = static_cast<NanRule>(nan);
        job.element = Element::u8;
        if (job.reduction != Reduction::none) {
            job.element = element_of(element);
            require(width_of(job.element) == width && has_arithmetic(job.reduction, job.element),
                    "the reduction has no meaning for the element type");
        }
        const Place target = place(parts[1], width), updates = place(parts[3], width);
        const Place indices = place(parts[2], index_width(job.rule.kind));
        job.width = width;
        job.column_count = add_columns(target, indices, updates, job.rule, job.column);
        step.target = target.buffer, step.updates = updates.buffer, step.indices = indices.buffer;
        step.target_offset = target.offset, step.updates_offset = updates.offset, step.indices_offset = indices.offset;
        add_axes<3>(job.axes, updates, {&target, &updates, &indices});
        count_bytes(updates, width);
        steps_.push_back(step);
    }

    // ("select", target, condition, x, y, width)
    void add_select(const nb::tuple& parts) {
        SelectStep step;
        step.width = nb::cast<int64_t>(parts[5]);
        Place places[4];
        for (int k = 0; k < 4; ++k) {
            places[k] = place(parts[static_cast<size_t>(k) + 1], k == 1 ? 1 : step.width);
            require(places[k].sizes == places[0].sizes, "sizes do not fit");
            step.buffer[k] = places[k].buffer;
            step.offset[k] = places[k].offset;
        }
        add_axes<4>(step.axes, places[0], {&places[0], &places[1], &places[2], &places[3]});
        count_bytes(places[0], step.width);
        steps_.push_back(step);
    }

    // ("convert", target, source, element of source, element of target)
    void add_convert(const nb::tuple& parts) {
        ConvertStep step;
        step.from = element_of(nb::cast<int>(parts[3]));
        step.to = element_of(nb::cast<int>(parts[4]));
        require(can_convert(step.from, step.to), "there is no such conversion");
        const Place out = place(parts[1], width_of(step.to)), data = place(parts[2], width_of(step.from));
        require(out.sizes == data.sizes, "sizes do not fit");
        step.out = out.buffer, step.data = data.buffer;
        step.out_offset = out.offset, step.data_offset = data.offset;
        add_axes<2>(step.axes, out, {&out, &data});
        count_bytes(out, width_of(step.to));
        steps_.push_back(step);
    }

    // ("add", target, source or None, element)
    void add_add(const nb::tuple& parts) {
        AddStep step;
        step.element = element_of(nb::cast<int>(parts[3]));
        const int64_t width = width_of(step.element);
        const bool zero = parts[2].is_none();
        const Place target = place(parts[1], width);
        Place source = zero ? target : place(parts[2], width);
        require(target.sizes == source.sizes, "sizes do not fit");
        if (zero) source.byte_strides.assign(source.byte_strides.size(), 0);
        step.target = target.buffer, step.source = zero ? -1 : source.buffer;
        step.target_offset = target.offset, step.source_offset = source.offset;
        add_axes<2>(step.axes, target, {&target, &source});
        count_bytes(target, width);
        steps_.push_back(step);
    }

    // ("diagonals", target, source or None, value, begin, end, inverted)
    void add_diagonals(const nb::tuple& parts) {
        const nb::bytes value = nb::borrow<nb::bytes>(parts[3]);
        DiagonalsStep step;
        step.value.assign(value.c_str(), value.size());
        DiagonalsJob& job = step.job;
        job.width = static_cast<int64_t>(value.size());
        const bool copies = !parts[2].is_none();
        const Place out = place(parts[1], job.width), data = copies ? place(parts[2], job.width) : out;
        require(out.sizes == data.sizes && out.sizes.size() >= 2, "sizes do not fit");
        step.out = out.buffer, step.data = copies ? data.buffer : -1;
        step.out_offset = out.offset, step.data_offset = data.offset;
        const size_t row = out.sizes.size() - 2;
        job.rows = out.sizes[row], job.columns = out.sizes[row + 1];
        job.begin = nb::cast<int64_t>(parts[4]), job.end = nb::cast<int64_t>(parts[5]);
        job.inverted = nb::cast<bool>(parts[6]);
        require(job.begin >= -job.rows && job.begin <= job.end && job.end <= job.columns,
                "there are no such diagonals");
        const Place* const operands[] = {&out, &data};
        for (size_t k = 0; k < 2; ++k) {
            job.row_step[k] = operands[k]->byte_strides[row];
            job.column_step[k] = operands[k]->byte_strides[row + 1];
        }
        for (size_t a = 0; a < row; ++a) job.batch.add(out.sizes[a], {out.byte_strides[a], data.byte_strides[a]});
        count_bytes(out, job.width);
        steps_.push_back(step);
    }

    // ("sequence", target, start, delta, element)
    void add_range(const nb::tuple& parts) {
        RangeStep step;
        step.job = range_of(nb::cast<int>(parts[4]), nb::borrow<nb::bytes>(parts[2]), nb::borrow<nb::bytes>(parts[3]));
        const Place out = place(parts[1], step.job.width);
        require(out.sizes.size() == 1, "a range is a vector");
        step.out = out.buffer;
        step.out_offset = out.offset;
        step.job.count = out.sizes[0];
        step.job.out_step = out.byte_strides[0];
        count_bytes(out, step.job.width);
        steps_.push_back(step);
    }

    std::vector<Shape> inputs_, outputs_;
    std::vector<int64_t> temporaries_;  // offsets in the arena
    std::vector<nb::object> constants_;
    std::vector<int64_t> extents_;  // bytes of each buffer: inputs, outputs, temporaries, constants
    std::vector<Step> steps_;
    std::string fill_values_;  // that grouped fills read
    int64_t arena_bytes_ = 0;
    int64_t bytes_moved_ = 0;
};

}  // namespace

void add_program(nb::module_& m) {
    nb::class_<Program>(m, "Program", "The moves of a plan, checked once; see Plan in wherry/plan.py.")
        .def(nb::init<nb::list, nb::list, nb::list, nb::list, nb::list>(), nb::arg("inputs"), nb::arg("outputs"),
             nb::arg("temporaries"), nb::arg("constants"), nb::arg("steps"))
        .def("run", &Program::run, nb::arg("arrays").none(), nb::arg("outputs") = nb::none(),
             "Outputs by name, new ones or those given; None if the arrays are not as planned or a move refuses.");
}

}  // namespace wherry::bind
