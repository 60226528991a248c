// Elements as another type: one plain loop for each pair, which the compiler turns into vectors.

namespace wherry::WHERRY_ISA_NAME {
namespace {

typedef void (*ConvertRun)(char* out, const char* data, int64_t count);

template <Element From, Element To, Beyond Rule>
void convert_run(char* __restrict out, const char* __restrict data, int64_t count) {
    typedef typename Loose<typename Of<To>::Bits>::type Target;
    typedef typename Loose<typename Of<From>::Bits>::type Source;
    Target* __restrict to = reinterpret_cast<Target*>(out);
    const Source* __restrict from = reinterpret_cast<const Source*>(data);
    for (int64_t i = 0; i < count; ++i) to[i] = Of<To>::template of<Rule>(Of<From>::number(from[i]));
}

// A bool is all bits of the number one, or none: of a number that is 0 or 1 the compiler would make a branch.
template <Element To>
void convert_booleans(char* __restrict out, const char* __restrict data, int64_t count) {
    typedef UnsignedOf<width_of(To)> Word;
    typename Loose<Word>::type* __restrict to = reinterpret_cast<typename Loose<Word>::type*>(out);
    const Word one = same_bits_as<Word>(Of<To>::template of<Beyond::wraps>(1));
    for (int64_t i = 0; i < count; ++i) to[i] = data[i] ? one : Word{0};
}

#if defined(__F16C__) || defined(WHERRY_NEON)

// The machine's conversion of float16 makes every NaN a quiet one: a vector with a NaN is converted by the loop.
#if defined(__AVX512F__) || defined(WHERRY_NEON)
constexpr int64_t kHalves = 16;
#else
constexpr int64_t kHalves = 8;
#endif

#if defined(WHERRY_NEON)

[[gnu::always_inline]] inline bool has_nan(float32x4_t a, float32x4_t b, float32x4_t c, float32x4_t d) {
    const uint32x4_t ordered =
        vandq_u32(vandq_u32(vceqq_f32(a, a), vceqq_f32(b, b)), vandq_u32(vceqq_f32(c, c), vceqq_f32(d, d)));
    return vminvq_u32(ordered) == 0;
}

// False, with nothing written, if some element is NaN.
template <bool Stream>
[[gnu::always_inline]] inline bool floats_to_halves(char* out, const char* data) {
    const auto a = load<float32x4_t>(data), b = load<float32x4_t>(data + 16), c = load<float32x4_t>(data + 32),
               d = load<float32x4_t>(data + 48);
    if (Stream) prefetch(data + tune::kPageAhead);
    if (has_nan(a, b, c, d)) return false;
    const float16x8_t first = vcvt_high_f16_f32(vcvt_f16_f32(a), b), second = vcvt_high_f16_f32(vcvt_f16_f32(c), d);
    if (Stream) return stream_pair(out, first, second), true;
    store(out, first), store(out + 16, second);
    return true;
}

[[gnu::always_inline]] inline bool halves_to_floats(char* out, const char* data) {
    const auto first = load<float16x8_t>(data), second = load<float16x8_t>(data + 16);
    const float32x4_t a = vcvt_f32_f16(vget_low_f16(first)), b = vcvt_high_f32_f16(first),
                      c = vcvt_f32_f16(vget_low_f16(second)), d = vcvt_high_f32_f16(second);
    if (has_nan(a, b, c, d)) return false;
    store(out, a), store(out + 16, b), store(out + 32, c), store(out + 48, d);
    return true;
}

#else

// False, with nothing written, if some element is NaN. What is streamed lies on a multiple of its own size.
template <bool Stream>
[[gnu::always_inline]] inline bool floats_to_halves(char* out, const char* data) {
    if (Stream) prefetch(data + tune::kPageAhead);
    constexpr int rounding = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
#if defined(__AVX512F__)
    const __m512 floats = _mm512_loadu_ps(data);
    if (_mm512_cmp_ps_mask(floats, floats, _CMP_UNORD_Q)) return false;
    const __m256i halves = _mm512_maskz_cvtps_ph(0xffff, floats, rounding);
    __m256i* to = reinterpret_cast<__m256i*>(out);
    Stream ? _mm256_stream_si256(to, halves) : _mm256_storeu_si256(to, halves);
#else
    const __m256 floats = _mm256_loadu_ps(reinterpret_cast<const float*>(data));
    if (_mm256_movemask_ps(_mm256_cmp_ps(floats, floats, _CMP_UNORD_Q))) return false;
    const __m128i halves = _mm256_cvtps_ph(floats, rounding);
    __m128i* to = reinterpret_cast<__m128i*>(out);
    Stream ? _mm_stream_si128(to, halves) : _mm_storeu_si128(to, halves);
#endif
    return true;
}

[[gnu::always_inline]] inline bool halves_to_floats(char* out, const char* data) {
#if defined(__AVX512F__)
    const __m512 floats = _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data)));
    if (_mm512_cmp_ps_mask(floats, floats, _CMP_UNORD_Q)) return false;
    _mm512_storeu_ps(out, floats);
