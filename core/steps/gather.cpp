// Gather: collapse, resolve indices block by block into private memory, move.
#include "gather.hpp"

#include <atomic>

#include "../kept.hpp"
#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "../tune/machine.hpp"
#include "check.hpp"
#include "far.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

// Rows of less indices than `longest` join into one axis if the output and the indices go on evenly; data need not.
// Returns how many indices that axis has; `grid` gets the steps through data, and the joined axes other than `inner`
// leave `axes`.
int64_t join_rows(Axes<3>& axes, int& inner, Axes<1>& grid, int64_t longest) {
    int first = inner;
    int64_t count = axes.size[inner];
    while (first > 0 && count < longest) {
        const int64_t (&s)[3] = axes.stride[first - 1];
        if (s[2] == 0 || s[0] != axes.stride[inner][0] * count || s[2] != axes.stride[inner][2] * count) break;
        count *= axes.size[--first];
    }
    if (first == inner) return count;
    for (int a = first; a <= inner; ++a) grid.add(axes.size[a], {axes.stride[a][1]});
    for (; inner > first; --inner) axes.remove(inner - 1);
    axes.size[inner] = count;
    axes.stride[inner][1] = 0;
    return count;
}

// How far from each other the parts of data lie that rows of indices have for themselves, in bytes.
int64_t apart(const Axes<3>& axes, int inner) {
    int64_t far = 0;
    for (int a = 0; a < axes.ndim; ++a)
        if (a != inner && axes.stride[a][2] != 0) far = most(far, magnitude(axes.stride[a][1]) * axes.size[a]);
    return far;
}

}  // namespace

void GatherStep::check(Fields& fields) {
    width = fields.integer(4);
    read_rule(fields, 5, 6, 7, rule);
    const Tensor target = fields.target(1, width), given = fields.tensor(2, width),
                 picks = fields.tensor(3, index_width(rule.type));
    Column columns[kMaxRank];
    const int count = read_columns(given, picks, target, rule, columns);
    require(count > 0, "indices have no column; that is a copy");
    out = spot_of(target), data = spot_of(given), indices = spot_of(picks);
    axis_stride = columns[0].axis_stride;
    rule.size = columns[0].size;
    further_count = count - 1;
    for (int c = 1; c < count; ++c) further[c - 1] = columns[c];
    for (int a = 0; a < target.ndim; ++a)
        axes.add(target.sizes[a], {target.strides[a], given.strides[a], picks.strides[a]});
    bytes = bytes_of(target, width);
}

int GatherStep::innermost_index_axis() const {
    for (int a = axes.ndim - 1; a >= 0; --a)
        if (axes.stride[a][2] != 0) return a;
    return -1;
}

// How far from each other the places lie that indices can name, in bytes.
int64_t GatherStep::reach() const {
    int64_t far = magnitude(axis_stride) * rule.size;
    for (int c = 0; c < further_count; ++c) far += magnitude(further[c].axis_stride) * further[c].size;
    return far;
}

// How far runs must lie from each other so that fetching them ahead pays. Of single lines the processor has so many
// loads under way by itself that it only pays for tables many times larger than the second cache.
int64_t GatherStep::far_bytes() const { return shape_.bytes <= tune::kLine ? machine().far_element : machine().far; }

void GatherStep::prepare() {
    way_ = Way::none;
    if (axes.empty || width == 0) return;
    collapse(axes);
    for (int k = 0; k < 3; ++k) start_[k] = axes.offset[k];
    resolve_ = block_kernels().resolve(rule.type);
    const int inner = innermost_index_axis();
    inner < 0 ? prepare_one() : prepare_shape(inner);
}

void GatherStep::prepare_one() {
    way_ = Way::one;
    one_.emplace();
    CopyStep& copy = one_->copy;
    copy.width = width;
    for (int a = 0; a < axes.ndim; ++a) copy.axes.add(axes.size[a], {axes.stride[a][0], axes.stride[a][1]});
    copy.prepare();
    if (rule.out_of_range != OutOfRange::zero) return;
    FillStep& zeros = one_->zeros;
    zeros.value.assign(1, '\0');
    for (int a = 0; a < axes.ndim; ++a) zeros.axes.add(axes.size[a], {axes.stride[a][0]});
    zeros.axes.add(width, {1});
    zeros.prepare();
}

