// How operations are cut into parts.
#include "recorder.h"

#include <algorithm>

#include "support/catch.h"

namespace vkprim::tests {

TEST_CASE("parts are next to each other, cover everything, and none is long", "[parts]") {
    for (uint32_t total : {0u, 1u, 5u, 100u, 65534u, 65536u, 3 * 65535u + 7, 0xffffffffu}) {
        for (uint32_t parts : {1u, 2u, 3u, 7u, 1000u}) {
            for (uint32_t unit : {1u, 3u, 4u, 65535u}) {
                CAPTURE(total, parts, unit);
                const bool exact = total / parts >= unit; // else each part is one row of the grid, or less
                uint64_t   next  = 0;
                bool       right = true;
                for (uint32_t number = 0; number < parts; ++number) {
                    const Share share = share_of(total, {number, parts}, unit);
                    right             = right && share.first == next;
                    right             = right && share.count <= uint64_t{total} / parts + (exact ? unit : 1);
                    right             = right && (exact ? share.first % unit == 0 : share.count <= unit);
                    next              = uint64_t{share.first} + share.count;
                }
                CHECK(right);
                CHECK(next == total);
            }
        }
    }
}

TEST_CASE("grids of parts are exact and within the device's", "[parts]") {
    for (uint32_t columns : {1u, 3u, 7u, 1000u, 65535u, 0x7fffffffu}) {
        for (uint32_t rows : {65535u, 1000000u}) {
            CoreDevice device;
            device.limits.workgroup_count_x = columns;
            device.limits.workgroup_count_y = rows;
            for (uint32_t total : {1u, 100u, 65535u, 65536u, 1u << 19, (1u << 20) + 1, 3u << 20, 1u << 22}) {
                for (uint32_t parts : {1u, 2u, 3u, 7u, 16u, 1000u, 100000u}) {
                    CAPTURE(columns, rows, total, parts);
                    uint64_t next  = 0;
                    bool     right = true;
                    for (uint32_t number = 0; number < parts; ++number) {
                        const Share share = share_of_workgroups(total, {number, parts}, device);
                        right             = right && share.first == next;
                        next              = uint64_t{share.first} + share.count;
                        if (share.count == 0) continue;
                        const uint32_t row = std::min(share.count, columns_of(share.count, device.limits));
                        right              = right && (share.count % row == 0 || next == total);
                        right              = right && (share.count - 1) / row + 1 <= rows;
                    }
                    CHECK(right);
                    CHECK(next == total);
                }
            }
        }
    }
}

} // namespace vkprim::tests
