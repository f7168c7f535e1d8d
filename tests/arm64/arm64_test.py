#!/usr/bin/env python3
"""arm64_test.py ARM64_PROGRAM PROGRAM: the program for 64-bit ARM in an emulator, on lavapipe, beside this system's program.

It verifies a group of each primitive, and writes the same bytes. Exit code 77 where something is missing.
"""

import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: there is no numpy here: apt-get install python3-numpy")
    sys.exit(77)

program, here = sys.argv[1], sys.argv[2]
arm = [pathlib.Path(__file__).parents[2] / "scripts/on-arm64.sh", program]
groups = [
    "chunked_reduce u32 add", "chunked_scan u32 add", "compact u32 inside keys", "expand", "histogram u8", "indirect", "reduce f32 add", "scan f32 add",
    "segmented_reduce offsets f32 add", "segmented_scan offsets f32 add", "segmented_sort offsets u32 alone", "sort u32 alone", "top f32",
]  # fmt: skip
failed = 0


def check(what, good, seen=""):
    global failed
    if not good:
        failed += 1
        print("FAILED:", what, seen, flush=True)


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, timeout=3600)


out = run(*arm, "--version")
if out.returncode == 77:
    print(out.stdout.decode().strip())
    sys.exit(77)
check("version", out.stdout == run(here, "--version").stdout, out.stderr)
for group in groups:
    out = run(*arm, "verify", "--brief", "--only", group)
    print(group + ":", out.stdout.decode().strip().splitlines()[-1], flush=True)
    check(group, out.returncode == 0, out.stdout[-1000:] + out.stderr)

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    random = np.random.default_rng(1)
    np.save(folder / "floats.npy", random.standard_normal(300007).astype("f4"))
    np.save(folder / "words.npy", random.integers(0, 1 << 32, 300007).astype("u4"))
    for command in (["scan", "floats.npy"], ["scan", "words.npy", "--wide"], ["sort", "floats.npy"], ["compact", "floats.npy", "--above", "0"]):
        command[1] = folder / command[1]
        outputs = []
        for each in (arm, [here]):
            target = folder / "out.npy"
            target.unlink(missing_ok=True)
            out = run(*each, *command, "-o", target)
            outputs.append(target.read_bytes() if target.exists() else out.stderr)
        check(f"the bytes of {command[0]} {command[1].name}", outputs[0] == outputs[1])
print(f"{len(groups)} groups and 4 files, {failed} failed")
sys.exit(1 if failed else 0)
