#include "temporary_file.h"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "file_io.h"
#include "tools/system/path.h"

namespace vkprim::tools {

namespace {

/// Hidden, and of nobody else: even on another machine that writes the same file.
std::string name_beside(const std::string& path) {
    std::random_device random;
    const size_t       begin = path.find_last_of(system::folder_ends) + 1; // npos + 1 is 0
    // A name has at most 255 bytes.
    return fmt::format("{}.{}.{:08x}{:08x}", folder_of(path), path.substr(begin, 200), random(), random());
}

} // namespace

std::string folder_of(const std::string& path) {
    const size_t end = path.find_last_of(system::folder_ends);
    return end == std::string::npos ? "./" : path.substr(0, end + 1);
}

int TemporaryFile::open(Name name, const std::string& said) {
    if (name != Name::now) {
        system::OpenFile nameless;
        if (nameless.create_nameless(folder_of(place_.beside)) == 0 &&
            (name == Name::never || nameless.can_have_name())) {
            file_ = std::move(nameless);
            return 0;
        }
    }
    name_ = name_beside(place_.beside);
    unfinished_.emplace(name_, said);
    if (const int error = file_.create(name_)) {
        forget_name();
        return error;
    }
    if (name == Name::never && system::remove_file(name_) == 0) forget_name();
    return 0;
}

Result<TemporaryFile> TemporaryFile::create(const Place& place, uint64_t size, Name name, const std::string& said) {
    TemporaryFile file(place);
    int           error = file.open(name, said);
    if (error == 0 && size > 0) error = file.file_.reserve(size);
    if (error != 0) return system_error(place.called, "write", error);
    return file;
}

int TemporaryFile::take_name() {
    if (!name_.empty()) return 0;
    name_ = name_beside(place_.beside);
    unfinished_.emplace(name_);
    const int error = file_.give_name(name_);
    if (error != 0) forget_name();
    return error;
}

void TemporaryFile::forget_name() {
    unfinished_.reset();
    name_.clear();
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : place_(std::move(other.place_)),
      file_(std::move(other.file_)),
      name_(std::exchange(other.name_, "")),
      unfinished_(std::move(other.unfinished_)) {}

TemporaryFile::~TemporaryFile() {
    file_.close(); // what is open has its name on some systems
    if (!name_.empty()) system::remove_file(name_);
}

Result<void> TemporaryFile::write(uint64_t offset, const void* data, uint64_t size) const {
    const int error = transfer_all(size, [&](uint64_t done, uint64_t step) {
        return file_.write_at(offset + done, static_cast<const uint8_t*>(data) + done, step);
    });
    if (error != 0) return system_error(place_.called, "write", error);
    return {};
}

Result<void> TemporaryFile::read(uint64_t offset, void* data, uint64_t size) const {
    const int error = transfer_all(size, [&](uint64_t done, uint64_t step) {
        return file_.read_at(offset + done, static_cast<uint8_t*>(data) + done, step);
    });
    if (error != 0) return system_error(place_.called, "read", error);
    return {};
}

} // namespace vkprim::tools
