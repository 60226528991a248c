// What updates do to their elements: a kernel for each reduction, element type and order of updates.
#include "apply.hpp"

#include <cstring>
#include <limits>

#include "../kernels/dispatch.hpp"
#include "../layout/numbers.hpp"
#include "reduce.hpp"

namespace wherry {
namespace {

// Calls one(target, update) for each run, in order.
template <class One>
[[gnu::always_inline]] inline void for_runs(const ScatterBlock& b, One&& one) {
    for (int64_t p = 0; p < b.passes; ++p) {
        char* target = b.target + p * b.target_pass;
        const char* updates = b.updates + p * b.update_pass;
        const int64_t fetched = least(b.count, b.known - tune::kScatterAhead);
        int64_t i = 0;
        for (; i < fetched; ++i) {
            // Not for writing, which fetches into the first cache: see prefetch_far() of the kernels.
            __builtin_prefetch(target + b.offsets[i + tune::kScatterAhead], 0, 2);
            one(target + b.offsets[i], updates + b.sources[i]);
        }
        for (; i < b.count; ++i) one(target + b.offsets[i], updates + b.sources[i]);
    }
}

template <int Width>
struct Replacement {
    static constexpr int64_t kWidth = Width;
    static constexpr bool kIsMove = true;  // which takes no longer than to count it does

    [[gnu::always_inline]] void operator()(char* target, const char* update) const {
        std::memcpy(target, update, Width);
    }
};

template <int Width>
void replace_fixed(const ScatterBlock& b) {
    for_runs(b, Replacement<Width>());
}

void replace_runs(const ScatterBlock& b) {
    const auto move = block_kernels().move;
    for_runs(b, [bytes = b.bytes, move](char* target, const char* update) { move(target, update, bytes, false); });
}

// Calls one(element, update) for each pair, in order.
template <class One>
[[gnu::always_inline]] inline void for_pairs(char* target, const char* pairs, int64_t count, int64_t bytes, One&& one) {
    for (int64_t i = 0; i < count; ++i, pairs += bytes) {
        uint32_t offset;
        std::memcpy(&offset, pairs, sizeof(offset));
        one(target + offset, pairs + kPairOffset);
    }
}

// The indices of a row of updates, apart from what is done with these: compiled once, not for each reduction. Each
// index is read once before it is used: an atomic load keeps the compiler from reading it again.
template <class Index>
struct NamedIndices {
    const NamedUpdates& all;
    char* target;
    const char* indices;

    static int64_t read(const char* index) {
        return __atomic_load_n(reinterpret_cast<const Index*>(index), __ATOMIC_RELAXED);
    }

    // The target of an index, into the first cache. To fetch is harmless whatever the index, which is read again when
    // it is used.
    [[gnu::always_inline]] static void fetch(const char* to, const char* index, int64_t stride) {
        const uint64_t offset = static_cast<uint64_t>(read(index)) * static_cast<uint64_t>(stride);
        __builtin_prefetch(reinterpret_cast<const char*>(reinterpret_cast<uintptr_t>(to) + offset), 0, 3);
    }

    // Whatever the rule makes of an index.
    int64_t offset_of(int64_t index) const {
        const int64_t size = all.rule.size,
                      at = index + (index < 0 && all.rule.negative == Negative::from_end ? size : 0);
        return __builtin_expect(static_cast<uint64_t>(at) < static_cast<uint64_t>(size), 1) ? at * all.axis_stride
                                                                                            : offset_outside(index);
    }

    [[gnu::noinline]] int64_t offset_outside(int64_t index) const {
        int64_t offset = kBadOffset;
        const Index given = static_cast<Index>(index);
        if (all.rule.out_of_range == OutOfRange::clamp || all.rule.out_of_range == OutOfRange::wrap)
            all.resolve(all.rule, reinterpret_cast<const char*>(&given), 0, 1, all.axis_stride, 0, &offset);
        return offset;
    }
};

// A row of updates.
template <class Index, class One>
struct NamedRow : NamedIndices<Index> {
    const char* updates;

    // In order up to the first index that is no position counted from the beginning: returns how many. `Dense`:
    // neighbours along the axis touch each other, as the updates and the indices do, and the row goes to one place.
    template <bool Dense>
    [[gnu::always_inline]] inline int64_t apply_plain() const {
        const int64_t count = this->all.row.count, near = this->all.far ? most(0, count - tune::kScatterNamedAhead) : 0;
        const int64_t done = apply_some<Dense, true>(0, near);
        return done < near ? done : apply_some<Dense, false>(near, count);
    }

