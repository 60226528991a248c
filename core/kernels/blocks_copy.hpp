// Runs, strided blocks and fills.

namespace wherry::WHERRY_ISA_NAME {
namespace {

void move_bytes(char* dst, const char* src, int64_t bytes, bool stream) {
    stream ? stream_run(dst, src, bytes) : move_long(dst, src, bytes);
}

// A long row that is streamed as four parts, some of each by turns: the hardware fetches each of them ahead, and begins
// anew with each page, so that of a single one less is under way. Lines of different parts that lie at the same place
// of their pages keep each other waiting: four times as long. What is behind `parts * part` elements goes alone, and
// all of a row that is too short.
struct StreamedParts {
    static constexpr int64_t parts = tune::kStreamedParts;
    int64_t head, part;  // elements before a line begins; of one part, which is whole lines

    StreamedParts(const char* dst, int64_t width, int64_t count) {
        constexpr int64_t apart = tune::kPage / parts + tune::kLine;
        const bool is_short = count * width < parts * tune::kPage * 2;
        head = is_short ? 0 : bytes_to_line(dst) / width;
        const int64_t each = (count - head) * width / parts - apart;
        part = is_short ? 0 : (each / tune::kPage * tune::kPage + apart) / width;
    }
};

inline void stream_parts(char* dst, const char* src, int64_t bytes) {
    const auto [head, part] = StreamedParts(dst, 1, bytes);
    constexpr int64_t parts = StreamedParts::parts;
    move_run(dst, src, head);
    dst += head, src += head, bytes -= head;
    for (int64_t at = 0; at < part; at += tune::kLine)
#pragma GCC unroll 4
        for (int64_t k = 0; k < parts; ++k) stream_line(dst + k * part + at, src + k * part + at);
    stream_run(dst + parts * part, src + parts * part, bytes - parts * part);
}

// The same of elements that are computed, `piece` of them at a time: body(first, count).
template <class Body>
[[gnu::always_inline]] inline void for_parts(const char* dst, int64_t width, int64_t count, int64_t piece,
                                             Body&& body) {
    const auto [head, part] = StreamedParts(dst, width, count);
    constexpr int64_t parts = StreamedParts::parts;
    if (head > 0) body(0, head);
    for (int64_t at = 0; at < part; at += piece)
        for (int64_t k = 0; k < parts; ++k) body(head + k * part + at, least(piece, part - at));
    for (int64_t at = head + parts * part; at < count; at += piece) body(at, least(piece, count - at));
}

template <int Width>
void fill_fixed(char* dst, int64_t stride, int64_t count, const char* value) {
    char element[Width];
    memcpy(element, value, Width);
    if (stride == Width) {
        for (int64_t i = 0; i < count; ++i) memcpy(dst + i * Width, element, Width);
    } else {
        for (int64_t i = 0; i < count; ++i) memcpy(dst + i * stride, element, Width);
    }
}

// A row that repeats one element goes around the cache as a pattern of it.
template <int Width>
void stream_fill(StreamedRuns& runs, const char* element, int64_t count) {
    constexpr int64_t most = tune::kPatternBytes / Width;
    char pattern[tune::kPatternBytes];
    fill_fixed<Width>(pattern, Width, least(count, most), element);
    for (int64_t i = 0; i < count; i += most) runs.put(pattern, least(count - i, most) * Width);
}

template <int Width>
void fill_row(char* dst, int64_t stride, int64_t count, const char* value, int64_t, bool stream) {
    if (!stream) return fill_fixed<Width>(dst, stride, count, value);
    StreamedRuns runs(dst);
    stream_fill<Width>(runs, value, count);
    runs.finish();
}

// Longer runs take a call.
constexpr int64_t kShortRun = kVector > 16 ? 2048 : 128;

// A few columns of many rows, such as the edge of an image, are moved column by column: a loop for each row would cost
// more than what it moves. As many rows are moved at once as stay in the first cache.
template <int Width>
void copy_narrow(const CopyBlock& b) {
    for (int64_t i = 0; i < b.rows; i += tune::kNarrowRows) {
        const int64_t rows = least(tune::kNarrowRows, b.rows - i), dst_row = b.dst_row, src_row = b.src_row;
        for (int64_t j = 0; j < b.columns; ++j) {
            char* dst = b.dst + i * dst_row + j * b.dst_column;
            const char* src = b.src + i * src_row + j * b.src_column;
            for (int64_t k = 0; k < rows; ++k, dst += dst_row, src += src_row) move_fixed<Width>(dst, src);
        }
    }
}

// Rows that are read backwards, streamed. A row by itself, mostly a piece of a longer one, is left to the hardware.
template <int Width>
[[gnu::noinline]] void stream_backwards(const CopyBlock& b) {
    constexpr int64_t piece = tune::kRowStageBytes / Width;
    alignas(64) char stage[tune::kRowStageBytes];
    const Further<true> further(b.columns * Width, b.src_row);
    StreamedRuns runs(b.dst);
    for (int64_t i = 0; i < b.rows; ++i) {
        const char* src = b.src + i * b.src_row;
        runs.go_to(b.dst + i * b.dst_row);
        for (int64_t at = 0; at < b.columns; at += piece) {
            const int64_t part = least(piece, b.columns - at);
            further.fetch(src, at * Width, part * Width);
            move_row<Width>(stage, Width, src - at * Width, -Width, part);
            runs.put(stage, part * Width);
        }
    }
    runs.finish();
}

template <int Width>
void copy_fixed(const CopyBlock& b) {
    const bool repeats = b.src_column == 0 && b.columns * Width >= tune::kRepeatedRow;
    if (!repeats && (channels_block<Width>(b) || transpose_block<Width>(b))) return;
    if (b.columns <= tune::kNarrowColumns && b.columns < b.rows) return copy_narrow<Width>(b);
    const int64_t least_row = b.src_column == 0 ? tune::kStreamRow : tune::kStreamRun;
    const bool stream = b.stream && b.dst_column == Width && b.columns * Width >= least_row;
    if (stream && b.rows > 1 && b.src_column == -Width && fetches_further(b.columns * Width, b.fetch, tune::kStreamRun))
        return stream_backwards<Width>(b);
    StreamedRuns runs(b.dst);
    for (int64_t i = 0; i < b.rows; ++i) {
        char* dst = b.dst + i * b.dst_row;
        const char* src = b.src + i * b.src_row;
        if (stream) {
            runs.go_to(dst);
            b.src_column == 0 ? stream_fill<Width>(runs, src, b.columns)
                              : stream_row<Width>(runs, src, b.src_column, b.columns);
        } else if (b.src_column == 0) {
            fill_fixed<Width>(dst, b.dst_column, b.columns, src);
        } else {
            move_row<Width>(dst, b.dst_column, src, b.src_column, b.columns);
        }
    }
    if (stream) runs.finish();
}

// How far the next run lies in src.
inline int64_t run_step(const CopyBlock& b) { return b.columns == 1 && b.rows > 1 ? b.src_row : b.src_column; }

// The same in dst.
inline int64_t written_step(const CopyBlock& b) { return b.columns == 1 ? b.dst_row : b.dst_column; }

// Whether the lines of runs that lie apart are fetched for writing, see Machine::fetch_written.
inline bool are_fetched_written(const CopyBlock& b) { return b.written_ahead > 0 && b.bytes <= tune::kCopiedRunBytes; }

// Whether runs that lie apart would leave parts of lines behind that take longer than all of them through the cache.
inline bool leaves_parts(const CopyBlock& b) {
    const int64_t steps = (b.rows > 1 ? b.dst_row : 0) | (b.columns > 1 ? b.dst_column : 0);
    return are_fetched_written(b) && !are_lines(b.dst, b.bytes | steps);
}

// Fetches, for writing, the lines of the run of dst that follows in some: where runs lie apart stores meet new lines
// again and again. Not of those that are written around the cache.
class WrittenRuns {
public:
    WrittenRuns(const CopyBlock& b, bool stream) : bytes_(b.bytes) {
        const int64_t step = written_step(b);
        if (!stream && step != bytes_ && are_fetched_written(b)) ahead_ = step * tune::kWrittenRunsAhead;
    }
    [[gnu::always_inline]] void fetch(const char* dst) const {
        if (ahead_ == 0) return;
        for (int64_t k = 0; k < bytes_; k += 64) prefetch_written(dst + ahead_ + k);
        prefetch_written(dst + ahead_ + bytes_ - 1);
    }

private:
    const int64_t bytes_;
    int64_t ahead_ = 0;
};

// Runs are fetched ahead: the hardware does not see where the next one is, not even in dense rows that do not begin
// with a line. Far: what is copied does not stay in the cache; else longer runs, and those one below the other, gain
// nothing. Short ones that follow each other, or nearly, do so in the first cache, too.
template <bool Far>
void copy_runs_that_are(const CopyBlock& b) {
    const int64_t step = run_step(b);
    const bool follows = written_step(b) == b.bytes;
    const bool stream =
        Far && b.bytes >= (follows ? tune::kStreamFollowingRun : tune::kStreamRun) && (follows || !leaves_parts(b));
    const bool follow = stream && follows;
    const bool fetches = Far ? b.bytes <= b.fetch : b.bytes <= tune::kCopiedRunBytes && b.columns > 1;
    const int64_t fetched = fetches ? b.bytes : 0;
    const bool near = Far ? b.bytes <= tune::kCopiedRunBytes && step >= 0 && step <= b.bytes / 4 * 5 : !b.far;
    // The further runs lie apart, the fewer of them the hardware has seen coming.
    const int64_t apart = Far ? most(1, least((step < 0 ? -step : step) / most(1, b.bytes), tune::kMostRunsApart)) : 1;
    const int64_t runs_ahead = b.far
                                   ? tune::kStagedBytesAhead / most(1, fetched)
                                   : least(apart * tune::kCopiedRunsAhead, tune::kCopiedBytesAhead / most(1, fetched));
    const int64_t ahead = step * most(1, runs_ahead);
    // The last line of a run that begins within one: far from the next run nothing else brings it.
    const bool ends_further = Far && !near && fetches && !are_lines(b.src, b.src_row | step);
    const WrittenRuns written(b, stream);
    StreamedRuns runs(b.dst);
    for (int64_t i = 0; i < b.rows; ++i) {
        for (int64_t j = 0; j < b.columns; ++j) {
            char* dst = b.dst + i * b.dst_row + j * b.dst_column;
            const char* src = b.src + i * b.src_row + j * b.src_column;
            written.fetch(dst);
            for (int64_t k = 0; k < fetched; k += 64) prefetch_into(src + ahead + k, near);
            if (ends_further) prefetch_far(src + ahead + fetched - 1);
            if (follow) {
                runs.go_to(dst);
                runs.put(src, b.bytes);
            } else if (stream) {
                stream_run(dst, src, b.bytes);
            } else if (b.bytes <= kShortRun) {
                move_run(dst, src, b.bytes);
            } else {
                move_long(dst, src, b.bytes);
            }
        }
    }
    if (follow) runs.finish();
}

// Long runs that are streamed.
void copy_long_runs(const CopyBlock& b) {
    const Further<false> further(b.bytes, run_step(b));
    StreamedRuns runs(b.dst);
    for (int64_t i = 0; i < b.rows; ++i) {
        for (int64_t j = 0; j < b.columns; ++j) {
            runs.go_to(b.dst + i * b.dst_row + j * b.dst_column);
            put_further(runs, b.src + i * b.src_row + j * b.src_column, b.bytes, further);
        }
    }
    runs.finish();
}

void copy_runs(const CopyBlock& b) {
    if (b.stream && fetches_further(b.bytes, b.fetch, tune::kLongRun)) return copy_long_runs(b);
    b.stream ? copy_runs_that_are<true>(b) : copy_runs_that_are<false>(b);
}

// The same of runs that are too short to be streamed, of a length that the compiler knows.
template <int Run>
void copy_fixed_runs(const CopyBlock& b) {
    static_assert(Run < tune::kStreamRun && Run <= tune::kCopiedRunBytes);
    const int64_t ahead = (b.far ? tune::kStagedBytesAhead / Run : tune::kCopiedRunsAhead) * b.src_column;
    // Those of which most lines are read.
    const bool far = (b.stream || b.far) && Run >= 32 && b.src_column > 0 && b.src_column <= 2 * Run;
    const WrittenRuns written(b, b.stream);
    for (int64_t i = 0; i < b.rows; ++i) {
        char* dst = b.dst + i * b.dst_row;
        const char* src = b.src + i * b.src_row;
        for (int64_t j = 0; j < b.columns; ++j, dst += b.dst_column, src += b.src_column) {
            prefetch_into(src + ahead, !far);
            written.fetch(dst);
            move_fixed<Run>(dst, src);
        }
    }
}

// The same of runs of a few parts: no branch depends on their length.
template <int Part, int Parts>
void copy_in_parts(const CopyBlock& b) {
    if (b.stream) return copy_runs(b);
    const int64_t bytes = b.bytes;
    const int64_t ahead = run_step(b) * (b.far ? tune::kStagedBytesAhead / bytes : tune::kCopiedRunsAhead);
    const bool fetches = b.columns > 1;
    const WrittenRuns written(b, b.stream);
    for (int64_t i = 0; i < b.rows; ++i) {
        char* dst = b.dst + i * b.dst_row;
        const char* src = b.src + i * b.src_row;
        for (int64_t j = 0; j < b.columns; ++j, dst += b.dst_column, src += b.src_column) {
            if (fetches)
                for (int64_t k = 0; k < Parts * Part; k += 64) prefetch_into(src + ahead + k, !b.far);
            written.fetch(dst);
            move_in_parts<Part, Parts>(dst, src, bytes);
        }
    }
}

// Calls put(k, dst, src) for each run of part k, row by row.
template <class Put>
[[gnu::always_inline]] inline void for_row_parts(const RowPart* parts, int64_t count, int64_t rows, Put&& put) {
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t k = 0; k < count; ++k) {
            const RowPart& part = parts[k];
            char* dst = part.dst + i * part.dst_row;
            const char* src = part.src + i * part.src_row;
            for (int64_t j = 0; j < part.runs; ++j, dst += part.dst_run, src += part.src_run) put(k, dst, src);
        }
    }
}

