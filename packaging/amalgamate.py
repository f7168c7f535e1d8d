#!/usr/bin/env python3
"""Makes vkprim.h and vkprim.cpp of the core, for projects that keep both beside their own sources.

vkprim.h is the public headers, of which a C compiler sees the C interface alone. vkprim.cpp is all of src/*.cpp and
src/c/*.cpp with what they include, compiled shaders as well. Files are found by pattern, and each goes in once: no two
sources have the same name for different things in unnamed namespaces. Macros end with the file.
Beside the two goes vkprim/glsl/, for shaders that include it.
"""

import argparse
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OTHER_LIBRARIES = {"runtime.h", "profile.h", "compiler.h", "mpi.h"}

INCLUDE = re.compile(r'#\s*include\s*(?:"(?P<own>[^"]+)"|<(?P<system>[^>]+)>)')


class Unit:
    """One of the two files in the making."""

    def __init__(self, shaders):
        self.shaders = shaders
        self.done = set()
        self.system = set()
        self.texts = {}  # path -> what it adds; in order

    def add(self, path):
        if path in self.done:
            return
        self.done.add(path)
        self.texts[path] = self.flatten(path)

    def find(self, name, beside):
        for folder in (beside, ROOT / "include", ROOT / "src", self.shaders):
            path = (folder / name).resolve()
            if path.is_file():
                return path
        return None

    def flatten(self, path):
        lines = path.read_text().splitlines()
        code = [line for line in lines if line.strip() and not line.startswith("//")]
        guarded = code[0].startswith("#ifndef") and code[1].startswith("#define")
        depth = -1 if guarded else 0  # of #if
        out = []
        for line in lines:
            if line.startswith("#pragma once"):
                continue
            if re.match(r"#\s*if", line):
                depth += 1
            if re.match(r"#\s*endif", line):
                depth -= 1
            include = INCLUDE.match(line)
            if not include:
                out.append(line)
                continue
            own = self.find(include["own"] or include["system"], path.parent)
            if own and own.suffix == ".spv":  # the words of a shader
                out.append(own.read_text().rstrip())
            elif own and depth > 0:
                sys.exit(f"{path}: {line} in an #if, but it may be needed elsewhere as well: include it always")
            elif own:
                self.add(own)
            elif include["own"]:
                sys.exit(f"{path}: {line}: there is no such file")
            elif depth > 0:
                out.append(line)
            else:
                self.system.add(include["system"])
        return re.sub(r"\n{3,}", "\n\n", "\n".join(out).strip()) + "\n"


def joined(texts):
    out = []
    for path, text in texts.items():
        if text.strip():
            out.append(f"// ---- {path.name} ----\n\n{text}")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shaders", type=pathlib.Path, required=True, help="the folder shaders of a build tree")
    parser.add_argument("--version", required=True)
    parser.add_argument("--without", nargs="*", default=[], metavar="PRIMITIVE", help="leave the sources of these out")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("."), help="folder for the two files and vkprim/glsl/")
    arguments = parser.parse_args()

    c_header = Unit(arguments.shaders)
    c_header.add(ROOT / "include" / "vkprim" / "vkprim.h")
    header = Unit(arguments.shaders)
    header.done = c_header.done
    for path in sorted((ROOT / "include" / "vkprim").glob("*.h")):
        if path.name not in OTHER_LIBRARIES:
            header.add(path.resolve())
    source = Unit(arguments.shaders)
    source.done = header.done
    for path in [*sorted((ROOT / "src").glob("*.cpp")), *sorted((ROOT / "src" / "c").glob("*.cpp"))]:
        if path.stem not in arguments.without:
            source.add(path.resolve())

    body = joined(source.texts)
    macros = sorted(set(re.findall(r"^\s*#\s*define (\w+)", body, re.MULTILINE)))
    notice = f"// vkprim {arguments.version}, its {{}} in one file. Made by packaging/amalgamate.py.\n//\n"
    for line in (ROOT / "LICENSE").read_text().strip().splitlines():
        notice += f"// {line}".rstrip() + "\n"

    def includes(unit):
        return "".join(f"#include <{name}>\n" for name in sorted(unit.system)) + "\n"

    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "vkprim.h").write_text(
        notice.format("public headers") + "#pragma once\n\n" + includes(c_header) + joined(c_header.texts) +
        "\n#ifdef __cplusplus\n\n" + includes(header) + joined(header.texts) + "\n#endif // __cplusplus\n")
    (arguments.output / "vkprim.cpp").write_text(
        notice.format("sources and shaders") + '#include "vkprim.h"\n\n' + includes(source) + body + "\n" +
        "".join(f"#undef {name}\n" for name in macros))
    shutil.copytree(ROOT / "include" / "vkprim" / "glsl", arguments.output / "vkprim" / "glsl", dirs_exist_ok=True)


main()
