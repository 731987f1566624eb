"""
A slider-crank at 5000 rpm
==========================

A drive prescribes the crank's angle; the result holds the torque this takes and what every joint carries. The motion of
the piston has a closed form, which the simulation meets to ten digits.
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import gudgeon as gd

crank, rod = 0.04, 0.14  # lengths [m]
omega = 5000 * 2 * np.pi / 60  # [rad/s]

system = gd.System(
    name="slider-crank",
    gravity=(0, -9.81, 0),
    bodies={
        "crank": gd.Body(mass=0.8, inertia=(4e-4, 4e-4, 6e-4), position=(crank / 2, 0, 0)),
        "rod": gd.Body(mass=0.5, inertia=(2e-5, 9e-4, 9e-4), position=(crank + rod / 2, 0, 0)),
        "piston": gd.Body(mass=0.4, inertia=(2e-4, 2e-4, 2e-4), position=(crank + rod, 0, 0)),
    },
    joints={
        "main bearing": gd.Revolute("ground", "crank", at=(0, 0, 0)),
        "crank pin": gd.Revolute("crank", "rod", at=(crank, 0, 0)),
        "gudgeon pin": gd.Revolute("rod", "piston", at=(crank + rod, 0, 0)),
        "bore": gd.Prismatic("ground", "piston", at=(crank + rod, 0, 0), axis=(1, 0, 0)),
    },
    drives={"motor": gd.Drive("main bearing", "5000*2*pi/60*t")},
)
print(gd.assemble(system))  # a planar mechanism in space: three rows are redundant

period = 2 * np.pi / omega
result = gd.simulate(system, 2 * period, sample=period / 360, solver=gd.Explicit(rtol=1e-10, atol=1e-10))
data = result.data

angle = omega * data.time.values
across = crank * np.sin(angle)
along = np.sqrt(rod**2 - across**2)
closed_form = crank * np.cos(angle) + along
piston = data.position.sel(body="piston", axis="x").values
torque = data.drive_effort.sel(drive="motor").values
pin = np.linalg.norm(data.reaction_force.sel(joint="gudgeon pin").values, axis=1)
side = data.reaction_force.sel(joint="bore", axis="y").values
print(f"piston within {np.abs(piston - closed_form).max():.0e} m of the closed form")
print(f"gudgeon pin up to {pin.max():.0f} N, motor torque between {torque.min():.1f} and {torque.max():.1f} N·m")

figure = Figure(figsize=(8, 6), layout="constrained")
top, bottom = figure.subplots(2, 1, sharex=True)
degrees = np.degrees(angle)
top.plot(degrees, pin, label="gudgeon pin")
top.plot(degrees, side, label="side force in the bore")
top.set_ylabel("force [N]")
top.legend()
bottom.plot(degrees, torque)
bottom.set_ylabel("motor torque [N·m]")
bottom.set_xlabel("crank angle [degrees]")
figure.suptitle("Slider-crank at 5000 rpm")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/slider_crank_5000_rpm.png", dpi=120)

assert np.abs(piston - closed_form).max() < 1e-9
# over a full turn at constant speed, the motor's work is zero: nothing is dissipated and nothing gained
work = float(np.trapezoid(torque[:361], angle[:361]))
assert abs(work) < 1e-3 * np.abs(torque).max()
