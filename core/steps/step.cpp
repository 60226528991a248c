// The moves that there are. A new one has a line here.
#include "step.hpp"

namespace wherry {

using Make = std::unique_ptr<Move>();
Make make_add, make_check, make_convert, make_copy, make_diagonals, make_fill, make_gather, make_range, make_scatter,
    make_select;

namespace {

struct Named {
    std::string_view name;
    Make* make;
};

constexpr Named kMoves[] = {
    {"add", make_add},       {"check", make_check},         {"convert", make_convert},
    {"copy", make_copy},     {"diagonals", make_diagonals}, {"fill", make_fill},
    {"gather", make_gather}, {"range", make_range},         {"scatter", make_scatter},
    {"select", make_select},
};

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
