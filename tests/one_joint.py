"""The smallest mechanism with a joint of any type and any model: one body J joins to the ground, in a spring.

It starts with a real joint touching, pressed in by a twentieth of its clearance, on its way deeper and sliding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import gudgeon as gd
from gudgeon import laws
from gudgeon.fem import Material, Mesh, Rayleigh
from gudgeon.joint_axes import free_rows
from gudgeon.nurbs import Curve, Surface

RADII: dict[str, Any] = {"socket_radius": 0.010, "ball_radius": 0.0099}  # [m]
JOURNAL: dict[str, Any] = {"bore_radius": 0.010, "pin_radius": 0.0099, "length": 0.010, "viscosity": 1.5e-3}  # a film
PLAY, GUIDE_PLAY, DEEP = 1e-4, 1e-3, 0.05  # clearances [m], and how far the walls are pressed in, of them
PLATE = (0.4, 0.2)  # length and height of a slider [m]
MASS = 0.2  # [kg]

JOINTS: dict[str, dict[str, Any]] = {
    "Rigid": {},
    "Revolute": {"axis": (0, 0, 1)},
    "Prismatic": {"axis": (1, 0, 0)},
    "Cylindrical": {"axis": (0, 0, 1)},
    "Universal": {"axis_parent": (0, 0, 1), "axis_child": (1, 0, 0)},
    "Spherical": {},
    "UniversalPrismatic": {"axis_parent": (0, 0, 1), "axis_child": (1, 0, 0), "slide": (0, 1, 0)},
    "Free": {},
    "Guide": {"axis": (1, 0, 0), "normal": (0, 1, 0)},
    "Translational": {},
    "PointOnCurve": {
        "curve": Curve.through([(x, -PLAY - x * x, 0.0) for x in (-0.1, -0.05, 0.0, 0.05, 0.1)]),
        "extruded": (0, 0, 1),
    },
    "Cam": {"base_radius": 0.05, "lift": "0.002*(1 - cos(angle))", "towards": (0, 1, 0)},
    "Meeting": {
        "shapes": (
            gd.Plane(position=(0, -PLAY - 0.01, 0), orientation=Rotation.from_rotvec((-np.pi / 2, 0, 0))),
            gd.Sphere(radius=0.01),
        )
    },
}
PLACELESS = ("Meeting",)  # joints whose shapes say where they are

BOUNCE = laws.Flores(stiffness=1e8, restitution=0.7)  # of a ball: touches for 2 ms
CORNER = laws.Flores(stiffness=2e6, restitution=0.7)
ROUGH = laws.GreenwoodTripp(radius=0.010, clearance=PLAY, roughness=1.5e-6, modulus=1e11)  # of a pin in its bore
COULOMB = laws.Coulomb(coefficient=0.2, velocity_tolerance=1e-2)
SET_VALUED = laws.DryFriction(static=0.2, kinetic=0.15)
BRISTLES = laws.LuGre(
    kinetic=0.1, static=0.15, stribeck_speed=0.01, bristle_stiffness=2e4, bristle_damping=20.0, viscous=0.05
)


def _surfaces() -> gd.SurfaceContact:
    ball, socket = Surface.sphere(RADII["ball_radius"]), Surface.sphere(RADII["socket_radius"])
    touch = gd.Interface(reference=("ground", socket), corresponding=("body", ball), reference_side=-1, grid=(24, 12))
    return gd.SurfaceContact(touch, laws.HuntCrossley(stiffness=3e10, damping=1.0, exponent=1.0), friction=COULOMB)


def _rigid(**law: Any) -> gd.RigidSlider:
    return gd.RigidSlider(length=PLATE[0], height=PLATE[1], clearance=GUIDE_PLAY, **law)


def _box(**changes: Any) -> gd.DryBox:
    """A cube in its guide: touches for 1.3 ms."""
    soft = laws.HuntCrossley(stiffness=3e9, damping=1.0, exponent=1.0)
    box: dict[str, Any] = {"length": 0.02, "width": 0.02, "height": 0.02, "clearance": PLAY, "contact": soft}
    return gd.DryBox(**box | changes, friction=COULOMB)


ROUND: dict[str, Any] = {  # a pin in its bore: touches for 1 ms
    "bore_radius": 0.01,
    "pin_radius": 0.01 - PLAY,
    "contact": laws.PinInBore(modulus=1e8, clearance=PLAY, damping=1.0),
    "friction": COULOMB,
}


def _keyed() -> gd.DryKeyedShaft:
    key = {"key_lever": 0.01, "key_clearance": PLAY, "key_width": 0.004, "key_height": 0.003, "key_length": 0.02}
    soft = laws.HuntCrossley(stiffness=3e9, damping=1.0, exponent=1.0)
    return gd.DryKeyedShaft(shaft=gd.DryJournal(**ROUND, length=0.02), **key, key_contact=soft, key_friction=COULOMB)


def _cross() -> gd.DryCross:
    soft = laws.HuntCrossley(stiffness=3e9, damping=1.0, exponent=1.0)
    return gd.DryCross(**ROUND, span=0.04, length=0.01, cup_play=PLAY, cup=soft, mass=0.05)


def _oiled(**changes: Any) -> gd.LubricatedBox:
    """The same in something as thin as air, whose film stops it within 30 µs."""
    box: dict[str, Any] = {"length": 0.02, "width": 0.02, "height": 0.02, "clearance": PLAY, "viscosity": 5e-5}
    return gd.LubricatedBox(**box | changes)


def _flexible(**law: Any) -> gd.FlexibleSlider:
    return gd.FlexibleSlider(clearance=GUIDE_PLAY, contact=laws.KelvinVoigt(stiffness=1e5, damping=1e2), **law)


def _journal(**collars: Any) -> gd.DryJournal:
    bore, pin = RADII["socket_radius"], RADII["ball_radius"]
    line = laws.PinInBore(modulus=2e7, clearance=PLAY, damping=2.0)
    return gd.DryJournal(bore_radius=bore, pin_radius=pin, length=0.02, contact=line, friction=COULOMB, **collars)


LENGTHS: dict[str, dict[str, float]] = {  # of ideal joints that rub [m]
    "Revolute": {"radius": 0.01, "length": 0.04, "thrust_radius": 0.012},
    "Prismatic": {"length": 0.06, "width": 0.03},
    "Guide": {"length": 0.06},
    "Cylindrical": {"radius": 0.01, "length": 0.04},
    "Spherical": {"radius": 0.01},
    "Universal": {"radius": 0.008, "length": 0.04, "thrust_radius": 0.01},
}
RUBBING: dict[str, Any] = {
    "Ideal, friction": COULOMB,
    "Ideal, LuGre": BRISTLES,
    "Ideal, set-valued": SET_VALUED,
}

HELD = (2e5, 1e5, 3e5, 20.0, 30.0, 10.0)  # what bushings hold displacements [N/m] and turns [N·m/rad] with


def _bushing(joint: Any, size: str) -> gd.Bushing:
    """A bushing that says something about all that the joint holds, and nothing about what it leaves free."""
    stiffness = np.diag([0.0 if row in free_rows(joint) else k for row, k in enumerate(HELD)])
    tilt = {"tilt_stiffness": 20.0} if joint.blocks().perpendicular else {}
    if size == "6×6":
        return gd.Bushing(stiffness=stiffness, damping_time=1e-4)
    number = 2e5 if stiffness[:3, :3].any() else 0.0
    return gd.Bushing(stiffness=stiffness[:3, :3] if size else number, damping_time=1e-4, **tilt)


@dataclass(frozen=True, kw_only=True)
class Seat(gd.ForceModel):
    """A user's model: springs and dampers on all six, and a ball that touches its wall."""

    stiffness: float  # [N/m]
    damping_time: float  # [s]
    tilt_stiffness: float  # [N·m/rad]
    clearance: float  # [m]
    wall_stiffness: float  # [N/m]
    wall_damping: float  # [N·s/m]

    @staticmethod
    def wrench(x, v, p):
        """Springs and dampers."""
        k, b, t = p[0], p[1], p[2]
        return (
            -k * (x[0] + b * v[0]),
            -k * (x[1] + b * v[1]),
            -k * (x[2] + b * v[2]),
            -t * x[3],
            -t * x[4],
            -t * x[5],
        )

    @staticmethod
    def gap(x, p):
        """Radial."""
        return p[3] - (x[0] ** 2 + x[1] ** 2 + x[2] ** 2) ** 0.5

    @staticmethod
    def contact(x, v, delta, ddelta, impact_speed, p):
        """Towards the centre."""
        push = (p[4] * delta + p[5] * ddelta) / (p[3] + delta)
        return (-push * x[0], -push * x[1], -push * x[2], 0.0, 0.0, 0.0)

    @staticmethod
    def stored_energy(x, p):
        """Of springs and wall."""
        e = (x[0] ** 2 + x[1] ** 2 + x[2] ** 2) ** 0.5
        turn = x[3] ** 2 + x[4] ** 2 + x[5] ** 2
        return 0.5 * p[0] * e**2 + 0.5 * p[2] * turn + 0.5 * p[4] * max(e - p[3], 0.0) ** 2


