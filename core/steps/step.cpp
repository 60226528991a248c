// The moves that there are.
#include "step.hpp"

namespace wherry {

// A new move has a line here: the name that programs call it by. Its file defines make_NAME.
#define WHERRY_MOVES(MOVE) \
    MOVE(accumulate)       \
    MOVE(add)              \
    MOVE(calculate)        \
    MOVE(check)            \
    MOVE(convert)          \
    MOVE(copy)             \
    MOVE(diagonals)        \
    MOVE(divide)           \
    MOVE(divisible)        \
    MOVE(fill)             \
    MOVE(gather)           \
    MOVE(place)            \
    MOVE(range)            \
    MOVE(reduce)           \
    MOVE(ring)             \
    MOVE(round)            \
    MOVE(scatter)          \
    MOVE(select)           \
    MOVE(trace)            \
    MOVE(traceable)        \
    MOVE(translate)

#define WHERRY_DECLARE(NAME) std::unique_ptr<Move> make_##NAME();
WHERRY_MOVES(WHERRY_DECLARE)

namespace {

struct Named {
    std::string_view name;
    std::unique_ptr<Move> (*make)();
};

#define WHERRY_ROW(NAME) {#NAME, make_##NAME},
constexpr Named kMoves[] = {WHERRY_MOVES(WHERRY_ROW)};

}  // namespace

std::unique_ptr<Move> make_move(std::string_view name) {
    for (const Named& move : kMoves)
        if (move.name == name) return move.make();
    throw std::invalid_argument("there is no such step");
}

int64_t bytes_of(const Tensor& tensor, int64_t width) {
    int64_t bytes = width;
    for (int a = 0; a < tensor.ndim; ++a)
        if (__builtin_mul_overflow(bytes, tensor.sizes[a], &bytes)) return INT64_MAX;
    return bytes;
}

}  // namespace wherry
