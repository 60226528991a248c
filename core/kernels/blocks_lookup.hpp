// Short runs by indices of 8 bits: the 256 runs that there can be are one table in private memory, in which every
// index has its place. No index needs a check, and no load misses the cache.

namespace wherry::WHERRY_ISA_NAME {
namespace {

// Each run is written as a whole slot, whose end the next run overwrites; the last one exactly.
template <int Width>
void look_up_slots(char* out, const uint8_t* indices, int64_t count, const char* table) {
    constexpr int slot = lookup_slot(Width);
    constexpr int written = slot < 2 * Width ? slot : Width;
    int64_t i = 0;
    for (; i + 8 < count; i += 8) {
        uint64_t eight;
        memcpy(&eight, indices + i, sizeof(eight));
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k, eight >>= 8)
            move_fixed<written>(out + (i + k) * Width, table + (eight & 255) * slot);
    }
    for (; i + 1 < count; ++i) move_fixed<written>(out + i * Width, table + indices[i] * slot);
    if (count > 0) move_fixed<Width>(out + (count - 1) * Width, table + indices[count - 1] * slot);
}

#if defined(__AVX512VBMI__)

// One byte of each of the 256 runs, in registers: 64 lookups by three instructions.
struct Plane {
    __m512i part[4];

    void load(const char* table, int slot, int byte) {
        alignas(64) char bytes[256];
        for (int k = 0; k < 256; ++k) bytes[k] = table[k * slot + byte];
        for (int k = 0; k < 4; ++k) part[k] = _mm512_load_si512(bytes + 64 * k);
    }
    [[gnu::always_inline]] inline __m512i at(__m512i indices) const {
        return _mm512_mask_blend_epi8(_mm512_movepi8_mask(indices), _mm512_permutex2var_epi8(part[0], indices, part[1]),
                                      _mm512_permutex2var_epi8(part[2], indices, part[3]));
    }
};

// Where the bytes of 64 runs come from when planes are laid into each other: pairs of planes, and which pair.
template <int Width>
struct Interleaved {
    alignas(64) uint8_t of_pair[Width][64];
    uint64_t second[Width];

    constexpr Interleaved() : of_pair(), second() {
        for (int k = 0; k < Width; ++k)
            for (int lane = 0; lane < 64; ++lane) {
                const int run = (k * 64 + lane) / Width, plane = (k * 64 + lane) % Width;
                of_pair[k][lane] = static_cast<uint8_t>(plane % 2 * 64 + run);
                if (plane > 1) second[k] |= uint64_t{1} << lane;
            }
    }
};

template <int Width>
void look_up(char* out, const uint8_t* indices, int64_t count, const char* table) {
    static constexpr Interleaved<Width> order;
    Plane planes[Width];
    for (int p = 0; p < Width; ++p) planes[p].load(table, lookup_slot(Width), p);
    for (int64_t i = 0; i < count; i += 64, out += 64 * Width) {
        const int64_t rest = count - i;
        const __mmask64 some = rest < 64 ? (uint64_t{1} << rest) - 1 : ~uint64_t{0};
        const __m512i at = rest < 64 ? _mm512_maskz_loadu_epi8(some, indices + i) : _mm512_loadu_si512(indices + i);
        __m512i found[4];
        for (int p = 0; p < 4; ++p) found[p] = planes[p < Width ? p : Width - 1].at(at);
        for (int k = 0; k < Width; ++k) {
            __m512i bytes = found[0];
            if (Width > 1) {
                const __m512i from = _mm512_load_si512(order.of_pair[k]);
                bytes = _mm512_permutex2var_epi8(found[0], from, found[1]);
                if (Width > 2)
                    bytes = _mm512_mask_blend_epi8(order.second[k], bytes,
                                                   _mm512_permutex2var_epi8(found[2], from, found[3]));
            }
            const int64_t left = rest * Width - k * 64;
            if (left >= 64)
                _mm512_storeu_si512(out + k * 64, bytes);
            else if (left > 0)
                _mm512_mask_storeu_epi8(out + k * 64, (uint64_t{1} << left) - 1, bytes);
        }
    }
}

#elif defined(WHERRY_NEON)

// Runs of one byte or two: each byte of the 256 runs is a plane, of which one instruction looks up in 64 bytes. It
// gives 0 where an index lies elsewhere. With more planes it takes as long as single loads.
template <int Width>
void look_up_planes(char* out, const uint8_t* indices, int64_t count, const char* table) {
    alignas(64) uint8_t planes[Width][256];
    for (int k = 0; k < 256; k += 16) {
        const uint8x16x4_t slots = vld4q_u8(reinterpret_cast<const uint8_t*>(table) + k * lookup_slot(Width));
        for (int p = 0; p < Width; ++p) vst1q_u8(planes[p] + k, slots.val[p]);
    }
    int64_t i = 0;
    for (; i + 64 <= count; i += 64) {
        uint8x16_t at[4], found[Width][4] = {};
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v) at[v] = vld1q_u8(indices + i + v * 16);
#pragma GCC unroll 4
        for (int part = 0; part < 4; ++part) {
#pragma GCC unroll 2
            for (int p = 0; p < Width; ++p) {
                const uint8x16x4_t bytes = vld1q_u8_x4(planes[p] + part * 64);
#pragma GCC unroll 4
                for (int v = 0; v < 4; ++v) found[p][v] = vorrq_u8(found[p][v], vqtbl4q_u8(bytes, at[v]));
            }
#pragma GCC unroll 4
            for (int v = 0; v < 4; ++v) at[v] = vsubq_u8(at[v], vdupq_n_u8(64));
        }
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v) {
            uint8_t* to = reinterpret_cast<uint8_t*>(out) + (i + v * 16) * Width;
            if constexpr (Width == 1)
                vst1q_u8(to, found[0][v]);
            else
                vst2q_u8(to, {found[0][v], found[1][v]});
        }
    }
    look_up_slots<Width>(out + i * Width, indices + i, count - i, table);
}

