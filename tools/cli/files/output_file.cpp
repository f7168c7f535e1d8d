#include "output_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "file_io.h"
#include "tools/system/path.h"

namespace vkprim::tools {

namespace {

/// Makes the file at `path` what `from` is. It has room for all of it before any of it changes. The value: 0, or the error number.
int copy_into(const std::string& path, const system::OpenFile& from) {
    system::Status   source, target;
    system::OpenFile to;
    if (const int error = to.open_to_write(path)) return error;
    int error = from.status(source);
    if (error == 0) error = to.status(target);
    if (error == 0 && source.size > target.size) {
        error = to.reserve(source.size);
        if (error != 0) to.resize(target.size);
    }
    std::vector<uint8_t> buffer(size_t{1} << 20);
    const auto           copy = [&](uint64_t done, uint64_t step) {
        const system::Moved got = from.read_at(done, buffer.data(), std::min<uint64_t>(step, buffer.size()));
        return got.error != 0 || got.size == 0 ? got : to.write_at(done, buffer.data(), got.size);
    };
    if (error == 0) error = transfer_all(source.size, copy);
    if (error == 0) error = to.resize(source.size);
    if (error == 0) error = to.sync();
    const int closed = to.close();
    return error != 0 ? error : closed;
}

} // namespace

std::optional<int> standard_descriptor(const std::string& path) {
    if (path == "-" || path == "/dev/stdout") return 1;
    if (path == "/dev/stderr") return 2;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (path.rfind(folder, 0) != 0) continue;
        const char* const end    = path.data() + path.size();
        int               number = 0;
        const auto        read   = std::from_chars(path.data() + folder.size(), end, number);
        if (read.ec == std::errc() && read.ptr == end) return number;
    }
    return std::nullopt;
}

bool is_stream(const std::string& path) {
    system::Status status;
    return standard_descriptor(path) ||
           (system::status_of(path, status) == 0 && status.kind == system::Status::Kind::other);
}

Result<OutputFile> OutputFile::create(const std::string& path, uint64_t size) {
    return create(path, size, TemporaryFile::Name::later, "");
}

Result<OutputFile> OutputFile::create_shared(const std::string& path, uint64_t size, const std::string& said) {
    return create(path, size, TemporaryFile::Name::now, said);
}

Result<OutputFile> OutputFile::create(const std::string& path, uint64_t size, TemporaryFile::Name name,
                                      const std::string& said) {
    system::Status status;
    const int      missing = path.empty() ? ENOENT : system::status_of(path, status);
    const bool     exists  = missing == 0;
    if (!exists && (missing != ENOENT || path.empty())) return system_error(path, "write", missing);
    if (exists && status.kind == system::Status::Kind::folder) return system_error(path, "write", EISDIR);
    // Renaming needs no permission on the file that it replaces.
    if (const int error = exists ? system::check_writable(path) : 0) return system_error(path, "write", error);

    const std::string    target = system::target_of(path);
    TemporaryFile::Place place{target, path};
    // The file that is there may be written where no file may be made beside it.
    const bool elsewhere = exists && name != TemporaryFile::Name::now && !system::takes_files(folder_of(target));
    if (elsewhere) {
        std::error_code       none;
        std::filesystem::path folder = std::filesystem::temp_directory_path(none);
        if (none) folder = "/tmp"; // TMPDIR leads nowhere
        place = {system::text_of(folder / "vkprim"), path + ", by way of " + system::text_of(folder)};
    }
    Result<TemporaryFile> file = TemporaryFile::create(place, size, name, said);
    if (!file) return file.error();
    OutputFile output(path, target, std::move(*file));
    output.in_place_ = exists && (elsewhere || !system::inherit(output.file_.file(), target));
    // What others may not read in the file that is there, they may not read meanwhile.
    if (const int error = output.in_place_ ? system::make_private(output.file_.file()) : 0)
        return system_error(path, "write", error);
    return output;
}

int OutputFile::replace() {
    if (const int error = file_.file().sync()) return error;
    if (const int error = file_.take_name()) return error;
    if (const int error = system::rename_over(file_.name(), target_)) return error;
    file_.forget_name();
    return 0;
}

Result<void> OutputFile::commit() {
    int error = in_place_ ? EBUSY : replace();
    // Also where a container's file is mounted alone: nothing can be renamed to it.
    if (error == EBUSY) error = copy_into(target_, file_.file());
    if (error != 0) return system_error(path_, "write", error);
    return {};
}

} // namespace vkprim::tools
