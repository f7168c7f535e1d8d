#include "job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tools/cli/array_job.h"
#include "tools/cli/files/mapped_file.h"

namespace vkprim::tools {

namespace {

constexpr uint64_t round_size = 1u << 30; ///< bytes that a rank reads or writes in one call, whose count is an int

/// As an Error that Ranks::on_all() can send; exit_code_of() is its inverse.
Error error_of(const Failure& failure) {
    return {failure.code == exit_usage ? ErrorKind::invalid_desc : ErrorKind::other, failure.reason};
}

void on_all_of(const mpi::Ranks& ranks, const std::function<void()>& work) {
    need_device(ranks.on_all([&]() -> Result<void> {
        try {
            work();
        } catch (const Failure& failure) {
            return error_of(failure);
        }
        return {};
    }));
}

void need_mpi(const std::string& path, int code, const char* what) {
    if (code == MPI_SUCCESS) return;
    throw Failure{exit_usage, fmt::format("{}: cannot {}: {}", path, what, mpi::check_mpi(code, "MPI").error().reason)};
}

/// What all ranks must know of a file.
struct Layout {
    uint32_t type  = 0;
    uint64_t begin = 0, count = 0;
};

template <class T>
void broadcast(const mpi::Ranks& ranks, T& value) {
    MPI_Bcast(&value, sizeof value, MPI_BYTE, 0, ranks.handle());
}

/// What is said of a file that is no .npy file, and of those that open_input() refuses.
Layout layout_of(const Source& source) {
    if (source.path == "-") throw Failure{exit_usage, "standard input: the ranks read a file, each its part; name one"};
    const Input       input = open_input(source);
    const std::string name  = name_of(source);
    if (input.kind == FileKind::image) {
        throw Failure{exit_usage, name + ": is a picture; add --raw and --type to take its bytes as they are"};
    }
    MappedFile        mapped = need_file(MappedFile::open(source.path));
    const MappedArray array =
        need_file(input.kind == FileKind::npy ? map_npy(std::move(mapped))
                                              : map_raw(std::move(mapped), parse_number_type(source.type)));
    check_type(source, array.type);
    if (array.fortran_order) {
        throw Failure{exit_usage, name +
                                      ": has Fortran order, which the ranks cannot share out; in numpy, save "
                                      "numpy.ascontiguousarray(a)"};
    }
    return {static_cast<uint32_t>(array.type), array.begin, array.count};
}

/// The devices among which the ranks of a machine choose: those of the best kind.
std::vector<runtime::DeviceInfo> best_devices() {
    const auto order = [](const runtime::DeviceInfo& info) {
        switch (info.type) {
            case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 0;
            case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 1;
            case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 2;
            default: return 3;
        }
    };
    std::vector<runtime::DeviceInfo> devices = need_device(runtime::list_devices());
    devices.erase(std::remove_if(devices.begin(), devices.end(), [](const auto& info) { return !info.usable; }),
                  devices.end());
    std::stable_sort(devices.begin(), devices.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
    while (!devices.empty() && order(devices.back()) > order(devices.front())) devices.pop_back();
    return devices;
}

/// This rank's number among those on the same machine.
int rank_on_machine(const mpi::Ranks& ranks) {
    MPI_Comm machine = MPI_COMM_NULL;
    int      rank    = 0;
    MPI_Comm_split_type(ranks.handle(), MPI_COMM_TYPE_SHARED, ranks.rank(), MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_free(&machine);
    return rank;
}

} // namespace

void add_rank_flags(Options& options, RankFlags& flags) {
    add_source_flags(options, flags.source, "the file to read; its content decides the format");
    options.add_flag("--json", flags.json, "print one JSON object, on one line");
    add_device_flags(options, flags.device);
}

void check_rank_output(const std::string& output) {
    if (ends_with(output, ".npy")) return;
    throw Failure{exit_usage, output + ": choose a name that ends in .npy"};
}

RankJob::RankJob(const RankFlags& flags) : flags_(flags), ranks_(need_device(mpi::Ranks::create(MPI_COMM_WORLD))) {
    Layout layout;
    on_all([&] {
        if (is_first()) layout = layout_of(flags.source);
    });
    broadcast(ranks_, layout);
    type_  = static_cast<NumberType>(layout.type);
    begin_ = layout.begin;
    count_ = layout.count;
}

RankJob::RankJob(const RankFlags& flags, uint64_t count)
    : flags_(flags), ranks_(need_device(mpi::Ranks::create(MPI_COMM_WORLD))), count_(count) {}

Share RankJob::share_of(int rank, uint64_t step) const {
    const auto     ranks = static_cast<uint64_t>(ranks_.count());
    const uint64_t steps = (count_ + step - 1) / step;
    const auto     begin = [&](uint64_t of) { return std::min(steps * of / ranks * step, count_); };
    const auto     mine  = static_cast<uint64_t>(rank);
    return {begin(mine), begin(mine + 1) - begin(mine)};
}

Array RankJob::read(uint64_t step) const {
    const std::string& path = flags_.source.path;
    const Share        mine = share(step);
    const uint64_t     size = mine.count * element_size(type_);
    uint64_t           most = 0; // of all ranks
    for (int rank = 0; rank < ranks_.count(); ++rank) most = std::max(most, share_of(rank, step).count);
    most *= element_size(type_);

    Array array{type_, {}, {mine.count}};
    on_all([&] { array.bytes.resize(size); });
    MPI_File  file   = MPI_FILE_NULL;
    const int opened = MPI_File_open(ranks_.handle(), path.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    on_all([&] { need_mpi(path, opened, "read"); });
    int      code    = MPI_SUCCESS;
    uint64_t missing = 0; // bytes
    for (uint64_t done = 0; done < most; done += round_size) {
        const auto now   = static_cast<int>(std::min(round_size, size - std::min(done, size)));
        const auto place = begin_ + mine.begin * element_size(type_) + done;
        MPI_Status status{};
        int        got  = 0;
        const int  read = MPI_File_read_at_all(file, static_cast<MPI_Offset>(place),
                                               array.bytes.data() + std::min(done, size), now, MPI_BYTE, &status);
        if (read == MPI_SUCCESS) MPI_Get_count(&status, MPI_BYTE, &got);
        if (code == MPI_SUCCESS) code = read;
        missing += static_cast<uint64_t>(now - got);
    }
    MPI_File_close(&file);
    on_all([&] {
        need_mpi(path, code, "read");
        if (missing > 0) throw Failure{exit_usage, path + ": has become shorter while it was read"};
    });
    return array;
}

const runtime::Device& RankJob::open_device() {
    const auto             local   = static_cast<size_t>(rank_on_machine(ranks_));
    runtime::DeviceOptions options = flags_.device;
    on_all([&] {
        if (options.selector.empty()) {
            const auto devices = best_devices();
            // Where there is none, Device::create() says why.
            if (!devices.empty()) options.selector = std::to_string(devices[local % devices.size()].index);
        }
        device_.emplace(tools::open_device(options));
    });
    gather_names();
    start_ = std::chrono::steady_clock::now();
    return *device_;
}

void RankJob::gather_names() {
    using Name = std::array<char, VK_MAX_PHYSICAL_DEVICE_NAME_SIZE>;
    Name mine{};
    std::strncpy(mine.data(), device_->info().name.c_str(), mine.size() - 1);
    std::vector<Name> all(static_cast<size_t>(ranks_.count()));
    MPI_Gather(mine.data(), sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, 0, ranks_.handle());
    for (const Name& name : all) names_.push_back(name.data());
}

void RankJob::on_all(const std::function<void()>& work) const { on_all_of(ranks_, work); }

runtime::Buffer RankJob::buffer(uint64_t size) const {
    runtime::Buffer result;
    on_all([&] {
        auto made = device_->create_buffer(std::max<uint64_t>((size + 3) / 4 * 4, 4));
        if (!made) {
            throw Failure{exit_code_of(made.error()), made.error().reason +
                                                          "; each rank's part of the file must fit its device: use "
                                                          "more ranks, on more devices"};
        }
        result = std::move(*made);
    });
    return result;
}

runtime::Buffer RankJob::upload(const std::vector<uint8_t>& bytes) const {
    runtime::Buffer result = buffer(bytes.size());
    on_all([&] { need_device(device_->upload(result, 0, bytes.data(), bytes.size())); });
    return result;
}

std::vector<uint8_t> RankJob::download(const runtime::Buffer& buffer, uint64_t size) const {
    std::vector<uint8_t> bytes;
    on_all([&] {
        bytes.resize(size);
        need_device(device_->download(buffer, 0, bytes.data(), size));
    });
    return bytes;
}

void RankJob::check_validation() const {
    std::vector<uint64_t> messages{device_->validation_messages()};
    need_device(ranks_.add_up(messages));
    if (messages[0] > 0)
        throw Failure{exit_wrong, fmt::format("the validation layers reported {} messages", messages[0])};
}

Json RankJob::values() const {
    return {{"ranks", ranks_.count()}, {"devices", names_}, {"total_ms", ms_since(start_)}};
}

std::string RankJob::line() const {
    std::vector<std::string> names = names_;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return fmt::format("{:.3f} ms with transfers, {} {} on {}", ms_since(start_), ranks_.count(),
                       ranks_.count() == 1 ? "rank" : "ranks", fmt::join(names, " and "));
}

RankOutput::RankOutput(const RankJob& job, const std::string& path, NumberType type, uint64_t count)
    : job_(job), path_(path), type_(type) {
    const std::string head = npy_head(type, Shape{count});
    const std::string said =
        fmt::format("vkprim-mpi: error: {}: not written, for the ranks were ended before it was complete", path);
    std::array<char, 4096> temporary{};
    head_size_ = head.size();
    job.on_all([&] {
        if (!job.is_first()) return;
        if (is_stream(path)) throw Failure{exit_usage, path + ": is no file that the ranks could write; name another"};
        // Room for all of it: a full disk is found before any work is done.
        file_.emplace(need_file(OutputFile::create_shared(path, head.size() + count * element_size(type), said)));
        need_file(file_->write(0, head.data(), head.size()));
        std::strncpy(temporary.data(), file_->temporary().c_str(), temporary.size() - 1);
    });
    broadcast(job.ranks(), temporary);
    // mpirun ends all ranks with SIGTERM where one has died, be it the first.
    if (!job.is_first()) unfinished_.emplace(temporary.data(), said);
    const int opened = MPI_File_open(job.ranks().handle(), temporary.data(), MPI_MODE_WRONLY, MPI_INFO_NULL, &shared_);
    job.on_all([&] { need_mpi(path, opened, "write"); });
    open_ = true;
}

RankOutput::~RankOutput() {
    if (open_) MPI_File_close(&shared_); // a Failure: of all ranks
}

void RankOutput::write(uint64_t begin, const std::vector<uint8_t>& elements) {
    uint64_t most = elements.size(); // of all ranks
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, job_.ranks().handle());
    int code = MPI_SUCCESS;
    for (uint64_t done = 0; done < most; done += round_size) {
        const uint64_t from  = std::min<uint64_t>(done, elements.size());
        const auto     now   = static_cast<int>(std::min<uint64_t>(round_size, elements.size() - from));
        const auto     place = head_size_ + begin * element_size(type_) + from;
        const int written = MPI_File_write_at_all(shared_, static_cast<MPI_Offset>(place), elements.data() + from, now,
                                                  MPI_BYTE, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS) code = written;
    }
    job_.on_all([&] { need_mpi(path_, code, "write"); });
}

void RankOutput::commit() {
    open_            = false;
    const int closed = MPI_File_close(&shared_);
    job_.on_all([&] { need_mpi(path_, closed, "write"); });
    job_.on_all([&] {
        if (job_.is_first()) need_file(file_->commit());
    });
    unfinished_.reset();
}

} // namespace vkprim::tools