    // Those from `first` on.
    template <bool Dense, bool Ahead>
    [[gnu::always_inline]] inline int64_t apply_some(int64_t first, int64_t end) const {
        constexpr IndexAxis dense{0, 0, One::kWidth, sizeof(Index)};
        constexpr int64_t ahead = tune::kScatterNamedAhead;
        constexpr bool unrolls = Dense && One::kIsMove;
        const IndexAxis step = Dense ? dense : this->all.row;
        const int64_t stride = Dense ? One::kWidth : this->all.axis_stride;
        const auto size = static_cast<uint64_t>(this->all.rule.size);
        const char *update = updates + first * step.read, *index = this->indices + first * step.index;
        char* to = this->target + first * step.written;
        return for_each<unrolls>(first, end, [&] {
            if (Ahead) this->fetch(to + ahead * step.written, index + ahead * step.index, stride);
            const int64_t at = this->read(index);
            if (__builtin_expect(static_cast<uint64_t>(at) >= size, 0)) return false;
            One()(to + at * stride, update);
            to += step.written, update += step.read, index += step.index;
            return true;
        });
    }

    // Calls one() for positions from `first` on up to the first for which it is false: returns where that was.
    template <bool Unroll, class Call>
    [[gnu::always_inline]] static int64_t for_each(int64_t first, int64_t end, Call&& one) {
        if constexpr (Unroll) {
#pragma GCC unroll 4
            for (int64_t i = first; i < end; ++i)
                if (!one()) return i;
        } else {
            for (int64_t i = first; i < end; ++i)
                if (!one()) return i;
        }
        return end;
    }

    // Those from `first` on, whatever their indices; false if some are left out.
    bool apply_rest(int64_t first) const {
        const IndexAxis& step = this->all.row;
        bool whole = true;
        for (int64_t i = first; i < step.count; ++i) {
            const int64_t offset = this->offset_of(this->read(this->indices + i * step.index));
            if (offset != kBadOffset)
                One()(this->target + i * step.written + offset, updates + i * step.read);
            else
                whole = false;
        }
        return whole;
    }
};

// Where a row met an index that counts from the end, the next ones are expected to have some.
template <class Index, class One>
bool apply_named(const NamedUpdates& updates) {
    const NamedUpdates u = updates;  // no store changes it
    const bool is_dense = u.axis_stride == One::kWidth && u.row.written == 0 && u.row.read == One::kWidth &&
                          u.row.index == static_cast<int64_t>(sizeof(Index));
    bool whole = true, is_plain = true;
    for (int64_t r = 0; r < u.rows.count; ++r) {
        const NamedRow<Index, One> row{{u, u.target + r * u.rows.written, u.indices + r * u.rows.index},
                                       u.updates + r * u.rows.read};
        int64_t done = 0;
        if (is_plain) done = is_dense ? row.template apply_plain<true>() : row.template apply_plain<false>();
        is_plain = done == u.row.count;
        if (!is_plain) whole &= row.apply_rest(done);
    }
    return whole;
}

template <class One>
NamedKernel named_for(IndexType type) {
    return for_index(type, []<class Index>(Index) -> NamedKernel {
        if constexpr (is_direct<Index>)
            return apply_named<Index, One>;
        else
            return nullptr;
    });
}

template <int Width>
void replace_pairs(char* target, const char* pairs, int64_t count) {
    for_pairs(target, pairs, count, kPairOffset + Width, Replacement<Width>());
}

ScatterKernels replace_for(int64_t bytes, IndexType indices) {
    const ScatterKernel kernel =
        for_element_width(bytes, [](auto width) -> ScatterKernel { return replace_fixed<width.value>; });
    return {kernel ? kernel : replace_runs,
            for_element_width(bytes, [](auto width) -> PairsKernel { return replace_pairs<width.value>; }),
            for_element_width(bytes, [=](auto width) { return named_for<Replacement<width.value>>(indices); })};
}

template <class T>
T quiet(T nan) {
    using Bits = BitsOf<T>;
    constexpr int fraction = std::numeric_limits<T>::digits - 1;
    return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(nan) | Bits{1} << (fraction - 1)));
}

