// Compiled without contraction: the CPU rounds after every operation, as the shader must.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "float_bits.h"
#include "judge.h"
#include "shaders/doctor.h"

namespace vkprim::tools::doctor {

namespace {

// The words of results, as float_arithmetic.comp stores them.
enum Column { sum, product, sum_of_product, product_of_difference, free_sum_of_product };

constexpr float infinity = std::numeric_limits<float>::infinity();

float power_of_2(int exponent) { return std::ldexp(1.0f, exponent); }

bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

std::string float_text(uint32_t bits) {
    return bits == unwritten ? "nothing" : fmt::format("{} (0x{:08x})", float_of(bits), bits);
}

/// What the CPU makes of it, in two steps where there are two.
float reference(Column column, const FloatCase& one) {
    switch (column) {
        case sum: return one.a + one.b;
        case product: return one.a * one.b;
        case product_of_difference: {
            const float difference = one.a - one.b;
            return difference * one.c;
        }
        default: {
            const float first = one.a * one.b;
            return first + one.c;
        }
    }
}

std::string formula(Column column, const FloatCase& one) {
    switch (column) {
        case sum: return fmt::format("{} + {}", one.a, one.b);
        case product: return fmt::format("{} * {}", one.a, one.b);
        case product_of_difference: return fmt::format("({} - {}) * {}", one.a, one.b, one.c);
        default: return fmt::format("{} * {} + {}", one.a, one.b, one.c);
    }
}

uint32_t result_of(const Words& results, size_t number, Column column) {
    const size_t place = number * FLOAT_RESULTS + column;
    return place < results.size() ? results[place] : unwritten;
}

bool is_zero(uint32_t bits) { return (bits & 0x7fffffff) == 0; }

/// Compares columns with the CPU, bit by bit; but both zeros are one, which is another probe's matter.
Finding compare(const FloatCases& cases, const Words& results, std::initializer_list<Column> columns,
                const char* good) {
    size_t      wrong = 0, compared = 0;
    std::string first;
    for (size_t i = 0; i < cases.size(); ++i) {
        for (const Column column : columns) {
            const uint32_t expected = bits_of(reference(column, cases[i])), got = result_of(results, i, column);
            ++compared;
            if (got == expected || (is_zero(got) && is_zero(expected))) continue;
            if (wrong++ == 0) {
                first = fmt::format("{}: expected {}, got {}", formula(column, cases[i]), float_text(expected),
                                    float_text(got));
            }
        }
    }
    Finding finding;
    finding.numbers = {{"compared", compared}, {"wrong", wrong}};
    finding.verdict = wrong > 0 || cases.empty() ? Verdict::failed : Verdict::ok;
    finding.seen =
        wrong == 0 ? fmt::format("{} {}", compared, good) : fmt::format("{}; {} of {} differ", first, wrong, compared);
    return finding;
}

/// A number with random bits, and an exponent from -range to range.
float random_float(uint32_t& state, uint32_t range) {
    state               = state * 1664525 + 1013904223;
    const uint32_t bits = doctor_value(state, 0);
    return float_of((bits & 0x807fffff) | (127 - range + (bits >> 8) % (2 * range + 1)) << 23);
}

Finding probe(Lab& lab, const char* name, const FloatCases& cases, Finding (*judge)(const FloatCases&, const Words&)) {
    PipelineDesc desc;
    desc.shader             = shaders::float_arithmetic_any;
    desc.name               = name;
    desc.push_size          = sizeof(DoctorPush);
    desc.rounds             = true;
    const Pipeline pipeline = lab.prepare(desc);
    Experiment     experiment;
    for (const FloatCase& one : cases) {
        for (const float operand : {one.a, one.b, one.c}) experiment.memory.push_back(bits_of(operand));
    }
    experiment.count        = static_cast<uint32_t>(cases.size());
    experiment.workgroups   = (experiment.count - 1) / desc.workgroup_size + 1;
    experiment.result_words = FLOAT_RESULTS * experiment.count;
    return judge(cases, lab.run(pipeline, experiment).results);
}

/// "+0" or "-0"; nothing for what is not zero.
std::string zero_text(uint32_t bits) { return bits == 0 ? "+0" : bits == 0x80000000 ? "-0" : ""; }

} // namespace

FloatCases rounding_cases() {
    const float one = 1, ulp = power_of_2(-23), tiny = power_of_2(-30), large = power_of_2(24);
    FloatCases  cases = {
         {one, ulp / 2, 0},                     // a tie, down to the even neighbour
         {one + ulp, ulp / 2, 0},               // a tie, up
         {one, ulp * 0.75f, 0},                 // nearer to the upper
         {-one, -ulp / 2, 0},                   //
         {one, tiny, 0},                        // not up, whatever the sign
         {-one, -tiny, 0},                      //
         {one, -tiny, 0},                       // not towards zero
         {-one, tiny, 0},                       //
         {large, 1, 0},                         // ties between even integers
         {large, 3, 0},                         //
         {one + ulp, one + ulp, 0},             // products
         {one - ulp, one + ulp, 0},             //
         {1 + 1 / 4096.0f, 1 + 1 / 4096.0f, 0}, // a tie
         {3, 1 / 3.0f, 0},
    };
    uint32_t state = 1;
    while (cases.size() < 4096) {
        const float a = random_float(state, 12), b = random_float(state, 12);
        cases.push_back({a, b, 0});
    }
    return cases;
}

FloatCases contraction_cases() {
    FloatCases cases = {{1 + 1 / 4096.0f, 1 + 1 / 4096.0f, -(1 + 1 / 2048.0f)}};
    uint32_t   state = 2;
    while (cases.size() < 4096) {
        // A sum that cancels all of the rounded product, or nearly so, shows what was not rounded off.
        const float a = random_float(state, 4), b = random_float(state, 4), rounded = a * b;
        cases.push_back({a, b, cases.size() % 2 == 0 ? -rounded : -rounded * 1.0001f});
    }
    return cases;
}

FloatCases subnormal_cases() {
    return {{power_of_2(-130), power_of_2(20), 0},            // an input
            {power_of_2(-100), power_of_2(-30), 0},           // a product
            {power_of_2(-126) * 1.5f, -power_of_2(-126), 0}}; // a sum
}

FloatCases zero_cases() { return {{1, -1, 0}, {-0.0f, -0.0f, 0}, {-1, 0, 0}}; }

FloatCases infinity_cases() {
    return {{3e38f, 3e38f, 0}, {-3e38f, -3e38f, 0}, {infinity, -5, 0}, {-infinity, 7, 0}, {1e30f, -1e30f, 0}};
}

FloatCases nan_cases() { return {{infinity, -infinity, 0}, {0, infinity, 0}, {float_of(0x7fc12345), 1, 0}}; }

Finding judge_rounding(const FloatCases& cases, const Words& results) {
    return compare(cases, results, {sum, product}, "sums and products as the CPU rounds them, to nearest even");
}

Finding judge_contraction(const FloatCases& cases, const Words& results) {
    return compare(cases, results, {sum_of_product, product_of_difference}, "results of two operations, each rounded");
}

Finding judge_free_contraction(const FloatCases& cases, const Words& results) {
    size_t fused = 0, rounded_twice = 0, neither = 0;
    for (size_t i = 0; i < cases.size(); ++i) {
        const FloatCase& one   = cases[i];
        const uint32_t   got   = result_of(results, i, free_sum_of_product);
        const uint32_t   twice = bits_of(reference(free_sum_of_product, one));
        const uint32_t   once  = bits_of(std::fma(one.a, one.b, one.c));
        if (once == twice && got == once) continue;
        if (got != once && got != twice) ++neither;
        fused += got == once;
        rounded_twice += got == twice;
    }
    Finding finding;
    finding.numbers = {{"fused", fused}, {"rounded_twice", rounded_twice}, {"neither", neither}};
    finding.verdict = neither > 0 || fused + rounded_twice == 0 ? Verdict::failed : Verdict::note;
    finding.seen =
        neither > 0  ? fmt::format("{} of {} results are rounded neither once nor twice", neither, cases.size())
        : fused == 0 ? "a * b + c is rounded twice"
                     : fmt::format("a * b + c is fused in {} of {} results that show it", fused, fused + rounded_twice);
    return finding;
}

Finding judge_subnormals(const FloatCases& cases, const Words& results) {
    const char* const names[]   = {"inputs", "products", "sums"};
    const Column      columns[] = {product, product, sum};
    Finding           finding;
    finding.verdict = Verdict::note;
    for (size_t i = 0; i < 3; ++i) {
        const uint32_t got = result_of(results, i, columns[i]), kept = bits_of(reference(columns[i], cases[i]));
        const bool     is_kept = got == kept, is_flushed = is_zero(got);
        if (!is_kept && !is_flushed) {
            return {Verdict::failed, fmt::format("{}: expected {} or 0, got {}", formula(columns[i], cases[i]),
                                                 float_text(kept), float_text(got))};
        }
        finding.numbers[names[i]] = is_kept ? "kept" : "flushed";
        finding.seen += fmt::format("{}{} {}", i == 0 ? "" : ", ", names[i], is_kept ? "kept" : "flushed to zero");
    }
    return finding;
}

Finding judge_zeros(const FloatCases& cases, const Words& results) {
    const Column columns[] = {sum, sum, product};
    Finding      finding;
    finding.verdict = Verdict::note;
    for (size_t i = 0; i < 3; ++i) {
        const uint32_t    got  = result_of(results, i, columns[i]);
        const std::string text = zero_text(got), what = formula(columns[i], cases[i]);
        if (text.empty()) return {Verdict::failed, fmt::format("{}: expected 0, got {}", what, float_text(got))};
        finding.numbers[what] = text;
        finding.seen += fmt::format("{}{} is {}", i == 0 ? "" : ", ", what, text);
    }
    return finding;
}

Finding judge_infinities(const FloatCases& cases, const Words& results) {
    FloatCases sums(cases.begin(), cases.end() - 1);
    Finding    finding = compare(sums, results, {sum}, "sums that overflow or begin with an infinity are infinite");
    if (finding.verdict != Verdict::ok) return finding;
    const uint32_t got = result_of(results, sums.size(), product);
    if (got == bits_of(-infinity)) return finding;
    return {Verdict::failed, fmt::format("{}: expected -inf, got {}", formula(product, cases.back()), float_text(got))};
}

Finding judge_nan(const FloatCases& cases, const Words& results) {
    const Column      columns[] = {sum, product, sum};
    const char* const names[]   = {"inf - inf", "0 * inf", "NaN 0x7fc12345 + 1"};
    Finding           finding;
    finding.verdict = Verdict::note;
    for (size_t i = 0; i < cases.size(); ++i) {
        const uint32_t got = result_of(results, i, columns[i]);
        if (!is_nan(got)) return {Verdict::failed, fmt::format("{}: expected NaN, got {}", names[i], float_text(got))};
        finding.numbers[names[i]] = fmt::format("0x{:08x}", got);
        finding.seen += fmt::format("{}{} is 0x{:08x}", i == 0 ? "" : ", ", names[i], got);
    }
    return finding;
}

std::vector<Probe> float_probes() {
    const auto add = [](const char* name, const char* about, FloatCases (*cases)(),
                        Finding (*judge)(const FloatCases&, const Words&)) {
        return Probe{"floats (f32)", name, about, [=](Lab& lab) { return probe(lab, name, cases(), judge); }};
    };
    return {
        add("rounding", "Sums and products, ties among them. Float results have the same bits everywhere only so.",
            rounding_cases, judge_rounding),
        add("contraction under precise", "`precise` operations must not be fused. Float results rely on it.",
            contraction_cases, judge_contraction),
        add("contraction elsewhere", "Without `precise` a driver may fuse; vkprim has it everywhere.",
            contraction_cases, judge_free_contraction),
        add("subnormals", "vkprim promises nothing for sums and products that meet them.", subnormal_cases,
            judge_subnormals),
        add("signs of zero", "Drivers differ; vkprim stores sums and products that are zero as +0.", zero_cases,
            judge_zeros),
        add("infinities", "Sums and products keep them.", infinity_cases, judge_infinities),
        add("NaN", "Drivers differ in its bits; vkprim stores 0x7fc00000 for sums and products.", nan_cases, judge_nan),
    };
}

} // namespace vkprim::tools::doctor
