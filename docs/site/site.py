#!/usr/bin/env python3
"""Makes one static site of all documents and the reference of the headers, with a search of the whole text.

Doxygen makes the pages, from the headers and from copies of the documents. In the copies each heading has an id, and links go to
pages of the site: doxygen 1.9 makes no ids as a Git platform does. The name of a public type, as code, links the reference. Files that documents link or show are copied. lunr.js searches. A
link to a file that is not there fails, and so does any warning of doxygen.
"""

import argparse
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
LUNR = pathlib.Path("/usr/share/javascript/lunr/lunr.min.js")
DOCUMENTS = ("README.md", "docs/*.md", "[A-Z]*.md", "packaging/README.md", "bench/README.md", "bench/NOTES.md", "bench/results/*.md")
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
HEADING = re.compile(r"(#+) +(.*)")
TYPE = re.compile(r"^(?:class|struct)(?: VKPRIM_API| \[\[nodiscard\]\])* (\w+)(?: final)? \{", re.MULTILINE)


def page_id(path):
    """index for README.md, bench for bench/README.md, embedding for docs/embedding.md."""
    if path.name == "README.md":
        return "_".join(path.parent.parts) or "index"
    return re.sub(r"\W", "_", path.stem.lower())


class Slugs:
    """The ids that a Git platform gives to the headings of a document, one after the other."""

    def __init__(self):
        self.seen = {}

    def next(self, heading):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")
        number = self.seen[slug] = self.seen.get(slug, -1) + 1
        return f"{slug}-{number}" if number else slug


def lines_outside_of_code(text):
    """(line, whether it is prose) for each line."""
    fence = False
    for line in text.splitlines():
        is_fence = line.lstrip().startswith("```")
        yield line, not fence and not is_fence
        fence ^= is_fence


class Documents:
    def __init__(self, site):
        self.site = site
        self.paths = {}  # path, relative to ROOT -> its page's id
        for pattern in DOCUMENTS:
            for path in sorted(ROOT.glob(pattern)):
                self.paths.setdefault(path.relative_to(ROOT), page_id(path.relative_to(ROOT)))
        assert len(set(self.paths.values())) == len(self.paths), "two documents would have one page"
        types = set()
        for path in (ROOT / "include" / "vkprim").glob("*.h"):
            text = path.read_text()
            if "\nnamespace vkprim {" in text:  # the runtime and MPI have a Buffer and a Scan of their own
                types |= set(TYPE.findall(text))
        self.type = re.compile(r"(?<![\[`])`(%s)`(?![\]`])" % "|".join(sorted(types)))
        self.headings = {}
        for path in self.paths:
            lines, slugs = lines_outside_of_code((ROOT / path).read_text()), Slugs()
            self.headings[path] = {slugs.next(HEADING.match(line)[2]) for line, prose in lines if prose and HEADING.match(line)}

    def link(self, path, label, target):
        """What stands in the copy of a document for a link in it."""
        if re.match(r"\w+:", target):
            return f"{label}({target})"
        name, _, anchor = target.partition("#")
        file = pathlib.Path(*(ROOT / path.parent / name).resolve().relative_to(ROOT).parts) if name else path
        if file in self.paths:
            if anchor and anchor not in self.headings[file]:
                sys.exit(f"{path}: {target}: there is no such heading")
            return f"{label}(@ref {self.paths[file]}{'-' + anchor if anchor else ''})"
        if (ROOT / file).is_dir():  # to the page that is about it
            about = [page for page in (file / "README.md", file.parent / "README.md") if page in self.paths]
            return f"{label}(@ref {self.paths[about[0]]})" if about else label[1:-1]
        if not (ROOT / file).is_file():
            sys.exit(f"{path}: {target}: there is no such file")
        (self.site / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, self.site / file)
        return f"{label}({file})"

    def copy(self, path):
        """The document as doxygen reads it."""
        out, ident, slugs = [], self.paths[path], Slugs()
        for line, prose in lines_outside_of_code((ROOT / path).read_text()):
            heading = HEADING.match(line) if prose else None
            if heading:
                slug = slugs.next(heading[2])
                label = ident if heading[1] == "#" else f"{ident}-{slug}"
                line = line if label == "index" else f"{line} {{#{label}}}"
            elif prose:
                line = LINK.sub(lambda match: self.link(path, match[1], match[2]), line)
                line = self.type.sub(r'<code>@ref vkprim::\1 "\1"</code>', line)
            out.append(line)
        return "\n".join(out) + "\n"


