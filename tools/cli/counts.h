// What a histogram of a file's samples is asked for, and what is said of its counts.
#pragma once

#include <vkprim/histogram.h>

#include <string>
#include <vector>

#include "program.h"
#include "record.h"

namespace vkprim::tools {

constexpr uint32_t max_bins      = 1u << 20;
constexpr size_t   max_json_bins = 4096;

struct CountFlags {
    std::string         output, svg;
    uint32_t            bins = 256;
    std::vector<double> range;
};

/// -o, --svg, --bins and --range.
void add_count_flags(Options& options, CountFlags& flags, const std::string& output_help);

// What can be said of them before anything is read, as a Failure.
void check_bins(const CountFlags& flags);
void check_count_outputs(const CountFlags& flags);

/// The same by its other name.
NumberType number_type(SampleType type);

/// The same type, which a histogram takes. A Failure for others; `name` is what it calls the file.
SampleType sample_type(const std::string& name, NumberType type);

/// What the flags ask for. create() refuses the rest, in words of its own.
Histogram::Desc describe(const CountFlags& flags, SampleType type, const std::string& name);

/// Between bins, at both ends, too: what their samples were compared with.
std::vector<double> edges_of(const Histogram::Desc& desc);

/// bins, lower and upper.
void add_bins(Json& json, const Histogram::Desc& desc);

/// What is said of samples that were counted.
struct Counted {
    Histogram::Desc        desc;
    uint64_t               samples = 0;
    std::vector<BinSeries> series;
    bool                   picture = false;
    uint32_t               width = 0, height = 0;

    uint64_t outside() const; ///< of the range
};

/// Writes the outputs, of a file called `name`, and returns the rest. `counted` must outlive it.
Record record_of(const CountFlags& flags, const Counted& counted, const std::string& name);

} // namespace vkprim::tools