// The bytes of data that indices can name: a gather reads as many as it writes, or repeats these. As strides may lay
// any number of elements over each other, no integer holds them all.
double GatherStep::named_bytes() const {
    double named = static_cast<double>(width) * static_cast<double>(rule.size);
    for (int c = 0; c < further_count; ++c) named *= static_cast<double>(further[c].size);
    for (int a = 0; a < axes.ndim; ++a)
        if (axes.stride[a][1] != 0) named *= static_cast<double>(axes.size[a]);
    return named;
}

void GatherStep::prepare_shape(int inner) {
    total_bytes_ = axes.count() * width;
    const bool reads_as_much = named_bytes() >= static_cast<double>(total_bytes_);
    shape_.bytes = take_run(axes, width);
    work_bytes_ = total_bytes_ + axes.count() * tune::kIndexedBytes;
    shape_.scattered = reach() >= far_bytes();
    shape_.stream = total_bytes_ >= (shape_.scattered || reads_as_much ? machine().stream_far : machine().stream);
    reads_little_ = !shape_.scattered && !reads_as_much;
    shape_.axis_bytes = axis_stride == shape_.bytes && further_count == 0 ? shape_.bytes * rule.size : 0;
    shape_.out_step = axes.stride[inner][0];
    shape_.passes = 1;
    shape_.out_pass = shape_.data_pass = 0;
    rows_ = prepare_short_rows(inner);
    apart_ = apart(axes, inner);
    // Runs that come from memory are fetched ahead, also those of the next row.
    const bool are_far = shape_.bytes > tune::kLine && apart_ >= far_bytes();
    count_ = rows_.kernel ? axes.size[inner]
                          : join_rows(axes, inner, grid_, are_far ? tune::kJoinedRowFar : tune::kJoinedRow);
    data_step_ = axes.stride[inner][1];
    index_step_ = axes.stride[inner][2];
    if (grid_.ndim > 0) shape_.axis_bytes = 0;

    const bool packed = axes.ndim == 1 && grid_.ndim == 0 && further_count == 0 && index_step_ == 1 &&
                        data_step_ == 0 && shape_.out_step == shape_.bytes;
    packed&& Lookup::pays(rule, count_, shape_.bytes) ? prepare_lookup() : split_axes(inner);
}

// Short rows of near runs, each with an index for itself: one call takes many of them. Of the shortest, it takes
// columns.
GatherStep::ShortRows GatherStep::prepare_short_rows(int inner) const {
    const int64_t index_bytes = index_width(rule.type);
    const bool fetched =
        inner > 0 && NextRow<false>::are_fetched(shape_.axis_bytes, axes.stride[inner - 1][1],
                                                 axes.count() / axes.size[inner], axes.size[inner], shape_.bytes);
    const int64_t longest = fetched ? tune::kShortIndexRowFar : tune::kShortIndexRow;
    bool fits = further_count == 0 && inner > 0 && axes.size[inner] <= longest && !shape_.scattered;
    for (int a = 0; a < axes.ndim; ++a) fits &= axes.stride[a][2] != 0 && axes.stride[a][2] % index_bytes == 0;
    if (!fits) return {};
    ShortRows found{nullptr, nullptr, index_axis(axes, inner), index_axis(axes, inner - 1)};
    const IndexAxis& row = found.row;
    const bool dense =
        axis_stride == shape_.bytes && row.written == shape_.bytes && row.read == 0 && row.index == index_bytes;
    found.kernel = block_kernels().gather_directly(rule.type, shape_.bytes, dense);
    if (row.count <= tune::kGatherColumns && row.count < found.rows.count)
        found.by_columns = block_kernels().gather_directly(rule.type, shape_.bytes, false);
    return found;
}

