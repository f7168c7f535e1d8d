// What every primitive promises (vkprim/core.h), in a form that lets contract_test.cpp hold all of them to it: the variants that the
// harness registers for that (harness::Contract). There is no list of them.
#pragma once

#include <vkprim/runtime.h>

#include <string>
#include <vector>

#include "harness/harness.h"

namespace vkprim::tests {

/// A variant of a primitive.
struct ContractSubject {
    std::string             name; ///< "scan u32 add exclusive"
    const harness::Subject* subject = nullptr;
    harness::Contract       contract;
    harness::Model          model;

    Result<harness::Operator> create(const Context& context) const {
        return subject->property.create(context, contract.variant);
    }

    /// The same, made twice, with one assigned to the other and then moved from.
    Result<harness::Operator> create_and_move(const Context& context) const;

    /// Whether its tiles look back: a fault that a profile asks for reaches the pipelines.
    bool looks_back() const;
};

/// Of every primitive that can be created by name. One that registers no variants for this has the first that it draws.
const std::vector<ContractSubject>& contract_subjects();

/// Those that the running test has here: share.h.
std::vector<ContractSubject> contract_subjects_here();

/// Whether the tiles of a primitive look back.
bool looks_back(const harness::Subject& subject);

} // namespace vkprim::tests
