// How a subject's variants are written, read, drawn and made simpler: all that follows from one list of them.
#pragma once

#include "harness.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace vkprim::harness {

/// All variants of a subject that random cases have, the simplest first. `Variant` is what the subject's functions work on; `text_of` gives
/// its words.
template <class Variant>
class Listed {
public:
    /// `refusal`: what an error says ahead of a text that is none of them.
    template <class Function>
    Listed(const std::vector<Variant>& all, Function text_of, std::string refusal)
        : all_(all), refusal_(std::move(refusal)) {
        for (const Variant& variant : all) names_.push_back(text_of(variant));
    }

    const std::vector<Variant>& all() const { return all_; }

    Result<Variant> read(const std::string& text) const {
        const auto found = std::find(names_.begin(), names_.end(), text);
        if (found != names_.end()) return all_[static_cast<size_t>(found - names_.begin())];
        return Error{ErrorKind::invalid_desc, refusal_ + ": '" + text + "'"};
    }

    std::string draw(Random& random) const { return names_[random.below(static_cast<uint32_t>(names_.size()))]; }

    /// Those ahead of it.
    std::vector<std::string> simpler(const std::string& text) const {
        return {names_.begin(), std::find(names_.begin(), names_.end(), text)};
    }

private:
    std::vector<Variant>     all_;
    std::vector<std::string> names_;
    std::string              refusal_;
};

/// A subject's Property. `variants` has read(), draw() and simpler(), as Listed has; `model` makes a Model of a variant, `create` an Operator
/// of a context and a variant. Every device can do all.
template <class Variants, class ModelOf, class Create>
Property property_of(const std::shared_ptr<const Variants>& variants, ModelOf model, Create create) {
    return {[variants](Random& random) { return variants->draw(random); },
            [variants, model](const std::string& text) -> Result<Model> {
                const auto variant = variants->read(text);
                if (!variant) return variant.error();
                return model(*variant);
            },
            [variants, create](const Context& context, const std::string& text) -> Result<Operator> {
                const auto variant = variants->read(text);
                if (!variant) return variant.error();
                return create(context, *variant);
            },
            [variants](const std::string& text) { return variants->simpler(text); }};
}
template <class Variants, class ModelOf, class Create>
Property property_of(Variants variants, ModelOf model, Create create) {
    return property_of(std::make_shared<const Variants>(std::move(variants)), model, create);
}

/// The same where `runs_on` says whether a device can do a variant.
template <class Variants, class ModelOf, class Create, class RunsOn>
Property property_of(Variants variants, ModelOf model, Create create, RunsOn runs_on) {
    const auto shared   = std::make_shared<const Variants>(std::move(variants));
    Property   property = property_of(shared, model, create);
    property.runs_on    = [shared, runs_on](const runtime::Device& device, const std::string& text) {
        const auto variant = shared->read(text);
        return variant && runs_on(device, *variant);
    };
    return property;
}

} // namespace vkprim::harness
