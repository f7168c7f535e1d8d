#include "harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <future>
#include <iterator>
#include <mutex>
#include <utility>

#include "scratch.h"

namespace vkprim::harness {
namespace {

constexpr VkDeviceSize guard_size         = 256; // bytes on each side of a range
constexpr VkDeviceSize scratch_guard_size = scratch_guard_words * 4;
constexpr size_t       shown_misses       = 4;

std::vector<Subject>& registry() {
    static std::vector<Subject> subjects;
    return subjects;
}

/// FNV-1a: the same on every machine, unlike std::hash.
uint64_t hash(const std::string& text) {
    uint64_t value = 0xcbf29ce484222325u;
    for (char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return value;
}

} // namespace

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

uint64_t Random::next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z          = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z          = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

Registration::Registration(Subject subject) { registry().push_back(std::move(subject)); }

const std::vector<Subject>& subjects() {
    static const bool sorted = [] {
        std::sort(registry().begin(), registry().end(),
                  [](const Subject& a, const Subject& b) { return a.name < b.name; });
        return true;
    }();
    (void)sorted;
    return registry();
}

std::string format_value(Format format, uint64_t bits) {
    const auto word = static_cast<uint32_t>(bits);
    float      as_float;
    double     as_double;
    std::memcpy(&as_float, &word, sizeof as_float);
    std::memcpy(&as_double, &bits, sizeof as_double);
    switch (format) {
        case Format::u32: return fmt::format("{} ({:#010x})", word, word);
        case Format::i32: return fmt::format("{} ({:#010x})", static_cast<int32_t>(word), word);
        case Format::f32: return fmt::format("{} ({:#010x})", as_float, word);
        case Format::u64: return fmt::format("{} ({:#018x})", bits, bits);
        case Format::i64: return fmt::format("{} ({:#018x})", static_cast<int64_t>(bits), bits);
        case Format::f64: return fmt::format("{} ({:#018x})", as_double, bits);
        case Format::u8: return fmt::format("{} ({:#04x})", bits, bits);
        case Format::u16: return fmt::format("{} ({:#06x})", bits, bits);
    }
    return {};
}

std::string difference_of(const Comparand& comparand) {
    const uint64_t size     = size_of(comparand.format);
    const uint64_t count    = (comparand.bytes + size - 1) / size; // a last value may be a part of one
    const auto*    expected = static_cast<const uint8_t*>(comparand.expected);
    const auto*    got      = static_cast<const uint8_t*>(comparand.got);
    if (count == 0 || std::memcmp(expected, got, comparand.bytes) == 0) return {};
    const auto bytes_at = [&](uint64_t i) { return std::min(size, comparand.bytes - size * i); };
    uint64_t   wrong = 0, first = 0;
    for (uint64_t i = count; i-- > 0;) {
        if (std::memcmp(expected + size * i, got + size * i, bytes_at(i)) == 0) continue;
        ++wrong;
        first = i;
    }
    uint64_t expected_bits = 0, got_bits = 0;
    std::memcpy(&expected_bits, expected + size * first, bytes_at(first));
    std::memcpy(&got_bits, got + size * first, bytes_at(first));
    return fmt::format("index {}: expected {}, got {}; {} of {} differ", first,
                       format_value(comparand.format, expected_bits), format_value(comparand.format, got_bits), wrong,
                       count);
}

Verifier::Verifier(const runtime::Device& device, const VerifyOptions& options) : device_(device), options_(options) {}

std::vector<uint32_t> Verifier::edge_counts() const {
    if (!options_.counts.empty()) return options_.counts;
    // Tiles that end where the elements do are the rarest and have gone wrong on their own: several of each primitive's.
    std::vector<uint32_t> counts = {0,    1,     2,     3,     5,     31,    33,     255,
                                    257,  1023,  1024,  1025,  2048,  4095,  4096,   4097,
                                    8192, 16383, 16384, 16385, 24576, 65537, 262145, 1048577 + 4096};
    if (extent() == Extent::full) {
        for (uint32_t size : {4u,    8u,    16u,    32u,    64u,    128u,    256u,    512u,     1024u,    2048u,
                              4096u, 8192u, 16384u, 32768u, 65536u, 262144u, 524288u, 1048576u, 2097152u, 4194304u}) {
            for (uint32_t count : {size - 1, size, size + 1}) counts.push_back(count);
        }
    }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

void Verifier::run_all_of(const Subject& subject) {
    group_number_ = 0;
    ways_.clear();
    if (subject.verify) subject.verify(*this);
}

bool Verifier::group(const std::string& name, Cover quick_cover, const std::string& way) {
    end_group();
    groups_.push_back({name, 0, 0, 0, {}, {}});
    const bool has_number = group_number_++ % options_.groups == options_.group;
    quick_cover_          = quick_cover;
    count_number_         = 0;
    count_text_.clear();
    group_began_                     = seconds_now();
    const std::string& only          = options_.only;
    const bool         has_some      = name.compare(0, only.size(), only, 0, name.size()) == 0;
    const bool         has_the_first = options_.after.compare(0, name.size() + 1, name + " ") == 0;
    if ((!has_some || !has_number) && !has_the_first) return false;
    if (extent() == Extent::brief && !way.empty() && !ways_.insert(way).second) return false;
    if (options_.on_case) options_.on_case(name, scratch_user_);
    return true;
}

void Verifier::end_group() {
    if (groups_.empty()) return;
    groups_.back().seconds = seconds_now() - group_began_;
    const bool some        = !options_.only.empty() || options_.groups > 1 || extent() == Extent::brief;
    const bool filtered    = some && !options_.create_only && groups_.back().cases == 0;
    if (on_group && !filtered) on_group(groups_.back());
    if (filtered) groups_.pop_back();
}

/// Cases are named "count=N shape". Of a group's, each sixth shape of a count, beginning at another one for each group and each count:
/// with six or more of each, every pair of a group, a count and a shape occurs.
bool Verifier::is_of_pairs(const std::string& name) {
    constexpr uint32_t stride = 6;
    if (name.compare(0, 6, "count=") != 0) return true;
    if (const std::string count = name.substr(0, name.find(' ')); count != count_text_) {
        count_text_ = count;
        ++count_number_;
        shape_number_ = 0;
    }
    return (group_number_ + count_number_ + shape_number_++) % stride == 0;
}

/// Every shape of the largest counts takes a CPU's driver about two days of a processor, nearly all of it in sorts.
bool Verifier::is_long_on_a_cpu(const std::string& name) const {
    constexpr unsigned long most = 1 << 19;
    return device_.info().type == VK_PHYSICAL_DEVICE_TYPE_CPU && name.compare(0, 6, "count=") == 0 &&
           std::strtoul(name.c_str() + 6, nullptr, 10) > most;
}

bool Verifier::wants(const std::string& name) {
    if (options_.create_only && name != "create") return false;
    const bool pairs = extent() <= Extent::pairs || (extent() == Extent::quick && quick_cover_ == Cover::pairs) ||
                       (extent() == Extent::full && is_long_on_a_cpu(name));
    if (pairs && !is_of_pairs(name)) return false;
    case_name_ = groups_.back().name + " " + name;
    if (case_name_.compare(0, options_.only.size(), options_.only) != 0 && case_name_ != options_.after) return false;
    case_failed_    = false;
    uses_scratch_   = false;
    temporary_size_ = 0;
    ++groups_.back().cases;
    if (options_.on_case) options_.on_case(case_name_, scratch_user_);
    return true;
}

Random Verifier::random() const { return Random(options_.seed ^ hash(case_name_)); }

void Verifier::skip(const std::string& why) { groups_.back().skipped = why; }

bool Verifier::check(const Result<void>& result) {
    if (!result) fail(result.error().reason);
    return static_cast<bool>(result);
}

void Verifier::fail(const std::string& why) {
    if (case_failed_) return; // what comes after the first reason follows from that
    GroupResult& group = groups_.back();
    case_failed_       = true;
    ++group.failed;
    if (group.mismatches.size() < shown_misses) {
        group.mismatches.push_back({case_name_, why, uses_scratch_ ? scratch_user_ : ""});
    }
}

namespace {

/// Grows `buffer` to at least `size` bytes.
Result<bool> grow(const runtime::Device& device, runtime::Buffer& buffer, VkDeviceSize size) {
    if (buffer.size() >= size) return false;
    buffer           = runtime::Buffer();
    auto replacement = device.create_buffer(std::max<VkDeviceSize>(size + size / 4, 1 << 20));
    if (!replacement) replacement = device.create_buffer(size);
    if (!replacement) return replacement.error();
    buffer = std::move(*replacement);
    return true;
}

} // namespace

Range Verifier::input(const void* data, VkDeviceSize size, uint32_t misalignment) {
    const VkDeviceSize offset = guard_size + misalignment;
    if (auto grown = grow(device_, input_, offset + size + guard_size); !grown) {
        fail(grown.error().reason);
        return {};
    }
    // What lies around the range must not matter: garbage there, different for every case.
    input_guard_ = static_cast<uint32_t>(random().next());
    check(device_.fill(input_, 0, 2 * guard_size, input_guard_));
    check(device_.fill(input_, (offset + size) / 4 * 4, guard_size / 4 * 4, input_guard_));
    if (size > 0) check(device_.upload(input_, offset, data, size));
    return {input_.address() + offset, offset, size};
}

Range Verifier::output(VkDeviceSize size, uint32_t misalignment) {
    const VkDeviceSize offset = guard_size + misalignment;
    const VkDeviceSize whole  = (offset + size + guard_size + 3) / 4 * 4;
    if (auto grown = grow(device_, output_, whole); !grown) {
        fail(grown.error().reason);
        return {};
    }
    output_guard_ = static_cast<uint32_t>(random().next() >> 32);
    check(device_.fill(output_, 0, whole, output_guard_));
    return {output_.address() + offset, offset, size};
}

VkDeviceAddress Verifier::temporary(VkDeviceSize size) {
    const VkDeviceSize whole = (size + 2 * guard_size + 3) / 4 * 4;
    if (auto grown = grow(device_, temporary_, whole); !grown) {
        fail(grown.error().reason);
        return 0;
    }
    check(device_.fill(temporary_, 0, whole, scratch_guard));
    temporary_size_ = size;
    return temporary_.address() + guard_size;
}

VkDeviceAddress Verifier::gpu_count(uint32_t count) {
    if (auto grown = grow(device_, count_, 4); !grown) {
        fail(grown.error().reason);
        return 0;
    }
    check(device_.upload(count_, 0, &count, sizeof count));
    return count_.address();
}

Operands Verifier::operands(const Range& input, const Range& output, uint32_t count, uint32_t bound) {
    Operands operands;
    operands.input  = input.address;
    operands.output = output.address;
    operands.count  = std::max(count, bound);
    if (bound > 0) operands.count_address = gpu_count(count);
    return operands;
}

/// Makes room for that and the guard words, keeps what scratch holds, and takes away the guard words of the case before.
bool Verifier::reserve_scratch(VkDeviceSize end) {
    if (scratch_end_ > 0) check(device_.fill(scratch_, scratch_end_, scratch_guard_size, 0));
    scratch_end_ = 0;
    std::vector<uint32_t> left(scratch_left_ / 4);
    if (scratch_.size() < end + scratch_guard_size && !left.empty()) {
        check(device_.download(scratch_, 0, left.data(), scratch_left_));
    }
    const auto grown = grow(device_, scratch_, end + scratch_guard_size);
    if (!grown) {
        fail(grown.error().reason);
    } else if (*grown) {
        check(device_.fill(scratch_, 0, scratch_.size() / 4 * 4, 0));
        if (!left.empty()) check(device_.upload(scratch_, 0, left.data(), scratch_left_));
    }
    return !case_failed_;
}

void Verifier::renew_scratch() {
    scratch_end_ = scratch_left_ = 0;
    scratch_user_.clear();
    if (scratch_.size() > 0) check(device_.fill(scratch_, 0, scratch_.size() / 4 * 4, 0));
}

VkDeviceAddress Verifier::scratch(VkDeviceSize size, uint32_t left) {
    const VkDeviceSize end = std::max({size, scratch_left_, VkDeviceSize{vkprim_scratch_bytes(left)}});
    if (!reserve_scratch(end)) return 0;
    uses_scratch_ = true;
    if (left > 0) {
        renew_scratch();
        std::vector<uint32_t> words(vkprim_scratch_bytes(left) / 4);
        words[2] = vkprim_scratch_sign(left); // in stripe 1, since nobody has had a turn
        for (uint32_t word = 0; word < left; ++word) {
            words[vkprim_scratch_offset(1, word) / 4] = words[vkprim_scratch_offset(1, word) / 4 + 1] = 0x10000 + word;
        }
        check(device_.upload(scratch_, 0, words.data(), words.size() * 4));
        scratch_left_ = words.size() * 4;
    }
    scratch_end_ = std::max(size, scratch_left_);
    check(device_.fill(scratch_, scratch_end_, scratch_guard_size, scratch_guard));
    return scratch_.address();
}

void Verifier::run(const std::function<void(VkCommandBuffer, const Part&)>& record, const RunOptions& options) {
    if (case_failed_) return;
    auto commands = device_.begin_commands();
    if (!commands) return fail(commands.error().reason);
    for (uint32_t i = 0; i < options.times * options.parts; ++i) {
        if (i > 0) commands->barrier();
        record(commands->handle(), {i % options.parts, options.parts});
    }
    if (auto done = commands->submit_and_wait(); !done) fail(done.error().reason);
}

void Verifier::expect_output(const Range& range, const void* expected, Format format) {
    const VkDeviceSize   whole = (range.offset + range.size + guard_size) / 4 * 4;
    std::vector<uint8_t> got(whole);
    const bool           in_place = range.address == input_.address() + range.offset;
    if (!check(device_.download(in_place ? input_ : output_, 0, got.data(), got.size()))) return;

    const std::string difference = difference_of({expected, got.data() + range.offset, range.size, format});
    if (!difference.empty()) return fail(difference);
    const uint32_t guard = in_place ? input_guard_ : output_guard_;
    for (VkDeviceSize i = 0; i < whole; ++i) {
        const bool inside = i >= range.offset && i < range.offset + range.size;
        if (!inside && got[i] != reinterpret_cast<const uint8_t*>(&guard)[i % 4]) {
            return fail(fmt::format("a guard byte was overwritten, {} bytes {} the output",
                                    i < range.offset ? range.offset - i : i - range.offset - range.size + 1,
                                    i < range.offset ? "before" : "behind"));
        }
    }
}

void Verifier::expect_scratch() {
    std::vector<uint32_t> words(scratch_.size() / 4);
    if (words.empty() || !check(device_.download(scratch_, 0, words.data(), words.size() * 4))) return;
    if (scratch_end_ > 0) {
        if (const std::string fault = scratch_guard_fault(&words[scratch_end_ / 4]); !fault.empty()) return fail(fault);
        std::fill_n(&words[scratch_end_ / 4], scratch_guard_words, 0);
    }
    if (const std::string fault = scratch_fault(words); !fault.empty()) {
        return fail("scratch is not ready for the next operation: " + fault);
    }
    scratch_left_ = vkprim_scratch_bytes(words_left(words));
    if (uses_scratch_) scratch_user_ = case_name_;
}

void Verifier::expect(const Range& range, const void* expected, Format format) {
    if (!case_failed_) expect_output(range, expected, format);
    if (!case_failed_) expect_scratch();
    if (!case_failed_) expect_temporary();
    if (case_failed_) renew_scratch(); // so that one failure is not the next one's
}

void Verifier::expect_temporary() {
    if (temporary_size_ == 0) return;
    std::vector<uint32_t> before(guard_size / 4), behind(guard_size / 4);
    const VkDeviceSize    end = guard_size + (temporary_size_ + 3) / 4 * 4;
    check(device_.download(temporary_, 0, before.data(), guard_size));
    check(device_.download(temporary_, end, behind.data(), guard_size));
    const auto is_guard = [](uint32_t word) { return word == scratch_guard; };
    if (std::all_of(before.begin(), before.end(), is_guard) && std::all_of(behind.begin(), behind.end(), is_guard))
        return;
    fail("a guard word around the temporary memory was overwritten");
}

std::vector<GroupResult> Verifier::finish() {
    end_group();
    return std::exchange(groups_, {});
}

std::vector<GroupResult> verify(const std::vector<const runtime::Device*>& devices, const VerifyOptions& options,
                                const std::function<void(const runtime::Device&, const GroupResult&)>& on_group) {
    std::mutex    mutex; // of what the caller is told
    VerifyOptions told = options;
    if (options.on_case) {
        told.on_case = [&](const std::string& name, const std::string& after) {
            const std::lock_guard<std::mutex> lock(mutex);
            options.on_case(name, after);
        };
    }
    std::atomic<size_t>                   next{0};
    std::vector<std::vector<GroupResult>> results(subjects().size());
    std::vector<std::future<void>>        threads; // of which each hands its exception on
    for (const runtime::Device* device : devices) {
        threads.push_back(std::async(std::launch::async, [&, device] {
            Verifier verifier(*device, told);
            verifier.on_group = [&](const GroupResult& group) {
                const std::lock_guard<std::mutex> lock(mutex);
                on_group(*device, group);
            };
            for (size_t i = next++; i < subjects().size(); i = next++) {
                verifier.run_all_of(subjects()[i]);
                results[i] = verifier.finish();
            }
        }));
    }
    for (std::future<void>& thread : threads) thread.get();
    std::vector<GroupResult> all;
    for (std::vector<GroupResult>& of_subject : results) {
        std::move(of_subject.begin(), of_subject.end(), std::back_inserter(all));
    }
    return all;
}

} // namespace vkprim::harness