def _touch() -> gd.DryTouch:
    return gd.DryTouch(contact=BOUNCE, friction=COULOMB)


def _seat() -> Seat:
    return Seat(
        stiffness=2e5, damping_time=1e-4, tilt_stiffness=0.02, clearance=PLAY, wall_stiffness=2e6, wall_damping=50.0
    )


def _worn() -> gd.WornJournal:
    """A bore worn deepest where it starts, and a pin with six flats."""
    angle = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    below, flats = 0.5 - 0.5 * np.sin(angle), 0.5 - 0.5 * np.cos(6.0 * angle)
    soft = laws.HuntCrossley(stiffness=3e10, damping=1.0, exponent=1.0)
    shape = {"bore_radius": 0.010, "pin_radius": 0.010 - PLAY, "length": 0.02, "slices": 2}
    wear = {"bore_wear": 0.3 * PLAY * below, "pin_wear": 0.05 * PLAY * flats}
    return gd.WornJournal(**shape, **wear, contact=soft, friction=COULOMB)


MODELS: dict[str, Callable[[], Any]] = {
    "Ideal": gd.Ideal,
    **{name: lambda law=law: gd.Ideal(friction=law) for name, law in RUBBING.items()},
    "Dry": lambda: gd.Dry(**RADII, contact=BOUNCE, friction=COULOMB),
    "Dry, LuGre": lambda: gd.Dry(**RADII, contact=BOUNCE, friction=BRISTLES),
    "Dry, set-valued": lambda: gd.Dry(**RADII, contact=BOUNCE, friction=SET_VALUED),
    "Dry, hard": lambda: gd.Dry(**RADII, impact=0.5),
    "Lubricated": lambda: gd.Lubricated(**RADII, viscosity=5e-3),
    "Lubricated, contact": lambda: gd.Lubricated(**RADII, viscosity=5e-3, smallest_film=6e-6, contact=BOUNCE),
    "Lubricated, contact with LuGre": lambda: gd.Lubricated(
        **RADII, viscosity=5e-3, smallest_film=6e-6, contact=BOUNCE, friction=BRISTLES
    ),
    "DryJournal": _journal,
    "DryJournal, collars": lambda: _journal(axial_play=PLAY, collar_radius=0.014),
    "DryJournal, planar": lambda: _journal(planar=True),
    "WornJournal": _worn,
    "LubricatedJournal": lambda: gd.LubricatedJournal(**JOURNAL),
    "LubricatedJournal, contact": lambda: gd.LubricatedJournal(**JOURNAL, smallest_film=6e-6, contact=ROUGH),
    "LubricatedJournal, planar": lambda: gd.LubricatedJournal(**JOURNAL, planar=True),
    "Bushing": lambda: gd.Bushing(stiffness=2e5, damping_time=1e-4),
    "Bushing 3×3": lambda: gd.Bushing(stiffness=np.diag(HELD[:3]), damping_time=1e-4),
    "Bushing 6×6": lambda: gd.Bushing(stiffness=np.diag(HELD), damping_time=1e-4),
    "PenaltyPin": lambda: gd.PenaltyPin(stiffness=1e5),
    "RigidSlider": lambda: _rigid(contact=CORNER),
    "RigidSlider, Coulomb": lambda: _rigid(contact=CORNER, friction=COULOMB),
    "RigidSlider, LuGre": lambda: _rigid(contact=CORNER, friction=BRISTLES),
    "RigidSlider, set-valued": lambda: _rigid(contact=CORNER, friction=SET_VALUED),
    "RigidSlider, hard": lambda: _rigid(impact=0.5, friction=SET_VALUED),
    "FlexibleSlider": _flexible,
    "FlexibleSlider, Coulomb": lambda: _flexible(friction=COULOMB),
    "FlexibleSlider, LuGre": lambda: _flexible(friction=BRISTLES),
    "FlexibleSlider, set-valued": lambda: _flexible(friction=SET_VALUED),
    "DryBox": _box,
    "DryBox, short guide": lambda: _box(
        guide_length=0.012, contact=laws.Flores(stiffness=5e11, restitution=0.7), up=(0, 1, 0)
    ),
    "LubricatedBox": _oiled,
    "LubricatedBox, contact": lambda: _oiled(
        viscosity=1e-5,
        smallest_film=6e-6,
        contact=laws.HuntCrossley(stiffness=3e9, damping=1.0, exponent=1.0),
        friction=COULOMB,
    ),
    "DryKeyedShaft": _keyed,
    "DryCross": _cross,
    "DryTouch": _touch,
    "SurfaceContact": _surfaces,
    "ForceModel": _seat,
    "Ideal, flexible body": gd.Ideal,
    "PenaltyPin, flexible body": lambda: gd.PenaltyPin(stiffness=1e5),
    "Bushing, flexible body": lambda: gd.Bushing(stiffness=2e5, damping_time=1e-4),
}
FILMS = ("Lubricated", "LubricatedJournal", "LubricatedBox")
CLEARANCE = {
    "Dry": PLAY,
    "DryTouch": PLAY,
    "DryJournal": PLAY,
    "WornJournal": 1.3 * PLAY,  # worn by so much below
    "Lubricated": PLAY,
    "LubricatedJournal": PLAY,
    "SurfaceContact": PLAY,
    "DryBox": PLAY,
    "LubricatedBox": PLAY,
    "DryKeyedShaft": PLAY,
    "DryCross": 2.0 * PLAY,  # of both pins
    "ForceModel": PLAY,
    "RigidSlider": GUIDE_PLAY,
    "FlexibleSlider": GUIDE_PLAY,
}


