"""Reading a CAD file in a process of its own: a hang or a crash of OpenCASCADE, or a hostile file, stays there."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.cad.faces import Face, Faces
from gudgeon.checks import number
from gudgeon.errors import ModelError, nearby
from gudgeon.nurbs.pair import Pose
from gudgeon.nurbs.surface import Surface
from gudgeon.nurbs.trim import Trim

SIZE_LIMIT = 200e6  # [bytes]
TIME_LIMIT = 120.0  # [s]
MEMORY_LIMIT = 8e9  # of the child process [bytes]
TRIM_TOLERANCE = 1e-6  # [m]


def checked_file(owner: str, path: Any, size_limit: float) -> Path:
    """The path of a regular file that is neither empty nor larger than allowed."""
    if not isinstance(path, str | os.PathLike):
        raise ModelError(f"{owner}: path is a {type(path).__name__}; give the path of a file")
    file = Path(path)
    try:
        if file.is_dir():
            raise ModelError(f"{owner}: {str(file)!r} is a folder; give the path of a file in it")
        if not file.exists():
            raise ModelError(f"{owner}: there is no file {str(file)!r}{nearby(file)}")
        if not file.is_file():
            raise ModelError(f"{owner}: {str(file)!r} is a device or a pipe; give the path of a regular file")
        size = file.stat().st_size
        with file.open("rb") as opened:
            opened.read(1)
    except (OSError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{owner}: {str(file)!r} cannot be opened ({error})") from None
    if size == 0:
        raise ModelError(f"{owner}: {str(file)!r} is empty; export it again")
    if size > size_limit:
        raise ModelError(
            f"{owner}: {str(file)!r} has {size / 1e6:.4g} MB, more than the limit of {size_limit / 1e6:.4g} MB; "
            f"export only the parts you need, or give size_limit={size * 1.1:.1g}"
        )
    return file


def ends_of(file: Path) -> tuple[bytes, bytes]:
    """The first and the last 4096 bytes."""
    with file.open("rb") as opened:
        head = opened.read(4096)
        opened.seek(max(0, file.stat().st_size - 4096))
        return head, opened.read(4096)


def read_faces(owner: str, kind: str, file: Path, *, time_limit: float, trim_tolerance: float) -> Faces:
    """The faces of a file that has passed the checks of its format."""
    seconds = number(owner, "time_limit", time_limit)
    tolerance = number(owner, "trim_tolerance", trim_tolerance)
    for name, value, unit in (("time_limit", seconds, "s"), ("trim_tolerance", tolerance, "m")):
        if value <= 0.0:
            raise ModelError(f"{owner}: {name} is {value:g} {unit}; give a positive number")
    return _build(owner, file, *worked(owner, kind, file, seconds=seconds, tolerance=tolerance))


def worked(
    owner: str, kind: str, file: Path, *, seconds: float, tolerance: float
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the child process found in a file: its contents, and the arrays that they refer to."""
    if importlib.util.find_spec("OCP") is None:
        raise ModelError(
            f"{owner}: CAD files are read by OpenCASCADE, which is not installed; run pip install gudgeon[cad]"
        )
    with tempfile.TemporaryDirectory(prefix="gudgeon-") as folder:
        out = Path(folder) / "faces.npz"
        said = _run_worker(owner, kind, file, out, Path(folder) / "said.txt", seconds, tolerance)
        with np.load(out, allow_pickle=False) as loaded:
            arrays = {name: loaded[name] for name in loaded.files}
    contents = json.loads(arrays.pop("contents").tobytes())
    if "error" in contents:
        raise ModelError(f"{owner}: {str(file)!r} cannot be used: {contents['error']}{_quoted(said)}; export it again")
    return contents, arrays


