#!/usr/bin/env python3
"""numpy_test.py PROGRAM: vkprim's reductions, scans, compactions and groups of numpy's arrays beside numpy's own results.

Integers, min, max, argmin, argmax and what is kept must be equal. Sums of floats must lie within the bound of their tree of additions
(Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 4.2), of which tests/references_test.cpp has the depth. Exit code 77
without numpy.
"""

import fractions
import io
import json
import math
import pathlib
import re
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
checks = failed = 0


def check(what, good):
    global checks, failed
    checks += 1
    if not good:
        failed += 1
        print("FAILED:", what)


def reduce(path, operation, *options):
    command = [program, "reduce", path, "--op", operation, *options, "--json"]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def scan(path, operation, *options):
    target = folder / "out.npy"
    command = [program, "scan", path, "-o", target, "--op", operation, "--inclusive", *options]
    subprocess.run(command, capture_output=True, check=True)
    return np.load(target)


def piped(array, *arguments):
    """What the program writes to standard output, as an array, where `array` is its standard input."""
    stream = io.BytesIO()
    np.save(stream, array)
    command = [program, arguments[0], "-", *arguments[1:], "-o", "-"]
    out = subprocess.run(command, input=stream.getvalue(), capture_output=True, check=True)
    return np.load(io.BytesIO(out.stdout))


def equal(got, wanted):
    return got.shape == wanted.shape and (got == wanted).all()


def check_floats(name, array, path):
    exact = math.fsum(array)
    unit = np.finfo(array.dtype).eps / 2
    bound = 1.0001 * unit * math.fsum(np.abs(array))
    check(f"{name} sum", abs(reduce(path, "add")["result"] - exact) <= REDUCE_DEPTH * bound)
    number = array.dtype.type
    check(f"{name} exact sum", number(reduce(path, "add", "--order", "any")["result"]) == number(exact))
    check(f"{name} scan", abs(float(scan(path, "add")[-1]) - exact) <= SCAN_DEPTH * bound)
    check(f"{name} dtype", scan(path, "add").dtype == array.dtype)