void GatherStep::prepare_lookup() {
    way_ = Way::lookup;
    lookup_.rule = rule;
    lookup_.axis_stride = axis_stride;
    lookup_.count = count_;
    lookup_.bytes = shape_.bytes;
    lookup_.stream = shape_.stream;
    lookup_.prepare();
}

// The axes other than `inner`: those along which the indices change, and those along which they are used again.
void GatherStep::split_axes(int inner) {
    bool writes_finer = false, reads_finer = false;
    int64_t widest = most(reach(), apart_);
    for (int a = 0; a < axes.ndim; ++a) {
        if (a == inner) continue;
        const int64_t (&s)[3] = axes.stride[a];
        (s[2] != 0 ? index_axes_ : passes_).add(axes.size[a], {s[0], s[1], s[2]});
        widest = most(widest, magnitude(s[1]) * axes.size[a]);
        if (s[2] != 0) continue;
        writes_finer |= a > inner;
        reads_finer |= magnitude(s[1]) < tune::kLine;
    }
    each_elsewhere_ = reach() < far_bytes();
    shape_.far = widest >= 3 * machine().last;
    // Rows that indices are used for one after the other, or that each have some for themselves, come from memory.
    shape_.scattered |= shape_.bytes > tune::kLine && (apart_ >= far_bytes() || shape_.far);
    shape_.fetched = widest < machine().far ? 0 : bytes_to_fetch(shape_.bytes, widest);
    shape_.into_first = goes_into_first(shape_.bytes, shape_.stream);
    shape_.streamed_ahead = machine().fetch_streamed;
    gather_ = block_kernels().gather(shape_.bytes);
    if (further_count > 0 || grid_.ndim > 0) return prepare_passes(writes_finer, reads_finer);
    const bool used_up = passes_.ndim > 0 && are_rows_used_up();
    const bool read_again = !reads_finer && count_ >= tune::kReadAgain && index_step_ == index_width(rule.type) &&
                            block_kernels().gather_directly(rule.type, shape_.bytes, false);
    if (!writes_finer && (read_again || (used_up && count_ > tune::kIndexBlock))) join_passes(inner);
    if (passes_.ndim == 0)
        rows_.kernel ? prepare_all_rows() : prepare_rows();
    else if (used_up && are_rows_turned())
        prepare_turned(inner);
    else
        prepare_passes(writes_finer, reads_finer);
}

// Whether indices that are used again, for one row of data after the other, name most lines of each, and no cache
// keeps all rows: then all of them are used for a row before they are for the next, and its lines are read once.
bool GatherStep::are_rows_used_up() const {
    const int64_t rows = axes.count() / count_;
    return NextRow<false>::are_used_up(shape_.axis_bytes, passes_.stride[passes_.ndim - 1][1], rows, count_,
                                       shape_.bytes);
}

// All axes but `inner`, with their indices again for each position of a pass.
void GatherStep::join_passes(int inner) {
    index_axes_ = passes_ = Axes<3>();
    for (int a = 0; a < axes.ndim; ++a)
        if (a != inner) index_axes_.add(axes.size[a], {axes.stride[a][0], axes.stride[a][1], axes.stride[a][2]});
}

// Whether rows of data go to neighbouring elements of `out`: written one row after the other, each line of it would be
// written as often as it has elements.
bool GatherStep::are_rows_turned() const {
    const int last = passes_.ndim - 1;
    return passes_.stride[last][0] == shape_.bytes && has_squares(shape_.bytes) &&
           passes_.size[last] >= tune::kLine / shape_.bytes && count_ >= tune::kPassIndices;
}

