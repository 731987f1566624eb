"""Slider-cranks with a dry gudgeon pin, as the reference cases have them: 5000 rpm, in the plane and in space."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon import laws
from references import load

CASES = {case["name"]: case for case in load("dry_journal")["cases"]}
CRANK, ROD = 0.05, 0.12  # [m]
REVOLUTION = 60.0 / 5000.0  # [s]
SPEED = 2.0 * math.pi / REVOLUTION  # [rad/s]
MODULUS = laws.contact_modulus("steel")
BORE, LENGTH = 0.010, 0.020
LOSS = 0.75 * (1.0 - 0.9**2)  # Lankarani and Nikravesh


@dataclass(frozen=True, kw_only=True)
class Tanh(laws.FrictionLaw):
    """μ N tanh(v/0.01 m/s)."""

    mu: float

    @staticmethod
    def friction_force(speed, normal_force, p):
        """Friction [N]."""
        return p[0] * normal_force * math.tanh(speed / 0.01)


def journal(clearance: float, mu: float, contact: Any = None, **given: Any) -> gd.DryJournal:
    return gd.DryJournal(
        bore_radius=BORE,
        pin_radius=BORE - clearance,
        length=LENGTH,
        contact=contact or laws.PinInBore(modulus=MODULUS, clearance=clearance, damping=0.1425),
        friction=Tanh(mu=mu) if mu else None,
        **given,
    )


def ball_as_pin(clearance: float) -> laws.SphereAsPin:
    steel = {"youngs_modulus": 207e9, "poissons_ratio": 0.3}
    stiffness = laws.sphere_in_socket(socket_radius=BORE, ball_radius=BORE - clearance, **steel)
    return laws.SphereAsPin(stiffness=stiffness, length=LENGTH, loss=LOSS)


def slider_crank(model: Any, *, spatial: bool = False, gudgeon: Any = gd.Revolute) -> gd.System:
    """Rod: bearing; slider: pin. In space the crank pin is a ball and nothing but the gudgeon keeps the rod upright."""
    far = CRANK + ROD
    crank_pin = (gd.Spherical if spatial else gd.Revolute)("crank", "rod", at=(CRANK, 0, 0))
    return gd.System(
        name="slider-crank",
        gravity=(0, 0, 0),
        bodies={
            "crank": gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(CRANK / 2, 0, 0)),
            "rod": gd.Body(mass=0.21, inertia=(2e-5, 2.5e-4, 2.5e-4), position=(CRANK + ROD / 2, 0, 0)),
            "slider": gd.Body(mass=0.14, inertia=(1e-4, 1e-4, 1e-4), position=(far, 0, 0)),
        },
        joints={
            "bearing": gd.Revolute("ground", "crank", at=(0, 0, 0)),
            "crank pin": crank_pin,
            "gudgeon": gudgeon("rod", "slider", at=(far, 0, 0), model=model),
            "guide": gd.Prismatic("ground", "slider", at=(far, 0, 0), axis=(1, 0, 0)),
        },
        drives={"motor": gd.Drive("bearing", f"{SPEED!r}*t")},
    )


def lost(result: gd.Result) -> np.ndarray:
    """Energy lost in the gudgeon at the samples [J]."""
    return result.data.dissipated_energy.sel(joint="gudgeon").values


def rod_angle(result: gd.Result) -> np.ndarray:
    q = result.data.orientation.sel(body="rod").values
    return 2.0 * np.arctan2(q[:, 3], q[:, 0])


def planar_states(result: gd.Result) -> np.ndarray:
    """Rod angle, slider position, rod rate, slider velocity at the samples."""
    data = result.data
    return np.stack(
        [
            rod_angle(result),
            data.position.sel(body="slider", axis="x").values,
            data.angular_velocity.sel(body="rod", axis="z").values,
            data.velocity.sel(body="slider", axis="x").values,
        ],
        axis=1,
    )
