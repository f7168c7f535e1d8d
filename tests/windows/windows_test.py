#!/usr/bin/env python3
"""windows_test.py PROGRAM.exe PROGRAM: the program for Windows under Wine, on lavapipe, beside this system's program.

It verifies a group of each primitive and way, writes the same bytes into files and to standard output, prints the same lines but for their
ends, and takes what is usual on Windows: UTF-8, drives and backslashes, long paths, Ctrl-C. Exit code 77 where something is missing.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    print("skipped: there is no numpy here: apt-get install python3-numpy")
    sys.exit(77)

windows, here = sys.argv[1], sys.argv[2]
root = pathlib.Path(__file__).parents[2]
compiler, screen = shutil.which("x86_64-w64-mingw32-g++-posix"), shutil.which("Xvfb")
if not compiler or not screen:
    print("skipped: there is no MinGW-w64 or no Xvfb here: apt-get install g++-mingw-w64-x86-64-posix xvfb xauth")
    sys.exit(77)
wine = [root / "scripts/on-wine.sh", windows]
folder = pathlib.Path(tempfile.mkdtemp())
environment = dict(os.environ, WINEPREFIX=str(folder / "wine"), WINEDLLOVERRIDES="winedbg.exe=d")  # which waits for a click
checks = failed = 0


def check(what, good, seen=""):
    global checks, failed
    checks += 1
    if not good:
        failed += 1
        print("FAILED:", what, seen, flush=True)


def run(command, **options):
    """Into files: what Wine starts in the background would keep pipes open."""
    if "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        done = subprocess.run(command, stdout=out, stderr=err, env=environment, timeout=600, **options)
        for file in out, err:
            file.seek(0)
        done.stdout, done.stderr = out.read(), err.read()
    return done


def lines_of(output):
    """What is said, without times and speeds."""
    return re.sub(r"[0-9.]+ (ms|s|GB/s)\b", "", output.decode().replace("\r\n", "\n"))


def on_drive(path):
    """This system's path as Windows has it."""
    return "Z:" + str(path).replace("/", "\\")


def check_same(name, *arguments, stdin=b""):
    """Both programs; OUT stands for the file that they write."""
    results = []
    for program, target in ((wine, folder / "ausgäbe b.npy"), ([here], folder / "here.npy")):
        target.unlink(missing_ok=True)
        words = [str(target) if word == "OUT" else str(word) for word in arguments]
        out = run([*program, *words], input=stdin)
        said = lines_of(out.stderr + (b"" if b"\x93NUMPY" in out.stdout else out.stdout)).replace(str(target), "OUT")
        results.append((out.returncode, said, target.read_bytes() if target.exists() else out.stdout.replace(b"\r\n", b"\n")))
    check(name, results[0] == results[1], results[0][:2] + results[1][:2] if results[0] != results[1] else "")


def built(name, *options):
    """A program of this folder, for Windows; the options that are no flags are further sources."""
    program = folder / f"{name}.exe"
    more = [option if option.startswith("-") else root / option for option in options]
    include = [f"-I{root}", f"-I{root / 'include'}", "-idirafter", "/usr/include"]  # the last for Vulkan's headers
    subprocess.run([compiler, "-std=c++17", "-static", *include, root / f"tests/windows/{name}.cpp", *more, "-lshell32", "-o", program], check=True)
    return program


def on_console(command, each_time=lambda terminal: None):
    """What a program writes to Wine's console, without the terminal's commands, and whether it ended; each_time() is called all the while."""
    process, terminal = pty.fork()
    if process == 0:
        os.execve(command[0], [str(word) for word in command], environment)
    begin, seen = time.monotonic(), b""
    while time.monotonic() - begin < 60:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                read = os.read(terminal, 65536)
            except OSError:  # its end
                time.sleep(1)
                break
            if not read:
                break
            seen += read
        each_time(terminal)
    ended = os.waitpid(process, os.WNOHANG)[0] == process
    if not ended:
        os.kill(process, 9)
    return re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|\].*?\x07)", "", seen.decode(errors="replace")), ended


