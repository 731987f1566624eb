"""Sliders in guides with play, from the literature: the two examples of docs/sliders.md, and one with hard contacts."""

from __future__ import annotations

from gudgeon.bodies import Body
from gudgeon.checks import choice
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.fem.damping import Rayleigh
from gudgeon.fem.material import Material
from gudgeon.fem.mesh import Mesh
from gudgeon.guide import Guide
from gudgeon.joints import Revolute
from gudgeon.laws.contact import KelvinVoigt
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.loads import Force, SpringDamper, Torque
from gudgeon.models.flexible_slider import FlexibleSlider
from gudgeon.models.ideal import Ideal
from gudgeon.models.impact import Newton
from gudgeon.models.penalty_pin import PenaltyPin
from gudgeon.models.rigid_slider import RigidSlider
from gudgeon.system import System

SLIDERS = ("flexible", "rigid", "hard", "ideal")
MESHES = {4: (2, 2), 8: (4, 2)}


def _elements(owner: str, elements: int | tuple[int, int]) -> tuple[int, int]:
    if isinstance(elements, tuple) and len(elements) == 2:
        return elements
    if elements in MESHES:
        return MESHES[elements]
    raise ModelError(f"{owner}: elements is {elements!r}; give 4, 8 or (nx, ny)")


def _slider(owner: str, slider: str, size: tuple[float, float], elements: tuple[int, int], density: float, friction):
    """The model of the guide, by its name, with the contact data that both examples share."""
    if slider not in SLIDERS:
        raise ModelError(f"{owner}: no slider {slider!r}; {did_you_mean(slider, SLIDERS)}")
    length, height = size
    contact = KelvinVoigt(stiffness=1e4, damping=1e3)
    if slider == "flexible":
        return FlexibleSlider(
            mesh=Mesh.rectangle(length, height, *elements),
            material=Material(youngs_modulus=1000.0, poissons_ratio=0.3, density=density),
            damping=Rayleigh(mass=0.010, stiffness=0.544),
            clearance=2.5e-3,
            contact=contact,
            friction=friction,
        )
    if slider == "rigid":
        return RigidSlider(length=length, height=height, clearance=2.5e-3, contact=contact, friction=friction)
    if slider == "hard":
        impact = Newton(restitution_normal=0.0)
        return RigidSlider(length=length, height=height, clearance=2.5e-3, impact=impact, friction=friction)
    return Ideal()


def _plate(mass: float, length: float, height: float) -> tuple[float, float, float]:
    """Principal inertias of a rectangular plate [kg·m²]."""
    return mass * height**2 / 12.0, mass * length**2 / 12.0, mass * (length**2 + height**2) / 12.0


def _rod(mass: float, length: float) -> tuple[float, float, float]:
    """Principal inertias of a slender rod along x [kg·m²]; the one about its own axis does not matter here."""
    return 1e-4 * mass * length**2, mass * length**2 / 12.0, mass * length**2 / 12.0


def stick_slip_oscillator(slider: str = "flexible", elements: tuple[int, int] = (5, 5)) -> System:
    """A slider on a spring in a guide with play, pushed to and fro below its centre (docs/sliders.md).

    It moves along x; gravity along −y. The force acts on the right face 0.05 m above the lower edge, the spring on the
    left face at mid-height: the height is not readable in the source, and this is the reading under which, as it says,
    the corners touch the upper guide and the nodes between them never do. `slider` is "flexible", "rigid" (four corners
    with the same contact law), "hard" or "ideal". Run it for 40 s.

    >>> import gudgeon as gd
    >>> gd.examples.stick_slip_oscillator().gruebler_freedoms  # 36 nodes
    72
    """
    length, height, mass = 0.6, 0.5, 0.1
    friction = DryFriction(static=0.20, kinetic=0.15)
    model = _slider("stick_slip_oscillator", slider, (length, height), elements, 1.0 / 3.0, friction)
    far = 100.0  # [m], so that the spring stays horizontal
    return System(
        name="stick-slip oscillator",
        gravity=(0.0, -9.81, 0.0),
        bodies={"slider": Body(mass=mass, inertia=_plate(mass, length, height))},
        joints={"guide": Guide("ground", "slider", at=(0.0, 0.0, 0.0), model=model)},
        loads={
            "push": Force("slider", ("1.5*sin(pi/10*t)", 0.0, 0.0), at=(0.5 * length, 0.05 - 0.5 * height, 0.0)),
            "spring": SpringDamper(
                "ground",
                "slider",
                at_first=(-far, 0.0, 0.0),
                at_second=(-0.5 * length, 0.0, 0.0),
                stiffness=1.0,
                length=far - 0.5 * length,
            ),
        },
    )


