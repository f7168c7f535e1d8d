#include <vkprim/indirect.h>

#include <fmt/format.h>

#include "elements.h"

#include <algorithm>

namespace vkprim::harness {
namespace {

using Kind = IndirectCommand::Kind;

constexpr const char* kind_names[] = {"dispatch", "draw", "draw_indexed"};

/// What IndirectCommand writes; `columns`: of a row of the device's grid.
std::vector<uint32_t> twin_command(Kind kind, const IndirectCommand::Args& args, uint32_t count, uint32_t columns) {
    count = std::min(count, args.bound);
    if (kind == Kind::draw) return {args.vertices, count, 0, 0};
    if (kind == Kind::draw_indexed) return {args.vertices, count, 0, 0, 0};
    const uint64_t filled     = (uint64_t{count} + args.grid.elements - 1) / args.grid.elements;
    const uint64_t workgroups = std::min<uint64_t>(std::max<uint64_t>(filled, args.grid.least), args.grid.most);
    const auto     row        = static_cast<uint32_t>(std::min<uint64_t>(workgroups, columns));
    return {row, row == 0 ? 1 : static_cast<uint32_t>((workgroups + row - 1) / row), 1};
}

void verify_indirect(Verifier& verifier) {
    const Profile* const profile = verifier.context().profile;
    uint32_t             columns = verifier.device().info().max_workgroup_count_x;
    if (profile && profile->values.count("device.workgroup_count"))
        columns = profile->values.at("device.workgroup_count");
    for (Kind kind : {Kind::dispatch, Kind::draw, Kind::draw_indexed}) {
        if (!verifier.group(fmt::format("indirect {}", kind_names[static_cast<uint32_t>(kind)]))) continue;
        auto command = IndirectCommand::create(verifier.context(), {kind});
        if (!command) {
            if (verifier.wants("create")) verifier.fail(command.error().reason);
            continue;
        }
        const auto run = [&](uint32_t count, const std::string& name, IndirectCommand::Args args) {
            if (!verifier.wants(fmt::format("count={} {}", count, name))) return;
            const std::vector<uint32_t> expected = twin_command(kind, args, count, columns);
            const Range                 output   = verifier.output(expected.size() * 4, 4);
            args.command                         = output.address;
            args.count_address                   = verifier.gpu_count(count);
            verifier.run([&](VkCommandBuffer commands, const Part&) { command->record(commands, args); }, {});
            verifier.expect(output, expected.data(), Format::u32);
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
} // namespace vkprim::harness
