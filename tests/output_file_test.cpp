// What becomes of files in unusual places, and of unfinished ones where the program ends.
#include "../tools/cli/files/output_file.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "../tools/cli/files/mapped_file.h"
#include "support/catch.h"
#include "support/program.h"

namespace fs = std::filesystem;
using namespace vkprim;
using namespace vkprim::tools;
using namespace vkprim::tests;

namespace {

constexpr int ending_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,    SIGTRAP, SIGABRT, SIGBUS,
                                  SIGFPE,  SIGUSR1, SIGSEGV, SIGUSR2,   SIGPIPE, SIGALRM, SIGTERM,
                                  SIGXCPU, SIGXFSZ, SIGPROF, SIGVTALRM, SIGSYS};

/// The status of a process of its own that does `work`, and ends with what that returns. Signals have their own effects in it.
int status_of(const std::function<int()>& work, const std::string& err = "/dev/null") {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const rlimit no_core{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        for (const int signal : ending_signals) ::signal(signal, SIG_DFL);
        ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        ::_exit(work());
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return status;
}

/// As nobody, who may do little. Says so where this process may not become nobody.
std::optional<int> status_as_nobody(const std::function<int()>& work) {
    if (::geteuid() != 0) {
        WARN("SKIPPED: only root can become a user who does not own a file");
        return std::nullopt;
    }
    return status_of(
        [&] { return ::setgroups(0, nullptr) == 0 && ::setgid(65534) == 0 && ::setuid(65534) == 0 ? work() : 99; });
}

std::string reason_of(const Result<void>& result) { return result ? "" : result.error().reason; }

Result<void> write_text(const std::string& path, const std::string& text) {
    return write_file(path, text.data(), text.size());
}

struct stat stat_of(const std::string& path) {
    struct stat status = {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("unfinished files go, whatever signal ends the program", "[files]") {
    const Folder      folder;
    const std::string path = folder.path("out");
    for (const int signal : ending_signals) {
        CAPTURE(signal);
        const int status = status_of([&] {
            for (int i = 0; i < 40; ++i) { // more than are remembered at a time
                if (!OutputFile::create_shared(path, 8, "")) return 1;
            }
            const Result<OutputFile> other  = OutputFile::create(path, 8),
                                     shared = OutputFile::create_shared(path, 8, "");
            if (!other || !shared || !fs::exists(shared->temporary())) return 2;
            ::raise(signal);
            return 3;
        });
        CHECK(WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == signal);
        CHECK(folder.entries() == 0);
    }
    // Nobody can handle this one.
    if (!folder.has_nameless_files()) return;
    const int killed = status_of([&] {
        Result<OutputFile>          file   = OutputFile::create(path, 8);
        const Result<TemporaryFile> beside = file->create_beside(8);
        if (!beside || !file->write(0, "abcdefgh", 8)) return 1;
        ::raise(SIGKILL);
        return 2;
    });
    CHECK(WIFSIGNALED(killed));
    CHECK(folder.entries() == 0);
}

TEST_CASE("many files at once", "[files]") {
    const Folder folder;
    {
        std::vector<OutputFile> files;
        for (int i = 0; i < 50; ++i) {
            Result<OutputFile> file = OutputFile::create_shared(folder.path("out" + std::to_string(i)), 0, "");
            REQUIRE(file);
            files.push_back(std::move(*file));
        }
        CHECK(folder.entries() == 50);
        CHECK(files[49].commit());
    }
    CHECK(folder.entries() == 1);
    CHECK(fs::exists(folder.path("out49")));
}

TEST_CASE("a signal from another thread, and one that is ignored", "[files]") {
    const Folder      folder;
    const std::string path = folder.path("out"), err = folder.path("err");
    const int         ignored = status_of([&] {
        ::signal(SIGHUP, SIG_IGN); // as nohup does
        Result<OutputFile> file = OutputFile::create_shared(path, 0, "");
        ::raise(SIGHUP);
        return file && file->write(0, "abc", 3) && file->commit() ? 0 : 1;
    });
    CHECK(ignored == 0);
    CHECK(content_of(path) == "abc");
    const int ended = status_of(
        [&] {
            const Result<OutputFile> file = OutputFile::create_shared(path, 0, "what is said\nthen");
            std::thread([] { ::kill(::getpid(), SIGTERM); }).join();
            ::pause();
            return file ? 1 : 2;
        },
        err);
    CHECK(WIFSIGNALED(ended));
    CHECK(content_of(err) == "what is said then\n");
    CHECK(content_of(path) == "abc");
    CHECK(folder.entries() == 2);
}

TEST_CASE("a mapped file that is cut ends the program with a sentence", "[files]") {
    const Folder      folder;
    const std::string err = folder.path("err"), out = folder.path("out");
    const auto        file = [&](size_t size) { return folder.file("in", std::string(size, 'x')); };
    const auto touch = [](const uint8_t* at) { return static_cast<int>(*const_cast<const volatile uint8_t*>(at)); };

    std::string path = file(20000);
    const int   cut  = status_of(
        [&] {
            const Result<OutputFile> output = OutputFile::create_shared(out, 8, "");
            const Result<MappedFile> mapped = MappedFile::open(path);
            if (!output || !mapped || touch(mapped->data() + 19999) != 'x') return 1;
            if (::truncate(path.c_str(), 5000) != 0) return 1;
            std::thread([&] { touch(mapped->data() + 19999); }).join();
            return 1;
        },
        err);
    CHECK(WIFEXITED(cut));
    CHECK(WEXITSTATUS(cut) == 2);
    CHECK(content_of(err) == "vkprim: error: " + path + ": " + cut_reason + "\n");
    CHECK(folder.entries() == 2); // `in` and `err`

    // Less than a page, which reads as zeros.
    Result<MappedFile> mapped = MappedFile::open(file(5000));
    REQUIRE(mapped);
    CHECK(mapped->check_same(true));
    REQUIRE(::truncate(path.c_str(), 4999) == 0);
    CHECK(reason_of(mapped->check_same()) == path + ": " + cut_reason);
    const MappedFile moved = std::move(*mapped);
    CHECK(reason_of(moved.check_same(true)) == path + ": " + cut_reason);
    REQUIRE(::truncate(path.c_str(), 6000) == 0);
    CHECK(moved.check_same()); // who appends does no harm
    CHECK(has(reason_of(moved.check_same(true)), "in: has changed while it was read"));

    // What is not ours has the effects that it had.
    const auto elsewhere = [&](const std::function<void()>& before) {
        return status_of([&] {
            before();
            const Result<OutputFile> output = OutputFile::create_shared(out, 8, "");
            const Result<MappedFile> ours   = MappedFile::open(file(5000));
            const int                other  = ::open(path.c_str(), O_RDONLY);
            const void* const        data   = ::mmap(nullptr, 5000, PROT_READ, MAP_SHARED, other, 0);
            if (!output || !ours || data == MAP_FAILED || ::truncate(path.c_str(), 0) != 0) return 1;
            touch(static_cast<const uint8_t*>(data));
            return 1;
        });
    };
    const int died = elsewhere([] {});
    CHECK(WIFSIGNALED(died));
    CHECK(WTERMSIG(died) == SIGBUS);
    CHECK(folder.entries() == 2);
    const int handled = elsewhere([] { ::signal(SIGBUS, [](int) { ::_exit(77); }); });
    CHECK(WIFEXITED(handled));
    CHECK(WEXITSTATUS(handled) == 77);
}

TEST_CASE("a file that becomes shorter while it is read", "[files]") {
    const Folder      folder;
    const std::string path = folder.file("in", std::string(1000, 'x'));
    Result<InputFile> file = InputFile::open(path);
    REQUIRE(file);
    REQUIRE(file->peek(12));
    REQUIRE(::truncate(path.c_str(), 500) == 0);
    const Result<Array> array = read_raw(*file, NumberType::u8);
    REQUIRE_FALSE(array);
    CHECK(array.error().reason == path + ": " + cut_reason);
    // One that says more than it has, as those in /sys do, does not become shorter.
    if (fs::exists("/sys/kernel/mm/transparent_hugepage/enabled"))
        CHECK(read_raw("/sys/kernel/mm/transparent_hugepage/enabled", NumberType::u8));
}

TEST_CASE("symbolic links are followed, also those that lead to no file yet", "[files]") {
    const Folder      folder;
    const std::string link = folder.path("link"), target = folder.path("target");
    fs::create_directory(folder.path("sub"));
    fs::create_symlink("sub/next", link);
    fs::create_symlink("../target", folder.path("sub/next"));
    for (const std::string text : {"first", "second time"}) {
        CHECK(reason_of(write_text(link, text)) == "");
        CHECK(fs::is_symlink(link));
        CHECK(fs::is_symlink(folder.path("sub/next")));
        CHECK(fs::is_regular_file(fs::symlink_status(target)));
        CHECK(content_of(target) == text);
    }
    fs::create_symlink(folder.path("none/out"), folder.path("astray"));
    CHECK(has(reason_of(write_text(folder.path("astray"), "x")), "astray: cannot write: no such file"));
    fs::create_symlink("round", folder.path("round"));
    CHECK(has(reason_of(write_text(folder.path("round"), "x")), "round: cannot write: too many levels of symbolic"));
    CHECK(has(reason_of(write_text("", "x")), "cannot write: no such file"));
    CHECK(folder.entries() == 5);
}

TEST_CASE("a file that exists keeps its owner and permissions", "[files]") {
    const Folder      folder;
    const std::string path = folder.file("out", "as it was");
    REQUIRE(::chmod(path.c_str(), 0640) == 0);
    if (::geteuid() != 0) {
        WARN("SKIPPED: only root can give a file away");
    } else {
        REQUIRE(::chown(path.c_str(), 1234, 2345) == 0);
        CHECK(reason_of(write_text(path, "new")) == "");
        const struct stat given = stat_of(path);
        CHECK(content_of(path) == "new");
        CHECK(given.st_uid == 1234);
        CHECK(given.st_gid == 2345);
        CHECK((given.st_mode & 07777) == 0640);
    }

    // Who may write it, and not give it to its owner.
    REQUIRE(::chmod(path.c_str(), 0666) == 0);
    REQUIRE(::chmod(folder.path("").c_str(), 0777) == 0);
    const struct stat before = stat_of(path);
    for (const mode_t mode :
         {0777, 01777,
          0555}) { // of a folder that takes new files, one that keeps those of others, and one that takes none
        CAPTURE(mode);
        REQUIRE(::chmod(folder.path("").c_str(), mode) == 0);
        for (const std::string text : {"longer than it was", "short"}) {
            const auto status = status_as_nobody([&] { return write_text(path, text) ? 0 : 1; });
            if (!status) break;
            CHECK(*status == 0);
            CHECK(content_of(path) == text);
            const struct stat after = stat_of(path);
            CHECK(after.st_uid == before.st_uid);
            CHECK(after.st_gid == before.st_gid);
            CHECK((after.st_mode & 07777) == 0666);
        }
        CHECK(folder.entries() == 1);
    }
    REQUIRE(::chmod(folder.path("").c_str(), 0777) == 0);
}

TEST_CASE("a file that a new one cannot stand for is written into", "[files]") {
    const Folder      folder;
    const std::string path = folder.file("out", "as it was"), other = folder.path("other");
    fs::create_hard_link(path, other);
    for (const std::string text : {"longer than it was", "short", ""}) {
        CHECK(reason_of(write_text(path, text)) == "");
        CHECK(content_of(other) == text);
        CHECK(stat_of(path).st_nlink == 2);
    }
    // It changes only where there is room for all.
    REQUIRE(reason_of(write_text(path, "as it was")) == "");
    const int full = status_of([&] {
        const std::string  large(1 << 17, 'x');
        Result<OutputFile> file = OutputFile::create(path);
        if (!file || !file->write(0, large.data(), large.size())) return 1;
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1 << 16, 1 << 16};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        return has(reason_of(file->commit()), "out: cannot write: file too large; make room") ? 0 : 2;
    });
    CHECK(full == 0);
    CHECK(content_of(other) == "as it was");
    CHECK(folder.entries() == 2);

    fs::remove(other);
    if (::setxattr(path.c_str(), "user.vkprim", "kept", 4, 0) != 0) {
        WARN("SKIPPED: this file system has no attributes of users");
    } else {
        CHECK(reason_of(write_text(path, "new")) == "");
        char value[4] = {};
        CHECK(::getxattr(path.c_str(), "user.vkprim", value, sizeof value) == 4);
        CHECK(content_of(path) == "new");
    }

    // As a container has a single file of the host.
    const std::string mounted = folder.file("mounted", "before");
    const int         status  = status_of([&] {
        if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount(path.c_str(), mounted.c_str(), nullptr, MS_BIND, nullptr) != 0)
            return 77;
        return write_text(mounted, "through") ? 0 : 1;
    });
    if (status == 77 << 8) {
        WARN("SKIPPED: a file cannot be mounted here");
    } else {
        CHECK(status == 0);
        CHECK(content_of(path) == "through");
        CHECK(content_of(mounted) == "before");
    }
    CHECK(folder.entries() == 2);
}

TEST_CASE("the names of open files are these files", "[files]") {
    const Folder      folder;
    const std::string path = folder.file("out", "before ");
    const int         file = ::open(path.c_str(), O_WRONLY | O_APPEND);
    REQUIRE(file >= 0);
    for (const char* const name : {"/dev/fd/", "/proc/self/fd/"})
        CHECK(reason_of(write_text(name + std::to_string(file), "added ")) == "");
    ::close(file);
    CHECK(content_of(path) == "before added added ");
    CHECK_FALSE(is_stream("/dev/fd/x"));
    CHECK_FALSE(is_stream(path));
    CHECK(folder.entries() == 1);
}