def interrupted(arguments, partial):
    """What is left where Ctrl-C comes a second after a file that is not complete is there: Wine's console is there by then, too."""
    seen = sent = 0

    def press(terminal):
        nonlocal seen, sent
        if not seen and any(partial.iterdir()):
            seen = time.monotonic()
        if seen and not sent and time.monotonic() - seen > 1:
            sent = os.write(terminal, b"\x03")

    ended = on_console([*wine, *arguments], press)[1]
    return bool(sent) and ended, list(partial.iterdir())


display_end, other_end = os.pipe()
server = subprocess.Popen([screen, "-displayfd", str(other_end), "-screen", "0", "640x480x24"], pass_fds=[other_end], stderr=subprocess.DEVNULL)
environment["DISPLAY"] = ":" + os.read(display_end, 20).decode().strip()
nothing = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
run([wine[0], "wineboot", "--init"])
session = subprocess.Popen([wine[0], "explorer", "/desktop=vkprim"], env=environment, **nothing)  # Wine's own processes stay
try:
    out = run([*wine, "--version"])
    if out.returncode == 77:
        print(out.stdout.decode().strip())
        sys.exit(77)
    check("version", out.stdout.replace(b"\r\n", b"\n") == run([here, "--version"]).stdout, out.stdout)
    check("ends of lines", out.stdout.endswith(b"\r\n"), out.stdout)
    groups = sys.argv[3:] or ["--brief"]
    for command in (["info"], ["doctor"], ["bench", "--op", "reduce", "--sizes", "1000"], ["verify", "--jobs", "2", *groups]):
        out = run([*wine, *command])
        print(command[0] + ":", out.stdout.decode().strip().splitlines()[-1].strip())
        check(" ".join(command), out.returncode == 0, out.stderr)

    random = np.random.default_rng(1)
    floats, words = folder / "flöße.npy", folder / "words.npy"
    np.save(floats, random.standard_normal(300007).astype("f4"))
    np.save(words, random.integers(0, 1 << 32, 1200001).astype("u4"))
    np.save(folder / "keys.npy", random.integers(0, 5, 300007).astype("u4"))
    np.save(folder / "table.npy", random.standard_normal((300, 257)).astype("f4"))
    (folder / "text.txt").write_bytes(bytes(range(256)) * 4000)
    check_same("scan", "scan", floats, "-o", "OUT")
    check_same("scan in chunks", "scan", words, "-o", "OUT", "--memory", "16M")
    check_same("sort", "sort", floats, "-o", "OUT")
    check_same("argsort", "sort", words, "--argsort", "-o", "OUT")
    check_same("compact", "compact", floats, "--above", "0", "-o", "OUT")
    check_same("top", "top", floats, "-k", "5")
    check_same("group", "group", folder / "keys.npy", "--values", floats)
    check_same("reduce", "reduce", floats, "--op", "max")
    check_same("reduce an axis", "reduce", folder / "table.npy", "--axis", "0", "-o", "OUT")
    check_same("histogram", "histogram", folder / "text.txt", "--type", "u8", "--csv", "OUT")
    check_same("standard input and output", "scan", "-", "-o", "-", stdin=floats.read_bytes())
    check_same("no file", "reduce", folder / "none.npy")
    check_same("no such command", "nothing")
    check_same("a folder", "reduce", folder)
    check_same("no such device", "reduce", floats, "--device", "77")

    best = run([here, "reduce", floats, "--op", "max"]).stdout.strip()
    drive = on_drive(floats)
    check("a drive and backslashes", run([*wine, "reduce", drive, "--op", "max"]).stdout.strip() == best)
    target = folder / "out.npy"
    run([*wine, "scan", drive, "-o", on_drive(target)])
    itself = shutil.copy(floats, folder / "itself.npy")
    run([*wine, "sort", itself, "-o", itself])
    check("into itself", (np.load(itself) == np.sort(np.load(floats))).all())
    shutil.copy(words, itself)
    run([*wine, "scan", itself, "-o", itself, "--memory", "16M"])
    check("into itself, in chunks", (np.load(itself)[1:] == np.cumsum(np.load(words), dtype="u4")[:-1]).all())
    linked, other = folder / "linked.npy", folder / "other.npy"
    shutil.copy(words, linked)
    os.link(linked, other)
    run([*wine, "scan", floats, "-o", linked])
    check("a file of two names has both after it", linked.read_bytes() == other.read_bytes() != words.read_bytes())
    out = run([wine[0], "cmd", "/c", on_drive(pathlib.Path(windows).resolve()), "reduce", drive, "--op", "max"])
    check("from cmd", out.stdout.strip() == best, out.stdout)
    check("a target with backslashes", target.exists() and not [path for path in folder.iterdir() if path.name.startswith(".")])
    said, _ = on_console([*wine, "reduce", "größer_日本.npy"])
    check("UTF-8 on a console", "größer_日本.npy" in said, said)
    said, _ = on_console([wine[0], "cmd", "/c", "chcp", "437", "&", on_drive(pathlib.Path(windows).resolve()), "--version", "&", "chcp"])
    check("a console's code page stays", said.count("437") >= 1 and "65001" not in said, said)
    long = folder.joinpath(*["ein_Ordner_mit_einem_langen_Namen"] * 9)
    long.mkdir(parents=True)
    shutil.copy(floats, long)
    out = run([*wine, "scan", long / floats.name, "-o", long / "b.npy"])
    check(f"a path of {len(str(long))}", (long / "b.npy").exists(), out.stderr)

    # Wine takes paths of any length, so what Windows would be given is looked at.
    paths, deep = built("paths", "-municode", "tools/system/windows/wide.cpp"), "\\".join(["a_folder_of_some_length"] * 12)
    for path, wanted in (
        ("a.npy", "a.npy"),
        (f"C:/{deep}/a.npy".replace("\\", "/"), f"\\\\?\\C:\\{deep}\\a.npy"),
        (f"\\\\?\\C:\\{deep}", f"\\\\?\\C:\\{deep}"),
        (f"\\\\server\\share\\{deep}", f"\\\\?\\UNC\\server\\share\\{deep}"),
        (f"//server/share/{deep}", f"\\\\?\\UNC\\server\\share\\{deep}"),
    ):
        out = run([wine[0], paths, path])
        check(f"what {path} is", out.stdout.decode().strip() == wanted, out.stdout)
    deep = folder / ("d" * (250 - len(str(folder)) - 1))  # as long as a current folder may be
    deep.mkdir()
    out = run([wine[0], paths, "a.npy"], cwd=deep)
    check("a short name in a deep folder", out.stdout.decode().strip() == "\\\\?\\Z:" + str(deep / "a.npy").replace("/", "\\"), out.stdout)

    crash = built("crash", *(f"tools/system/windows/{name}.cpp" for name in ("ending", "machine", "wide")))
    for way in "abort", "fault":
        left = folder / "left"
        out = run([wine[0], crash, left, way])
        check(f"a crash ({way}) leaves nothing behind", out.returncode not in (0, 1) and not left.exists(), out)

    hold = built("hold", "-municode")
    holder = subprocess.Popen([wine[0], hold, floats], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    holder.stdout.readline()
    out = run([*wine, "reduce", floats])
    check("a file that another program holds", out.returncode == 2 and b"in use; close it where it is open" in out.stderr, out.stderr)
    out = run([*wine, "scan", words, "-o", floats])
    check("an output that another program holds", out.returncode == 2 and b"in use" in out.stderr, out.stderr)
    holder.communicate()

    partial = folder / "partial"
    partial.mkdir()
    large = folder / "large.npy"
    np.save(large, np.zeros(40_000_000, "u4"))
    sent, left = interrupted(["scan", large, "-o", partial / "sums.npy", "--memory", "16M"], partial)
    check("Ctrl-C leaves nothing behind", sent and not left, left)
finally:
    run([wine[0], "wineboot", "--kill"])
    session.kill()
    server.terminate()
    shutil.rmtree(folder, ignore_errors=True)
print(f"{checks} checks, {failed} failed")
sys.exit(1 if failed else 0)
