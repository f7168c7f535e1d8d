#pragma once

#include <nlohmann/json.hpp>

namespace vkprim::tools {

using Json = nlohmann::ordered_json;

} // namespace vkprim::tools
