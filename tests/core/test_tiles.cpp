// Tiles that are written transposed: gathers in memory of exactly the bytes that they reach over, and streamed lines.
#include "../../core/kernels/blocks.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

void gather_rows(int64_t rows, int64_t columns, int64_t count, int64_t width, OutOfRange rule) {
    Vector<char> data(static_cast<size_t>(rows * columns * width));
    fill_randomly(data.data(), static_cast<int64_t>(data.size()));
    Vector<int64_t> indices(static_cast<size_t>(count));
    for (int64_t& index : indices) index = between(rule == OutOfRange::zero ? -rows - 1 : -rows, rows - 1);
    Vector<char> out(static_cast<size_t>(columns * count * width), '\x55'), expected = out;
    for (int64_t c = 0; c < columns; ++c)
        for (int64_t i = 0; i < count; ++i) {
            const int64_t index = indices[static_cast<size_t>(i)], row = index < 0 ? index + rows : index;
            char* to = expected.data() + (c * count + i) * width;
            if (row < 0)
                std::memset(to, 0, static_cast<size_t>(width));
            else
                copy_bytes(to, data.data() + (row * columns + c) * width, width);
        }
    GatherStep job = make_gather_step();
    job.axes.add(count, {width, 0, 8});
    job.axes.add(columns, {count * width, width, 0});
    job.width = width;
    job.axis_stride = columns * width;
    job.rule = {rows, rule, Negative::from_end, IndexType::i64};
    CHECK(run_at(job, {out.data(), data.data(), reinterpret_cast<const char*>(indices.data())}),
          "every index is on the axis");
    CHECK(out == expected, "rows become columns");
}

// Rows of dst that are whole lines `gap` bytes apart, which tiles stream as they are; `shift` bytes beside a line.
struct Lines {
    int64_t rows, row, used;
    Vector<char> memory, expected;
    int64_t start;

    Lines(int64_t rows, int64_t used, int64_t gap, int64_t shift)
        : rows(rows), row((used + 63) / 64 * 64 + gap), used(used) {
        memory.assign(static_cast<size_t>(rows * row + 256), '\x55');
        expected = memory;
        start = 64 + shift + (-reinterpret_cast<intptr_t>(memory.data()) & 63);
    }
    char* at() { return memory.data() + start; }
    void expect(int64_t i, int64_t column, const char* element, int64_t width) {
        copy_bytes(expected.data() + start + i * row + column * width, element, width);
    }
};

void stream_lines(int64_t rows, int64_t columns, int64_t width, int64_t gap, int64_t shift) {
    Vector<char> data(static_cast<size_t>(rows * columns * width));
    fill_randomly(data.data(), static_cast<int64_t>(data.size()));
    const char* src = data.data();
    Lines copied(rows, columns * width, gap, shift), gathered(rows, columns * width, gap, shift);
    Vector<int64_t> offsets(static_cast<size_t>(columns));
    for (int64_t j = 0; j < columns; ++j) {
        offsets[static_cast<size_t>(j)] = between(0, columns - 1) * rows * width;
        for (int64_t i = 0; i < rows; ++i) {
            copied.expect(i, j, src + (j * rows + i) * width, width);
            gathered.expect(i, j, src + offsets[static_cast<size_t>(j)] + i * width, width);
        }
    }
    CopyBlock copy{};
    copy.dst = copied.at();
    copy.src = src;
    copy.rows = rows;
    copy.columns = columns;
    copy.dst_row = copied.row;
    copy.dst_column = copy.src_row = copy.bytes = width;
    copy.src_column = rows * width;
    copy.stream = true;
    block_kernels().copy(width)(copy);
    called();
    CHECK(copied.memory == copied.expected, "streamed columns");
    GatherBlock gather{};
    gather.out = gathered.at();
    gather.data = src;
    gather.offsets = offsets.data();
    gather.count = columns;
    gather.passes = rows;
    gather.out_step = gather.data_pass = gather.bytes = width;
    gather.out_pass = gathered.row;
    gather.stream = true;
    block_kernels().gather(width)(gather);
    called();
    CHECK(gathered.memory == gathered.expected, "streamed columns of a gather");
}

