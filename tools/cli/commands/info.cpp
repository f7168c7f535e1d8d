#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/cli/program.h"
#include "tools/cli/record.h"

namespace vkprim::tools::info_command {

namespace {

using runtime::DeviceInfo;

struct Flags {
    bool json = false;
};

std::string memory_text(VkDeviceSize size) { return fmt::format("{:.2f} GiB", static_cast<double>(size) / (1 << 30)); }

std::string describe(const DeviceInfo& info) {
    const Json details = json_device_details(info);
    const auto row     = [&](const char* name, const std::string& value) {
        return fmt::format("   {:<15}{}\n", name, filled(value, details));
    };
    const std::string range = std::string(" ({min_subgroup_size} to {max_subgroup_size}, ") +
                              (pins_subgroup_size(info) ? "pinned)" : "varying)");
    std::string out = filled("{index:<3}{name}\n", details);
    out += row("usable", info.usable ? "yes" : "no: {reason}");
    out += row("kind", "{type}");
    out += row("driver", "{driver}");
    out += row("Vulkan", "{api_version}");
    out += row("subgroup", "{subgroup_size}" + (info.min_subgroup_size == info.max_subgroup_size ? "" : range));
    out += row("look-back", "{look_back_words} words");
    out += row("workgroup", "{max_workgroup_invocations} invocations, {max_workgroup_count_x} workgroups in a row");
    out += row("shared memory", "{shared_memory_size} bytes per workgroup");
    out += row("memory", fmt::format("{}, {} per allocation{}", memory_text(info.memory_size),
                                     memory_text(info.max_allocation_size),
                                     info.sparse_binding ? ", buffers may span several" : ""));
    out += row("timestamps", info.timestamp_period > 0 ? fmt::format("{} ns", info.timestamp_period) : "none");
    return out;
}

ExitCode run(const Flags& flags) {
    const std::vector<DeviceInfo> devices = need_device(runtime::list_devices());
    if (flags.json) {
        Json list = Json::array();
        for (const DeviceInfo& info : devices) list.push_back(json_device_details(info));
        print(json_text({{"devices", list}}, 2));
    } else {
        for (const DeviceInfo& info : devices) print((&info == devices.data() ? "" : "\n") + describe(info));
    }
    if (devices.empty()) {
        throw Failure{exit_device,
                      "no Vulkan driver on this system found a device: install the GPU's driver, or Mesa's for a "
                      "software device (on Debian the package mesa-vulkan-drivers)"};
    }
    if (std::none_of(devices.begin(), devices.end(), [](const DeviceInfo& info) { return info.usable; })) {
        throw Failure{exit_device, "vkprim can run on none of these devices"};
    }
    return exit_good;
}

constexpr const char* footer = R"(usable         whether vkprim can run there, and if not, why
subgroup       its size; if that may vary: 'pinned' where vkprim can require it, else 'varying'
look-back      the size of the words in which workgroups of a scan exchange their sums; 64-bit is faster
shared memory  bytes; a histogram with fewer bins than a quarter of this is one dispatch

Examples:
  vkprim info
  vkprim info --json
  VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json vkprim info)";

std::function<ExitCode()> setup(Options& options) {
    const auto flags = std::make_shared<Flags>();
    options.add_flag("--json", flags->json, "print a JSON object with a list of devices");
    return [flags] { return run(*flags); };
}

const Registration registration({"info", "List every Vulkan device and the properties that matter for speed", footer,
                                 setup});

} // namespace

} // namespace vkprim::tools::info_command
