// Needs no device: what an empty product is, and what create() says without one.
#include <vkprim/scan.h>

#include <cstdio>

int main() {
    const auto scan = vkprim::Scan::create({}, {});
    if (scan || vkprim::identity_bits(vkprim::ElementType::u32, vkprim::Operation::mul) != 1) return 1;
    std::printf("%s\n", scan.error().reason.c_str());
}
