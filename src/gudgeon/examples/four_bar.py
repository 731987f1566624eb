"""The spatial four-bar with five models of one spherical joint.

Source: Silva, Marques, Silva, Flores: Modelling spherical joints in multibody systems.
"""

from __future__ import annotations

from gudgeon.bodies import Body
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.joints import Revolute, Spherical
from gudgeon.laws.contact import LankaraniNikravesh
from gudgeon.laws.friction import Coulomb
from gudgeon.laws.stiffness import sphere_in_socket
from gudgeon.models.bushing import Bushing
from gudgeon.models.dry import Dry
from gudgeon.models.ideal import Ideal, JointModel
from gudgeon.models.lubricated import Lubricated
from gudgeon.system import System

SPHERICAL_JOINTS = ("ideal", "dry", "frictionless", "lubricated", "bushing")


def spatial_four_bar(joint: str = "ideal") -> System:
    """The spatial four-bar of Silva, Marques, Silva, Flores: Modelling spherical joints in multibody systems.

    Crank on a revolute at A (axis x), coupler between the spherical joints B and C, rocker on a revolute at D (axis y).
    `joint` is the model of C, where the coupler carries the socket and the rocker the ball, with the data of table 3:
    "ideal", "dry" (with friction), "frictionless", "lubricated" or "bushing". Masses, inertias and poses are tables 1
    and 2 as printed; the printed inertias are ten times those of steel rods of these lengths and masses. The tables are
    rounded to 1e-5 m, so that assembly moves the bodies by some micrometres: ball and socket start concentric. Released
    from rest. With the ideal joint there are two degrees of freedom, one of them the spin of the coupler.

    >>> import gudgeon as gd
    >>> sorted(gd.examples.spatial_four_bar().bodies)
    ['coupler', 'crank', 'rocker']
    >>> gd.examples.spatial_four_bar("dry").joints["C"].model.friction
    Coulomb(coefficient=0.1, velocity_tolerance=0.001)
    """
    if joint not in SPHERICAL_JOINTS:
        raise ModelError(f"spatial_four_bar: no joint {joint!r}; {did_you_mean(joint, SPHERICAL_JOINTS)}")
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
            "C": Spherical(
                "coupler",
                "rocker",
                at_parent=(0.0, -0.061, 0.0),
                at_child=(0.0, -0.037, 0.0),
                model=spherical_joint_model(joint),
            ),
            "D": Revolute(
                "ground",
                "rocker",
                at_parent=(-0.040, -0.085, 0.0),
                at_child=(0.0, 0.037, 0.0),
                axis=(0.0, 1.0, 0.0),
            ),
        },
    )


def spherical_joint_model(joint: str) -> JointModel:
    """The model of joint C of the spatial four-bar, by its name, with the data of table 3.

    >>> import gudgeon as gd
    >>> gd.examples.spherical_joint_model("bushing").damping_time
    0.01
    """
    socket, ball = 0.010, 0.0099  # [m]
    steel = sphere_in_socket(socket_radius=socket, ball_radius=ball, youngs_modulus=207e9, poissons_ratio=0.3)
    contact = LankaraniNikravesh(stiffness=steel, restitution=0.9)
    if joint == "dry":
        friction = Coulomb(coefficient=0.1, velocity_tolerance=1e-3)
        return Dry(socket_radius=socket, ball_radius=ball, contact=contact, friction=friction)
    if joint == "frictionless":
        return Dry(socket_radius=socket, ball_radius=ball, contact=contact)
    if joint == "lubricated":
        return Lubricated(socket_radius=socket, ball_radius=ball, viscosity=0.4)
    if joint == "bushing":
        return Bushing(stiffness=2.146e7, damping_time=0.01)
    return Ideal()
