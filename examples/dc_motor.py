"""
A DC motor with inductance, started directly and by a sampled speed controller
==============================================================================

The current of a motor is a state of its own, L di/dt = u − R i − k s, its torque k i; it drives a flywheel through a
gear n. Started at full voltage it is a linear system ẋ = A x + b u, x = (ω, i), solved by the matrix exponential. A PI
controller that a microcontroller runs every 2 ms, its voltage held between, follows the discrete system exactly:

    x_{k+1} = exp(A T) x_k + ∫ exp(A τ) dτ b u_k,      u_k = kp e_k + I_k,   I_{k+1} = I_k + T ki e_k
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import expm

import gudgeon as gd

R, L, k = 0.6, 1.5e-3, 0.05  # [Ω], [H], [N·m/A = V·s]
n, rotor, wheel, drag = 4.0, 5e-5, 4e-3, 2e-3  # gear, inertias of rotor and flywheel [kg·m²], drag [N·m·s]
supply, wanted = 24.0, 60.0  # [V], speed of the flywheel [rad/s]
kp, ki, period = 0.15, 3.0, 2e-3  # [V·s], [V], [s]

circuit = f"(voltage - {R}*current - {k}*{n}*shaft.angle_rate)/{L}"
started = gd.System(
    name="DC motor",
    gravity=(0, 0, 0),
    bodies={"flywheel": gd.Body(mass=2.0, inertia=(wheel, wheel, wheel))},
    joints={"shaft": gd.Revolute("ground", "flywheel", at=(0, 0, 0), axis=(0, 0, 1))},
    controllers={
        "motor": gd.Controller(
            states={"current": 0.0}, inputs={"voltage": supply}, derivative={"current": circuit}, units={"current": "A"}
        )
    },
    loads={
        "torque": gd.Motor("shaft", torque=f"{k}*motor.current", gear_ratio=n, rotor_inertia=rotor),
        "drag": gd.JointTorque("shaft", f"-{drag}*shaft.angle_rate"),
    },
)
controlled = started.replace(
    controllers={
        "speed": gd.PID(
            measured="shaft.angle_rate", setpoint=wanted, kp=kp, ki=ki, period=period, output="voltage", units="V"
        ),
        "motor": gd.Controller(
            states={"current": 0.0},
            inputs={"voltage": "speed.voltage"},
            derivative={"current": circuit},
            units={"current": "A"},
        ),
    }
)
direct = gd.simulate(started, 0.4, sample=1e-3).data
sampled = gd.simulate(controlled, 0.4, sample=period).data

# by hand
inertia = wheel + n**2 * rotor
A = np.array([[-drag / inertia, n * k / inertia], [-n * k / L, -R / L]])
b = np.array([0.0, 1.0 / L])
rest = np.linalg.solve(A, -b * supply)
by_hand = np.array([rest - expm(A * t) @ rest for t in direct.time.values])
speed, current = direct.joint_velocity.values[:, 0], direct.controller_state.values[:, 0]
off = np.abs(np.stack([speed, current], axis=1) - by_hand).max(axis=0) / np.abs(by_hand).max(axis=0)
print(f"started directly: {current.max():.1f} A at most, {speed[-1]:.2f} rad/s; off by {off[0]:.0e} and {off[1]:.0e}")
assert off.max() < 1e-6

step = expm(np.block([[A, b[:, None]], [np.zeros((1, 3))]]) * period)
x, integral, held, states = np.zeros(2), 0.0, [], [np.zeros(2)]
for _ in sampled.time.values[:-1]:
    error = wanted - x[0]
    voltage = kp * error + integral
    integral += period * ki * error
    x = step[:2, :2] @ x + step[:2, 2] * voltage
    held.append(voltage)
    states.append(x)
states = np.array(states)
speeds, currents = sampled.joint_velocity.values[:, 0], sampled.controller_state.sel(state="motor.current").values
voltages = sampled.controller_output.sel(output="speed.voltage").values
print(f"controlled: {speeds[-1]:.3f} rad/s; off by {np.abs(speeds - states[:, 0]).max():.0e} rad/s and "
      f"{np.abs(currents - states[:, 1]).max():.0e} A from the discrete system")  # fmt: skip
assert np.abs(speeds - states[:, 0]).max() < 1e-6 * wanted
assert np.abs(currents - states[:, 1]).max() < 1e-6 * current.max()
assert np.abs(voltages[1:] - held).max() < 1e-6 * supply

poles = np.sort_complex(gd.linearize(started).eigenvalues)  # the turning of the shaft itself is neutral: one more, 0
assert np.allclose(poles, np.sort_complex([*np.linalg.eigvals(A), 0.0]), atol=1e-6 * np.abs(poles).max())
stiff = started.replace(
    controllers={"motor": gd.Controller(states={"current": 0.0}, inputs={"voltage": supply},
                                        derivative={"current": circuit.replace(f"/{L}", f"/{1e-4 * L}")})}
)  # fmt: skip
steps = [gd.simulate(each, 0.4, solver=gd.Implicit(rtol=1e-6)).stats["steps"] for each in (started, stiff)]
print(f"Implicit takes {steps[0]} steps, with a time constant of {1e-4 * L / R:.1e} s {steps[1]}")
assert steps[1] < 1.5 * steps[0]

figure, (top, bottom) = plt.subplots(2, 1, sharex=True, layout="constrained")
top.plot(direct.time, speed, label="started at 24 V")
top.plot(sampled.time, speeds, label="PI controller, every 2 ms")
top.axhline(wanted, color="black", linewidth=0.6)
top.set_ylabel("speed [rad/s]")
top.legend()
bottom.plot(direct.time, current, label="current [A], 24 V")
bottom.plot(sampled.time, currents, label="current [A], controlled")
bottom.step(sampled.time[1:] - period, voltages[1:], where="post", linewidth=0.8, label="voltage [V], controlled")
bottom.set_xlabel("time [s]")
bottom.legend()
Path("out").mkdir(exist_ok=True)
figure.savefig("out/dc_motor.png")
