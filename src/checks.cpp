#include "checks.h"

#include <cinttypes>
#include <cstdio>

namespace vkprim {
namespace {

std::string hexadecimal(VkDeviceAddress address) {
    char text[19];
    std::snprintf(text, sizeof text, "0x%" PRIx64, address);
    return text;
}

std::string text_of(const MemoryRange& range) {
    return std::string(range.name) + " (" + std::to_string(range.size) + " bytes at " + hexadecimal(range.address) +
           ")";
}

} // namespace

void Checks::fail(const std::string& reason) {
    if (!error_) error_ = Error{ErrorKind::invalid_args, primitive_ + (": " + reason)};
}

void Checks::memory(std::initializer_list<MemoryRange> ranges) {
    for (const MemoryRange& range : ranges) {
        if (range.size > 0 && range.address == 0) {
            fail(range.name + std::string(" is null: pass a device address (vkGetBufferDeviceAddress)"));
        } else if (!is_aligned(range.address, range.alignment)) {
            fail(range.name + (" is " + hexadecimal(range.address)) + ": it must be a multiple of " +
                 std::to_string(range.alignment));
        } else if (range.address + range.size < range.address) {
            fail(range.name + std::string(" goes beyond the last address: ") + std::to_string(range.size) +
                 " bytes from " + hexadecimal(range.address) + " on");
        }
    }
}

void Checks::apart(const MemoryRange& written, std::initializer_list<MemoryRange> others) {
    for (const MemoryRange& other : others) {
        if (written.size == 0 || other.size == 0) continue;
        // Neither wraps around: memory() has seen to that.
        if (written.address >= other.address + other.size || other.address >= written.address + written.size) continue;
        fail(written.name + (" overlaps " + std::string(other.name)) + ": " + text_of(written) + " is written, and " +
             text_of(other) + " must lie apart from it");
    }
}

void Checks::part(const Part& part) {
    if (part.parts == 0) {
        fail("Part::parts is 0: an operation has one part at least");
    } else if (part.number >= part.parts) {
        fail("Part::number is " + std::to_string(part.number) + ": parts are numbered from 0, and there are " +
             std::to_string(part.parts));
    }
}

void Checks::stride(uint32_t stride, bool wanted) {
    if (!wanted && stride != 0) {
        fail("stride is " + std::to_string(stride) + ": that takes Desc::strided");
    } else if (wanted && (stride == 0 || stride % 4 != 0)) {
        fail("stride is " + std::to_string(stride) + ": it must be a multiple of 4 bytes, and at least 4");
    }
}

void Checks::indirect(const Indirect& indirect, VkDeviceAddress count_address, const Part& part) {
    if (!count_address) {
        fail("indirect needs a count_address: a grid in GPU memory is computed from a count in GPU memory");
    } else if (part.parts != 1) {
        fail("indirect with " + std::to_string(part.parts) + " parts: an operation with indirect has one part");
    } else if (indirect.offset % 4 != 0) {
        fail("Indirect::offset is " + std::to_string(indirect.offset) + ": it must be a multiple of 4");
    }
}

void Checks::grid(uint32_t count, const Share& workgroups, const CoreDevice& device) {
    const DeviceLimits& limits = device.limits;
    const uint64_t      most   = uint64_t{columns_of(workgroups.count, limits)} * limits.workgroup_count_y;
    if (workgroups.count <= most) return;
    fail("count " + std::to_string(count) + " takes " + std::to_string(workgroups.count) +
         " workgroups, and the device's grid has " + std::to_string(most) + ": record it in more parts (Part)");
}

} // namespace vkprim
