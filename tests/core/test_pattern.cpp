// Copies by patterns: short rows in any order, backwards, with steps or repeated, in memory of exactly the bytes that
// they reach over.
#include "../../core/parallel.hpp"
#include "../../core/steps/pattern.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

long cases = 0, patterns = 0;  // others are better moved without

// An axis: its size, and bytes of src from one position to the next.
struct Along {
    int64_t size, step;
};

// Runs of `run` bytes along axes, the finest last, to `shift` bytes behind the beginning of dst, which is dense but for
// `gap` bytes behind what the first `whole` axes step over.
void follow(const std::vector<Along>& along, int64_t run, size_t whole, int64_t gap, int64_t shift, bool stream) {
    Axes<2> axes;
    int64_t strides[kMaxRank], dst_bytes = run, low = 0, high = run;
    for (size_t a = along.size(); a-- > 0;) {
        strides[a] = dst_bytes;
        dst_bytes = dst_bytes * along[a].size + (a == whole ? gap : 0);
        (along[a].step < 0 ? low : high) += along[a].step * (along[a].size - 1);
    }
    for (size_t a = 0; a < along.size(); ++a) axes.add(along[a].size, {strides[a], along[a].step});
    ++cases;
    Pattern pattern;
    if (axes.ndim == 0 || !pattern.prepare(axes, run, stream, between(0, 1) == 1)) return;
    ++patterns;
    static const Fenced fenced(1 << 22);
    Vector<char> dst(static_cast<size_t>(dst_bytes + shift), '\x55');
    char* const src = fenced.bytes(static_cast<size_t>(high - low), between(0, 1) == 1);
    fill_randomly(src, high - low);
    const char* from = src - low;
    Vector<char> expected = dst;
    Outer<2> at(axes, 0);
    for (int64_t k = axes.count(); k > 0; --k, at.next())
        copy_bytes(expected.data() + shift + at.offset[0], from + at.offset[1], run);
    pattern.move(dst.data() + shift, from, INT64_MAX);
    called();
    CHECK(dst == expected, "short rows");
}

void follow_somehow(int64_t most) {
    const auto ndim = static_cast<size_t>(between(2, 5));
    const int64_t run = one_of<int64_t>({1, 2, 3, 4, 6, 8, 12, 16, 24, 40});
    std::vector<Along> along(ndim);
    std::vector<size_t> order(ndim);
    std::iota(order.begin(), order.end(), size_t{0});
    // The first axis, along which patterns follow each other, mostly keeps its place, and is the longest.
    for (size_t a = ndim; a > 2; --a)
        std::swap(order[a - 1],
                  order[static_cast<size_t>(between(between(0, 3) == 0 ? 0 : 1, static_cast<int64_t>(a) - 1))]);
    int64_t left = std::max<int64_t>(most / run, 2), bytes = run;
    for (size_t a = ndim; a-- > 1;) along[a].size = between(1, std::min<int64_t>(left, 20)), left /= along[a].size;
    along[0].size = std::max<int64_t>(left, 1);
    for (size_t k = ndim; k-- > 0;) {
        Along& each = along[order[k]];
        const int64_t apart = between(0, 3) == 0 ? between(1, 3) : 1;
        each.step = between(0, 5) == 0 ? 0 : (between(0, 4) == 0 ? -1 : 1) * apart * bytes;
        if (each.step != 0) bytes *= each.size * apart;
    }
    const bool has_gap = between(0, 2) == 0;
    follow(along, run, static_cast<size_t>(between(0, static_cast<int64_t>(ndim) - 1)),
           has_gap ? between(1, 3) * run : 0, one_of<int64_t>({0, 1, 16, run}), between(0, 1) == 1);
}

const Fuzzed fuzzed_pattern("short rows in another order", [] { follow_somehow(size_to(20'000)); });

}  // namespace

void test_pattern(int rounds) {
    const int tried = std::max(2 * rounds, 200);
    for (int k = 0; k < tried; ++k) follow_somehow(60'000);
    const PatternKernels* kernels = block_kernels().patterns(1);
    CHECK(!kernels || patterns > cases / 10, "many short rows have patterns");
    CHECK(kernels || patterns == 0, "there are none without instructions for them");
    // Every number of windows, and of periods behind the last whole group.
    for (int64_t width : {1, 2, 4, 8})
        for (bool stream : {false, true})
            for (int64_t rows = 2; rows <= 24; ++rows) {
                const int64_t count = stream ? 4001 / rows : 1000 / rows + 1;
                follow({{count, 24 * width}, {rows, width}, {24 / rows, rows * width}}, width, 0, 0, 3, stream);
                follow({{count, rows * width}, {rows, -width}}, width, 0, 0, 0, stream);
                follow({{count, 3 * rows * width}, {rows, 3 * width}}, width, 0, 0, 1, stream);
                follow({{count, width}, {rows, 0}}, width, 0, 0, 0, stream);
                follow({{2, 0}, {count, width}, {rows, 0}}, width, 0, 2 * width, 16, stream);
            }
    // Runs of any length backwards: whole ones do not fill a vector.
    for (int64_t run = 3; run <= 32; ++run)
        for (bool stream : {false, true})
            for (int64_t count : {1000 / run, 40'000 / run})
                follow({{3, (count + 1) * run}, {count, -run}}, run, between(0, 1) == 1 ? 0 : 2, run, 3, stream);
}
