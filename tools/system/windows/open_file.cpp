#include "../open_file.h"

#include <algorithm>
#include <cerrno>

#include "wide.h"

namespace vkprim::tools::system {

namespace {

HANDLE handle_of(const OpenFile& file) { return reinterpret_cast<HANDLE>(file.handle()); }

DWORD at_once(uint64_t size) { return static_cast<DWORD>(std::min<uint64_t>(size, 1u << 30)); }

/// Others may read, write, rename and delete it meanwhile, as elsewhere.
intptr_t open(const std::string& path, DWORD access, DWORD how, DWORD flags = FILE_ATTRIBUTE_NORMAL) {
    constexpr DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    // FILE_FLAG_BACKUP_SEMANTICS: so that a folder is found to be one.
    return reinterpret_cast<intptr_t>(CreateFileW(wide_path(path).c_str(), access, share, nullptr, how,
                                                  flags | (how == OPEN_EXISTING ? FILE_FLAG_BACKUP_SEMANTICS : 0),
                                                  nullptr));
}

int64_t number_of(const FILETIME& time) {
    return static_cast<int64_t>(uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime);
}

int status_of_handle(HANDLE handle, Status& status) {
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        status = {};
        return 0;
    }
    BY_HANDLE_FILE_INFORMATION found{};
    if (!GetFileInformationByHandle(handle, &found)) return last_errno();
    status.kind = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? Status::Kind::folder : Status::Kind::file;
    status.size = uint64_t{found.nFileSizeHigh} << 32 | found.nFileSizeLow;
    status.modified = number_of(found.ftLastWriteTime);
    return 0;
}

/// What `action` says of the file, or folder, opened for `access`; or why it could not be opened.
template <class Action>
int with_handle(const std::string& path, DWORD access, const Action& action) {
    const auto handle = reinterpret_cast<HANDLE>(open(path, access, OPEN_EXISTING));
    if (handle == INVALID_HANDLE_VALUE) return last_errno();
    const int error = action(handle);
    CloseHandle(handle);
    return error;
}

int status_for(const std::string& path, DWORD access, Status& status) {
    return with_handle(path, access, [&](HANDLE handle) { return status_of_handle(handle, status); });
}

OVERLAPPED place_of(uint64_t offset) {
    OVERLAPPED place{};
    place.Offset     = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    return place;
}

/// The end of a file or of a pipe is no error.
Moved moved(BOOL good, DWORD size) {
    if (good) return {size, 0};
    const DWORD error = GetLastError();
    if (error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE) return {0, 0};
    return {0, errno_of(error)};
}

} // namespace

int OpenFile::open_to_read(const std::string& path) {
    handle_ = open(path, GENERIC_READ, OPEN_EXISTING);
    return handle_ == none ? last_errno() : 0;
}

int OpenFile::open_to_write(const std::string& path) {
    handle_ = open(path, GENERIC_WRITE, OPEN_EXISTING);
    return handle_ == none ? last_errno() : 0;
}

int OpenFile::create(const std::string& path) {
    handle_ = open(path, GENERIC_READ | GENERIC_WRITE | DELETE, CREATE_NEW);
    return handle_ == none ? last_errno() : 0;
}

int  OpenFile::create_nameless(const std::string&) { return ENOTSUP; }
bool OpenFile::can_have_name() const { return false; }
int  OpenFile::give_name(const std::string&) { return ENOTSUP; }

int OpenFile::open_standard(int number) {
    if (number > 2) return EBADF;
    const HANDLE standard = GetStdHandle(number == 0   ? STD_INPUT_HANDLE
                                         : number == 1 ? STD_OUTPUT_HANDLE
                                                       : STD_ERROR_HANDLE);
    HANDLE       copy     = nullptr;
    if (!DuplicateHandle(GetCurrentProcess(), standard, GetCurrentProcess(), &copy, 0, FALSE, DUPLICATE_SAME_ACCESS))
        return last_errno();
    handle_ = reinterpret_cast<intptr_t>(copy);
    return 0;
}

Moved OpenFile::read(void* data, uint64_t size) {
    DWORD      done = 0;
    const BOOL good = ReadFile(handle_of(*this), data, at_once(size), &done, nullptr);
    return moved(good, done);
}

Moved OpenFile::write(const void* data, uint64_t size) {
    DWORD done = 0;
    if (!WriteFile(handle_of(*this), data, at_once(size), &done, nullptr)) return {0, last_errno()};
    return {done, 0};
}

Moved OpenFile::read_at(uint64_t offset, void* data, uint64_t size) const {
    DWORD      done  = 0;
    OVERLAPPED place = place_of(offset);
    const BOOL good  = ReadFile(handle_of(*this), data, at_once(size), &done, &place);
    return moved(good, done);
}

