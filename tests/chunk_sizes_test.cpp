// How large chunks are, without a device.
#include <algorithm>
#include <string>
#include <vector>

#include <vkprim/chunks.h>

#include "../tools/cli/stream/chunk_sizes.h"
#include "support/catch.h"
#include "tools/common/failure.h"

using namespace vkprim;
using namespace vkprim::tools;

namespace {

constexpr uint64_t step = chunk_step;

/// Of elements of 4 bytes: as many on the host, and twice as many on the device.
ChunkRoom room(uint64_t memory, uint64_t largest_allocation = UINT64_MAX) {
    return {memory, largest_allocation, [](uint32_t count) {
                return SlotSize{uint64_t{count} * 4, uint64_t{count} * 8};
            }};
}

} // namespace

TEST_CASE("chunk sizes: what is wanted, in whole steps", "[chunk_sizes]") {
    const std::vector<ChunkRoom> rooms = {room(UINT64_MAX)};
    CHECK(chunk_elements(100 * step, 16 * step, 3, rooms) == 16 * step);
    CHECK(chunk_elements(100 * step, 16 * step + 1, 3, rooms) == 17 * step);
    CHECK(chunk_elements(5 * step - 1, 16 * step, 3, rooms) == 5 * step); // the whole array
    CHECK(chunk_elements(0, 0, 3, rooms) == step);
    CHECK(chunk_elements(UINT64_MAX / 2, UINT64_MAX / 2, 3, rooms) == UINT32_MAX / step * step);
}

TEST_CASE("chunk sizes: all slots fit into every device", "[chunk_sizes]") {
    const uint64_t each = 12 * step; // bytes of a step
    CHECK(chunk_elements(100 * step, 16 * step, 3, {room(3 * 16 * each)}) == 16 * step);
    CHECK(chunk_elements(100 * step, 16 * step, 3, {room(3 * 16 * each - 1)}) == 15 * step);
    CHECK(chunk_elements(100 * step, 16 * step, 1, {room(16 * each)}) == 16 * step);
    CHECK(chunk_elements(100 * step, 16 * step, 3, {room(3 * 16 * each), room(3 * 7 * each)}) == 7 * step);
    CHECK(chunk_elements(100 * step, 16 * step, 3, {room(UINT64_MAX, 8 * 9 * step)}) ==
          9 * step); // device memory alone
    CHECK(chunk_elements(100 * step, 16 * step, 3, {room(3 * each - 1)}) == 0);
    CHECK(chunk_elements(16 * step, 16 * step, 3, {room(16 * each)}) == 16 * step); // one chunk, so one slot
}

TEST_CASE("chunk sizes: memory as text", "[chunk_sizes]") {
    CHECK(parse_memory("1") == 1);
    CHECK(parse_memory("512M") == 512u << 20);
    CHECK(parse_memory("2g") == 2ull << 30);
    CHECK(parse_memory("3T") == 3ull << 40);
    for (const char* text : {"", "0", "M", "1X", "1MB", "-1", "99999999999999999999", "99999999T"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_memory(text), Failure);
    }
}
