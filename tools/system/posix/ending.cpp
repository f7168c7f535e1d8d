#include "../ending.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>

#include "tools/common/failure.h"

namespace vkprim::tools {

namespace {

/// All that end a process, but SIGKILL, which nobody can handle.
constexpr int ending_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,    SIGTRAP, SIGABRT, SIGBUS,
                                  SIGFPE,  SIGUSR1, SIGSEGV, SIGUSR2,   SIGPIPE, SIGALRM, SIGTERM,
                                  SIGXCPU, SIGXFSZ, SIGPROF, SIGVTALRM, SIGSYS};

std::atomic<bool> ends{false}; ///< the program, by a handler

/// Handlers read what is `ready`.
enum State : int { unused, changing, ready };

/// Contents that are handed out, and taken back.
template <class Content>
struct Slots {
    struct Slot {
        std::atomic<int> state{unused};
        Content          content;
    };

    /// The number of one that `fill` has changed; -1 where there are no more.
    template <class Fill>
    int take(const Fill& fill) {
        for (size_t number = 0; number < all.size(); ++number) {
            int expected = unused;
            if (!all[number].state.compare_exchange_strong(expected, changing)) continue;
            while (ends) ::pause(); // a handler may still read what was here
            fill(all[number].content);
            all[number].state = ready;
            return static_cast<int>(number);
        }
        return -1;
    }

    void give_back(int number) {
        if (number >= 0) all[static_cast<size_t>(number)].state = unused;
    }

    std::array<Slot, 32> all;
};

struct Removed {
    char path[PATH_MAX], said[PATH_MAX + 128];
};

struct Mapped {
    std::atomic<const char*> begin;
    std::atomic<size_t>      size;
    int                      descriptor;
    char                     name[PATH_MAX];
};

Slots<Removed>   removed_files;
Slots<Mapped>    mapped_files;
char             program_name[32] = "vkprim", before_lines[8] = ""; ///< what erases a progress bar
std::mutex       installing;
struct sigaction bus_before = {}; ///< what SIGBUS did before

template <size_t size>
void copy_text(char (&to)[size], const std::string& from) {
    const size_t length = std::min(from.size(), size - 1);
    std::memcpy(to, from.data(), length);
    to[length] = '\0';
    std::replace(to, to + length, '\n', ' '); // a sentence is one line
}

// What follows runs in handlers: only calls that POSIX allows there.

void say(std::initializer_list<const char*> texts) {
    static char line[PATH_MAX + 256]; // one thread ends the program
    size_t      size = 0;
    for (const char* const text : texts) {
        const size_t length = std::min(std::strlen(text), sizeof line - size);
        std::memcpy(line + size, text, length);
        size += length;
    }
    const ssize_t written = ::write(STDERR_FILENO, line, size);
    static_cast<void>(written); // where that fails, there is nobody to tell
}

const Mapped* mapped_at(const void* address) {
    for (const auto& slot : mapped_files.all) {
        const auto* const at    = static_cast<const char*>(address);
        const char* const begin = slot.content.begin;
        if (slot.state == ready && at >= begin && at < begin + slot.content.size) return &slot.content;
    }
    return nullptr;
}

void remove_files() {
    for (auto& slot : removed_files.all) {
        if (slot.state == ready && ::unlink(slot.content.path) == 0 && slot.content.said[0] != '\0')
            say({slot.content.said, "\n"});
    }
}

[[noreturn]] void end_for(const Mapped& file) {
    struct stat status = {};
    const bool  cut    = ::fstat(file.descriptor, &status) == 0 &&
                     static_cast<uint64_t>(status.st_size) < static_cast<uint64_t>(file.size);
    say({before_lines, program_name, ": error: ", file.name, ": ",
         cut ? cut_reason : "cannot read: input/output error; copy it to another disk", "\n"});
    ::_exit(exit_usage);
}

extern "C" void end_program(int signal, siginfo_t* info, void*) {
    const bool          fault = signal == SIGBUS && info->si_code > 0; // and not sent by a process
    const Mapped* const file  = fault ? mapped_at(info->si_addr) : nullptr;
    if (fault && file == nullptr && bus_before.sa_handler != SIG_DFL) {
        ::sigaction(SIGBUS, &bus_before, nullptr); // it happens again, to somebody else's handler
        return;
    }
    if (ends.exchange(true)) {
        for (;;) ::pause(); // until the first thread that came here has ended the program
    }
    remove_files();
    if (file != nullptr) end_for(*file);
    // The signal's own way, for whoever waits for the program.
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    sigset_t this_one;
    sigemptyset(&this_one); // macros on macOS, as the next two
    sigaddset(&this_one, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
    ::_exit(128 + signal); // process 1 of a container, which signals do not end
}

void handle(int signal) {
    struct sigaction before = {}, action = {};
    ::sigaction(signal, nullptr, &before);
    if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction == end_program) return;
    if (signal == SIGBUS) {
        bus_before = before;
    } else if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) {
        return; // somebody else's, or ignored
    }
    action.sa_sigaction = end_program;
    action.sa_flags     = SA_SIGINFO;
    sigfillset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

} // namespace

void begin_program(const std::string& name) {
    copy_text(program_name, name);
    if (::isatty(STDERR_FILENO) == 1) copy_text(before_lines, "\r\033[K");
    std::signal(SIGXFSZ, SIG_IGN);
}

Unfinished::Unfinished(const std::string& path, const std::string& said) {
    {
        const std::lock_guard lock(installing);
        for (const int signal : ending_signals) handle(signal);
    }
    slot_ = removed_files.take([&](Removed& file) {
        copy_text(file.said, said);
        std::strncpy(file.path, path.c_str(), sizeof file.path - 1); // longer ones are no paths
    });
}

Unfinished::Unfinished(Unfinished&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

Unfinished::~Unfinished() { removed_files.give_back(slot_); }

WatchedRange::WatchedRange(const void* begin, uint64_t size, intptr_t watched, const std::string& name) {
    {
        const std::lock_guard lock(installing);
        handle(SIGBUS);
    }
    slot_ = mapped_files.take([&](Mapped& file) {
        file.begin      = static_cast<const char*>(begin);
        file.size       = size;
        file.descriptor = static_cast<int>(watched);
        copy_text(file.name, name);
    });
}

WatchedRange::WatchedRange(WatchedRange&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

WatchedRange::~WatchedRange() { mapped_files.give_back(slot_); }

} // namespace vkprim::tools
