"""Kernels that only some mechanisms need, compiled when they are first used, or all by `gudgeon compile`."""

from __future__ import annotations

from collections.abc import Callable

from gudgeon.compilation_watch import Note, watch

_ready: set[str] = set()


def compile_group(name: str) -> float:
    """Make sure the kernels of a group are compiled or loaded; returns the seconds it took (0 after the first time)."""
    if name in _ready:
        return 0.0
    before = watch.seconds
    with watch.preparing(Note(f"for {name}, ")):
        GROUPS[name]()
    _ready.add(name)
    return watch.seconds - before


def _surfaces() -> None:
    """Small calls that touch every kernel of gudgeon.nurbs that Python calls."""
    from gudgeon.nurbs import Pose, Surface, SurfacePair, gap_field

    plane = Surface.plane()
    plane.hits((0.5, 0.5, 1.0), (0.0, 0.0, -1.0))
    plane.curvature(0.5, 0.5)
    gap_field(SurfacePair(reference=plane, corresponding=plane.reversed(), grid=(2, 2)), Pose(), Pose())


def _surface_contact() -> None:
    """The function that solvers call; importing it compiles it."""
    import gudgeon.surface_contact.kernels.forces  # noqa: F401


def _finite_elements() -> None:
    """The same for gudgeon.fem."""
    import numpy as np

    from gudgeon.fem import Material, Mesh, PlaneModel
    from gudgeon.fem.kernels import multiply

    material = Material(youngs_modulus=1.0, poissons_ratio=0.3, density=1.0)
    model = PlaneModel(mesh=Mesh.rectangle(1.0, 1.0, 2, 2), material=material, mass="consistent")
    ones, stiffness = np.ones(model.unknown_count), model.K
    multiply(stiffness.indptr, stiffness.indices, stiffness.data, ones, np.empty_like(ones))
    model.step_operator(1e-3).solve(ones)


def _wear() -> None:
    """What `gd.wear` calls."""
    from gudgeon.compilation.kernels import compile_module

    for module in ("frozen", "pressures"):
        compile_module(f"gudgeon.wearing.kernels.{module}")


def _laws() -> None:
    """The laws of gd.laws."""
    from gudgeon.laws.forms import compile_laws

    compile_laws()


GROUPS: dict[str, Callable[[], None]] = {
    "surfaces": _surfaces,
    "surface contact": _surface_contact,
    "finite elements": _finite_elements,
    "laws": _laws,
    "wear": _wear,
}
