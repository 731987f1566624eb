"""Two surfaces that face each other, each on a body of a mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gudgeon.bodies import GROUND
from gudgeon.cad.faces import Face
from gudgeon.checks import Named, choice
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.nurbs.pair import SurfacePair
from gudgeon.nurbs.surface import Surface
from gudgeon.orientations import rotation_of
from gudgeon.quantities import Length

if TYPE_CHECKING:
    from gudgeon.results.result import Result
    from gudgeon.system import System

Array = NDArray[np.float64]
Side = tuple[str, Surface]


@dataclass(frozen=True, kw_only=True)
class Interface:
    """Two surfaces that face each other, each on a body: `reference=("rod", bore), corresponding=("piston", pin)`.

    A surface is a `gudgeon.nurbs.Surface` or a face of a CAD file. It is given where it is in the reference pose of the
    System, in world coordinates like the `at` of a joint; or, with frame="body", from the body's centre of mass in the
    axes of the body. The normal of the reference surface looks for the corresponding one at every point of the grid.

    >>> import gudgeon as gd
    >>> from gudgeon.nurbs import Surface
    >>> film = gd.Interface(
    ...     reference=("piston", Surface.cylinder(0.01005, -0.01, 0.01, name="bore")),
    ...     corresponding=("rod", Surface.cylinder(0.01, -0.02, 0.02, name="pin")),
    ...     reference_side=-1,  # the normal of Surface.cylinder points away from its axis, into the piston
    ...     grid=(64, 16),
    ... )
    >>> film.bodies
    ('piston', 'rod')
    """

    reference: tuple[str, Surface | Face]  # body and surface that carries the grid
    corresponding: tuple[str, Surface | Face]  # body and surface that its normals look for
    grid: Any = (64, 16)  # points in ξ1 and ξ2, or two rows of parameters [-]
    frame: Literal["world", "body"] = "world"  # what the surfaces' coordinates are
    reference_side: int = 1  # +1: the normal points out of the body, as that of faces of CAD files does; -1: into it
    corresponding_side: int = 1  # the same for the other surface; 0: either side may face the reference
    window: tuple[Length, Length] = (-np.inf, np.inf)  # least and largest gap that counts [m]

    def __post_init__(self):
        keep = object.__setattr__
        for name in ("reference", "corresponding"):
            keep(self, name, _side(name, getattr(self, name)))
        if self.reference[0] == self.corresponding[0]:
            raise ModelError(
                f"Interface: both surfaces belong to the body {self.reference[0]!r}; a gap changes between two bodies"
            )
        choice("Interface", "frame", self.frame, ("world", "body"))
        pair = self._pair(self.reference[1], self.corresponding[1])
        if not all(isinstance(x, int | np.integer) for x in self.grid):
            keep(self, "grid", (tuple(pair.xi1.tolist()), tuple(pair.xi2.tolist())))
        keep(self, "window", pair.window)

    @property
    def bodies(self) -> tuple[str, str]:
        """The names of the two bodies, the reference's first."""
        return self.reference[0], self.corresponding[0]

    @property
    def label(self) -> str:
        """How messages call it."""
        return f"Interface {self.bodies[0]}–{self.bodies[1]}"

    def _pair(self, reference: Any, corresponding: Any) -> SurfacePair:
        try:
            return SurfacePair(
                reference=reference,
                corresponding=corresponding,
                grid=self.grid,
                reference_side=self.reference_side,
                corresponding_side=self.corresponding_side,
                window=self.window,
            )
        except ModelError as error:
            raise ModelError(str(error).replace("SurfacePair", "Interface", 1)) from None

    def pair_of(self, result: Result) -> SurfacePair:
        """The two surfaces in the frames of their bodies, for the bodies of a Result."""
        known = [*(str(x) for x in result.data.body.values), GROUND]
        for body in self.bodies:
            if body not in known:
                raise ModelError(f"{self.label}: no body {body!r}; {did_you_mean(body, known)}")
            if self.frame == "world" and body != GROUND and result.system is None:
                raise ModelError(
                    f"{self.label}: a Result read from a file does not tell the reference pose of {body!r} where its "
                    "System could not be kept (data.attrs['system_not_kept'] says why); give "
                    "the surfaces in the frames of their bodies and frame='body'"
                )
        return self.pair_for(result.system)

    def pair_for(self, system: System | None, origins: Mapping[str, Array] | None = None) -> SurfacePair:
        """The two surfaces in the axes of their bodies, from the centres of mass or from `origins` on them [m]."""
        surfaces = []
        for body, given in (self.reference, self.corresponding):
            surface: Any = given
            if self.frame == "world" and body != GROUND:
                assert system is not None
                at = system.bodies[body]
                turn = rotation_of(self.label, at.orientation).T
                surface = surface.moved(rotation=turn, translation=-turn @ np.array(at.position))
            if origins is not None:
                surface = surface.moved(translation=-np.asarray(origins[body]))
            surfaces.append(surface)
        return self._pair(*surfaces)


def _side(name: str, value: Any) -> Side:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ModelError(f"Interface: {name} is {value!r}; give (body, surface)")
    body, surface = value
    if not isinstance(body, str):
        raise ModelError(f"Interface: {name} is on the body {body!r}; give the name of a body")
    if isinstance(surface, Face):
        surface = surface.surface
    if not isinstance(surface, Surface):
        raise ModelError(
            f"Interface: {name} has a {type(surface).__name__} for a surface; give a gudgeon.nurbs.Surface or a face "
            "of a CAD file"
        )
    return body, surface


def named_interfaces(system: System, given: Any) -> Named[Interface]:
    """The interfaces of a System, checked: their bodies are there."""
    interfaces: Named[Interface] = Named(f"System {system.name!r}, interfaces", given, Interface)
    for name, interface in interfaces.items():
        if "/" in name or "." in name:
            raise ModelError(
                f"Interface {name!r}: a name with '/' or '.' cannot begin the name of a variable; leave it out"
            )
        for body in interface.bodies:
            system.require_body(f"Interface {name!r}", body)
    return interfaces
