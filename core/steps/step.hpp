// What the steps of a program have in common: `prepare` decides how to move, once, and `run` moves. Most steps are
// moves that a program is given: their `check` reads what is moved, and makes sure that it stays within its buffers.
// The others stand for several moves at once, see fuse.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../kernels/element.hpp"
#include "../kernels/index.hpp"
#include "../layout/collapse.hpp"

namespace wherry {

// A tensor that a step is told of: the byte of its first element in a buffer, sizes, and strides in bytes.
struct Tensor {
    int buffer;
    int64_t offset;
    int ndim;
    const int64_t* sizes;
    const int64_t* strides;

    bool empty() const {
        for (int a = 0; a < ndim; ++a)
            if (sizes[a] == 0) return true;
        return false;
    }
    // From one position of an axis to the next. Where there is none, a stride may be any number, also near 2^63.
    int64_t step(int axis) const { return sizes[axis] > 1 && !empty() ? strides[axis] : 0; }
};

// Where an operand begins: a buffer by number, and a byte of it.
struct Spot {
    int buffer;
    int64_t offset;

    char* in(char* const* base) const { return base[buffer] + offset; }
};

inline Spot spot_of(const Tensor& tensor) { return {tensor.buffer, tensor.offset}; }

// The description of a move: tensors and settings by their places. An implementation checks that all elements of a
// tensor, each of `width` bytes, lie in its buffer, and throws where a place holds something else.
class Fields {
public:
    virtual ~Fields() = default;
    virtual bool has(int place) const = 0;
    virtual Tensor tensor(int place, int64_t width) = 0;  // that is read
    virtual Tensor target(int place, int64_t width) = 0;  // that is written
    virtual int64_t integer(int place) = 0;
    virtual std::string bytes(int place) = 0;
    virtual IndexType index_type(int place) = 0;

    int integer(int place, int first, int last, const char* text);
};

class Step {
public:
    virtual ~Step() = default;
    virtual void prepare() = 0;
    // base: where each buffer begins. False if an index is out of range and its rule is `raise`.
    virtual bool run(char* const* base) const = 0;
    // Whether it reads only, so that all outputs are as before when it refuses.
    virtual bool only_reads() const { return false; }

    int64_t bytes = 0;  // that it moves: they decide whether other threads of Python may run meanwhile
};

class Move : public Step {
public:
    virtual void check(Fields& fields) = 0;
};

inline void require(bool fine, const char* text) {
    if (!fine) throw std::invalid_argument(text);
}

inline int Fields::integer(int place, int first, int last, const char* text) {
    const int64_t value = integer(place);
    require(value >= first && value <= last, text);
    return static_cast<int>(value);
}

inline Element element_in(Fields& fields, int place) {
    return static_cast<Element>(fields.integer(place, 0, kElements - 1, "element must be 0..14"));
}

inline Element integers_in(Fields& fields, int place) {
    return static_cast<Element>(
        fields.integer(place, 0, static_cast<int>(Element::u64), "element must be one of the integers"));
}

// A sum of bytes, or as many as can be counted.
inline int64_t sum_of_bytes(int64_t a, int64_t b) { return a > INT64_MAX - b ? INT64_MAX : a + b; }

// Bytes of all elements, or as many as can be counted.
int64_t bytes_of(const Tensor& tensor, int64_t width);

// The axes of tensors of equal sizes.
template <int N>
void share_axes(Axes<N>& axes, const Tensor* const (&tensors)[N]) {
    for (const Tensor* tensor : tensors) require(tensor->ndim == tensors[0]->ndim, "the tensors differ in rank");
    for (int a = 0; a < tensors[0]->ndim; ++a) {
        int64_t strides[N];
        for (int k = 0; k < N; ++k) {
            require(tensors[k]->sizes[a] == tensors[0]->sizes[a], "the tensors differ in sizes");
            strides[k] = tensors[k]->strides[a];
        }
        axes.add(tensors[0]->sizes[a], strides);
    }
}

// The move that has this name in a program. Throws if there is none.
std::unique_ptr<Move> make_move(std::string_view name);

}  // namespace wherry
