#!/usr/bin/env python3
"""What the vendors' shader compilers made of the pipelines: docs/devices.md, "What compiles".

    scripts/vendor-table.py [FOLDER]

FOLDER has what scripts/check-vendors.sh wrote: for each device the lines of `vkprim pipelines` (.txt) and its table (.csv).
"""

import csv
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TITLES = ("device", "Mesa", "pipelines", "rejected", "that spill", "most spilled", "most registers", "least occupancy")


def version_of(mesa):
    """As in 26.1.6, of the Mesa that scripts/vendors.txt names."""
    name = {"today": "today.version", "arm64": "today-arm64.version"}.get(mesa)
    if name:
        text = (ROOT / "build/vendors" / name).read_text()
    elif shutil.which("dpkg-query"):
        text = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "mesa-vulkan-drivers"], stdout=subprocess.PIPE, text=True).stdout
    else:
        text = ""
    return text.strip().split("-")[0].split("~")[0] or "-"


def most(rows, column, choose=max):
    return "%g" % choose((float(row[column]) for row in rows if row[column]), default=float("nan"))


def cells_of(device, mesa, folder):
    with open(folder / f"{device}.csv") as file:
        rows = list(csv.DictReader(file))
    lines = (folder / f"{device}.txt").read_text().splitlines()
    rejected = next(i for i, line in enumerate(lines) if line.startswith("primitive ")) - 2  # ahead of the device's name and an empty line
    spilling = [row for row in rows if float(row["spilled"] or 0)]
    numbers = most(rows, "spilled"), most(rows, "registers"), most(rows, "occupancy", min)
    return [device, version_of(mesa), str(len(rows)), str(rejected), str(len(spilling)), *(text.replace("nan", "-") for text in numbers)]


def main(folder="build/vendors/tables"):
    table = [TITLES]
    for line in (ROOT / "scripts/vendors.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        _, device, mesa, *_ = line.split()
        if (pathlib.Path(folder) / f"{device}.csv").exists():
            table.append(cells_of(device, mesa, pathlib.Path(folder)))
    table.insert(1, ["---"] * 2 + ["---:"] * (len(TITLES) - 2))
    for row in table:
        print("| %s |" % " | ".join(row))


if __name__ == "__main__":
    main(*sys.argv[1:])
