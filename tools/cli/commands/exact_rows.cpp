#include "exact_rows.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <mutex>

#include "harness/long_sum.h"
#include "harness/processors.h"
#include "harness/sizes.h"

namespace vkprim::tools {

namespace {

constexpr uint64_t piece_size = 1u << 18; ///< numbers that a thread of the CPU takes at once
constexpr uint64_t batch_size = 1u << 23; ///< numbers that go to the device at once: 64 MiB of digits

/// Of a positive number, rounded down; 64 where it is just below 2^64.
int log2_of(uint64_t value) {
    const auto rounded = static_cast<double>(value);
    uint64_t   bits;
    std::memcpy(&bits, &rounded, sizeof bits);
    return static_cast<int>(bits >> 52) - 1023;
}

struct Number {
    uint64_t significand = 0; ///< times 2^exponent
    int      exponent    = 0;
    bool     negative    = false;
    double   special     = 0; ///< the infinity or NaN that it is
};

Number number_of(double value) {
    constexpr uint64_t hidden = uint64_t{1} << 52, infinite = 0x7ff;
    uint64_t           bits;
    std::memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & (hidden - 1), exponent = bits >> 52 & infinite;
    if (exponent == infinite) return {0, 0, false, value};
    const auto scale = static_cast<int>(std::max<uint64_t>(exponent, 1)) - 1075;
    return {exponent == 0 ? fraction : fraction | hidden, scale, bits >> 63 != 0};
}

Number number_of(ElementType type, uint64_t bits) {
    if (is_float(type)) return number_of(double_of(type, bits));
    const bool is_signed = type == ElementType::i32 || type == ElementType::i64;
    const auto value     = type == ElementType::i32 ? value_of<int32_t>(bits) : value_of<int64_t>(bits);
    if (is_signed && value < 0) return {0 - static_cast<uint64_t>(value), 0, true};
    return {is_signed ? static_cast<uint64_t>(value) : bits};
}

/// The powers of two that a row's numbers are made of, from 2^low to before 2^high.
struct Range {
    int    low = INT32_MAX, high = INT32_MIN;
    double special = 0; ///< the sum of what is not finite

    void add(const Number& number) {
        special += number.special;
        if (number.significand == 0) return;
        low  = std::min(low, number.exponent + log2_of(number.significand & (0 - number.significand)));
        high = std::max(high, number.exponent + log2_of(number.significand) + 1);
    }
    void add(const Range& other) {
        special += other.special;
        low  = std::min(low, other.low);
        high = std::max(high, other.high);
    }
};

/// Calls use(first, count) for pieces of the numbers from `begin` to before `end`, on all processors.
template <class Use>
void for_pieces(uint64_t begin, uint64_t end, const Use& use) {
    harness::on_all_processors(static_cast<uint32_t>((end - begin + piece_size - 1) / piece_size), [&](uint32_t piece) {
        const uint64_t first = begin + piece * piece_size;
        use(first, static_cast<uint32_t>(std::min(piece_size, end - first)));
    });
}

std::vector<uint32_t> words_of(const RowNumbers& numbers, uint64_t begin, uint32_t count) {
    std::vector<uint32_t> words(uint64_t{count} * harness::words_in(numbers.type));
    numbers.load(begin, count, words.data());
    return words;
}

std::vector<Range> ranges_of(const RowNumbers& numbers) {
    std::vector<Range> ranges(numbers.rows);
    std::mutex         mutex; // of `ranges`: pieces share rows
    for_pieces(0, numbers.rows * numbers.length, [&](uint64_t first, uint32_t count) {
        const auto words = words_of(numbers, first, count);
        for (uint32_t i = 0; i < count;) {
            const uint64_t row = (first + i) / numbers.length;
            const auto     end = static_cast<uint32_t>(std::min<uint64_t>(count, (row + 1) * numbers.length - first));
            Range          range;
            for (; i < end; ++i) range.add(number_of(numbers.type, bits_at(numbers.type, words.data(), i)));
            const std::lock_guard lock(mutex);
            ranges[row].add(range);
        }
    });
    return ranges;
}

/// Where a row's digits lie.
struct Digits {
    std::vector<int> units; ///< log2 of what a row's lowest digit counts
    int              width; ///< bits of each
    int              count = 0;

