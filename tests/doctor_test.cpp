// The judgements of `vkprim doctor`: each takes a right answer, and fails a wrong one. The probes themselves run in
// program_test.cpp.
#include "tools/doctor/judge.h"

#include <cmath>
#include <limits>
#include <set>

#include "float_bits.h"
#include "support/catch.h"

namespace vkprim::tools::doctor {
namespace {

Verdict litmus(const LitmusTest& test, const Words& results) {
    Outcomes outcomes;
    outcomes.add(results);
    return judge_litmus(test, outcomes).verdict;
}

Finding words(bool whole, const Words& results) {
    WordOutcomes outcomes;
    outcomes.add({7, whole}, results);
    return judge_words(outcomes);
}

/// What a device that is right stores for float_arithmetic.comp.
Words float_results(const FloatCases& cases) {
    Words results;
    for (const FloatCase& one : cases) {
        // Volatile: rounded after every operation.
        const volatile float sum = one.a + one.b, product = one.a * one.b, difference = one.a - one.b;
        const volatile float sum_of_product = product + one.c, product_of_difference = difference * one.c;
        for (const float value :
             {float(sum), float(product), float(sum_of_product), float(product_of_difference), float(sum_of_product)}) {
            results.push_back(bits_of(value));
        }
    }
    return results;
}

/// The verdict after word `place` has become `value`.
template <class Judge, class Cases>
Verdict spoiled(Judge judge, const Cases& cases, Words results, size_t place, uint32_t value) {
    REQUIRE(place < results.size());
    results[place] = value;
    return judge(cases, results).verdict;
}

/// An answer that is right, one with the last word wrong, one that was never written, and none.
template <class Judge, class Cases>
void check_judge(Judge judge, const Cases& cases, const Words& right, Verdict good = Verdict::ok) {
    CHECK(judge(cases, right).verdict == good);
    CHECK(judge(cases, Words(right.size(), unwritten)).verdict == Verdict::failed);
    CHECK(judge(cases, Words()).verdict == Verdict::failed);
}

} // namespace

TEST_CASE("doctor: litmus tests", "[doctor]") {
    const LitmusTest forbidden{{1, 0}, {0, 1}, false}, allowed{{1, 0}, {0, 1}, true}, buffering{{0, 0}, {1, 1}, true};
    CHECK(litmus(forbidden, {0, 0, 0, 1, 1, 1}) == Verdict::ok);
    CHECK(litmus(forbidden, {0, 0, 1, 0, 1, 1}) == Verdict::failed);
    CHECK(litmus(allowed, {0, 0, 1, 0, 1, 1}) == Verdict::note);
    CHECK(litmus(buffering, {0, 0}) == Verdict::note);
    for (const LitmusTest& test : {forbidden, allowed, buffering}) {
        CHECK(litmus(test, {0, 0, unwritten, unwritten}) == Verdict::failed);
        CHECK(litmus(test, {0, 2}) == Verdict::failed);
        CHECK(litmus(test, {}) == Verdict::failed);
    }
    Outcomes outcomes;
    outcomes.add({0, 0, 1, 0, 1, 0, 1, 1});
    const Finding weak = judge_litmus(allowed, outcomes);
    CHECK(weak.numbers.at("weak") == 2);
    CHECK(weak.numbers.at("tries") == 4);
    CHECK(weak.seen.find("2 weak of 4 tries, none of them racing") == 0);
    outcomes.add({0, 1});
    CHECK(judge_litmus(allowed, outcomes).seen.find("2 weak of 5 tries, 1 of them racing") == 0);
}

TEST_CASE("doctor: words that are handed over", "[doctor]") {
    const uint32_t first = doctor_value(0, 7), second = doctor_value(1, 7);
    CHECK(words(true, {1, first, 0, 0}).verdict == Verdict::ok);
    CHECK(words(true, {1, first, 0, second}).verdict == Verdict::failed);       // the value without the flag
    CHECK(words(false, {1, first, 0, second & 0xffff}).verdict == Verdict::ok); // one of two halves
    for (const bool whole : {true, false}) {
        CHECK(words(whole, {1, first, 1, 0}).verdict == Verdict::failed);
        CHECK(words(whole, {1, first, 1, second & 0xffff}).verdict == Verdict::failed);
        CHECK(words(whole, {1, first, 1, first}).verdict == Verdict::failed);
        CHECK(words(whole, {unwritten, unwritten}).verdict == Verdict::failed);
        CHECK(words(whole, {}).verdict == Verdict::failed);
    }
    CHECK(words(true, {1, first, 1, 0})
              .seen.find("1 torn of 2 tries, 2 of which found the word; instance 1, flag 1: expected") == 0);
}

TEST_CASE("doctor: arrivals", "[doctor]") {
    CHECK(judge_ordered_arrival(36, {36, 36}).verdict == Verdict::ok);
    CHECK(judge_ordered_arrival(36, {36, 35}).verdict == Verdict::failed);
    CHECK(judge_ordered_arrival(36, {36, unwritten}).verdict == Verdict::failed);
    CHECK(judge_ordered_arrival(36, {}).verdict == Verdict::failed);
    CHECK(judge_relaxed_arrival({1, 1000}).verdict == Verdict::ok);
    CHECK(judge_relaxed_arrival({1, 1000}).numbers.at("late") == 1);
    CHECK(judge_relaxed_arrival({1, ~0u}).verdict == Verdict::failed);
    CHECK(judge_relaxed_arrival({1, unwritten}).verdict == Verdict::failed);
    CHECK(judge_relaxed_arrival({}).verdict == Verdict::failed);
}

TEST_CASE("doctor: progress", "[doctor]") {
    CHECK(judge_start_order({0, 1, 2}).numbers.at("most_apart") == 0);
    CHECK(judge_start_order({2, 1, 0}).numbers.at("most_apart") == 2);
    CHECK(judge_start_order({2, 1, 0}).verdict == Verdict::note);
    CHECK(judge_start_order({0, 1, 1}).verdict == Verdict::failed);
    CHECK(judge_start_order({0, 1, 3}).verdict == Verdict::failed);
    CHECK(judge_start_order({unwritten}).verdict == Verdict::failed);
    CHECK(judge_start_order({}).verdict == Verdict::failed);

    const ProgressTest test{1, 4, 100};
    CHECK(judge_progress(test, {unwritten, 1, 100, 5}).seen == "yes: seen by all 3 within 100 polls");
    CHECK(judge_progress(test, {1, 1, ~0u, 5}).seen == "not seen by 1 of 3 within 100 polls");
    CHECK(judge_progress(test, {1, 1, ~0u, 5}).verdict == Verdict::note);
    CHECK(judge_progress(test, {1, 1, 101, 5}).verdict == Verdict::failed);
    CHECK(judge_progress(test, {1, 1, unwritten, 5}).verdict == Verdict::failed);
    CHECK(judge_progress(test, {1, 1, 1}).verdict == Verdict::failed);

    CHECK(judge_hand_over(64, {64, 64}, 0.128).seen == "yes: 64 rounds to and fro, 1.00 us for each hand-over");
    CHECK(judge_hand_over(64, {64, 64}, 0).numbers.count("us_per_hand_over") == 0);
    CHECK(judge_hand_over(64, {64, 63}, 1).verdict == Verdict::note);
    CHECK(judge_hand_over(64, {64, 63}, 1).seen.find("no: ") == 0);
    CHECK(judge_hand_over(64, {64, unwritten}, 1).verdict == Verdict::failed);
    CHECK(judge_hand_over(64, {}, 1).verdict == Verdict::failed);

    CHECK(judge_loop_rounds(100000, 100000).verdict == Verdict::note);
    CHECK(judge_loop_rounds(100000, 65535).verdict == Verdict::note);
    CHECK(judge_loop_rounds(100000, 65534).verdict == Verdict::failed);
    CHECK(judge_loop_rounds(100000, unwritten).verdict == Verdict::failed);
    CHECK(judge_loop_exit(2, {0, 0, 1, 1, 0, 0, 1, 1}).numbers.at("changed") == 0);
    CHECK(judge_loop_exit(2, {1, 1, 1, 1, 0, 0, 1, 1}).numbers.at("changed") == 1);
    CHECK(judge_loop_exit(2, {1, 1, 1, 1, 0, 0, 1, 1}).verdict == Verdict::note);
    CHECK(judge_loop_exit(2, {2, 1, 1, 1}).verdict == Verdict::failed);
    CHECK(judge_loop_exit(2, {unwritten, unwritten}).verdict == Verdict::failed);
}

TEST_CASE("doctor: numbering of invocations", "[doctor]") {
    // Two subgroups of two: subgroup, invocation, size, subgroups.
    const Words right = {0, 0, 2, 2, 0, 1, 2, 2, 1, 0, 2, 2, 1, 1, 2, 2},
                moved = {0, 0, 2, 2, 1, 0, 2, 2, 0, 1, 2, 2, 1, 1, 2, 2};
    CHECK(judge_numbering(2, right).verdict == Verdict::ok);
    CHECK(judge_numbering(2, right).numbers.at("not_in_order_of_local_index") == 0);
    CHECK(judge_numbering(2, moved).verdict == Verdict::ok);
    CHECK(judge_numbering(2, moved).numbers.at("not_in_order_of_local_index") == 2);
    check_judge(judge_numbering, 2u, right);
    CHECK(spoiled(judge_numbering, 2u, right, 12, 0) == Verdict::failed); // a number twice
    CHECK(spoiled(judge_numbering, 2u, right, 13, 2) == Verdict::failed); // beyond the subgroup
    CHECK(spoiled(judge_numbering, 2u, right, 14, 4) == Verdict::failed); // another size
    CHECK(spoiled(judge_numbering, 2u, right, 15, 3) == Verdict::failed); // of other subgroups
}

TEST_CASE("doctor: subgroup operations", "[doctor]") {
    for (const auto test : {SubgroupTest::shuffle, SubgroupTest::vote, SubgroupTest::ballot, SubgroupTest::scan}) {
        for (const uint32_t size : {1u, 4u, 32u, 128u}) {
            CAPTURE(static_cast<int>(test), size);
            const SubgroupCase one{test, size, 256, 1};
            Words              right;
            for (uint32_t round = 0; round < SUBGROUP_ROUNDS; ++round) {
                for (uint32_t i = 0; i < one.workgroup_size; ++i) {
                    const auto expected = subgroup_reference(one, round, i);
                    right.insert(right.end(), expected.begin(), expected.end());
                }
            }
            check_judge(judge_subgroup, one, right);
            const size_t straight = 4 * 255, in_loop = right.size() - 4;
            Words        wrong = right;
            wrong[straight] ^= 1;
            CHECK(judge_subgroup(one, wrong).numbers.at("wrong_straight") == 1);
            CHECK(judge_subgroup(one, wrong).verdict == Verdict::failed);
            wrong = right;
            wrong[in_loop] ^= 1;
            CHECK(judge_subgroup(one, wrong).numbers.at("wrong_in_loop") == 1);
            CHECK(judge_subgroup(one, wrong).verdict == Verdict::failed);
        }
    }
    // Values by hand: a subgroup of four in a workgroup of four.
    const SubgroupCase scan{SubgroupTest::scan, 4, 4, 0}, vote{SubgroupTest::vote, 4, 8, 0},
        shuffle{SubgroupTest::shuffle, 4, 4, 0}, ballot{SubgroupTest::ballot, 4, 4, 0};
    const auto value = [](uint32_t i) { return doctor_value(i, 1); };
    CHECK(subgroup_reference(scan, 1, 2)[0] == value(0) + value(1) + value(2));
    CHECK(subgroup_reference(scan, 1, 2)[1] == value(0) + value(1));
    CHECK(subgroup_reference(scan, 1, 2)[2] == value(0) + value(1) + value(2) + value(3));
    CHECK(subgroup_reference(shuffle, 1, 2)[0] == value(3)); // (2 * 3 + 1) % 4
    CHECK(subgroup_reference(shuffle, 1, 2)[1] == value(0)); // 2 xor 2
    CHECK(subgroup_reference(vote, 0, 0) == std::array<uint32_t, 4>{1, 0, 1, 0});
    CHECK(subgroup_reference(vote, 0, 4) == std::array<uint32_t, 4>{0, 1, 0, 0});
    CHECK(subgroup_reference(ballot, 1, 3)[0] ==
          ((value(0) >> 9 & 1) | (value(1) >> 9 & 1) << 1 | (value(2) >> 9 & 1) << 2 | (value(3) >> 9 & 1) << 3));
}

TEST_CASE("doctor: floats", "[doctor]") {
    const FloatCases rounding = rounding_cases(), contraction = contraction_cases(), subnormals = subnormal_cases(),
                     zeros = zero_cases(), infinities = infinity_cases(), nans = nan_cases();
    const Words rounded = float_results(rounding);
    check_judge(judge_rounding, rounding, rounded);
    check_judge(judge_infinities, infinities, float_results(infinities));
    check_judge(judge_subnormals, subnormals, float_results(subnormals), Verdict::note);
    check_judge(judge_zeros, zeros, float_results(zeros), Verdict::note);

    // Every direction of rounding but to nearest even shows in the first cases, and so does a tie that goes away from zero.
    const float next = std::nextafter(1.0f, 2.0f);
    CHECK(rounded[0] == bits_of(1));
    CHECK(spoiled(judge_rounding, rounding, rounded, 0, bits_of(next)) == Verdict::failed);
    CHECK(rounded[4 * FLOAT_RESULTS] == bits_of(1));
    CHECK(spoiled(judge_rounding, rounding, rounded, 4 * FLOAT_RESULTS, bits_of(next)) == Verdict::failed); // up
    CHECK(rounded[6 * FLOAT_RESULTS] == bits_of(1));
    CHECK(spoiled(judge_rounding, rounding, rounded, 6 * FLOAT_RESULTS, bits_of(std::nextafter(1.0f, 0.0f))) ==
          Verdict::failed);                                                                      // down
    CHECK(spoiled(judge_rounding, rounding, rounded, rounded.size() - 4, 0) == Verdict::failed); // a product
    const Finding up = judge_rounding({{1, 1, 0}}, {bits_of(3), bits_of(1), 0, 0, 0});
    CHECK(up.seen == "1 + 1: expected 2 (0x40000000), got 3 (0x40400000); 1 of 2 differ");

    // A device that fuses, with or without `precise`.
    const Words right = float_results(contraction);
    check_judge(judge_contraction, contraction, right);
    Words fused = right, fused_difference = right, freely_fused = right;
    for (size_t i = 0; i < contraction.size(); ++i) {
        const FloatCase& one         = contraction[i];
        fused[i * FLOAT_RESULTS + 2] = freely_fused[i * FLOAT_RESULTS + 4] = bits_of(std::fma(one.a, one.b, one.c));
        const volatile float subtrahend                                    = one.b * one.c;
        fused_difference[i * FLOAT_RESULTS + 3] = bits_of(std::fma(one.a, one.c, -subtrahend));
    }
    CHECK(judge_contraction(contraction, fused).verdict == Verdict::failed);
    CHECK(judge_contraction(contraction, fused).numbers.at("wrong") > contraction.size() / 4);
    CHECK(judge_contraction(contraction, fused_difference).verdict == Verdict::failed);
    CHECK(judge_free_contraction(contraction, right).seen == "a * b + c is rounded twice");
    CHECK(judge_free_contraction(contraction, freely_fused).verdict == Verdict::note);
    CHECK(judge_free_contraction(contraction, freely_fused).seen.find("a * b + c is fused in ") == 0);
    CHECK(judge_free_contraction(contraction, Words(right.size(), unwritten)).verdict == Verdict::failed);

    // Either way is right; half a way is not.
    const Words kept = float_results(subnormals);
    CHECK(judge_subnormals(subnormals, kept).seen == "inputs kept, products kept, sums kept");
    CHECK(judge_subnormals(subnormals, Words(kept.size(), 0)).seen ==
          "inputs flushed to zero, products flushed to zero, sums flushed to zero");
    CHECK(judge_subnormals(subnormals, Words(kept.size(), 0)).verdict == Verdict::note);
    CHECK(spoiled(judge_subnormals, subnormals, kept, 1, bits_of(1)) == Verdict::failed);
    CHECK(judge_zeros(zeros, Words(kept.size(), 0x80000000)).seen == "1 + -1 is -0, -0 + -0 is -0, -1 * 0 is -0");
    CHECK(spoiled(judge_zeros, zeros, Words(kept.size(), 0), 0, 1) == Verdict::failed);
    const Words infinite = float_results(infinities);
    CHECK(spoiled(judge_infinities, infinities, infinite, 0, bits_of(std::numeric_limits<float>::max())) ==
          Verdict::failed);
    CHECK(spoiled(judge_infinities, infinities, infinite, infinite.size() - 4, 0) == Verdict::failed);
    const Words not_numbers(nans.size() * FLOAT_RESULTS, 0xffc00000);
    check_judge(judge_nan, nans, not_numbers, Verdict::note);
    CHECK(spoiled(judge_nan, nans, not_numbers, 0, 0x7f800000) == Verdict::failed);
}

TEST_CASE("doctor: integers", "[doctor]") {
    CHECK(integer_reference(0xffffffff, 0xffffffff) ==
          std::array<uint32_t, INTEGER_RESULTS>{0xfffffffe, 1, 0xfffffffe, 1, 0x80000000, 1, 0xffffffff, 0xff});
    CHECK(integer_reference(0x80000000, 1) ==
          std::array<uint32_t, INTEGER_RESULTS>{0, 0x80000000, 0x80000001, 0, 0, 0x40000000, 0xc0000000, 0});
    CHECK(integer_reference(0x12345678, 34) == std::array<uint32_t, INTEGER_RESULTS>{2, 0x6af37bf0, 0x1234569a, 0,
                                                                                     0x48d159e0, 0x048d159e, 0x048d159e,
                                                                                     0x34});
    const IntegerCases cases = integer_cases();
    Words              right;
    for (const auto& one : cases) {
        const auto results = integer_reference(one[0], one[1]);
        right.insert(right.end(), results.begin(), results.end());
    }
    check_judge(judge_integers, cases, right);
    for (size_t o = 0; o < INTEGER_RESULTS; ++o) {
        CHECK(spoiled(judge_integers, cases, right, 8 * 20 + o, right[8 * 20 + o] + 1) == Verdict::failed);
    }

    // In any order: 0, 1, 2 times 1 + (3 << 32).
    CHECK(judge_int64_atomics(3, {2, 6, 0, 0, 1, 3}).verdict == Verdict::ok);
    CHECK(judge_int64_atomics(3, {2, 6, 0, 0, 0, 0}).verdict == Verdict::failed); // lost
    CHECK(judge_int64_atomics(3, {2, 3, 0, 0, 1, 3}).verdict == Verdict::failed); // torn
    CHECK(judge_int64_atomics(3, Words(6, unwritten)).verdict == Verdict::failed);
    CHECK(judge_int64_atomics(3, {}).verdict == Verdict::failed);
    CHECK(judge_int64_atomics(0x80000001, {2, 2, 1, 0x80000001, 0, 0}).verdict == Verdict::ok); // wraps
}

TEST_CASE("doctor: dispatches", "[doctor]") {
    const GridTest test{5, 3, 2};
    const Words    right = {3, 2, 1, 1, 1, 1, 1, 1};
    CHECK(judge_grid(test, right).verdict == Verdict::ok);
    CHECK(spoiled(judge_grid, test, right, 0, 5) == Verdict::failed);
    CHECK(spoiled(judge_grid, test, right, 1, 1) == Verdict::failed);
    CHECK(spoiled(judge_grid, test, right, 2, 0) == Verdict::failed);
    CHECK(spoiled(judge_grid, test, right, 7, 0) == Verdict::failed);
    CHECK(spoiled(judge_grid, test, right, 7, 2) == Verdict::failed);
    CHECK(judge_grid(test, Words(8, 0)).verdict == Verdict::failed);
    CHECK(judge_grid(test, {}).verdict == Verdict::failed);

    Words pushed;
    for (uint32_t i = 0; i < PUSH_WORDS; ++i) pushed.push_back(doctor_value(i, 5));
    check_judge(judge_push_constants, 5u, pushed);
    CHECK(spoiled(judge_push_constants, 5u, pushed, PUSH_WORDS - 1, 0) == Verdict::failed);
}

TEST_CASE("doctor: timestamps", "[doctor]") {
    const TimestampTest good{{0, 1, 1, 5}, 1, 4, 100, 101, 1};
    CHECK(judge_timestamps(good).verdict == Verdict::ok);
    CHECK(judge_work_ratio(good).verdict == Verdict::ok);
    CHECK(judge_host_clock(good).verdict == Verdict::ok);
    TimestampTest bad = good;
    bad.period_ns     = 0;
    CHECK(judge_timestamps(bad).verdict == Verdict::failed);
    bad        = good;
    bad.stamps = {0, 2, 1, 5};
    CHECK(judge_timestamps(bad).verdict == Verdict::failed);
    bad.stamps = {0, 0, 0, 0};
    CHECK(judge_timestamps(bad).verdict == Verdict::failed);
    for (const double large : {0.0, 1.0, 40.0}) {
        bad          = good;
        bad.large_ms = large;
        CHECK(judge_work_ratio(bad).verdict == Verdict::failed);
    }
    for (const double device : {0.0, 79.0, 130.0}) {
        bad           = good;
        bad.device_ms = device;
        CHECK(judge_host_clock(bad).verdict == Verdict::failed);
    }
    bad         = good;
    bad.host_ms = 0;
    CHECK(judge_host_clock(bad).verdict == Verdict::failed);
}

TEST_CASE("doctor: every probe has a name of its own, and says what it is about", "[doctor]") {
    std::set<std::string> names;
    for (const Probe& probe : all_probes()) {
        CAPTURE(probe.name);
        CHECK(names.insert(probe.name).second);
        CHECK_FALSE(probe.topic.empty());
        CHECK(probe.about.back() == '.');
        CHECK(probe.name.size() <= 27); // the table's column
    }
}

TEST_CASE("doctor: a driver that is known to crash", "[doctor]") {
    runtime::DeviceInfo info;
    info.name   = "llvmpipe (LLVM 21.1.8, 512 bits)";
    info.driver = "llvmpipe Mesa 26.1.6 (LLVM 21.1.8)";
    CHECK(known_crash(info).find("LP_NATIVE_VECTOR_WIDTH=256") != std::string::npos);
    info.driver = "llvmpipe Mesa 25.0.7 (LLVM 19.1.7)";
    CHECK(known_crash(info).empty());
    info.name   = "llvmpipe (LLVM 21.1.8, 256 bits)";
    info.driver = "llvmpipe Mesa 26.1.6 (LLVM 21.1.8)";
    CHECK(known_crash(info).empty());
}

} // namespace vkprim::tools::doctor
