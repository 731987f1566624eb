"""
A magnetic bearing with a touchdown ring
========================================

A joint model of your own with a contact, stored energy and outputs. A rotor floats in a magnetic bearing, which holds
it like a spring and a damper. A shock load pushes it against the touchdown ring that protects the magnets. When it
meets the ring, how fast, how hard, and where it comes to rest follow from the damped oscillator: in closed form.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import matplotlib.pyplot as plt
import numpy as np

import gudgeon as gd

MASS, LOAD = 2.0, 300.0  # of the rotor [kg], and the shock, besides its weight of m g [N]


@dataclass(frozen=True, kw_only=True)
class MagneticBearing(gd.ForceModel):
    """Magnets that act at any distance, and a ring that pushes where the rotor touches it."""

    stiffness: float  # of the controlled magnets [N/m]
    damping: float  # [N·s/m]
    current_gain: float  # force per current of the coils [N/A]
    clearance: float  # of the ring [m]
    ring_stiffness: float  # [N/m]
    ring_damping: float  # [N·s/m]
    outputs: ClassVar = {"coil_current": "A", "air_gap": "m"}

    @staticmethod
    def wrench(x, v, p):
        """The magnets, always: force and torque on the rotor."""
        return (-p[0] * x[0] - p[1] * v[0], -p[0] * x[1] - p[1] * v[1], 0.0, 0.0, 0.0, 0.0)

    @staticmethod
    def gap(x, p):
        """Between rotor and ring; where it closes, a contact begins."""
        return p[3] - math.hypot(x[0], x[1])

    @staticmethod
    def contact(x, v, delta, ddelta, impact_speed, p):
        """The ring, while the rotor touches it."""
        push = (p[4] * delta + p[5] * ddelta) / (p[3] + delta)
        return (-push * x[0], -push * x[1], 0.0, 0.0, 0.0, 0.0)

    @staticmethod
    def stored_energy(x, p):
        """Of magnets and ring; what they take in beyond it is lost."""
        radius = math.hypot(x[0], x[1])
        return 0.5 * p[0] * radius**2 + 0.5 * p[4] * max(radius - p[3], 0.0) ** 2

    @staticmethod
    def report(x, v, p):
        """The current that makes the force along y, and the room that is left."""
        return ((p[0] * x[1] + p[1] * v[1]) / p[2], p[3] - math.hypot(x[0], x[1]))


bearing = MagneticBearing(
    stiffness=1e6, damping=200.0, current_gain=80.0, clearance=2e-4, ring_stiffness=5e7, ring_damping=2e3
)
system = gd.System(
    name="magnetic bearing",
    gravity=(0, -9.81, 0),
    bodies={"rotor": gd.Body(mass=MASS, inertia=(4e-3, 4e-3, 1e-3))},
    joints={"bearing": gd.Spherical("ground", "rotor", at=(0, 0, 0), model=bearing)},
    loads={"shock": gd.Force("rotor", (0, -LOAD, 0))},
)
result = gd.simulate(system, 0.3, sample=np.append(np.arange(0.0, 0.02, 2e-5), 0.3))

# %%
# What the damped oscillator says: m ÿ + d ẏ + k y = F, from y = ẏ = 0 down to the ring, then with k + K and d + D.


def oscillation(stiffness: float, damping: float, rest: float, start: float, speed: float, t: float) -> np.ndarray:
    """Place and speed at the time t."""
    decay, square = 0.5 * damping / MASS, stiffness / MASS
    turn = math.sqrt(square - decay**2)
    y = start - rest
    wave = np.array([math.cos(turn * t), math.sin(turn * t) / turn])
    place = wave @ (y, speed + decay * y)
    return math.exp(-decay * t) * np.array([place, wave @ (speed, -square * y - decay * speed)]) + (rest, 0.0)


k, d, _, c, K, D = bearing.parameters
force = LOAD + 9.81 * MASS
first = result.events.iloc[0]
y, v = oscillation(k, d, force / k, 0.0, 0.0, first.begin)
print(f"touches at {first.begin * 1e3:.4f} ms with {first.impact_speed:.5f} m/s; closed form: {v:.5f} m/s")
assert abs(y - c) < 1e-9 and abs(v - first.impact_speed) < 1e-6 * v
lasts = first.end - first.begin
times = np.linspace(0.0, lasts, 2001)
motion = np.array([oscillation(k + K, d + D, (force + K * c) / (k + K), c, v, t) for t in times])
pushed = K * (motion[:, 0] - c) + D * motion[:, 1]
print(f"the ring pushes with up to {first.peak_force:.2f} N; closed form: {pushed.max():.2f} N")
assert abs(first.peak_force - pushed.max()) < 1e-4 * pushed.max()

# %%
# At rest the magnets carry k y, the ring the rest of the load, and the coils are told to.

last = result.data.isel(time=-1).sel(joint="bearing")
rest = (force + K * c) / (k + K)
print(f"at rest the ring carries {last.normal_force:.3f} N of {force:.2f} N, the coils take {last.coil_current:.4f} A")
assert abs(last.normal_force - K * (rest - c)) < 1e-3 * force
assert abs(last.coil_current + k * rest / bearing.current_gain) < 1e-4
lost = float(result.data.dissipated_energy.sel(joint="bearing")[-1])
assert abs(lost - (force * rest - float(last.stored_energy))) < 1e-5 * lost  # the work of the load that is not stored

# %%
# The bounces.

time, data = result.data.time.values[:-1] * 1e3, result.data.isel(time=slice(None, -1)).sel(joint="bearing")
figure, (above, below) = plt.subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained")
above.plot(time, data.air_gap * 1e3)
above.set(ylabel="air gap [mm]", title="A rotor falls into its touchdown ring")
below.plot(time, data.normal_force, label="ring")
below.plot(time, -data.coil_current * bearing.current_gain, label="magnets")
below.set(xlabel="time [ms]", ylabel="force [N]")
below.legend()
folder = Path("out")
folder.mkdir(exist_ok=True)
figure.savefig(folder / "touchdown_bearing.png", dpi=120)
