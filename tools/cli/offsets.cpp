#include "offsets.h"

#include <fmt/format.h>

namespace vkprim::tools {

namespace {

bool is_integer(NumberType type) {
    return type != NumberType::f16 && type != NumberType::f32 && type != NumberType::f64;
}

} // namespace

Option add_offsets_flag(Options& options, std::string& path, const std::string& what) {
    return options
        .add_option("--offsets", path,
                    fmt::format("{} between two offsets in this .npy file of integers, which do\nnot descend", what))
        .type_name("OFFSETS.npy");
}

std::vector<uint32_t> read_offsets(const std::string& path, uint64_t count, const std::string& name) {
    if (path.empty()) return {};
    Array array = need_file(read_npy(path));
    if (array.shape.size() != 1 || array.count() == 0 || !is_integer(array.type)) {
        throw Failure{exit_usage,
                      fmt::format("{}: holds {} of shape {}; offsets are integers of one dimension, one more "
                                  "than there are segments",
                                  path, type_name(array.type), shape_text(array.shape))};
    }
    const ElementType     type = widen_to_64(array);
    std::vector<uint32_t> offsets;
    uint64_t              before = 0;
    for (uint64_t i = 0; i < array.count(); ++i) {
        const uint64_t    bits     = bits_at(type, array.bytes.data(), i);
        const std::string text     = value_text(type, bits);
        const bool        negative = type == ElementType::i64 && value_of<int64_t>(bits) < 0;
        if (negative || bits > count) {
            throw Failure{exit_usage, fmt::format("{}: offset {} is {}, and {} has {} elements; offsets are 0 to {}",
                                                  path, i, text, name, count, count)};
        }
        if (bits < before) {
            throw Failure{exit_usage,
                          fmt::format("{}: offset {} is {}, less than the one before it, {}; sort them, since "
                                      "offsets must not descend",
                                      path, i, text, before)};
        }
        offsets.push_back(static_cast<uint32_t>(bits));
        before = bits;
    }
    return offsets;
}

OffsetsOnDevice::OffsetsOnDevice(ArrayJob& job, const std::vector<uint32_t>& offsets)
    : buffer(job.buffer(offsets.size() * 4)), segments(static_cast<uint32_t>(offsets.size() - 1)) {
    job.upload(buffer, offsets.data(), offsets.size() * 4);
}

} // namespace vkprim::tools
