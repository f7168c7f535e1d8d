#include "fuzz.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace vkprim::fuzz {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

void require_reason(const Error& error, const std::string& start) {
    const std::string& reason = error.reason;
    const bool         good   = reason.rfind(start, 0) == 0 && reason.size() > start.size() &&
                      reason.size() < start.size() + 400 &&
                      std::all_of(reason.begin(), reason.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (!good) std::fprintf(stderr, "reason: %s\n", reason.c_str());
    require(good, "a reason is one line of printable text that names what it is about");
}

MemoryFile::MemoryFile() : descriptor_(::memfd_create("vkprim_fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "there are files in memory");
}

void MemoryFile::write(const uint8_t* data, size_t size) {
    const bool written =
        ::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, data, size, 0) == static_cast<ssize_t>(size);
    require(written, "the file in memory can be written");
}

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

Pipe::Pipe() {
    const bool made =
        ::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) == 0 && ::fcntl(ends_[1], F_SETPIPE_SZ, 1 << 20) >= 1 << 20;
    require(made, "there are pipes of 1 MiB");
}

std::string Pipe::path() const { return "/proc/self/fd/" + std::to_string(ends_[1]); }

std::string Pipe::take() {
    std::string content;
    char        part[65536];
    for (ssize_t size; (size = ::read(ends_[0], part, sizeof part)) > 0;)
        content.append(part, static_cast<size_t>(size));
    return content;
}

} // namespace vkprim::fuzz

/// Writes the seeds where `--seeds=DIR` says so; libFuzzer itself ignores what begins with two dashes.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    constexpr std::string_view flag = "--seeds=";
    for (int i = 1; i < *argc; ++i) {
        const std::string_view argument = (*argv)[i];
        if (argument.substr(0, flag.size()) != flag) continue;
        size_t number = 0;
        for (const std::string& seed : vkprim::fuzz::seeds()) {
            std::ofstream file(std::string(argument.substr(flag.size())) + "/seed" + std::to_string(number++),
                               std::ios::binary);
            file << seed;
            vkprim::fuzz::require(static_cast<bool>(file.flush()), "the seeds can be written");
        }
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    vkprim::fuzz::check_input(data, size);
    return 0;
}
