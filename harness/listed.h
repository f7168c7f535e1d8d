// Random cases of variants that stand in a list.
#pragma once

#include "harness.h"

#include <algorithm>
#include <utility>

namespace vkprim::harness {

/// A subject's Property, by the names of its variants, the simplest first.
inline Property listed_property(std::vector<std::string> names, decltype(Property::model) model,
                                decltype(Property::create) create, decltype(Property::runs_on) runs_on = {}) {
    const auto all = std::make_shared<const std::vector<std::string>>(std::move(names));
    return {[all](Random& random) { return (*all)[random.below(static_cast<uint32_t>(all->size()))]; },
            std::move(model), std::move(create),
            [all](const std::string& variant) {
                return std::vector<std::string>(all->begin(), std::find(all->begin(), all->end(), variant));
            },
            std::move(runs_on)};
}

/// The names of `variants` by `name_of`.
template <class Variants, class Function>
std::vector<std::string> names_of(const Variants& variants, Function name_of) {
    std::vector<std::string> names;
    for (const auto& variant : variants) names.push_back(name_of(variant));
    return names;
}

} // namespace vkprim::harness
