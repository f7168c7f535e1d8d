// What is built is there, and what is left out is refused with a sentence.
#include <vkprim/runtime.h>
#include <vkprim/scan.h>
#include <vkprim/top.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using vkprim::ElementType;

void require(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "parts: %s\n", what.c_str());
    std::exit(1);
}

template <class Primitive>
void require_created(const vkprim::Result<Primitive>& created, const char* what) {
    require(static_cast<bool>(created), std::string(what) + ": " + (created ? "" : created.error().reason));
}

template <class Primitive>
void require_refused(const vkprim::Result<Primitive>& created, const char* what) {
    require(!created, std::string(what) + " was created");
    require(created.error().kind == vkprim::ErrorKind::invalid_desc, std::string(what) + " is another kind of error");
    require(created.error().reason.find("VKPRIM_TYPES") != std::string::npos, created.error().reason);
}

} // namespace

int main() {
    const auto device = vkprim::runtime::Device::create({});
    require(static_cast<bool>(device), device ? "" : device.error().reason);
    const vkprim::Context& context = device->context();
    for (const ElementType type : {ElementType::u32, ElementType::f32}) {
        require_created(vkprim::Scan::create(context, {type}), "scan");
        require_created(vkprim::Top::create(context, {type}), "top");
    }
    require_refused(vkprim::Scan::create(context, {ElementType::u64}), "scan u64");
    require_refused(vkprim::Top::create(context, {ElementType::f64}), "top f64");
    std::printf("scans and top-k of two types on %s: right\n", device->info().name.c_str());
    return 0;
}