def _run_worker(owner: str, kind: str, file: Path, out: Path, log: Path, seconds: float, tolerance: float) -> str:
    """Run the child process to its end or to the time limit; what it printed."""
    command = [sys.executable, "-P", "-m", "gudgeon.cad.worker", kind, str(file.resolve()), str(out)]
    command += [repr(tolerance), repr(MEMORY_LIMIT)]
    search = [str(Path(x).resolve()) for x in sys.path if x and Path(x).exists()]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(search)}
    with log.open("wb") as said:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            cwd=out.parent,
            env=environment,
            start_new_session=True,
        )
        try:
            code = child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise ModelError(
                f"{owner}: {str(file)!r} was not read within {seconds:g} s and was given up; export only the parts you "
                "need, or give a larger time_limit="
            ) from None
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
    text = log.read_bytes()[-20000:].decode(errors="replace")
    if code != 0 or not out.exists():
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        raise ModelError(
            f"{owner}: OpenCASCADE broke down on {str(file)!r} ({how}){_quoted(text)}; "
            "the file is damaged or hits a fault of OpenCASCADE: export it again, with other options"
        )
    return text


def _quoted(said: str) -> str:
    """The complaint of OpenCASCADE that tells most, as part of a sentence."""
    lines = [x.strip(" *\r\n\t") for x in _plain(said).splitlines()]
    telling = [x for x in lines if any(word in x.lower() for word in ("error", "fail", "syntax", "unexpected"))]
    chosen = (telling or [x for x in lines if x])[:1]
    return f" ({chosen[0][:200]})" if chosen else ""


def _plain(text: str) -> str:
    import re

    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _build(owner: str, file: Path, contents: dict[str, Any], arrays: dict[str, Any]) -> Faces:
    faces: list[Face] = []
    refused: dict[str, str] = {}
    made: dict[int, Surface] = {}
    used: dict[str, int] = {}
    unnamed = 0
    for instance in contents["instances"]:
        used[instance["name"]] = used.get(instance["name"], 0) + 1
        again = used[instance["name"]]
        where = instance["name"] if again == 1 else f"{instance['name']} {again}"
        placement = _placement(owner, file, where, instance)
        for body in contents["parts"][instance["part"]]:
            for row in body["faces"]:
                unnamed += not row["name"]
                name = row["name"] or f"face {unnamed}"
                try:
                    if "refused" in row:
                        raise ModelError(row["refused"] + (f" (entity {row['entity']})" if row["entity"] else ""))
                    if id(row) not in made:
                        made[id(row)] = _surface(row, arrays, name)
                    local = made[id(row)]
                except ModelError as error:
                    refused[name] = str(error)
                    continue
                faces.append(
                    Face(
                        name=name,
                        body=f"{where}/{body['name']}" if body["name"] else where,
                        kind=row["kind"],
                        local=local,
                        placement=placement,
                        hollow=row["hollow"],
                        area=row["area"],
                        color=None if row["color"] is None else tuple(row["color"]),
                        dimensions=row["dimensions"],
                    )
                )
    for entity in contents["lost"]:
        refused[f"entity {entity}"] = "it is incomplete or refers to what is not in the file; export it again"
    if not faces:
        reasons = [contents["missing"]] if contents["missing"] else [f"{name}: {x}" for name, x in refused.items()]
        why = "; ".join(reasons[:3])
        raise ModelError(
            f"{owner}: {str(file)!r} has no face that can be used{f' ({why})' if why else ''}; "
            "export solids or surfaces (not only curves, meshes or drawings)"
        )
    return Faces(file.name, faces, refused)


def _placement(owner: str, file: Path, body: str, instance: dict[str, Any]) -> Pose:
    rotation = np.array(instance["rotation"])
    try:
        return Pose(rotation=rotation, position=np.array(instance["translation"]))
    except ModelError as error:
        raise ModelError(f"{owner}: {str(file)!r}: the placement of {body!r} is no rigid motion ({error})") from None


def _surface(row: dict[str, Any], arrays: dict[str, Any], name: str) -> Surface:
    outer, inner = [arrays[x] for x in row["outer"]], [arrays[x] for x in row["inner"]]
    surface = Surface(
        degree=(row["degree"][0], row["degree"][1]),
        knots=(arrays[row["knots"][0]], arrays[row["knots"][1]]),
        points=arrays[row["points"]],
        weights=arrays[row["weights"]],
        trim=Trim(outer=outer, inner=inner) if outer or inner else None,
        name=name,
    )
    return surface.reversed() if row["reversed"] else surface
