// The kernels against naive loops: random shapes, strides, widths, index types and rules.
// Every buffer is on the heap and exactly as long as the view in it, so that a sanitizer sees each byte too far.
#include "../../core/parallel.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

void test_copy() {
    const auto sizes = random_sizes(static_cast<int>(between(0, 5)), 20000);
    const int64_t width = random_width();
    const View src = make_view(sizes, width, kSometimes), dst = make_view(sizes, width, kNever);
    const auto before = gaps(dst);
    Axes<2> axes;
    for (size_t a = 0; a < sizes.size(); ++a) axes.add(sizes[a], {dst.strides[a], src.strides[a]});
    copy(dst.memory.get() + dst.start, src.memory.get() + src.start, axes, width);
    CHECK(elements(dst) == elements(src), "copy");
    CHECK(gaps(dst) == before, "copy leaves the gaps alone");
}

void test_fill() {
    const auto sizes = random_sizes(static_cast<int>(between(0, 4)), 20000);
    const int64_t width = random_width();
    const View value = make_view({}, width, kNever), dst = make_view(sizes, width, kNever);
    const auto before = gaps(dst);
    Axes<1> axes;
    for (size_t a = 0; a < sizes.size(); ++a) axes.add(sizes[a], {dst.strides[a]});
    fill(dst.memory.get() + dst.start, axes, value.memory.get(), width);
    bool equal = true;
    for_positions(sizes, [&](const auto& p) { equal &= equal_bytes(dst.at(p), value.memory.get(), width); });
    CHECK(equal, "fill");
    CHECK(gaps(dst) == before, "fill leaves the gaps alone");
}

// Streamed blocks, which whole moves use only for large outputs: here they are small and unaligned.
void test_streamed_block() {
    const int64_t width = random_width(), rows = size_to(80), columns = size_to(80);
    const bool turned = between(0, 2) > 0;
    const View src = turned ? make_view({columns, rows}, width, kNever) : make_view({rows, columns}, width, kNever);
    const View dst = make_view({rows, columns}, width, kNever);
    const auto before = gaps(dst);
    CopyBlock block{};
    block.dst = dst.memory.get() + dst.start;
    block.src = src.memory.get() + src.start;
    block.rows = rows;
    block.columns = columns;
    block.dst_row = dst.strides[0];
    block.dst_column = dst.strides[1];
    block.src_row = src.strides[turned ? 1 : 0];
    block.src_column = src.strides[turned ? 0 : 1];
    block.bytes = width;
    block.stream = true;
    block_kernels().copy(width)(block);
    called();
    bool equal = true;
    for_positions({rows, columns}, [&](const auto& p) {
        const Sizes from = turned ? Sizes{p[1], p[0]} : p;
        equal &= equal_bytes(dst.at(p), src.at(from), width);
    });
    CHECK(equal, "streamed block");
    CHECK(gaps(dst) == before, "a streamed block leaves the gaps alone");

    // Runs of one table, gathered into rows that may have gaps. Some are whole lines.
    const bool are_lines = between(0, 3) == 0;
    const int64_t run = are_lines ? 64 * size_to(9) : size_to(600), count = size_to(40), table = size_to(20);
    const View data = make_view({table * run}, 1, kNever);
    const View out = make_view({count, run}, 1, kNever);
    if (data.strides[0] != 1 || out.strides[1] != 1) return;
    Vector<int64_t> offsets(static_cast<size_t>(count));
    for (auto& o : offsets) o = between(0, table - 1) * run;
    GatherBlock gathered{};
    gathered.out = out.memory.get() + out.start;
    gathered.data = data.memory.get();
    gathered.offsets = offsets.data();
    gathered.count = count;
    gathered.out_step = out.strides[0];
    gathered.passes = 1;
    gathered.bytes = run;
    gathered.stream = true;
    gathered.scattered = between(0, 1) == 1;
    gathered.into_first = between(0, 1) == 1;
    gathered.fetched = between(1, run);
    gathered.streamed_ahead = between(0, 4) * run;
    gathered.any_bad = between(0, 1) == 1;
    if (gathered.any_bad)
        for (auto& o : offsets)
            if (between(0, 3) == 0) o = kBadOffset;
    const auto around = gaps(out);
    block_kernels().gather(run)(gathered);
    called();
    equal = true;
    const Vector<char> zeros(static_cast<size_t>(run));
    for (int64_t i = 0; i < count; ++i) {
        const int64_t at = offsets[static_cast<size_t>(i)];
        equal &= equal_bytes(out.at({i, 0}), at == kBadOffset ? zeros.data() : data.memory.get() + at, run);
    }
    CHECK(equal, "streamed runs");
    CHECK(gaps(out) == around, "streamed runs leave the gaps alone");
}

