"""Is a file what gudgeon writes? A result from somebody else is data that may be wrong, or mean harm.

Results are flat netCDF files that hold their own numbers. Groups, links, numbers that are stored in other files, and
few bytes that stand for very many are refused before anything is read, other dimensions than a result has after it.
"""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.files.memory import memory

if TYPE_CHECKING:
    import h5py
    import xarray as xr

MOST_BYTES = 2e8  # that any file may stand for, however short it is
RATIO = 20.0  # of what it stands for to its length, beyond that
BY_BODY, BY_JOINT = ("time", "body", "axis"), ("time", "joint", "axis")
MOTION = {
    "position": BY_BODY,
    "orientation": ("time", "body", "quaternion"),
    "velocity": BY_BODY,
    "angular_velocity": BY_BODY,
}
DIMENSIONS = {
    **MOTION,
    "acceleration": BY_BODY,
    "angular_acceleration": BY_BODY,
    "reaction_force": BY_JOINT,
    "reaction_torque": BY_JOINT,
    "joint_position": ("time", "coordinate"),
    "joint_velocity": ("time", "rate"),
    "joint_acceleration": ("time", "rate"),
    "drive_effort": ("time", "drive"),
}
ALWAYS = (*MOTION, "kinetic_energy", "potential_energy", "mechanical_energy", "constraint_residual")
UNITS = ("coordinate", "rate", "drive")  # whose units are told one by one
LENGTHS = {"axis": 3, "quaternion": 4}
STATS = ("end", "end_time", "solver", "steps", "seconds_computing")


def most_bytes(size: int) -> float:
    """How much a file or a part of one may stand for, by its length [bytes]."""
    return max(MOST_BYTES, RATIO * size)


def refuse_foreign(file: h5py.File, size: int) -> None:
    """ValueError if an HDF5 file of so many bytes has more than numbers of its own, or too many of them."""
    import h5py

    need = 0.0
    for name in file:
        item = file[name] if isinstance(file.get(name, getlink=True), h5py.HardLink) else None
        if not isinstance(item, h5py.Dataset):
            raise ValueError(f"{name!r} is a group or a link; a result has neither")
        if item.external or item.is_virtual:
            raise ValueError(f"the numbers of {name!r} are in another file")
        need += float(np.prod(item.shape or (1,), dtype=float)) * item.dtype.itemsize
    if need > most_bytes(size):
        raise ValueError(f"its {size / 1e6:.3g} MB stand for {need / 1e6:.3g} MB")
    if 2.0 * need > memory():
        raise ValueError(f"it has {need / 1e9:.3g} GB, this machine {memory() / 1e9:.3g} GB of memory")


def refuse_other_dimensions(data: xr.Dataset, stats: Any) -> None:
    """ValueError if variables of a result have other dimensions, or no numbers."""
    if not isinstance(stats, dict) or not all(name in stats for name in STATS):
        raise ValueError(f"its statistics do not tell {', '.join(STATS)}")
    if "time" not in data.sizes or data["time"].dims != ("time",) or data["time"].dtype.kind != "f":
        raise ValueError("it has no time")
    times = data["time"].values
    if not np.isfinite(times).all() or np.any(np.diff(times) < 0.0):
        raise ValueError("its times do not increase")
    if "position" in data and (missing := [name for name in ALWAYS if name not in data]):
        raise ValueError(f"it has no {missing[0]}")
    for name, variable in data.data_vars.items():
        if variable.dtype.kind not in "fiub":
            raise ValueError(f"{name} is of the type {variable.dtype}")
    for name in UNITS:
        if name in data.sizes and f"{name}_unit" not in data.coords:
            raise ValueError(f"it has no {name}_unit")
    for name, dims in DIMENSIONS.items():
        if name not in data:
            continue
        if data[name].dims != dims or data[name].dtype.kind != "f":
            raise ValueError(f"{name} has the dimensions {data[name].dims} of type {data[name].dtype}, not {dims}")
        for dim in dims[1:]:
            if data.sizes[dim] != LENGTHS.get(dim, data.sizes[dim]):
                raise ValueError(f"{dim} has {data.sizes[dim]} components")
            if dim not in data.coords or data[dim].dtype.kind not in "OUT":
                raise ValueError(f"{dim} has no names")


def refuse_bomb(content: bytes) -> None:
    """ValueError if an NPZ file stands for much more than it is long."""
    with zipfile.ZipFile(BytesIO(content)) as file:
        need = sum(item.file_size for item in file.infolist())
    if need > most_bytes(len(content)):
        raise ValueError(f"{len(content) / 1e6:.3g} MB of its state stand for {need / 1e6:.3g} MB")
