// Parts of the page of `vkprim report`; report/browser_test.py looks at all of it.
#include "tools/report/chart.h"

#include "support/catch.h"
#include "tools/cli/files/csv.h"

namespace vkprim::tools::report {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("report: ticks", "[host][report]") {
    CHECK(ticks_of(Scale::linear, 0, 10) == std::vector<double>{0, 5, 10});
    CHECK(ticks_of(Scale::linear, 0, 0.7) == std::vector<double>{0, 0.2, 0.4, 0.2 * 3, 0.8});
    CHECK(ticks_of(Scale::log2, 1000, 300000) == std::vector<double>{1024, 4096, 16384, 65536, 262144});
    CHECK(ticks_of(Scale::log2, 1024, 1 << 28).back() == 1 << 28);
    CHECK(ticks_of(Scale::log2, 3, 3) == std::vector<double>{3});
    CHECK(ticks_of(Scale::log10, 0.3, 4000) == std::vector<double>{0.1, 1, 10, 100, 1000, 10000});
    CHECK(ticks_of(Scale::log10, 3, 14) == std::vector<double>{2, 5, 10, 20});
    CHECK(ticks_of(Scale::log10, 10, 10) == std::vector<double>{10});
    CHECK(tick_text(Scale::log2, 1 << 20) == "2^20");
    CHECK(tick_text(Scale::log2, 256) == "256");
    CHECK(tick_text(Scale::log2, 1000000) == "1000000");
    CHECK(tick_text(Scale::log10, 0.1) == "0.1");
    CHECK(tick_text(Scale::log10, 1e6) == "10^6");
    CHECK(tick_text(Scale::log10, 2e-5) == "2·10^-5");
    for (const double tick : ticks_of(Scale::log10, 1e-9, 1e9)) {
        CAPTURE(tick);
        CHECK(tick_text(Scale::log10, tick).size() <= 5); // what fits on a phone
    }
}

TEST_CASE("report: text from elsewhere is text", "[host][report]") {
    CHECK(escaped("a < b & \"c\" > d") == "a &lt; b &amp; &quot;c&quot; &gt; d");
    LineChart chart{"<chart>", "<about>", {"<x>", Scale::log2}, {"<y>", Scale::log10}, {}};
    chart.lines              = {{"<line>", {{1, 2, "<note>"}}}, {"<ceiling>", {{1, 3, ""}}, true}};
    const std::string figure = figure_of(chart);
    for (const char* name : {"chart", "about", "x", "y", "line", "note", "ceiling"}) {
        CAPTURE(name);
        CHECK(contains(figure, "&lt;" + std::string(name) + "&gt;"));
        CHECK_FALSE(contains(figure, "<" + std::string(name) + ">"));
    }
}

TEST_CASE("report: charts of nothing say so", "[host][report]") {
    CHECK(contains(figure_of(LineChart{}), "Nothing was measured"));
    CHECK(contains(figure_of(BarChart{}), "Nothing was measured"));
    const LineChart without_points{"", "", {}, {}, {{"line", {}}}};
    CHECK(contains(figure_of(without_points), "Nothing was measured"));
    BarChart zeros;
    zeros.bars = {{"bar", "note", 0}};
    CHECK(contains(figure_of(zeros), "Nothing was measured"));
}

TEST_CASE("report: no number is lost or infinite", "[host][report]") {
    const LineChart one{"", "", {"x", Scale::log2}, {"y", Scale::log10}, {{"line", {{4, 0.5, "one point"}}}}};
    BarChart        bars;
    bars.axis.scale = Scale::log10;
    bars.bars       = {{"slow", "", 0.001}, {"none", "", 0}, {"fast", "", 4000}};
    bars.ceiling    = 3900;
    for (const std::string& figure : {figure_of(one), figure_of(bars)}) {
        CHECK_FALSE(contains(figure, "inf"));
        CHECK_FALSE(contains(figure, "nan"));
    }
    CHECK(contains(figure_of(one), "<td>4</td><td>0.5</td>"));
    CHECK(contains(figure_of(bars), "<td>slow</td><td>0.001</td>"));
}

TEST_CASE("report: fields of CSV are read as they are written", "[host][report]") {
    const std::vector<std::string> fields{"plain", "", "with, comma", "a \"word\"", "\""};
    std::string                    row;
    for (const std::string& field : fields) row += (row.empty() ? "" : ",") + csv_field(field);
    CHECK(csv_fields(row) == fields);
    CHECK(csv_fields(row + "\r") == fields);
    CHECK(csv_fields("") == std::vector<std::string>{""});
}

} // namespace vkprim::tools::report
