// Whether any index is outside its axis, of every type and rule: one bad value anywhere among good ones.
#include <algorithm>
#include <limits>

#include "../../core/kernels/dispatch.hpp"
#include "support.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// Values of a type around both ends of the axis and of the type itself, that are on the axis or not.
template <class T>
std::vector<T> values(const IndexRule& rule, bool on_axis) {
    const Wide size = rule.size, low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    const Wide first = rule.negative == Negative::from_end ? -size : 0;
    std::vector<T> found;
    for (const Wide value : {low, low + 1, first - 1, first, first + 1, Wide{-1}, Wide{0}, size / 2, size - 1, size,
                             size + 1, high - 1, high}) {
        const bool is_on_axis = first <= value && value < size;
        if (low <= value && value <= high && is_on_axis == on_axis) found.push_back(static_cast<T>(value));
    }
    return found;
}

template <class T>
void test_type(IndexType type) {
    const int64_t width = sizeof(T), count = between(0, 4 * 64 + 40), stride = width * (between(0, 2) > 0 ? 1 : 3);
    const IndexRule rule{one_of<int64_t>({1, 2, 100, 127, 128, 129, 255, 256, 40000, int64_t{1} << 33}),
                         OutOfRange::raise, between(0, 1) ? Negative::from_end : Negative::invalid, type};
    const std::vector<T> good = values<T>(rule, true), bad = values<T>(rule, false);
    std::vector<char> memory(static_cast<size_t>(count * stride + 1));
    char* const first = memory.data() + 1;
    const auto put = [&](int64_t i, const std::vector<T>& from) {
        const T value = from[static_cast<size_t>(between(0, static_cast<int64_t>(from.size()) - 1))];
        memcpy(first + i * stride, &value, sizeof(T));
    };
    for (int64_t i = 0; i < count; ++i) put(i, good);
    const OutsideKernel any_outside = block_kernels().any_outside(type);
    CHECK(!any_outside(rule, first, stride, count), "all are on the axis");
    if (count == 0 || bad.empty()) return;
    put(between(0, count - 1), bad);
    CHECK(any_outside(rule, first, stride, count), "one is outside");
}

}  // namespace

void test_outside(int rounds) {
    for (int i = 0; i < 8 * rounds; ++i) {
        const auto type = static_cast<IndexType>(i % 8);
        for_index(type, [type]<class T>(T) { test_type<T>(type); });
    }
}
