// Elements that are calculated of those at the same coordinate, one function after the other. What one function makes
// and only others of the step read is held for a few elements at a time, and never written to memory.
#include <string>
#include <vector>

#include "../kernels/blocks.hpp"
#include "../layout/numbers.hpp"
#include "../tune/machine.hpp"
#include "rows.hpp"
#include "step.hpp"

namespace wherry {
namespace {

constexpr int kSlots = 8;    // results that are held
constexpr int kTensors = 8;  // that are read or written
constexpr int kValues = 4;   // single elements that are read everywhere
constexpr int kStages = kSlots + kTensors + kValues;
constexpr int kFields = 8;                             // of one function
constexpr int64_t kStage = tune::kCalculateStage * 8;  // bytes: the widest element has 8

constexpr int kValue = -1;            // in place of a slot
constexpr int kConvert = kFunctions;  // in place of a function: elements as another type

// What a function reads, or writes: a slot, a tensor, or a value, by the number of its stage.
struct Operand {
    int place;
    int64_t width;
};

struct Calculation {
    int function;
    Element element;
    Operand out, first, second;
    CalculateKernel kernel;

    // Of a conversion, which has one operand.
    Element to;
    Beyond beyond;
    ConvertKernel convert;

    bool converts() const { return function == kConvert; }
};

struct CalculateStep final : Move {
    std::vector<Calculation> calculations;
    Spot spots[kTensors];
    int64_t widths[kTensors];
    int tensors = 0;
    Axes<kTensors> axes;  // operands: what the last function writes, then all others

    // ("calculate", count, then of each function: function, element, target or None, slot, first, slot, second, slot),
    // where a source is a tensor, or None and a slot, or the bytes of an element and kValue; a conversion has in place
    // of a second source the element of its result, and what becomes of numbers beyond its range
    void check(Fields& fields) override {
        const int count = fields.integer(1, 1, 1 << 16, "the count of functions is wrong");
        Tensor known[kTensors];
        int filled = 0;  // slots that hold something
        const int last = 2 + (count - 1) * kFields;
        require(fields.has(last + 2), "the last function must write to a tensor");
        for (int n = 0, at = 2; n < count; ++n, at += kFields) {
            Calculation made{};
            made.function = fields.integer(at, 0, kConvert, "there is no such function");
            made.element = element_in(fields, at + 1);
            const int64_t width = width_of(made.element), result = result_in(fields, at + 6, made);
            made.first = source_in(fields, at + 4, width, filled, known);
            made.second = made.converts() ? made.first : source_in(fields, at + 6, width, filled, known);
            made.out = {fields.integer(at + 3, 0, kSlots - 1, "there is no such slot"), result};
            if (fields.has(at + 2))
                made.out.place = kSlots + add(fields.target(at + 2, result), result, known);
            else
                filled |= 1 << made.out.place;
            calculations.push_back(made);
        }
        share_sizes(known);
        for (int k = 0; k < tensors; ++k) bytes = sum_of_bytes(bytes, bytes_of(known[k], widths[k]));
    }

    void prepare() override {
        int64_t moved = 0;
        for (int k = 0; k < tensors; ++k) moved += widths[k];
        rows_.prepare(axes, most_elements(), moved);
        join_short_rows();
        for (Calculation& each : calculations)
            if (!each.converts())
                each.kernel = block_kernels().calculate(static_cast<Function>(each.function), each.element);
            else if (!are_same_bits(each.element, each.to, each.beyond))
                each.convert = block_kernels().convert(each.element, each.to, each.beyond);
        for (int k = 0; k < tensors; ++k) {
            const int64_t width = widths[k];
            const bool is_dense = is_packed(k);
            inputs_[k] = {rows_.step[k],
                          column_step_[k],
                          is_dense,
                          !is_dense && rows_.step[k] == 0,
                          width,
                          block_kernels().copy(width),
                          block_kernels().fill(width)};
            for (int a = 0; a < rows_.outer.ndim; ++a) inputs_[k].is_fixed &= rows_.outer.stride[a][k] == 0;
        }
        for (size_t n = 0; n < values_.size(); ++n)
            value_fills_[n] = block_kernels().fill(static_cast<int64_t>(values_[n].size()));
        int64_t read = 0;
        for (int k = 1; k < tensors; ++k) read += axes.count_of(k) * widths[k];
        stream_ = machine().is_streamed(axes.count() * widths[0], read) &&
                  rows_.count * columns_ * widths[0] >= tune::kStreamRow && inputs_[0].is_dense;
    }

