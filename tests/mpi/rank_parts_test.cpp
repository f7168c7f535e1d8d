// Which rank computes with which elements: properties of every sharing, without a device.
#include <mpi.h>

#include "mpi/parts.h"

#include <algorithm>

#include "../../harness/harness.h"
#include "../support/catch.h"

using namespace vkprim;
using namespace vkprim::mpi;

namespace {

/// Each element is computed with by one rank, in chunks as chunks.h wants them, and comes from the rank that has it.
void check_parts(const std::vector<uint64_t>& counts) {
    CAPTURE(counts);
    const std::vector<RankPart> parts = parts_of(counts);
    CHECK(parts.size() == counts.size());
    const uint64_t whole = parts.back().own.end;
    uint64_t       next  = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
        const RankPart& part = parts[i];
        CHECK(part.own.count() == counts[i]);
        CHECK(part.head.begin == part.own.begin);
        CHECK(part.head.end == part.body.begin);
        CHECK(part.body.end == part.tail.begin);
        CHECK(part.tail.begin <= part.own.end);
        CHECK((part.tail.count() > 0) == (part.body.end < part.own.end));
        CHECK((part.head_owner >= 0) == (part.head.count() > 0));
        if (part.head_owner >= 0) {
            const RankPart& owner = parts[static_cast<size_t>(part.head_owner)];
            CHECK(static_cast<size_t>(part.head_owner) < i);
            CHECK(owner.tail.begin < part.head.begin);
            CHECK(part.head.end <= owner.tail.end);
        }
        for (const Chunk& chunk : chunks_of(part)) {
            CHECK(chunk.begin == next);
            CHECK(chunk.begin % chunk_step == 0);
            CHECK(chunk.count > 0);
            CHECK((chunk.count % chunk_step == 0 || chunk.begin + chunk.count == whole));
            next += chunk.count;
        }
    }
    CHECK(next == whole);
}

} // namespace

TEST_CASE("mpi: every element is some rank's, once") {
    constexpr uint64_t step = chunk_step;
    check_parts({0});
    check_parts({0, 0, 0});
    check_parts({1, 0, 1});
    check_parts({step, step, 1});
    check_parts({step - 1, 1, step});
    check_parts({step - 1, 2, step - 2, 1});
    check_parts({5 * step * 1000, 3, 0, 0, 4 * step * 1000 - 7});
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    harness::Random random(7 + static_cast<uint64_t>(rank));
    for (int i = 0; i < 300; ++i) {
        std::vector<uint64_t> counts(1 + random.below(9));
        for (uint64_t& count : counts) {
            const uint64_t kinds[] = {0, random.below(5), random.below(3) * step, random.below(4 * chunk_step),
                                      step - 1 + random.below(3)};
            count                  = kinds[random.below(5)];
        }
        check_parts(counts);
    }
}
