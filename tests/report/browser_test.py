"""The page of `vkprim report` in headless Chromium: usage: browser_test.py VKPRIM PEERS.csv [PICTURES]

Writes a report with its JSON and CSV, and opens it as wide as a desk's screen and a phone's, light, dark and printed. Fails where the
browser has anything to say, where the page asks for anything but itself, where a chart lacks a value that the JSON has or does not
fit its place. With PICTURES, a folder, leaves what was seen there.
"""

import base64
import csv
import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    from selenium import webdriver
except ImportError:
    print("there is no selenium here: apt-get install chromium-driver python3-selenium")
    sys.exit(77)

WIDTHS = (1280, 390)
GROUPS = ("bandwidth", "latency", "ladders", "sweeps", "peers")  # in the page's order

# What the page shows: for each figure its title and the values that have a note, and everything that does not fit.
SEEN = """
const figures = [...document.querySelectorAll('figure')].map(figure => ({
    title: figure.querySelector('h3').textContent,
    marks: figure.querySelectorAll(':scope > svg .mark').length,
    bars: figure.querySelectorAll('.bar').length,
    notes: [...figure.querySelectorAll(':scope > svg title')].filter(title => title.textContent.length > 0).length,
    legend: [...figure.querySelectorAll('.legend li')].map(entry => entry.textContent.trim()),
    rows: figure.querySelectorAll('details tr').length}));
const outside = [];
for (const svg of document.querySelectorAll('figure > svg')) {
    const frame = svg.getBoundingClientRect();
    for (const part of svg.querySelectorAll('text, .mark, .bar')) {
        const box = part.getBoundingClientRect();
        if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
            outside.push(part.outerHTML);
    }
}
return {figures, outside, wide: document.documentElement.scrollWidth - window.innerWidth,
        paper: getComputedStyle(document.body).backgroundColor};
"""


def open_browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.chrome.service.Service("/usr/bin/chromedriver")
    return webdriver.Chrome(service=service, options=options)


def requests_of(browser):
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def check_figure(figure, chart):
    assert figure["title"] == chart["title"], (figure["title"], chart["title"])
    if "bars" in chart:
        assert chart["bars"], "the ladder %s has no bars" % chart["title"]
        assert figure["bars"] == figure["notes"] == len(chart["bars"]), (figure, chart)
        assert figure["rows"] == len(chart["bars"]) + 1, figure
        return
    points = [len(line["points"]) for line in chart["lines"] if not line["is_ceiling"]]
    assert points and all(points), "a line of %s has no points" % chart["title"]
    assert figure["marks"] == figure["notes"] == sum(points), (figure, points)
    assert figure["legend"] == [line["name"] for line in chart["lines"]], figure
    places = {point[0] for line in chart["lines"] for point in line["points"]}
    assert figure["rows"] == len(places) + 1, (figure, places)


def check_page(browser, url, charts, width, scheme):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            {"media": "print" if scheme == "print" else "screen",
                             "features": [{"name": "prefers-color-scheme", "value": "dark" if scheme != "light" else "light"}]})
    browser.get(url)
    seen = browser.execute_script(SEEN)
    assert seen["wide"] <= 0, "the page is %d pixels too wide at %d" % (seen["wide"], width)
    assert not seen["outside"], seen["outside"]
    assert (seen["paper"] == "rgb(255, 255, 255)") == (scheme != "dark"), (scheme, seen["paper"])
    assert len(seen["figures"]) == len(charts), (len(seen["figures"]), len(charts))
    for figure, chart in zip(seen["figures"], charts):
        check_figure(figure, chart)
    assert browser.get_log("browser") == [], "the browser's console has something to say"
    assert set(requests_of(browser)) == {url}, "the page asks for more than itself"


def picture_of(browser, path):
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "format": "png"})
    path.write_bytes(base64.b64decode(shot["data"]))


def main(vkprim, peers, pictures=None):
    drivers = os.environ.get("VKPRIM_TEST_ICD")
    if drivers:
        if not glob.glob(drivers):
            print("there is no driver: %s" % os.environ["VKPRIM_TEST_HELP"])
            sys.exit(77)
        os.environ["VK_DRIVER_FILES"] = os.environ["VK_ICD_FILENAMES"] = glob.glob(drivers)[0]
    with tempfile.TemporaryDirectory() as folder:
        page, data, table = (pathlib.Path(folder) / name for name in ("report.html", "report.json", "report.csv"))
        subprocess.run([vkprim, "report", "--quick", "-o", page, "--json", data, "--csv", table, "--peers", peers], check=True)
        report = json.loads(data.read_text())
        charts = [chart for group in GROUPS for chart in report[group]]
        assert all(report[group] for group in GROUPS), "a group of charts is empty"
        assert all(row["failed"] == 0 and row["cases"] > 0 for row in report["verification"]), report["verification"]

        values = sum(len(chart["bars"]) if "bars" in chart else sum(len(line["points"]) for line in chart["lines"])
                     for chart in charts)
        rows = list(csv.DictReader(table.read_text().splitlines()))
        drawn = [row for row in rows if row["part"] not in ("device", "verification")]
        assert len(drawn) == values and all(float(row["y"]) > 0 for row in drawn), (len(drawn), values)
        verified = {(row["title"], row["name"]): float(row["y"]) for row in rows if row["part"] == "verification"}
        assert all(verified[row["primitive"], "cases"] == row["cases"] for row in report["verification"]), verified
        assert any(row["part"] == "device" and row["y"] == report["device"]["name"] for row in rows), rows

        browser = open_browser()
        try:
            for width in WIDTHS:
                for scheme in ("light", "dark", "print"):
                    check_page(browser, page.as_uri(), charts, width, scheme)
                    if pictures:
                        picture_of(browser, pathlib.Path(pictures) / ("report_%d_%s.png" % (width, scheme)))
        finally:
            browser.quit()
        print("%d charts with %d values, at %s pixels" % (len(charts), values, " and ".join(map(str, WIDTHS))))


if __name__ == "__main__":
    main(*sys.argv[1:])
