// Vulkan's functions, for what a ladder needs beside the library.
#pragma once

#include <vkprim/core.h>

namespace vkprim::tools::ladder {

/// The function called `name`, of the context's instance.
template <class Function>
Function entry_point(const Context& context, const char* name) {
    return reinterpret_cast<Function>(context.get_instance_proc_addr(context.instance, name));
}

} // namespace vkprim::tools::ladder
