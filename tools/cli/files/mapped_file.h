// Files of any size, read where the system maps them into memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "files.h"
#include "tools/system/ending.h"
#include "tools/system/open_file.h"

namespace vkprim::tools {

/// A regular file's bytes. The system reads them as they are touched. Where the file is cut meanwhile, whoever touches what is missing ends
/// the program with a sentence (WatchedRange).
class MappedFile {
public:
    static Result<MappedFile> open(const std::string& path);

    const std::string& name() const { return name_; }
    const uint8_t*     data() const { return mapping_.data(); }
    uint64_t           size() const { return size_; } ///< bytes

    /// The bytes from `begin` on, `size` of them, are not needed soon: the process need not keep their memory. They stay readable.
    void release(uint64_t begin, uint64_t size) const { mapping_.release(begin, size); }

    /// An Error where the file has become shorter since: zeros were read in the place of the last bytes. `content`: also where something
    /// else may have been written to it.
    Result<void> check_same(bool content = false) const;

private:
    explicit MappedFile(std::string name) : name_(std::move(name)) {}

    std::string                 name_;
    uint64_t                    size_     = 0;
    int64_t                     modified_ = 0; ///< system::Status
    system::OpenFile            file_;
    system::Mapping             mapping_;
    std::optional<WatchedRange> watched_; ///< while it is mapped
};

/// An array in a file.
struct MappedArray {
    MappedFile file;
    NumberType type          = NumberType::u8;
    uint64_t   begin         = 0; ///< of its elements, in bytes from the file's beginning
    uint64_t   count         = 0; ///< elements; may be more than other readers take
    Shape      shape         = {};
    bool       fortran_order = false; ///< as Array has it

    const uint8_t* at(uint64_t element) const { return file.data() + begin + element * element_size(type); }

    /// `elements` of them, from number `first` on.
    void release(uint64_t first, uint64_t elements) const {
        file.release(begin + first * element_size(type), elements * element_size(type));
    }

    /// The same, copied to `target` before.
    void take(uint64_t first, uint64_t elements, uint8_t* target) const;
};

/// What read_npy() and read_raw() read, of at most max_chunked_count elements, or half as many of 8 bytes.
Result<MappedArray> map_npy(MappedFile file);
Result<MappedArray> map_raw(MappedFile file, NumberType type);

} // namespace vkprim::tools
