// The C interface of Scan.
#include <vkprim/scan.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_scan_desc& c, Scan::Desc& cpp) {
    visit(c.type, cpp.type);
    visit(c.operation, cpp.operation);
    visit(c.kind, cpp.kind);
    visit(c.waits, cpp.waits);
    visit(c.aligned, cpp.aligned);
    visit(c.own, cpp.own);
    visit(c.strided, cpp.strided);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_scan_args& c, Scan::Args& cpp) {
    visit(c.input, cpp.input);
    visit(c.output, cpp.output);
    visit(c.scratch, cpp.scratch);
    visit(c.count, cpp.count);
    visit(c.count_address, cpp.count_address);
    visit(c.part, cpp.part);
    visit(c.indirect, cpp.indirect);
    visit(c.parameters, cpp.parameters);
    visit(c.stride, cpp.stride);
}

} // namespace vkprim

using namespace vkprim;

VKPRIM_SKIN(scan, Scan)
VKPRIM_SKIN_GRID(scan, Scan)
