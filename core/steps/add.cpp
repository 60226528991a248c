// Add: collapse, cut rows into tasks, one plain loop for each type and kind of row.
#include "add.hpp"

#include <cstring>

#include "reduce.hpp"
#include "rows.hpp"

namespace wherry {
namespace {

template <class T>
[[gnu::always_inline]] inline void add_one(char* target, const char* source) {
    T sum, more;
    std::memcpy(&sum, target, sizeof(T));
    std::memcpy(&more, source, sizeof(T));
    sum = Combine<Reduction::add, T>::of(sum, more);
    std::memcpy(target, &sum, sizeof(T));
}

// Steps that are known let the compiler use vectors.
template <class T>
void add_row(char* __restrict target, int64_t target_step, const char* __restrict source, int64_t source_step,
             int64_t count) {
    constexpr int64_t width = sizeof(T);
    if (target_step == width && source_step == width)
        for (int64_t i = 0; i < count; ++i) add_one<T>(target + i * width, source + i * width);
    else if (target_step == width && source_step == 0)
        for (int64_t i = 0; i < count; ++i) add_one<T>(target + i * width, source);
    else
        for (int64_t i = 0; i < count; ++i) add_one<T>(target + i * target_step, source + i * source_step);
}

alignas(16) constexpr char kZero[16] = {};

using AddRow = void (*)(char*, int64_t, const char*, int64_t, int64_t);

}  // namespace

void add(AddJob& job) {
    Axes<2>& axes = job.axes;
    if (axes.empty) return;
    collapse(axes);
    const int64_t width = width_of(job.element), total_bytes = axes.count() * width;
    int64_t count = 1, target_step = width, source_step = 0;
    if (axes.ndim > 0) {
        const int fine = axes.ndim - 1;
        count = axes.size[fine];
        target_step = axes.stride[fine][0];
        source_step = axes.stride[fine][1];
        axes.remove(fine);
    }
    const AddRow row = for_element(job.element, []<class T>(TypeOf<T>) -> AddRow { return add_row<T>; });
    char* const target = job.target + axes.offset[0];
    const char* const source = job.source ? job.source + axes.offset[1] : kZero;
    for_row_pieces(axes, count, tune::kTaskBytes / width, total_bytes, false,
                   [&](const int64_t* at, int64_t first, int64_t size) {
                       row(target + at[0] + first * target_step, target_step, source + at[1] + first * source_step,
                           source_step, size);
                   });
}

}  // namespace wherry
