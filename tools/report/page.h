// The page of `vkprim report`: one file of HTML with its style and its charts, and nothing from elsewhere.
#pragma once

#include <string>
#include <vector>

namespace vkprim::tools::report {

struct Section {
    std::string title, about;
    std::string content; ///< HTML
};

struct Page {
    std::string          title, subtitle;
    std::vector<Section> sections;
};

std::string html_of(const Page& page);

} // namespace vkprim::tools::report