    Digits(const std::vector<Range>& ranges, uint64_t length, uint32_t bits) : width(62 - log2_of(length)) {
        for (const Range& range : ranges) {
            if (range.low > range.high) {
                units.push_back(0); // nothing but zeros
                continue;
            }
            const auto used = static_cast<int>(std::min(static_cast<uint32_t>(range.high - range.low), bits));
            units.push_back(range.high - used);
            count = std::max(count, (used + width - 1) / width);
        }
    }

    int place(uint64_t row, int digit) const { return units[row] + digit * width; }

    int64_t digit(const Number& number, int place) const {
        const int shift = number.exponent - place;
        if (shift <= -64 || shift >= 64) return 0;
        const uint64_t bits = shift < 0 ? number.significand >> -shift : number.significand << shift;
        const auto     part = static_cast<int64_t>(bits & ((uint64_t{1} << width) - 1));
        return number.negative ? -part : part;
    }
};

/// One digit of each number, as i64.
harness::LoadElements load_digit(const RowNumbers& numbers, const Digits& digits, int digit) {
    return [&, digit](uint64_t begin, uint32_t count, uint32_t* target) {
        const auto words = words_of(numbers, begin, count);
        uint64_t   row = begin / numbers.length, row_end = (row + 1) * numbers.length;
        int        place = digits.place(row, digit);
        for (uint32_t i = 0; i < count; ++i) {
            if (begin + i == row_end) {
                place = digits.place(++row, digit);
                row_end += numbers.length;
            }
            const int64_t value = digits.digit(number_of(numbers.type, bits_at(numbers.type, words.data(), i)), place);
            std::memcpy(target + uint64_t{i} * 2, &value, sizeof value);
        }
    };
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN(); // positive, without a payload

} // namespace

bool has_number(const RowNumbers& numbers, uint64_t row) {
    if (!is_float(numbers.type)) return numbers.length > 0;
    uint64_t step = 1; // most rows begin with one
    for (uint64_t begin = 0; begin < numbers.length; begin += step, step = piece_size) {
        const auto count = static_cast<uint32_t>(std::min(step, numbers.length - begin));
        const auto words = words_of(numbers, row * numbers.length + begin, count);
        for (uint32_t i = 0; i < count; ++i)
            if (!std::isnan(double_of(numbers.type, bits_at(numbers.type, words.data(), i)))) return true;
    }
    return false;
}

std::vector<double> sum_rows(const RowNumbers& numbers, const RowSums& sums, const AddRows& add) {
    std::vector<double> results(numbers.rows, sums.divisor == 0 ? nan : 0);
    if (numbers.rows * numbers.length == 0 || sums.divisor == 0) return results;
    const std::vector<Range>          ranges = ranges_of(numbers);
    const Digits                      digits(ranges, numbers.length, sums.bits);
    std::vector<std::vector<int64_t>> totals;
    for (int digit = 0; digit < digits.count; ++digit) totals.push_back(add(load_digit(numbers, digits, digit)));
    harness::for_all(numbers.rows, [&](uint64_t row) {
        if (ranges[row].special != 0) { // NaN is not 0, too
            results[row] = std::isnan(ranges[row].special) ? nan : ranges[row].special;
            return;
        }
        harness::LongSum sum;
        for (int digit = 0; digit < digits.count; ++digit)
            sum.add(totals[static_cast<size_t>(digit)][row], digits.place(row, digit));
        sum.carry();
        results[row] =
            sums.result == ElementType::f32 ? sum.rounded<float>(sums.divisor) : sum.rounded<double>(sums.divisor);
    });
    return results;
}

std::vector<double> means_of_rows(const RowNumbers& numbers, const AddRows& add) {
    RowSums sums;
    sums.divisor = numbers.length;
    if (numbers.type == ElementType::f32) sums.result = ElementType::f32;
    return sum_rows(numbers, sums, add);
}

std::vector<double> variances_of_rows(const RowNumbers& numbers, const AddRows& add) {
    // Numbers of 64 bits count from the row's first one: doubles of such differences lose less.
    const bool            is_long = harness::words_in(numbers.type) == 2, is_double = numbers.type == ElementType::f64;
    std::vector<uint64_t> firsts(is_long && numbers.length > 0 ? numbers.rows : 0);
    for (uint64_t row = 0; row < firsts.size(); ++row) {
        numbers.load(row * numbers.length, 1, reinterpret_cast<uint32_t*>(&firsts[row]));
        // Others' differences from such a double might overflow.
        if (is_double && !(std::abs(value_of<double>(firsts[row])) < 0x1p1000)) firsts[row] = 0;
    }
    const auto number_at = [&](const uint32_t* words, uint32_t i, uint64_t row) {
        const uint64_t bits = bits_at(numbers.type, words, i);
        if (!is_long) return double_of(numbers.type, bits);
        if (is_double) return value_of<double>(bits) - value_of<double>(firsts[row]);
        const bool less = numbers.type == ElementType::i64 ? value_of<int64_t>(bits) < value_of<int64_t>(firsts[row])
                                                           : bits < firsts[row];
        return less ? -static_cast<double>(firsts[row] - bits) : static_cast<double>(bits - firsts[row]);
    };
    // `of(number, row)` of each.
    const auto doubles = [&](auto of) {
        const auto load = [&, of](uint64_t begin, uint32_t count, uint32_t* words) {
            const auto here = words_of(numbers, begin, count);
            for (uint32_t i = 0; i < count; ++i) {
                const uint64_t row   = (begin + i) / numbers.length;
                const double   value = of(number_at(here.data(), i, row), row);
                std::memcpy(words + uint64_t{i} * 2, &value, sizeof value);
            }
        };
        return RowNumbers{ElementType::f64, numbers.rows, numbers.length, load};
    };
    const auto means   = means_of_rows(doubles([](double number, uint64_t) { return number; }), add);
    const auto squares = doubles([&](double number, uint64_t row) {
        const double deviation = number - means[row];
        return deviation * deviation;
    });
    return means_of_rows(squares, add);
}

RowAdder::RowAdder(const JobFlags& flags, const runtime::Device& device, ArrayJob& job, uint64_t rows, uint64_t length)
    : flags_(flags),
      device_(device),
      job_(job),
      rows_(rows),
      length_(length),
      most_{static_cast<uint32_t>(std::min(length, batch_size)),
            static_cast<uint32_t>(std::max<uint64_t>(std::min(batch_size / std::max<uint64_t>(length, 1), rows), 1))},
      values_(uint64_t{most_.count} * most_.segments),
      sums_(most_.segments),
      reduce_(need_device(
          SegmentedReduce::create(device.context(), {ElementType::i64, Operation::add, SegmentLayout::rows}))),
      input_(job.buffer(values_.size() * sizeof(int64_t))),
      output_(job.buffer(sums_.size() * sizeof(int64_t))),
      scratch_(job.zeros(harness::scratch_size_of(reduce_, {most_.count, most_.segments}))) {}

std::vector<int64_t> RowAdder::operator()(const harness::LoadElements& load) {
    std::vector<int64_t> totals(rows_);
    for (uint64_t row = 0; row < rows_; row += most_.segments) {
        for (uint64_t column = 0; column < length_; column += most_.count) {
            const Batch    size{static_cast<uint32_t>(std::min<uint64_t>(most_.count, length_ - column)),
                             static_cast<uint32_t>(std::min<uint64_t>(most_.segments, rows_ - row))};
            const uint64_t begin = row * length_ + column, count = uint64_t{size.count} * size.segments;
            for_pieces(begin, begin + count, [&](uint64_t first, uint32_t in_piece) {
                load(first, in_piece, reinterpret_cast<uint32_t*>(&values_[first - begin]));
            });
            add(size, row);
            for (uint32_t i = 0; i < size.segments; ++i) totals[row + i] += sums_[i];
        }
    }
    return totals;
}

void RowAdder::add(const Batch& size, uint64_t row) {
    const uint64_t count = uint64_t{size.count} * size.segments;
    job_.upload(input_, values_.data(), count * sizeof(int64_t));
    SegmentedReduce::Args args;
    args.input          = input_.address();
    args.output         = output_.address();
    args.scratch        = scratch_.address();
    args.count          = size.count;
    args.segments.count = size.segments;
    job_.run(reduce_, args, parts_of(flags_, count));
    job_.download(output_, sums_.data(), size.segments * sizeof(int64_t));
    for (uint32_t i = 0; i < size.segments && !flags_.no_check; ++i) {
        const auto*       words    = reinterpret_cast<const uint32_t*>(&values_[uint64_t{i} * size.count]);
        const auto        expected = harness::reference_reduce(ElementType::i64, Operation::add, words, size.count);
        const std::string wrong    = difference(ElementType::i64, expected.data(), &sums_[i], 1);
        require_right(wrong.empty() ? wrong : fmt::format("row {}, digits, {}", row + i, wrong), device_);
    }
}

} // namespace vkprim::tools
