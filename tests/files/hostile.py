"""Files that mean harm: bombs, depth, counts, ways out of the folder, what other programs would run.

Each case is a command of gudgeon with the files that it meets, and words of the refusal (hostile_judge.py tries them).
"""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np

BODY = "bodies: {bob: {mass: 1, inertia: [1, 1, 1]}}\n"
PIVOT = "joints: {pivot: {type: Spherical, parent: ground, child: bob, at: [0, 0, 0]}}\n"
RUN = "run: {duration: 1 s}\n"
MEGA = 1_000_000
Case = Callable[[Path], list[str]]


def model(text: str | bytes, *command: str) -> Case:
    """A model file of this text, checked or what the command says."""

    def made(folder: Path) -> list[str]:
        (folder / "model.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
        return [*(command or ("check",)), "model.yaml"]

    return made


def shape(kind: str, name: str, make: Callable[[Path], object]) -> Case:
    """A body whose shape is a file."""

    def made(folder: Path) -> list[str]:
        make(folder / name)
        (folder / "model.yaml").write_text(
            f"bodies: {{bob: {{type: Body.of_shape, shape: {{type: {kind}, path: {name}}}}}}}"
        )
        return ["check", "model.yaml"]

    return made


def entry(path: str, value: str) -> Case:
    """A sound model with one entry set."""
    return model(f"{BODY}{PIVOT}{RUN}", "check", "--set", f"{path}={value}")


def force(expression: str) -> Case:
    return model(f"{BODY}loads: {{push: {{type: Force, body: bob, vector: ['{expression}', 0, 0]}}}}\n")


def plate(mesh: str) -> Case:
    """A flexible body with this mesh."""
    material = "{youngs_modulus: 1e9, poissons_ratio: 0.3, density: 1000, thickness: 1}"
    return model(f"bodies: {{bob: {{type: FlexibleBody, mesh: {{{mesh}}}, material: {material}}}}}\n")


def film(surface: str, grid: str = "[4, 3]") -> Case:
    sides = f"reference: [ground, {{{surface}}}], corresponding: [bob, {{type: Surface.plane}}]"
    return model(f"{BODY}interfaces: {{film: {{{sides}, grid: {grid}}}}}\n")


def study(text: str) -> Case:
    def made(folder: Path) -> list[str]:
        (folder / "model.yaml").write_text(BODY + PIVOT + RUN)
        (folder / "study.yaml").write_text(text)
        return ["sweep", "study.yaml", "--workers", "1"]

    return made


def result(change: Callable[[h5py.File], object], command: str = "view") -> Case:
    """A file that passes for a result."""

    def made(folder: Path) -> list[str]:
        with h5py.File(folder / "run.nc", "w") as file:
            file.attrs["format"] = "gudgeon result 1"
            file.attrs["stats"] = json.dumps(
                {"solver": "x", "steps": 1, "end": "done", "end_time": 1.0, "seconds_computing": 1.0}
            )
            file["crossing_time"] = np.zeros(0)
            file["crossing"] = np.zeros(0)
            for name in ("joint", "contact", "begin", "end", "impact_speed", "peak_force", "energy_lost", "impulse"):
                file[f"event_{name}"] = np.zeros(0)
            file["time"] = np.arange(3.0)
            file["time"].make_scale("time")
            change(file)
        return [command, "run.nc", *(["--csv"] if command == "export" else [])]

    return made


def file_instead(make: Callable[[Path], object], command: str = "check", name: str = "model.yaml") -> Case:
    def made(folder: Path) -> list[str]:
        make(folder / name)
        return [command, name, *(["--csv"] if command == "export" else [])]

    return made


def link_to(target: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.symlink_to(target)

    return make


def sparse(size: float) -> Callable[[Path], None]:
    """A file that is long and takes no room."""

    def make(path: Path) -> None:
        with open(path, "wb") as file:
            file.truncate(int(size))

    return make


def stl(count: int, triangles: int) -> Callable[[Path], object]:
    """A binary STL file that announces so many triangles, and has others."""
    return lambda path: path.write_bytes(bytes(80) + struct.pack("<I", count) + bytes(50 * triangles))


def laughs(levels: int) -> str:
    """A billion laughs: nine of nine of nine …"""
    lines = ['a0: &a0 ["lol"]'] + [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]" for k in range(1, levels)]
    return "\n".join(lines)


def npz_bomb(size: int) -> bytes:
    """An NPZ file of zeros, a thousand times smaller than what is in it."""
    content = io.BytesIO()
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({size},)}}".ljust(117) + "\n"
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file, file.open("a.npy", "w", force_zip64=True) as part:
        part.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for _ in range(size // MEGA):
            part.write(bytes(MEGA))
    return content.getvalue()


def hollow_npz(size: int) -> bytes:
    """An NPZ file whose array is said to be long, and is not there."""
    content = io.BytesIO()
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({size},), }}".ljust(117) + "\n"
    with zipfile.ZipFile(content, "w") as file:
        for name in ("about.npy", "taken.npy"):
            file.writestr(name, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    return content.getvalue()


def with_state(memory: Callable[[], bytes]) -> Callable[[h5py.File], None]:
    def change(file: h5py.File) -> None:
        at = {"key": "", "time": 1.0, "redundant_rows": 0}
        state = {"time": 1.0, "joints": {}, "turns": {}, "bristles": {}, "dissipated": {}, "nodes": [], "wound": []}
        file.attrs["state"] = json.dumps({**state, "bodies": {}, "contacts": {}, "memory": at})
        file["state_memory"] = np.frombuffer(memory(), np.uint8)

    return change


def huge(file: h5py.File) -> None:
    """Numbers that take no room: the file says what they are where nothing was written."""
    file.create_dataset("position", shape=(1_000_000, 1000, 3), dtype="f8", chunks=(1000, 100, 3))


def many_chunks(file: h5py.File) -> None:
    data = file.create_dataset("position", shape=(400_000_000,), dtype="f8", chunks=(4_000_000,), compression="gzip")
    data[:4_000_000] = 0.0


def outside(file: h5py.File) -> None:
    file["position"] = h5py.ExternalLink("/etc/passwd", "/")


def stored_outside(file: h5py.File) -> None:
    file.create_dataset("position", shape=(100,), dtype="u1", external=[("/etc/hostname", 0, 100)])


def endless_groups(file: h5py.File) -> None:
    group = file
    for _ in range(2000):
        group = group.create_group("g")


def own_system(text: str) -> Callable[[h5py.File], None]:
    def change(file: h5py.File) -> None:
        file["system_description"] = text
        file["position"] = np.zeros((3, 1, 3))

    return change


def pickled(file: h5py.File) -> None:
    content = io.BytesIO()
    np.savez(content, a=np.array([os.system], dtype=object))
    with_state(content.getvalue)(file)


def checkpoint(content: Callable[[], bytes]) -> Case:
    """A run to go on with."""

    def made(folder: Path) -> list[str]:
        (folder / "model.yaml").write_text(BODY + PIVOT + RUN)
        (folder / "model.nc.checkpoint").mkdir()
        (folder / "model.nc.checkpoint" / "state").write_bytes(content())
        return ["run", "model.yaml", "--resume"]

    return made


def bodies(count: int) -> str:
    lines = "".join(f"  b{k}: {{mass: 1, inertia: [1, 1, 1], position: [{k}, 0, 0]}}\n" for k in range(count))
    pins = "".join(
        f"  j{k}: {{type: Revolute, parent: b{k}, child: b{k + 1}, at: [{k}, 0, 0]}}\n" for k in range(count - 1)
    )
    return f"bodies:\n{lines}joints:\n{pins}"


CASES: dict[str, tuple[Case, str]] = {
    # YAML
    "a billion laughs": (model(laughs(30)), "a0: anchors (&) and aliases (*) are not read"),
    "an anchor within itself": (model("bodies: &a [*a]\n"), "bodies: anchors (&) and aliases (*) are not read"),
    "merge keys that multiply": (
        model("a: &a {x: 1}\nb: &b {<<: [*a, *a], y: 2}\nbodies: {<<: *b}\n"),
        "anchors (&) and aliases (*) are not read",
    ),
    "lists, ten thousand deep": (model("bodies: " + "[" * 10_000 + "]" * 10_000), "nested more than 40 deep"),
    "lists, a million deep and open": (model("bodies: " + "[" * MEGA), "nested more than 40 deep"),
    "mappings, ten thousand deep": (model("{a: " * 10_000 + "1" + "}" * 10_000), "nested more than 40 deep"),
    "lines, each further in": (model("\n".join(" " * k + f"k{k}:" for k in range(3000))), "nested more than 40 deep"),
    "keys within keys": (model("? " * 5000 + "a"), "a key is a list or a mapping; keys are names"),
    "a text of 17 MB": (model("name: " + "x" * (17 * MEGA) + "\n" + BODY), "has 17 MB; at most 16 MB are read"),
    "a text of 15 MB for a number": (
        model("bodies: {bob: {mass: '" + "9" * (15 * MEGA) + "', inertia: [1, 1, 1]}}"),
        "bodies.bob.mass: '999",
    ),
    "a name of 10 MB": (model(f"bodies: {{bob: {{mas{'s' * (10 * MEGA)}: 1}}}}"), "this is not YAML"),
    "a number of a million digits": (
        model(f"bodies: {{bob: {{mass: {'9' * MEGA}, inertia: [1, 1, 1]}}}}"),
        "is no number; give a number in kg",
    ),
    "a number of ten thousand digits set": (
        entry("bodies.bob.mass", "9" * 10_000),
        "is no number; give a number in kg",
    ),
    "numbers beyond floats": (
        model("bodies: {bob: {mass: 1e999999999, inertia: [1, 1, 1]}}"),
        "mass is inf; give a finite number",
    ),
    "600 000 entries": (model("name: [" + "0, " * 600_000 + "0]\n" + BODY), "more than 500000 entries"),
    "a million documents": (model("---\n" * MEGA), "a second document begins here"),
    "a name twice": (model(BODY + "bodies: {bob: {mass: 2, inertia: [1, 1, 1]}}\n"), "the name 'bodies' is used twice"),
    "a tag that calls a function": (
        model("bodies: !!python/object/apply:os.system ['touch executed']\n"),
        "the tag 'tag:yaml.org,2002:python/object/apply:os.system' is not read",
    ),
    "a tag that imports a module": (
        model("name: !!python/module:antigravity\n" + BODY),
        "python/module:antigravity' is not read",
    ),
    "a tag of a name": (model("!!python/name:os.system {}\n"), "python/name:os.system' is not read"),
    "a tag of one's own": (
        model("%TAG ! tag:evil.example,2000:\n---\nname: !thing x\n" + BODY),
        "the tag 'tag:evil.example,2000:thing' is not read",
    ),
    "bytes of zero": (
        model(b"bodies: {bob: {mass: 1, inertia: [1, 1, 1]}}\nname: a\x00b\n"),
        "control characters are not allowed",
    ),
    "no UTF-8": (model(b"name: \xff\xfe\x80\n" + BODY.encode()), "byte 6 is not UTF-8"),
    "UTF-16": (model((BODY + PIVOT).encode("utf-16")), "byte 0 is not UTF-8"),
    "a byte order mark within": (model("name: a\n\ufeffbodies: {}\n"), "this is not YAML"),
    "escape sequences of terminals": (
        model('bodies: {"\\e]0;evil\\a": {mass: 0, inertia: [1, 1, 1]}}\n'),
        "]0;evil\\x07'].mass: mass is 0.0 kg",
    ),
    "control characters": (model(b"name: \x1b[2J\x07\n" + BODY.encode()), "control characters are not allowed"),
    "half a character": (
        model('name: "\\ud800"\n' + BODY + 'joints: {j: {type: Rigid, parent: "\\udfff", child: bob, at: [0, 0, 0]}}'),
        "invalid Unicode character escape code",
    ),
    "14 MB of blanks": (model(" " * (14 * MEGA)), "the file is empty"),
    "14 MB of comments": (model("# x\n" * (7 * MEGA // 2)), "the file is empty"),
    "quotes that never end": (model("name: '" + "a\n" * MEGA), "unexpected end of stream"),
    # expressions and units
    "an expression, ten thousand brackets deep": (force("(" * 10_000 + "t" + ")" * 10_000), "at most 1000 are allowed"),
    "an expression of ten thousand minus signs": (force("-" * 10_000 + "t"), "at most 1000 are allowed"),
    "an expression of a million letters": (force("t+" * (MEGA // 2) + "t"), "at most 1000 are allowed"),
    "a tower of powers": (force("9**9**9**9**9**9"), "constants must be finite"),
    "a tower of powers of integers": (force("2**(2**(2**(2**(2**(2**2)))))*t"), "constants must be finite"),
    "a call of Python": (force('__import__("os").system("touch executed")'), "is not allowed"),
    "an attribute": (force("t.__class__.__mro__"), "is not allowed"),
    "a lambda": (force("(lambda: t)()"), "is not allowed"),
    "a comprehension": (force("[t for t in range(10**9)]"), "is not allowed"),
    "a unit to a high power": (model("bodies: {bob: {mass: 1 kg**999999999, inertia: [1, 1, 1]}}"), "is no number"),
    "a unit that is arithmetic": (model("bodies: {bob: {mass: '1 kg*9**9**9', inertia: [1, 1, 1]}}"), "is no number"),
    "a thousand units": (model(f"bodies: {{bob: {{mass: '1 {'kg*' * 1000}kg', inertia: [1, 1, 1]}}}}"), "is no number"),
    # counts
    "a mesh of 1e18 elements": (
        plate("type: Mesh.rectangle, length: 1, height: 1, nx: 1000000000, ny: 1000000000"),
        "elements; the limit is 1000000",
    ),
    "a mesh of a billion elements": (
        plate("type: Mesh.rectangle, length: 1, height: 1, nx: 1000000000, ny: 1"),
        "elements; the limit is 1000000",
    ),
    "a mesh of 1e30 elements": (
        plate(f"type: Mesh.rectangle, length: 1, height: 1, nx: 1{'0' * 30}, ny: 1"),
        "elements; the limit is 1000000",
    ),
    "a grid of 1e18 points": (film("type: Surface.plane", "[1000000000, 1000000000]"), "give at most 10000000 points"),
    "a grid of 1e10 points": (film("type: Surface.plane", "[100000, 100000]"), "grid is 100000 × 100000 points"),
    "samples every 1e-30 s": (
        model(BODY + PIVOT + "run: {duration: 1, sample: 1e-30}\n", "run"),
        "samples do not fit into memory",
    ),
    "ninety million samples": (
        model(BODY + PIVOT + "run: {duration: 90, sample: 1e-6}\n", "run"),
        "90000001 samples of",
    ),
    "a run of 1e300 s": (
        model(BODY + PIVOT + "run: {duration: 1e300, sample: 1e280}\n", "run", "--set", "joints={}"),
        "samples do not fit into memory",
    ),
    "forty thousand bodies": (model(bodies(40_000)), "more than 500000 entries"),
    # ways out of the folder, and files that are none
    "a path upwards": (
        shape("Mesh", "../../../../etc/passwd", lambda path: None),
        "is outside the folder of the model",
    ),
    "an absolute path": (shape("Mesh", "/etc/passwd", lambda path: None), "is outside the folder of the model"),
    "a link to another folder": (
        shape("Mesh", "part.stl", link_to("/etc/passwd")),
        "is outside the folder of the model",
    ),
    "a link to itself": (shape("Mesh", "part.stl", link_to("part.stl")), "is no name of a file"),
    "a path with a zero": (shape("Mesh", '"a\\0.stl"', lambda path: None), "is no name of a file"),
    "a pipe for a part": (shape("Mesh", "part.stl", os.mkfifo), "is a device or a pipe"),
    "a pipe for a STEP file": (shape("Step", "part.step", os.mkfifo), "is a device or a pipe"),
    "a pipe for a mesh": (plate("type: Mesh.read, path: part.msh"), "there is no such file"),
    "a pipe for a model": (file_instead(os.mkfifo), "is a device or a pipe"),
    "a device for a model": (file_instead(link_to("/dev/zero")), "is a device or a pipe"),
    "a folder for a model": (file_instead(os.mkdir), "is a folder"),
    "a model of 10 GB": (file_instead(sparse(1e10)), "has 10,000 MB; at most 16 MB are read"),
    "an STL file of 10 GB": (shape("Mesh", "part.stl", sparse(1e10)), "more than the limit of 200 MB"),
    "an STL file that announces four billion triangles": (
        shape("Mesh", "part.stl", stl(2**32 - 1, 3)),
        "is cut off or no STL file",
    ),
    "an STL file of text without end": (
        shape("Mesh", "part.stl", lambda path: path.write_text("solid x\nvertex 1 2 " * 5 * MEGA)),
        "is cut off or no STL file",
    ),
    "a STEP file of 10 GB": (shape("Step", "part.step", sparse(1e10)), "more than the limit of 200 MB"),
    "a STEP file of nothing": (
        shape("Step", "part.step", lambda path: path.write_bytes(bytes(MEGA))),
        "cannot be used",
    ),
    "a table of a CSV of 10 GB": (
        model(BODY + "loads: {push: {type: Force, body: bob, vector: [{type: Table.from_csv, path: t.csv}, 0, 0]}}"),
        "has more than 100 MB",
    ),
    # results
    "a result of random bytes": (
        file_instead(lambda path: path.write_bytes(os.urandom(10_000)), "view", "run.nc"),
        "is not a netCDF file",
    ),
    "a result that is a pipe": (file_instead(os.mkfifo, "report", "run.nc"), "is a device or a pipe"),
    "a result of 100 GB of nothing": (file_instead(sparse(1e11), "export", "run.nc"), "has 100,000 MB"),
    "a result of 24 GB that takes no room": (result(huge), "MB stand for 2.4e+04 MB"),
    "a result of 24 GB to export": (result(huge, "export"), "MB stand for 2.4e+04 MB"),
    "a result of 24 GB to report": (result(huge, "report"), "MB stand for 2.4e+04 MB"),
    "a result whose chunks blow up": (result(many_chunks, "export"), "MB stand for 3.2e+03 MB"),
    "a result that links elsewhere": (result(outside), "is a group or a link"),
    "a result that is stored elsewhere": (result(stored_outside), "are in another file"),
    "a result of groups within groups": (result(endless_groups), "is a group or a link"),
    "a result whose state blows up": (
        result(with_state(lambda: npz_bomb(400 * MEGA)), "report"),
        "MB of its state stand for",
    ),
    "a result whose state is pickled": (result(pickled, "report"), "Object arrays cannot be loaded"),
    "a result whose statistics are a list": (
        result(lambda file: file.attrs.__setitem__("stats", "[1, 2]")),
        "its statistics do not tell",
    ),
    "a result without statistics": (result(lambda file: file.attrs.__delitem__("stats")), "is damaged ('stats')"),
    "a result whose system is deep": (result(own_system("[" * 100_000)), "it has no orientation"),
    "a result whose system wants a file": (
        result(
            own_system('{"bodies": {"b": {"type": "Body.of_shape", "shape": {"type": "Mesh", "path": "/etc/passwd"}}}}')
        ),
        "it has no orientation",
    ),
    "a checkpoint that blows up": (checkpoint(lambda: npz_bomb(400 * MEGA)), "is damaged (it is compressed)"),
    "a checkpoint of random bytes": (checkpoint(lambda: bytes(range(256)) * 40), "is damaged (File is not a zip file)"),
    "a checkpoint of another shape": (checkpoint(lambda: hollow_npz(10**15)), "is damaged"),
    # studies
    "a study of 1e18 runs": (
        study("model: model.yaml\nparameters: {bodies.bob.mass: {from: 1, to: 2, count: 1000000000000000000}}\n"),
        "count is 1000000000000000000",
    ),
    "a study of a billion runs": (
        study("model: model.yaml\nparameters: {bodies.bob.mass: {from: 1, to: 2, count: 1000000000}}\n"),
        "count is 1000000000,",
    ),
    "a study whose grid is 1e12 runs": (
        study(
            "model: model.yaml\nparameters: {bodies.bob.mass: {from: 1, to: 2, count: 1000000}, 'gravity[2]': "
            "{from: 1, to: 2, count: 1000000}}\n"
        ),
        "1000000 × 1000000 runs",
    ),
    "a study of a billion samples": (
        study(
            "model: model.yaml\nparameters: {'gravity[2]': {from: 1, to: 2}}\n"
            "samples: {method: random, count: 1000000000}\n"
        ),
        "count is 1000000000; at most",
    ),
    "a study of a billion members": (
        study("model: model.yaml\nperturb: {relative: 1e-9, count: 1000000000}\n"),
        "count is 1000000000; at most",
    ),
    "a study of a model elsewhere": (
        study("model: ../../../etc/passwd\nparameters: {bodies.bob.mass: [1]}\n"),
        "is outside the folder",
    ),
    "a study whose store is elsewhere": (
        study("model: model.yaml\nparameters: {bodies.bob.mass: [1]}\nstore: /tmp/evil.zarr\n"),
        "is outside the folder",
    ),
    "a study that is itself its model": (
        study("model: study.yaml\nparameters: {bodies.bob.mass: [1]}\n"),
        "a model file has no section 'model'",
    ),
}


def special(name: str, folder: Path) -> None:
    """What a case needs besides its model."""
    if name == "a pipe for a mesh":
        os.mkfifo(folder / "part.msh")
    if name == "a table of a CSV of 10 GB":
        sparse(1e10)(folder / "t.csv")
