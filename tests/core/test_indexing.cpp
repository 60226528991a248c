// Tuples of indices, and scatter with its reductions, against naive loops in row-major order.
#include <optional>
#include <type_traits>

#include "../../core/parallel.hpp"
#include "moves.hpp"

using namespace wherry;
using namespace wherry::test;

namespace {

// c, the indexed axes behind it, and what the indices are.
struct Case {
    Sizes sizes, indexed, all;
    IndexRule rule;
    View indices;

    Wide value_at(const Sizes& c, int64_t column) const {
        Sizes at = c;
        at.push_back(column);
        return index_at(rule.type, indices.at(at));
    }

    // The position that a tuple names behind c, if there is one.
    std::optional<Sizes> place_at(const Sizes& c) const {
        Sizes at = c;
        for (size_t k = 0; k < indexed.size(); ++k) {
            IndexRule own = rule;
            own.size = indexed[k];
            at.push_back(place(value_at(c, static_cast<int64_t>(k)), own));
            if (at.back() < 0) return std::nullopt;
        }
        return at;
    }
};

// Random indices of a type, some out of range; `in_order`: no axis of theirs repeats.
Case make_case(const Sizes& sizes, const Sizes& indexed, IndexType type, bool in_order) {
    Case made;
    made.sizes = sizes, made.indexed = indexed;
    const auto columns = static_cast<int64_t>(indexed.size());
    made.all = made.sizes;
    made.all.append(made.indexed.begin(), made.indexed.end());
    made.rule = {0, static_cast<OutOfRange>(between(0, 3)), static_cast<Negative>(between(0, 1)), type};
    Sizes index_sizes = made.sizes;
    index_sizes.push_back(columns);
    if (columns == 0) index_sizes.back() = 1;  // memory that no one reads
    made.indices = make_view(index_sizes, index_width(type), in_order ? kNever : kSometimes);
    const bool wild = between(0, 1) == 1;
    for_positions(index_sizes, [&](const auto& p) {
        if (columns > 0)
            put_index(type, made.indices.at(p), random_index(indexed[static_cast<size_t>(p.back())], wild));
    });
    return made;
}

Case make_case(int least_columns, bool in_order) {
    const Sizes sizes = random_sizes(static_cast<int>(between(0, 3)), between(0, 3) ? 500 : 20000);
    const int columns = static_cast<int>(between(least_columns, 3));
    Sizes indexed;
    for (int k = 0; k < columns; ++k) indexed.push_back(size_to(columns == 1 ? 300 : 12));
    return make_case(sizes, indexed, static_cast<IndexType>(between(0, 7)), in_order);
}

void describe(const Case& given, const View& indexed, Column* columns) {
    const size_t ndim = given.sizes.size();
    for (size_t k = 0; k < given.indexed.size(); ++k)
        columns[k] = {given.indices.strides[ndim] * static_cast<int64_t>(k), indexed.strides[ndim + k],
                      given.indexed[k]};
}

// A view of all axes in which some of those of c repeat, or all.
View repeat_some(const Case& given, int64_t width, bool all = false) {
    Sizes real = given.all, repeats = given.sizes;
    for (size_t a = 0; a < given.sizes.size(); ++a) {
        repeats[a] = all || between(0, 1) == 1;
        if (repeats[a] && real[a] > 1) real[a] = 1;
    }
    View v = make_view(real, width, kNever);
    for (size_t a = 0; a < given.sizes.size(); ++a) {
        if (repeats[a]) v.strides[a] = 0;
        v.sizes[a] = given.sizes[a];
    }
    return v;
}

void test_gather_tuples(const Case& given, int64_t width) {
    const View data = repeat_some(given, width), out = make_view(given.sizes, width, kNever);
    const auto before = gaps(out);
    Vector<char> expected;
    expected.reserve(static_cast<size_t>(count_of(given.sizes) * width));
    bool refused = false;
    for_positions(given.sizes, [&](const auto& c) {
        const auto at = given.place_at(c);
        refused |= !at && given.rule.out_of_range == OutOfRange::raise;
        if (!at)
            expected.insert(expected.end(), static_cast<size_t>(width), '\0');
        else
            expected.insert(expected.end(), data.at(*at), data.at(*at) + width);
    });
    Column columns[3];
    describe(given, data, columns);
    GatherStep job = make_gather_step();
    job.width = width;
    job.axis_stride = columns[0].axis_stride;
    job.rule = given.rule;
    job.rule.size = columns[0].size;
    job.further_count = static_cast<int>(given.indexed.size()) - 1;
    for (int k = 0; k < job.further_count; ++k) job.further[k] = columns[k + 1];
    for (size_t a = 0; a < given.sizes.size(); ++a)
        job.axes.add(given.sizes[a], {out.strides[a], data.strides[a], given.indices.strides[a]});
    const bool whole = run_at(job, {out.memory.get() + out.start, data.memory.get() + data.start,
                                    given.indices.memory.get() + given.indices.start});
    CHECK(whole == !refused, "gather by tuples refuses exactly the bad");
    if (whole) CHECK(elements(out) == expected, "gather by tuples");
    CHECK(gaps(out) == before, "gather by tuples leaves the gaps alone");
}

// Rows of elements with an index each: more short ones than are walked together, and long ones.
Case make_rows() {
    const bool are_short = between(0, 1) == 1;
    const Sizes sizes = {between(1, are_short ? 3 * tune::kNamedTogether : 20), between(1, are_short ? 12 : 600)};
    return make_case(sizes, {between(1, 60)}, one_of({IndexType::i32, IndexType::i64}), between(0, 1) == 1);
}

void test_gather_rows() { test_gather_tuples(make_rows(), one_of({1, 2, 4, 8, 16})); }

// Indices, target and updates of a job; the target's memory is restored by the caller.
ScatterStep scatter_job(const Case& given, const View& target, const View& updates) {
    ScatterStep job = make_scatter_step();
    job.width = target.width;
    job.rule = given.rule;
    job.column_count = static_cast<int>(given.indexed.size());
    describe(given, target, job.column);
    for (size_t a = 0; a < given.sizes.size(); ++a)
        job.axes.add(given.sizes[a], {target.strides[a], updates.strides[a], given.indices.strides[a]});
    job.reduction = Reduction::none;
    job.element = Element::u8;
    job.nan = NanRule::propagate;
    return job;
}

// Runs the job, and the same by `one(target, update)` on a copy of the memory in row-major order.
template <class One>
void compare(const Case& given, const View& target, const View& updates, ScatterStep job, One one, const char* what) {
    Vector<char> expected(target.memory.get(), target.memory.get() + target.bytes);
    bool refused = false;
    for_positions(given.sizes, [&](const auto& c) {
        const auto at = given.place_at(c);
        refused |= !at && given.rule.out_of_range == OutOfRange::raise;
        if (at) one(expected.data() + (target.at(*at) - target.memory.get()), updates.at(c));
    });
    const bool whole = run_at(job, {target.memory.get() + target.start, updates.memory.get() + updates.start,
                                    given.indices.memory.get() + given.indices.start});
    CHECK(whole == !refused, what);
    CHECK(std::equal(expected.begin(), expected.end(), target.memory.get()), what);
}

void test_scatter_moves(const Case& given, int64_t width, bool to_one = false) {
    const View target = repeat_some(given, width, to_one), updates = make_view(given.sizes, width, kSometimes);
    const auto replace = [width](char* to, const char* from) { copy_bytes(to, from, width); };
    compare(given, target, updates, scatter_job(given, target, updates), replace, "scatter");
}

void test_scatter_moves() { test_scatter_moves(make_case(0, false), random_width()); }

void test_scatter_rows() { test_scatter_moves(make_rows(), one_of({1, 2, 4, 8, 16})); }

// Elements that are fetched ahead: some to few, some to all of a large target.
void test_scatter_far() {
    for (const int64_t count : {tune::kScatterNamedAhead - 1, tune::kScatterNamedAhead + 1, int64_t{3000}})
        test_scatter_moves(
            make_case({count}, {3 * machine().far_element}, one_of({IndexType::i32, IndexType::i64}), true), 1, true);
}

template <class T>
T combined(Reduction reduction, NanRule nan, T old, T update) {
    using Unsigned =
        typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
    using W = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 4, uint32_t, Unsigned>;
    const W a = static_cast<W>(old), b = static_cast<W>(update);
    switch (reduction) {
        case Reduction::none: return update;
        case Reduction::add: return static_cast<T>(a + b);
        case Reduction::sub: return static_cast<T>(a - b);
        case Reduction::mul: return static_cast<T>(a * b);
        case Reduction::min:
        case Reduction::max: break;
    }
    if (old != old || update != update) {
        if (nan == NanRule::propagate) return old != old ? old : update;
        return nan == NanRule::update ? update : old;
    }
    if (old == update) return nan == NanRule::update ? update : old;
    return (update < old) == (reduction == Reduction::min) ? update : old;
}

template <class T>
void test_reduction(Element element) {
    Case given = make_case(0, false);
    const int64_t width = sizeof(T);
    const View target = repeat_some(given, width), updates = make_view(given.sizes, width, kSometimes);
    // Sums of small whole numbers: no NaN comes out of arithmetic, whose bits no one promises.
    const auto fill = [&](const View& v) {
        for_positions(v.sizes, [&](const auto& p) {
            const T value = static_cast<T>(between(std::is_signed_v<T> || std::is_floating_point_v<T> ? -3 : 0, 3));
            std::memcpy(v.at(p), &value, sizeof(T));
        });
    };
    ScatterStep job = scatter_job(given, target, updates);
    job.reduction = static_cast<Reduction>(between(1, 5));
    job.nan = static_cast<NanRule>(between(0, 2));
    job.element = element;
    const bool arithmetic = job.reduction <= Reduction::mul;
    if (arithmetic && std::is_floating_point_v<T>) {
        fill(target);
        fill(updates);
    }
    compare(
        given, target, updates, job,
        [&](char* to, const char* from) {
            T old, update;
            std::memcpy(&old, to, sizeof(T));
            std::memcpy(&update, from, sizeof(T));
            old = combined(job.reduction, job.nan, old, update);
            std::memcpy(to, &old, sizeof(T));
        },
        "scatter with a reduction");
}

constexpr void (*kReductions[])() = {
    [] { test_reduction<int8_t>(Element::i8); },    [] { test_reduction<int16_t>(Element::i16); },
    [] { test_reduction<int32_t>(Element::i32); },  [] { test_reduction<int64_t>(Element::i64); },
    [] { test_reduction<uint8_t>(Element::u8); },   [] { test_reduction<uint16_t>(Element::u16); },
    [] { test_reduction<uint32_t>(Element::u32); }, [] { test_reduction<uint64_t>(Element::u64); },
    [] { test_reduction<float>(Element::f32); },    [] { test_reduction<double>(Element::f64); },
};

// Large enough for threads: every way of sharing gives the order of one thread.
void test_threads() {
    struct Shape {
        int64_t rows, columns, run;
    };
    for (const Shape s : {Shape{300000, 1, 1}, Shape{60000, 3, 1}, Shape{20000, 1, 40}, Shape{500, 1, 2000}}) {
        std::vector<int32_t> indices(static_cast<size_t>(s.rows * s.columns));
        for (auto& i : indices) i = static_cast<int32_t>(between(-500, 499));
        std::vector<float> updates(static_cast<size_t>(s.rows * s.columns * s.run));
        for (auto& u : updates) u = static_cast<float>(between(0, 1000)) * 0.1f;
        std::vector<float> results[3];
        for (int threads = 1; threads <= 3; ++threads) {
            set_num_threads(threads);
            auto& target = results[threads - 1];
            target.assign(static_cast<size_t>(500 * s.columns * s.run), 1.0f);
            ScatterStep job = make_scatter_step();
            job.width = 4;
            job.rule = {0, OutOfRange::raise, Negative::from_end, IndexType::i32};
            job.column_count = 1;
            job.column[0] = {0, s.columns * s.run * 4, 500};
            job.axes.add(s.rows, {0, s.columns * s.run * 4, s.columns * 4});
            job.axes.add(s.columns, {s.run * 4, s.run * 4, 4});
            job.axes.add(s.run, {4, 4, 0});
            job.reduction = Reduction::add;
            job.element = Element::f32;
            job.nan = NanRule::propagate;
            CHECK(run_at(job, {reinterpret_cast<char*>(target.data()), reinterpret_cast<const char*>(updates.data()),
                               reinterpret_cast<const char*>(indices.data())}),
                  "scatter on threads");
        }
        CHECK(results[0] == results[1] && results[0] == results[2], "threads do not change the order");
    }
}

// Single elements, more than a queue holds, some of them left out: against a plain loop, with 1 to 3 threads.
template <class Index>
void test_elements(IndexType type, int64_t count, int64_t reach) {
    constexpr int64_t size = 70000;
    std::vector<Index> indices(static_cast<size_t>(count));
    for (auto& i : indices) i = static_cast<Index>(between(-reach, reach - 1));
    std::vector<uint32_t> updates(static_cast<size_t>(count)), expected(size, 1), target;
    for (auto& u : updates) u = static_cast<uint32_t>(between(0, 1 << 30));
    for (size_t i = 0; i < indices.size(); ++i) {
        const int64_t at = indices[i] < 0 ? indices[i] + size : indices[i];
        if (at >= 0 && at < size) expected[static_cast<size_t>(at)] = updates[i];
    }
    for (int threads = 1; threads <= 3; ++threads) {
        set_num_threads(threads);
        target.assign(size, 1);
        ScatterStep job = make_scatter_step();
        job.width = 4;
        job.rule = {0, OutOfRange::zero, Negative::from_end, type};
        job.column_count = 1;
        job.column[0] = {0, 4, size};
        job.axes.add(count, {0, 4, sizeof(Index)});
        job.reduction = Reduction::none;
        job.element = Element::u8;
        job.nan = NanRule::propagate;
        CHECK(run_at(job, {reinterpret_cast<char*>(target.data()), reinterpret_cast<const char*>(updates.data()),
                           reinterpret_cast<const char*>(indices.data())}),
              "scatter of elements leaves bad ones out");
        CHECK(target == expected, "scatter of elements, the last one stays");
    }
}

void test_halves() {
    CHECK(width_of(Element::f16) == 2 && width_of(Element::c128) == 16, "widths");
    CHECK(has_arithmetic(Reduction::max, Element::boolean), "bool has an order");
    CHECK(!has_arithmetic(Reduction::max, Element::c64) && has_arithmetic(Reduction::mul, Element::c64), "complex");
}

const Fuzzed fuzzed_tuples("gather by tuples", [] { test_gather_tuples(make_case(1, false), random_width()); });
const Fuzzed fuzzed_gathered_rows("gather of rows", test_gather_rows);
const Fuzzed fuzzed_scatter("scatter", [] { test_scatter_moves(); });
const Fuzzed fuzzed_rows("scatter of rows", test_scatter_rows);
const Fuzzed fuzzed_reductions("scatter with a reduction", [] { kReductions[between(0, 9)](); });

}  // namespace

void test_indexing(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        set_num_threads(i % 3);
        test_gather_tuples(make_case(1, false), random_width());
        test_gather_rows();
        test_scatter_moves();
        test_scatter_rows();
        kReductions[i % 10]();
    }
    test_scatter_far();
    test_threads();
    for (int64_t count : {63, 64, 1023, 1025, 1095, 66000, 200003}) {
        for (int64_t reach : {70000, 70100, 100000}) {
            test_elements<int64_t>(IndexType::i64, count, reach);
            test_elements<int32_t>(IndexType::i32, count, reach);
        }
    }
    test_halves();
    set_num_threads(0);
}
