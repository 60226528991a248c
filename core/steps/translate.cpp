// Each element by its code in a table: what a cast to or from a type of few bits makes of all elements that there are.
#include <cstring>
#include <string>

#include "../kernels/blocks.hpp"
#include "../tune/machine.hpp"
#include "rows.hpp"
#include "step.hpp"

namespace wherry {
namespace {

constexpr int64_t kCodes8 = 1 << 8, kCodes16 = 1 << 16;

struct TranslateStep final : Move {
    Spot out, data;
    Axes<2> axes;  // operands: out, data
    int64_t width, data_width;
    bool converts;  // else the bits of an element are its code
    Element from, code;
    Beyond beyond;
    std::string table;

    // ("translate", target, source, bytes of an element of target, table of such elements, bytes of a code[, element of
    // source, element whose bits are the code, what becomes of numbers beyond its range])
    void check(Fields& fields) override {
        width = fields.integer(3), table = fields.bytes(4), code_width_ = fields.integer(5);
        require(code_width_ == 1 || code_width_ == 2, "a code must have 1 or 2 bytes");
        require(width > 0 && width <= (code_width_ == 1 ? kLookupBytes : 1), "the table has no elements of that width");
        require(std::ssize(table) == width * (code_width_ == 1 ? kCodes8 : kCodes16), "the table needs all codes");
        converts = fields.has(6);
        data_width = code_width_;
        if (converts) {
            from = element_in(fields, 6), code = element_in(fields, 7);
            beyond = static_cast<Beyond>(fields.integer(8, 0, 1, "the rule for numbers out of range must be 0 or 1"));
            data_width = width_of(from);
            require(width_of(code) == code_width_ && kernel() != nullptr, "there is no such conversion");
        }
        const Tensor target = fields.target(1, width), source = fields.tensor(2, data_width);
        out = spot_of(target), data = spot_of(source);
        share_axes<2>(axes, {&target, &source});
        bytes = bytes_of(target, width);
    }

    void prepare() override {
        rows_.prepare(axes, tune::kTaskElements, most(width, data_width), {width, data_width}, true);
        is_dense_ = rows_.step[0] == width;
        reads_codes_ = !converts && rows_.step[1] == code_width_;
        stream_ = machine().is_streamed(axes.count() * width, axes.count_of(1) * data_width) &&
                  rows_.count * width >= tune::kStreamRow && is_dense_ && rows_.is_in_place();
        const BlockKernels& kernels = block_kernels();
        const bool are_booleans = code_width_ == 1 && !converts && same_from(1, 2);
        if (are_booleans) converts = true, from = Element::boolean, code = Element::u8, beyond = Beyond::wraps;
        reads_codes_ &= !converts;
        look_up_ = code_width_ == 1 ? kernels.look_up(width, are_booleans || same_from(0, 16)) : kernels.look_up_bytes;
        if (converts) convert_ = kernel();
        copy_code_ = kernels.copy(code_width_);
        copy_out_ = kernels.copy(width);
        if (code_width_ == 1) lay_in_slots();
    }

    bool run(char* const* base) const override {
        rows_.run({out.in(base), data.in(base)}, stream_, [&](char* const* at, int64_t count) {
            const int64_t piece = reads_codes_ && is_dense_ ? count : tune::kLookupStage;
            for (int64_t i = 0; i < count; i += piece)
                translate(at[0] + i * rows_.step[0], at[1] + i * rows_.step[1], least(piece, count - i));
        });
        return true;
    }

private:
    // Codes of 16 bits are bfloat16, rounded to odd: those of other types are the elements themselves.
    ConvertKernel kernel() const {
        if (code == Element::bf16) return block_kernels().convert_to_odd(from);
        return can_convert(from, code) ? block_kernels().convert(from, code, beyond) : nullptr;
    }

    // Whether all codes from `second` on have what those have that lie as far before them as `first`.
    bool same_from(int64_t first, int64_t second) const {
        const size_t from = static_cast<size_t>(first * width), to = static_cast<size_t>(second * width);
        return std::memcmp(table.data() + from, table.data() + to, table.size() - to) == 0;
    }

    void lay_in_slots() {
        const int64_t slot = lookup_slot(width);
        std::string slots(static_cast<size_t>(kCodes8 * slot), '\0');
        for (int64_t k = 0; k < kCodes8; ++k)
            std::memcpy(slots.data() + k * slot, table.data() + k * width, static_cast<size_t>(width));
        slots_ = std::move(slots);
    }

    const char* slots() const { return code_width_ == 1 ? slots_.data() : table.data(); }

    void translate(char* to, const char* elements, int64_t count) const {
        alignas(64) char codes[tune::kLookupStage * 2], results[tune::kLookupStage * kLookupBytes];
        if (converts)
            convert_({codes, elements, count, code_width_, rows_.step[1], false, false});
        else if (!reads_codes_)
            copy_row(copy_code_, code_width_, codes, code_width_, elements, rows_.step[1], count);
        look_up_({is_dense_ ? to : results, reads_codes_ ? elements : codes, count, slots(), stream_});
        if (!is_dense_) copy_row(copy_out_, width, to, rows_.step[0], results, width, count);
    }

    static void copy_row(CopyKernel copy, int64_t bytes, char* to, int64_t to_step, const char* elements, int64_t step,
                         int64_t count) {
        CopyBlock block{};
        block.dst = to, block.src = elements;
        block.rows = 1, block.columns = count;
        block.dst_column = to_step, block.src_column = step;
        block.bytes = bytes;
        copy(block);
    }

    int64_t code_width_;
    ElementRows<2> rows_;
    bool is_dense_, reads_codes_, stream_;
    std::string slots_;
    LookupKernel look_up_;
    ConvertKernel convert_;
    CopyKernel copy_code_, copy_out_;
};

}  // namespace

std::unique_ptr<Move> make_translate() { return std::make_unique<TranslateStep>(); }

}  // namespace wherry
