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

#if defined(WHERRY_NEON)

// Places in lanes of 32 bits: products of 64 bits have no instruction.
inline bool are_small(int64_t size, int64_t axis_stride) {
    return size <= INT32_MAX && axis_stride == static_cast<int32_t>(axis_stride);
}

// Eight indices as they were read, in registers from where the compiler cannot go back to memory; and where they lie on
// the axis, if none is outside.
template <class T>
struct Eight;

template <>
struct Eight<int32_t> {
    int32x4_t given[2], places[2];

    explicit Eight(const char* indices) : given{load<int32x4_t>(indices), load<int32x4_t>(indices + 16)} {
        __asm__ volatile("" : "+w"(given[0]), "+w"(given[1]));
    }
    [[gnu::always_inline]] inline bool any_outside(int64_t size, int64_t added) {
        uint32x4_t outside = {};
        for (int k = 0; k < 2; ++k) {
            const int32x4_t more = vandq_s32(vshrq_n_s32(given[k], 31), vdupq_n_s32(static_cast<int32_t>(added)));
            places[k] = vaddq_s32(given[k], more);
            outside |= vcgeq_u32(vreinterpretq_u32_s32(places[k]), vdupq_n_u32(static_cast<uint32_t>(size)));
        }
        return vmaxvq_u32(outside) != 0;
    }
    void widen(char* offsets) const {
        for (int k = 0; k < 2; ++k) {
            store(offsets + k * 32, vmovl_s32(vget_low_s32(given[k])));
            store(offsets + k * 32 + 16, vmovl_high_s32(given[k]));
        }
    }
};

template <>
struct Eight<int64_t> {
    int64x2_t given[4];
    int32x4_t places[2];

    explicit Eight(const char* indices) {
        for (int k = 0; k < 4; ++k) given[k] = load<int64x2_t>(indices + k * 16);
        __asm__ volatile("" : "+w"(given[0]), "+w"(given[1]), "+w"(given[2]), "+w"(given[3]));
    }
    [[gnu::always_inline]] inline bool any_outside(int64_t size, int64_t added) {
        uint64x2_t outside = {};
        int32x4_t at[4];
        for (int k = 0; k < 4; ++k) {
            const int64x2_t more = vandq_s64(vshrq_n_s64(given[k], 63), vdupq_n_s64(added));
            const int64x2_t place = vaddq_s64(given[k], more);
            outside |= vcgeq_u64(vreinterpretq_u64_s64(place), vdupq_n_u64(static_cast<uint64_t>(size)));
            at[k] = vreinterpretq_s32_s64(place);
        }
        places[0] = vuzp1q_s32(at[0], at[1]), places[1] = vuzp1q_s32(at[2], at[3]);
        return vmaxvq_u32(vreinterpretq_u32_u64(outside)) != 0;
    }
    void widen(char* offsets) const {
        for (int k = 0; k < 4; ++k) store(offsets + k * 16, given[k]);
    }
};

// The same as `settle`, of indices `first` and on.
bool settle_from(int64_t first, const IndexRule& rule, int64_t count, int64_t axis_stride, int64_t step,
                 int64_t* offsets) {
    const bool bad = settle(rule, count, axis_stride, step, offsets + first);
    for (int64_t i = first; i < first + count; ++i)
        if (offsets[i] != kBadOffset) offsets[i] += first * step;
    return bad;
}

