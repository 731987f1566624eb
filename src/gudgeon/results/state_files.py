"""A State as text and bytes, and back: plain numbers and names, nothing that could run."""

from __future__ import annotations

import dataclasses
import json
from io import BytesIO
from typing import Any

import numpy as np

from gudgeon.bodies import BodyState
from gudgeon.orientations import ScalarFirst
from gudgeon.results.foreign_files import MOST_BYTES, refuse_bomb
from gudgeon.solvers.memory import Memory
from gudgeon.state import State, TouchingContact

PLAIN = ("time", "joints", "turns", "bristles", "dissipated", "controls", "nodes", "wound")


def stored(state: State) -> tuple[str, np.ndarray]:
    """The physics as JSON, which keeps every bit of a float, and how the solver goes on as bytes of an NPZ file."""
    content = {name: getattr(state, name) for name in PLAIN}
    content["bodies"] = {name: dataclasses.asdict(body) for name, body in state.bodies.items()}
    content["contacts"] = {name: dataclasses.asdict(contact) for name, contact in state.contacts.items()}
    memory, file = state.memory, BytesIO()
    if memory is not None:
        content["memory"] = {"key": memory.key, "time": memory.time, "redundant_rows": memory.redundant_rows}
        save = np.savez_compressed if sum(x.nbytes for x in memory.arrays.values()) < MOST_BYTES else np.savez
        save(file, **memory.arrays)
    return json.dumps(content), np.frombuffer(file.getvalue(), dtype=np.uint8)


def restored(text: str, content: np.ndarray) -> State:
    """The way back; ValueError, KeyError or TypeError where it is damaged."""
    found = json.loads(text)
    memory = found.pop("memory", None)
    if memory is not None:
        refuse_bomb(packed := content.astype(np.uint8).tobytes())
        with np.load(BytesIO(packed), allow_pickle=False) as file:
            memory = Memory(**memory, arrays={name: file[name] for name in file.files})
    bodies = {name: _body(**body) for name, body in found.pop("bodies").items()}
    contacts = {name: TouchingContact(**contact) for name, contact in found.pop("contacts").items()}
    bristles = {name: tuple(values) for name, values in found.pop("bristles").items()}
    nodes, wound = tuple(found.pop("nodes")), tuple(found.pop("wound"))
    return State(**found, bodies=bodies, contacts=contacts, bristles=bristles, nodes=nodes, wound=wound, memory=memory)


def _body(*, orientation: list[float], **others: Any) -> BodyState:
    """A body with its orientation as it was: normalised once more it may differ in the last bit."""
    body = BodyState(orientation=ScalarFirst(orientation), **others)
    object.__setattr__(body, "orientation", tuple(orientation))
    return body
