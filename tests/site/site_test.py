"""The site of documents and reference in headless Chromium: usage: site_test.py SITE.PY FOLDER [PICTURES]

Makes the site in FOLDER, checks every link between its files, and opens it: the start page with its pictures, a guide, the reference of
Scan, and the search. Fails where the browser has anything to say. With PICTURES, a folder, leaves what was seen there.
"""

import html.parser
import json
import pathlib
import subprocess
import sys
import urllib.parse

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    print("there is no selenium here: apt-get install chromium-driver python3-selenium")
    sys.exit(77)


class Links(html.parser.HTMLParser):
    """What a page links and shows, and the ids that it has."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.targets.append(value)
            if name == "id" or (name == "name" and tag == "a"):
                self.ids.add(value)


def check_links(site):
    pages = {path: Links(path.read_text()) for path in site.rglob("*.html")}
    dead, count = [], 0
    for path, page in pages.items():
        for target in page.targets:
            url = urllib.parse.urlsplit(target)
            if url.scheme or url.netloc:
                assert url.scheme in ("https", "http", "javascript"), (path, target)
                continue
            count += 1
            file = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            anchor = urllib.parse.unquote(url.fragment)
            if not file.is_file() or (anchor and anchor not in pages.get(file, page).ids):
                dead.append(f"{path.relative_to(site)}: {target}")
    assert not dead, "dead links:\n" + "\n".join(dead)
    assert len(pages) > 100 and count > 5000, (len(pages), count)
    return len(pages), count


def open_browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=webdriver.chrome.service.Service("/usr/bin/chromedriver"), options=options)


def follow(browser, selector, title):
    """Clicks a link, and waits for the page that it leads to."""
    browser.execute_script("arguments[0].click()", browser.find_element(By.CSS_SELECTOR, selector))
    WebDriverWait(browser, 20).until(lambda _: title in browser.title, "%s leads to '%s', not to '%s'" % (selector, browser.title, title))
    anchor = browser.execute_script("return decodeURIComponent(location.hash.slice(1))")
    assert not anchor or browser.find_elements(By.ID, anchor), browser.current_url


def main():
    site = pathlib.Path(sys.argv[2]).resolve()
    made = subprocess.run([sys.executable, sys.argv[1], site])
    if made.returncode != 0:
        sys.exit(made.returncode)
    pages, links = check_links(site)
    pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None

    browser = open_browser()
    try:
        def keep(name):
            if pictures:
                browser.save_screenshot(str(pictures / name))

        browser.get((site / "index.html").as_uri())
        assert browser.title == "vkprim: vkprim", browser.title
        keep("start.png")
        follow(browser, ".contents a[href^='examples.html']", "Examples")
        shown = browser.execute_script(
            "return [...document.querySelectorAll('.contents img')].map(i => [i.getAttribute('src'), i.naturalWidth])")
        assert len(shown) >= 4 and all(width > 100 for _, width in shown), shown
        browser.back()

        follow(browser, ".contents a[href^='embedding.html']", "Embedding vkprim")
        assert len(browser.find_elements(By.CSS_SELECTOR, ".contents pre, .contents .fragment")) > 10
        keep("guide.png")
        follow(browser, ".contents a[href='classvkprim_1_1Scan.html']", "vkprim::Scan Class Reference")
        verbs = {element.text.strip() for element in browser.find_elements(By.CSS_SELECTOR, ".memtitle")}
        assert all(any(verb in text for text in verbs) for verb in ("create()", "scratch_size()", "validate()", "record()")), verbs
        keep("reference.png")

        follow(browser, "#main-nav a[href='search.html']", "Search")
        field = browser.find_element(By.ID, "query")
        for words, title in (("denormal", ""), ("decoupled look-back", "Algorithms"), ("scratch_size", "vkprim::Scan"), ("SecUrity", "Security")):
            field.clear()
            field.send_keys(words)
            hits = [hit.text for hit in browser.find_elements(By.CSS_SELECTOR, "#hits li")]
            assert any(title in hit and words.split()[0].lower() in hit.lower() for hit in hits), (words, hits)
            keep("search.png")
        field.clear()
        field.send_keys("zzzqqq")
        assert browser.find_element(By.ID, "number").text == "0 parts"
        field.clear()
        field.send_keys("denormal")
        first = browser.find_element(By.CSS_SELECTOR, "#hits li a").text
        follow(browser, "#hits li a", first.split(":")[0])
        assert "denormal" in browser.find_element(By.CSS_SELECTOR, ".contents").get_attribute("textContent").lower()
        browser.get((site / "search.html").as_uri() + "?q=histogram")
        assert browser.find_elements(By.CSS_SELECTOR, "#hits li")

        said = [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        assert not said, json.dumps(said, indent=1)
    finally:
        browser.quit()
    print(f"{pages} pages, {links} links between them")


main()