// As many rows as go to one line of `out` are put together in memory of the thread, each dense, and turned there.
void GatherStep::prepare_turned(int inner) {
    join_passes(inner);
    const int last = index_axes_.ndim - 1;
    turned_.rows = index_axes_.size[last];
    turned_.step = index_axes_.stride[last][1];
    turned_.out_step = shape_.out_step;
    turned_.stream = shape_.stream;
    turned_.copy = block_kernels().copy(shape_.bytes);
    index_axes_.remove(last);
    shape_.out_step = shape_.bytes;
    shape_.stream = false;
    prepare_rows();
    way_ = Way::turned;
    next_.prepare(shape_.axis_bytes, turned_.step, turned_.rows, count_, shape_.bytes);
    // Enough blocks for the threads, each of which still names most lines of a row.
    const int64_t parts = index_axes_.count() * pieces(turned_.rows, tune::kLine / shape_.bytes),
                  share = pieces(count_, pieces(tune::kTasks, parts));
    block_ = least(count_, least(tune::kTurnedIndices, most(share, 2 * shape_.axis_bytes / tune::kLine)));
    blocks_ = pieces(count_, block_);
}

void GatherStep::prepare_rows() {
    way_ = Way::rows;
    const bool dense = axis_stride == shape_.bytes && shape_.out_step == shape_.bytes && data_step_ == 0;
    directly_ = index_step_ == index_width(rule.type) ? block_kernels().gather_directly(rule.type, shape_.bytes, dense)
                                                      : nullptr;
    const int64_t row_count = index_axes_.count();
    block_ = least(count_, least(tune::kTaskIndices, pieces(tune::kTaskBytes, shape_.bytes)));
    if (work_bytes_ >= machine().block) block_ = least(block_, pieces(count_, pieces(tune::kTasks, row_count)));
    blocks_ = pieces(count_, block_);

    const int last = index_axes_.ndim - 1;
    if (last >= 0) next_.prepare(shape_.axis_bytes, index_axes_.stride[last][1], row_count, count_, shape_.bytes);
}

void GatherStep::prepare_all_rows() {
    prepare_rows();
    around_ = index_axes_;
    around_.remove(around_.ndim - 1);
}

void GatherStep::prepare_passes(bool writes_finer, bool reads_finer) {
    way_ = Way::passes;
    if (passes_.ndim > 0) {
        // The innermost pass axis is part of the block.
        const int last = passes_.ndim - 1;
        shape_.passes = passes_.size[last];
        shape_.out_pass = passes_.stride[last][0];
        shape_.data_pass = passes_.stride[last][1];
        passes_.remove(last);
    }
    // Passes that step finer than a cache line come back to the same lines: keep those lines in the cache.
    block_ = least(count_, tune::kIndexBlock);
    if (writes_finer) block_ = least(block_, most(16, machine().block / most(1, magnitude(shape_.out_step))));
    if (reads_finer) block_ = least(block_, tune::kPassIndices);
    // Few indices of long runs: enough blocks for the threads.
    const int64_t around = index_axes_.count() * passes_.count();
    if (work_bytes_ >= machine().block)
        block_ = least(block_, pieces(count_, pieces(tune::kTasks, around * shape_.passes)));
    blocks_ = pieces(count_, block_);
    pass_piece_ = most(1, tune::kPassBytes / (block_ * shape_.bytes));
    // Neighbours in data are turned in squares: of each line all of them at once.
    const bool by_lines =
        shape_.data_pass == shape_.bytes && has_squares(shape_.bytes) && axis_stride % tune::kLine == 0;
    line_passes_ = by_lines ? tune::kLine / shape_.bytes : 1;
    if (pass_piece_ > line_passes_) pass_piece_ -= pass_piece_ % line_passes_;
    pass_pieces_ = pieces(shape_.passes, pass_piece_);
    per_block_ = passes_.count() * pass_pieces_;
}

bool GatherStep::run(char* const* base) const {
    if (way_ == Way::none) return true;
    const Position start{out.in(base) + start_[0], data.in(base) + start_[1], indices.in(base) + start_[2]};
    switch (way_) {
        case Way::none: break;
        case Way::one: return run_one(start);
        case Way::lookup: return lookup_.run(start.out, start.data, start.indices);
        case Way::rows: return rows_.kernel ? run_short_rows(start) : run_rows(start);
        case Way::turned: return run_turned(start);
        case Way::passes: return run_passes(start);
    }
    return true;
}

