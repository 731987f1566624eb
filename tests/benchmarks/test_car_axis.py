"""The car axis: a chassis on two springs over a bumpy road, one end on a guide that tilts with the axle.

Source: Test Set for IVP Solvers (F. Mazzia and C. Magherini, University of Bari), "Car axis problem", t = 3
s. The published form has point masses M/2 at the ends L and R of a massless rod: a rigid body with mass M
and, in the plane, inertia M l²/4. The road lifts the right wheel B by r sin ωt while it stays at the
distance l from the left one, so the axle turns by arcsin((r/l) sin ωt). L slides on a line fixed in the
axle, across it: a two-angle joint with a translation, whose second angle, the spin of the rod, no force
excites. The published k = M ε²/2 scales the equations; the springs have 1/ε² = 1e4 N/m.

A second formulation in two coordinates (L along the guide, angle of the rod; DOP853 at 1e-13) gives the
published digits within 5e-12.
"""

import numpy as np
import pytest

import gudgeon as gd

M, LENGTH, FREE, STIFFNESS = 10.0, 1.0, 0.5, 1e4  # [kg], [m], [m], [N/m]
END = 3.0  # [s]
# x_L, y_L, x_R, y_R [m] and their rates [m/s] at t = 3 s
PUBLISHED = (
    0.04934557842755629, 0.4969894602303324, 1.041742524885400, 0.3739110272652214,
    -0.07705836840321485, 0.007446866596327776, 0.01755681574942899, 0.7703410437794031,
)  # fmt: skip


def car_axis() -> gd.System:
    flat = M * LENGTH**2 / 4
    return gd.System(
        name="car axis",
        gravity=(0, -1, 0),
        bodies={
            "axle": gd.Body(mass=1.0, inertia=(0.01, 0.01, 0.01)),
            "chassis": gd.Body(
                mass=M,
                inertia=(1e-3 * flat, flat, flat),
                position=(LENGTH / 2, FREE, 0),
                velocity=(-FREE / LENGTH, 0, 0),
                angular_velocity=(0, 0, 0),
            ),
        },
        joints={
            "left wheel": gd.Revolute("ground", "axle", at=(0, 0, 0)),
            "guide": gd.UniversalPrismatic(
                "axle",
                "chassis",
                at_parent=(0, 0, 0),
                at_child=(-LENGTH / 2, 0, 0),
                axis_parent=(0, 0, 1),
                axis_child=(1, 0, 0),
                slide=(0, 1, 0),
            ),
        },
        loads={
            "left": gd.SpringDamper("axle", "chassis", at_second=(-LENGTH / 2, 0, 0), stiffness=STIFFNESS, length=FREE),
            "right": gd.SpringDamper(
                "axle",
                "chassis",
                at_first=(LENGTH, 0, 0),
                at_second=(LENGTH / 2, 0, 0),
                stiffness=STIFFNESS,
                length=FREE,
            ),
        },
        drives={"road": gd.Drive("left wheel", "asin(0.1*sin(10*t))")},
    )


def test_two_planar_freedoms_and_the_spin_of_the_rod():
    assert gd.assemble(car_axis()).degrees_of_freedom == 3


def test_ends_at_the_published_solution():
    solver = gd.Explicit(rtol=1e-10, atol=1e-12)
    data = gd.simulate(car_axis(), END, solver=solver, sample=np.linspace(0.0, END, 31)).data
    chassis = data.isel(time=-1).sel(body="chassis")
    x, v, w = (chassis[name].values for name in ("position", "velocity", "angular_velocity"))
    e0, _, _, e3 = chassis["orientation"].values
    half = LENGTH / 2 * np.array([e0**2 - e3**2, 2 * e0 * e3, 0.0])
    turning = np.cross(w, half)
    found = np.concatenate([(x - half)[:2], (x + half)[:2], (v - turning)[:2], (v + turning)[:2]])
    assert found == pytest.approx(PUBLISHED, abs=5e-8)
