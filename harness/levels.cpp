#include "levels.h"

#include "named_devices.h"

#include <fmt/format.h>

namespace vkprim::harness {

namespace {

Profile base_of(const runtime::DeviceInfo& info, const Profile& profile) {
    Profile base   = profile;
    base.vendor_id = info.vendor_id;
    base.device_id = info.device_id;
    return base;
}

/// Tiles of so many blocks, of all primitives that have the choice; of one, also one pipeline for all addresses.
std::map<std::string, uint32_t> all_blocks(uint32_t blocks) {
    std::map<std::string, uint32_t> values;
    for (const Subject& subject : subjects()) {
        for (const Tunable& tunable : subject.tunables) {
            if (tunable.knob != subject.name + ".blocks") continue;
            values[tunable.knob]              = blocks;
            values[subject.name + ".aligned"] = blocks - 1;
        }
    }
    return values;
}

/// What makes create() compile all pipelines that it has for tiles of so many blocks.
std::map<std::string, uint32_t> shapes_of_gpus(uint32_t blocks) {
    std::map<std::string, uint32_t> values;
    for (const Subject& subject : subjects()) {
        for (const Contract& contract : subject.contracts) {
            values.insert(contract.all_shapes.begin(), contract.all_shapes.end());
        }
        if (const auto found = values.find(subject.name + ".blocks"); found != values.end()) found->second = blocks;
    }
    return values;
}

} // namespace

Profile with_shapes_of_gpus(const runtime::DeviceInfo& info, uint32_t blocks, bool few_registers) {
    Profile profile                        = base_of(info, {});
    profile.values                         = shapes_of_gpus(blocks);
    profile.values["device.few_registers"] = few_registers;
    return profile;
}

std::vector<Level> levels_of(const runtime::DeviceInfo& info, const Profile& profile) {
    const Profile      base = base_of(info, profile);
    std::vector<Level> levels;
    const auto         add = [&](const std::string& name, const std::map<std::string, uint32_t>& values,
                         const std::string& skipped = "") {
        levels.push_back({name, skipped, base});
        for (const auto& [knob, value] : values) levels.back().profile.values[knob] = value;
    };
    const Features&   features = info.features;
    const bool        varies   = info.min_subgroup_size < info.max_subgroup_size;
    const bool        word64   = features.shader_int64 && features.shader_buffer_int64_atomics;
    const std::string anyway   = "so it is anyway";

    auto few_registers = all_blocks(2); // tests/CMakeLists.txt: lavapipe 4 has them with tiles of one block
    few_registers["device.few_registers"] = 1;

    add("all that it can", {});
    for (uint32_t size = info.min_subgroup_size; size <= info.max_subgroup_size; size *= 2) {
        const bool can = size == info.subgroup_size || (varies && features.subgroup_size_control);
        add(fmt::format("subgroups of {}", size), {{"device.subgroup_size", size}},
            can ? "" : "the device cannot be asked for it");
    }
    add("no 64-bit atomics", {{"device.word64", 0}}, word64 ? "" : anyway);
    add("no subgroup size control", {{"device.subgroup_size_control", 0}},
        varies && features.subgroup_size_control ? "" : "its subgroups do not vary");
    add("no subgroups", {{"device.subgroups", 0}});
    add("256 invocations", {{"device.workgroup_size", 256}}, info.max_workgroup_invocations > 256 ? "" : anyway);
    add("16 KiB of shared memory", {{"device.shared_memory", 16384}}, info.shared_memory_size > 16384 ? "" : anyway);
    add("bytes read in whole words", {{"device.byte_access", 0}}, features.storage_buffer_8bit_access ? "" : anyway);
    add("65535 workgroups a row", {{"device.workgroup_count", 65535}},
        info.max_workgroup_count_x > 65535 ? "" : anyway);
    add("3 workgroups a row", {{"device.workgroup_count", 3}});
    add("tiles by tickets", {{"lookback.tickets", 1}});
    add("tiles of one block", all_blocks(1));
    add("tiles of two blocks", all_blocks(2));
    add("pipelines of GPUs", shapes_of_gpus(1), info.type == VK_PHYSICAL_DEVICE_TYPE_CPU ? "" : anyway);
    add("few registers", few_registers);
    add("arrivals in order", {{"reduce.ordered", 1}});
    add("no waiting", {{"lookback.waits", 0}});
    add("the least", {{"device.subgroups", 0},
                      {"device.word64", 0},
                      {"device.workgroup_size", 256},
                      {"device.shared_memory", 16384},
                      {"device.byte_access", 0},
                      {"device.workgroup_count", 3},
                      {"lookback.tickets", 1}});
    return levels;
}

std::vector<Level> named_levels_of(const runtime::DeviceInfo& info, const Profile& profile) {
    std::vector<Level> levels;
    for (const NamedDevice& named : named_devices()) {
        levels.push_back({named.name, "", profile_of(named, info, base_of(info, profile)), what_remains(named, info)});
    }
    return levels;
}

} // namespace vkprim::harness
