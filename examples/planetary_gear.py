"""
A planetary gear
================

Sun, ring, carrier and three planets, all bodies of their own; the meshes are constraints between joint coordinates,
and two of them are redundant. The sun is driven by a motor, the carrier carries the load, a band brake holds the ring.
Willis' equation must hold at every instant, and the two freedoms follow from Lagrange's equations by hand.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import gudgeon as gd

sun, planet, ring, count = 24, 18, 60, 3  # teeth; number of planets
assert ring == sun + 2 * planet
module = 2e-3  # [m]
radius = module * (sun + planet) / 2  # of the planets' axes [m]
J = {"sun": 4e-4, "carrier": 6e-3, "ring": 2e-2, "planet": 1.5e-4}  # [kg·m²]
mass = 0.3  # of a planet [kg]
stall, idle, brake, load = 4.0, 300.0, 0.8, 0.6  # [N·m], [rad/s], [N·m·s/rad], [N·m·s/rad]


def wheel(name, at=(0, 0, 0)):
    spin = J["planet" if "planet" in name else name]
    return gd.Body(mass=mass, inertia=(spin, spin, spin), position=at)


z = (0, 0, 1)
bodies = {name: wheel(name) for name in ("carrier", "sun", "ring")}
joints = {"carrier": gd.Revolute("ground", "carrier", at=(0, 0, 0), axis=z)}
joints |= {name: gd.Revolute("carrier", name, at=(0, 0, 0), axis=z) for name in ("sun", "ring")}
couplings = {}
for k in range(count):
    at = (radius * np.cos(2 * np.pi * k / count), radius * np.sin(2 * np.pi * k / count), 0)
    name = f"planet {k + 1}"
    bodies[name] = wheel(name, at)
    joints[name] = gd.Revolute("carrier", name, at=at, axis=z)
    couplings[f"sun and {name}"] = gd.Gear("sun", name, teeth=(sun, planet))
    couplings[f"{name} and ring"] = gd.Gear(name, "ring", teeth=(planet, ring), internal=True)

gear = gd.System(
    name="planetary gear",
    gravity=(0, 0, 0),
    bodies=bodies,
    joints=joints,
    couplings=couplings,
    loads={
        "motor": gd.Torque("sun", (0, 0, f"{stall}*(1 - sun.wz/{idle})")),
        "brake": gd.Torque("ring", (0, 0, f"-{brake}*ring.wz")),
        "load": gd.Torque("carrier", (0, 0, f"-{load}*carrier.wz")),
    },
)
print(gd.assemble(gear))
result = gd.simulate(gear, 0.4, sample=1e-3, solver=gd.Explicit(rtol=1e-10, atol=1e-12))
speed = {name: result.data.angular_velocity.sel(body=name, axis="z").values for name in bodies}

willis = sun * (speed["sun"] - speed["carrier"]) + ring * (speed["ring"] - speed["carrier"])
print(f"z_s (ω_s − ω_c) + z_r (ω_r − ω_c) is at most {np.abs(willis).max():.1e} of {ring * speed['sun'].max():.0f}")
assert np.abs(willis).max() < 1e-7 * ring * speed["sun"].max()
assert np.allclose(planet * (speed["planet 1"] - speed["carrier"]), -sun * (speed["sun"] - speed["carrier"]), atol=1e-6)

# Lagrange: x the speed of the carrier, y that of the sun against it; speeds are x + ratio y
ratio = {"carrier": 0.0, "sun": 1.0, "ring": -sun / ring, "planet": -sun / planet}
weights = {name: J[name] * (count if name == "planet" else 1) for name in J}
M = sum(weights[name] * np.outer([1, ratio[name]], [1, ratio[name]]) for name in J)
M[0, 0] += count * mass * radius**2


def rates(_, v):
    omega = {name: v[0] + ratio[name] * v[1] for name in ratio}
    torque = {
        "sun": stall * (1 - omega["sun"] / idle),
        "ring": -brake * omega["ring"],
        "carrier": -load * omega["carrier"],
    }
    return np.linalg.solve(M, sum(torque[name] * np.array([1, ratio[name]]) for name in torque))


t = result.data.time.values
by_hand = solve_ivp(rates, (0, t[-1]), [0.0, 0.0], t_eval=t, rtol=1e-11, atol=1e-12).y
difference = np.abs(by_hand[0] - speed["carrier"]).max()
print(f"carrier {speed['carrier'][-1]:.3f} rad/s; largest difference from Lagrange's equations {difference:.1e} rad/s")
assert difference < 1e-7 * speed["carrier"].max()

figure, axes = plt.subplots()
for name in ("sun", "carrier", "ring", "planet 1"):
    axes.plot(t, speed[name], label=name)
axes.set_xlabel("time [s]")
axes.set_ylabel("speed [rad/s]")
axes.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/planetary_gear.png")