// The source is read in order, as the hardware expects it, or the parts of a row leave as whole lines together.
void stream_row_parts(const RowPart* parts, int64_t count, int64_t rows, bool join) {
    StreamedRuns runs[kMostRowParts];
    const bool into_first = count <= tune::kFollowedSources;
    for_row_parts(parts, count, rows, [&](int64_t k, char* dst, const char* src) {
        const int64_t bytes = parts[k].bytes, ahead = parts[k].ahead, fetched = ahead != 0 ? bytes : 0;
        for (int64_t at = 0; at < fetched; at += 64) prefetch_into(src + ahead + at, into_first);
        StreamedRuns& own = runs[join ? 0 : k];
        own.go_to(dst);
        own.put(src, bytes);
    });
    for (int64_t k = 0; k < (join ? 1 : count); ++k) runs[k].finish();
}

[[maybe_unused]] void move_row_parts(const RowPart* parts, int64_t count, int64_t rows, bool join, bool stream) {
    if (stream) return stream_row_parts(parts, count, rows, join);
    for_row_parts(parts, count, rows, [&](int64_t k, char* dst, const char* src) {
        const int64_t bytes = parts[k].bytes;
        bytes <= kShortRun ? move_run(dst, src, bytes) : move_long(dst, src, bytes);
    });
}

