#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tools/cli/files/csv.h"
#include "tools/cli/program.h"
#include "tools/cli/sizes.h"

namespace vkprim::peers {
namespace {

const std::string offset_suffix = ", offset 1";

/// Significant enough at a microsecond as at a second.
std::string ms_text(double ms) { return ms < 0.1 ? fmt::format("{:.5f}", ms) : fmt::format("{:.4f}", ms); }

std::string median_text(const std::optional<Times>& times) { return times ? ms_text(times->median_ms) : "-"; }

std::string spread_text(const std::optional<Times>& times) {
    return times ? ms_text(times->fastest_ms) + ".." + ms_text(times->slowest_ms) : "-";
}

std::string ratio_text(const Row& row) {
    if (!row.wrong.empty()) return "WRONG";
    const std::optional<double> value = ratio(row);
    return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string verdict(const Row& row) {
    if (!row.wrong.empty()) return "WRONG: " + row.wrong;
    return row.ours ? "right" : "-";
}

std::string csv_times(const std::optional<Times>& times) {
    if (!times) return ",,";
    return fmt::format("{:.6f},{:.6f},{:.6f}", times->median_ms, times->fastest_ms, times->slowest_ms);
}

using Cells = std::vector<std::string>;

/// A Markdown table whose columns are as wide as their widest cell. Columns from `numbers_from` up to `numbers_to` are
/// aligned to the right.
struct MarkdownTable {
    Cells              head;
    size_t             numbers_from = 0, numbers_to = 0;
    std::vector<Cells> rows;

    bool is_number(size_t column) const { return column >= numbers_from && column < numbers_to; }

    std::string text() const {
        std::vector<size_t> widths;
        for (size_t c = 0; c < head.size(); ++c) {
            widths.push_back(std::max<size_t>(head[c].size(), 3));
            for (const Cells& row : rows) widths[c] = std::max(widths[c], row[c].size());
        }
        const auto line = [&](const Cells& cells) {
            std::string out = "|";
            for (size_t c = 0; c < cells.size(); ++c) {
                out += is_number(c) ? fmt::format(" {:>{}} |", cells[c], widths[c])
                                    : fmt::format(" {:<{}} |", cells[c], widths[c]);
            }
            return out + "\n";
        };
        std::string out = line(head) + "|";
        for (size_t c = 0; c < head.size(); ++c) {
            out += " " + std::string(widths[c] - 1, '-') + (is_number(c) ? ": |" : "- |");
        }
        out += "\n";
        for (const Cells& row : rows) out += line(row);
        return out;
    }
};

/// A cell must not end early.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c == '\n' ? ' ' : c);
    return out;
}

std::string main_table(const std::vector<Row>& rows) {
    MarkdownTable table;
    table.head         = {"op",
                          "name",
                          "count",
                          "ours ms",
                          "ours fastest..slowest",
                          "CUB ms",
                          "CUB fastest..slowest",
                          "CUB / ours",
                          "formulation of CUB",
                          "result",
                          "remark"};
    table.numbers_from = 2;
    table.numbers_to   = 8;
    for (const Row& row : rows) {
        table.rows.push_back({row.op, escaped(row.name), tools::size_text(row.count), median_text(row.ours),
                              spread_text(row.ours), median_text(row.cub), spread_text(row.cub), ratio_text(row),
                              escaped(row.formulation), escaped(verdict(row)), escaped(row.remark)});
    }
    return table.text();
}

/// The row of the same operation at well aligned addresses; null where there is none.
const Row* aligned_row(const std::vector<Row>& rows, const Row& offset) {
    const std::string name  = offset.name.substr(0, offset.name.size() - offset_suffix.size());
    const auto        found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
        return row.op == offset.op && row.name == name && row.count == offset.count;
    });
    return found == rows.end() ? nullptr : &*found;
}

std::string share_text(const std::optional<Times>& aligned, const std::optional<Times>& offset) {
    return aligned && offset ? fmt::format("{:.2f}", aligned->median_ms / offset->median_ms) : "-";
}

/// Empty where nothing was measured at an offset.
std::string offset_table(const std::vector<Row>& rows) {
    MarkdownTable table;
    table.head         = {"op",
                          "name",
                          "count",
                          "ours aligned ms",
                          "ours at offset ms",
                          "ours: speed kept",
                          "CUB aligned ms",
                          "CUB at offset ms",
                          "CUB: speed kept"};
    table.numbers_from = 2;
    table.numbers_to   = 9;
    for (const Row& row : rows) {
        if (!tools::ends_with(row.name, offset_suffix)) continue;
        const Row* const aligned = aligned_row(rows, row);
        const Row        none;
        const Row&       other = aligned && aligned->wrong.empty() && row.wrong.empty() ? *aligned : none;
        table.rows.push_back({row.op, escaped(row.name), tools::size_text(row.count), median_text(other.ours),
                              median_text(row.ours), share_text(other.ours, row.ours), median_text(other.cub),
                              median_text(row.cub), share_text(other.cub, row.cub)});
    }
    if (table.rows.empty()) return {};
    return "\n## One element past an aligned address\n\nInput and output begin one element (4 bytes) after an aligned "
           "address. Speed kept: time at aligned addresses by time here.\n\n" +
           table.text();
}

