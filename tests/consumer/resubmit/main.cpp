// 100 operations in one command buffer, in a chain: no result is right unless all before it are. All use the same
// scratch. It is submitted 20 times, with another input each time.
#include "../plain_vulkan.h" // volk comes before all other Vulkan headers

#include <vkprim/compact.h>
#include <vkprim/histogram.h>
#include <vkprim/reduce.h>
#include <vkprim/scan.h>

#include <algorithm>
#include <vector>

namespace {

constexpr uint32_t links = 25, submissions = 20, elements = 5003, bins = 64;
constexpr uint32_t low = 0x40000000, high = 0x4fffffff; // what compaction takes away: about 1 of 16

/// One of two arrays between which the chain goes back and forth.
constexpr uint32_t total_at = 0, bins_at = 1, data_at = bins_at + bins, kept_at = data_at + elements,
                   size = kept_at + 1;

using Words = std::vector<uint32_t>;

/// One link on the CPU: scan of `from` in place; from there to `to`, what is not between low and high, how much that is,
/// its histogram, and the reduction of all that.
void link(Words& from, Words& to) {
    for (uint32_t i = 1; i < size; ++i) from[i] += from[i - 1];
    uint32_t kept = 0;
    for (uint32_t i = data_at; i < kept_at; ++i) {
        if (from[i] < low || from[i] > high) to[data_at + kept++] = from[i];
    }
    to[kept_at] = kept;
    std::fill_n(to.begin() + bins_at, bins, 0);
    for (uint32_t i = 0; i < kept; ++i) ++to[bins_at + to[data_at + i] / (UINT32_MAX / bins + 1)];
    to[total_at] = 0;
    for (uint32_t i = bins_at; i < size; ++i) to[total_at] ^= to[i];
}

void compare(const Words& expected, const uint32_t* found, const char* array) {
    for (uint32_t i = 0; i < size; ++i) {
        if (found[i] != expected[i]) expect((array + std::to_string(i)).c_str(), found[i], expected[i]);
    }
}

} // namespace

int main() {
    const Device device;
    const auto   scan    = need(vkprim::Scan::create(
             device.context, {vkprim::ElementType::u32, vkprim::Operation::add, vkprim::Scan::Kind::inclusive}));
    const auto   compact = need(vkprim::Compact::create(
          device.context, {vkprim::KeyType::u32, vkprim::Compact::Keep::outside, vkprim::Compact::Copy::keys}));
    const auto   histogram =
        need(vkprim::Histogram::create(device.context, {vkprim::SampleType::u32, bins, 0, 4294967296.0}));
    const auto reduce =
        need(vkprim::Reduce::create(device.context, {vkprim::ElementType::u32, vkprim::Operation::bit_xor}));
    const Memory            a(device, size * 4), b(device, size * 4);
    vkprim::Scan::Args      sums;
    vkprim::Compact::Args   packed;
    vkprim::Histogram::Args counts;
    vkprim::Reduce::Args    total;
    sums.count   = size;
    total.count  = size - bins_at;
    packed.count = counts.count = elements;
    const Memory scratch(device, std::max({scan.scratch_size(sums), compact.scratch_size(packed),
                                           histogram.scratch_size(counts), reduce.scratch_size(total)}));

    const VkCommandBuffer commands = device.begin();
    for (uint32_t l = 0; l < links; ++l) {
        const VkDeviceAddress from = l % 2 ? b.address : a.address, to = l % 2 ? a.address : b.address;
        barrier(commands); // of the first one: after the submission before
        sums.input = sums.output = from;
        sums.scratch             = scratch.address;
        scan.record(commands, sums);
        barrier(commands);
        packed.keys    = from + data_at * 4;
        packed.output  = to + data_at * 4;
        packed.kept    = to + kept_at * 4;
        packed.scratch = scratch.address;
        packed.lower   = low;
        packed.upper   = high;
        compact.record(commands, packed);
        barrier(commands);
        counts.input         = packed.output;
        counts.counts        = to + bins_at * 4;
        counts.scratch       = scratch.address;
        counts.count_address = packed.kept;
        histogram.record(commands, counts);
        barrier(commands);
        total.input   = to + bins_at * 4;
        total.output  = to + total_at * 4;
        total.scratch = scratch.address;
        reduce.record(commands, total);
    }
    barrier(commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");

    for (uint32_t s = 0; s < submissions; ++s) {
        Words expected_a(size), expected_b(size);
        for (uint32_t i = 0; i < size; ++i) expected_a[i] = (i + 1) * 2654435761u ^ (s << 13);
        std::copy(expected_a.begin(), expected_a.end(), a.words);
        std::copy(expected_b.begin(), expected_b.end(), b.words);
        device.submit_and_wait(commands);
        for (uint32_t l = 0; l < links; ++l) l % 2 ? link(expected_b, expected_a) : link(expected_a, expected_b);
        compare(expected_a, a.words, "a, word ");
        compare(expected_b, b.words, "b, word ");
    }
    std::printf("%u submissions of %u operations on %s: right\n", submissions, links * 4, device.properties.deviceName);
}
