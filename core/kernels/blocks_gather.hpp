// One block of resolved indices: runs or elements to their places.

namespace wherry::WHERRY_ISA_NAME {
namespace {

template <int Width>
void gather_fixed(const GatherBlock& b) {
    for (int64_t p = 0; p < b.passes; ++p) {
        char* out = b.out + p * b.out_pass;
        const char* data = b.data + p * b.data_pass;
        for (int64_t i = 0; i < b.count; ++i) memcpy(out + i * b.out_step, data + b.offsets[i], Width);
    }
}

void gather_with_zeros(const GatherBlock& b) {
    for (int64_t p = 0; p < b.passes; ++p) {
        char* out = b.out + p * b.out_pass;
        const char* data = b.data + p * b.data_pass;
        for (int64_t i = 0; i < b.count; ++i) {
            if (b.offsets[i] == kBadOffset)
                memset(out + i * b.out_step, 0, static_cast<size_t>(b.bytes));
            else
                memcpy(out + i * b.out_step, data + b.offsets[i], static_cast<size_t>(b.bytes));
        }
    }
}

void gather_block(const GatherBlock& b) {
    if (b.any_bad) return gather_with_zeros(b);
    switch (b.bytes) {
        case 1: return gather_fixed<1>(b);
        case 2: return gather_fixed<2>(b);
        case 4: return gather_fixed<4>(b);
        case 8: return gather_fixed<8>(b);
        case 16: return gather_fixed<16>(b);
        default: break;
    }
    for (int64_t p = 0; p < b.passes; ++p)
        for (int64_t i = 0; i < b.count; ++i)
            move_bytes(b.out + p * b.out_pass + i * b.out_step, b.data + p * b.data_pass + b.offsets[i], b.bytes,
                       b.stream);
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