std::string cost_table(const std::vector<HostCost>& costs) {
    if (costs.empty()) return {};
    MarkdownTable table;
    table.head         = {"primitive", "record us", "create ms, cold cache", "create ms, warm cache"};
    table.numbers_from = 1;
    table.numbers_to   = 4;
    for (const HostCost& cost : costs) {
        table.rows.push_back({escaped(cost.name), fmt::format("{:.3f}", cost.record_us),
                              fmt::format("{:.3f}", cost.cold_ms), fmt::format("{:.3f}", cost.warm_ms)});
    }
    return "\n## Host cost\n\nvkprim only. record: CPU time of one call, the median of batches of calls into one "
           "command "
           "buffer each. create: once\nwith an empty VkPipelineCache, the driver's own disk cache switched off; and "
           "the "
           "median of several with one that has the pipelines.\n\n" +
           table.text();
}

} // namespace

std::optional<Times> summary(std::vector<double> runs_ms) {
    if (runs_ms.empty()) return std::nullopt;
    std::sort(runs_ms.begin(), runs_ms.end());
    const size_t middle = runs_ms.size() / 2;
    const double median = runs_ms.size() % 2 == 1 ? runs_ms[middle] : (runs_ms[middle - 1] + runs_ms[middle]) / 2;
    return Times{median, runs_ms.front(), runs_ms.back()};
}

std::optional<double> ratio(const Row& row) {
    if (!row.ours || !row.cub || !row.wrong.empty() || row.ours->median_ms <= 0) return std::nullopt;
    return row.cub->median_ms / row.ours->median_ms;
}

std::string csv_text(const std::vector<Row>& rows) {
    std::string out =
        "op,name,count,ours_ms,ours_fastest,ours_slowest,cub_ms,cub_fastest,cub_slowest,formulation,ratio,right,"
        "remark\n";
    for (const Row& row : rows) {
        const std::optional<double> value = ratio(row);
        const char* const           right = !row.wrong.empty() ? "WRONG" : row.ours ? "right" : "";
        const std::string           remark =
            row.wrong.empty() || row.remark.empty() ? row.wrong + row.remark : row.wrong + "; " + row.remark;
        out += fmt::format("{},{},{},{},{},{},{},{},{}\n", tools::csv_field(row.op), tools::csv_field(row.name),
                           row.count, csv_times(row.ours), csv_times(row.cub), tools::csv_field(row.formulation),
                           value ? fmt::format("{:.4f}", *value) : std::string(), right, tools::csv_field(remark));
    }
    return out;
}

std::string markdown_text(const Head& head, const std::vector<Row>& rows, const std::vector<HostCost>& costs) {
    std::string out = fmt::format("# vkprim{} on {}\n\n", head.cub.empty() ? "" : " and CUB", head.device);
    out += fmt::format("- {}, vkprim {}, Vulkan driver {}\n", head.date, head.vkprim, head.vulkan);
    if (!head.cub.empty()) out += fmt::format("- CUB {}, CUDA {}\n", head.cub, head.cuda);
    out += fmt::format("- {}\n- `{}`\n\n", head.method, head.command);
    out +=
        "Medians of milliseconds per operation. CUB / ours above 1: vkprim is faster. How it is measured: "
        "bench/README.md.\n\n";
    return out + main_table(rows) + offset_table(rows) + cost_table(costs);
}

std::string line_text(const Row& row) {
    return fmt::format("{:<10} {:<28} {:>11} {:>11} {:>11} {:>7}  {}{}{}\n", row.op, row.name,
                       tools::size_text(row.count), median_text(row.ours), median_text(row.cub), ratio_text(row),
                       verdict(row), row.formulation.empty() ? "" : "; " + row.formulation,
                       row.remark.empty() ? "" : "; " + row.remark);
}

std::string file_name(const std::string& device) {
    const std::string maker = "NVIDIA ";
    std::string       name;
    for (const char c : device.compare(0, maker.size(), maker) == 0 ? device.substr(maker.size()) : device) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte)) {
            name += static_cast<char>(std::tolower(byte));
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.empty() ? "device" : name;
}

} // namespace vkprim::peers
