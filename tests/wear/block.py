"""A block that a force presses onto a plate and a slide pulls along: V = k F s, whatever the pressure is."""

from __future__ import annotations

import gudgeon as gd
from gudgeon.nurbs import Surface

LOAD, SPEED, LONG, WIDE = 100.0, 0.5, 0.02, 0.01  # [N], [m/s], [m]
AREA = LONG * WIDE  # [m²]
STIFFNESS = 1e11  # [N/m³]
WEAR = 1e-13  # [1/Pa]


def block(*, lean: float = 0.0) -> gd.System:
    """`lean` is the slope of the block's underside along its way."""
    plate = Surface.plane(origin=(-0.05, -0.02, 0.0), edge1=(0.1, 0, 0), edge2=(0, 0.04, 0))
    corner = (-0.5 * LONG, -0.5 * WIDE, 0.0)
    under = Surface.plane(origin=corner, edge1=(0, WIDE, 0), edge2=(LONG, 0, lean * LONG))
    touch = gd.Interface(reference=("block", under), corresponding=("ground", plate), grid=(4, 16))
    law = gd.laws.HuntCrossley(stiffness=STIFFNESS, exponent=1.0, damping=300.0)
    part = gd.Body(mass=0.2, inertia=(1e-4, 1e-4, 1e-4))
    return gd.System(
        name="block on a plate",
        gravity=(0, 0, 0),
        bodies={"carriage": part, "block": part},
        joints={
            "x": gd.Prismatic("ground", "carriage", at=(0, 0, 0), axis=(1, 0, 0)),
            "z": gd.Prismatic("carriage", "block", at=(0, 0, 0), axis=(0, 0, 1)),
            "J": gd.Free("ground", "block", at=(0, 0, 0), model=gd.SurfaceContact(touch, law)),
        },
        loads={"press": gd.Force("block", (0, 0, -LOAD))},
        drives={"pull": gd.Drive("x", f"{SPEED}*t")},
    )