#else
    const __m256 floats = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(data)));
    if (_mm256_movemask_ps(_mm256_cmp_ps(floats, floats, _CMP_UNORD_Q))) return false;
    _mm256_storeu_ps(reinterpret_cast<float*>(out), floats);
#endif
    return true;
}

#endif

template <Element From, Element To, bool (*Some)(char*, const char*)>
void convert_halves(char* out, const char* data, int64_t count) {
    int64_t i = 0;
    for (; i + kHalves <= count; i += kHalves) {
        char* to = out + i * width_of(To);
        const char* from = data + i * width_of(From);
        if (!Some(to, from)) convert_run<From, To, Beyond::wraps>(to, from, kHalves);
    }
    convert_run<From, To, Beyond::wraps>(out + i * width_of(To), data + i * width_of(From), count - i);
}

constexpr ConvertRun kFloatsToHalves = convert_halves<Element::f32, Element::f16, floats_to_halves<false>>;
constexpr ConvertRun kHalvesToFloats = convert_halves<Element::f16, Element::f32, halves_to_floats>;

// Results are streamed as they are made, without a stage. False if they do not lie on even addresses.
bool stream_halves(char* out, const char* data, int64_t count) {
    if (reinterpret_cast<intptr_t>(out) & 1) return false;
    const int64_t head = least(count, (-reinterpret_cast<intptr_t>(out) & 63) / 2);
    kFloatsToHalves(out, data, head);
    convert_halves<Element::f32, Element::f16, floats_to_halves<true>>(out + 2 * head, data + 4 * head, count - head);
    return true;
}

#else

constexpr ConvertRun kFloatsToHalves = convert_run<Element::f32, Element::f16, Beyond::wraps>;
constexpr ConvertRun kHalvesToFloats = convert_run<Element::f16, Element::f32, Beyond::wraps>;

bool stream_halves(char*, const char*, int64_t) { return false; }

#endif

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
    } else if constexpr (From == Element::f32 && To == Element::f16) {
        return kFloatsToHalves;
    } else if constexpr (From == Element::f16 && To == Element::f32) {
        return kHalvesToFloats;
    } else {
        return convert_run<From, To, Rule>;
    }
}

// Elements that are not dense are copied to a dense row before, or from one afterwards.
template <int OutWidth, int DataWidth>
void convert_rows(ConvertRun run, const ConvertBlock& b) {
    const bool dense_out = b.out_step == OutWidth || b.count == 1;
    const bool dense_data = b.data_step == DataWidth || b.count == 1;
    if (dense_out && dense_data && !b.stream) return run(b.out, b.data, b.count);
    if (b.stream && dense_data && run == kFloatsToHalves && stream_halves(b.out, b.data, b.count)) return;
    alignas(64) char results[tune::kConvertStage * 8], elements[tune::kConvertStage * 8];
    // The first piece is a little shorter, so that all others begin with a line.
    int64_t piece = tune::kConvertStage - (reinterpret_cast<intptr_t>(b.out) & 63) / OutWidth;
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