    bool run(char* const* base) const override {
        if (rows_.count == 0) return true;
        char* start[kTensors];
        for (int k = 0; k < tensors; ++k) start[k] = spots[k].in(base) + rows_.outer.offset[k];
        for_ranges(RowPieces<kTensors>::tasks(rows_.outer, rows_.count, rows_.piece), rows_.total_bytes,
                   [&](int64_t begin, int64_t end) { run_range(start, begin, end); });
        return true;
    }

private:
    // A tensor: where one line, and one element of it, is from the next.
    struct Input {
        int64_t step, column_step;
        bool is_dense;  // each piece lies packed
        bool is_fixed;  // each piece is the same
        int64_t width;
        CopyKernel copy;
        FillKernel fill;
    };

    // Of a piece: those that a stage holds of the widest operand.
    int64_t most_elements() const {
        int64_t widest = 1;
        for (const Calculation& each : calculations)
            for (const Operand& operand : {each.out, each.first, each.second}) widest = most(widest, operand.width);
        return kStage / widest;
    }

    // A piece is a part of a row, each of whose elements is a line, or several short rows.
    void join_short_rows() {
        if (rows_.count >= tune::kShortRow || rows_.outer.ndim == 0 || axes.empty) return;
        const int last = rows_.outer.ndim - 1;
        columns_ = rows_.count;
        rows_.count = rows_.outer.size[last];
        rows_.piece /= columns_;
        for (int k = 0; k < tensors; ++k) {
            column_step_[k] = rows_.step[k];
            rows_.step[k] = rows_.outer.stride[last][k];
        }
        rows_.outer.remove(last);
    }

    bool is_packed(int k) const {
        return (columns_ == 1 || column_step_[k] == widths[k]) &&
               (rows_.count == 1 || rows_.step[k] == columns_ * widths[k]);
    }

    int64_t most_lines() const { return least(rows_.piece, rows_.count); }

    // Checks what is calculated and returns the bytes of a result; of a conversion its fields, too.
    static int64_t result_in(Fields& fields, int at, Calculation& made) {
        if (!made.converts()) {
            const auto function = static_cast<Function>(made.function);
            require(can_calculate(function, made.element), "there is no such calculation");
            return width_of_result(function, made.element);
        }
        made.to = element_in(fields, at);
        made.beyond =
            static_cast<Beyond>(fields.integer(at + 1, 0, 1, "the rule for numbers out of range must be 0 or 1"));
        require(can_convert(made.element, made.to), "there is no such conversion");
        return width_of(made.to);
    }

    Operand source_in(Fields& fields, int at, int64_t width, int filled, Tensor (&known)[kTensors]) {
        if (fields.integer(at + 1) == kValue) {
            values_.push_back(fields.bytes(at));
            require(values_.size() <= kValues, "there are too many values");
            require(static_cast<int64_t>(values_.back().size()) == width, "a value has another width");
            return {kSlots + kTensors + static_cast<int>(values_.size()) - 1, width};
        }
        if (fields.has(at)) return {kSlots + add(fields.tensor(at, width), width, known), width};
        const int slot = fields.integer(at + 1, 0, kSlots - 1, "there is no such slot");
        require(filled >> slot & 1, "a slot is read before it is written");
        require(width_in_slot(slot) == width, "a slot holds elements of another width");
        return {slot, width};
    }

    int64_t width_in_slot(int slot) const {
        int64_t width = 0;
        for (const Calculation& each : calculations)
            if (each.out.place == slot) width = each.out.width;
        return width;
    }

    int add(const Tensor& tensor, int64_t width, Tensor (&known)[kTensors]) {
        require(tensors < kTensors, "there are too many tensors");
        known[tensors] = tensor;
        spots[tensors] = spot_of(tensor);
        widths[tensors] = width;
        return tensors++;
    }

    // The axes of all tensors, that of the last function's result first: it decides in which order memory is walked.
    void share_sizes(Tensor (&known)[kTensors]) {
        const int written = calculations.back().out.place - kSlots;
        swap_tensors(0, written, known);
        for (int k = 1; k < tensors; ++k) require(known[k].ndim == known[0].ndim, "the tensors differ in rank");
        for (int a = 0; a < known[0].ndim; ++a) {
            int64_t strides[kTensors] = {};
            for (int k = 0; k < tensors; ++k) {
                require(known[k].sizes[a] == known[0].sizes[a], "the tensors differ in sizes");
                strides[k] = known[k].strides[a];
            }
            axes.add(known[0].sizes[a], strides);
        }
    }

