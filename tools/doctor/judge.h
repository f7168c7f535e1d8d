// How answers are judged. Functions of what the device returned alone.
#pragma once

#include <array>

#include "doctor.h"

namespace vkprim::tools::doctor {

// Memory ---------------------------------------------------------------------------------------------------------------

/// How often B saw what, in a litmus test: at[first word][second word] of each instance's results, which are 0 or 1.
struct Outcomes {
    std::array<std::array<uint64_t, 2>, 2> at{};
    uint64_t                               unknown = 0; ///< neither 0 nor 1, or never written

    void     add(const Words& results);
    uint64_t tries() const { return at[0][0] + at[0][1] + at[1][0] + at[1][1] + unknown; }
};

struct LitmusTest {
    uint32_t weak[2];         ///< the outcome in question
    uint32_t met[2];          ///< one that comes about only where A and B run at the same time
    bool     allowed = false; ///< whether Vulkan allows the weak one
};

Finding judge_litmus(const LitmusTest& test, const Outcomes& outcomes);

/// Results of handed_word.comp: for each instance whether it was there, and the value. `whole`: never half of it without the
/// flag, either.
struct WordTest {
    uint32_t salt  = 0;
    bool     whole = false;
};
struct WordOutcomes {
    uint64_t    tries = 0, there = 0, torn = 0;
    std::string first_torn;

    void add(const WordTest& test, const Words& results);
};
Finding judge_words(const WordOutcomes& outcomes);

/// Results of arrival.comp, of several runs one after the other: sums, all of which must be `expected`; polls, of which none may
/// be without end.
Finding judge_ordered_arrival(uint32_t expected, const Words& sums);
Finding judge_relaxed_arrival(const Words& polls);

// Progress -------------------------------------------------------------------------------------------------------------

Finding judge_start_order(const Words& ticket_of_workgroup);

/// Polls of each ticket's workgroup until it saw what it waited for, ~0 where it gave up after `max_polls`.
struct ProgressTest {
    uint32_t first = 0, end = 0; ///< tickets that had somebody to wait for
    uint32_t max_polls = 0;
};
Finding judge_progress(const ProgressTest& test, const Words& polls);

/// Rounds that each of two partners made, of `rounds`; `ms` that it took, or 0.
Finding judge_hand_over(uint32_t rounds, const Words& made, double ms);

Finding judge_loop_rounds(uint32_t wanted, uint32_t made);
Finding judge_loop_exit(uint32_t subgroup_size, const Words& results);

// Subgroups ------------------------------------------------------------------------------------------------------------

Finding judge_numbering(uint32_t subgroup_size, const Words& results);

enum class SubgroupTest { shuffle, vote, ballot, scan };
struct SubgroupCase {
    SubgroupTest test;
    uint32_t     subgroup_size  = 0;
    uint32_t     workgroup_size = 0;
    uint32_t     salt           = 0;
};
/// What an invocation must get in a round, of four words.
std::array<uint32_t, 4> subgroup_reference(const SubgroupCase& one, uint32_t round, uint32_t invocation);
Finding                 judge_subgroup(const SubgroupCase& one, const Words& results);

// Floats and integers ----------------------------------------------------------------------------------------------------

struct FloatCase {
    float a = 0, b = 0, c = 0;
};
using FloatCases = std::vector<FloatCase>;
Finding judge_rounding(const FloatCases& cases, const Words& results);    ///< sums and products
Finding judge_contraction(const FloatCases& cases, const Words& results); ///< of `precise` operations
Finding judge_free_contraction(const FloatCases& cases, const Words& results);
Finding judge_subnormals(const FloatCases& cases, const Words& results);
Finding judge_zeros(const FloatCases& cases, const Words& results);
Finding judge_infinities(const FloatCases& cases, const Words& results);
Finding judge_nan(const FloatCases& cases, const Words& results);

FloatCases rounding_cases(), contraction_cases(), subnormal_cases(), zero_cases(), infinity_cases(), nan_cases();

using IntegerCases = std::vector<std::array<uint32_t, 2>>;
IntegerCases                          integer_cases();
std::array<uint32_t, INTEGER_RESULTS> integer_reference(uint32_t a, uint32_t b);
Finding                               judge_integers(const IntegerCases& cases, const Words& results);
/// What each invocation's 64-bit atomicAdd of 1 + (high << 32) found.
Finding judge_int64_atomics(uint32_t high, const Words& found);

// Dispatch and timestamps --------------------------------------------------------------------------------------------------

struct GridTest {
    uint32_t workgroups = 0;
    uint32_t columns = 0, rows = 0; ///< that the recorder made of it
};
Finding judge_grid(const GridTest& test, const Words& results);
Finding judge_push_constants(uint32_t salt, const Words& results);

struct TimestampTest {
    std::vector<double> stamps;        ///< milliseconds, one after the other in a command buffer
    double              small_ms  = 0; ///< of some work
    double              large_ms  = 0; ///< of four times the work
    double              device_ms = 0; ///< of much work
    double              host_ms   = 0; ///< the same by the host's clock, with the submission
    double              period_ns = 0; ///< of a tick
};
Finding judge_timestamps(const TimestampTest& test); ///< they never go back
Finding judge_work_ratio(const TimestampTest& test);
Finding judge_host_clock(const TimestampTest& test);

} // namespace vkprim::tools::doctor