// Turns tuples of indices into byte offsets; true if some are bad.
bool GatherStep::resolve(const char* from, int64_t index_step, int64_t count, int64_t position_step,
                         int64_t* offsets) const {
    const bool bad = resolve_(rule, from, index_step, count, axis_stride, position_step, offsets);
    if (further_count == 0) return bad;
    return add_columns(resolve_, rule, further, further_count, from, index_step, count, offsets, bad);
}

bool GatherStep::run_one(const Position& start) const {
    int64_t offset;
    const bool bad = resolve(start.indices, 0, 1, 0, &offset);
    if (bad && rule.out_of_range == OutOfRange::raise) return false;
    if (bad)
        one_->zeros.write(start.out);
    else
        one_->copy.move(start.out, start.data + offset);
    return true;
}

// What index i of a row names, before it is resolved.
int64_t GatherStep::place_of(const char* from, int64_t i) const {
    const int64_t v = read_index(rule.type, from + i * index_step_), at = v < 0 ? v + rule.size : v;
    return at < 0 || at >= rule.size ? kBadOffset : at * axis_stride;
}

// Whether these indices name places far from each other.
bool GatherStep::lie_far(const char* from, int64_t count) const {
    return lie_far_by(count, far_bytes(), [&](int64_t i) { return place_of(from, i); });
}

// Whether what these indices, all there are, name stays in the cache.
bool GatherStep::name_little(const char* from) const {
    return !lie_far(from, count_) || name_few_by(count_, shape_.bytes, [&](int64_t i) { return place_of(from, i); });
}

bool GatherStep::run_rows(const Position& start) const {
    std::atomic<bool> refused{false};
    const bool reads_little = shape_.stream && (reads_little_ || (index_axes_.ndim == 0 && name_little(start.indices)));
    const char* const streamed = start.out + (reads_little ? machine().resident : 0);
    for_ranges(index_axes_.count() * blocks_, work_bytes_, [&](int64_t begin, int64_t end) {
        Outer<3> row(index_axes_, begin / blocks_);
        int64_t piece = begin % blocks_;
        while (begin < end && !refused.load(std::memory_order_relaxed)) {
            const int64_t together = least(end - begin, blocks_ - piece);
            const int64_t first = piece * block_, last = least((piece + together) * block_, count_);
            const Position at{start.out + row.offset[0] + first * shape_.out_step, start.data + row.offset[1],
                              start.indices + row.offset[2]};
            if (!run_row(at, first, last, streamed)) refused.store(true, std::memory_order_relaxed);
            begin += together;
            piece += together;
            if (piece == blocks_) {
                piece = 0;
                row.next();
            }
        }
    });
    return !refused.load();
}

bool GatherStep::run_short_rows(const Position& start) const {
    if (reinterpret_cast<intptr_t>(start.indices) % index_width(rule.type) != 0) return run_rows(start);
    std::atomic<bool> refused{false};
    const int64_t rows = rows_.rows.count;
    for_ranges(index_axes_.count(), work_bytes_, [&](int64_t begin, int64_t end) {
        Outer<3> around(around_, begin / rows);
        int64_t first = begin % rows;
        while (begin < end && !refused.load(std::memory_order_relaxed)) {
            const int64_t last = least(rows, first + end - begin);
            const Position at{start.out + around.offset[0], start.data + around.offset[1],
                              start.indices + around.offset[2]};
            if (!run_rows_together(at, first, last)) refused.store(true, std::memory_order_relaxed);
            begin += last - first;
            first = 0;
            around.next();
        }
    });
    return !refused.load();
}

// The rows first..last-1 of those that follow each other evenly from `start` on.
bool GatherStep::run_rows_together(const Position& start, int64_t first, int64_t last) const {
    IndexAxis rows = rows_.rows;
    const auto at = [&](int64_t row) {
        return Position{start.out + row * rows.written, start.data + row * rows.read, start.indices + row * rows.index};
    };
    while (first < last) {
        const auto [to, from, indices] = at(first);
        rows.count = rows_.by_columns ? least(last - first, tune::kNamedTogether) : last - first;
        const int64_t all = rows.count * count_;
        int64_t done = 0;
        if (rows_.by_columns) done = rows_.by_columns(rule, {to, from, indices, axis_stride, rows, rows_.row});
        if (done < all) done = rows_.kernel(rule, {to, from, indices, axis_stride, rows_.row, rows});
        first += done / count_;
        // Then comes a row with an index that is out of range.
        if (done < all && !run_block(at(first++), count_, false, false)) return false;
    }
    return true;
}