Moved OpenFile::write_at(uint64_t offset, const void* data, uint64_t size) const {
    DWORD      done  = 0;
    OVERLAPPED place = place_of(offset);
    if (!WriteFile(handle_of(*this), data, at_once(size), &done, &place)) return {0, last_errno()};
    return {done, 0};
}

int OpenFile::status(Status& status) const { return status_of_handle(handle_of(*this), status); }

std::optional<uint64_t> OpenFile::position() const {
    LARGE_INTEGER at{};
    if (GetFileType(handle_of(*this)) != FILE_TYPE_DISK || !SetFilePointerEx(handle_of(*this), {}, &at, FILE_CURRENT))
        return std::nullopt;
    return static_cast<uint64_t>(at.QuadPart);
}

int OpenFile::resize(uint64_t size) const {
    FILE_END_OF_FILE_INFO end{};
    end.EndOfFile.QuadPart = static_cast<LONGLONG>(size);
    return SetFileInformationByHandle(handle_of(*this), FileEndOfFileInfo, &end, sizeof end) ? 0 : last_errno();
}

int OpenFile::reserve(uint64_t size) const {
    FILE_ALLOCATION_INFO room{};
    room.AllocationSize.QuadPart = static_cast<LONGLONG>(size);
    const bool has               = SetFileInformationByHandle(handle_of(*this), FileAllocationInfo, &room, sizeof room);
    // Not every file system can promise room.
    if (const int error = has ? 0 : last_errno(); system::is_want_of_room(error)) return error;
    return resize(size);
}

int OpenFile::sync() const { return FlushFileBuffers(handle_of(*this)) ? 0 : last_errno(); }

int OpenFile::close() {
    if (handle_ == none) return 0;
    return CloseHandle(reinterpret_cast<HANDLE>(std::exchange(handle_, none))) ? 0 : last_errno();
}

int Mapping::map(const OpenFile& file, uint64_t size) {
    const HANDLE section = CreateFileMappingW(handle_of(file), nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (section == nullptr) return last_errno();
    const void* const data  = MapViewOfFile(section, FILE_MAP_READ, 0, 0, static_cast<SIZE_T>(size));
    const int         error = data == nullptr ? last_errno() : 0;
    CloseHandle(section); // the view keeps it
    data_ = static_cast<const uint8_t*>(data);
    size_ = size;
    return error;
}

// Unlocking what is not locked takes it out of the process's memory, and says that it was not locked.
void Mapping::release(uint64_t begin, uint64_t size) const {
    constexpr uint64_t page  = 65536;
    const uint64_t     first = (begin + page - 1) / page * page,
                   end       = begin + size == size_ ? size_ : (begin + size) / page * page;
    if (first < end) VirtualUnlock(const_cast<uint8_t*>(data_) + first, static_cast<SIZE_T>(end - first));
}

Mapping::~Mapping() {
    if (data_ != nullptr) UnmapViewOfFile(data_);
}

bool is_want_of_room(int error) { return error == ENOSPC || error == EFBIG; }

int status_of(const std::string& path, Status& status) { return status_for(path, 0, status); }

int check_writable(const std::string& path) {
    const DWORD attributes = GetFileAttributesW(wide_path(path).c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return last_errno();
    return (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? EACCES : 0;
}

bool takes_files(const std::string& folder) {
    Status status;
    return status_for(folder, FILE_ADD_FILE, status) == 0 && status.kind == Status::Kind::folder;
}

int remove_file(const std::string& path) { return DeleteFileW(wide_path(path).c_str()) ? 0 : last_errno(); }

int rename_over(const std::string& from, const std::string& to) {
    constexpr DWORD how = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    if (MoveFileExW(wide_path(from).c_str(), wide_path(to).c_str(), how)) return 0;
    // Somebody holds the file that is there.
    const DWORD error = GetLastError();
    return error == ERROR_ACCESS_DENIED ? EBUSY : errno_of(error);
}

std::string target_of(const std::string& path) {
    const DWORD attributes = GetFileAttributesW(wide_path(path).c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) return path;
    std::wstring target;
    with_handle(path, 0, [&target](HANDLE handle) {
        target.resize(GetFinalPathNameByHandleW(handle, nullptr, 0, 0));
        target.resize(GetFinalPathNameByHandleW(handle, target.data(), static_cast<DWORD>(target.size()), 0));
        return 0;
    });
    return target.empty() ? path : utf8_of(target);
}

// A new file has the permissions of its folder.
bool inherit(const OpenFile&, const std::string& path) {
    BY_HANDLE_FILE_INFORMATION found{};
    return with_handle(path, 0, [&](HANDLE handle) { return GetFileInformationByHandle(handle, &found) ? 0 : EIO; }) ==
               0 &&
           found.nNumberOfLinks == 1;
}

int make_private(const OpenFile&) { return 0; }

} // namespace vkprim::tools::system
