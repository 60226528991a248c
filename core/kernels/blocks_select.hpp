// One element or the other, as a condition of one byte says.

namespace wherry::WHERRY_ISA_NAME {
namespace {

// Both elements are read, so that nothing is a branch. XStep, YStep: 1 dense, 0 always the same element.
template <class T, int XStep, int YStep>
void select_dense(char* out, const char* condition, const char* x, const char* y, int64_t count) {
    typedef typename Loose<T>::type Element;
    Element* to = reinterpret_cast<Element*>(out);
    const Element *first = reinterpret_cast<const Element*>(x), *second = reinterpret_cast<const Element*>(y);
    const uint8_t* chosen = reinterpret_cast<const uint8_t*>(condition);
    for (int64_t i = 0; i < count; ++i) {
        const T a = first[i * XStep], b = second[i * YStep];
        to[i] = chosen[i] ? a : b;
    }
}

template <class T, int XStep, int YStep>
void select_rows(const SelectBlock& b) {
    constexpr int64_t width = sizeof(T), piece = tune::kStageBytes / width;
    if (!b.stream) return select_dense<T, XStep, YStep>(b.out, b.condition, b.x, b.y, b.count);
    alignas(64) char stage[tune::kStageBytes];
    const auto stream = [&](int64_t first, int64_t count) {
        select_dense<T, XStep, YStep>(stage, b.condition + first, b.x + first * width * XStep,
                                      b.y + first * width * YStep, count);
        stream_run(b.out + first * width, stage, count * width);
    };
    if (b.by_parts) return for_parts(b.out, width, b.count, tune::kPartStage, stream);
    for (int64_t i = 0; i < b.count; i += piece) {
        const int64_t count = least(b.count - i, piece);
        prefetch_page_ahead(b.condition + i, count);
        if (XStep) prefetch_page_ahead(b.x + i * width, count * width);
        if (YStep) prefetch_page_ahead(b.y + i * width, count * width);
        stream(i, count);
    }
}

// False if the operands lie otherwise than in rows, or stand still.
template <class T>
bool select_of(const SelectBlock& b) {
    constexpr int64_t width = sizeof(T);
    if (b.out_step != width || b.condition_step != 1) return false;
    if (b.x_step == width && b.y_step == width) return select_rows<T, 1, 1>(b), true;
    if (b.x_step == width && b.y_step == 0) return select_rows<T, 1, 0>(b), true;
    if (b.x_step == 0 && b.y_step == width) return select_rows<T, 0, 1>(b), true;
    if (b.x_step == 0 && b.y_step == 0) return select_rows<T, 0, 0>(b), true;
    return false;
}

template <int Width>
void select_steps(const SelectBlock& b) {
    for (int64_t i = 0; i < b.count; ++i)
        move_fixed<Width>(b.out + i * b.out_step,
                          b.condition[i * b.condition_step] ? b.x + i * b.x_step : b.y + i * b.y_step);
}

template <int Width>
void select_block(const SelectBlock& b) {
    if constexpr (Width <= 8)
        if (select_of<UnsignedOf<Width>>(b)) return;
    select_steps<Width>(b);
}

void select_any(const SelectBlock& b) {
    for (int64_t i = 0; i < b.count; ++i)
        memcpy(b.out + i * b.out_step, b.condition[i * b.condition_step] ? b.x + i * b.x_step : b.y + i * b.y_step,
               static_cast<size_t>(b.width));
}

SelectKernel select_for(int64_t width) {
    const SelectKernel kernel =
        for_element_width(width, [](auto known) -> SelectKernel { return select_block<known.value>; });
    return kernel ? kernel : select_any;
}

}  // namespace
}  // namespace wherry::WHERRY_ISA_NAME
