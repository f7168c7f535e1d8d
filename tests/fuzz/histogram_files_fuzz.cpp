// Histograms as CSV and SVG: whatever the names, the range and the counts, the table is complete and the picture is XML.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>

#include "fuzz.h"
#include "tools/cli/files/files.h"

namespace vkprim::fuzz {

namespace {

using namespace tools;

/// Tags in pairs, no numbers that are none, no characters that XML does not allow.
void require_xml(const std::string& text) {
    std::vector<std::string> open;
    for (size_t at = 0; at < text.size(); ++at) {
        require(static_cast<unsigned char>(text[at]) >= ' ' || text[at] == '\n', "no control characters");
        if (text[at] == '>') require(false, "no > outside of a tag");
        if (text[at] != '<') continue;
        const size_t end = text.find('>', at);
        require(end != std::string::npos, "a tag has an end");
        const std::string tag = text.substr(at + 1, end - at - 1);
        require(tag.find_first_of("<&") == std::string::npos, "no text within a tag");
        require(tag.find("nan") == std::string::npos && tag.find("inf") == std::string::npos, "numbers are finite");
        if (tag[0] == '/') {
            require(!open.empty() && tag.substr(1) == open.back(), "tags are nested");
            open.pop_back();
        } else if (tag.back() != '/') {
            open.push_back(tag.substr(0, tag.find(' ')));
        }
        at = end;
    }
    require(open.empty(), "every tag is closed");
}

} // namespace

std::vector<std::string> seeds() {
    return {"", std::string(64, '\x40'), std::string(200, 'x'), std::string(100, '\0')};
}

void check_input(const uint8_t* data, size_t size) {
    static Pipe        pipe;
    FuzzedDataProvider input(data, size);
    const double lower = input.ConsumeBool() ? input.ConsumeFloatingPoint<double>() : input.ConsumeIntegral<int16_t>();
    const double upper =
        input.ConsumeBool() ? input.ConsumeFloatingPoint<double>() : lower + input.ConsumeIntegral<uint8_t>();
    const size_t few  = input.ConsumeIntegralInRange<size_t>(1, 64),
                 bins = few < 64 ? few : 1100; // more than a picture has columns
    std::vector<BinSeries> series(input.ConsumeIntegralInRange<size_t>(1, 4));
    for (BinSeries& one : series) {
        one.name = input.ConsumeRandomLengthString(40);
        one.counts.resize(bins);
        for (size_t i = 0; i < std::min<size_t>(bins, 8); ++i) one.counts[i] = input.ConsumeIntegral<uint32_t>();
    }
    const std::string title = input.ConsumeRandomLengthString(200);

    std::vector<double> edges(bins + 1, lower);
    for (size_t k = 1; k < bins; ++k) edges[k] += (upper - lower) / static_cast<double>(bins) * static_cast<double>(k);
    edges.back() = upper;

    const Result<void> csv     = write_histogram_csv(pipe.path(), edges, series);
    const std::string  table   = pipe.take();
    const Result<void> svg     = write_histogram_svg(pipe.path(), title, edges, series);
    const std::string  picture = pipe.take();
    require(static_cast<bool>(csv) == static_cast<bool>(svg), "both are written or none");
    if (!csv) {
        require_reason(csv.error(), pipe.path() + ": not written");
        require(table.empty() && picture.empty(), "what cannot be written is not begun");
        return;
    }
    require(table.rfind("bin,lower,upper,", 0) == 0 && table.back() == '\n', "a table has a header");
    require(static_cast<size_t>(std::count(table.begin(), table.end(), '\n')) > bins, "and a line for each bin");
    require(table.find("\n" + std::to_string(bins - 1) + ",") != std::string::npos, "the last one, too");
    require(picture.rfind("<svg ", 0) == 0, "a picture begins like one");
    require_xml(picture);
}

} // namespace vkprim::fuzz
