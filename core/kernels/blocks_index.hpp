// Index values to byte offsets: read once, then settled in private memory.

namespace wherry::WHERRY_ISA_NAME {
namespace {

template <class T>
void widen(const char* p, int64_t stride, int64_t count, int64_t* out) {
    T value;
    if (stride == static_cast<int64_t>(sizeof(T))) {
        for (int64_t i = 0; i < count; ++i) {
            memcpy(&value, p + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
            out[i] = static_cast<int64_t>(value);
        }
    } else {
        for (int64_t i = 0; i < count; ++i) {
            memcpy(&value, p + i * stride, sizeof(T));
            out[i] = static_cast<int64_t>(value);
        }
    }
}

// The place of one index outside 0..size-1; -1 if it has none. `value` of uint64 beyond 2^63 looks negative.
int64_t settle_outside(const IndexRule& rule, int64_t value) {
    const bool huge = rule.type == IndexType::u64 && value < 0;
    switch (rule.out_of_range) {
        case OutOfRange::clamp: return value < 0 && !huge ? 0 : rule.size - 1;
        case OutOfRange::wrap: {
            if (rule.size == 0) return -1;
            if (huge) return static_cast<int64_t>(static_cast<uint64_t>(value) % static_cast<uint64_t>(rule.size));
            const int64_t rest = value % rule.size;
            return rest < 0 ? rest + rule.size : rest;
        }
        case OutOfRange::raise:
        case OutOfRange::zero: break;
    }
    return -1;
}

// The indices are in `offsets`, and are turned into offsets there.
bool settle(const IndexRule& rule, int64_t count, int64_t axis_stride, int64_t step, int64_t* offsets) {
    // From here on the values are read from `offsets`, which no other thread can change: the compiler may
    // not go back to `indices` for them.
    __asm__ volatile("" : : "r"(offsets) : "memory");
    const int64_t size = rule.size;
    const int64_t added = rule.negative == Negative::from_end && rule.type != IndexType::u64 ? size : 0;
    uint64_t outside = 0;
    for (int64_t i = 0; i < count; ++i) {
        int64_t v = offsets[i];
        v += v < 0 ? added : 0;
        offsets[i] = v;
        outside |= static_cast<uint64_t>(static_cast<uint64_t>(v) >= static_cast<uint64_t>(size));
    }
    bool bad = false;
    if (outside) {
        for (int64_t i = 0; i < count; ++i) {
            if (static_cast<uint64_t>(offsets[i]) < static_cast<uint64_t>(size)) continue;
            offsets[i] = settle_outside(rule, offsets[i]);
            bad |= offsets[i] < 0;
        }
    }
    if (bad) {
        for (int64_t i = 0; i < count; ++i)
            offsets[i] = offsets[i] < 0 ? kBadOffset : offsets[i] * axis_stride + i * step;
    } else {
        for (int64_t i = 0; i < count; ++i) offsets[i] = offsets[i] * axis_stride + i * step;
    }
    return bad;
}

template <class T>
bool resolve(const IndexRule& rule, const char* indices, int64_t index_stride, int64_t count, int64_t axis_stride,
             int64_t step, int64_t* offsets) {
    widen<T>(indices, index_stride, count, offsets);
    return settle(rule, count, axis_stride, step, offsets);
}

ResolveKernel resolve_for(IndexType type) {
    return for_index(type, []<class T>(T) -> ResolveKernel { return resolve<T>; });
}

// One comparison an index: unsigned, the values below the range are above it. The sum is as wide as the
// index, so that the compiler needs no conversions between vectors of two widths.
template <class T, class Unsigned>
bool any_outside_of(const char* p, int64_t stride, int64_t count, Unsigned low, Unsigned range) {
    Unsigned outside = 0, value;
    if (stride == static_cast<int64_t>(sizeof(T))) {
        for (int64_t i = 0; i < count; ++i) {
            memcpy(&value, p + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
            outside |= static_cast<Unsigned>(static_cast<Unsigned>(value - low) > range);
        }
    } else {
        for (int64_t i = 0; i < count; ++i) {
            memcpy(&value, p + i * stride, sizeof(T));
            outside |= static_cast<Unsigned>(static_cast<Unsigned>(value - low) > range);
        }
    }
    return outside != 0;
}

// The check alone: nothing is written, so an index may be looked at twice. The allowed range is cut to what T can hold.
template <class T>
bool any_outside(const IndexRule& rule, const char* p, int64_t stride, int64_t count) {
    if (rule.size == 0) return count > 0;
    using Unsigned = UnsignedOf<sizeof(T)>;
    constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
    constexpr uint64_t most = ~uint64_t{0} >> ((is_signed ? 65 : 64) - 8 * sizeof(T));
    const uint64_t size = static_cast<uint64_t>(rule.size), high = size - 1 > most ? most : size - 1;
    uint64_t below = is_signed && rule.negative == Negative::from_end ? size : 0;
    if (below > most + 1) below = most + 1;
    return any_outside_of<T, Unsigned>(p, stride, count, static_cast<Unsigned>(0 - below),
                                       static_cast<Unsigned>(high + below));
}

OutsideKernel any_outside_for(IndexType type) {
    return for_index(type, []<class T>(T) -> OutsideKernel { return any_outside<T>; });
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
