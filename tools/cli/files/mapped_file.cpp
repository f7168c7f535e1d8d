#include "mapped_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "file_io.h"

namespace vkprim::tools {

Result<MappedFile> MappedFile::open(const std::string& path) {
    MappedFile file(path);
    if (const int error = file.file_.open_to_read(path)) return system_error(path, "read", error);
    system::Status status;
    int            error = file.file_.status(status);
    if (error == 0 && status.kind != system::Status::Kind::file)
        error = status.kind == system::Status::Kind::folder ? EISDIR : ENODEV;
    if (error == 0 && status.size > 0) { // nothing cannot be mapped
        error = file.mapping_.map(file.file_, status.size);
        if (error == 0) {
            file.size_ = status.size;
            file.watched_.emplace(file.data(), status.size, file.file_.handle(), path);
        }
    }
    file.modified_ = status.modified;
    if (error != 0) return system_error(path, "map", error);
    return file;
}

Result<void> MappedFile::check_same(bool content) const {
    system::Status status;
    if (const int error = file_.status(status)) return system_error(name_, "read", error);
    if (status.size < size_) return file_error(name_, cut_reason);
    if (content && status.modified != modified_)
        return file_error(name_, "has changed while it was read; run it again when nothing writes to it");
    return {};
}

void MappedArray::take(uint64_t first, uint64_t elements, uint8_t* target) const {
    constexpr uint64_t step = uint64_t{1} << 19; // of which few are in memory, however many are asked for
    const uint32_t     size = element_size(type);
    for (uint64_t done = 0; done < elements; done += step) {
        const uint64_t count_now = std::min(step, elements - done);
        std::memcpy(target + done * size, at(first + done), count_now * size);
        release(first + done, count_now);
    }
}

} // namespace vkprim::tools
