// The steps of a program: what each move needs to run, with offsets into buffers in place of pointers.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "../steps/add.hpp"
#include "../steps/bands.hpp"
#include "../steps/convert.hpp"
#include "../steps/copy.hpp"
#include "../steps/diagonals.hpp"
#include "../steps/gather.hpp"
#include "../steps/group.hpp"
#include "../steps/range.hpp"
#include "../steps/replace.hpp"
#include "../steps/scatter.hpp"
#include "../steps/select.hpp"
#include "indexing.hpp"

namespace wherry::bind {

struct CopyStep {
    int to, from;
    int64_t to_offset, from_offset, width;
    Axes<2> axes;
    int64_t all_bytes = 0;  // of the copies around it that it does not depend on
};

// Copies that run slice by slice.
struct GroupStep {
    std::vector<GroupedCopy> copies;
    Slices slices;
};

// Copies that fill rows together.
struct BandStep {
    Bands bands;
};

struct FillStep {
    int to;
    int64_t to_offset;
    std::string value;
    Axes<1> axes;
};

struct GatherStep {
    int out, data, indices;
    GatherJob job;  // its pointers hold offsets until a run
    int64_t out_offset, data_offset, indices_offset;
};

struct CheckStep {
    int indices;
    int64_t offset;
    IndexArray array;
};

struct ScatterStep {
    int target, updates, indices;
    ScatterJob job;
    int64_t target_offset, updates_offset, indices_offset;
};

// A copy and the scatter to it.
struct ReplaceStep {
    CopyStep copy;
    ScatterStep scatter;
};

struct SelectStep {
    int buffer[4];  // out, condition, x, y
    int64_t offset[4];
    int64_t width;
    Axes<4> axes;
};

struct ConvertStep {
    int out, data;
    int64_t out_offset, data_offset;
    Element to, from;
    Axes<2> axes;
};

struct AddStep {
    int target, source;  // source -1: 0 is added
    int64_t target_offset, source_offset;
    Element element;
    Axes<2> axes;
};

struct DiagonalsStep {
    int out, data;  // data -1: what is there stays
    int64_t out_offset, data_offset;
    std::string value;
    DiagonalsJob job;  // its pointers are set by a run
};

struct RangeStep {
    int out;
    int64_t out_offset;
    RangeJob job;
};

using Step = std::variant<CopyStep, GroupStep, BandStep, FillStep, GatherStep, CheckStep, ScatterStep, ReplaceStep,
                          SelectStep, ConvertStep, AddStep, DiagonalsStep, RangeStep>;

inline bool run_step(const CopyStep& step, char* const* base) {
    Axes<2> axes = step.axes;
    copy(base[step.to] + step.to_offset, base[step.from] + step.from_offset, axes, step.width, step.all_bytes);
    return true;
}

inline bool run_step(const GroupStep& step, char* const* base) {
    copy_together(step.copies.data(), static_cast<int>(step.copies.size()), step.slices, base);
    return true;
}

inline bool run_step(const BandStep& step, char* const* base) {
    copy_bands(step.bands, base);
    return true;
}

inline bool run_step(const FillStep& step, char* const* base) {
    Axes<1> axes = step.axes;
    fill(base[step.to] + step.to_offset, axes, step.value.data(), static_cast<int64_t>(step.value.size()));
    return true;
}

inline bool run_step(const GatherStep& step, char* const* base) {
    GatherJob job = step.job;
    job.out = base[step.out] + step.out_offset;
    job.data = base[step.data] + step.data_offset;
    job.indices = base[step.indices] + step.indices_offset;
    return gather(job);
}

inline bool run_step(const CheckStep& step, char* const* base) {
    IndexArray array = step.array;
    array.start = base[step.indices] + step.offset;
    return !check_indices(array).found;
}

inline ScatterJob job_of(const ScatterStep& step, char* const* base) {
    ScatterJob job = step.job;
    job.target = base[step.target] + step.target_offset;
    job.updates = base[step.updates] + step.updates_offset;
    job.indices = base[step.indices] + step.indices_offset;
    return job;
}

inline bool run_step(const ScatterStep& step, char* const* base) { return scatter(job_of(step, base)); }

inline bool run_step(const ReplaceStep& step, char* const* base) {
    const CopyStep& copied = step.copy;
    const auto job = as_replace(base[copied.to] + copied.to_offset, base[copied.from] + copied.from_offset, copied.axes,
                                job_of(step.scatter, base));
    return job ? replace(*job) : run_step(copied, base) && run_step(step.scatter, base);
}

inline bool run_step(const SelectStep& step, char* const* base) {
    const auto at = [&](int k) { return base[step.buffer[k]] + step.offset[k]; };
    SelectJob job{at(0), at(1), at(2), at(3), step.width, step.axes};
    select(job);
    return true;
}

inline bool run_step(const ConvertStep& step, char* const* base) {
    ConvertJob job{base[step.out] + step.out_offset, base[step.data] + step.data_offset, step.to, step.from, step.axes};
    convert(job);
    return true;
}

inline bool run_step(const AddStep& step, char* const* base) {
    const char* source = step.source < 0 ? nullptr : base[step.source] + step.source_offset;
    AddJob job{base[step.target] + step.target_offset, source, step.element, step.axes};
    add(job);
    return true;
}

inline bool run_step(const DiagonalsStep& step, char* const* base) {
    DiagonalsJob job = step.job;
    job.out = base[step.out] + step.out_offset;
    job.data = step.data < 0 ? nullptr : base[step.data] + step.data_offset;
    job.value = step.value.data();
    fill_diagonals(job);
    return true;
}

inline bool run_step(const RangeStep& step, char* const* base) {
    RangeJob job = step.job;
    job.out = base[step.out] + step.out_offset;
    write_range(job);
    return true;
}

}  // namespace wherry::bind
