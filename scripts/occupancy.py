#!/usr/bin/env python3
"""What fits at once on GPUs that are not there, by their shader compilers in Mesa: docs/devices.md, "What fits at once".

    scripts/occupancy.py PROGRAM [DEVICE...]

PROGRAM: a build's vkprim; for the devices whose compiler is for 64-bit ARM, that in build/arm64. DEVICE: as in scripts/vendors.txt, all without
one. Of each group's pipelines the one with the least occupancy, then with the most instructions. A device whose compiler is not here is left
out, with a sentence: scripts/vendor-drivers.sh [today] [today-arm64].
"""

import csv
import pathlib
import shlex
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent
GROUPS = ("copy kernel", "scan u32 add exclusive", "reduce u32 add", "histogram u8 256 bins [0, 256)")


def rows_of(device, options, program, group):
    command = [SCRIPTS / "on-vendor.sh", device, program, "pipelines", "--only", group, "--csv", "-", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise LookupError("%s: %s" % (device, (done.stdout + done.stderr).strip().splitlines()[-1]))
    return [row for row in csv.DictReader(done.stdout.splitlines()) if row["primitive"] == group]


def cell(rows):
    row = min(rows, key=lambda row: (int(row["occupancy"] or 0), -int(row["instrs"] or 0)))
    return "%s / %s / %s" % (row["occupancy"] or "-", row["registers"] or "-", row["instrs"] or "-")


def main(program, *wanted):
    print("| device | %s |" % " | ".join(GROUPS))
    print("| --- |%s" % (" --- |" * len(GROUPS)))
    for line in (SCRIPTS / "vendors.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        _, device, mesa, *options = shlex.split(line.split("--may-spill")[0])
        if wanted and device not in wanted:
            continue
        try:
            its_program = SCRIPTS.parent / "build/arm64/vkprim" if mesa == "arm64" else program
            cells = [cell(rows_of(device, options, its_program, group)) for group in GROUPS]
        except LookupError as reason:
            print(reason, file=sys.stderr)
            continue
        print("| %s | %s |" % (device, " | ".join(cells)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
