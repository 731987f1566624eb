"""
A joint model of your own
=========================

A ball on a cord, which pulls but cannot push: a dataclass of numbers and one function from the relative motion at the
joint to force and torque. The ball is thrown from below so fast that it climbs above the suspension, but too slowly to
go round: the cord becomes slack where its pull vanishes, at cos φ = (2 g L − v²)/(3 g L) from the lowest point, and the
ball flies a parabola until the cord is taut again.
"""

from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import gudgeon as gd

LENGTH, SPEED, G = 1.0, 6.0, 9.81  # [m, m/s, m/s²]: 2 g L < v² < 5 g L


@dataclass(frozen=True, kw_only=True)
class Cord(gd.ForceModel):
    """A spring and damper beyond its length, nothing below."""

    length: float  # [m]
    stiffness: float  # [N/m]
    damping: float  # [N·s/m]

    @staticmethod
    def wrench(x, v, p):
        """Force and torque on the child, from displacement x, velocity v and the fields p."""
        distance = (x[0] ** 2 + x[1] ** 2 + x[2] ** 2) ** 0.5
        if distance <= p[0]:
            return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        rate = (x[0] * v[0] + x[1] * v[1] + x[2] * v[2]) / distance
        pull = max(p[1] * (distance - p[0]) + p[2] * rate, 0.0) / distance
        return (-pull * x[0], -pull * x[1], -pull * x[2], 0.0, 0.0, 0.0)


# %%
# Two points that nothing else connects: a Free joint with the cord as its model.

ball = gd.Body(mass=0.2, inertia=(1e-4, 1e-4, 1e-4), position=(0, 0, -LENGTH), velocity=(SPEED, 0, 0))
cord = Cord(length=LENGTH, stiffness=2e4, damping=5.0)
system = gd.System(
    name="a ball on a cord",
    bodies={"ball": ball},
    joints={"cord": gd.Free("ground", "ball", at_parent=(0, 0, 0), at_child=(0, 0, 0), model=cord)},
)
result = gd.simulate(system, 1.4, sample=1e-3)

# %%
# Where the cord becomes slack, and how the ball falls then.

time = result.data.time.values
x, z = result.data.position.sel(body="ball").values[:, [0, 2]].T
slack = (np.hypot(x, z) < LENGTH) & (time > 0.1)
first = int(np.argmax(slack))
found, exact = -z[first] / LENGTH, (2 * G * LENGTH - SPEED**2) / (3 * G * LENGTH)
print(f"slack at t = {time[first]:.3f} s, cos φ = {found:.4f}; with a cord that does not stretch {exact:.4f}")
assert abs(found - exact) < 0.01  # this one is stretched by up to 0.4 mm, and samples are 1 ms apart
falling = -2.0 * np.polyfit(time[first : first + 100], z[first : first + 100], 2)[0]
print(f"while it is slack the ball falls with {falling:.4f} m/s²")
assert abs(falling - G) < 1e-3

# %%
# The path.

figure, axes = plt.subplots(figsize=(5, 5), layout="constrained")
axes.plot(x, z, label="cord taut")
axes.plot(np.where(slack, x, np.nan), np.where(slack, z, np.nan), label="slack: a parabola")
axes.plot(0, 0, "k+")
axes.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title="A ball on a cord, thrown at 6 m/s")
axes.legend(loc="upper left")
folder = Path("out")
folder.mkdir(exist_ok=True)
figure.savefig(folder / "ball_on_a_cord.png", dpi=120)
