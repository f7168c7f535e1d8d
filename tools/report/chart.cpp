#include "chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace vkprim::tools::report {

namespace {

// In units of the drawing, which is as wide as its column.
constexpr double width = 480, height = 330, left = 68, right = 24, top = 12, bottom = 50, bar_height = 18,
                 bar_values = 64; // right of the bars

/// Where values of an axis lie between two places of the drawing.
class Ruler {
public:
    Ruler(Scale scale, double least, double greatest, double from, double to)
        : scale_(scale), from_(from), to_(to), ticks_(ticks_of(scale, least, greatest)) {
        first_ = place(std::min(ticks_.front(), least));
        last_  = place(std::max(ticks_.back(), greatest));
    }
    double at(double value) const {
        return last_ == first_ ? from_ : from_ + (place(value) - first_) / (last_ - first_) * (to_ - from_);
    }
    const std::vector<double>& ticks() const { return ticks_; }

private:
    double place(double value) const { return scale_ == Scale::linear ? value : std::log2(value); }

    Scale               scale_;
    double              from_, to_, first_ = 0, last_ = 0;
    std::vector<double> ticks_;
};

/// A mark of its own for each line, so that nobody needs its colour.
std::string mark(size_t line, double x, double y, const std::string& note) {
    const char* shapes[] = {"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
                            "M-4 -4h8v8h-8z",
                            "M0 -5l5 9h-10z",
                            "M0 -5l5 5l-5 5l-5 -5z",
                            "M0 5l5 -9h-10z",
                            "M-5 -3l2 -2l3 3l3 -3l2 2l-3 3l3 3l-2 2l-3 -3l-3 3l-2 -2l3 -3z",
                            "M-1 -5h2v4h4v2h-4v4h-2v-4h-4v-2h4z",
                            "M-5 -2h10l-3 6h-4z",
                            "M-5 -1.5h10v3h-10z",
                            "M-1.5 -5h3v10h-3z"};
    static_assert(sizeof(shapes) / sizeof(*shapes) == most_lines, "each line of a chart has a mark of its own");
    const std::string title = note.empty() ? "" : "<title>" + escaped(note) + "</title>";
    return fmt::format("<path class=\"mark c{}\" transform=\"translate({:.1f} {:.1f})\" d=\"{}\">{}</path>\n", line % 8,
                       x, y, shapes[line % most_lines], title);
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

std::string rule(double x1, double y1, double x2, double y2, const char* style) {
    return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style, x1, y1,
                       x2, y2);
}

/// What a chart is made of, in the order in which it is seen.
struct Parts {
    double      high = 0;
    std::string drawing, legend, values;
};

std::string figure(const std::string& title, const std::string& about, const Parts& parts) {
    return fmt::format(
        "<figure>\n<h3>{0}</h3>\n<p>{1}</p>\n<svg viewBox=\"0 0 {2} {3}\" role=\"img\" "
        "aria-label=\"{0}\">\n{4}</svg>\n{5}<details><summary>Values</summary>\n{6}</details>\n</figure>\n",
        escaped(title), escaped(about), width, parts.high, parts.drawing, parts.legend, parts.values);
}

/// A row for each place of the axis below, a column for each line.
std::string values_of(const LineChart& chart) {
    std::map<double, std::vector<std::string>> rows;
    std::vector<std::string>                   heading{chart.x.name};
    for (size_t l = 0; l < chart.lines.size(); ++l) {
        heading.push_back(chart.lines[l].name + ", " + chart.y.name);
        for (const Point& point : chart.lines[l].points) {
            std::vector<std::string>& row = rows[point.x];
            row.resize(chart.lines.size() + 1);
            row[0]     = tick_text(chart.x.scale, point.x);
            row[l + 1] = fmt::format("{:.4g}", point.y);
        }
    }
    std::vector<std::vector<std::string>> table{heading};
    for (const auto& [x, row] : rows) table.push_back(row);
    return table_of(table);
}

std::string empty_figure(const std::string& title, const std::string& about) {
    return fmt::format(
        "<figure>\n<h3>{}</h3>\n<p>{}</p>\n<p class=\"none\">Nothing was measured for this chart.</p>\n</figure>\n",
        escaped(title), escaped(about));
}

} // namespace

