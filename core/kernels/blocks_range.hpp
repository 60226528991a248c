// Numbers at equal distances.

namespace wherry::WHERRY_ISA_NAME {
namespace {

// Integers are computed modulo a power of two, in 32 bits or 64.
template <class T>
void range_run(char* out, const RangeBlock& b, int64_t first, int64_t count) {
    T start, delta;
    memcpy(&start, b.start, sizeof(T));
    memcpy(&delta, b.delta, sizeof(T));
    typename Loose<T>::type* to = reinterpret_cast<typename Loose<T>::type*>(out);
    if constexpr (static_cast<T>(0.5) != 0) {
        for (int64_t i = 0; i < count; ++i) to[i] = start + static_cast<T>(first + i) * delta;
    } else {
        using Wide = UnsignedOf<sizeof(T) < 4 ? 4 : sizeof(T)>;
        const Wide step = delta, base = static_cast<Wide>(start) + static_cast<Wide>(first) * step;
        for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(base + static_cast<Wide>(i) * step);
    }
}

void range_dense(char* out, const RangeBlock& b, int64_t first, int64_t count) {
    if (b.element == Element::f32) return range_run<float>(out, b, first, count);
    if (b.element == Element::f64) return range_run<double>(out, b, first, count);
    for_width<1, 2, 4, 8>(b.width, [&](auto width) { range_run<UnsignedOf<width.value>>(out, b, first, count); });
}

void range_block(const RangeBlock& b) {
    char* out = b.out + b.first * b.out_step;
    if (b.out_step == b.width && !b.stream) return range_dense(out, b, b.first, b.last - b.first);
    constexpr int64_t stage = tune::kStageBytes / 8;
    alignas(64) char numbers[tune::kStageBytes];
    // The first piece is a little shorter, so that all others begin with a line.
    int64_t piece = stage - (reinterpret_cast<intptr_t>(out) & 63) / b.width;
    for (int64_t first = b.first; first < b.last; first += piece, piece = stage) {
        const int64_t count = least(b.last - first, piece);
        out = b.out + first * b.out_step;
        range_dense(numbers, b, first, count);
        if (b.stream)
            stream_run(out, numbers, count * b.width);
        else
            move_row_of(b.width, out, b.out_step, numbers, b.width, count);
    }
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