class Text(html.parser.HTMLParser):
    """The title and the text of a page, in parts that begin with a heading: (id, heading, text)."""

    def __init__(self):
        super().__init__()
        self.title, self.parts, self.tags, self.contents = "", [["", "", ""]], [], None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag in ("meta", "link", "img", "br", "hr", "input"):
            return
        self.tags.append(tag)
        if tag == "div" and attributes.get("class") in ("contents", "textblock") and self.contents is None:
            self.contents = len(self.tags)
        if self.contents and tag in ("h1", "h2", "h3") and "memtitle" not in attributes.get("class", ""):
            self.parts.append(["", "", ""])
        if tag == "a" and "id" in attributes and self.heading():
            self.parts[-1][0] = attributes["id"]

    def handle_endtag(self, tag):
        while self.tags and self.tags.pop() != tag:
            pass
        if self.contents and len(self.tags) < self.contents:
            self.contents = None

    def heading(self):
        return any(tag in self.tags for tag in ("h1", "h2", "h3"))

    def handle_data(self, data):
        if "title" in self.tags:
            self.title += data
        elif self.contents and "script" not in self.tags and "style" not in self.tags:
            self.parts[-1][1 if self.heading() else 2] += data + " "


def index_pages(site):
    """What search.js searches: url, title, text."""
    entries = []
    for path in sorted(site.glob("*.html")):
        if re.search(r"_source\.html$|-members\.html$|_8md\.html$|^(annotated|classes|files|functions|globals|hierarchy|inherits|modules|namespace"
                     r"members|namespaces|pages|search)[._]|^(functions|globals|namespacemembers)|^dir_", path.name):
            continue
        text = Text()
        text.feed(path.read_text())
        page = re.sub(r"^vkprim: |^vkprim$", "", text.title).strip() or "vkprim"
        page = re.sub(r" (Struct|Class|Namespace|File) (Template )?Reference$", "", page)
        for ident, heading, words in text.parts:
            words = " ".join(words.split())
            heading = " ".join(heading.split())
            if words:
                entries.append([path.name + ("#" + ident if ident else ""), f"{page}: {heading}" if heading else page, words])
    return entries


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, help="the site's folder, which is made anew")
    site = parser.parse_args().output.resolve()
    for need, package in ((shutil.which("doxygen"), "doxygen"), (LUNR.exists(), "libjs-lunr")):
        if not need:
            print(f"skipped: this needs {package}: apt-get install {package}")
            sys.exit(77)
    if site.exists() and any(site.iterdir()) and not (site / "search-data.js").exists():
        sys.exit(f"{site} holds something else")
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    (site / "search-data.js").touch()  # marks the folder as ours, whatever fails

    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        documents = Documents(site)
        inputs = []
        for number, (path, ident) in enumerate(documents.paths.items()):
            inputs.append(work / f"{ident}.md")
            text = documents.copy(path)
            if ident == "bench":
                text += "\n## Results {#bench-results}\n\n" + "".join(
                    f"- @subpage {other}\n" for file, other in documents.paths.items() if file.match("bench/results/*.md"))
            inputs[-1].write_text(text)
        inputs.append(HERE / "search.md")
        layout = work / "layout.xml"
        subprocess.run(["doxygen", "-l", str(layout)], check=True)
        tabs = layout.read_text().replace(
            '<tab type="pages" visible="yes" title="" intro=""/>',
            '<tab type="pages" visible="yes" title="Guides" intro=""/>\n    <tab type="user" url="@ref search" title="Search"/>')
        assert "@ref search" in tabs, "doxygen's layout has changed"
        layout.write_text(tabs)
        options = (HERE / "Doxyfile").read_text()
        options += f"INPUT = {' '.join(map(str, inputs))} include/vkprim\nUSE_MDFILE_AS_MAINPAGE = {work}/index.md\n"
        options += f"STRIP_FROM_PATH = include {work} {HERE}\nLAYOUT_FILE = {layout}\n"
        options += f"OUTPUT_DIRECTORY = {site.parent}\nHTML_OUTPUT = {site.name}\n"
        subprocess.run(["doxygen", "-"], input=options, text=True, cwd=ROOT, check=True)
    for path in site.glob("class*.html"):  # doxygen links the nested classes of a class that has private ones only
        text = path.read_text()
        if 'name="nested-classes"' not in text:
            path.write_text(text.replace('<a href="#nested-classes">Classes</a> &#124;\n', ""))
    tree = site / "navtreedata.js"  # has the search twice: as a page, and as a tab
    before, after = re.split(r' *\[ "Search", "search.html", [^\]]*\],\n', tree.read_text(), maxsplit=1)
    tree.write_text(before + after)
    removed = len(re.findall(r'^    \[ "', before, re.MULTILINE))
    for path in site.glob("navtreeindex*.js"):  # which have the place of each page in the tree
        path.write_text(re.sub(r":\[(\d+)", lambda place: f":[{int(place[1]) - (int(place[1]) > removed)}", path.read_text()))
    shutil.copyfile(LUNR, site / "lunr.js")
    shutil.copyfile(HERE / "search.js", site / "search.js")
    entries = index_pages(site)
    (site / "search-data.js").write_text("const searchData = " + json.dumps(entries, separators=(",", ":"), ensure_ascii=False) + ";\n")
    print(f"{site}/index.html: {len(documents.paths)} documents and the reference, {len(entries)} parts to search")


main()
