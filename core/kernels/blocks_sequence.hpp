// Numbers at equal distances.

namespace wherry::WHERRY_ISA_NAME {
namespace {

constexpr int64_t kSequencePiece = 512;  // elements that are put together in the cache

// Integers are computed modulo a power of two, in 32 bits or 64.
template <class T, class Wide>
void sequence_run(char* out, const SequenceJob& job, int64_t first, int64_t count) {
    T start, delta;
    memcpy(&start, job.start, sizeof(T));
    memcpy(&delta, job.delta, sizeof(T));
    typename Loose<T>::type* to = reinterpret_cast<typename Loose<T>::type*>(out);
    if constexpr (static_cast<T>(0.5) != 0) {
        for (int64_t i = 0; i < count; ++i) to[i] = start + static_cast<T>(first + i) * delta;
    } else {
        const Wide step = delta, base = static_cast<Wide>(start) + static_cast<Wide>(first) * step;
        for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(base + static_cast<Wide>(i) * step);
    }
}

void sequence_of(Element element, char* out, const SequenceJob& job, int64_t first, int64_t count) {
    if (element == Element::f32) return sequence_run<float, float>(out, job, first, count);
    if (element == Element::f64) return sequence_run<double, double>(out, job, first, count);
    switch (job.width) {
        case 1: return sequence_run<uint8_t, uint32_t>(out, job, first, count);
        case 2: return sequence_run<uint16_t, uint32_t>(out, job, first, count);
        case 4: return sequence_run<uint32_t, uint32_t>(out, job, first, count);
        default: return sequence_run<uint64_t, uint64_t>(out, job, first, count);
    }
}

// What is streamed ends with no fence.
void sequence_block(const SequenceBlock& b) {
    const SequenceJob& job = b.job;
    char* out = job.out + b.first * job.out_step;
    if (job.out_step == job.width && !b.stream) return sequence_of(job.element, out, job, b.first, b.last - b.first);
    alignas(64) char numbers[kSequencePiece * 8];
    // The first piece is a little shorter, so that all others begin with a line.
    int64_t piece = kSequencePiece - (reinterpret_cast<intptr_t>(out) & 63) / job.width;
    for (int64_t first = b.first; first < b.last; first += piece, piece = kSequencePiece) {
        const int64_t count = least(b.last - first, piece);
        out = job.out + first * job.out_step;
        sequence_of(job.element, numbers, job, first, count);
        if (b.stream)
            stream_run(out, numbers, count * job.width);
        else
            move_row_of(job.width, out, job.out_step, numbers, job.width, count);
    }
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