Span span_of(const LineChart& chart, double Point::*value) {
    Span span{INFINITY, -INFINITY};
    for (const Line& line : chart.lines) {
        for (const Point& point : line.points) {
            span.least    = std::min(span.least, point.*value);
            span.greatest = std::max(span.greatest, point.*value);
        }
    }
    return span;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string table_of(const std::vector<std::vector<std::string>>& rows) {
    std::string out = "<div class=\"table\"><table>\n";
    for (size_t r = 0; r < rows.size(); ++r) {
        out += "<tr>";
        for (const std::string& cell : rows[r])
            out += fmt::format("<{0}>{1}</{0}>", r == 0 ? "th" : "td", escaped(cell));
        out += "</tr>\n";
    }
    return out + "</table></div>\n";
}

std::vector<double> ticks_of(Scale scale, double least, double greatest) {
    std::vector<double> ticks;
    if (scale == Scale::linear) {
        const double rough = std::max(greatest, 1e-12) / 4, power = std::pow(10, std::floor(std::log10(rough)));
        const double step = rough / power < 2 ? power * 2 : rough / power < 5 ? power * 5 : power * 10;
        for (double i = 0; (i - 1) * step < greatest; ++i) ticks.push_back(i * step);
        return ticks;
    }
    if (scale == Scale::log2) { // within what is drawn
        const int from = static_cast<int>(std::ceil(std::log2(least))), to = static_cast<int>(std::log2(greatest));
        const int step = std::max(1, (to - from + 6) / 7);
        for (int exponent = from; exponent <= to; exponent += step) ticks.push_back(std::exp2(exponent));
        return ticks.empty() ? std::vector<double>{least} : ticks;
    }
    // Around it; where that is little, with 2 and 5 between the powers.
    const int from     = static_cast<int>(std::floor(std::log10(least))),
              to       = static_cast<int>(std::ceil(std::log10(greatest)));
    const bool is_fine = to - from <= 2;
    for (int exponent = from; exponent <= to; ++exponent) {
        for (double digit : {1.0, 2.0, 5.0}) {
            if (digit == 1 || is_fine) ticks.push_back(digit * std::pow(10, exponent));
        }
    }
    while (ticks.size() > 1 && ticks[1] <= least) ticks.erase(ticks.begin());
    while (ticks.size() > 1 && ticks[ticks.size() - 2] >= greatest) ticks.pop_back();
    return ticks;
}

std::string tick_text(Scale scale, double value) {
    const double exponent = std::round(std::log2(value));
    if (scale == Scale::log2 && value >= 1024 && std::exp2(exponent) == value) return fmt::format("2^{:.0f}", exponent);
    if (scale == Scale::log10 &&
        (value >= 1e5 || value < 1e-3)) { // six digits are wider than the place left of an axis
        const double power = std::floor(std::log10(value) + 1e-9), digit = value / std::pow(10, power);
        return fmt::format("{}10^{:.0f}", std::abs(digit - 1) < 1e-6 ? "" : fmt::format("{:.3g}·", digit), power);
    }
    return fmt::format("{:.10g}", value);
}

std::string figure_of(const LineChart& chart) {
    const auto [x_least, x_greatest] = span_of(chart, &Point::x);
    const auto [y_least, y_greatest] = span_of(chart, &Point::y);
    if (!(x_least <= x_greatest)) return empty_figure(chart.title, chart.about);
    const Ruler x(chart.x.scale, x_least, x_greatest, left, width - right);
    const Ruler y(chart.y.scale, y_least, y_greatest, height - bottom, top);

    std::string drawing, legend = "<ul class=\"legend\">\n";
    for (double tick : x.ticks()) {
        drawing += rule(x.at(tick), top, x.at(tick), height - bottom, "grid");
        drawing += text_at(x.at(tick), height - bottom + 20, "middle", tick_text(chart.x.scale, tick));
    }
    for (double tick : y.ticks()) {
        drawing += rule(left, y.at(tick), width - right, y.at(tick), "grid");
        drawing += text_at(left - 6, y.at(tick) + 4, "end", tick_text(chart.y.scale, tick));
    }
    drawing += text_at((left + width - right) / 2, height - 8, "middle", chart.x.name);
    drawing += fmt::format("<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                           (top + height - bottom) / 2, escaped(chart.y.name));
    size_t colour = 0;
    for (const Line& line : chart.lines) {
        std::string places, marks;
        for (const Point& point : line.points) {
            places += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.y));
            if (!line.is_ceiling) marks += mark(colour, x.at(point.x), y.at(point.y), line.name + ": " + point.note);
        }
        const std::string style = line.is_ceiling ? "ceiling"
                                  : colour < 8    ? fmt::format("line c{}", colour)
                                                  : fmt::format("line again c{}", colour % 8);
        drawing += fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n{}", style, places, marks);
        legend += fmt::format(
            "<li><svg viewBox=\"-12 -8 24 16\" aria-hidden=\"true\"><line class=\"{}\" x1=\"-12\" y1=\"0\" "
            "x2=\"12\" y2=\"0\"/>{}</svg>{}</li>\n",
            style, line.is_ceiling ? "" : mark(colour, 0, 0, ""), escaped(line.name));
        if (!line.is_ceiling) ++colour;
    }
    return figure(chart.title, chart.about, {height, drawing, legend + "</ul>\n", values_of(chart)});
}

