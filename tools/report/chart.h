// Charts as SVG and tables, for a page that brings their style (page.cpp). Every value shows where a pointer rests on it, and in a
// table that a chart unfolds.
#pragma once

#include <string>
#include <vector>

namespace vkprim::tools::report {

enum class Scale {
    linear, ///< from 0
    log2,   ///< ticks at powers of two
    log10   ///< ticks at powers of ten
};

struct Axis {
    std::string name; ///< with its unit: "elements", "GB/s"
    Scale       scale = Scale::linear;
};

struct Point {
    double      x = 0, y = 0;
    std::string note; ///< the value in words
};

struct Line {
    std::string        name;
    std::vector<Point> points;
    bool               is_ceiling = false; ///< what the others are held against: dashed, without marks
};

constexpr size_t most_lines = 10;

struct LineChart {
    std::string       title, about;
    Axis              x, y;
    std::vector<Line> lines; ///< at most `most_lines` that are no ceilings, each with a mark of its own
};

struct Bar {
    std::string name, note;
    double      value  = 0;
    bool        is_own = false; ///< in a colour of its own
};

struct BarChart {
    std::string      title, about;
    Axis             axis;
    std::vector<Bar> bars;        ///< from top to bottom
    double           ceiling = 0; ///< a line at that value; none where 0
    std::string      ceiling_name;
};

/// A <figure> with the chart, what it is about, and its legend. Where there is nothing to draw, it says so.
std::string figure_of(const LineChart& chart);
std::string figure_of(const BarChart& chart);

/// A table of text, the first row of which is its heading.
std::string table_of(const std::vector<std::vector<std::string>>& rows);

struct Span {
    double least = 0, greatest = 0;
};

/// Of one coordinate of all points; the least is above the greatest where there are none.
Span span_of(const LineChart& chart, double Point::*value);

/// `text` as it stands in HTML.
std::string escaped(const std::string& text);

/// Where an axis has its ticks between two values, the least and the greatest of what is drawn.
std::vector<double> ticks_of(Scale scale, double least, double greatest);

/// "2^20", "0.01", "1000", "2·10^6": what stands at a tick.
std::string tick_text(Scale scale, double value);

} // namespace vkprim::tools::report
