// Runs of elements as another type: plain loops, which the compiler turns into vectors, and what this instruction set
// has instructions of its own for.

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

// Vectors of `Some` elements, of a kernel that is false and writes nothing where the plain loop must take them, and
// takes the rest.
template <Element From, int OutWidth, int64_t Some, bool (*Vector)(char*, const char*), ConvertRun Loop>
void convert_vectors(char* out, const char* data, int64_t count) {
    constexpr int64_t width = width_of(From);
    int64_t i = 0;
    for (; i + Some <= count; i += Some)
        if (!Vector(out + i * OutWidth, data + i * width)) Loop(out + i * OutWidth, data + i * width, Some);
    Loop(out + i * OutWidth, data + i * width, count - i);
}

#if defined(__F16C__) || defined(WHERRY_NEON)

// The machine's conversion of float16 makes every NaN a quiet one: a vector with a NaN is converted by the loop.
constexpr int64_t kHalves = 16;

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
    const __m256 first = _mm256_loadu_ps(reinterpret_cast<const float*>(data)),
                 second = _mm256_loadu_ps(reinterpret_cast<const float*>(data + kVector));
    if (_mm256_movemask_ps(_mm256_cmp_ps(first, second, _CMP_UNORD_Q))) return false;
    const __m256i halves = _mm256_set_m128i(_mm256_cvtps_ph(second, rounding), _mm256_cvtps_ph(first, rounding));
    __m256i* to = reinterpret_cast<__m256i*>(out);
    Stream ? _mm256_stream_si256(to, halves) : _mm256_storeu_si256(to, halves);
#endif
    return true;
}

[[gnu::always_inline]] inline bool halves_to_floats(char* out, const char* data) {
#if defined(__AVX512F__)
    const __m512 floats = _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data)));
    if (_mm512_cmp_ps_mask(floats, floats, _CMP_UNORD_Q)) return false;
    _mm512_storeu_ps(out, floats);
#else
    const __m128i* from = reinterpret_cast<const __m128i*>(data);
    const __m256 first = _mm256_cvtph_ps(_mm_loadu_si128(from)), second = _mm256_cvtph_ps(_mm_loadu_si128(from + 1));
    if (_mm256_movemask_ps(_mm256_cmp_ps(first, second, _CMP_UNORD_Q))) return false;
    _mm256_storeu_ps(reinterpret_cast<float*>(out), first);
    _mm256_storeu_ps(reinterpret_cast<float*>(out + kVector), second);
#endif
    return true;
}

#endif

template <bool Stream>
constexpr ConvertRun kToHalves = convert_vectors<Element::f32, 2, kHalves, floats_to_halves<Stream>,
                                                 convert_run<Element::f32, Element::f16, Beyond::wraps>>;
constexpr ConvertRun kFloatsToHalves = kToHalves<false>;
constexpr ConvertRun kHalvesToFloats =
    convert_vectors<Element::f16, 4, kHalves, halves_to_floats, convert_run<Element::f16, Element::f32, Beyond::wraps>>;

// Results are streamed as they are made, without a stage. False if they do not lie on even addresses.
bool stream_halves(char* out, const char* data, int64_t count) {
    if (reinterpret_cast<intptr_t>(out) & 1) return false;
    const int64_t head = least(count, bytes_to_line(out) / 2);
    kFloatsToHalves(out, data, head);
    kToHalves<true>(out + 2 * head, data + 4 * head, count - head);
    return true;
}

#else

constexpr ConvertRun kFloatsToHalves = convert_run<Element::f32, Element::f16, Beyond::wraps>;
constexpr ConvertRun kHalvesToFloats = convert_run<Element::f16, Element::f32, Beyond::wraps>;

bool stream_halves(char*, const char*, int64_t) { return false; }

#endif

// Numbers as floats, rounded to odd where float does not hold them, see `nearly`.
template <Element From>
void convert_to_floats(char* __restrict out, const char* __restrict data, int64_t count) {
    typedef typename Loose<typename Of<From>::Bits>::type Source;
    float* __restrict to = reinterpret_cast<float*>(out);
    const Source* __restrict from = reinterpret_cast<const Source*>(data);
    for (int64_t i = 0; i < count; ++i) to[i] = nearly(Of<From>::number(from[i]));
}

// Floats at the nearest end of a range that has 0 in it; NaN becomes 0.
template <class Float>
[[gnu::always_inline]] inline void clamp_vector(char* out, const char* data, Float least, Float most) {
#if defined(__AVX512F__)
    if constexpr (sizeof(Float) == 4) {
        const __m512 given = _mm512_loadu_ps(data);
        const __mmask16 known = _mm512_cmp_ps_mask(given, given, _CMP_ORD_Q);
        const __m512 above = _mm512_maskz_max_ps(known, given, _mm512_set1_ps(least));
        _mm512_storeu_ps(out, _mm512_maskz_min_ps(0xffff, above, _mm512_set1_ps(most)));
    } else {
        const __m512d given = _mm512_loadu_pd(data);
        const __mmask8 known = _mm512_cmp_pd_mask(given, given, _CMP_ORD_Q);
        const __m512d above = _mm512_maskz_max_pd(known, given, _mm512_set1_pd(least));
        _mm512_storeu_pd(out, _mm512_maskz_min_pd(0xff, above, _mm512_set1_pd(most)));
    }
#elif defined(__AVX2__)
    if constexpr (sizeof(Float) == 4) {
        const __m256 given = _mm256_loadu_ps(reinterpret_cast<const float*>(data));
        const __m256 known = _mm256_and_ps(given, _mm256_cmp_ps(given, given, _CMP_ORD_Q));
        const __m256 above = _mm256_max_ps(known, _mm256_set1_ps(least));
        _mm256_storeu_ps(reinterpret_cast<float*>(out), _mm256_min_ps(above, _mm256_set1_ps(most)));
    } else {
        const __m256d given = _mm256_loadu_pd(reinterpret_cast<const double*>(data));
        const __m256d known = _mm256_and_pd(given, _mm256_cmp_pd(given, given, _CMP_ORD_Q));
        const __m256d above = _mm256_max_pd(known, _mm256_set1_pd(least));
        _mm256_storeu_pd(reinterpret_cast<double*>(out), _mm256_min_pd(above, _mm256_set1_pd(most)));
    }
#else
    for (int64_t i = 0; i < kVector; i += static_cast<int64_t>(sizeof(Float))) {
        Float number;
        memcpy(&number, data + i, sizeof(number));
        number = number == number ? number : Float{0};
        number = number > least ? number : least;
        number = number < most ? number : most;
        memcpy(out + i, &number, sizeof(number));
    }
#endif
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
