// What the subcommands share: how they print, show progress and choose a device.
#pragma once

#include <vkprim/runtime.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "command_line.h"
#include "files/files.h"
#include "tools/common/failure.h"
#include "tools/common/json.h"

namespace vkprim::tools {

/// Appends to standard output, at once. A Failure where that cannot take it.
void print(std::string_view text);

/// Appends to standard error, at once: what people want to know, where standard output goes to another program.
void print_aside(std::string_view text);

/// A Failure where write_report() or another writer of files could not write there, for want of a folder.
void check_folder_of(const std::string& path);

/// Before minutes have gone into what cannot be written: a Failure where the files of some flags are one, two of them are standard output, or
/// a folder is missing.
void check_outputs(const std::vector<std::pair<std::string, std::string>>& flags_and_paths);

/// Writes where a --json or --csv flag says: into a file, or to standard output for "-".
void write_report(const std::string& path, const std::string& text);

/// On one line, or indented, with a newline at the end. Bytes that are not UTF-8 (in paths) are replaced.
std::string json_text(const Json& json, int indent = -1);

/// `bits` as a JSON number; "inf", "-inf" or "nan" as a string. Floats have the fewest digits that give them back.
Json json_value(ElementType type, uint64_t bits);

Json json_device(const runtime::DeviceInfo& info);

/// The same with what matters for the variants that vkprim chooses.
Json json_device_details(const runtime::DeviceInfo& info);

/// How workgroups of one scan tell each other their sums: "64-bit" or "2x32-bit".
const char* look_back_words(const runtime::DeviceInfo& info);

bool pins_subgroup_size(const runtime::DeviceInfo& info);

struct DeviceFlags : runtime::DeviceOptions {
    std::string profile; ///< a file that `vkprim tune` wrote; empty for none
    std::string inject;  ///< a fault: "withhold=1%"; empty for none

    std::vector<std::string> values; ///< of a profile: "lookback.waits=0"
};

/// --device, --validation, --profile, --set and --inject.
void            add_device_flags(Options& options, DeviceFlags& flags);
runtime::Device open_device(const DeviceFlags& flags);

/// The same without --profile, --set and --inject.
void            add_device_flags(Options& options, runtime::DeviceOptions& flags);
runtime::Device open_device(const runtime::DeviceOptions& options);

/// Whether --device names several devices: "all", or numbers with commas between. Only jobs in chunks take them.
bool names_several(const std::string& selector);

/// Of each of these devices, or the one that is named, for DeviceOptions. All are those that vkprim can run on.
std::vector<std::string> device_selectors(const std::string& selector);

/// A Failure where the device has no timestamps.
void need_timestamps(const runtime::Device& device);

/// A Failure where the validation layers had something to say.
void check_validation(const runtime::Device& device);

/// One line about the device: name, kind and driver.
std::string device_line(const runtime::DeviceInfo& info);

/// What is going on, on standard error, where that is a terminal, for work that takes longer than a second: a bar, or
/// the seconds so far. A thread keeps it moving while the program waits for the device. Erased at the end, and by
/// print() and print_aside(). At most one at a time.
class Progress {
public:
    explicit Progress(std::string label);
    ~Progress();
    Progress(const Progress&)            = delete;
    Progress& operator=(const Progress&) = delete;

    /// What begins now: `done` of `total` are behind it. Where nobody knows the total, it is 0, and there is no bar.
    void update(const std::string& step, uint64_t done = 0, uint64_t total = 0);

    /// Leaves the terminal to other output, until the next update().
    void erase();

private:
    using Clock = std::chrono::steady_clock;

    void draw(); ///< with mutex_ held

    const std::string       label_;
    const Clock::time_point began_ = Clock::now();
    std::mutex              mutex_; ///< of all below
    std::condition_variable ended_;
    std::string             step_;
    uint64_t                done_ = 0, total_ = 0;
    bool                    shown_ = false, end_ = false;
    std::thread             thread_; ///< runs only on a terminal
};

/// "2026-01-31", of UTC.
std::string today();

/// The file name without its folders.
std::string base_name(const std::string& path);

bool ends_with(std::string_view text, std::string_view ending);

} // namespace vkprim::tools
