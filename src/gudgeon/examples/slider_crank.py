"""The slider-crank at 5000 rpm whose gudgeon pin has play: the standard case of the literature on revolute clearance.

Lengths, masses, radii and speed are those of Flores, Ambrósio, Claro, Lankarani, Koshy: "Kinematics and Dynamics of
Multibody Systems with Imperfect Joints" (2008) and of the papers around it.
"""

from __future__ import annotations

from math import pi

from gudgeon.bodies import Body
from gudgeon.checks import choice, number
from gudgeon.drives import Drive
from gudgeon.joints import Prismatic, Revolute, Spherical
from gudgeon.laws.friction import Coulomb
from gudgeon.laws.line import PinInBore, contact_modulus
from gudgeon.models.bushing import Bushing
from gudgeon.models.dry_journal import DryJournal
from gudgeon.models.ideal import Ideal, JointModel
from gudgeon.models.lubricated_journal import LubricatedJournal
from gudgeon.system import System

REVOLUTE_JOINTS = ("ideal", "dry", "film", "bushing")
CRANK, ROD = 0.05, 0.12  # radius and length [m]
SPEED = "5000*2*pi/60*t"  # angle of the crank [rad]
BORE, LENGTH = 0.010, 0.020  # radius and length of the bore [m]
DAMPING = 0.75 * (1.0 - 0.9**2)  # Lankarani and Nikravesh's χ of e = 0.9, at 1 m/s and without memory [s/m]


def slider_crank_clearance(
    joint: str = "dry",
    *,
    space: bool = False,
    clearance: float | None = None,
    friction: float | None = None,
    pin_tilt: float = 0.0,
) -> System:
    """A slider-crank at 5000 rpm; `joint` is the model of its gudgeon pin: "ideal", "dry", "film" or "bushing".

    Crank 50 mm and driven, rod 120 mm and 0.21 kg, slider 0.14 kg, no gravity; a steel pin in a bore of 10 mm radius
    and 20 mm length in the rod. It starts straight, the pin centred, the slider at rest. A turn takes 12 ms.

    In the plane: radial `clearance` 0.5 mm [m], `friction` coefficient 0.1, or oil of 0.4 Pa·s as a short film. In
    `space` the crank pin is a ball joint, so that nothing but the gudgeon pin keeps the rod from turning about its
    length: 0.05 mm, friction 0.05, collars with 0.1 mm of axial play on each side; oil of 0.02 Pa·s that hands over to
    contact at 1 µm; and the pin may be askew in the slider by `pin_tilt` [rad].

    Contact is `gd.laws.PinInBore`, f′(1 + 0.1425 s/m δ̇), and not the stiffness of a ball that most papers take; those
    have `gd.laws.SphereAsPin`. The bushing is ours: 20 MN/m, 1 kN·s/m.

    >>> import gudgeon as gd
    >>> gd.examples.slider_crank_clearance("dry").joints["pin"].model.clearance  # radial [m]
    0.0005
    """
    owner = "slider_crank_clearance"
    choice(owner, "joint", joint, REVOLUTE_JOINTS)
    c = (5e-5 if space else 5e-4) if clearance is None else number(owner, "clearance", clearance)
    mu = (0.05 if space else 0.1) if friction is None else number(owner, "friction", friction)
    end, omega = CRANK + ROD, 5000.0 * 2.0 * pi / 60.0
    middle, tip = CRANK + 0.5 * ROD, CRANK * omega
    return System(
        name=f"slider-crank, {joint} gudgeon pin{' in space' if space else ''}",
        gravity=(0.0, 0.0, 0.0),
        bodies={
            "crank": Body(mass=0.3, inertia=(1e-4, 1e-4, 1e-4), angular_velocity=(0.0, 0.0, omega)),
            "rod": Body(
                mass=0.21,
                inertia=(2e-5, 2.5e-4, 2.5e-4),
                position=(middle, 0.0, 0.0),
                velocity=(0.0, 0.5 * tip, 0.0),
                angular_velocity=(0.0, 0.0, -tip / ROD),
            ),
            "slider": Body(mass=0.14, inertia=(1e-4, 1e-4, 1e-4), position=(end, 0.0, 0.0), velocity=(0.0, 0.0, 0.0)),
        },
        joints={
            "main": Revolute("ground", "crank", at=(0.0, 0.0, 0.0)),
            "crank pin": (Spherical if space else Revolute)("crank", "rod", at=(CRANK, 0.0, 0.0)),
            "pin": Revolute("rod", "slider", at=(end, 0.0, 0.0), model=_model(joint, space, c, mu, pin_tilt)),
            "bore": Prismatic("ground", "slider", at=(end, 0.0, 0.0), axis=(1.0, 0.0, 0.0)),
        },
        drives={"motor": Drive("main", SPEED)},
    )


def _model(joint: str, space: bool, clearance: float, friction: float, pin_tilt: float) -> JointModel:
    """The model of the gudgeon pin."""
    if joint == "ideal":
        return Ideal()
    if joint == "bushing":
        return Bushing(stiffness=2e7, damping=1e3, tilt_stiffness=2e3, tilt_damping=0.1)
    shape = {"bore_radius": BORE, "pin_radius": BORE - clearance, "length": LENGTH, "planar": not space}
    if space:
        shape |= {"axial_play": 1e-4, "collar_radius": 0.014, "pin_tilt": (0.0, pin_tilt)}
    contact = PinInBore(modulus=contact_modulus("steel"), clearance=clearance, damping=DAMPING)
    rubbing = None if friction == 0.0 else Coulomb(coefficient=friction, velocity_tolerance=0.01)
    if joint == "dry":
        return DryJournal(**shape, contact=contact, friction=rubbing)
    if not space:
        return LubricatedJournal(**shape, viscosity=0.4, film="short")
    film = {"viscosity": 0.02, "film": "short", "smallest_film": 1e-6}
    return LubricatedJournal(**shape, **film, contact=contact, friction=rubbing)