CopyKernel copy_for(int64_t bytes) {
    if (const CopyKernel kernel =
            for_element_width(bytes, [](auto width) -> CopyKernel { return copy_fixed<width.value>; }))
        return kernel;
    if (const CopyKernel kernel =
            for_short_run(bytes, [](auto run) -> CopyKernel { return copy_fixed_runs<run.value>; }))
        return kernel;
    const CopyKernel kernel = for_few_parts(
        bytes, [](auto part, auto parts) -> CopyKernel { return copy_in_parts<part.value, parts.value>; });
    return kernel ? kernel : copy_runs;
}

void fill_any(char* dst, int64_t stride, int64_t count, const char* value, int64_t width, bool stream) {
    if (stride != width || width > tune::kPatternBytes / 2) {
        for (int64_t i = 0; i < count; ++i) move_run(dst + i * stride, value, width);
        return;
    }
    // Many elements at once.
    char pattern[tune::kPatternBytes];
    const int64_t elements = least(count, tune::kPatternBytes / width), bytes = count * width;
    for (int64_t i = 0; i < elements; ++i) move_run(pattern + i * width, value, width);
    StreamedRuns runs(dst);
    for (int64_t at = 0; at < bytes; at += elements * width) {
        const int64_t part = least(elements * width, bytes - at);
        stream ? runs.put(pattern, part) : move_run(dst + at, pattern, part);
    }
    if (stream) runs.finish();
}

FillKernel fill_for(int64_t width) {
    const FillKernel kernel = for_element_width(width, [](auto known) -> FillKernel { return fill_row<known.value>; });
    return kernel ? kernel : fill_any;
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
