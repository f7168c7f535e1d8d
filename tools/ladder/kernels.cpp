#include "ladder.h"
#include "ladder_shaders.inc" // made by kernels.cmake

namespace vkprim::tools::ladder {

const std::vector<Kernel>& all_kernels() {
    static const std::vector<Kernel> kernels{
#include "ladder_kernels.inc"
    };
    return kernels;
}

} // namespace vkprim::tools::ladder
