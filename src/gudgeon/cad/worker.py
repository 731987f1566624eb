"""What runs in the child process: read a file with OpenCASCADE and write its faces as plain arrays.

    python -m gudgeon.cad.worker step|iges|solids FILE OUT.npz TOLERANCE MEMORY

OUT.npz holds arrays and one JSON text, "contents"; nothing in it can run code when it is read. Whatever OpenCASCADE
prints goes to the standard output, whose end is quoted if it fails.
"""

# OpenCASCADE is optional and has no types:
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.cad.document import Document, find_name
from gudgeon.cad.face_data import MILLIMETRE, FaceData, face_data
from gudgeon.cad.rows import NoExactForm
from gudgeon.cad.solid_data import solid_data
from gudgeon.errors import ModelError

FACE_ENTITY = re.compile(rb"#(\d+)\s*=\s*(?:ADVANCED_FACE|FACE_SURFACE)\s*\(\s*'((?:[^']|'')*)'")
TEXT = re.compile(rb"'(?:[^']|'')*'")
MOST_PAIRS = 10**8  # comparisons of faces with entities that are worth their time


def dangling(step: bytes) -> str:
    """The first reference of a STEP file to an entity that is not in it, as a sentence; "" if there is none."""
    plain = TEXT.sub(b"''", step)
    defined = set(re.findall(rb"#(\d+)\s*=", plain))
    for owner, row in re.findall(rb"#(\d+)\s*=([^;]*);", plain):
        for number in re.findall(rb"#(\d+)", row):
            if number not in defined:
                return f"error: entity #{owner.decode()} refers to #{number.decode()}, which is not in the file"
    return ""


class Unreadable(Exception):
    """The file as a whole cannot be used; the message is the end of a sentence about it."""


def limit_memory(bytes_: float) -> None:
    """Fail on allocation instead of filling the user's machine; no core files."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = int(bytes_) if hard == resource.RLIM_INFINITY else min(int(bytes_), hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def read_document(kind: str, path: str) -> tuple[Any, Any]:
    """The document of a file and the reader that made it."""
    from OCP.IFSelect import IFSelect_ReturnStatus
    from OCP.IGESCAFControl import IGESCAFControl_Reader
    from OCP.Interface import Interface_Static
    from OCP.STEPCAFControl import STEPCAFControl_Reader
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDocStd import TDocStd_Document

    reader = STEPCAFControl_Reader() if kind == "step" else IGESCAFControl_Reader()
    Interface_Static.SetCVal_s("xstep.cascade.unit", "MM")
    Interface_Static.SetIVal_s("read.stepcaf.subshapes.name", 1)
    reader.SetNameMode(True)
    reader.SetColorMode(True)
    if reader.ReadFile(path) != IFSelect_ReturnStatus.IFSelect_RetDone:
        raise Unreadable("it breaks the rules of the format")
    document = TDocStd_Document(TCollection_ExtendedString("BinXCAF"))
    if not reader.Transfer(document):
        raise Unreadable("it describes no shape that can be built")
    return document, reader


def collect(kind: str, path: str, tolerance: float) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Everything to write: the contents and the arrays they refer to by number."""
    missing = dangling(Path(path).read_bytes()) if kind == "step" else ""
    print(missing, flush=True)  # quoted if OpenCASCADE breaks down, as it often does then
    document, reader = read_document(kind, path)
    tree = Document(document)
    arrays: dict[str, np.ndarray] = {}
    parts: list[list[dict[str, Any]]] = []
    entities = _Entities(path, reader) if kind == "step" else None
    every: list[Any] = []
    for part, label in enumerate(tree.parts):
        names = tree.subshape_names(part)
        whole = tree.color(tree.shapes.GetShape_s(label))
        bodies = []
        for solid in tree.solids(part):
            rows = []
            for face in solid.faces:
                row: dict[str, Any] = {"name": find_name(names, face), "color": tree.color(face) or whole}
                every.append(face)
                try:
                    row |= _stored(face_data(face, tolerance), arrays)
                except (NoExactForm, ModelError, ArithmeticError, np.linalg.LinAlgError) as error:
                    row["refused"] = str(error)
                    row["entity"] = entities.of(face) if entities else ""
                rows.append(row)
            bodies.append({"name": solid.name, "faces": rows})
        parts.append(bodies)
    instances = [
        {
            "part": x.part,
            "name": x.name,
            "rotation": x.rotation.tolist(),
            "translation": (MILLIMETRE * x.translation).tolist(),
        }
        for x in tree.instances
    ]
    lost = entities.lost(every) if entities else []
    return {"parts": parts, "instances": instances, "lost": lost, "missing": missing}, arrays


