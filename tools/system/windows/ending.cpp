#include "../ending.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <utility>

#include "../machine.h"
#include "tools/common/failure.h"
#include "wide.h"

namespace vkprim::tools {

namespace {

struct Removed {
    std::wstring path;
    std::string  said;
    bool         used = false;
};

struct Mapped {
    const char* begin = nullptr;
    uint64_t    size  = 0;
    std::string name;
    bool        used = false;
};

std::mutex              changing;
std::array<Removed, 32> removed_files;
std::array<Mapped, 32>  mapped_files;
std::string             program_name   = "vkprim";
bool                    shows_progress = false; ///< a bar, which is erased ahead of a line
bool                    watches_pages  = false;

void remove_files() {
    for (const Removed& file : removed_files) {
        if (file.used && DeleteFileW(file.path.c_str()) && !file.said.empty()) system::write_text(stderr, file.said);
    }
}

/// Windows calls it on a thread of its own. Ending as Windows would, by way of the drivers' own ends, may wait for a thread that is gone.
BOOL WINAPI end_program(DWORD) {
    const std::lock_guard lock(changing);
    remove_files();
    return TerminateProcess(GetCurrentProcess(), static_cast<UINT>(STATUS_CONTROL_C_EXIT));
}

/// Afterwards the process ends as it would without this handler.
LONG WINAPI end_for_crash(EXCEPTION_POINTERS*) {
    remove_files();
    return EXCEPTION_CONTINUE_SEARCH;
}

extern "C" void end_for_abort(int) { end_for_crash(nullptr); }

/// What cannot be read of a mapped file: it lies on a disk that is gone. Nobody can cut a file that is mapped.
LONG CALLBACK end_for_page(EXCEPTION_POINTERS* exception) {
    const EXCEPTION_RECORD& record = *exception->ExceptionRecord;
    if (record.ExceptionCode != EXCEPTION_IN_PAGE_ERROR || record.NumberParameters < 2)
        return EXCEPTION_CONTINUE_SEARCH;
    const auto* const at = reinterpret_cast<const char*>(record.ExceptionInformation[1]);
    for (const Mapped& file : mapped_files) {
        if (!file.used || at < file.begin || at >= file.begin + file.size) continue;
        remove_files();
        system::write_text(stderr, (shows_progress ? "\r\033[K" : "") + program_name + ": error: " + file.name +
                                       ": cannot read: input/output error; copy it to another disk\n");
        TerminateProcess(GetCurrentProcess(), exit_usage);
    }
    return EXCEPTION_CONTINUE_SEARCH;
}

/// The number of one that is not used, which `fill` changes; -1 where there is none.
template <class Slots, class Fill>
int take(Slots& slots, const Fill& fill) {
    const std::lock_guard lock(changing);
    for (size_t number = 0; number < slots.size(); ++number) {
        if (slots[number].used) continue;
        fill(slots[number]);
        slots[number].used = true;
        return static_cast<int>(number);
    }
    return -1;
}

template <class Slots>
void give_back(Slots& slots, int number) {
    const std::lock_guard lock(changing);
    if (number >= 0) slots[static_cast<size_t>(number)].used = false;
}

} // namespace

void begin_program(const std::string& name) {
    program_name   = name;
    shows_progress = system::is_terminal_of_errors();
    SetConsoleCtrlHandler(end_program, TRUE);
    SetUnhandledExceptionFilter(end_for_crash);
    std::signal(SIGABRT, end_for_abort);
}

Unfinished::Unfinished(const std::string& path, const std::string& said) {
    slot_ = take(removed_files, [&](Removed& file) {
        file.path = system::wide_path(path);
        file.said = said.empty() ? "" : said + "\n";
    });
}

Unfinished::Unfinished(Unfinished&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

Unfinished::~Unfinished() { give_back(removed_files, slot_); }

WatchedRange::WatchedRange(const void* begin, uint64_t size, intptr_t, const std::string& name) {
    slot_ = take(mapped_files, [&](Mapped& file) {
        if (!std::exchange(watches_pages, true)) AddVectoredExceptionHandler(1, end_for_page);
        file.begin = static_cast<const char*>(begin);
        file.size  = size;
        file.name  = name;
    });
}

WatchedRange::WatchedRange(WatchedRange&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

WatchedRange::~WatchedRange() { give_back(mapped_files, slot_); }

} // namespace vkprim::tools
