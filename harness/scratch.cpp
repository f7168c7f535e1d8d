#include "scratch.h"

#include <fmt/format.h>

namespace vkprim::harness {

std::string scratch_fault(const std::vector<uint32_t>& scratch) {
    constexpr size_t header_words = VKPRIM_SCRATCH_HEADER / 4, run_words = VKPRIM_SCRATCH_RUN * 2;
    if (scratch.size() < header_words) return {};
    if (scratch[0] % VKPRIM_SCRATCH_ARRIVALS != 0) return fmt::format("{} arrivals do not end a turn", scratch[0]);
    const uint32_t turn = scratch[0] / VKPRIM_SCRATCH_ARRIVALS % 2, left = words_left(scratch);
    if (vkprim_scratch_sign(left) != scratch[2 - turn])
        return fmt::format("header word {} is {:#010x}, which is no count of words left", 2 - turn, scratch[2 - turn]);
    if (left > 0 && vkprim_scratch_bytes(left) > scratch.size() * 4)
        return fmt::format("{} words left are more than it holds", left);
    if (scratch[3] != 0) return fmt::format("header word 3 is {:#010x}", scratch[3]);
    for (size_t i = header_words; i < scratch.size(); ++i) {
        if (scratch[i] == 0) continue;
        const size_t run    = (i - header_words) / run_words;
        const size_t stripe = run % VKPRIM_SCRATCH_STRIPES;
        const size_t word   = run / VKPRIM_SCRATCH_STRIPES * VKPRIM_SCRATCH_RUN + (i - header_words) % run_words / 2;
        if (stripe == 1 - turn && word < left) continue;
        return fmt::format("word {} of stripe {} is {:#010x}, in stripe {}'s turn", word, stripe, scratch[i], turn);
    }
    return {};
}

uint32_t words_left(const std::vector<uint32_t>& scratch) {
    const uint32_t turn = scratch[0] / VKPRIM_SCRATCH_ARRIVALS % 2;
    return vkprim_scratch_left(scratch[2 - turn]);
}

std::string scratch_guard_fault(const uint32_t* guard) {
    for (uint32_t i = 0; i < scratch_guard_words; ++i) {
        if (guard[i] == scratch_guard) continue;
        return fmt::format("a guard word was overwritten, {} bytes behind the end of scratch", i * 4);
    }
    return {};
}

} // namespace vkprim::harness