template <int Width>
void look_up(char* out, const uint8_t* indices, int64_t count, const char* table) {
    if constexpr (Width <= 2)
        look_up_planes<Width>(out, indices, count, table);
    else
        look_up_slots<Width>(out, indices, count, table);
}

#else

template <int Width>
void look_up(char* out, const uint8_t* indices, int64_t count, const char* table) {
    look_up_slots<Width>(out, indices, count, table);
}

#endif

template <int Width>
void look_up_any(char* out, const char* bytes, int64_t count, const char* table) {
    const uint8_t* indices = reinterpret_cast<const uint8_t*>(bytes);
    if constexpr (Width <= 4)
        look_up<Width>(out, indices, count, table);
    else
        look_up_slots<Width>(out, indices, count, table);
}

// Runs by the lower four bits of indices: all runs that there are lie in registers.
#if defined(__AVX2__)

// Bytes of several planes laid into each other; each 16 bytes of the vectors by themselves.
template <int Width>
[[gnu::always_inline]] inline void interleave(__m256i (&planes)[Width]) {
    __m256i other[Width];
#pragma GCC unroll 4
    for (int step = 1; step < Width; step *= 2) {
#pragma GCC unroll 4
        for (int k = 0; k < Width / 2; ++k) {
            other[2 * k] = _mm256_unpacklo_epi8(planes[k], planes[k + Width / 2]);
            other[2 * k + 1] = _mm256_unpackhi_epi8(planes[k], planes[k + Width / 2]);
        }
#pragma GCC unroll 8
        for (int k = 0; k < Width; ++k) planes[k] = other[k];
    }
}

// Each byte of the 16 runs is a plane, of which an instruction looks up 32.
template <int Width>
void look_up_by_four_bits(char* out, const char* indices, int64_t count, const char* table) {
    __m256i planes[Width];
    for (int p = 0; p < Width; ++p) {
        alignas(16) char bytes[16];
        for (int k = 0; k < 16; ++k) bytes[k] = table[k * lookup_slot(Width) + p];
        planes[p] = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes)));
    }
    int64_t i = 0;
    for (; i + 32 <= count; i += 32) {
        const __m256i given = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(indices + i)),
                      at = _mm256_and_si256(given, _mm256_set1_epi8(15));
        __m256i found[Width];
