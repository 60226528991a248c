// Tiles of permutations: any ranks, sizes and widths, in memory of exactly the bytes that they reach over.
#include "../../core/steps/tiling.hpp"
#include "../../core/tune/machine.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

long tiled = 0;  // cases that were tiled; others are better moved without tiles

// The axes of packed memory in another order: `order[a]` is the axis of src that axis a of dst is. `gap` bytes follow
// each innermost row of dst, `shift` bytes come before both.
void permute(const std::vector<int64_t>& sizes, const std::vector<int>& order, int64_t width, int64_t gap,
             int64_t shift, bool stream) {
    const int ndim = static_cast<int>(sizes.size());
    std::vector<int64_t> src_strides(sizes.size());
    int64_t bytes = width;
    for (int a = ndim - 1; a >= 0; --a)
        src_strides[static_cast<size_t>(a)] = bytes, bytes *= sizes[static_cast<size_t>(a)];
    int64_t dst_bytes = width, strides[kMaxRank][2];
    for (int a = ndim - 1; a >= 0; --a) {
        const auto from = static_cast<size_t>(order[static_cast<size_t>(a)]);
        strides[a][0] = dst_bytes, strides[a][1] = src_strides[from];
        dst_bytes = dst_bytes * sizes[from] + (a == ndim - 1 ? gap : 0);
    }
    Axes<2> axes;
    for (int a = 0; a < ndim; ++a)
        axes.add(sizes[static_cast<size_t>(order[static_cast<size_t>(a)])], {strides[a][0], strides[a][1]});
    collapse(axes);
    const int64_t run = take_run(axes, width);
    Tiling tiling;
    if (!tiling.prepare(axes, run, stream)) return;
    Vector<char> src(static_cast<size_t>(bytes + shift)), dst(static_cast<size_t>(dst_bytes + shift), '\x55');
    fill_randomly(src.data(), static_cast<int64_t>(src.size()));
    Vector<char> expected = dst;
    Outer<2> at(axes, 0);
    for (int64_t k = axes.count(); k > 0; --k, at.next())
        copy_bytes(expected.data() + shift + at.offset[0], src.data() + shift + at.offset[1], run);
    ++tiled;
    tiling.move(dst.data() + shift, src.data() + shift);
    called();
    CHECK(dst == expected, "axes change places");
}

void permute_somehow(int64_t most) {
    const auto ndim = static_cast<size_t>(between(2, 6));
    std::vector<int64_t> sizes(ndim);
    int64_t left = most;
    for (int64_t& size : sizes) size = between(1, std::min<int64_t>(left, 70)), left /= size;
    std::vector<int> order(ndim);
    std::iota(order.begin(), order.end(), 0);
    for (size_t a = ndim; a > 1; --a)
        std::swap(order[a - 1], order[static_cast<size_t>(between(0, static_cast<int64_t>(a) - 1))]);
    const int64_t width = one_of<int64_t>({1, 2, 3, 4, 8, 12, 16, 40});
    permute(sizes, order, width, between(0, 2) == 0 ? between(0, 3) * width : 0, one_of<int64_t>({0, 1, 16, width}),
            between(0, 1) == 1);
}

const Fuzzed fuzzed_tiling("axes in another order", [] { permute_somehow(size_to(5000)); });

void reads_settings() {
    const Machine plain = read_machine(""), set = read_machine("last=3M,cores=2,far=7");
    CHECK(plain.first >= 4096 && plain.second >= plain.first && plain.last >= plain.second && plain.cores >= 1,
          "there are caches and cores");
    CHECK(set.last == 3 << 20 && set.cores == 2 && set.far == 7, "numbers with and without units");
    CHECK(set.stream == set.last && set.stream_far == set.last / 2, "what follows from a cache follows");
    for (const char* wrong :
         {"last", "last=", "last=0", "last=-1", "last=1T", "lost=1", "=1", ",", "last=99999999999G"}) {
        bool refused = false;
        try {
            read_machine(wrong);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused, wrong);
    }
}

}  // namespace

void test_tiling(int rounds) {
    reads_settings();
    const int cases = std::max(2 * rounds, 100);  // of a few it may be that none has
    for (int k = 0; k < cases; ++k) permute_somehow(30'000);
    CHECK(tiled > cases / 10, "many permutations have tiles");
    // Several pieces along both walks.
    for (int64_t width : {1, 2, 4, 8, 16})
        for (bool stream : {false, true}) {
            permute({5, 701, 3, 699}, {3, 2, 1, 0}, width, 0, 16, stream);
            permute({27, 33, 4, 31}, {3, 1, 2, 0}, width, 0, width, stream);
            permute({3, 192 / width, 300}, {0, 2, 1}, width, 0, 16, stream);  // rows that follow each other
            permute({3, 640 / width, 300}, {0, 2, 1}, width, 0, 16, stream);
            permute({3, 101, 300}, {0, 2, 1}, width, 0, width, stream);
            permute({3, 640 / width, 5, 70}, {3, 0, 2, 1}, width, 0, 16, stream);
            permute({40, 3, 5, 40, 8}, {1, 3, 2, 0, 4}, width, 0, 16, stream);  // runs
            permute({40, 3, 5, 41, 24 / width}, {1, 3, 2, 0, 4}, width, 0, 16, stream);
            permute({96, 20, 30, 32}, {3, 1, 2, 0}, width, 0, 16, stream);
            permute({3, 7001, 40 / width}, {0, 2, 1}, width, 0, 16, stream);  // fewer rows than a square has
            permute({5003, 60 / width}, {1, 0}, width, 0, width, stream);
            permute({300, 4096 / width}, {1, 0}, width, 0, 16, stream);  // columns in one set of the first cache
            permute({3, 90, 7, 40, 64 / width}, {3, 0, 2, 1, 4}, width, 0, 16, stream);
        }
    // Runs that are placed one by one: several pieces, rows that meet within a line, a gap behind each row.
    for (int64_t run : {3, 6, 12, 24, 32, 40, 48, 64, 130})
        for (int64_t gap : {int64_t{0}, run}) {
            permute({290, 310}, {1, 0}, run, gap, 0, true);
            permute({37, 5, 53}, {2, 0, 1}, run, gap, 1, true);
            permute({3, 61, 70}, {0, 2, 1}, run, gap, 16, true);
        }
}
