"""
An inverted pendulum on a cart, balanced by a PID controller
============================================================

A PID controller pushes the cart so that the pole leans as it should; how it should lean, another one says from where
the cart is. It starts 0.3 rad off the vertical and goes to another place when a switch turns. The gains put the five
poles of the closed loop where they are wanted: `gd.linearize` finds them there. The motion follows by hand from

    (M + m) ẍ + m d θ̈ cos θ − m d θ̇² sin θ = u,      (J + m d²) θ̈ + m d ẍ cos θ = m g d sin θ
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import gudgeon as gd

M, m, d, J, g = 1.0, 0.2, 0.3, 0.006, 9.81  # cart, pole [kg], pivot to its centre [m], its inertia [kg·m²]
wanted = np.array([-1.5, -2.2 + 1.2j, -2.2 - 1.2j, -6.0 + 2.0j, -6.0 - 2.0j])  # poles of the closed loop [1/s]
tilt, go, there, end = 0.3, 5.0, 0.4, 12.0  # at the start [rad], when the cart is to move [s] and where to [m]
determinant = (M + m) * (J + m * d**2) - (m * d) ** 2


def closed_loop(kp, ki, kd, a, b):
    """State matrix of (x, ẋ, θ, θ̇, I), by hand, with u = kp e + I + kd θ̇, İ = ki e, e = θ + a x + b ẋ."""
    push = np.array([kp * a, kp * b, kp, kd, 1.0])
    cart, pole = (J + m * d**2) * push / determinant, -m * d * push / determinant
    cart[2] -= (m * d) ** 2 * g / determinant
    pole[2] += (M + m) * m * g * d / determinant
    return np.array([[0, 1, 0, 0, 0], cart, [0, 0, 0, 1, 0], pole, [ki * a, ki * b, ki, 0, 0]])


gains = fsolve(lambda x: (np.poly(closed_loop(*x)) - np.poly(wanted).real)[1:], [60.0, 40.0, 12.0, 0.1, 0.15])
kp, ki, kd, a, b = gains.round(3).tolist()

half = tilt / 2
cart_pole = gd.System(
    name="inverted pendulum",
    bodies={
        "cart": gd.Body(mass=M, inertia=(0.01, 0.01, 0.01)),
        "pole": gd.Body(mass=m, inertia=(J, J, 1e-4), position=(0, 0, d)),
    },
    joints={
        "rail": gd.Prismatic("ground", "cart", at=(0, 0, 0), axis=(1, 0, 0)),
        "pivot": gd.Revolute("cart", "pole", at=(0, 0, 0), axis=(0, 1, 0)),
    },
    switches={"move": gd.Switch(at=go)},
    controllers={
        "place": gd.Controller(
            outputs={"lean": f"-{a}*(rail.displacement - {there}*move) - {b}*rail.displacement_rate"}
        ),
        "balance": gd.PID(
            measured="-pivot.angle",
            setpoint="-place.lean",
            kp=kp,
            ki=ki,
            kd=kd,
            rate="-pivot.angle_rate",
            output="force",
        ),
    },
    loads={"motor": gd.JointForce("rail", "balance.force")},
)
tilted = cart_pole.replace(
    start={
        "pole": gd.BodyState(
            position=(d * np.sin(tilt), 0, d * np.cos(tilt)), orientation=(np.cos(half), 0, np.sin(half), 0)
        )
    }
)

small = gd.linearize(cart_pole)
print(small)
poles = np.sort_complex(small.eigenvalues)
assert small.stable and not gd.linearize(cart_pole.replace(controllers={}, loads={})).stable
assert np.allclose(poles, np.sort_complex(np.linalg.eigvals(closed_loop(kp, ki, kd, a, b))), rtol=1e-6)
assert np.allclose(poles, np.sort_complex(wanted), rtol=2e-2)  # gains have three decimals


def rates(_, y, goal):
    x, v, theta, omega, integral = y
    error = theta + a * (x - goal) + b * v
    u = kp * error + integral + kd * omega
    s, c = np.sin(theta), np.cos(theta)
    both = np.array([[M + m, m * d * c], [m * d * c, J + m * d**2]])
    cart, pole = np.linalg.solve(both, [u + m * d * omega**2 * s, m * g * d * s])
    return [v, cart, omega, pole, ki * error]


result = gd.simulate(tilted, end, sample=0.005)
data = result.data
time = data.time.values
options = {"rtol": 1e-10, "atol": 1e-12, "method": "DOP853"}
first = solve_ivp(rates, (0, go), [0, 0, tilt, 0, 0], args=(0.0,), t_eval=time[time <= go], **options)
second = solve_ivp(rates, (go, end), first.y[:, -1], args=(there,), t_eval=time[time > go], **options)
by_hand = np.hstack([first.y, second.y])
x = data.joint_position.sel(coordinate="rail.displacement").values
lean = data.joint_position.sel(coordinate="pivot.angle").values
off = max(np.abs(x - by_hand[0]).max(), np.abs(lean - by_hand[2]).max())
print(f"poles {', '.join(f'{p:.3f}' for p in poles)}; largest difference from the equations by hand {off:.1e}")
assert off < 1e-6
assert abs(x[-1] - there) < 1e-3 and abs(lean[-1]) < 1e-3
integral = data.controller_state.sel(state="balance.integral").values
assert np.abs(integral - by_hand[4]).max() < 1e-5

figure, axes = plt.subplots(layout="constrained")
axes.plot(time, lean, label="lean of the pole [rad]")
axes.plot(time, data.controller_output.sel(output="place.lean"), linewidth=0.8, label="as it is to lean [rad]")
axes.plot(time, x, label="place of the cart [m]")
axes.plot(time, by_hand[0], "k:", label="by hand")
axes.plot(time, by_hand[2], "k:")
axes.set_xlabel("time [s]")
axes.legend(loc="center right")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/pid_inverted_pendulum.png")
