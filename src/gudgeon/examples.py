"""Mechanisms from the literature, ready to run.

>>> import gudgeon as gd
>>> gd.examples.spatial_four_bar().name
'spatial four-bar'
"""

from __future__ import annotations

from gudgeon.body import Body
from gudgeon.joints import Revolute, Spherical
from gudgeon.system import System


def spatial_four_bar() -> System:
    """The spatial four-bar of Silva, Marques, Silva, Flores: Modelling spherical joints in multibody systems.

    Crank on a revolute at A (axis x), coupler between the spherical joints B and C, rocker on a revolute at D (axis y);
    two degrees of freedom, one of them the spin of the coupler about its own axis. Masses, inertias and poses are
    tables 1 and 2 as printed; the printed inertias are ten times those of steel rods of these lengths and masses. The
    tables are rounded to 1e-5 m, so that assembly moves the bodies by some micrometres. Released from rest.

    >>> import gudgeon as gd
    >>> sorted(gd.examples.spatial_four_bar().bodies)
    ['coupler', 'crank', 'rocker']
    """
    return System(
        name="spatial four-bar",
        gravity=(0.0, 0.0, -9.81),
        bodies={
            "crank": Body(mass=0.0196, inertia=(3.92e-5, 1.97e-5, 1.97e-5)),
            "coupler": Body(
                mass=0.1416,
                inertia=(1.7743e-3, 3.51e-5, 1.7743e-3),
                position=(-0.03746, -0.04250, 0.04262),
                orientation=(0.9186, -0.1764, 0.06747, -0.3472),
            ),
            "rocker": Body(
                mass=0.0316,
                inertia=(1.456e-4, 2.9e-6, 1.456e-4),
                position=(-0.05746, -0.08500, 0.03262),
                orientation=(0.3634, -0.6066, -0.6066, 0.3634),
            ),
        },
        joints={
            "A": Revolute("ground", "crank", at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0)),
            "B": Spherical("crank", "coupler", at_parent=(0.0, 0.0, 0.020), at_child=(0.0, 0.061, 0.0)),
            "C": Spherical("coupler", "rocker", at_parent=(0.0, -0.061, 0.0), at_child=(0.0, -0.037, 0.0)),
            "D": Revolute(
                "ground",
                "rocker",
                at_parent=(-0.040, -0.085, 0.0),
                at_child=(0.0, 0.037, 0.0),
                axis=(0.0, 1.0, 0.0),
            ),
        },
    )
