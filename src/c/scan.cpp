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

struct vkprim_scan {
    Scan object;
};

void     vkprim_scan_desc_init(vkprim_scan_desc* desc, size_t struct_size) { init<Scan::Desc>(desc, struct_size); }
void     vkprim_scan_args_init(vkprim_scan_args* args, size_t struct_size) { init<Scan::Args>(args, struct_size); }
VkResult vkprim_scan_create(const vkprim_context* context, const vkprim_scan_desc* desc, vkprim_scan** scan,
                            vkprim_error* error) {
    return create_handle(context, desc, scan, error);
}
void         vkprim_scan_destroy(vkprim_scan* scan) { delete scan; }
VkDeviceSize vkprim_scan_scratch_size(const vkprim_scan* scan, uint32_t count) {
    return scan->object.scratch_size(count);
}
VkResult vkprim_scan_grid(const vkprim_scan* scan, const vkprim_scan_args* args, vkprim_grid* grid,
                          vkprim_error* error) {
    return grid_of<Scan::Args>(scan, args, grid, error);
}
VkResult vkprim_scan_validate(const vkprim_scan* scan, const vkprim_scan_args* args, vkprim_error* error) {
    return validate_args<Scan::Args>(scan, args, error);
}
VkResult vkprim_scan_record(const vkprim_scan* scan, VkCommandBuffer commands, const vkprim_scan_args* args,
                            vkprim_error* error) {
    return record_args(&Scan::record, scan, commands, args, error);
}
