// The beams of a search, walked back from their last step to the first: what GatherTree means. `traceable` looks
// whether all parents that the walks meet are beams, and `trace` writes what they pass.
#include <cstring>
#include <type_traits>

#include "../layout/numbers.hpp"
#include "reduce.hpp"
#include "step.hpp"

namespace wherry {
namespace {

// Whether a number that is not negative is less than a size, without rounding of either.
template <class Number>
bool is_less(Number number, int64_t size) {
    if constexpr (std::is_integral_v<Number>)
        return static_cast<uint64_t>(number) < static_cast<uint64_t>(size);
    else
        return static_cast<double>(number) < static_cast<double>(size);
}

// Three axes: steps, batch, beams. Operands: step ids, parents, and, for `trace`, the result.
struct Trace {
    int64_t steps, batch, beams;
    int64_t stride[3][3];
    int64_t length_stride;
};

struct Memory {
    const char *ids, *parents, *lengths, *end;
    char* out;
};

inline int64_t at(const int64_t (&stride)[3], int64_t step, int64_t batch, int64_t beam) {
    return step * stride[0] + batch * stride[1] + beam * stride[2];
}

// The steps that a batch has, 0..trace.steps, without a fraction; -1 for NaN.
template <class T>
int64_t length_of(const Trace& trace, const Memory& memory, int64_t batch) {
    const T given = load<T>(memory.lengths + batch * trace.length_stride);
    const auto length = comparable(given);
    if (length != length) return -1;
    if (!(length > 0)) return 0;
    return is_less(length, trace.steps) ? static_cast<int64_t>(length) : trace.steps;
}

// The beam that a parent names; -1 if there is none.
template <class T>
int64_t beam_of(const Trace& trace, T parent) {
    const auto number = comparable(parent);
    const bool is_below = std::is_integral_v<std::remove_const_t<decltype(number)>> ? number < 0 : !(number > -1);
    return is_below || !is_less(number, trace.beams) ? -1 : static_cast<int64_t>(number);
}

// One walk, from the last of `length` steps back; false if it meets no beam.
template <class T, bool writes>
bool walk(const Trace& trace, const Memory& memory, int64_t batch, int64_t beam, int64_t length) {
    for (int64_t step = length - 1, from = beam; step >= 0; --step) {
        if (step < length - 1)
            from = beam_of(trace, load<T>(memory.parents + at(trace.stride[1], step + 1, batch, from)));
        if (from < 0) return false;
        if constexpr (writes)
            std::memcpy(memory.out + at(trace.stride[2], step, batch, beam),
                        memory.ids + at(trace.stride[0], step, batch, from), sizeof(T));
    }
    return true;
}

// Everything from the length on, and behind the first end token, is that.
template <class T>
void end_walk(const Trace& trace, const Memory& memory, int64_t batch, int64_t beam, int64_t length) {
    const auto end = comparable(load<T>(memory.end));
    bool has_ended = false;
    for (int64_t step = 0; step < trace.steps; ++step) {
        char* const to = memory.out + at(trace.stride[2], step, batch, beam);
        if (has_ended || step >= length) std::memcpy(to, memory.end, sizeof(T));
        has_ended |= comparable(load<T>(to)) == end;
    }
}

template <class T, bool writes>
bool trace_all(const Trace& trace, const Memory& memory) {
    for (int64_t batch = 0; batch < trace.batch; ++batch) {
        const int64_t length = length_of<T>(trace, memory, batch);
        if (length < 0) return false;
        for (int64_t beam = 0; beam < trace.beams; ++beam) {
            if (!walk<T, writes>(trace, memory, batch, beam, length)) return false;
            if constexpr (writes) end_walk<T>(trace, memory, batch, beam, length);
        }
    }
    return true;
}

template <bool writes>
struct TraceStep final : Move {
    Spot ids, parents, lengths, end, out;
    Element element;
    Trace trace;

    // ("traceable", step ids, parents, lengths, end token, element), ("trace", the same, target)
    void check(Fields& fields) override {
        element = element_in(fields, 5);
        require(element <= Element::f64, "elements must be integers or floats");
        const int64_t width = width_of(element);
        const Tensor lengths_of = fields.tensor(3, width), token = fields.tensor(4, width),
                     walked[] = {fields.tensor(1, width), fields.tensor(2, width),
                                 writes ? fields.target(6, width) : fields.tensor(2, width)};
        require(walked[0].ndim == 3 && lengths_of.ndim == 1 && token.ndim == 0, "a tensor has another rank");
        trace.steps = walked[0].sizes[0], trace.batch = walked[0].sizes[1], trace.beams = walked[0].sizes[2];
        for (int k = 0; k < 3; ++k) {
            require(walked[k].ndim == 3, "a tensor has another rank");
            for (int a = 0; a < 3; ++a) {
                require(walked[k].sizes[a] == walked[0].sizes[a], "the tensors differ in sizes");
                trace.stride[k][a] = walked[k].step(a);
            }
        }
        require(lengths_of.sizes[0] == trace.batch, "the tensors differ in sizes");
        trace.length_stride = lengths_of.step(0);
        ids = spot_of(walked[0]), parents = spot_of(walked[1]), out = spot_of(walked[2]);
        lengths = spot_of(lengths_of), end = spot_of(token);
        bytes = bytes_of(walked[0], width);
    }

    void prepare() override {
        run_ = for_element(element, []<class T>(TypeOf<T>) -> Run {
            if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T> || is_half<T>)
                return trace_all<T, writes>;
            else
                return nullptr;
        });
    }

    bool run(char* const* base) const override {
        return run_(trace, {ids.in(base), parents.in(base), lengths.in(base), end.in(base), out.in(base)});
    }

    bool only_reads() const override { return !writes; }

private:
    using Run = bool (*)(const Trace&, const Memory&);
    Run run_;
};

}  // namespace

std::unique_ptr<Move> make_traceable() { return std::make_unique_for_overwrite<TraceStep<false>>(); }
std::unique_ptr<Move> make_trace() { return std::make_unique_for_overwrite<TraceStep<true>>(); }

}  // namespace wherry