def slider_crank_flexible_slider(
    elements: int | tuple[int, int] = 4, slider: str = "flexible", pin: str = "penalty"
) -> System:
    """A crank turned to and fro by a moment, a rod, and a slider in a guide with play (docs/sliders.md).

    `elements` is 4 (2×2), 8 (4×2) or (nx, ny) with a node in the centre; `slider` is "flexible", "rigid", "hard" or
    "ideal"; `pin`, the joint B of rod and slider, "penalty" (eq 4) or "ideal". It starts straight. Run it for 200 s.

    >>> import gudgeon as gd
    >>> gd.examples.slider_crank_flexible_slider(8).gruebler_freedoms  # 15 nodes, crank and rod
    32
    """
    owner = "slider_crank_flexible_slider"
    choice(owner, "pin", pin, ("penalty", "ideal"))
    crank, rod, length, height = 1.8, 2.0, 0.5, 0.3  # [m]
    friction = DryFriction(static=0.04, kinetic=0.03)
    model = _slider(owner, slider, (length, height), _elements(owner, elements), 20.0 / 3.0, friction)
    joint = PenaltyPin(stiffness=1e5) if pin == "penalty" else Ideal()
    end = crank + rod
    return System(
        name="slider-crank with a flexible slider" if slider == "flexible" else f"slider-crank, {slider} slider",
        gravity=(0.0, -9.81, 0.0),
        bodies={
            "crank": Body(mass=2.0, inertia=_rod(2.0, crank), position=(0.5 * crank, 0.0, 0.0)),
            "rod": Body(mass=1.0, inertia=_rod(1.0, rod), position=(crank + 0.5 * rod, 0.0, 0.0)),
            "slider": Body(mass=1.0, inertia=_plate(1.0, length, height), position=(end, 0.0, 0.0)),
        },
        joints={
            "O": Revolute("ground", "crank", at=(0.0, 0.0, 0.0)),
            "A": Revolute("crank", "rod", at=(crank, 0.0, 0.0)),
            "B": Revolute("rod", "slider", at=(end, 0.0, 0.0), model=joint),
            "guide": Guide("ground", "slider", at=(end, 0.0, 0.0), model=model),
        },
        loads={"motor": Torque("crank", (0.0, 0.0, "6*sin(pi/6*t)"))},
    )


def slider_crank_hard_contact(restitution: float = 0.4, friction: float = 0.01) -> System:
    """The slider-crank with a translational clearance joint of Flores, Leine and Glocker (2010), hard contacts.

    Multibody System Dynamics 23, 165-190: crank at 150 rad/s, rod at −75 rad/s, the slider of 0.1 × 0.05 m in a guide
    with 1 mm on each side.

    >>> import gudgeon as gd
    >>> gd.examples.slider_crank_hard_contact().gruebler_freedoms  # three, but three rows are redundant in a plane
    0
    """
    crank, rod, length, height, clearance = 0.1530, 0.3060, 0.1000, 0.0500, 0.0010  # [m]
    masses, inertias = (0.0380, 0.0380, 0.0760), (7.4e-5, 5.9e-4, 2.7e-6)  # [kg], [kg·m²]
    model = RigidSlider(
        length=length,
        height=height,
        clearance=clearance,
        impact=Newton(restitution_normal=restitution),
        friction=DryFriction(static=friction),
    )
    speed = 150.0  # [rad/s]
    tip = crank * speed  # [m/s]
    return System(
        name="slider-crank, hard contact",
        gravity=(0.0, -9.81, 0.0),
        bodies={
            name: Body(
                mass=mass,
                inertia=(inertia, inertia, inertia),
                position=(x, 0.0, 0.0),
                velocity=(0.0, v, 0.0),
                angular_velocity=(0.0, 0.0, spin),
            )
            for name, mass, inertia, x, v, spin in zip(
                ("crank", "rod", "slider"),
                masses,
                inertias,
                (0.5 * crank, crank + 0.5 * rod, crank + rod),
                (0.5 * tip, 0.5 * tip, 0.0),
                (speed, -0.5 * speed, 0.0),
                strict=True,
            )
        },
        joints={
            "O": Revolute("ground", "crank", at=(0.0, 0.0, 0.0)),
            "A": Revolute("crank", "rod", at=(crank, 0.0, 0.0)),
            "B": Revolute("rod", "slider", at=(crank + rod, 0.0, 0.0)),
            "guide": Guide("ground", "slider", at=(crank + rod, 0.0, 0.0), model=model),
        },
    )
