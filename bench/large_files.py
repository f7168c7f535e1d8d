#!/usr/bin/env python3
"""large_files.py PROGRAM FOLDER [--u8 N] [--f32 N] [--memory SIZE] [FLAG...]: vkprim on files larger than memory.

Makes a file of N bytes (5 * 10^9 without --u8) and one of N floats (2.5 * 10^9 without --f32) in FOLDER, once. Runs reduce, histogram and
scan on them with --memory SIZE (1G) and the other flags, such as --device all. The program compares each result with the CPU to the bit;
numpy checks it once more. Prints a line for each: GB/s of the file, the process's peak memory, and the time with the check.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

import numpy as np

PIECE = 1 << 25  # elements that numpy has in memory at once

arguments = argparse.ArgumentParser()
arguments.add_argument("program")
arguments.add_argument("folder", type=pathlib.Path)
arguments.add_argument("--u8", type=int, default=5 * 10**9)
arguments.add_argument("--f32", type=int, default=25 * 10**8)
arguments.add_argument("--memory", default="1G")
options, flags = arguments.parse_known_args()
wrong = 0


def file_of(dtype, count):
    """A raw file of random elements: all bytes, or floats from 0 to below 1."""
    path = options.folder / f"{dtype.__name__}-{count}.bin"
    if path.exists() and path.stat().st_size == count * dtype().itemsize:
        return path
    random = np.random.default_rng(1)
    with open(path, "wb") as file:
        for begin in range(0, count, PIECE):
            size = min(PIECE, count - begin)
            piece = random.integers(0, 256, size, dtype) if dtype == np.uint8 else random.random(size, dtype)
            piece.tofile(file)
    return path


def pieces(array):
    for begin in range(0, len(array), PIECE):
        yield begin, array[begin : begin + PIECE]


def peak_memory(process):
    """Bytes that it has had in memory at once, so far."""
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0 # it has ended


def run(path, kind, *command):
    """What the program says as JSON."""
    global wrong
    full = [options.program, command[0], path, "--type", kind, *command[1:], "--memory", options.memory, "--json", *flags]
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in full], stdout=subprocess.PIPE)
    peak = 0
    while process.poll() is None:
        peak = max(peak, peak_memory(process.pid))
        time.sleep(0.02)
    out = process.stdout.read()
    name = f"{command[0]} {kind}"
    if process.returncode != 0:
        wrong += 1
        print(f"{name:14} FAILED: exit code {process.returncode}")
        return None
    result = json.loads(out)
    print(f"{name:14} {result.get('chunks', 1):5} chunks {result.get('gb_per_s', 0):7.2f} GB/s {peak / 2**20:7.0f} MiB"
          f" {time.monotonic() - begin:7.1f} s, checked: {result['checked']}", flush=True)
    return result


def check(what, good):
    global wrong
    if not good:
        wrong += 1
        print("WRONG:", what)


def near(a, b):
    return abs(a - b) <= 1e-5 * abs(b)


def measure(dtype, kind, count, histogram):
    path = file_of(dtype, count)
    begin = time.monotonic()
    subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)
    print(f"cat {kind:10} {count * dtype().itemsize / (time.monotonic() - begin) / 1e9:20.2f} GB/s", flush=True)
    array = np.memmap(path, dtype, "r")

    result = run(path, kind, "reduce")
    if result:
        total = sum(piece.sum(dtype=np.uint64 if kind == "u8" else np.float64) for _, piece in pieces(array))
        check("sum", result["result"] == int(total) % 2**32 if kind == "u8" else near(result["result"], total))

    result = run(path, kind, "histogram", *histogram)
    if result:
        bins = 256
        counts = np.zeros(bins, np.int64)
        for _, piece in pieces(array):
            counts += np.bincount(piece if kind == "u8" else (piece * np.float32(bins)).astype(np.uint16), minlength=bins)
        check("histogram", result["counts"] == counts.tolist())

    output = options.folder / "scan.npy"
    result = run(path, kind, "scan", "--inclusive", "-o", output)
    if result:
        sums = np.load(output, mmap_mode="r")
        before = 0
        for begin, piece in pieces(array):
            got = sums[begin : begin + len(piece)]
            if kind == "u8":
                expected = (before + np.cumsum(piece, dtype=np.uint64)).astype(np.uint32)
                good = (got == expected).all()
                before += int(piece.sum(dtype=np.uint64))
            else:
                good = near(float(got[-1]), before + float(piece.sum(dtype=np.float64)))
                before += float(piece.sum(dtype=np.float64))
            check(f"scan from element {begin} on", good)
        del sums
        output.unlink()


measure(np.uint8, "u8", options.u8, [])
measure(np.float32, "f32", options.f32, ["--range", "0", "1"])
sys.exit(1 if wrong else 0)