def one_joint(joint: str, model: str, *, driven: bool = False) -> gd.System:
    """The mechanism. ModelError where the joint does not take the model."""
    place: dict[str, Any] = {"model": _touch()} if joint in PLACELESS else {"at": (0, 0, 0)}
    made = getattr(gd, joint)("ground", "body", **place, **JOINTS[joint])
    physics = _bushing(made, model.split(",", 1)[0][8:]) if model.startswith("Bushing") else MODELS[model]()
    if model in RUBBING:
        physics = gd.Ideal(friction=RUBBING[model], **LENGTHS.get(joint, {}))
    made = replace(made, model=physics)
    play = CLEARANCE.get(model.split(",", 1)[0], 0.0)
    down = -play * {
        "hard": 1.0 - DEEP,
        "Lubricated": 0.9,
        "LubricatedJournal": 0.9,
        "LubricatedBox": 0.9,
        "contact": 0.97,
    }.get(model.removesuffix(", planar").rsplit(", ", 1)[-1], 1.0 + DEEP)
    moves = {"position": (0.0, down, 0.0), "orientation": (1, 0, 0, 0), "velocity": (0.02, -0.05, 0.0)}
    start = {"body": gd.BodyState(**moves)} if play else {}
    drives = {c.name: gd.Drive("J", "0.1*sin(9*t)", coordinate=c.name) for c in made.blocks().free} if driven else {}
    bodies, joints = {"body": _body(joint, model)}, {"J": made}
    if model.endswith("planar"):
        held = held_in_plane("body", bodies["body"], start["body"])
        bodies, joints, start = bodies | held[0], joints | held[1], start | held[2]
    return gd.System(
        name="one joint",
        gravity=(0, -9.81, 0),
        bodies=bodies,
        joints=joints,
        loads={
            "spring": gd.SpringDamper("ground", "body", at_first=(0, 0.5, 0), stiffness=8.0, damping=0.1, length=0.4)
        },
        drives=drives,
        start=start,
    )