// A view whose last axis is dense.
View make_runs(const Sizes& sizes) {
    View made = make_view(sizes, 1, kNever);
    while (made.strides[sizes.size() - 1] != 1) made = make_view(sizes, 1, kNever);
    return made;
}

// Runs of every length, by rows and columns with gaps between them, copied and gathered: no kernel of a length is left
// out, whichever there are.
void test_every_length() {
    constexpr int64_t rows = 2, columns = 3, longest = 600;
    for (int64_t run = 1; run <= longest; ++run) {
        const View src = make_runs({rows, columns, run}), dst = make_runs({rows, columns, run});
        const auto before = gaps(dst);
        CopyBlock block{};
        block.dst = dst.memory.get() + dst.start;
        block.src = src.memory.get() + src.start;
        block.rows = rows, block.columns = columns;
        block.dst_row = dst.strides[0], block.dst_column = dst.strides[1];
        block.src_row = src.strides[0], block.src_column = src.strides[1];
        block.bytes = run;
        block_kernels().copy(run)(block);
        called();
        CHECK(elements(dst) == elements(src), "a run of this length is copied");

        const int64_t offsets[] = {2 * src.strides[1], 0, src.strides[1]};
        GatherBlock gathered{};
        gathered.out = block.dst, gathered.data = block.src;
        gathered.offsets = offsets;
        gathered.count = columns, gathered.passes = rows;
        gathered.out_step = dst.strides[1], gathered.out_pass = dst.strides[0], gathered.data_pass = src.strides[0];
        gathered.bytes = run;
        block_kernels().gather(run)(gathered);
        called();
        bool equal = true;
        for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < columns; ++c)
                equal &= equal_bytes(dst.at({r, c, 0}), src.at({r, (c + 2) % columns, 0}), run);
        CHECK(equal, "a run of this length is gathered");
        CHECK(gaps(dst) == before, "runs leave the gaps alone");
    }
}

// Dense rows of every length from elements a few apart, and backwards.
void test_every_step() {
    for (const int64_t width : {1, 2, 4, 8, 16})
        for (const int64_t step : {-1, 2, 3, 4})
            for (int64_t count = 1; count <= 140; ++count) {
                const int64_t apart = step < 0 ? 1 : step, reach = (count - 1) * apart + 1;
                const View src = make_runs({2, reach * width}), dst = make_runs({2, count * width});
                const auto before = gaps(dst);
                CopyBlock block{};
                block.dst = dst.memory.get() + dst.start;
                block.src = src.at({0, step < 0 ? (count - 1) * width : 0});
                block.rows = 2, block.columns = count;
                block.dst_row = dst.strides[0], block.dst_column = width;
                block.src_row = src.strides[0], block.src_column = step * width;
                block.bytes = width;
                block_kernels().copy(width)(block);
                called();
                bool equal = true;
                for (int64_t r = 0; r < 2; ++r)
                    for (int64_t i = 0; i < count; ++i)
                        equal &= equal_bytes(dst.at({r, i * width}),
                                             src.at({r, (step < 0 ? count - 1 - i : i * step) * width}), width);
                CHECK(equal, "a row of this length from elements apart");
                CHECK(gaps(dst) == before, "rows leave the gaps alone");
            }
}

