#include "program.h"

#include <fmt/format.h>
#include <vkprim/glsl/detail/lookback_layout.h>
#include <vkprim/profile.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <system_error>

#include "files/file_io.h"
#include "harness/processors.h"
#include "tools/system/machine.h"
#include "tools/system/open_file.h"
#include "tools/system/path.h"

namespace vkprim::tools {

namespace {

Progress* shown_progress = nullptr; ///< what print() and print_aside() must erase

} // namespace

void print(std::string_view text) {
    if (shown_progress != nullptr) shown_progress->erase();
    if (system::write_text(stdout, text)) return;
    throw Failure{exit_usage, "cannot write to standard output: " + std::generic_category().message(errno)};
}

void print_aside(std::string_view text) {
    if (shown_progress != nullptr) shown_progress->erase();
    system::write_text(stderr, text); // where that fails, there is nobody to tell
}

void check_folder_of(const std::string& path) {
    const auto is_folder = [&path](const std::string& name) {
        system::Status status;
        const int      error = system::status_of(name, status);
        if (error != 0 && error != ENOENT && error != ENOTDIR)
            throw Failure{exit_usage, system_error(path, "write", error).reason};
        return error == 0 && status.kind == system::Status::Kind::folder;
    };
    if (!is_folder(folder_of(path))) throw Failure{exit_usage, path + ": there is no such folder"};
    if (is_folder(path)) throw Failure{exit_usage, path + ": is a folder; name a file"};
}

void check_outputs(const std::vector<std::pair<std::string, std::string>>& flags_and_paths) {
    std::map<std::string, std::string> flags; // of each path
    for (const auto& [flag, path] : flags_and_paths) {
        if (path.empty()) continue;
        const auto [other, is_new] = flags.emplace(system::text_of(system::path_of(path).lexically_normal()), flag);
        if (!is_new) {
            throw Failure{exit_usage, fmt::format("{} and {} are the same file, {}", other->second, flag,
                                                  path == "-" ? "'-': standard output" : path)};
        }
        if (path != "-") check_folder_of(path);
    }
}

void write_report(const std::string& path, const std::string& text) {
    if (path == "-") {
        print(text);
    } else {
        need_file(write_file(path, text.data(), text.size()));
    }
}

std::string json_text(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

/// The double nearest to the shortest text prints as that text: 0.1, not 0.10000000149011612.
template <class Float, class Bits>
Json json_float(Bits bits) {
    Float value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

} // namespace

Json json_value(ElementType type, uint64_t bits) {
    switch (output_type(type)) {
        case ElementType::u32:
        case ElementType::u64: return bits;
        case ElementType::i32: return static_cast<int32_t>(bits);
        case ElementType::i64: return static_cast<int64_t>(bits);
        case ElementType::f32: return json_float<float>(static_cast<uint32_t>(bits));
        default: break;
    }
    return json_float<double>(bits);
}

Json json_device(const runtime::DeviceInfo& info) {
    Json json;
    json["index"]       = info.index;
    json["name"]        = info.name;
    json["type"]        = runtime::type_name(info.type);
    json["driver"]      = info.driver;
    json["api_version"] = fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(info.api_version),
                                      VK_API_VERSION_MINOR(info.api_version), VK_API_VERSION_PATCH(info.api_version));
    return json;
}

const char* look_back_words(const runtime::DeviceInfo& info) {
    const bool wide = info.features.shader_int64 && info.features.shader_buffer_int64_atomics;
    return wide ? "64-bit" : "2x32-bit";
}

bool pins_subgroup_size(const runtime::DeviceInfo& info) {
    return info.features.subgroup_size_control && info.features.compute_full_subgroups;
}

Json json_device_details(const runtime::DeviceInfo& info) {
    Json json      = json_device(info);
    json["usable"] = info.usable;
    if (!info.usable) json["reason"] = info.reason;
    json["vendor_id"]                 = info.vendor_id;
    json["device_id"]                 = info.device_id;
    json["subgroup_size"]             = info.subgroup_size;
    json["min_subgroup_size"]         = info.min_subgroup_size;
    json["max_subgroup_size"]         = info.max_subgroup_size;
    json["subgroup_size_pinned"]      = pins_subgroup_size(info);
    json["look_back_words"]           = look_back_words(info);
    json["max_workgroup_invocations"] = info.max_workgroup_invocations;
    json["max_workgroup_count_x"]     = info.max_workgroup_count_x;
    json["shared_memory_size"]        = info.shared_memory_size;
    json["memory_size"]               = info.memory_size;
    json["available_memory"]          = info.available_memory;
    json["max_allocation_size"]       = info.max_allocation_size;
    json["sparse_binding"]            = info.sparse_binding;
    json["timestamp_period_ns"]       = info.timestamp_period;
    json["features"]                  = {{"bufferDeviceAddress", info.features.buffer_device_address},
                                         {"vulkanMemoryModel", info.features.vulkan_memory_model},
                                         {"vulkanMemoryModelDeviceScope", info.features.vulkan_memory_model_device_scope},
                                         {"shaderInt64", info.features.shader_int64},
                                         {"shaderBufferInt64Atomics", info.features.shader_buffer_int64_atomics},
                                         {"subgroupSizeControl", info.features.subgroup_size_control},
                                         {"computeFullSubgroups", info.features.compute_full_subgroups},
                                         {"storageBuffer8BitAccess", info.features.storage_buffer_8bit_access},
                                         {"shaderFloat64", info.features.shader_float64}};
    return json;
}

void add_device_flags(Options& options, runtime::DeviceOptions& flags) {
    options
        .add_option("--device", flags.selector,
                    "a number as 'vkprim info' gives it, or a part of the name; default: the best\n"
                    "device: discrete GPU, integrated GPU, virtual GPU, software. reduce, scan, histogram\n"
                    "and sort of one whole array in a file also take several: 0,2 or all")
        .type_name("N|NAME");
    options.add_flag("--validation", flags.validation,
                     "enable the Vulkan validation layers; exit code 1 if they report anything");
    options.add_flag("--gpu-validation", flags.gpu_validation,
                     "also validate each memory access of shaders (GPU-assisted validation); slow");
}

bool names_several(const std::string& selector) {
    return selector == "all" ||
           (selector.find(',') != std::string::npos && selector.find_first_not_of("0123456789,") == std::string::npos);
}

std::vector<std::string> device_selectors(const std::string& selector) {
    if (!names_several(selector)) return {selector};
    std::vector<std::string> selectors;
    if (selector == "all") {
        for (const runtime::DeviceInfo& info : need_device(runtime::list_devices())) {
            if (info.usable) selectors.push_back(std::to_string(info.index));
        }
        if (selectors.empty()) selectors.emplace_back(); // which says why
        return selectors;
    }
    for (size_t begin = 0; begin <= selector.size();) {
        const size_t      end = std::min(selector.find(',', begin), selector.size());
        const std::string one = selector.substr(begin, end - begin);
        if (one.empty() || std::find(selectors.begin(), selectors.end(), one) != selectors.end()) {
            throw Failure{
                exit_usage,
                fmt::format("--device {}: expected different numbers with commas between, as in 0,2", selector)};
        }
        selectors.push_back(one);
        begin = end + 1;
    }
    return selectors;
}

runtime::Device open_device(const runtime::DeviceOptions& options) {
    if (names_several(options.selector)) {
        throw Failure{exit_usage,
                      fmt::format("--device {}: only reduce, scan, histogram and sort of a whole array take "
                                  "several devices; choose one",
                                  options.selector)};
    }
    runtime::DeviceOptions parallel = options;
    parallel.parallel_for           = [](uint32_t count, const std::function<void(uint32_t)>& task) {
        harness::on_all_processors(count, task);
    };
    return need_device(runtime::Device::create(parallel));
}

void add_device_flags(Options& options, DeviceFlags& flags) {
    add_device_flags(options, static_cast<runtime::DeviceOptions&>(flags));
    options.add_option("--profile", flags.profile, "a profile for this device, written by 'vkprim tune -o FILE'")
        .type_name("FILE");
    options.add_option("--set", flags.values, "set one value of a profile, such as lookback.waits=0; repeatable")
        .type_name("NAME=VALUE");
    options
        .add_option("--inject", flags.inject,
                    "make a share of the workgroups of scans and compactions faulty, to test that results stay\n"
                    "right. FAULT: withhold (does not publish its total), late (publishes late), stall (starts\n"
                    "late), dawdle (publishes late, and helpers are late, too). SHARE: 1%, 10% ... or all, which\n"
                    "spares one workgroup")
        .type_name("FAULT=SHARE");
}

namespace {

Profile read_profile_file(const std::string& path) {
    const auto profile = read_profile(need_file(read_text(path)));
    if (!profile) throw Failure{exit_usage, path + ": " + profile.error().reason};
    return *profile;
}

void check_profile_is_for(const runtime::DeviceInfo& device, const Profile& profile, const std::string& path) {
    if (profile.vendor_id == device.vendor_id && profile.device_id == device.device_id) return;
    throw Failure{
        exit_usage,
        fmt::format(
            "{}: the profile is for device {:04x}:{:04x}, {} is {:04x}:{:04x}: run vkprim tune there, or choose "
            "another --device",
            path, profile.vendor_id, profile.device_id, device.name, device.vendor_id, device.device_id)};
}

/// What `--set` says, as a value of a profile.
void set_value(const std::string& text, Profile& profile) {
    const size_t equals = text.find('=');
    const auto   first = text.data() + std::min(equals, text.size() - 1) + 1, last = text.data() + text.size();
    uint32_t     value  = 0;
    const auto   parsed = std::from_chars(first, last, value);
    if (equals == std::string::npos || parsed.ec != std::errc() || parsed.ptr != last) {
        throw Failure{exit_usage,
                      fmt::format("--set {}: it must be a name, = and a whole number, as in lookback.waits=0", text)};
    }
    profile.values[text.substr(0, equals)] = value;
}

/// What `--inject` says, as values of a profile.
void inject_fault(const std::string& text, Profile& profile) {
    const std::map<std::string, uint32_t> faults  = {{"withhold", VKPRIM_FAULT_WITHHOLD},
                                                     {"late", VKPRIM_FAULT_LATE},
                                                     {"stall", VKPRIM_FAULT_STALL},
                                                     {"dawdle", VKPRIM_FAULT_DAWDLE}};
    const size_t                          equals  = text.find('=');
    const auto                            fault   = faults.find(text.substr(0, equals));
    const std::string                     share   = equals == std::string::npos ? "" : text.substr(equals + 1);
    char*                                 end     = nullptr;
    const double                          percent = share == "all" ? 100 : std::strtod(share.c_str(), &end);
    if (fault == faults.end() || share.empty() || (share != "all" && std::string(end) != "%") ||
        !(percent >= 0 && percent <= 100)) {
        throw Failure{exit_usage,
                      fmt::format("--inject {}: it must be withhold, late, stall or dawdle, then = and a share such as "
                                  "1% or all",
                                  text)};
    }
    profile.values["lookback.fault"]       = fault->second;
    profile.values["lookback.fault_share"] = static_cast<uint32_t>(std::lround(percent / 100 * 65536));
}

} // namespace

runtime::Device open_device(const DeviceFlags& flags) {
    Profile profile;
    if (!flags.profile.empty()) profile = read_profile_file(flags.profile);
    for (const std::string& value : flags.values) set_value(value, profile);
    if (!flags.inject.empty()) inject_fault(flags.inject, profile);

    runtime::Device            device = open_device(static_cast<const runtime::DeviceOptions&>(flags));
    const runtime::DeviceInfo& info   = device.info();
    if (!flags.profile.empty()) check_profile_is_for(info, profile, flags.profile);
    profile.vendor_id = info.vendor_id;
    profile.device_id = info.device_id;
    if (!flags.profile.empty() || !profile.values.empty()) device.use_profile(profile);
    return device;
}

void need_timestamps(const runtime::Device& device) {
    if (device.info().timestamp_period > 0) return;
    throw Failure{exit_device, device.info().name + " has no timestamps to measure with; choose another --device"};
}

void check_validation(const runtime::Device& device) {
    const uint32_t messages = device.validation_messages();
    if (messages > 0) throw Failure{exit_wrong, fmt::format("the validation layers reported {} messages", messages)};
}

std::string device_line(const runtime::DeviceInfo& info) {
    return fmt::format("{}, {}, {}", info.name, runtime::type_name(info.type), info.driver);
}

Progress::Progress(std::string label) : label_(std::move(label)) {
    if (!system::is_terminal_of_errors()) return;
    shown_progress = this;
    thread_        = std::thread([this] {
        std::unique_lock lock(mutex_);
        while (!ended_.wait_for(lock, std::chrono::milliseconds(250), [this] { return end_; })) draw();
    });
}

Progress::~Progress() {
    if (!thread_.joinable()) return;
    {
        std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_one();
    thread_.join();
    erase();
    shown_progress = nullptr;
}

void Progress::update(const std::string& step, uint64_t done, uint64_t total) {
    std::lock_guard lock(mutex_);
    step_  = step;
    done_  = done;
    total_ = total;
}

void Progress::erase() {
    std::lock_guard lock(mutex_);
    step_.clear();
    if (shown_) system::write_text(stderr, "\r\033[K");
    shown_ = false;
}

void Progress::draw() {
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    if (seconds < 1 || step_.empty()) return;
    std::string text = fmt::format("{}: {:<9}", label_, step_);
    if (total_ > 0) {
        constexpr double width = 40;
        const double     share = static_cast<double>(done_) / static_cast<double>(total_);
        text += fmt::format(" [{:<40}] {:3.0f} %", std::string(static_cast<size_t>(share * width), '#'), 100 * share);
    }
    system::write_text(stderr, fmt::format("\r\033[K{} {:4.0f} s", text, seconds));
    shown_ = true;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char              text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

std::string base_name(const std::string& path) {
    return path.substr(path.find_last_of(system::folder_ends) + 1); // npos + 1 is 0
}

bool ends_with(std::string_view text, std::string_view ending) {
    return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

} // namespace vkprim::tools