std::string figure_of(const BarChart& chart) {
    double greatest = chart.ceiling, least = INFINITY;
    for (const Bar& bar : chart.bars) {
        greatest = std::max(greatest, bar.value);
        if (bar.value > 0) least = std::min(least, bar.value);
    }
    if (std::isinf(least)) return empty_figure(chart.title, chart.about);
    // A name above each bar, so that long ones have room on a phone.
    const double row = bar_height + 24, high = top + row * static_cast<double>(chart.bars.size()) + bottom;
    const double end = high - bottom;
    const bool   log = chart.axis.scale != Scale::linear;
    // A bar begins somewhere even on a logarithmic axis: at the power below the least.
    const Ruler x(chart.axis.scale, log ? least * 0.5 : 0, greatest, 8, width - right - bar_values);
    std::string drawing;
    for (double tick : x.ticks()) {
        drawing += rule(x.at(tick), top, x.at(tick), end, "grid");
        const char* anchor = x.at(tick) < 30 ? "start" : "middle"; // within the drawing
        drawing += text_at(x.at(tick), end + 20, anchor, tick_text(chart.axis.scale, tick));
    }
    drawing += text_at(width / 2, high - 8, "middle", chart.axis.name);
    if (chart.ceiling > 0) drawing += rule(x.at(chart.ceiling), top, x.at(chart.ceiling), end, "ceiling");
    std::vector<std::vector<std::string>> values{{"step", chart.axis.name, ""}};
    double                                y = top;
    for (const Bar& bar : chart.bars) {
        values.push_back({bar.name, fmt::format("{:.4g}", bar.value), bar.note});
        const double begin = x.at(x.ticks().front()), wide = bar.value > 0 ? std::max(1.0, x.at(bar.value) - begin) : 0;
        drawing += text_at(begin + 2, y + 13, "start", bar.name);
        drawing += text_at(width - right, y + 13, "end", fmt::format("{:.4g}", bar.value));
        drawing += fmt::format(
            "<rect class=\"bar{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"><title>{}</title></rect>\n",
            bar.is_own ? " own" : "", begin, y + 19, wide, bar_height, escaped(bar.name + ": " + bar.note));
        y += row;
    }
    std::string legend;
    if (chart.ceiling > 0) {
        legend = fmt::format(
            "<ul class=\"legend\"><li><svg viewBox=\"-12 -8 24 16\" aria-hidden=\"true\"><line class=\"ceiling\" "
            "x1=\"-12\" y1=\"0\" x2=\"12\" y2=\"0\"/></svg>{}</li></ul>\n",
            escaped(chart.ceiling_name));
    }
    return figure(chart.title, chart.about, {high, drawing, legend, table_of(values)});
}

} // namespace vkprim::tools::report
