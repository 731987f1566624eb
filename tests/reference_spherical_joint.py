"""The spatial four-bar with a real spherical joint at C, as a tree: what the library's real joints are compared with.

Independent of gudgeon, of which it imports nothing, and of its formulation. With a real joint at C the mechanism is a
tree without loops: the crank turns by θ about x, the coupler hangs on the crank's ball B, the rocker turns by φ about
y.

    state      y = (θ, p, φ, θ̇, ω', φ̇)       p quaternion of the coupler, ω' its angular velocity in its own axes
    ball B     B = R_x(θ) b,  Ḃ = B_θ θ̇,      B_θθ = −B  (b is perpendicular to x)
    coupler    r = B − R s,   v = B_θ θ̇ + R (s × ω'),                   s = (0, L/2, 0)
    rocker     C_j = D + R_y(φ) c,            ω_j = ŷ φ̇

Newton–Euler projected on the rates (θ̇, ω') gives  [a hᵀ; h J_B] (θ̈, ω̇') = (τ, t),  a = I_A + m |B_θ|²,
J_B = J + m (s·s 1 − s sᵀ) constant, h = m (Rᵀ B_θ) × s; a scalar Schur complement solves it. The joint at C enters as a
force F on the ball at a point X, and −F on the socket at the same X.

Dry contact: DOP853 from switch to switch (touch, leave, and where the law would pull). Every switch is located on the
dense output, the step is repeated up to it, and one Newton step in time follows. Film and bushing (rates of 1e6 1/s):
compiled RK4 of a fixed step that resolves everything; Radau IIA with a Jacobian by complex steps confirms it.

    python tests/reference_spherical_joint.py        writes references/spatial_four_bar_real.json again, in ten minutes
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
from numba import njit
from scipy.integrate import DOP853, Radau, solve_ivp
from scipy.optimize import brentq

# --- the mechanism: tables 1 and 2 of Silva, Marques, Silva, Flores ---------------------------------------------------
CRANK, COUPLER, ROCKER = 0.020, 0.122, 0.074  # lengths [m]
D = np.array([-0.040, -0.085, 0.0])  # the rocker's pin [m]
B_START = np.array([0.0, 0.0, CRANK])  # ball B at θ = 0 [m]
COUPLER_MASS, ROCKER_MASS = 0.1416, 0.0316  # [kg]
CRANK_INERTIA = 3.92e-5  # about its pin, through its centre of mass [kg·m²]
COUPLER_INERTIA = np.array([1.7743e-3, 3.51e-5, 1.7743e-3])  # [kg·m²]
ROCKER_INERTIA = 1.456e-4 + ROCKER_MASS * (ROCKER / 2) ** 2  # about its pin [kg·m²]
GRAVITY = 9.81  # along −z [m/s²]
S = np.array([0.0, COUPLER / 2, 0.0])  # from the coupler's centre of mass to B, in its axes [m]
INERTIA_AT_B = COUPLER_INERTIA + COUPLER_MASS * (COUPLER / 2) ** 2 * np.array([1.0, 0.0, 1.0])  # [kg·m²]

# --- the joint: table 3 -----------------------------------------------------------------------------------------------
SOCKET, BALL = 0.010, 0.0099  # radii [m]
CLEARANCE = SOCKET - BALL  # [m]
SIGMA = (1 - 0.3**2) / 207e9  # of socket and ball alike [1/Pa]
STIFFNESS = 4 / (3 * (SIGMA + SIGMA)) * np.sqrt(SOCKET * BALL / CLEARANCE)  # Hertz, 1.50888e11 [N/m^1.5]
RESTITUTION = 0.9
SLOWEST_IMPACT = 1e-4  # δ̇⁽⁻⁾ is not below this [m/s]
SLIDING_SPEED = 1e-3  # v₁ of the regularised friction [m/s]
VISCOSITY = 0.4  # [Pa·s]
BUSHING_STIFFNESS, BUSHING_TIME = 2.146e7, 0.01  # k [N/m], b [s]

CORE = 1e-12  # nearer to the centre n is noise, and film and bushing act on the vector e; straight out: the same [m]
# what acts at C; LINEAR is PRESSED with friction μ f_n min(v/v₁, 1) as in Exudyn, for comparisons with that program
FREE, PRESSED, FILM, BUSHING, LINEAR = 0, 1, 2, 3, 4


@njit(cache=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


@njit(cache=True)
def turn(p, a):
    """A(p) a for a quaternion of any length: drift of |p| is harmless."""
    u = p[1:]
    return a + 2.0 / (p[0] * p[0] + dot(u, u)) * cross(u, cross(u, a) + p[0] * a)


@njit(cache=True)
def turn_back(p, a):
    """A(p)ᵀ a."""
    u = p[1:]
    return a + 2.0 / (p[0] * p[0] + dot(u, u)) * cross(u, cross(u, a) - p[0] * a)


@njit(cache=True)
def kinematics(y):
    """B, B_θ, the socket's centre, the ball's centre from D, and the angular velocity of the coupler in the world."""
    c, s = np.cos(y[0]), np.sin(y[0])
    B = CRANK * np.array([0.0 * c, -s, c])
    B_theta = CRANK * np.array([0.0 * c, -c, -s])
    socket = B - 2.0 * turn(y[1:5], S + 0.0 * y[1:4])
    arm = ROCKER * np.array([np.sin(y[5]), 0.0 * y[5], np.cos(y[5])])
    return B, B_theta, socket, arm, turn(y[1:5], y[7:10])


@njit(cache=True)
def joint_motion(y):
    """Eccentricity vector e = ball − socket and its rate."""
    B, B_theta, socket, arm, w = kinematics(y)
    e = D + arm - socket
    rate = y[10] * np.array([arm[2], 0.0 * y[5], -arm[0]]) - y[6] * B_theta - cross(w, socket - B)
    return e, rate


@njit(cache=True)
def film_bracket(x):
    """ln(1−ε)/ε³ + 1/(ε²(1−ε)) − 1/(2ε) = Σ (k+2)/(k+3) εᵏ."""
    if abs(x) < 0.05:
        total = 0.0 * x
        for k in range(14, -1, -1):
            total = total * x + (k + 2.0) / (k + 3.0)
        return total
    return np.log(1.0 - x) / x**3 + 1.0 / (x * x * (1.0 - x)) - 0.5 / x


@njit(cache=True)
def force_at_joint(y, law, impact_speed, friction):
    """Force on the ball and its point of action, in the world."""
    B, B_theta, socket, arm, w = kinematics(y)
    e_vector, rate = joint_motion(y)
    ball = D + arm
    e = np.sqrt(dot(e_vector, e_vector))
    if law == FREE:
        return 0.0 * e_vector, ball
    if e.real < CORE and law == BUSHING:
        return -BUSHING_STIFFNESS * (e_vector + BUSHING_TIME * rate), ball
    if e.real < CORE and law == FILM:
        return -4.0 * np.pi * VISCOSITY * SOCKET * (SOCKET / CLEARANCE) ** 3 * rate, ball
    n = e_vector / e
    e_rate = dot(n, rate)
    if law == BUSHING:
        return -BUSHING_STIFFNESS * (e + BUSHING_TIME * e_rate) * n, ball
    if law == FILM:
        scale = 6.0 * np.pi * VISCOSITY * SOCKET * (SOCKET / CLEARANCE) ** 3
        return -scale * film_bracket(e / CLEARANCE) * e_rate * n, ball
    delta = e - CLEARANCE
    if delta.real <= 0.0:
        return 0.0 * e_vector, ball
    normal = STIFFNESS * delta**1.5 * (1.0 + 0.75 * (1.0 - RESTITUTION**2) * e_rate / impact_speed)
    X = socket + 0.5 * (SOCKET + BALL + e) * n
    from_pin = X - D
    slide = y[10] * np.array([from_pin[2], 0.0 * y[5], -from_pin[0]]) - y[6] * B_theta - cross(w, X - B)
    slide = slide - dot(slide, n) * n
    speed = np.sqrt(dot(slide, slide))
    if law == LINEAR:
        grip = 1.0 / (speed if speed.real > SLIDING_SPEED else SLIDING_SPEED + 0.0 * speed)
    else:
        grip = 1.0 / SLIDING_SPEED + 0.0 * speed if speed == 0.0 else np.tanh(speed / SLIDING_SPEED) / speed
    return -normal * (n + friction * grip * slide), X


@njit(cache=True)
def rates(y, law, impact_speed, friction):
    """dy/dt."""
    B, B_theta, _, arm, _ = kinematics(y)
    force, X = force_at_joint(y, law, impact_speed, friction)
    theta_rate, w = y[6], y[7:10]
    s = S + 0.0 * w
    weight = np.array([0.0, 0.0, -COUPLER_MASS * GRAVITY])
    # force that the coupler's centre needs beyond its rates of (θ̇, ω'): weight − m (B_θθ θ̇² − R ω'×(ω'×s))
    push = weight + COUPLER_MASS * (B * theta_rate**2 + turn(y[1:5], cross(w, cross(w, s))))
    tau = dot(B_theta, push - force)
    torque = cross(turn_back(y[1:5], push), s) - cross(w, COUPLER_INERTIA * w) - turn_back(y[1:5], cross(X - B, force))
    h = COUPLER_MASS * cross(turn_back(y[1:5], B_theta), s)
    a = CRANK_INERTIA + COUPLER_MASS * dot(B_theta, B_theta)
    scaled = h / INERTIA_AT_B
    theta_acceleration = (tau - dot(scaled, torque)) / (a - dot(scaled, h))
    w_rate = (torque - h * theta_acceleration) / INERTIA_AT_B
    from_pin = X - D
    at_rocker = from_pin[2] * force[0] - from_pin[0] * force[2] + 0.5 * arm[0] * ROCKER_MASS * GRAVITY
    p = y[1:5]
    out = np.empty_like(y)
    out[0], out[5] = theta_rate, y[10]
    out[1] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2])
    out[2:5] = 0.5 * (p[0] * w + cross(p[1:], w))
    out[6], out[10] = theta_acceleration, at_rocker / ROCKER_INERTIA
    out[7:10] = w_rate
    return out


@njit(cache=True)
def energy(y):
    """Kinetic energy plus weight [J]."""
    B, B_theta, socket, arm, _ = kinematics(y)
    w = y[7:10]
    v = B_theta * y[6] + turn(y[1:5], cross(S, w))
    kinetic = CRANK_INERTIA * y[6] ** 2 + COUPLER_MASS * dot(v, v) + dot(w, COUPLER_INERTIA * w)
    kinetic += ROCKER_INERTIA * y[10] ** 2
    height = COUPLER_MASS * (B[2] + socket[2]) / 2.0 + ROCKER_MASS * arm[2] / 2.0
    return 0.5 * kinetic + GRAVITY * height


def start():
    """At rest, assembled exactly: ball and socket concentric."""

    def gap(phi):
        return np.linalg.norm(D + ROCKER * np.array([np.sin(phi), 0.0, np.cos(phi)]) - B_START) - COUPLER

    phi = brentq(gap, -0.6, -0.4, xtol=1e-17, rtol=1e-15)
    C = D + ROCKER * np.array([np.sin(phi), 0.0, np.cos(phi)])
    axis = (B_START - C) / np.linalg.norm(B_START - C)  # where the coupler's y axis points
    p = np.array([1.0 + axis[1], axis[2], 0.0, -axis[0]])  # the shortest turn from y to there
    return np.r_[0.0, p / np.linalg.norm(p), phi, np.zeros(5)]


@njit(cache=True)
def jacobian(y, law, impact_speed, friction):
    """∂(dy/dt)/∂y by complex steps: exact."""
    out = np.empty((y.size, y.size))
    for k in range(y.size):
        z = y + 0.0j
        z[k] += 1e-40j
        out[:, k] = rates(z, law, impact_speed, friction).imag / 1e-40
    return out


# --- dry contact: from switch to switch -------------------------------------------------------------------------------
APART, TOUCHING, PULLED = 0, 1, 2  # PULLED: δ > 0, but the law would pull, so that there is no force
WEIGHTS = np.array(6 * [1.0] + 5 * [100.0])  # of positions and velocities in the absolute tolerance [-], [1/s]


@njit(cache=True)
def penetration(y):
    e = joint_motion(y)[0]
    return np.sqrt(dot(e, e)) - CLEARANCE


@njit(cache=True)
def approach(y):
    """δ̇."""
    e, rate = joint_motion(y)
    return dot(e, rate) / np.sqrt(dot(e, e))


@njit(cache=True)
def beyond(y, mode, impact_speed, switch):
    """Positive where the state has left its mode by switch 0 (δ = 0) or 1 (the law would begin or cease to pull)."""
    if switch == 0:
        # a ball that just left the wall may be 1e-17 m inside it: only one that comes nearer can touch
        return min(penetration(y), approach(y)) if mode == APART else -penetration(y)
    factor = 1.0 + 0.75 * (1.0 - RESTITUTION**2) * approach(y) / impact_speed
    return factor if mode == PULLED else -factor


def advance(solver):
    message = solver.step()
    if solver.status == "failed":
        raise RuntimeError(f"t = {solver.t}: {message}")


def dry(end, friction, *, law=PRESSED, samples=(), rtol=1e-13, method=DOP853, most_impacts=10**9):
    """Return the states at `samples`, and time and speed of every impact."""
    t, y, mode, impact_speed = 0.0, start(), APART, 1.0
    states, impacts, samples = [], [], list(samples)
    options = {"rtol": rtol, "atol": 0.01 * rtol * WEIGHTS}
    while len(impacts) < most_impacts:
        arguments = (law if mode == TOUCHING else FREE, impact_speed, friction)
        if method is Radau:
            options["jac"] = lambda _, y, arguments=arguments: jacobian(y, *arguments)

        def f(_, y, arguments=arguments):
            return rates(y, *arguments)

        solver = method(f, t, y, end, max_step=2e-4 if mode == APART else 1e-4, **options)
        switches = (0,) if mode == APART else (0, 1)
        found = None
        while solver.status == "running" and found is None:
            before, y_before = solver.t, solver.y
            advance(solver)
            dense = solver.dense_output()

            def left(t, switch, dense=dense, mode=mode, impact_speed=impact_speed):
                return beyond(dense(t), mode, impact_speed, switch)

            nodes = np.linspace(before, solver.t, 7)
            for a, b in pairwise(nodes):
                hits = [k for k in switches if left(b, k) > 0.0]
                if hits:
                    found = min((brentq(left, a, b, (k,), 1e-18, 1e-15) if left(a, k) < 0.0 else a, k) for k in hits)
                    break
            while samples and samples[0] <= (found[0] if found else solver.t):
                states.append(dense(samples.pop(0)))
        if found is None:
            break
        (t, k), y = found, y_before
        if t > before:  # repeat the step up to the switch, then one more Newton step in time
            repeat = method(f, before, y, t, first_step=t - before, **options)
            while repeat.status == "running":
                advance(repeat)
            y = repeat.y
            value, slope = beyond(y, mode, impact_speed, k), f(t, y)
            dt = -value * 1e-8 / (beyond(y + 1e-8 * slope, mode, impact_speed, k) - value)
            t, y = t + dt, y + dt * slope
        if mode == APART:
            mode, impact_speed = TOUCHING, max(approach(y), SLOWEST_IMPACT)
            impacts.append((t, approach(y)))
        elif k == 0:
            mode = APART
        else:
            mode = PULLED if mode == TOUCHING else TOUCHING
    return np.array(states), np.array(impacts)


# --- film and bushing: stiff and smooth -------------------------------------------------------------------------------
@njit(cache=True)
def runge_kutta(end, law, step, spacing, y):
    """Return the states every `spacing` seconds and the largest eccentricity; y is where to start."""
    per_sample, count = round(spacing / step), round(end / spacing)
    states, largest = np.empty((count + 1, y.size)), 0.0
    states[0] = y
    for sample in range(1, count + 1):
        for _ in range(per_sample):
            k1 = rates(y, law, 1.0, 0.0)
            k2 = rates(y + 0.5 * step * k1, law, 1.0, 0.0)
            k3 = rates(y + 0.5 * step * k2, law, 1.0, 0.0)
            k4 = rates(y + step * k3, law, 1.0, 0.0)
            y = y + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            largest = max(largest, penetration(y) + CLEARANCE)
        states[sample] = y
    return states, largest


def radau(end, law, spacing, rtol=1e-9):
    """Return the states every `spacing` seconds, by an independent integrator."""
    arguments = (law, 1.0, 0.0)
    solution = solve_ivp(
        lambda _, y: rates(y, *arguments),
        (0.0, end),
        start(),
        "Radau",
        np.linspace(0.0, end, round(end / spacing) + 1),
        rtol=rtol,
        atol=1e-4 * rtol * WEIGHTS,
        jac=lambda _, y: jacobian(y, *arguments),
        first_step=1e-9,
    )
    return solution.y.T


# --- the reference file -----------------------------------------------------------------------------------------------
SPACING = 0.05  # of the samples [s]


def rocker_centre(states):
    phi = states[:, 5]
    return D + 0.5 * ROCKER * np.stack([np.sin(phi), 0.0 * phi, np.cos(phi)], axis=1)


def stored(y, law):
    """Elastic energy in the joint [J]."""
    e = penetration(y) + CLEARANCE
    if law == BUSHING:
        return 0.5 * BUSHING_STIFFNESS * e**2
    return STIFFNESS * max(e - CLEARANCE, 0.0) ** 2.5 / 2.5 if law in (PRESSED, LINEAR) else 0.0


def motion_table(states, law, *others):
    """Samples and energies, each with the largest difference from the other runs as its error."""
    positions, samples, energies = rocker_centre(states), [], []
    gap = np.max([np.linalg.norm(positions - rocker_centre(other), axis=1) for other in others], axis=0)
    for k, y in enumerate(states):
        samples.append([round(k * SPACING, 10), *positions[k], penetration(y) + CLEARANCE, gap[k]])
        if k and k * SPACING in (0.5, 0.8, 1.0, 1.5, 2.0):
            error = max(abs(energy(y) - energy(other[k])) for other in others)
            energies.append([round(k * SPACING, 10), energy(states[0]) - energy(y), stored(y, law), error])
    return {
        "columns": ["t", "rocker com x", "y", "z", "eccentricity", "error of position"],
        "samples": samples,
        "energy_columns": [
            "t",
            "kinetic + gravity lost since 0",
            "elastic energy stored in the joint",
            "error of lost",
        ],
        "energy": energies,
    }


def impact_table(impacts, other):
    return {
        "impact_columns": ["t", "speed", "error of t", "error of speed"],
        "impacts": np.hstack([impacts, np.abs(impacts - other)]).tolist(),
    }


def dry_reference(law, rtol):
    times = np.linspace(0.0, 2.0, 41)
    states, impacts = dry(2.0, 0.1, law=law, samples=times, rtol=rtol)
    coarse, coarse_impacts = dry(2.0, 0.1, law=law, samples=times, rtol=10.0 * rtol)
    return motion_table(states, law, coarse) | impact_table(impacts, coarse_impacts)


def frictionless_reference():
    return impact_table(*(dry(1.0, 0.0, rtol=rtol, most_impacts=10)[1] for rtol in (1e-13, 1e-12)))


def smooth_reference(end, law, step):
    states, largest = runge_kutta(end, law, step, SPACING, start())
    coarse, _ = runge_kutta(end, law, 2.0 * step, SPACING, start())
    largest = {"largest_eccentricity": largest, "largest_eccentricity_ratio": largest / CLEARANCE}
    return motion_table(states, law, coarse, radau(end, law, SPACING) if law == BUSHING else coarse) | largest


def content(reference):
    """What the file says around the numbers."""
    return {
        "name": "spatial_four_bar_real",
        "status": "complete for 2 s (dry with friction, bushing), 0.8 s (lubricated), ten impacts (frictionless)",
        "checks": "dry, lubricated and bushed spherical joint between coupler (socket) and rocker (ball), from rest",
        "parameters": {
            "mechanism": "as in spatial_four_bar_ideal; start at rest, assembled exactly, ball and socket concentric",
            "socket_radius": SOCKET,
            "ball_radius": BALL,
            "dry": {
                "law": "Lankarani-Nikravesh, f_n >= 0, impact speed taken at onset",
                "point": "both bodies are loaded, and slide, at X = P_i + (R_i + R_j + e)/2 n",
                "K": STIFFNESS,
                "n": 1.5,
                "restitution": RESTITUTION,
                "smallest_impact_speed": SLOWEST_IMPACT,
                "friction": "mu f_n tanh(v/v1); frictionless: mu = 0; dry_linear: mu f_n min(v/v1, 1), as in Exudyn",
                "mu": 0.1,
                "v1": SLIDING_SPEED,
            },
            "lubricated": {"law": "squeeze film, eq 15 of Silva, Marques, Silva, Flores, at P", "viscosity": VISCOSITY},
            "bushing": {"law": "-k (e + b de/dt) n at P", "k": BUSHING_STIFFNESS, "b": BUSHING_TIME},
        },
        "reference": reference,
        "tolerance": "error columns: largest difference between two runs; dry DOP853 at rtol 1e-13 and 1e-12, "
        "dry_linear 1e-12 and 1e-11, lubricated RK4 with steps of 1e-7 and 2e-7 s, bushing RK4 with 2.5e-7 and 5e-7 s "
        "and Radau at rtol 1e-9. Positions to 3e-12 m, energies to 2e-12 J, impact times to 1e-10 s (dry: the first "
        "ten to 1e-11 s, frictionless to 3e-11 s, the last of dry_linear to 1e-9 s); 0: equal to the last bit",
        "source": "tests/reference_spherical_joint.py: tree coordinates without constraints, independent of gudgeon",
        "verified": "start: ideal reference to 1e-16 m; free tree: energy to 3e-14 J in 1 s; dry: absolute coordinates "
        "with multipliers and SciPy's DOP853 at rtol 1e-9 (benchmarks/peers/scipy_clearance_four_bar.py) to 2e-12 of "
        "the stroke over 0.1 s, which holds all impacts, and 2e-8 over 2 s; Radau at rtol 1e-9 finds the same 30 "
        "impacts to 2e-9 s; dry_linear: Exudyn 1.13.6 to 8e-7 of the stroke over 2 s; lubricated: Radau at rtol 1e-9 "
        "to 4e-10 m",
    }


def main():
    reference = {
        "dry": dry_reference(PRESSED, 1e-13),
        "dry_linear": dry_reference(LINEAR, 1e-12),
        "frictionless": frictionless_reference(),
        "lubricated": smooth_reference(0.8, FILM, 1e-7),
        "bushing": smooth_reference(2.0, BUSHING, 2.5e-7),
    }
    path = Path(__file__).parent / "references" / "spatial_four_bar_real.json"
    path.write_text(json.dumps(content(reference), indent=1) + "\n")


if __name__ == "__main__":
    main()