// Runs of several pages, streamed, parts of which are fetched ahead: copied, gathered, and read in steps and backwards.
void test_long_runs() {
    const int64_t rows = between(1, 5), run = between(1, 25 * 1024), gap = between(0, 1) ? 0 : between(1, 200);
    const View src = make_view({rows, run}, 1, kNever), dst = make_view({rows, run + gap}, 1, kNever);
    if (src.strides[1] != 1 || dst.strides[1] != 1) return;
    CopyBlock block{};
    block.dst = dst.memory.get() + dst.start;
    block.src = src.memory.get() + src.start;
    block.rows = block.columns = 1;
    (between(0, 1) ? block.rows : block.columns) = rows;
    block.dst_row = block.dst_column = dst.strides[0];
    block.src_row = block.src_column = src.strides[0];
    block.bytes = run;
    block.stream = true;
    block.fetch = between(0, 1) ? 8192 : tune::kCopiedRunBytes;
    const Vector<char> before = elements(dst);
    const auto differs = [&](auto&& expected) {
        const Vector<char> after = elements(dst);
        for (int64_t i = 0; i < rows; ++i) {
            const char *row = after.data() + i * (run + gap), *old = before.data() + i * (run + gap);
            if (!equal_bytes(row, expected(i), run) || !equal_bytes(row + run, old + run, gap)) return true;
        }
        return false;
    };
    const auto around = gaps(dst);
    block_kernels().copy(run)(block);
    called();
    CHECK(!differs([&](int64_t i) { return src.at({i, 0}); }), "long runs");

    Vector<int64_t> offsets(static_cast<size_t>(rows));
    GatherBlock gathered{};
    gathered.any_bad = between(0, 1) == 1;
    for (auto& o : offsets)
        o = gathered.any_bad && between(0, 2) == 0 ? kBadOffset : between(0, rows - 1) * src.strides[0];
    gathered.out = block.dst;
    gathered.data = block.src;
    gathered.offsets = offsets.data();
    gathered.count = rows;
    gathered.out_step = dst.strides[0];
    gathered.passes = 1;
    gathered.bytes = gathered.fetched = run;
    gathered.stream = gathered.scattered = true;
    block_kernels().gather(run)(gathered);
    called();
    const Vector<char> zeros(static_cast<size_t>(run));
    CHECK(!differs([&](int64_t i) {
        const int64_t at = offsets[static_cast<size_t>(i)];
        return at == kBadOffset ? zeros.data() : block.src + at;
    }),
          "long runs gathered");

    const int64_t width = int64_t{1} << between(0, 4), step = between(0, 1) ? -1 : between(1, 5);
    const int64_t columns = run / width / (step < 0 ? 1 : step), first = step < 0 ? columns - 1 : 0;
    if (columns < 2) return;
    block.rows = rows, block.columns = columns;
    block.dst_column = block.bytes = width;
    block.src_column = step * width;
    block.src += first * width;
    block_kernels().copy(width)(block);
    called();
    Vector<char> picked(static_cast<size_t>(run));
    const Vector<char> now = elements(dst);
    CHECK(!differs([&](int64_t i) {
        for (int64_t j = 0; j < columns; ++j)
            memcpy(picked.data() + j * width, src.at({i, (first + j * step) * width}), static_cast<size_t>(width));
        const int64_t end = columns * width;
        memcpy(picked.data() + end, now.data() + i * (run + gap) + end, static_cast<size_t>(run - end));
        return picked.data();
    }),
          "long rows backwards, and of elements a few apart");
    CHECK(gaps(dst) == around, "long runs leave the gaps alone");
}

void test_gather() {
    const int64_t width = random_width();
    auto data_sizes = random_sizes(static_cast<int>(between(1, 4)), between(0, 3) ? 2000 : 50000);
    const size_t axis = static_cast<size_t>(between(0, static_cast<int64_t>(data_sizes.size()) - 1));
    if (data_sizes[axis] == 0) data_sizes[axis] = 1;
    const size_t batch = between(0, 2) ? 0 : static_cast<size_t>(between(0, static_cast<int64_t>(axis)));
    Sizes index_sizes(data_sizes.begin(), data_sizes.begin() + batch);
    for (int64_t n : random_sizes(static_cast<int>(between(0, 2)), between(0, 9) ? 50 : 3000)) index_sizes.push_back(n);

    IndexRule rule{};
    rule.size = data_sizes[axis];
    rule.type = static_cast<IndexType>(between(0, 7));
    rule.out_of_range = static_cast<OutOfRange>(between(0, 3));
    rule.negative = static_cast<Negative>(between(0, 1));
    const View data = make_view(data_sizes, width, kSometimes);
    const View indices = make_view(index_sizes, index_width(rule.type), kSometimes);
    const bool wild = between(0, 1) == 1;
    for_positions(index_sizes,
                  [&](const auto& p) { put_index(rule.type, indices.at(p), random_index(rule.size, wild)); });

    // What must come out, and the first bad index.
    Sizes out_sizes(data_sizes.begin(), data_sizes.begin() + axis);
    out_sizes.append(index_sizes.begin() + batch, index_sizes.end());
    out_sizes.append(data_sizes.begin() + axis + 1, data_sizes.end());
    const size_t index_rank = index_sizes.size() - batch;
    const auto value_at = [&](const Sizes& p) { return index_at(rule.type, indices.at(p)); };
    int64_t position = 0, first_bad = -1;
    Wide bad_value = 0;
    IndexRule strict = rule;
    strict.out_of_range = OutOfRange::raise;
    for_positions(index_sizes, [&](const auto& p) {
        if (first_bad < 0 && place(value_at(p), strict) < 0) {
            first_bad = position;
            bad_value = value_at(p);
        }
        ++position;
    });
    char* const indices_start = indices.memory.get() + indices.start;
    CheckStep check;
    check.indices = {0, 0};
    check.rule = rule;
    for (size_t a = 0; a < index_sizes.size(); ++a) check.axes.add(index_sizes[a], {indices.strides[a]});
    const bool all_fine = run_at(check, {indices_start});
    CHECK(all_fine == (first_bad < 0), "check");
    if (!all_fine) {
        const BadIndex found = check.first_bad(&indices_start);
        CHECK(found.position == first_bad, "first bad position");
        CHECK(found.value == static_cast<int64_t>(bad_value), "first bad value");
    }

    Vector<char> expected;
    expected.reserve(static_cast<size_t>(count_of(out_sizes) * width));
    bool refused = false;
    for_positions(out_sizes, [&](const auto& o) {
        Sizes which(o.begin(), o.begin() + batch);
        which.append(o.begin() + axis, o.begin() + axis + index_rank);
        Sizes from(o.begin(), o.begin() + axis);
        const int64_t at = place(value_at(which), rule);
        from.push_back(at);
        from.append(o.begin() + axis + index_rank, o.end());
        if (at < 0) {
            refused |= rule.out_of_range == OutOfRange::raise;
            expected.insert(expected.end(), static_cast<size_t>(width), '\0');
        } else {
            expected.insert(expected.end(), data.at(from), data.at(from) + width);
        }
    });

    const View out = make_view(out_sizes, width, kNever);
    const auto before = gaps(out);
    GatherStep job = make_gather_step();
    job.width = width;
    job.axis_stride = data.strides[axis];
    job.rule = rule;
    for (size_t a = 0; a < out_sizes.size(); ++a) {
        if (a < axis)
            job.axes.add(out_sizes[a], {out.strides[a], data.strides[a], a < batch ? indices.strides[a] : 0});
        else if (a < axis + index_rank)
            job.axes.add(out_sizes[a], {out.strides[a], 0, indices.strides[batch + a - axis]});
        else
            job.axes.add(out_sizes[a], {out.strides[a], data.strides[a - index_rank + 1], 0});
    }
    const bool whole = run_at(job, {out.memory.get() + out.start, data.memory.get() + data.start, indices_start});
    CHECK(whole == !refused, "gather refuses exactly the bad");
    if (whole) CHECK(elements(out) == expected, "gather");
    CHECK(gaps(out) == before, "gather leaves the gaps alone");
}

