#!/usr/bin/env python3
"""numpy_test.py PROGRAM: vkprim's reductions and scans of numpy's arrays beside numpy's own results.

Integers, min, max, argmin and argmax must be equal. Sums of floats must lie within the bound of their tree of additions (Higham,
"Accuracy and Stability of Numerical Algorithms", 2002, section 4.2), of which tests/twins_test.cpp has the depth. Exit code 77 without
numpy.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: there is no numpy here: apt-get install python3-numpy")
    sys.exit(77)

REDUCE_DEPTH, SCAN_DEPTH = 16 + 10 + 8 + 8, 3 + 5 + 4 + 3 + 1 + 3 * 8 + 5
program = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp())
failed = 0


def check(what, good):
    global failed
    if not good:
        failed += 1
        print("FAILED:", what)


def reduce(path, operation):
    out = subprocess.run([program, "reduce", path, "--op", operation, "--json"], capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def scan(path, operation):
    target = folder / "out.npy"
    subprocess.run([program, "scan", path, "-o", target, "--op", operation, "--inclusive"], capture_output=True, check=True)
    return np.load(target)


def check_floats(name, array, path):
    exact = math.fsum(array)
    unit = np.finfo(array.dtype).eps / 2
    bound = 1.0001 * unit * math.fsum(np.abs(array))
    check(f"{name} sum", abs(reduce(path, "add")["result"] - exact) <= REDUCE_DEPTH * bound)
    check(f"{name} scan", abs(float(scan(path, "add")[-1]) - exact) <= SCAN_DEPTH * bound)
    check(f"{name} dtype", scan(path, "add").dtype == array.dtype)


def check_integers(name, array, path):
    with np.errstate(over="ignore"):
        check(f"{name} sum", reduce(path, "add")["result"] == int(np.add.reduce(array, dtype=array.dtype)))
        check(f"{name} product", reduce(path, "mul")["result"] == int(np.multiply.reduce(array, dtype=array.dtype)))
        check(f"{name} scan", (scan(path, "add") == np.cumsum(array, dtype=array.dtype)).all())
    check(f"{name} xor", reduce(path, "xor")["result"] == int(np.bitwise_xor.reduce(array)))


random = np.random.default_rng(1)
arrays = {
    "default integers": np.arange(100003) * 12345678901 - 5,
    "default floats": random.standard_normal(100003),
    "f4": random.standard_normal(100003).astype("f4"),
    "u4": random.integers(0, 1 << 32, 70001, dtype="u4"),
    "i4": random.integers(-(1 << 31), 1 << 31, 70001, dtype="i4"),
    "u8": random.integers(0, 1 << 64, 70001, dtype="u8"),
    "one": np.array([42]),
}
for name, array in arrays.items():
    path = folder / "in.npy"
    np.save(path, array)
    if array.dtype.kind == "f":
        check_floats(name, array, path)
    else:
        check_integers(name, array, path)
    as_printed = array.dtype.type  # a float's shortest text
    check(f"{name} min", as_printed(reduce(path, "min")["result"]) == array.min())
    check(f"{name} max", as_printed(reduce(path, "max")["result"]) == array.max())
    check(f"{name} running max", (scan(path, "max") == np.maximum.accumulate(array)).all())
    if array.dtype.itemsize == 4:
        array[1000:1100] = array.max()
        np.save(path, array)
        for operation, index in (("argmin", np.argmin(array)), ("argmax", np.argmax(array))):
            found = reduce(path, operation)
            check(f"{name} {operation}", found["index"] == index and as_printed(found["result"]) == array[index])
print(f"{len(arrays)} arrays, {failed} failed")
sys.exit(1 if failed else 0)