Held = tuple[dict[str, gd.Body], dict[str, Any], dict[str, gd.BodyState]]


def held_in_plane(name: str, body: gd.Body, at: gd.BodyState) -> Held:
    """Two carriages, one on the other, that let a body move in the plane z = 0 alone, and how they start."""
    carriage = {"mass": 1e-10, "inertia": (1e-14, 1e-14, 1e-14), "position": body.position}
    (x, y, _), (u, v, _) = at.position, at.velocity
    along, across = f"{name} along", f"{name} across"
    here: dict[str, Any] = {"orientation": (1, 0, 0, 0), "angular_velocity": (0, 0, 0)}
    return (
        {along: gd.Body(**carriage), across: gd.Body(**carriage)},
        {
            along: gd.Prismatic("ground", along, at=body.position, axis=(1, 0, 0)),
            across: gd.Prismatic(along, across, at=body.position, axis=(0, 1, 0)),
            f"{name} in plane": gd.Revolute(across, name, at=body.position, axis=(0, 0, 1)),
        },
        {
            along: gd.BodyState(position=(x, body.position[1], 0.0), velocity=(u, 0.0, 0.0), **here),
            across: gd.BodyState(position=(x, y, 0.0), velocity=(u, v, 0.0), **here),
        },
    )


def _body(joint: str, model: str) -> gd.Body:
    """A ball or slider around the joint; without clearance one that hangs beside it."""
    if "lexible" in model:
        thickness_density = MASS / (PLATE[0] * PLATE[1])
        return gd.FlexibleBody(
            mesh=Mesh.rectangle(*PLATE, 2, 2),
            material=Material(youngs_modulus=1e5, poissons_ratio=0.3, density=thickness_density),
            damping=Rayleigh(mass=0.5, stiffness=2e-4),
        )
    if joint == "Guide" or model.split(",", 1)[0] in CLEARANCE:
        inertia = (7e-4, 2.7e-3, 3.3e-3) if joint == "Guide" else (1e-5, 1.2e-5, 1.4e-5)
        return gd.Body(mass=MASS, inertia=inertia)
    return gd.Body(mass=MASS, inertia=(1e-4, 1.2e-4, 1.4e-4), position=(0.05, -0.02, 0.01))
