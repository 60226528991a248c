// The two 16-bit floats to float and back, rounding to nearest even.
#pragma once

#include <cstdint>
#include <cstring>

namespace wherry {

inline float float_of_bits(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

inline uint32_t bits_of_float(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}

struct Half {
    uint16_t bits;

    explicit operator float() const {
        const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16, rest = bits & 0x7fff;
        if (rest >= 0x7c00) return float_of_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
        if (rest >= 0x400) return float_of_bits(sign | ((rest << 13) + (112u << 23)));
        return float_of_bits(sign | bits_of_float(static_cast<float>(rest) * 0x1p-24f));
    }

    static Half rounded(float value) {
        const uint32_t all = bits_of_float(value), sign = all >> 16 & 0x8000, rest = all & 0x7fffffff;
        uint32_t half;
        if (rest > 0x7f800000) {
            half = 0x7e00 | (rest >> 13 & 0x3ff);
        } else if (rest >= 0x477ff000) {  // 65520 and more
            half = 0x7c00;
        } else if (rest < 0x38800000) {  // below the least normal number: the float addition rounds
            half = bits_of_float(float_of_bits(rest) + 0.5f) - 0x3f000000;
        } else {
            half = (rest - (112u << 23) + 0xfff + (rest >> 13 & 1)) >> 13;
        }
        return {static_cast<uint16_t>(sign | half)};
    }
};

struct BFloat16 {
    uint16_t bits;

    explicit operator float() const { return float_of_bits(static_cast<uint32_t>(bits) << 16); }

    static BFloat16 rounded(float value) {
        const uint32_t all = bits_of_float(value);
        if ((all & 0x7fffffff) > 0x7f800000) return {static_cast<uint16_t>(all >> 16 | 0x40)};
        return {static_cast<uint16_t>((all + 0x7fff + (all >> 16 & 1)) >> 16)};
    }
};

}  // namespace wherry
