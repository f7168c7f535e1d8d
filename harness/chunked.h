// What the subjects of chunks share.
#pragma once

#include <vkprim/chunks.h>

#include "harness.h"
#include "recorder.h"

#include <algorithm>
#include <functional>

namespace vkprim::harness {

/// How an array of `count` elements is cut: into chunks of `size`, a multiple of chunk_step.
struct Chunking {
    uint32_t count = 0, size = chunk_step;

    uint32_t chunks() const { return count == 0 ? 0 : (count - 1) / size + 1; }
    Chunk    chunk(uint32_t number) const { return {uint64_t{number} * size, std::min(size, count - number * size)}; }
};

/// All chunks of an array in one.
inline Chunking in_one(uint32_t count) { return {count, (count / chunk_step + 1) * chunk_step}; }

/// Bytes as temporary memory begins: at a multiple of 16.
inline VkDeviceSize round_up_16(VkDeviceSize size) { return (size + 15) / 16 * 16; }

/// The variants, inputs and results of the subject that does the same in one piece, of which chunks must give the same bits: of its variants
/// those that `takes` accepts. `size`: of temporary memory; `create` makes the Operator.
inline Property property_of_chunks(const std::string& whole, const std::function<bool(const std::string&)>& takes,
                                   decltype(Model::temporary_size) size, decltype(Property::create) create) {
    const auto property = [whole]() -> const Property& {
        return std::find_if(subjects().begin(), subjects().end(),
                            [&](const Subject& subject) { return subject.name == whole; })
            ->property;
    };
    return {
        [=](Random& random) {
            std::string variant = property().draw(random);
            while (!takes(variant)) variant = property().draw(random);
            return variant;
        },
        [=](const std::string& variant) {
            auto model = property().model(variant);
            if (!model) return model;
            model->in_place       = false;
            model->gpu_count      = false;
            model->temporary_size = size;
            return model;
        },
        std::move(create),
        [=](const std::string& variant) {
            std::vector<std::string> simpler = property().simpler(variant);
            simpler.erase(std::remove_if(simpler.begin(), simpler.end(), std::not_fn(takes)), simpler.end());
            return simpler;
        },
        [=](const runtime::Device& device, const std::string& variant) { return property().runs_on(device, variant); }};
}

} // namespace vkprim::harness
