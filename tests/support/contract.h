// What every primitive promises (vkprim/core.h), in a form that lets contract_test.cpp hold all of them to it. Each
// primitive's test file registers the configurations in which it is to be looked at.
#pragma once

#include <vkprim/core.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vkprim::tests {

/// Where one operation works.
struct Place {
    VkDeviceAddress input = 0, output = 0, scratch = 0;
    uint32_t        count = 0;
};

/// A primitive's object, with its type forgotten.
struct Primitive {
    std::function<void(VkCommandBuffer, const Place&)> record;
    std::function<VkDeviceSize(uint32_t)>              scratch_size;
};

/// A number that a profile may set.
struct KnobRange {
    std::string name; ///< "scan.ahead"
    uint32_t    least = 0, most = 0;
    uint32_t    least_on_software = least;
};

/// How a value shows in the last pipeline that create() makes.
struct KnobEffect {
    std::string name;
    uint32_t    value       = 0;
    uint32_t    constant_id = 0, constant = 0;
};

struct ContractSubject {
    std::string name;
    uint32_t    pipelines  = 1; ///< that create() makes; fewer where the tuning for a device wants no more
    uint32_t    dispatches = 1; ///< that record() appends
    uint32_t    barriers   = 0;
    bool        one_pipeline =
        false;            ///< whatever the input's address: no vector is loaded that does not begin at a multiple of 16
    bool one_row = false; ///< however many elements: no more workgroups than any device's grid is wide

    std::vector<KnobRange> knobs; ///< all
    KnobEffect             effect;

    std::function<std::vector<uint32_t>(uint32_t count)>                     input;
    std::function<std::vector<uint32_t>(const std::vector<uint32_t>& input)> expected; ///< into an output of zeros

    std::function<Result<Primitive>(const Context&)> create;
    /// The same, made twice, with one assigned to the other and then moved from.
    std::function<Result<Primitive>(const Context&)> create_and_move;
};

std::vector<ContractSubject>& contract_subjects();

/// Registers a primitive from a namespace-scope variable; `args_of` makes its Args of a Place.
template <class P, class ArgsOf>
bool add_contract_subject(ContractSubject subject, typename P::Desc desc, ArgsOf args_of) {
    const auto forget_type = [args_of](P object) {
        const auto shared = std::make_shared<P>(std::move(object));
        return Primitive{[shared, args_of](VkCommandBuffer commands, const Place& place) {
                             shared->record(commands, args_of(place));
                         },
                         [shared](uint32_t count) { return shared->scratch_size(count); }};
    };
    subject.create = [=](const Context& context) -> Result<Primitive> {
        auto object = P::create(context, desc);
        if (!object) return object.error();
        return forget_type(*std::move(object));
    };
    subject.create_and_move = [=](const Context& context) -> Result<Primitive> {
        auto first = P::create(context, desc), second = P::create(context, desc);
        if (!first) return first.error();
        if (!second) return second.error();
        *second = *std::move(first);
        P third(*std::move(second));
        return forget_type(std::move(third));
    };
    contract_subjects().push_back(std::move(subject));
    return true;
}

} // namespace vkprim::tests