// The indices first..last-1 of a row: `at` has the place of the first of them in `out`, and where the row begins.
bool GatherStep::run_row(const Position& at, int64_t first, int64_t last, const char* streamed) const {
    const int64_t step = next_.lines > 0 ? tune::kRowIndices : most(block_, tune::kTaskIndices);
    char* out = at.out;
    for (int64_t i = first; i < last; i += step) {
        const int64_t part = least(step, last - i);
        const Position from{out, at.data + i * data_step_, at.indices + i * index_step_};
        const bool scattered = shape_.scattered && (each_elsewhere_ || lie_far(from.indices, part));
        next_.fetch(at.data, i, i + part, count_);
        if (!run_part(from, part, scattered, shape_.stream && out >= streamed)) return false;
        out += part * shape_.out_step;
    }
    return true;
}

bool GatherStep::run_turned(const Position& start) const {
    std::atomic<bool> refused{false};
    // Where all rows of `out` begin at the same place of a line, the first part has what comes before the next line.
    const int64_t line = tune::kLine / shape_.bytes, into = reinterpret_cast<intptr_t>(start.out) % tune::kLine,
                  before = turned_.out_step % tune::kLine == 0 && into % shape_.bytes == 0 ? into / shape_.bytes : 0,
                  parts = pieces(before + turned_.rows, line);
    for_ranges(index_axes_.count() * blocks_ * parts, work_bytes_, [&](int64_t begin, int64_t end) {
        // Rows in it lie a line further apart, so that they share no set of the first cache.
        char few[tune::kTransposeStage];
        const KeptMemory many = new_memory(line * (block_ * shape_.bytes + tune::kLine));
        char* const rows = many ? many.get() : few;
        const int64_t room = many ? block_ : tune::kTransposeStage / tune::kLine - line;
        CopyBlock block;
        block.src = rows;
        block.dst_row = turned_.out_step, block.dst_column = shape_.bytes;
        block.src_row = shape_.bytes, block.src_column = room * shape_.bytes + tune::kLine;
        block.bytes = shape_.bytes;
        block.stream = turned_.stream;
        for (int64_t task = begin; task < end && !refused.load(std::memory_order_relaxed); ++task) {
            const Outer<3> at(index_axes_, task / parts / blocks_);
            const int64_t first_row = most(0, task % parts * line - before), piece = task / parts % blocks_,
                          last = least((piece + 1) * block_, count_);
            block.columns = least((task % parts + 1) * line - before, turned_.rows) - first_row;
            for (int64_t first = piece * block_; first < last; first += block.rows) {
                block.rows = least(room, last - first);
                block.dst = start.out + at.offset[0] + first * turned_.out_step + first_row * shape_.bytes;
                Position from{rows, start.data + at.offset[1] + first_row * turned_.step, start.indices + at.offset[2]};
                bool good = true;
                for (int64_t k = 0; k < block.columns && good; ++k) {
                    good = run_row(from, first, first + block.rows, nullptr);
                    from.out += block.src_column, from.data += turned_.step;
                }
                if (!good)
                    refused.store(true, std::memory_order_relaxed);
                else
                    turned_.copy(block);
            }
        }
        if (block.stream) settle_streams();
    });
    return !refused.load();
}

