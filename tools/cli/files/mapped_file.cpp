#include "mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "file_io.h"

namespace vkprim::tools {

Result<MappedFile> MappedFile::open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return system_error(path, "read", errno);
    MappedFile file(path);
    file.descriptor_   = descriptor;
    struct stat status = {};
    int         error  = ::fstat(descriptor, &status) != 0 ? errno : 0;
    if (error == 0 && !S_ISREG(status.st_mode)) error = S_ISDIR(status.st_mode) ? EISDIR : ENODEV;
    if (error == 0 && status.st_size > 0) { // nothing cannot be mapped
        const auto  size = static_cast<size_t>(status.st_size);
        void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
        if (data == MAP_FAILED) {
            error = errno;
        } else {
            ::madvise(data, size, MADV_SEQUENTIAL);
            file.data_ = static_cast<const uint8_t*>(data);
            file.size_ = size;
            file.watched_.emplace(data, size, descriptor, path);
        }
    }
    file.written_ = status.st_mtim;
    if (error != 0) return system_error(path, "map", error);
    return file;
}

void MappedFile::release(uint64_t begin, uint64_t size) const {
    // Pages of which others may need a part stay.
    const auto     page  = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    const uint64_t first = (begin + page - 1) / page * page,
                   end   = begin + size == size_ ? size_ : (begin + size) / page * page;
    if (first < end) ::madvise(const_cast<uint8_t*>(data_) + first, end - first, MADV_DONTNEED);
}

Result<void> MappedFile::check_same(bool content) const {
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0) return system_error(name_, "read", errno);
    if (static_cast<uint64_t>(status.st_size) < size_) return file_error(name_, cut_reason);
    if (content && (status.st_mtim.tv_sec != written_.tv_sec || status.st_mtim.tv_nsec != written_.tv_nsec))
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

MappedFile::MappedFile(MappedFile&& other) noexcept
    : name_(std::move(other.name_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      written_(other.written_),
      watched_(std::move(other.watched_)) {}

MappedFile::~MappedFile() {
    watched_.reset();
    if (descriptor_ >= 0) ::close(descriptor_);
    if (data_ != nullptr) ::munmap(const_cast<uint8_t*>(data_), size_);
}

} // namespace vkprim::tools
