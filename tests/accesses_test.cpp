// What primitives do not touch: anything outside of the ranges that they are given. Buffers end with the last byte of a range here, so
// that GPU-assisted validation, where it is on, reports whoever goes beyond.
#include <array>
#include <cstring>
#include <set>

#include "harness/harness.h"
#include "support/memory.h"
#include "support/share.h"

namespace vkprim::tests {
namespace {

using harness::Bytes;

/// Variants of a subject: two for each size of its elements, among those that it draws and the device runs; one in pairs.
std::vector<std::string> some_variants(const harness::Property& property) {
    const size_t             of_a_size = is_pairs() ? 1 : 2;
    std::vector<std::string> variants;
    std::multiset<uint32_t>  sizes;
    std::set<std::string>    drawn;
    harness::Random          random(1);
    for (int draw = 0; draw < 100; ++draw) {
        const std::string variant = property.draw(random);
        if (property.runs_on && !property.runs_on(device(), variant)) continue;
        const auto model = value_of(property.model(variant));
        if (model.output_size(1) > 65536 * 4 || sizes.count(model.input_size) == of_a_size)
            continue; // a million bins take long
        if (!drawn.insert(variant).second) continue;
        sizes.insert(model.input_size);
        variants.push_back(variant);
    }
    REQUIRE_FALSE(variants.empty());
    return variants;
}

/// What the operation reads, `ahead` included.
Bytes read_of(const harness::Model& model, uint32_t count, uint64_t seed) {
    Bytes       all   = model.ahead;
    const Bytes input = model.input(count, harness::Data::random, harness::Random(seed));
    all.insert(all.end(), input.begin(), input.end());
    return all;
}

/// A buffer of exactly `offset` and the bytes behind it.
runtime::Buffer tight_buffer(const Bytes& bytes, VkDeviceSize offset) {
    auto buffer = value_of(device().create_buffer(offset + bytes.size()));
    REQUIRE(buffer.address() % 16 == 0);
    require(device().upload(buffer, offset, bytes.data(), bytes.size()));
    return buffer;
}

Bytes bytes_of(const runtime::Buffer& buffer, VkDeviceSize offset, size_t size) {
    Bytes bytes(size);
    require(device().download(buffer, offset, bytes.data(), size));
    return bytes;
}

constexpr uint8_t garbage = 0xcd; ///< in outputs

/// Temporary memory as a model asks for it, full of garbage.
runtime::Buffer temporary_of(const harness::Model& model, uint32_t count) {
    return tight_buffer(Bytes(model.temporary_size ? model.temporary_size(count) : 16, garbage), 0);
}

void check_tight(const harness::Model& model, const harness::Operator& operation, uint32_t count, uint32_t offset) {
    CAPTURE(count, offset);
    const Bytes           read  = read_of(model, count, count + offset);
    const VkDeviceSize    begin = offset + model.ahead.size();
    Bytes                 expected(model.output_size(count), garbage);
    const VkDeviceSize    output_offset = offset / 4 * 4;
    const runtime::Buffer input_buffer  = tight_buffer(read, offset);
    const runtime::Buffer output_buffer = tight_buffer(expected, output_offset);
    const runtime::Buffer scratch       = buffer_of_zeros(std::max<VkDeviceSize>(operation.scratch_size(count), 16));
    const runtime::Buffer temporary     = temporary_of(model, count);
    model.expect(read.data() + model.ahead.size(), count, expected.data());
    submit([&](runtime::Commands& commands) {
        operation.record(commands.handle(), {input_buffer.address() + begin,
                                             output_buffer.address() + output_offset,
                                             scratch.address(),
                                             0,
                                             count,
                                             {},
                                             temporary.address()});
    });
    CHECK(bytes_of(output_buffer, output_offset, expected.size()) == expected);
    CHECK(harness::scratch_fault(content_of(scratch)) == "");
}

} // namespace

TEST_CASE("buffers that end with the last byte, at all offsets", "[device][contract][accesses]") {
    const size_t step   = is_pairs() ? 2 : 1; // of two neighbouring offsets, each has half of the counts
    size_t       number = 0;
    for (const harness::Subject& subject : harness::subjects()) {
        if (!subject.property.draw) continue;
        for (const std::string& variant : some_variants(subject.property)) {
            if (!is_of_share(number++)) continue;
            DYNAMIC_SECTION(subject.name << " " << variant) {
                const auto model     = value_of(subject.property.model(variant));
                const auto operation = value_of(subject.property.create(device().context(), variant));
                for (uint32_t offset = 0; offset < 16; offset += model.input_size) {
                    // One word or two, several rows, whole tiles, and a last one of each number of bytes.
                    const std::array<uint32_t, 4> counts = {1 + offset % 7, 1000 + offset, 8192, 20003 + offset};
                    for (size_t i = offset / model.input_size % step; i < counts.size(); i += step) {
                        check_tight(model, operation, counts[i], offset);
                    }
                }
                check_tight(model, operation, is_pairs() ? 65539 : 200003, 0);
            }
        }
    }
}

// What it computes is worth nothing then, but memory that belongs to others stays whole.
TEST_CASE("scratch that was never zero-filled", "[device][contract][accesses]") {
    constexpr uint32_t     count = 60000;
    constexpr VkDeviceSize guard = 4u << 20;
    for (const harness::Subject& subject : harness::subjects()) {
        if (!subject.property.draw) continue;
        const std::string variant = some_variants(subject.property).front();
        DYNAMIC_SECTION(subject.name << " " << variant) {
            const auto            model       = value_of(subject.property.model(variant));
            const auto            operation   = value_of(subject.property.create(device().context(), variant));
            const Bytes           read        = read_of(model, count, 1);
            const VkDeviceSize    output_size = model.output_size(count), scratch_size = operation.scratch_size(count);
            const runtime::Buffer input_buffer = tight_buffer(read, 0);
            // Garbage, arrivals short of a turn's end, and many words left in either stripe.
            for (uint32_t word : {0xcdcdcdcdu, ~0u, 0x3f800000u, 100000u, 7u}) {
                CAPTURE(word);
                const runtime::Buffer output = tight_buffer(Bytes(output_size + 2 * guard, garbage), 0);
                Bytes                 bytes(scratch_size + guard, garbage);
                for (VkDeviceSize i = 0; i < scratch_size; i += 4) std::memcpy(&bytes[i], &word, 4);
                const runtime::Buffer scratch = tight_buffer(bytes, 0), temporary = temporary_of(model, count);
                submit([&](runtime::Commands& commands) {
                    operation.record(commands.handle(), {input_buffer.address() + model.ahead.size(),
                                                         output.address() + guard,
                                                         scratch.address(),
                                                         0,
                                                         count,
                                                         {},
                                                         temporary.address()});
                });
                const Bytes untouched(guard, garbage);
                CHECK(bytes_of(output, 0, guard) == untouched);
                CHECK(bytes_of(output, guard + output_size, guard) == untouched);
                CHECK(bytes_of(scratch, scratch_size, guard) == untouched);
                CHECK(bytes_of(input_buffer, 0, read.size()) == read);
            }
        }
    }
}

} // namespace vkprim::tests
