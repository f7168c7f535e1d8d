// A file for a while.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "files.h"
#include "tools/system/ending.h"
#include "tools/system/open_file.h"

namespace vkprim::tools {

/// A file that nobody else needs. It has no name where the file system can do that, so that nothing of it is left however the program ends.
/// Elsewhere its name is removed when it is opened, or, if it is needed, by the destructor and by signals.
class TemporaryFile {
public:
    enum class Name : uint32_t {
        never, ///< only this process uses it
        later, ///< for take_name()
        now    ///< other processes open it
    };

    /// Where it lies: in the folder of `beside`, with a name that is made of that one's. `called`: what reasons call it.
    struct Place {
        std::string beside, called;
    };

    /// Of `size` bytes, for which there is room on the disk from here on; or 0, for any size without that promise. `said`: as Unfinished
    /// has it.
    static Result<TemporaryFile> create(const Place& place, uint64_t size, Name name = Name::never,
                                        const std::string& said = "");

    /// From `offset` bytes on. Several threads may write to different places, and read what they wrote.
    Result<void> write(uint64_t offset, const void* data, uint64_t size) const;
    Result<void> read(uint64_t offset, void* data, uint64_t size) const;

    const Place&            place() const { return place_; }
    const system::OpenFile& file() const { return file_; }
    const std::string&      name() const { return name_; } ///< empty for none

    /// Gives it a name in its folder, unless it has one. The value: 0, or the error number.
    int take_name();

    /// The name is another file's now: that of the path to which it was renamed.
    void forget_name();

    TemporaryFile(TemporaryFile&& other) noexcept;
    TemporaryFile& operator=(TemporaryFile&&) = delete;
    ~TemporaryFile();

private:
    explicit TemporaryFile(Place place) : place_(std::move(place)) {}

    int open(Name name, const std::string& said);

    Place                     place_;
    system::OpenFile          file_;
    std::string               name_;
    std::optional<Unfinished> unfinished_; ///< while it has a name
};

} // namespace vkprim::tools
