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

template <class T>
void range_block(const RangeBlock& b) {
    constexpr int64_t width = sizeof(T), stage = tune::kStageBytes / 8;
    char* out = b.out + b.first * b.out_step;
    if (b.out_step == width && !b.stream) return range_run<T>(out, b, b.first, b.last - b.first);
    alignas(64) char numbers[tune::kStageBytes];
    // The first piece is a little shorter, so that all others begin with a line.
    int64_t piece = stage - bytes_in_line(out) / width;
    for (int64_t first = b.first; first < b.last; first += piece, piece = stage) {
        const int64_t count = least(b.last - first, piece);
        out = b.out + first * b.out_step;
        range_run<T>(numbers, b, first, count);
        if (b.stream)
            stream_run(out, numbers, count * width);
        else
            move_row<width>(out, b.out_step, numbers, width, count);
    }
}

RangeKernel range_for(Element element) {
    if (element == Element::f32) return range_block<float>;
    if (element == Element::f64) return range_block<double>;
    return for_width<1, 2, 4, 8>(width_of(element),
                                 [](auto width) -> RangeKernel { return range_block<UnsignedOf<width.value>>; });
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
