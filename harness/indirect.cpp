#include <vkprim/indirect.h>

#include <fmt/format.h>

#include "core_device.h"
#include "elements.h"

#include <algorithm>

namespace vkprim::harness::indirect_primitive {
namespace {

using Kind = IndirectCommand::Kind;

constexpr const char* kind_names[] = {"dispatch", "draw", "draw_indexed"};

/// What the device's grid has in its first two dimensions.
struct GridLimits {
    uint64_t columns = 0, rows = 0;
};

/// What IndirectCommand writes.
std::vector<uint32_t> reference_command(Kind kind, const IndirectCommand::Args& args, uint32_t count,
                                        GridLimits limits) {
    const auto workgroups_of = [&](uint64_t elements) {
        const uint64_t filled = (elements + args.grid.elements - 1) / args.grid.elements;
        return std::min<uint64_t>(std::max<uint64_t>(filled, args.grid.least), args.grid.most);
    };
    // A profile's rows may be too short for the bound. No device's end before 65535.
    while (limits.columns * limits.rows < workgroups_of(args.bound) && limits.columns <= 65535 / 2) limits.columns *= 2;
    count = std::min(count, args.bound);
    if (kind == Kind::draw) return {args.vertices, count, 0, 0};
    if (kind == Kind::draw_indexed) return {args.vertices, count, 0, 0, 0};
    const uint64_t workgroups = workgroups_of(count), row = std::min(workgroups, limits.columns);
    if (row == 0) return {0, 1, 1};
    return {static_cast<uint32_t>(row), static_cast<uint32_t>(std::min((workgroups + row - 1) / row, limits.rows)), 1};
}

void verify_indirect(Verifier& verifier) {
    const auto core = CoreDevice::create(verifier.context());
    if (!core) {
        if (verifier.group("indirect") && verifier.wants("create")) verifier.fail(core.error().reason);
        return;
    }
    const GridLimits limits{core->limits.workgroup_count_x, core->limits.workgroup_count_y};
    for (Kind kind : {Kind::dispatch, Kind::draw, Kind::draw_indexed}) {
        if (!verifier.group(fmt::format("indirect {}", kind_names[static_cast<uint32_t>(kind)]))) continue;
        const auto command = verifier.create<IndirectCommand>({kind});
        if (!command) continue;
        const auto run = [&](uint32_t count, const std::string& name, IndirectCommand::Args args) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            const std::vector<uint32_t> expected = reference_command(kind, args, count, limits);
            const Range                 output   = verifier.output(expected.size() * 4, 4);
            args.command                         = output.address;
            args.count_address                   = verifier.gpu_count(count);
            verifier.prove(*command, args, {}, output, expected.data(), Format::u32);
        };
        std::vector<uint32_t> counts = verifier.edge_counts();
        counts.push_back(~0u);
        for (uint32_t count : counts) {
            IndirectCommand::Args args;
            args.vertices = 36;
            run(count, "plain", args);
            args.bound = 4096;
            run(count, "bound", args);
            if (kind != Kind::dispatch) continue;
            args.bound = UINT32_MAX;
            args.grid  = {1, 1, UINT32_MAX};
            run(count, "one element each", args);
            args.grid = {4096, 2, 5};
            run(count, "from 2 to 5", args);
        }
    }
}

const Registration registration({"indirect", verify_indirect, {}});

} // namespace
} // namespace vkprim::harness::indirect_primitive