// Of two NaN the update's stays: which one a processor keeps depends on the order that the compiler chose.
template <Reduction R, class T>
struct Arithmetic {
    static T of(T old, T update) {
        if constexpr (std::is_floating_point_v<T>)
            if (__builtin_expect(update != update, 0)) return quiet(update);
        return Combine<R, T>::of(old, update);
    }
};

template <class Combination, class T>
struct Combined {
    static constexpr int64_t kWidth = sizeof(T);
    static constexpr bool kIsMove = false;

    [[gnu::always_inline]] void operator()(char* target, const char* update) const {
        T old, with;
        std::memcpy(&old, target, sizeof(T));
        std::memcpy(&with, update, sizeof(T));
        old = Combination::of(old, with);
        std::memcpy(target, &old, sizeof(T));
    }
};

template <class Combination, class T>
void reduce_elements(const ScatterBlock& b) {
    for_runs(b, Combined<Combination, T>());
}

template <class Combination, class T>
void reduce_runs(const ScatterBlock& b) {
    const int64_t bytes = b.bytes;
    for_runs(b, [bytes](char* target, const char* update) {
        for (int64_t at = 0; at < bytes; at += sizeof(T)) Combined<Combination, T>()(target + at, update + at);
    });
}

template <class Combination, class T>
void reduce_pairs(char* target, const char* pairs, int64_t count) {
    for_pairs(target, pairs, count, kPairOffset + static_cast<int64_t>(sizeof(T)), Combined<Combination, T>());
}

template <class Combination, class T>
ScatterKernels reduce(int64_t bytes, IndexType indices) {
    if (bytes != sizeof(T)) return {reduce_runs<Combination, T>, nullptr, nullptr};
    return {reduce_elements<Combination, T>, reduce_pairs<Combination, T>,
            named_for<Combined<Combination, T>>(indices)};
}

// Integers have no NaN, and equal ones are the same.
template <Reduction R, class T>
ScatterKernels select(NanRule nan, int64_t bytes, IndexType indices) {
    if constexpr (std::is_integral_v<T>)
        return reduce<Select<R, NanRule::update, T>, T>(bytes, indices);
    else
        switch (nan) {
            case NanRule::propagate: return reduce<Select<R, NanRule::propagate, T>, T>(bytes, indices);
            case NanRule::update: return reduce<Select<R, NanRule::update, T>, T>(bytes, indices);
            case NanRule::data: return reduce<Select<R, NanRule::data, T>, T>(bytes, indices);
        }
    return {};
}

template <class T>
constexpr bool is_ordered = !std::is_same_v<T, Complex<float>> && !std::is_same_v<T, Complex<double>>;

// What sums, differences and products are computed in: signed integers wrap as unsigned ones do.
template <class T>
using Wrapped = std::conditional_t<std::is_integral_v<T>, BitsOf<T>, T>;

template <Reduction R, class T>
ScatterKernels calculate(int64_t bytes, IndexType indices) {
    return reduce<Arithmetic<R, T>, T>(bytes, indices);
}

template <class T>
ScatterKernels for_type(Reduction reduction, NanRule nan, int64_t bytes, IndexType indices) {
    switch (reduction) {
        case Reduction::none: return replace_for(bytes, indices);
        case Reduction::add: return calculate<Reduction::add, Wrapped<T>>(bytes, indices);
        case Reduction::sub: return calculate<Reduction::sub, Wrapped<T>>(bytes, indices);
        case Reduction::mul: return calculate<Reduction::mul, Wrapped<T>>(bytes, indices);
        case Reduction::min:
            if constexpr (is_ordered<T>) return select<Reduction::min, T>(nan, bytes, indices);
            break;
        case Reduction::max:
            if constexpr (is_ordered<T>) return select<Reduction::max, T>(nan, bytes, indices);
            break;
    }
    return {};
}

}  // namespace

ScatterKernels apply_for(Element element, Reduction reduction, NanRule nan, int64_t bytes, IndexType indices) {
    return for_element(element, [=]<class T>(TypeOf<T>) { return for_type<T>(reduction, nan, bytes, indices); });
}

bool has_arithmetic(Reduction reduction, Element element) {
    return apply_for(element, reduction, NanRule::propagate, 0, IndexType::i64).block != nullptr;
}

}  // namespace wherry