// A part of a row: without keeping offsets up to the first bad index, from there on by blocks of offsets.
bool GatherStep::run_part(const Position& start, int64_t count, bool scattered, bool stream) const {
    // Not a copy of `start`: it was just written, and vectors that span two stores wait for both.
    char* out = start.out;
    const char *data = start.data, *indices = start.indices;
    const bool aligned = (reinterpret_cast<intptr_t>(indices) & (index_width(rule.type) - 1)) == 0;
    for (int64_t done; count > 0; count -= done) {
        const IndexAxis row{count, shape_.out_step, data_step_, index_step_};
        done = directly_ && aligned
                   ? directly_(rule, {out, data, indices, axis_stride, row, {}, scattered, shape_.into_first})
                   : 0;
        if (done == 0) {
            done = least(count, tune::kIndexBlock);
            if (!run_block({out, data, indices}, done, scattered, stream)) return false;
        }
        out += done * shape_.out_step;
        data += done * data_step_;
        indices += done * index_step_;
    }
    return true;
}

bool GatherStep::run_block(const Position& at, int64_t count, bool scattered, bool stream) const {
    int64_t offsets[tune::kIndexBlock];
    GatherBlock block = shape_;
    block.any_bad = resolve_(rule, at.indices, index_step_, count, axis_stride, data_step_, offsets);
    if (block.any_bad && rule.out_of_range == OutOfRange::raise) return false;
    block.out = at.out;
    block.data = at.data;
    block.offsets = offsets;
    block.count = count;
    block.scattered = scattered;
    block.stream = stream;
    gather_(block);
    return true;
}

// The pass with which a piece begins: with a line of data, but for the first one. One that has not a line has its
// neighbour's passes, too, so that squares of whole lines are made of all, some of them twice.
int64_t GatherStep::pass_of(int64_t piece, const char* data) const {
    if (piece == 0) return 0;
    const int64_t before = -(reinterpret_cast<intptr_t>(data) / shape_.bytes) & (line_passes_ - 1),
                  pass = before + piece * pass_piece_;
    return shape_.passes - pass < line_passes_ ? shape_.passes : pass;
}

bool GatherStep::run_passes(const Position& start) const {
    std::atomic<bool> refused{false};
    for_ranges(index_axes_.count() * blocks_ * per_block_, work_bytes_, [&](int64_t begin, int64_t end) {
        int64_t offsets[tune::kIndexBlock];
        while (begin < end) {
            const int64_t which = begin / per_block_;
            int64_t part = begin % per_block_;
            const int64_t until = least(per_block_, part + end - begin);
            begin += until - part;

            const Outer<3> at(index_axes_, which / blocks_);
            const int64_t first = which % blocks_ * block_;
            GatherBlock moved = shape_;
            moved.count = least(block_, count_ - first);
            moved.offsets = offsets;
            char* out = start.out + at.offset[0] + first * shape_.out_step;
            const char* data = start.data + at.offset[1] + first * data_step_;
            moved.any_bad = resolve(start.indices + at.offset[2] + first * index_step_, index_step_, moved.count,
                                    data_step_, offsets);
            add_positions(grid_, first, moved.count, offsets, moved.any_bad);
            if (moved.any_bad && rule.out_of_range == OutOfRange::raise) refused.store(true, std::memory_order_relaxed);
            if (refused.load(std::memory_order_relaxed)) return;
            moved.scattered =
                shape_.scattered &&
                (each_elsewhere_ || lie_far_by(moved.count, far_bytes(), [&](int64_t i) { return offsets[i]; }));
            Outer<3> pass(passes_, part / pass_pieces_);
            int64_t piece = part % pass_pieces_;
            for (; part < until; ++part) {
                const int64_t first_pass = pass_of(piece, data + pass.offset[1]);
                moved.passes = pass_of(piece + 1, data + pass.offset[1]) - first_pass;
                moved.out = out + pass.offset[0] + first_pass * shape_.out_pass;
                moved.data = data + pass.offset[1] + first_pass * shape_.data_pass;
                if (moved.passes > 0) gather_(moved);
                if (++piece == pass_pieces_) {
                    piece = 0;
                    pass.next();
                }
            }
        }
    });
    return !refused.load();
}

std::unique_ptr<Move> make_gather() { return std::make_unique_for_overwrite<GatherStep>(); }

}  // namespace wherry