#pragma GCC unroll 8
        for (int p = 0; p < Width; ++p) found[p] = _mm256_shuffle_epi8(planes[p], at);
        interleave(found);
        // The runs of the first 16 indices lie in the lower halves.
        __m256i* const to = reinterpret_cast<__m256i*>(out + i * Width);
        if constexpr (Width == 1) {
            _mm256_storeu_si256(to, found[0]);
        } else {
#pragma GCC unroll 4
            for (int k = 0; k < Width / 2; ++k) {
                _mm256_storeu_si256(to + k, _mm256_permute2x128_si256(found[2 * k], found[2 * k + 1], 0x20));
                _mm256_storeu_si256(to + k + Width / 2,
                                    _mm256_permute2x128_si256(found[2 * k], found[2 * k + 1], 0x31));
            }
        }
    }
    look_up_any<Width>(out + i * Width, indices + i, count - i, table);
}

#endif

// Of 4 and 8 bytes in one register or two, of which an instruction looks at these bits alone.
#if defined(__AVX512F__)

template <int Width>
[[gnu::always_inline]] inline __m512i runs_of(const char* indices, __m512i first, __m512i second) {
    if constexpr (Width == 4) {
        const __m512i at =
            _mm512_maskz_cvtepu8_epi32(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(indices)));
        return _mm512_maskz_permutexvar_epi32(0xffff, at, first);
    } else {
        const __m512i at = _mm512_maskz_cvtepu8_epi64(0xff, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(indices)));
        return _mm512_permutex2var_epi64(first, at, second);
    }
}

template <int Width>
void look_up_wide_by_four_bits(char* out, const char* indices, int64_t count, const char* table) {
    constexpr int64_t some = kVector / Width;
    const __m512i first = _mm512_loadu_si512(table), second = _mm512_loadu_si512(table + (16 - some) * Width);
    int64_t i = 0;
    for (; i + some <= count; i += some)
        _mm512_storeu_si512(out + i * Width, runs_of<Width>(indices + i, first, second));
    look_up_any<Width>(out + i * Width, indices + i, count - i, table);
}

#endif

// Bytes by indices of 16 bits, of which a load has four.
void look_up_bytes(char* out, const char* indices, int64_t count, const char* table) {
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        uint64_t four;
        memcpy(&four, indices + 2 * i, sizeof(four));
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k, four >>= 16) out[i + k] = table[four & 0xffff];
    }
    for (; i < count; ++i) {
        uint16_t one;
        memcpy(&one, indices + 2 * i, sizeof(one));
        out[i] = table[one];
    }
}

// A large result is put together in the cache, and streamed.
template <int Width, int IndexWidth, void (*LookUp)(char*, const char*, int64_t, const char*)>
void look_up_block(const LookupBlock& b) {
    if (!b.stream) return LookUp(b.out, b.indices, b.count, b.table);
    // Where planes are loaded for each piece, pieces are long; of longer runs they leave room in the first cache.
    constexpr int64_t piece = Width > 4 ? tune::kLookupStage / 8 : tune::kLookupStage;
    alignas(64) char stage[piece * Width];
    for (int64_t i = 0; i < b.count; i += piece) {
        const int64_t part = least(piece, b.count - i);
        LookUp(stage, b.indices + i * IndexWidth, part, b.table);
        stream_run(b.out + i * Width, stage, part * Width);
    }
    stream_fence();
}

LookupKernel look_up_for(int64_t bytes, [[maybe_unused]] bool by_four_bits) {
#if defined(__AVX512F__)
    if (by_four_bits && bytes == 4) return look_up_block<4, 1, look_up_wide_by_four_bits<4>>;
    if (by_four_bits && bytes == 8) return look_up_block<8, 1, look_up_wide_by_four_bits<8>>;
#endif
#if defined(__AVX2__)
    const auto by_planes = [](auto width) -> LookupKernel {
        return look_up_block<width.value, 1, look_up_by_four_bits<width.value>>;
    };
    if (const LookupKernel kernel = by_four_bits ? for_width<1, 2, 4, 8>(bytes, by_planes) : nullptr) return kernel;
#endif
    return for_width<1, 2, 3, 4, 5, 6, 7, 8>(
        bytes, [](auto width) -> LookupKernel { return look_up_block<width.value, 1, look_up_any<width.value>>; });
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
