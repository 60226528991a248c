// Diagonals: each row is data, value, data, or the other way round.
#include "diagonals.hpp"

#include <string.h>

#include "../kernels/blocks.hpp"
#include "../layout/iterate.hpp"
#include "../layout/numbers.hpp"
#include "../parallel.hpp"
#include "copy.hpp"
#include "stage.hpp"

namespace wherry {
namespace {

int64_t within(int64_t v, int64_t low, int64_t high) { return v < low ? low : v > high ? high : v; }

// The finer axis of out becomes that of the columns.
void turn(DiagonalsJob& job) {
    if (job.rows <= 1 || job.columns <= 1) return;  // steps along an axis of one element may be any
    if (magnitude(job.column_step[0]) <= magnitude(job.row_step[0])) return;
    const int64_t rows = job.rows, begin = job.begin;
    job.rows = job.columns;
    job.columns = rows;
    job.begin = 1 - job.end;
    job.end = 1 - begin;
    for (int k = 0; k < 2; ++k) {
        const int64_t step = job.row_step[k];
        job.row_step[k] = job.column_step[k];
        job.column_step[k] = step;
    }
}

class Rows {
public:
    explicit Rows(const DiagonalsJob& job, bool stream) : job_(job), kernels_(block_kernels()), stream_(stream) {
        if (stream_) kernels_.fill(pattern_, job.width, tune::kStageBytes / job.width, job.value, job.width);
    }

    void write(char* out, const char* data, int64_t y) const {
        const int64_t first = within(y + job_.begin, 0, job_.columns);
        const int64_t last = within(y + job_.end, first, job_.columns);
        part(out, data, 0, first, job_.inverted);
        part(out, data, first, last, !job_.inverted);
        part(out, data, last, job_.columns, job_.inverted);
    }

private:
    void part(char* out, const char* data, int64_t from, int64_t to, bool fill) const {
        if (from >= to) return;
        char* const dst = out + from * job_.column_step[0];
        if (fill) return fill_run(dst, to - from);
        if (job_.data) copy_run(dst, data + from * job_.column_step[1], to - from);
    }

    void fill_run(char* dst, int64_t count) const {
        const int64_t bytes = count * job_.width;
        if (!stream_ || bytes < tune::kStreamRun)
            return kernels_.fill(dst, job_.column_step[0], count, job_.value, job_.width);
        for (int64_t at = 0; at < bytes; at += tune::kStageBytes)
            kernels_.move(dst + at, pattern_, least(tune::kStageBytes, bytes - at), true);
    }

    void copy_run(char* dst, const char* src, int64_t count) const {
        if (job_.column_step[0] == job_.width && job_.column_step[1] == job_.width)
            return kernels_.move(dst, src, count * job_.width, stream_);
        CopyBlock block{};
        block.dst = dst;
        block.src = src;
        block.rows = 1;
        block.columns = count;
        block.dst_column = job_.column_step[0];
        block.src_column = job_.column_step[1];
        block.bytes = job_.width;
        kernels_.copy(block);
    }

    const DiagonalsJob& job_;
    const BlockKernels& kernels_;
    const bool stream_;
    alignas(64) char pattern_[tune::kStageBytes];
};

}  // namespace

void fill_diagonals(DiagonalsJob& job) {
    if (job.batch.empty || job.rows == 0 || job.columns == 0 || job.width == 0) return;
    collapse(job.batch);
    turn(job);
    const int64_t total_bytes = job.batch.count() * job.rows * job.columns * job.width;
    const bool stream = total_bytes >= tune::kStreamBytes && job.column_step[0] == job.width &&
                        tune::kStageBytes % job.width == 0 && job.data;
    for_ranges(job.batch.count() * job.rows, total_bytes, [&](int64_t begin, int64_t end) {
        const Rows rows(job, stream);
        Outer<2> at(job.batch, begin / job.rows);
        int64_t y = begin % job.rows;
        for (int64_t row = begin; row < end; ++row) {
            rows.write(job.out + job.batch.offset[0] + at.offset[0] + y * job.row_step[0],
                       job.data ? job.data + job.batch.offset[1] + at.offset[1] + y * job.row_step[1] : nullptr, y);
            if (++y == job.rows) {
                y = 0;
                at.next();
            }
        }
        if (stream) settle_streams();
    });
}

}  // namespace wherry
