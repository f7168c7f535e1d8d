#include "page.h"

#include <fmt/format.h>

#include "chart.h"

namespace vkprim::tools::report {

namespace {

// The colours of Okabe and Ito (2008), which colour-blind people tell apart, darker on light ground.
constexpr const char* style = R"(
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --faint: #5c6570; --grid: #dfe3e8; --card: #f6f7f9;
  --c0: #0072b2; --c1: #c04f00; --c2: #00805c; --c3: #b0478a; --c4: #8a6d00; --c5: #2d8fc4; --c6: #5b5bd6; --c7: #444 }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #14171b; --ink: #e8eaed; --faint: #a0a8b2; --grid: #333a42; --card: #1c2026;
  --c0: #56b4e9; --c1: #ff9447; --c2: #2ec99a; --c3: #e592c4; --c4: #f0e442; --c5: #8fd0f5; --c6: #a5a5ff; --c7: #ccc } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif }
h1 { margin: 0; line-height: 1.2 } h2 { margin: 2.5rem 0 .2rem } h3 { margin: 0; font-size: 1rem }
p { margin: .2rem 0; color: var(--faint); max-width: 44rem }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 1rem; margin-top: 1rem;
  align-items: start }
figure { margin: 0; padding: .8rem; background: var(--card); border-radius: 8px; min-width: 0 }
figure p { font-size: .85rem } figure > svg { display: block; width: 100%; height: auto }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; stroke: var(--card); stroke-width: 4px; paint-order: stroke }
.grid { stroke: var(--grid) } .ceiling { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 6 4; fill: none }
.line { fill: none; stroke-width: 2 } .mark { stroke: none } .bar { fill: var(--c0) } .own { fill: var(--c1) }
.again { stroke-dasharray: 2 2 }
)";

constexpr const char* more_style = R"(
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .4rem 0 0; padding: 0; list-style: none; font-size: .85rem }
.legend svg { width: 24px; height: 16px; margin-right: .3rem; vertical-align: -3px }
.table { overflow-x: auto } table { border-collapse: collapse; margin-top: .6rem; font-size: .9rem }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--grid) }
@media (max-width: 600px) { svg text { font-size: 16px } }
details { font-size: .85rem; margin-top: .4rem } summary { cursor: pointer; color: var(--faint) }
@media print { body { max-width: none } details { display: none } figure { break-inside: avoid; background: none; border: 1px solid #ccc } }
)";

} // namespace

std::string html_of(const Page& page) {
    std::string colours;
    for (int c = 0; c < 8; ++c)
        colours += fmt::format(".line.c{0} {{ stroke: var(--c{0}) }} .mark.c{0} {{ fill: var(--c{0}) }}\n", c);
    std::string out = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{}{}{}</style>\n</head>\n<body>\n"
        "<h1>{}</h1>\n<p>{}</p>\n",
        escaped(page.title), style, more_style, colours, escaped(page.title), escaped(page.subtitle));
    for (const Section& section : page.sections) {
        out += fmt::format("<section>\n<h2>{}</h2>\n<p>{}</p>\n{}</section>\n", escaped(section.title),
                           escaped(section.about), section.content);
    }
    return out + "</body>\n</html>\n";
}

} // namespace vkprim::tools::report
