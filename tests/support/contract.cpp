#include "contract.h"

#include <vkprim/glsl/detail/constants.h>
#include <vkprim/glsl/detail/lookback_layout.h>

#include "memory.h"
#include "share.h"
#include "spy.h"

namespace vkprim::tests {
namespace {

/// The first variant drawn whose elements have 4 bytes, or any that the device runs.
std::string some_variant(const harness::Property& property) {
    harness::Random random(1);
    std::string     some;
    for (int draw = 0; draw < 100; ++draw) {
        const std::string variant = property.draw(random);
        if (property.runs_on && !property.runs_on(device(), variant)) continue;
        if (some.empty()) some = variant;
        if (value_of(property.model(variant)).input_size == 4) return variant;
    }
    REQUIRE_FALSE(some.empty());
    return some;
}

} // namespace

Result<harness::Operator> ContractSubject::create_and_move(const Context& context) const {
    auto first = create(context), second = create(context);
    if (!first) return first.error();
    if (!second) return second.error();
    return first->move_over(*second);
}

bool ContractSubject::looks_back() const {
    Spy     spy(device().context());
    Profile profile                  = profile_of_device();
    profile.values["lookback.fault"] = VKPRIM_FAULT_LATE;
    Context context                  = spy.context();
    context.profile                  = &profile;
    value_of(create(context));
    return spy.last_constants.at(VKPRIM_FAULT_ID) == VKPRIM_FAULT_LATE;
}

const std::vector<ContractSubject>& contract_subjects() {
    static const std::vector<ContractSubject> all = [] {
        std::vector<ContractSubject> some;
        for (const harness::Subject& subject : harness::subjects()) {
            if (!subject.property.create) continue;
            std::vector<harness::Contract> contracts = subject.contracts;
            if (contracts.empty()) {
                contracts.emplace_back();
                contracts.back().variant = some_variant(subject.property);
            }
            for (const harness::Contract& contract : contracts) {
                some.push_back({subject.name + " " + contract.variant, &subject, contract,
                                value_of(subject.property.model(contract.variant))});
            }
        }
        return some;
    }();
    return all;
}

std::vector<ContractSubject> contract_subjects_here() { return shared_out(contract_subjects()); }

bool looks_back(const harness::Subject& subject) {
    for (const ContractSubject& one : contract_subjects()) {
        if (one.subject == &subject) return one.looks_back();
    }
    return false;
}

} // namespace vkprim::tests