def exact_moments(array):
    """Mean and variance as fractions: of integers, or of floats in units of the least double."""
    floats = array.dtype.kind == "f"
    unit = 1 << 1074 if floats else 1
    values = [int(number * unit // divisor) for number, divisor in (float(x).as_integer_ratio() for x in array)] if floats else array.tolist()
    count, total = len(values), sum(values)
    squares = sum(value * value for value in values)
    return fractions.Fraction(total, count * unit), fractions.Fraction(count * squares - total * total, count * count * unit * unit)


def check_moments(name, array, path):
    """A mean is rounded once. A variance has the roundings of a deviation, its square and the result, and the square of the mean's own; and
    integers of 64 bits are rounded once where they are far from the first."""
    mean, variance = exact_moments(array)
    got = reduce(path, "mean")["result"]
    if array.dtype == "f4":
        check(f"{name} mean", abs(fractions.Fraction(got) - mean) <= abs(mean) / 2**24)
    else:
        check(f"{name} mean", got == float(mean))
    got, unit = fractions.Fraction(reduce(path, "var")["result"]), fractions.Fraction(1, 2**53)
    bound = 5 * unit * variance + (unit * mean) ** 2
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        farthest = max(abs(value - int(array[0])) for value in array.tolist())
        bound += 3 * unit * farthest * fractions.Fraction(math.sqrt(variance))
    check(f"{name} variance", abs(got - variance) <= bound)
    numpys = fractions.Fraction(float(np.var(array.astype("f8") if array.dtype == "f4" else array)))
    check(f"{name} variance beside numpy's", abs(got - variance) <= max(abs(numpys - variance), 5 * unit * variance))
    return abs(got - variance) / variance if variance else 0, abs(numpys - variance) / variance if variance else 0


def check_integers(name, array, path):
    with np.errstate(over="ignore"):
        check(f"{name} sum", reduce(path, "add")["result"] == int(np.sum(array)))
        check(f"{name} product", reduce(path, "mul")["result"] == int(np.prod(array)))
        check(f"{name} scan", (scan(path, "add") == np.cumsum(array, dtype=array.dtype)).all())
        wide, wanted = scan(path, "add", "--wide"), np.cumsum(array)
        check(f"{name} wide scan", wide.dtype == wanted.dtype and (wide == wanted).all())
    check(f"{name} xor", reduce(path, "xor")["result"] == int(np.bitwise_xor.reduce(array)))


def check_advice(name, array):
    """A file that is refused: what its reason advises keeps all values apart, and is accepted."""
    path = folder / "in.npy"
    np.save(path, array)
    out = subprocess.run([program, "reduce", path, "--op", "max"], capture_output=True, text=True)
    advice = re.findall(r"(?:\.real|\.imag)?(?:\.(?:astype|view)\('[^']*'\)|\['field'\])+", out.stderr.split("; ")[-1])
    check(f"{name} refused, with advice", out.returncode == 2 and advice)
    different = False
    for one in advice:
        good = eval("array" + one)
        np.save(path, good)
        got = subprocess.run([program, "scan", path, "-o", folder / "out.npy", "--op", "max", "--inclusive"], capture_output=True)
        check(f"{name} {one}", got.returncode == 0)
        different = different or len(np.unique(good)) >= len(np.unique(array))
    check(f"{name} stays apart", different)


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
    check(f"{name} minmax", [as_printed(value) for value in reduce(path, "minmax")["result"]] == [array.min(), array.max()])
    check_moments(name, array, path)
    check(f"{name} running max", (scan(path, "max") == np.maximum.accumulate(array)).all())
    if array.dtype.itemsize == 4:
        array[1000:1100] = array.max()
        np.save(path, array)
        for operation, index in (("argmin", np.argmin(array)), ("argmax", np.argmax(array))):
            found = reduce(path, operation)
            check(f"{name} {operation}", found["index"] == index and as_printed(found["result"]) == array[index])


# Far from zero, and near; each is made of doubles.
spreads = {"f8": ((0, 1e-140), (1e9, 1), (-1e12, 1e-3), (3, 1e150)), "f4": ((0, 1e30), (1000, 1)), "i8": ((1.7e12, 1000), (-4e18, 1e17)),
           "u8": ((1.2e19, 1e9),), "i4": ((2e9, 1000),), "u1": ((200, 10),)}
ours = numpys = 0
for dtype, of_dtype in spreads.items():
    for offset, scale in of_dtype:
        array = (offset + scale * random.standard_normal(20011)).astype(dtype)
        path = folder / "in.npy"
        np.save(path, array)
        errors = check_moments(f"{dtype} {offset} +- {scale}", array, path)
        ours, numpys = max(ours, errors[0]), max(numpys, errors[1])
print(f"largest relative error of a variance: {float(ours):.2g}, numpy's {float(numpys):.2g}")


def in_32_bits(array):
    return array.astype({"b": "u4", "u": "u4", "i": "i4", "f": "f4"}[array.dtype.kind]) if array.dtype.itemsize < 4 else array


def check_axis(name, array, axis):
    """`array` is in C or Fortran order. Both sides compute in the type that the program computes in, and sums of integers in numpy's."""
    wide = in_32_bits(array)
    last = np.moveaxis(wide, axis, -1)
    flag = f"--axis={axis}"
    if wide.dtype.kind == "f":
        unit = np.finfo(wide.dtype).eps / 2
        exact = np.apply_along_axis(math.fsum, -1, last.astype("f8"))
        bound = 1.0001 * unit * np.apply_along_axis(math.fsum, -1, np.abs(last.astype("f8")))
        sums, scanned = piped(array, "reduce", flag), piped(array, "scan", flag, "--inclusive")
        check(f"{name} sums' shape", sums.shape == exact.shape and sums.dtype == wide.dtype)
        check(f"{name} sums", (abs(sums - exact) <= REDUCE_DEPTH * bound).all())
        check(f"{name} scan's shape", scanned.shape == array.shape and scanned.dtype == wide.dtype)
        check(f"{name} scan", (abs(np.moveaxis(scanned, axis, -1)[..., -1] - exact) <= SCAN_DEPTH * bound).all())
    else:
        with np.errstate(over="ignore"):
            sums, wanted = piped(array, "reduce", flag), np.sum(array, axis=axis)
            check(f"{name} sums", equal(sums, wanted) and (array.dtype.kind == "b" or sums.dtype == wanted.dtype))
            scanned = np.cumsum(wide, axis=axis, dtype=wide.dtype)
            check(f"{name} scan", equal(piped(array, "scan", flag, "--inclusive"), scanned))
    check(f"{name} max", equal(piped(array, "reduce", flag, "--op", "max"), wide.max(axis=axis)))
    both = np.stack([wide.min(axis=axis), wide.max(axis=axis)], axis=-1)
    check(f"{name} minmax", equal(piped(array, "reduce", flag, "--op", "minmax"), both))
    means = piped(array, "reduce", flag, "--op", "mean")
    if wide.dtype.kind == "f":
        exact = np.apply_along_axis(math.fsum, -1, last.astype("f8")) / last.shape[-1]
    else:
        exact = np.array(last.astype(object).sum(axis=-1) / last.shape[-1], dtype="f8")
    same_type = means.dtype == (wide.dtype if wide.dtype.kind == "f" else "f8")
    check(f"{name} means", same_type and means.shape == exact.shape and (abs(means - exact) <= 1.01 * np.finfo(means.dtype).eps / 2 * abs(exact)).all())
    variances = piped(array, "reduce", flag, "--op", "var")
    wanted = last.astype("f8").var(axis=-1)
    bound = 32 * 2**-53 * (wanted + abs(last.astype("f8").mean(axis=-1)) * np.sqrt(wanted))  # numpy's, of some hundred elements
    check(f"{name} variances", variances.shape == wanted.shape and (abs(variances - wanted) <= bound).all())
    running = np.minimum.accumulate(wide, axis=axis)
    check(f"{name} running min", equal(piped(array, "scan", flag, "--op", "min", "--inclusive"), running))
    if wide.dtype.itemsize == 4:
        check(f"{name} argmin", equal(piped(array, "reduce", flag, "--op", "argmin"), wide.argmin(axis=axis)))
    check(f"{name} sorted", equal(piped(array, "sort", flag), np.sort(array, axis=axis)))
    places = np.argsort(array, axis=axis, kind="stable")
    check(f"{name} argsort", equal(piped(array, "sort", flag, "--argsort"), places))


def check_compact(name, array):
    some = abs(array[len(array) // 2])
    kept = piped(array, "compact", f"--above={some}")
    check(f"{name} above", kept.dtype == array.dtype and equal(kept, array[array > some]))
    kept = piped(array, "compact", "--outside", str(-some), str(some))
    check(f"{name} outside", kept.dtype == array.dtype and equal(kept, array[~((array >= -some) & (array <= some))]))
    check(f"{name} nonzero", equal(piped(array, "compact", "--indices"), np.flatnonzero(array)))
    mask = random.integers(0, 2, array.shape).astype(bool)
    np.save(folder / "mask.npy", mask)
    check(f"{name} masked", equal(piped(array, "compact", "--keys", folder / "mask.npy"), array[mask]))


def check_groups(name, array):
    """Groups, and the first of each run, beside numpy.unique. `array` holds no -0, which numpy takes for 0."""
    keys, counts = np.unique(array, return_counts=True)
    np.save(folder / "in.npy", array)
    targets = folder / "counts.npy", folder / "keys.npy"
    subprocess.run([program, "group", folder / "in.npy", "-o", targets[0], "--keys-output", targets[1]], capture_output=True, check=True)
    got_counts, got_keys = (np.load(target) for target in targets)
    check(f"{name} groups", got_keys.dtype == array.dtype and equal(got_keys, keys) and equal(got_counts, counts))
    unique = piped(np.sort(array), "compact", "--unique")
    check(f"{name} unique", unique.dtype == array.dtype and equal(unique, keys))


def check_histogram(name, array, bins, lower, upper):
    """Counts and edges of doubles beside numpy.histogram, whose last bin includes `upper`. Those of floats have edges of their own."""
    np.save(folder / "in.npy", array)
    command = [program, "histogram", folder / "in.npy", "--bins", str(bins), "--range", repr(lower), repr(upper), "--json"]
    out = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    edges = np.array(out["edges"])
    inside = array[(array >= edges[0]) & (array < edges[-1])].astype("f8")
    check(f"{name} enclosed", equal(np.array(out["counts"]), np.bincount(np.searchsorted(edges, inside, "right") - 1, minlength=bins)))
    exact = array.astype("f8")
    check(f"{name} outside", out["outside"] == np.count_nonzero(~((exact >= lower) & (exact < upper))))
    if array.dtype == "f8":
        counts, numpy_edges = np.histogram(array[array < upper], bins, (lower, upper))
        check(f"{name} edges of numpy", equal(edges, numpy_edges))
        check(f"{name} counts of numpy", equal(np.array(out["counts"]), counts))


small = {
    "bool": random.integers(0, 2, 3003).astype("?"),
    "u1": random.integers(0, 256, 3003).astype("u1"),
    "u2": random.integers(0, 65536, 3003).astype("u2"),
    "i1": random.integers(-128, 128, 3003).astype("i1"),
    "i2": random.integers(-32768, 32768, 3003).astype("i2"),
    "f2": random.standard_normal(3003).astype("f2"),
}
for name, array in small.items():
    check_axis(name, array.reshape(3, 7, 143), 1)
    check_axis(f"{name} of one dimension", array, 0)
    if array.dtype.kind in "if":
        check_compact(name, array)
for name in ("f4", "i4", "default integers"):
    array = arrays[name][:12000].reshape(4, 60, 50)
    for axis in (0, 1, -1):
        check_axis(f"{name} axis {axis}", array, axis)
    check_axis(f"{name} in Fortran order, axis 0", np.asfortranarray(array), 0)
    check_axis(f"{name} in Fortran order, axis -1", np.asfortranarray(array), -1)
    check(f"{name} in Fortran order", equal(piped(np.asfortranarray(array), "scan", "--op", "max"), piped(array, "scan", "--op", "max")))
for name in ("f4", "i4"):
    check_compact(name, arrays[name])
groups = {
    "default integers": random.integers(-300, 300, 70001) * (1 << 31),
    "u8": random.integers(0, 1 << 64, 500, dtype="u8")[random.integers(0, 500, 70001)],
    "default floats": random.standard_normal(500)[random.integers(0, 500, 70001)],
    "different": random.permutation(20011) * 12345678901,
    "i4": random.integers(-300, 300, 70001, dtype="i4"),
    "f2": random.standard_normal(3003).astype("f2"),
}
for name, array in groups.items():
    check_groups(name, array)
minutes = np.datetime64("2024-02-29T12:00", "ns") + np.arange(1000) * np.timedelta64(60_000_000_000, "ns")
refused = {
    "datetime64[ns]": minutes,
    "timedelta64[s]": (minutes - minutes[0]).astype("m8[s]"),
    "big-endian datetime64": minutes.astype(">M8[ns]"),
    "longdouble": np.arange(100, dtype=np.longdouble) + 2**40,
    "complex64": (np.arange(100) + 1j).astype("c8"),
    "complex128": np.arange(100) + 2**40 + 1j,
    "clongdouble": (np.arange(100) + 2**40 + 1j).astype(np.clongdouble),
    "text": np.array([str(2**24 + i) for i in range(100)]),
    "bytes": np.array([str(2**24 + i).encode() for i in range(100)]),
    "objects": np.array([2**24 + i for i in range(100)], dtype=object),
    "void": np.arange(100, dtype="u1").view("V4"),
    "structured": np.array([(i, 2**60 + i) for i in range(100)], dtype=[("x", "f4"), ("field", "i8")]),
    "big-endian": (np.arange(100) + 2**60).astype(">i8"),
}
for name, array in refused.items():
    check_advice(name, array)
masked = random.integers(0, 2, (50, 60)).astype(bool)
for order in "CF":
    table = np.array(arrays["f4"][:3000].reshape(50, 60), order=order)
    np.save(folder / "mask.npy", masked)
    check(f"masked table, {order}", equal(piped(table, "compact", "--keys", folder / "mask.npy"), table[masked]))
    np.save(folder / "in.npy", table)
    check(f"argmax of a table, {order}", reduce(folder / "in.npy", "argmax")["index"] == table.argmax())
for number in range(6):
    scale, bins = 10.0 ** random.integers(-3, 6), int(random.integers(1, 2000))
    lower = float(np.round(random.standard_normal() * scale, 3))
    upper = lower + float(np.ceil(random.random() * 1000) / 100 * scale)
    near = np.linspace(lower, upper, bins + 1)
    samples = np.concatenate([near, np.nextafter(near, -np.inf), np.nextafter(near, np.inf), lower + random.random(5000) * (upper - lower)])
    check_histogram(f"histogram {number}", samples, bins, lower, upper)
    check_histogram(f"histogram {number}, f4", samples.astype("f4"), bins, lower, upper)
check_histogram("histogram of tenths", np.arange(200, 300) / 10, 100, 20.0, 30.0)
print(f"{len(arrays) + len(small) + len(groups) + len(refused)} arrays, {checks} checks, {failed} failed")
sys.exit(1 if failed else 0)
