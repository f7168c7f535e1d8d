// The C interface of IndirectCommand.
#include <vkprim/indirect.h>

#include "skin.h"

namespace vkprim {

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_indirect_command_desc& c, IndirectCommand::Desc& cpp) {
    visit(c.kind, cpp.kind);
}

template <class Visit>
constexpr void each_field(Visit& visit, vkprim_indirect_command_args& c, IndirectCommand::Args& cpp) {
    visit(c.command, cpp.command);
    visit(c.count_address, cpp.count_address);
    visit(c.bound, cpp.bound);
    visit(c.grid, cpp.grid);
    visit(c.vertices, cpp.vertices);
}

} // namespace vkprim

using namespace vkprim;

struct vkprim_indirect_command {
    IndirectCommand object;
};

void vkprim_indirect_command_desc_init(vkprim_indirect_command_desc* desc, size_t struct_size) {
    init<IndirectCommand::Desc>(desc, struct_size);
}
void vkprim_indirect_command_args_init(vkprim_indirect_command_args* args, size_t struct_size) {
    init<IndirectCommand::Args>(args, struct_size);
}
VkResult vkprim_indirect_command_create(const vkprim_context* context, const vkprim_indirect_command_desc* desc,
                                        vkprim_indirect_command** indirect_command, vkprim_error* error) {
    return create_handle(context, desc, indirect_command, error);
}
void         vkprim_indirect_command_destroy(vkprim_indirect_command* indirect_command) { delete indirect_command; }
VkDeviceSize vkprim_indirect_command_scratch_size(const vkprim_indirect_command* indirect_command, uint32_t count) {
    return indirect_command->object.scratch_size(count);
}
VkResult vkprim_indirect_command_validate(const vkprim_indirect_command*      indirect_command,
                                          const vkprim_indirect_command_args* args, vkprim_error* error) {
    return validate_args<IndirectCommand::Args>(indirect_command, args, error);
}
VkResult vkprim_indirect_command_record(const vkprim_indirect_command* indirect_command, VkCommandBuffer commands,
                                        const vkprim_indirect_command_args* args, vkprim_error* error) {
    return record_args(&IndirectCommand::record, indirect_command, commands, args, error);
}
