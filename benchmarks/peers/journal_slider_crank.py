"""The standard slider-crank with a dry gudgeon pin: its data, and it as gudgeon has it."""

import math
from dataclasses import dataclass

import gudgeon as gd
from gudgeon import laws

CRANK, ROD = 0.05, 0.12  # [m]
REVOLUTION = 60.0 / 5000.0  # [s]
SPEED = 2.0 * math.pi / REVOLUTION  # [rad/s]
ROD_MASS, ROD_INERTIA, SLIDER_MASS = 0.21, 2.5e-4, 0.14
BORE, PIN, LENGTH = 0.010, 0.0095, 0.020  # [m]
CLEARANCE = BORE - PIN
MODULUS = laws.contact_modulus("steel")  # E* [Pa]
A, B, C = 1.1016, 1.2938, 0.4433  # of the line law
DAMPING = 0.1425  # [s/m]
MU, SLIDING_SPEED = 0.1, 0.01
LOST = 3.9523957135270154  # in the first revolution, converged [J]


@dataclass(frozen=True, kw_only=True)
class Tanh(laws.FrictionLaw):
    """μ N tanh(v/0.01 m/s)."""

    mu: float

    @staticmethod
    def friction_force(speed, normal_force, p):
        """Friction [N]."""
        return p[0] * normal_force * math.tanh(speed / 0.01)


def journal(**given) -> gd.DryJournal:
    """The gudgeon pin."""
    law = laws.PinInBore(modulus=MODULUS, clearance=CLEARANCE, damping=DAMPING)
    return gd.DryJournal(bore_radius=BORE, pin_radius=PIN, length=LENGTH, contact=law, friction=Tanh(mu=MU), **given)


def system(model: gd.DryJournal) -> gd.System:
    """One rod and one slider."""
    return many(1, model)


def many(count: int, model: gd.DryJournal | None = None, *, driven: bool = True) -> gd.System:
    """So many rods and sliders on one crank, side by side; it is driven, or a flywheel."""
    model = model or journal(planar=True)
    crank = {"mass": 1.0, "inertia": (1e-3, 1e-3, 1e-3), "position": (CRANK / 2, 0, 0)}
    if not driven:
        crank |= {"inertia": (0.6, 0.6, 1.0), "angular_velocity": (0, 0, SPEED)}
    bodies = {"crank": gd.Body(**crank)}
    joints = {"bearing": gd.Revolute("ground", "crank", at=(0, 0, 0))}
    far = CRANK + ROD
    for k in range(count):
        z, n = 0.05 * k, f" {k + 1}"
        bodies["rod" + n] = gd.Body(
            mass=ROD_MASS, inertia=(2e-5, 2.5e-4, ROD_INERTIA), position=(CRANK + ROD / 2, 0, z)
        )
        bodies["slider" + n] = gd.Body(mass=SLIDER_MASS, inertia=(1e-4, 1e-4, 1e-4), position=(far, 0, z))
        joints["crank pin" + n] = gd.Revolute("crank", "rod" + n, at=(CRANK, 0, z))
        joints["gudgeon" + n] = gd.Revolute("rod" + n, "slider" + n, at=(far, 0, z), model=model)
        joints["guide" + n] = gd.Prismatic("ground", "slider" + n, at=(far, 0, z), axis=(1, 0, 0))
    drives = {"motor": gd.Drive("bearing", f"{SPEED!r}*t")} if driven else {}
    return gd.System(name="slider-crank", gravity=(0, 0, 0), bodies=bodies, joints=joints, drives=drives)


def lost(run: gd.Result) -> float:
    """In the first journal at the end [J]."""
    return float(run.data.dissipated_energy.sel(joint="gudgeon 1").values[-1])