    void swap_tensors(int a, int b, Tensor (&known)[kTensors]) {
        std::swap(known[a], known[b]);
        std::swap(spots[a], spots[b]);
        std::swap(widths[a], widths[b]);
        for (Calculation& each : calculations)
            for (Operand* one : {&each.out, &each.first, &each.second})
                one->place = one->place == kSlots + a ? kSlots + b : one->place == kSlots + b ? kSlots + a : one->place;
    }

    void run_range(char* const (&start)[kTensors], int64_t begin, int64_t end) const {
        alignas(64) char stages[kStages][kStage];
        RowPieces<kTensors> at(rows_.outer, rows_.count, rows_.piece, begin);
        for (size_t n = 0; n < values_.size(); ++n) {
            const auto width = static_cast<int64_t>(values_[n].size());
            value_fills_[n](stages[kSlots + kTensors + n], width, most_lines() * columns_, values_[n].data(), width,
                            false);
        }
        // The longest piece of all may come later; what is the same in each is read once.
        for (int k = 0; k < tensors; ++k)
            if (inputs_[k].is_fixed) read(inputs_[k], stages[kSlots + k], start[k], most_lines());
        for (int64_t task = begin; task < end; ++task, at.next()) {
            char* first[kTensors];
            for (int k = 0; k < tensors; ++k) first[k] = start[k] + at.offset()[k] + at.first() * inputs_[k].step;
            for (const Calculation& each : calculations) calculate(each, first, at.size(), stages);
        }
        if (stream_) settle_streams();
    }

    void calculate(const Calculation& each, char* const (&first)[kTensors], int64_t lines,
                   char (&stages)[kStages][kStage]) const {
        const char* a = source(each.first, first, lines, stages);
        const char* b = each.converts() ? a : source(each.second, first, lines, stages);
        const int64_t count = lines * columns_;
        char* const stage = stages[each.out.place];
        const int tensor = each.out.place - kSlots;
        if (tensor < 0) return make(each, stage, a, b, count);
        const bool streams = stream_ && tensor == 0;
        if (inputs_[tensor].is_dense && !streams) return make(each, first[tensor], a, b, count);
        make(each, stage, a, b, count);
        if (streams) return block_kernels().move(first[tensor], stage, count * each.out.width, true);
        write(inputs_[tensor], first[tensor], stage, lines);
    }

    static void make(const Calculation& each, char* out, const char* a, const char* b, int64_t count) {
        if (each.kernel) return each.kernel(out, a, b, count);
        if (!each.convert) return block_kernels().move(out, a, count * each.out.width, false);
        each.convert({out, a, count, each.out.width, each.first.width, false, false});
    }

    const char* source(const Operand& operand, char* const (&first)[kTensors], int64_t lines,
                       char (&stages)[kStages][kStage]) const {
        char* const stage = stages[operand.place];
        if (operand.place < kSlots || operand.place >= kSlots + kTensors) return stage;
        const int tensor = operand.place - kSlots;
        const Input& input = inputs_[tensor];
        if (input.is_dense) return first[tensor];
        if (!input.is_fixed) read(input, stage, first[tensor], lines);
        return stage;
    }

    void read(const Input& input, char* stage, const char* from, int64_t lines) const {
        if (columns_ == 1 && input.step == 0)
            input.fill(stage, input.width, lines, from, input.width, false);
        else
            move(input, stage, columns_ * input.width, input.width, from, input.step, input.column_step, lines);
    }

    void write(const Input& output, char* to, const char* stage, int64_t lines) const {
        move(output, to, output.step, output.column_step, stage, columns_ * output.width, output.width, lines);
    }

    void move(const Input& tensor, char* to, int64_t to_line, int64_t to_element, const char* from, int64_t from_line,
              int64_t from_element, int64_t lines) const {
        CopyBlock block{};
        block.dst = to, block.src = from;
        block.bytes = tensor.width;
        if (columns_ == 1) {
            block.rows = 1;
            block.columns = lines, block.dst_column = to_line, block.src_column = from_line;
        } else {
            block.rows = lines, block.dst_row = to_line, block.src_row = from_line;
            block.columns = columns_, block.dst_column = to_element, block.src_column = from_element;
        }
        tensor.copy(block);
    }

    std::vector<std::string> values_;
    FillKernel value_fills_[kValues];
    Rows<kTensors> rows_;  // of lines
    int64_t columns_ = 1;  // elements of a line
    int64_t column_step_[kTensors] = {};
    Input inputs_[kTensors];  // of each tensor
    bool stream_;
};

}  // namespace

std::unique_ptr<Move> make_calculate() { return std::make_unique<CalculateStep>(); }

}  // namespace wherry