// Large enough for several threads and for streaming.
void test_large_moves() {
    const int64_t rows = 3000, columns = 3001, width = 4;
    std::unique_ptr<char[]> src(new char[rows * columns * width]), dst(new char[rows * columns * width]);
    auto* from = reinterpret_cast<int32_t*>(src.get());
    auto* to = reinterpret_cast<int32_t*>(dst.get());
    for (int64_t i = 0; i < rows * columns; ++i) from[i] = static_cast<int32_t>(i);
    Axes<2> axes;
    axes.add(columns, {rows * width, width});
    axes.add(rows, {width, columns * width});
    copy(dst.get(), src.get(), axes, width);
    bool equal = true;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) equal &= to[j * rows + i] == from[i * columns + j];
    CHECK(equal, "large transpose");

    Axes<2> flat;
    flat.add(rows * columns, {width, width});
    std::memset(dst.get(), 0, rows * columns * width);
    copy(dst.get(), src.get(), flat, width);
    CHECK(std::memcmp(dst.get(), src.get(), rows * columns * width) == 0, "large copy");

    for (const int64_t run : {int64_t{1}, int64_t{7}, int64_t{100}}) {
        const int64_t table = rows * columns / run, count = table;
        std::vector<int32_t> indices(static_cast<size_t>(count));
        for (auto& i : indices) i = static_cast<int32_t>(between(0, table - 1));
        GatherStep job = make_gather_step();
        job.width = width;
        job.axis_stride = run * width;
        job.rule = {table, OutOfRange::raise, Negative::from_end, IndexType::i32};
        job.axes.add(count, {run * width, 0, 4});
        job.axes.add(run, {width, width, 0});
        CHECK(run_at(job, {dst.get(), src.get(), reinterpret_cast<const char*>(indices.data())}), "large gather");
        equal = true;
        for (int64_t i = 0; i < count; ++i)
            for (int64_t k = 0; k < run; ++k)
                equal &= to[i * run + k] == from[indices[static_cast<size_t>(i)] * run + k];
        CHECK(equal, "large gather");
    }
}

const Fuzzed fuzzed_copy("copy", test_copy);
const Fuzzed fuzzed_fill("fill", test_fill);
const Fuzzed fuzzed_gather("gather", test_gather);
const Fuzzed fuzzed_streamed("streamed blocks", test_streamed_block);

}  // namespace

void test_kernels(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        test_copy();
        test_fill();
        test_gather();
        test_streamed_block();
        test_long_runs();
    }
    for (int i = 0; i < 3; ++i) test_every_length();
    test_every_step();
}

void test_large() {
    set_num_threads(2);
    test_large_moves();
    set_num_threads(0);
}