// out[i, j] = data[j, i] by the kernels of copies and of tiles, rows and columns `gap` and `skip` bytes apart, in
// memory of exactly the bytes that they reach over.
void turn(int64_t rows, int64_t columns, int64_t width, int64_t gap, int64_t skip, bool stream) {
    const int64_t dst_row = columns * width + gap, src_column = rows * width + skip;
    const int64_t read = (columns - 1) * src_column + rows * width, written = (rows - 1) * dst_row + columns * width;
    const Memory src = take_memory(read);
    fill_randomly(src.get(), read);
    Vector<char> copied(static_cast<size_t>(written), '\x55'), tiled = copied, expected = copied;
    Vector<int64_t> row_offsets, offsets;
    for (int64_t i = 0; i < rows; ++i) row_offsets.push_back(i * dst_row);
    for (int64_t j = 0; j < columns; ++j) offsets.push_back(j * src_column);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
            copy_bytes(expected.data() + i * dst_row + j * width, src.get() + j * src_column + i * width, width);
    CopyBlock copy{};
    copy.dst = copied.data();
    copy.src = src.get();
    copy.rows = rows;
    copy.columns = columns;
    copy.dst_row = dst_row;
    copy.src_column = src_column;
    copy.dst_column = copy.src_row = copy.bytes = width;
    copy.stream = stream;
    block_kernels().copy(width)(copy);
    called();
    CHECK(copied == expected, "columns become rows");
    TileBlock tile{};
    tile.dst = tiled.data();
    tile.row_offsets = row_offsets.data();
    tile.from = {src.get(), offsets.data(), rows, columns};
    tile.bytes = width;
    tile.stream = stream;
    tile.rows_of_set = one_of<int64_t>({8, 12});
    const TileKernel kernel = block_kernels().tile(width);
    kernel(tile);
    called();
    CHECK(tiled == expected, "columns of a tile become rows");
    if (!block_kernels().tiles_wait(width)) return;
    // The same as two tiles, in rooms that only some of their rows fit.
    const int64_t room = (columns * width + 127) / 64 * 64 * between(1, rows);
    const Memory rooms = take_memory(2 * room);
    WaitingTile waiting{{rooms.get(), rooms.get() + room}, room};
    Vector<char> waited(static_cast<size_t>(written), '\x55');
    tile.dst = waited.data();
    tile.waiting = &waiting;
    tile.from.rows = rows / 2;
    if (rows > 1) kernel(tile);
    tile.row_offsets += tile.from.rows;
    tile.from.src += tile.from.rows * width;
    tile.from.rows = rows - tile.from.rows;
    kernel(tile);
    block_kernels().leave(waiting);
    called();
    CHECK(waited == expected, "a tile leaves while the next one is put together");
}

const Fuzzed fuzzed_rows("rows become columns", [] {
    const OutOfRange rule = one_of({OutOfRange::raise, OutOfRange::zero});
    gather_rows(size_to(50), size_to(100), size_to(300), one_of<int64_t>({1, 2, 4, 8, 16}), rule);
});
const Fuzzed fuzzed_lines("streamed lines", [] {
    const int64_t width = one_of<int64_t>({1, 2, 4, 8, 16});
    stream_lines(size_to(130), size_to(200), width, one_of<int64_t>({0, 64, 24}), one_of<int64_t>({0, width}));
});

}  // namespace

void test_tiles() {
    for (int64_t width : {1, 2, 4, 8, 16})
        for (int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 33, 63, 64, 65})
            for (int64_t columns : {2, 3, 5, 16, 17, 40, 65})
                for (int64_t gap : {0, 5})
                    for (bool stream : {false, true})
                        turn(rows, columns, width, gap, one_of<int64_t>({0, width, 7}), stream);
    // Fewer rows than a square has, of more columns than are put together at once.
    for (int64_t width : {1, 2, 4, 8})
        for (int64_t rows : {2, 4, 5, 8, 11, 15, 20, 31})
            for (bool stream : {false, true}) turn(rows, 5000, width, 3, one_of<int64_t>({0, width, 7}), stream);
    // Rows of dst in one set of the first cache, in a few, or nearly; more columns than are put together at once.
    for (int64_t width : {1, 2, 4, 8, 16})
        for (int64_t rows : {2, 15, 16, 17, 33, 64, 65})
            for (int64_t columns : {3, 16, 65, 700})
                for (int64_t step : {16384, 16388, 16392, 17408, 18428})
                    turn(rows, columns, width, step - columns * width, one_of<int64_t>({0, width, 7}), false);
    for (int64_t width : {1, 2, 4, 8, 16})
        for (int64_t rows : {4, 15, 16, 17, 32, 33, 64, 130})
            for (int64_t columns : {1, 4, 16, 31, 32, 33, 64, 65, 200})
                for (int64_t gap : {0, 64, 24})
                    for (int64_t shift : {int64_t{0}, width}) stream_lines(rows, columns, width, gap, shift);
    for (int64_t width : {1, 2, 4, 8, 16})
        for (OutOfRange rule : {OutOfRange::raise, OutOfRange::zero}) {
            for (int64_t columns : {1, 3, 4, 15, 16, 17, 33, 64, 100})
                for (int64_t count : {1, 2, 8, 15, 16, 17, 63, 64, 65, 300})
                    gather_rows(between(1, 50), columns, count, width, rule);
            gather_rows(700, 9000, 6'000'000 / 900 / width, width, rule);  // streamed
        }
}