template <class T>
bool resolve_eights(const IndexRule& rule, const char* indices, int64_t count, int64_t axis_stride, int64_t step,
                    int64_t* offsets) {
    constexpr int64_t width = sizeof(T);
    const int64_t size = rule.size, added = rule.negative == Negative::from_end ? size : 0;
    const int32x4_t stride = vdupq_n_s32(static_cast<int32_t>(axis_stride));
    const uint64_t next = static_cast<uint64_t>(step);  // beyond the last index sums may go around
    uint64x2_t base[4];
    for (uint64_t k = 0; k < 4; ++k) base[k] = uint64x2_t{2 * k * next, (2 * k + 1) * next};
    bool bad = false;
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        Eight<T> eight(indices + i * width);
        char* const to = reinterpret_cast<char*>(offsets + i);
        if (__builtin_expect(eight.any_outside(size, added), 0)) {
            eight.widen(to);
            bad |= settle_from(i, rule, 8, axis_stride, step, offsets);
        } else {
            for (int k = 0; k < 2; ++k) {
                const int64x2_t low = vreinterpretq_s64_u64(base[2 * k]), high = vreinterpretq_s64_u64(base[2 * k + 1]);
                store(to + k * 32, vmlal_s32(low, vget_low_s32(eight.places[k]), vget_low_s32(stride)));
                store(to + k * 32 + 16, vmlal_high_s32(high, eight.places[k], stride));
            }
        }
        for (int k = 0; k < 4; ++k) base[k] = vaddq_u64(base[k], vdupq_n_u64(8 * next));
    }
    widen<T>(indices + i * width, width, count - i, offsets + i);
    return bad | settle_from(i, rule, count - i, axis_stride, step, offsets);
}

#endif

template <class T>
bool resolve(const IndexRule& rule, const char* indices, int64_t index_stride, int64_t count, int64_t axis_stride,
             int64_t step, int64_t* offsets) {
#if defined(WHERRY_NEON)
    if constexpr (is_direct<T>)
        if (index_stride == static_cast<int64_t>(sizeof(T)) && are_small(rule.size, axis_stride))
            return resolve_eights<T>(rule, indices, count, axis_stride, step, offsets);
#endif
    widen<T>(indices, index_stride, count, offsets);
    return settle(rule, count, axis_stride, step, offsets);
}

ResolveKernel resolve_for(IndexType type) {
    return for_index(type, []<class T>(T) -> ResolveKernel { return resolve<T>; });
}

// Whether an element lies beyond low..low + range: unsigned, the values below are above it. The largest of each lane
// are kept, signed, as most sets compare; vectors of 16 bytes have no such comparison of 64 bits on every machine. Four
// parts are read side by side: the hardware fetches each ahead, where of a single one it reads half as much in a time,
// and each has a vector of its own, so that none waits for the one before.
template <class T>
bool any_outside_of(const char* p, int64_t stride, int64_t count, T low, T range) {
    constexpr int64_t width = sizeof(T), lanes = kVector / width, parts = 4;
    T outside = 0;
    int64_t i = 0;
    if (stride == width && (kVector > 16 || width < 8)) {
        using Signed = std::make_signed_t<T>;
        typedef T Lanes __attribute__((vector_size(kVector)));
        typedef Signed SignedLanes __attribute__((vector_size(kVector)));
        constexpr T lowest = T{1} << (8 * width - 1);
        const T from = low + lowest, most = range - lowest;
        SignedLanes largest[parts];
        for (auto& each : largest) each = SignedLanes{} + static_cast<Signed>(lowest);
        const int64_t part = count / (parts * lanes) * lanes;
        for (; i < part; i += lanes)
#pragma GCC unroll 4
            for (int64_t k = 0; k < parts; ++k) {
                Lanes values;
                memcpy(&values, p + (k * part + i) * width, kVector);
                const SignedLanes at = reinterpret_cast<SignedLanes>(values - from);
                largest[k] = at > largest[k] ? at : largest[k];
            }
        for (const SignedLanes& each : largest)
            for (int64_t k = 0; k < lanes; ++k) outside |= static_cast<T>(each[k] > static_cast<Signed>(most));
        i = parts * part;
    }
    for (; i < count; ++i) {
        T value;
        memcpy(&value, p + i * stride, sizeof(T));
        outside |= static_cast<T>(static_cast<T>(value - low) > range);
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
    return any_outside_of<Unsigned>(p, stride, count, static_cast<Unsigned>(0 - below),
                                    static_cast<Unsigned>(high + below));
}

OutsideKernel any_outside_for(IndexType type) {
    return for_index(type, []<class T>(T) -> OutsideKernel { return any_outside<T>; });
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