def _stored(data: FaceData, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """A face as a row of the contents, its numbers put into `arrays`."""

    def keep(value: np.ndarray) -> str:
        key = f"a{len(arrays)}"
        arrays[key] = np.ascontiguousarray(value, dtype=float)
        return key

    if not all(np.isfinite(x).all() for x in (data.points, data.weights)):
        raise NoExactForm("its control points are not finite numbers")
    return {
        "kind": data.net.kind,
        "degree": list(data.net.degree),
        "knots": [keep(data.net.knots[0]), keep(data.net.knots[1])],
        "points": keep(data.points),
        "weights": keep(data.weights),
        "outer": [keep(x) for x in data.outer],
        "inner": [keep(x) for x in data.inner],
        "reversed": data.reversed,
        "hollow": data.hollow,
        "area": data.area,
        "dimensions": data.dimensions,
    }


class _Entities:
    """The face entities of a STEP file in the order of its text, and which of them OpenCASCADE made faces of."""

    def __init__(self, path: str, reader: Any):
        found = FACE_ENTITY.findall(Path(path).read_bytes())
        self.labels = [f"#{number.decode()} {name.decode(errors='replace')!r}" for number, name in found]
        self._transfer = reader.Reader().WS().TransferReader()
        self._model = reader.Reader().StepModel()

    def _items(self) -> list[Any]:
        known = ("StepShape_AdvancedFace", "StepShape_FaceSurface")
        every = (self._model.Value(k + 1) for k in range(self._model.NbEntities()))
        items = [x for x in every if x.DynamicType().Name() in known]
        return items if len(items) == len(self.labels) else []

    def of(self, face: Any) -> str:
        """The entity of a face, such as "#39 'bore'"; "" if it cannot be told."""
        entity = self._transfer.EntityFromShapeResult(face, 1)
        return next((label for label, x in zip(self.labels, self._items(), strict=False) if x is entity), "")

    def lost(self, faces: list[Any]) -> list[str]:
        """Entities that became no face."""
        missing = len(self.labels) - len(faces)
        if missing <= 0:
            return []
        items = self._items()
        if not items or len(faces) * self._model.NbEntities() > MOST_PAIRS:
            return [f"{missing} faces"]
        made = [self._transfer.EntityFromShapeResult(face, 1) for face in faces]
        return [label for label, x in zip(self.labels, items, strict=True) if not any(x is y for y in made)]


def main(arguments: list[str]) -> int:
    """Read, write, and say in the contents what went wrong."""
    kind, path, out, tolerance, memory = arguments
    limit_memory(float(memory))
    arrays: dict[str, np.ndarray] = {}
    try:
        if kind == "solids":
            document, _ = read_document("step", path)  # lives as long as its shapes are used
            contents, arrays["points"] = solid_data(Document(document), float(tolerance))
        else:
            contents, arrays = collect(kind, path, float(tolerance))
    except (Unreadable, RecursionError) as error:
        contents = {"error": str(error)}
    except MemoryError:
        contents = {"error": f"it needs more than {float(memory) / 1e9:g} GB of memory"}
    arrays["contents"] = np.frombuffer(json.dumps(contents).encode(), dtype=np.uint8)
    np.savez(out, **arrays)  # pyright: ignore[reportArgumentType] (names are strings)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
