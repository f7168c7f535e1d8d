// Histograms for people: a table as CSV, a picture as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "csv.h"
#include "file_io.h"
#include "files.h"

namespace vkprim::tools {

namespace {

/// Nothing, or why the writers cannot draw this.
Result<void> check(const std::string& path, const std::vector<double>& edges, const std::vector<BinSeries>& series) {
    const double lower = edges.empty() ? 0 : edges.front(), upper = edges.empty() ? 0 : edges.back();
    const double width = upper - lower;
    if (!(width > 1e-300 && width < 1e300)) { // far beyond floats; keeps all sums and products finite
        return file_error(path,
                          fmt::format("not written: the range from {} to {} is empty or too large", lower, upper));
    }
    const bool same_size = std::all_of(series.begin(), series.end(), [&](const BinSeries& one) {
        return !one.counts.empty() && one.counts.size() + 1 == edges.size();
    });
    if (series.empty() || !same_size) return file_error(path, "not written: needs series of equally many bins");
    return {};
}

/// Length of the UTF-8 sequence that `text` begins with if XML may contain it, else 0.
size_t xml_character_length(std::string_view text) {
    const auto byte  = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto tail  = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
    const auto first = byte(0), second = byte(1);
    if (first < 0x80) return first >= 0x20 ? 1 : 0;
    if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        if (first == 0xe0 && second < 0xa0) return 0;                    // longer than need be
        if (first == 0xed && second > 0x9f) return 0;                    // surrogates
        if (first == 0xef && second == 0xbf && byte(2) > 0xbd) return 0; // U+FFFE, U+FFFF
        return tail(1) && tail(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        if (first == 0xf0 && second < 0x90) return 0;
        if (first == 0xf4 && second > 0x8f) return 0;
        return tail(1) && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}

/// Any bytes as the text of an XML element.
std::string xml_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const size_t length = xml_character_length(text);
        if (length == 0) {
            out += "\xef\xbf\xbd"; // U+FFFD, the replacement character
        } else if (text[0] == '&') {
            out += "&amp;";
        } else if (text[0] == '<') {
            out += "&lt;";
        } else if (text[0] == '>') {
            out += "&gt;";
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    return out;
}

/// The end of a long text, where a path has its file name.
std::string shortened(const std::string& text, size_t limit) {
    if (text.size() <= limit) return text;
    size_t begin = text.size() - limit;
    while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) ++begin;
    return "\xe2\x80\xa6" + text.substr(begin); // an ellipsis
}

/// Narrow spaces between the thousands of a number such as -1234567 or 1234567.5, but not of 1e+38.
std::string grouped(const std::string& number) {
    if (number.find('e') != std::string::npos) return number;
    const size_t begin = number[0] == '-' ? 1 : 0, end = std::min(number.find('.'), number.size());
    std::string  out;
    for (size_t i = 0; i < number.size(); ++i) {
        if (i > begin && i < end && (end - i) % 3 == 0) out += "\xe2\x80\xaf";
        out += number[i];
    }
    return out;
}

std::string grouped(uint64_t number) { return grouped(std::to_string(number)); }

/// The smallest of 1, 2 and 5 times a power of ten that is at least `step`.
double nice_step(double step) {
    const double power = std::pow(10.0, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= step * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

constexpr double digit_width = 8; ///< with its share of the spaces between thousands

struct Tick {
    double      value;
    std::string label;
    double      width;
};

/// Ticks of the x axis, as many as have room for their labels.
std::vector<Tick> value_ticks(double lower, double upper, double width) {
    constexpr double  gap = 16;
    std::vector<Tick> ticks;
    for (const int wanted : {10, 5, 3, 2}) {
        const double step   = nice_step((upper - lower) / wanted);
        const double first  = std::ceil(lower / step - 1e-9);
        const double extent = std::max(std::abs(lower), std::abs(upper));
        // Enough digits to tell neighbours apart, and no rounding errors.
        const int digits = std::clamp(static_cast<int>(std::log10(extent / step)) + 2, 10, 17);

        double widest = 0;
        ticks.clear();
        for (int i = 0; i <= 2 * wanted; ++i) {
            const double value = (first + i) * step;
            if (value > upper + 1e-9 * step) break;
            const std::string label = fmt::format("{:.{}g}", value + 0.0, digits); // + 0.0: no "-0"
            ticks.push_back({value, grouped(label), static_cast<double>(label.size()) * digit_width});
            widest = std::max(widest, ticks.back().width);
        }
        if (widest + gap <= width * step / (upper - lower)) break;
    }
    return ticks;
}

/// Colours after Okabe and Ito, which the colour-blind can tell apart.
struct Paint {
    std::string_view name, light, dark;
};
constexpr Paint paints[] = {
    {"count", "#0072b2", "#56b4e9"}, {"red", "#d55e00", "#ff8a4c"},   {"green", "#009e73", "#2fd6a5"},
    {"blue", "#0072b2", "#56b4e9"},  {"alpha", "#a0498a", "#e6a3cb"}, {"gray", "#555555", "#b8b8b8"},
};

size_t paint_of(const std::string& name) {
    const auto found =
        std::find_if(std::begin(paints), std::end(paints), [&](const Paint& one) { return one.name == name; });
    return found == std::end(paints) ? 0 : static_cast<size_t>(found - std::begin(paints));
}

std::string style(bool several) {
    std::string light, dark;
    for (size_t i = 0; i < std::size(paints); ++i) {
        light += fmt::format(".p{0}{{fill:{1};stroke:{1}}}\n", i, paints[i].light);
        dark += fmt::format(".p{0}{{fill:{1};stroke:{1}}}\n", i, paints[i].dark);
    }
    return fmt::format(R"(<style>
text{{font:12px system-ui,"DejaVu Sans",sans-serif;fill:#333333}}
.title{{font-size:17px;font-weight:600}}
.paper{{fill:#ffffff}}
.grid{{stroke:#dddddd}}
.axis{{stroke:#666666}}
.area{{fill-opacity:{};stroke-width:1;stroke-linejoin:round}}
.hover{{fill:#888888;fill-opacity:0}}
.hover rect:hover{{fill-opacity:.3}}
{}@media (prefers-color-scheme:dark){{
text{{fill:#dddddd}}
.paper{{fill:#16181c}}
.grid{{stroke:#34373d}}
.axis{{stroke:#9a9a9a}}
{}}}
</style>
)",
                       several ? ".3" : ".75", light, dark);
}

/// Where the drawing lies within the picture, in its units.
constexpr double picture_width = 960, picture_height = 480;
constexpr double left = 110, right = 930, top = 74, bottom = 414;
constexpr size_t max_columns = 1024; ///< more than a screen tells apart

/// One drawn column of neighbouring bins.
struct Columns {
    size_t bins, count;
    size_t begin(size_t column) const { return column * bins / count; }
    double x(size_t column) const {
        return left + (right - left) * static_cast<double>(begin(column)) / static_cast<double>(bins);
    }
};

double y_of(uint64_t samples, double y_max) {
    const double y = bottom - (bottom - top) * static_cast<double>(samples) / y_max;
    return samples > 0 ? std::min(y, bottom - 1) : y; // a single sample among millions still shows
}

std::string axes(double lower, double upper, double y_step, double y_max) {
    std::string out;
    for (double value = 0; value <= y_max; value += y_step) {
        const double y = bottom - (bottom - top) * value / y_max;
        out += fmt::format("<path class=\"grid\" d=\"M{} {:.2f}H{}\"/>", left, y, right);
        out += fmt::format("<text x=\"{}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", left - 8, y + 4,
                           grouped(static_cast<uint64_t>(std::llround(value))));
    }
    for (const Tick& tick : value_ticks(lower, upper, right - left)) {
        const double x = left + (right - left) * (tick.value - lower) / (upper - lower);
        out += fmt::format("<path class=\"axis\" d=\"M{:.2f} {}v5\"/>", x, bottom);
        out += fmt::format("<text x=\"{:.2f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                           std::min(x, picture_width - 4 - tick.width / 2), bottom + 19, tick.label);
    }
    const double x_middle = (left + right) / 2, y_middle = (top + bottom) / 2;
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">sample value</text>\n", x_middle, bottom + 44);
    out += fmt::format(
        "<text transform=\"translate(22 {}) rotate(-90)\" text-anchor=\"middle\">samples per bin</text>\n", y_middle);
    return out;
}

std::string area(const std::vector<uint64_t>& counts, const Columns& columns, double y_max, size_t paint) {
    std::string out  = fmt::format("<path class=\"area p{}\" d=\"M{} {}", paint, left, bottom);
    double      last = bottom;
    for (size_t column = 0; column < columns.count; ++column) {
        const auto   first = counts.begin() + static_cast<std::ptrdiff_t>(columns.begin(column));
        const auto   end   = counts.begin() + static_cast<std::ptrdiff_t>(columns.begin(column + 1));
        const double y     = y_of(*std::max_element(first, end), y_max);
        if (y != last) out += fmt::format("H{:.2f}V{:.2f}", columns.x(column), y);
        last = y;
    }
    return out + fmt::format("H{}V{}Z\"/>\n", right, bottom);
}

std::string legend(const std::vector<BinSeries>& series) {
    constexpr double letter_width = 7.5, swatch = 12;
    std::string      out;
    double           x = right;
    for (auto one = series.rbegin(); one != series.rend(); ++one) {
        x -= static_cast<double>(one->name.size()) * letter_width;
        out += fmt::format("<text x=\"{:.1f}\" y=\"56\">{}</text>", x, xml_text(one->name));
        x -= swatch + 6;
        out += fmt::format("<rect class=\"area p{}\" x=\"{:.1f}\" y=\"46\" width=\"{}\" height=\"{}\"/>\n",
                           paint_of(one->name), x, swatch, swatch);
        x -= 18;
    }
    return out;
}

std::string caption(double lower, double upper, const std::vector<BinSeries>& series, const Columns& columns) {
    std::vector<uint64_t> totals;
    for (const BinSeries& one : series) {
        totals.push_back(0);
        for (const uint64_t count : one.counts) totals.back() += count;
    }
    const bool  same = std::all_of(totals.begin(), totals.end(), [&](uint64_t total) { return total == totals[0]; });
    std::string out  = fmt::format("{} {} of width {:.6g}", grouped(columns.bins), columns.bins == 1 ? "bin" : "bins",
                                   (upper - lower) / static_cast<double>(columns.bins));
    if (same) {
        out += fmt::format(", {} {}{}", grouped(totals[0]), totals[0] == 1 ? "sample" : "samples",
                           series.size() > 1 ? " per channel" : "");
    }
    if (columns.count < columns.bins) {
        out += fmt::format("; each of the {} columns shows the fullest of up to {} bins", grouped(columns.count),
                           grouped((columns.bins + columns.count - 1) / columns.count));
    }
    return out;
}

/// Invisible bars of full height, easy to hit, that tell their values.
std::string hover(const std::vector<double>& edges, const std::vector<BinSeries>& series, const Columns& columns) {
    std::string out = "<g class=\"hover\">\n";
    for (size_t bin = 0; bin < columns.bins; ++bin) {
        const double x = columns.x(bin);
        out += fmt::format("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"><title>{} to {}:", x, top,
                           columns.x(bin + 1) - x, bottom - top, edges[bin], edges[bin + 1]);
        for (size_t i = 0; i < series.size(); ++i) {
            out += fmt::format("{} {} {}", i > 0 ? "," : "", xml_text(series[i].name), grouped(series[i].counts[bin]));
        }
        out += "</title></rect>\n";
    }
    return out + "</g>\n";
}

} // namespace

Result<void> write_histogram_csv(const std::string& path, const std::vector<double>& edges,
                                 const std::vector<BinSeries>& series) {
    return report_exceptions(path, [&]() -> Result<void> {
        if (const Result<void> checked = check(path, edges, series); !checked) return checked.error();
        fmt::memory_buffer out;
        const auto         to = std::back_inserter(out);
        fmt::format_to(to, "bin,lower,upper");
        for (const BinSeries& one : series) fmt::format_to(to, ",{}", csv_field(one.name));
        fmt::format_to(to, "\n");

        const size_t bins = series[0].counts.size();
        for (size_t bin = 0; bin < bins; ++bin) {
            fmt::format_to(to, "{},{},{}", bin, edges[bin], edges[bin + 1]);
            for (const BinSeries& one : series) fmt::format_to(to, ",{}", one.counts[bin]);
            fmt::format_to(to, "\n");
        }
        return write_file(path, out.data(), out.size());
    });
}

Result<void> write_histogram_svg(const std::string& path, const std::string& title, const std::vector<double>& edges,
                                 const std::vector<BinSeries>& series) {
    return report_exceptions(path, [&]() -> Result<void> {
        if (const Result<void> checked = check(path, edges, series); !checked) return checked.error();
        const double  lower = edges.front(), upper = edges.back();
        const size_t  bins    = series[0].counts.size();
        const Columns columns = {bins, std::min(bins, max_columns)};
        uint64_t      highest = 1;
        for (const BinSeries& one : series) {
            highest = std::max(highest, *std::max_element(one.counts.begin(), one.counts.end()));
        }
        const double y_step = std::max(1.0, nice_step(static_cast<double>(highest) / 6));
        const double y_max  = static_cast<double>(highest) * 1.04; // some air above the fullest bin

        std::string out = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n<title>{}</title>\n",
            picture_width, picture_height, xml_text(title));
        out += style(series.size() > 1);
        out += fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", picture_width, picture_height);
        out += fmt::format("<text class=\"title\" x=\"{}\" y=\"32\">{}</text>\n", left, xml_text(shortened(title, 70)));
        out += fmt::format("<text x=\"{}\" y=\"56\">{}</text>\n", left, caption(lower, upper, series, columns));
        if (series.size() > 1) out += legend(series);
        out += axes(lower, upper, y_step, y_max);
        for (const BinSeries& one : series) out += area(one.counts, columns, y_max, paint_of(one.name));
        out += fmt::format("<path class=\"axis\" d=\"M{} {}H{}\"/>\n", left, bottom, right);
        if (bins <= max_columns) out += hover(edges, series, columns);
        out += "</svg>\n";
        return write_file(path, out.data(), out.size());
    });
}

} // namespace vkprim::tools
