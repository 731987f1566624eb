"""
A clutch: locked at once, or after it has slipped
=================================================

A motor shaft turns at 150 rad/s, a machine stands still. A dog clutch locks the joint between them at t = 0.2 s; it
opens at 0.6 s, when an eddy-current brake stops the machine. A friction clutch slips with a constant torque T instead,
and a switch locks it when the shafts turn alike, without a jump. Loads use the switches as signals. By hand:

    common speed       ω = J₁ ω₁/(J₁ + J₂)
    energy lost        ½ J₁ J₂/(J₁ + J₂) ω₁², whichever clutch
    time of slipping   (ω₁ − ω) J₁/T
    braked machine     ω exp(−c t/J₂)
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import gudgeon as gd

J1, J2, speed = 0.02, 0.05, 150.0  # of motor and machine [kg·m²], [rad/s]
torque, brake = 12.0, 0.8  # T of the slipping clutch [N·m], c of the brake [N·m·s]

z = (0, 0, 1)
shafts = gd.System(
    name="clutch",
    gravity=(0, 0, 0),
    bodies={
        "motor": gd.Body(mass=4.0, inertia=(J1, J1, J1), angular_velocity=(0, 0, speed)),
        "machine": gd.Body(mass=8.0, inertia=(J2, J2, J2), position=(0, 0, 0.3), angular_velocity=(0, 0, 0)),
    },
    joints={
        "shaft": gd.Revolute("ground", "motor", at=(0, 0, 0), axis=z),
        "clutch": gd.Revolute("motor", "machine", at=(0, 0, 0.15), axis=z),
    },
    switches={"engage": gd.Switch(at=0.2), "open": gd.Switch(at=0.6)},
    loads={"brake": gd.Torque("machine", (0, 0, f"-{brake}*open*machine.wz"))},
)
dog = shafts.replace(drives={"dogs": gd.Lock("clutch", since="engage", until="open")})
friction = shafts.replace(
    switches={**shafts.switches, "alike": gd.Switch(when="clutch.angle_rate", above=0.0)},
    loads={**shafts.loads, "linings": gd.JointTorque("clutch", f"{torque}*engage*(1 - alike)")},
    drives={"plate": gd.Lock("clutch", since="alike", until="open")},
)
runs = {name: gd.simulate(system, 0.8, sample=1e-3) for name, system in (("dog", dog), ("friction", friction))}

# by hand
together = J1 * speed / (J1 + J2)
lost = 0.5 * J1 * J2 / (J1 + J2) * speed**2
slipping = (speed - together) * J1 / torque
for name, result in runs.items():
    data, told = result.data, result.switches
    time, energy = data.time.values, data.mechanical_energy.values
    motor, machine = (data.angular_velocity.sel(body=body, axis="z").values for body in ("motor", "machine"))
    between = (time > 0.2 + slipping) & (time <= 0.6)
    told = ", ".join(f"{switch} at {at:.6f} s" for switch, at in zip(told.switch, told.time, strict=True))
    print(f"{name:8s} clutch: {motor[between][0]:.4f} rad/s (by hand {together:.4f}); {told}")
    print(f"    {energy[0] - energy[between][-1]:.4f} J lost (by hand {lost:.4f})")
    assert np.allclose(motor[between], together, rtol=1e-7) and np.allclose(machine[between], together, rtol=1e-7)
    assert np.isclose(energy[0] - energy[between][-1], lost, rtol=1e-7)
    assert np.allclose(motor[time > 0.6], together, rtol=1e-7)  # the brake does not reach it
    braked = time > 0.6
    assert np.allclose(machine[braked], together * np.exp(-brake / J2 * (time[braked] - 0.6)), atol=1e-6 * together)
dogs, plates = (result.switches.set_index("switch") for result in runs.values())
assert np.isclose(dogs.energy_lost["engage"], lost, rtol=1e-9)
assert abs(plates.time["alike"] - 0.2 - slipping) < 1e-9 and abs(plates.energy_lost).max() < 1e-9 * lost

figure, axes = plt.subplots(layout="constrained")
for (name, result), style in zip(runs.items(), ("-", "--"), strict=True):
    for body, colour in (("motor", "#2171b5"), ("machine", "#d94801")):
        rate = result.data.angular_velocity.sel(body=body, axis="z")
        axes.plot(result.data.time, rate, style, color=colour, label=f"{body}, {name} clutch")
axes.axhline(together, color="black", linewidth=0.6)
axes.annotate("J₁ω₁/(J₁ + J₂)", (0.01, together), xytext=(0.01, together + 4))
axes.set_xlabel("time [s]")
axes.set_ylabel("speed [rad/s]")
axes.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/clutch.png")
