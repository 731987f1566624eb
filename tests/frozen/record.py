"""What is kept of a frozen run."""

from __future__ import annotations

import hashlib
import platform
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

import gudgeon as gd

FOLDER = Path(__file__).parent
STRICT, NORMAL = FOLDER / "strict.json", FOLDER / "normal.json"
MOTION = ("position", "orientation", "velocity", "angular_velocity")
OUTPUTS = (  # of compiled code; joint coordinates are made from the motion by NumPy, whose rounding no build decides
    *MOTION,
    *("reaction_force", "reaction_torque", "drive_effort"),
    *("eccentricity", "penetration", "normal_force", "friction_force", "film_force", "contact", "sliding_velocity"),
    *("power_dissipated", "stored_energy", "contact_area", "contact_pressure"),
    *("kinetic_energy", "potential_energy", "mechanical_energy", "dissipated_energy"),
    *("guide_gap", "guide_gap_rate", "guide_sliding_velocity", "guide_normal_force", "guide_friction_force"),
    *("pin_gap", "pin_force", "node_displacement", "node_velocity"),
)
EVENTS = ("begin", "end", "impact_speed", "peak_force", "energy_lost", "impulse")
RTOL = 1e-9  # of the numbers of the normal build, of the largest of their kind in the run


def machine() -> str:
    """All that the bits of a run depend on in the normal build, besides gudgeon: Numba chooses instructions by the
    name of the processor."""
    return ", ".join((f"{platform.machine()} {llvmlite.binding.get_host_cpu_name()}", *_libraries()))


def rounding() -> str:
    """The same in the strict build. Of the processor it is the kernels alone that the OpenBLAS of NumPy and SciPy
    choose for it: with OPENBLAS_CORETYPE=Haswell in the environment one with AVX-512 gives the bits of one without.
    (SUNDIALS brings an OpenBLAS of its own, which CVODE's solvers do not ask.)"""
    import scipy.linalg  # noqa: F401 (loads its OpenBLAS)
    from threadpoolctl import threadpool_info

    kernels = sorted({each["architecture"] for each in threadpool_info() if each["prefix"] == "libscipy_openblas"})
    return ", ".join((f"{platform.machine()} OpenBLAS {' '.join(kernels)}", *_libraries()))


def _libraries() -> tuple[str, ...]:
    import scipy
    import sksundae

    versions = (f"{module.__name__} {module.__version__}" for module in (np, scipy, numba, llvmlite, sksundae))
    return " ".join(platform.libc_ver()), f"Python {platform.python_version()}", *versions


def digests(result: gd.Result) -> dict[str, Any]:
    """SHA-256 of the raw states, of outputs in `.data`, of contacts and crossings; and the steps taken."""
    data, events = result.data, result.events
    outputs = [data[name].values for name in OUTPUTS if name in data]
    contacts = [events[name].to_numpy() for name in EVENTS]
    names = "\n".join([*events.joint, *events.contact, *result.crossings.crossing]).encode()
    return {
        "states": _digest(result.states),
        "outputs": _digest(*outputs),
        "events": _digest(*contacts, result.crossings.time.to_numpy(), names=names),
        "contacts": len(events),
        "steps": [result.stats["steps"], result.stats["rejections"]],
    }


def _digest(*arrays: np.ndarray, names: bytes = b"") -> str:
    """Of the bits of all numbers; one NaN is like the other, and zero has no sign."""
    made = hashlib.sha256(names)
    for array in arrays:
        numbers = np.asarray(array, dtype=np.float64) + 0.0
        made.update(np.where(np.isnan(numbers), np.nan, numbers).tobytes())
    return made.hexdigest()


def motion(result: gd.Result) -> dict[str, np.ndarray]:
    """Poses and velocities of all bodies, nodes too: (sample, number)."""
    names = [*MOTION, *(name for name in ("node_displacement", "node_velocity") if name in result.data)]
    return {name: result.data[name].values.reshape(len(result.data.time), -1) for name in names}


def scales(moved: dict[str, np.ndarray]) -> dict[str, float]:
    """The largest of each kind; what turns about its centre has velocities of rounding, what slides such turns."""
    length, speed = _largest(moved, "position", "node_displacement"), _largest(moved, "velocity", "node_velocity")
    spin = _largest(moved, "angular_velocity")
    speed, spin = max(speed, 1e-3 * spin), max(spin, speed)  # at a millimetre, at a metre
    return {
        "position": length,
        "orientation": 1.0,
        "velocity": speed,
        "angular_velocity": spin,
        "node_displacement": length,
        "node_velocity": speed,
    }


def _largest(moved: dict[str, np.ndarray], *names: str) -> float:
    return max(float(np.abs(moved[name]).max()) for name in names if name in moved)


def contacts(result: gd.Result) -> np.ndarray:
    """Begin [s] and impact speed [m/s] of every contact, in order."""
    return result.events[["begin", "impact_speed"]].to_numpy(dtype=float)
