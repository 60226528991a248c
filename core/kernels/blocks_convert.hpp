// Elements as another type: for each pair the run that makes it, dense or not, streamed or not.

namespace wherry::WHERRY_ISA_NAME {
namespace {

#if defined(__AVX2__)

template <Element From, Element To, Beyond Rule>
constexpr ConvertRun own_run() {
    if constexpr (is_whole(To))
        return convert_to_integers<From, To, Rule>;
    else
        return convert_rounded<From, To>;
}

#else

// The compiler's instructions are all that there are.
constexpr bool has_own_run(Element, Element, Beyond) { return false; }

template <Element, Element, Beyond>
constexpr ConvertRun own_run() {
    return nullptr;
}

template <Element From>
void convert_wide_to_floats(char* out, const char* data, int64_t count) {
    convert_to_floats<From>(out, data, count);
}

#endif

template <Element From>
constexpr ConvertRun to_floats() {
    if constexpr (From == Element::f16)
        return kHalvesToFloats;
    else if constexpr (width_of(From) >= 4 && From != Element::f32)
        return convert_wide_to_floats<From>;
    else
        return convert_to_floats<From>;
}

// To integers that saturate, whose greatest number the float type holds: clamped, every float is in range.
template <Element From, Element To>
void convert_clamped(char* out, const char* data, int64_t count) {
    typedef typename Of<From>::Bits Float;
    typedef typename Of<To>::Bits Whole;
    constexpr int64_t piece = tune::kFloatStage, width = width_of(From);
    alignas(64) char floats[piece * width];
    int64_t i = 0;
    for (; i + kVector / width <= count;) {
        const int64_t part = least(piece, count - i) / (kVector / width) * (kVector / width);
        for (int64_t at = 0; at < part * width; at += kVector)
            clamp_vector<Float>(floats + at, data + i * width + at, kFirst<Whole, Float>, kMost<Whole>);
        convert_run<From, To, Beyond::wraps>(out + i * width_of(To), floats, part);
        i += part;
    }
    convert_run<From, To, Beyond::saturates>(out + i * width_of(To), data + i * width, count - i);
}

// Whether a float type holds the greatest number of an integer type: its significand has as many bits.
constexpr bool holds_most(Element from, Element to) {
    return to <= Element::u64 && 8 * width_of(to) - is_signed(to) <= (from == Element::f32   ? 24
                                                                      : from == Element::f64 ? 53
                                                                                             : 0);
}

// By way of floats, some of which lie in the first cache: for elements whose way to float, or from it, is the
// machine's. `run` makes elements of floats.
template <Element From, int OutWidth, class Run>
[[gnu::always_inline]] inline void run_by_floats(Run run, char* out, const char* data, int64_t count) {
    constexpr int64_t piece = tune::kFloatStage;
    alignas(64) char floats[piece * 4];
    for (int64_t i = 0; i < count; i += piece) {
        const int64_t part = least(piece, count - i);
        to_floats<From>()(floats, data + i * width_of(From), part);
        run(out + i * OutWidth, floats, part);
    }
}

template <Element From, ConvertRun Run, int OutWidth>
void convert_by_floats(char* out, const char* data, int64_t count) {
    run_by_floats<From, OutWidth>(Run, out, data, count);
}

// Integers wrap around: of the pairs that give the same bits one is compiled.
constexpr Element unsigned_of(Element e) {
    return e <= Element::i64 ? static_cast<Element>(static_cast<int>(e) + static_cast<int>(Element::u8)) : e;
}

template <Element From, Element To, Beyond Rule>
constexpr ConvertRun run_of() {
    if constexpr (Rule == Beyond::saturates && holds(To, From)) {
        return run_of<From, To, Beyond::wraps>();
    } else if constexpr (is_whole(From) && is_whole(To) && Rule == Beyond::wraps) {
        constexpr bool drops = width_of(From) >= width_of(To) || To == Element::boolean;
        return convert_run < drops ? unsigned_of(From) : From, unsigned_of(To), Rule > ;
    } else if constexpr (From == Element::boolean) {
        return convert_booleans<To>;
    } else if constexpr (has_own_run(From, To, Rule)) {
        return own_run<From, To, Rule>();
    } else if constexpr (From == Element::f32 && To == Element::f16) {
        return kFloatsToHalves;
    } else if constexpr (From == Element::f16 && To == Element::f32) {
        return kHalvesToFloats;
    } else if constexpr (Rule == Beyond::saturates && holds_most(From, To)) {
        return convert_clamped<From, To>;
    } else if constexpr (From == Element::f16 || (From == Element::bf16 && Rule == Beyond::saturates) ||
                         (From != Element::f32 && (To == Element::f16 || To == Element::bf16))) {
        return convert_by_floats<From, run_of<Element::f32, To, Rule>(), width_of(To)>;
    } else {
        return convert_run<From, To, Rule>;
    }
}

// Vectors of the wider side, which take longer where they lie in two lines each, begin with a line.
template <int OutWidth, int DataWidth, class Run>
[[gnu::always_inline]] inline void convert_dense(Run run, const ConvertBlock& b) {
    constexpr int wider = OutWidth >= DataWidth ? OutWidth : DataWidth;
    const int64_t before = bytes_to_line(OutWidth >= DataWidth ? b.out : b.data) / wider;
    if (b.count < tune::kConvertAligned || before == 0) return run(b.out, b.data, b.count);
    run(b.out, b.data, before);
    run(b.out + before * OutWidth, b.data + before * DataWidth, b.count - before);
}

template <int OutWidth, int DataWidth, class Run>
void convert_parts(Run run, const ConvertBlock& b) {
    alignas(64) char results[tune::kPartStage * OutWidth];
    for_parts(b.out, OutWidth, b.count, tune::kPartStage, [&](int64_t first, int64_t count) {
        run(results, b.data + first * DataWidth, count);
        stream_run(b.out + first * OutWidth, results, count * OutWidth);
    });
}

// Elements that are not dense are copied to a dense row before, or from one afterwards.
template <int OutWidth, int DataWidth, class Run>
void convert_rows(Run run, const ConvertBlock& b) {
    const bool dense_out = b.out_step == OutWidth || b.count == 1;
    const bool dense_data = b.data_step == DataWidth || b.count == 1;
    if (dense_out && dense_data && !b.stream) return convert_dense<OutWidth, DataWidth>(run, b);
    if (dense_data && b.by_parts) return convert_parts<OutWidth, DataWidth>(run, b);
    alignas(64) char results[tune::kConvertStage * 8], elements[tune::kConvertStage * 8];
    // The first piece is a little shorter, so that all others begin with a line.
    int64_t piece = tune::kConvertStage - bytes_in_line(b.out) / OutWidth;
    for (int64_t i = 0; i < b.count; i += piece, piece = tune::kConvertStage) {
        const int64_t count = least(b.count - i, piece);
        const char* data = b.data + i * b.data_step;
        char* out = b.out + i * b.out_step;
        if (!dense_data) move_row<DataWidth>(elements, DataWidth, data, b.data_step, count);
        run(dense_out && !b.stream ? out : results, dense_data ? data : elements, count);
        if (b.stream)
            stream_run(out, results, count * OutWidth);
        else if (!dense_out)
            move_row<OutWidth>(out, b.out_step, results, OutWidth, count);
    }
}

template <ConvertRun Run, int OutWidth, int DataWidth>
void convert_block(const ConvertBlock& b) {
    if (Run == kFloatsToHalves && b.stream && b.data_step == DataWidth && stream_halves(b.out, b.data, b.count)) return;
    convert_rows<OutWidth, DataWidth>(Run, b);
}

template <int From, int To, Beyond Rule>
constexpr ConvertKernel convert_of() {
    constexpr Element from = static_cast<Element>(From), to = static_cast<Element>(To);
    if constexpr (!can_convert(from, to) || are_same_bits(from, to, Rule))
        return nullptr;
    else
        return convert_block<run_of<from, to, Rule>(), width_of(to), width_of(from)>;
}

// As bfloat16, rounded to odd: the last bit is 1 where bits behind it were lost, so that what is rounded once more, to
// fewer bits, is rounded as the number itself would be. NaN stays NaN, with its sign.
[[gnu::always_inline]] inline uint16_t odd_of(uint32_t bits) {
    return static_cast<uint16_t>(bits >> 16 | ((bits & 0xffff) != 0));
}

void floats_to_odd(char* __restrict out, const char* __restrict data, int64_t count) {
    typename Loose<uint16_t>::type* __restrict to = reinterpret_cast<typename Loose<uint16_t>::type*>(out);
    const typename Loose<uint32_t>::type* __restrict from =
        reinterpret_cast<const typename Loose<uint32_t>::type*>(data);
    for (int64_t i = 0; i < count; ++i) to[i] = odd_of(from[i]);
}

// What `nearly` makes zero or infinite is not.
void doubles_to_odd(char* __restrict out, const char* __restrict data, int64_t count) {
    typename Loose<uint16_t>::type* __restrict to = reinterpret_cast<typename Loose<uint16_t>::type*>(out);
    const typename Loose<double>::type* __restrict from = reinterpret_cast<const typename Loose<double>::type*>(data);
    for (int64_t i = 0; i < count; ++i) {
        const double size = __builtin_fabs(from[i]), found = __builtin_fabs(static_cast<double>(nearly(from[i])));
        const bool is_lost = found == 0 && size > 0, is_beyond = found == __builtin_inf() && size < __builtin_inf();
        to[i] = odd_of(same_bits_as<uint32_t>(nearly(from[i])) + (is_lost ? 1 : is_beyond ? -1u : 0));
    }
}

template <Element From>
constexpr ConvertKernel convert_to_odd() {
    return convert_block<convert_by_floats<From, floats_to_odd, 2>, 2, width_of(From)>;
}

ConvertKernel convert_to_odd_for(Element from) {
    switch (from) {
        case Element::i32: return convert_to_odd<Element::i32>();
        case Element::i64: return convert_to_odd<Element::i64>();
        case Element::u32: return convert_to_odd<Element::u32>();
        case Element::u64: return convert_to_odd<Element::u64>();
        case Element::f32: return convert_block<floats_to_odd, 2, 4>;
        case Element::f64: return convert_block<doubles_to_odd, 2, 8>;
        default: return nullptr;
    }
}

struct ConvertKernels {
    ConvertKernel of[2][kElements][kElements];
};

template <int... Pair>
constexpr ConvertKernels kernels_of(Numbers<Pair...>) {
    ConvertKernels all{};
    ((all.of[0][Pair / kElements][Pair % kElements] = convert_of<Pair / kElements, Pair % kElements, Beyond::wraps>(),
      all.of[1][Pair / kElements][Pair % kElements] =
          convert_of<Pair / kElements, Pair % kElements, Beyond::saturates>()),
     ...);
    return all;
}

constexpr ConvertKernels kConvertKernels = kernels_of(Count_<kElements * kElements>::type{});

ConvertKernel convert_for(Element from, Element to, Beyond rule) {
    return kConvertKernels.of[static_cast<int>(rule)][static_cast<int>(from)][static_cast<int>(to)];
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
