// The tables of vkprim_peers: what was measured, and how it is written. Knows neither CUDA nor Vulkan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vkprim::peers {

/// Milliseconds per operation over all runs.
struct Times {
    double median_ms = 0, fastest_ms = 0, slowest_ms = 0;
};

/// Nothing where there are no runs.
std::optional<Times> summary(std::vector<double> runs_ms);

/// One operation at one size on both sides.
struct Row {
    std::string          op, name;
    uint32_t             count = 0;
    std::optional<Times> ours, cub;
    std::string          formulation; ///< how CUB was asked
    std::string          wrong;       ///< what is wrong with our result
    std::string          remark;      ///< why a side is missing, or what else there is to know
};

/// CUB's median by ours: above 1 where vkprim is faster. Nothing where a side is missing or our result is wrong.
std::optional<double> ratio(const Row& row);

/// What a call costs the CPU.
struct HostCost {
    std::string name;
    double      record_us = 0; ///< of one record()
    double      cold_ms   = 0; ///< of create() with an empty VkPipelineCache
    double      warm_ms   = 0; ///< with one that has the pipelines
};

struct Head {
    std::string device, command;
    std::string date;           ///< 2026-01-31
    std::string vkprim, vulkan; ///< versions: ours; the Vulkan driver's
    std::string cuda, cub;      ///< empty where CUB was left out
    std::string method;         ///< one line: rounds, runs, warm-up
};

std::string csv_text(const std::vector<Row>& rows);
std::string markdown_text(const Head& head, const std::vector<Row>& rows, const std::vector<HostCost>& costs);

/// One row as a line for the terminal.
std::string line_text(const Row& row);

/// "NVIDIA H200" as a file name: "h200".
std::string file_name(const std::string& device);

} // namespace vkprim::peers
