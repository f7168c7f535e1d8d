#include "ladder.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace vkprim::tools::ladder {

std::string Kernel::text(const std::string& key) const {
    std::istringstream words(shape);
    for (std::string word; words >> word;) {
        if (word.compare(0, key.size() + 1, key + "=") == 0) return word.substr(key.size() + 1);
    }
    return "";
}

double Kernel::number(const std::string& key, uint32_t workgroup_size, double otherwise) const {
    const std::string value = text(key);
    if (value.empty()) return otherwise;
    double             sum = 0;
    std::istringstream terms(value);
    for (std::string term; std::getline(terms, term, '+');) {
        double product = std::stod(term);
        for (const char letter : term) {
            if (letter == 'N') product *= workgroup_size;
            if (letter == 'L') product *= std::log2(workgroup_size);
        }
        sum += product;
    }
    return sum;
}

std::vector<Kernel> kernels_of(const std::string& ladder, const std::string& role) {
    std::vector<Kernel> kernels;
    for (const Kernel& kernel : all_kernels()) {
        if (kernel.ladder == ladder && kernel.role == role) kernels.push_back(kernel);
    }
    return kernels;
}

Step step_of(const runtime::Device& device, const Kernel& kernel, uint32_t workgroup_size) {
    Step step;
    step.name     = kernel.step;
    step.idea     = kernel.idea;
    step.barriers = kernel.number("barriers", workgroup_size, 0);
    step.shared   = kernel.number("shared", workgroup_size, 0);
    step.skipped  = why_not(device, kernel, workgroup_size);
    return step;
}

const std::vector<Ladder>& ladders() {
    static const std::vector<Ladder> all{convolution_ladder(), histogram_ladder(), order_ladder(),
                                         reduce_ladder(),      scan_ladder(),      sort_ladder()};
    return all;
}

} // namespace vkprim::tools::ladder
