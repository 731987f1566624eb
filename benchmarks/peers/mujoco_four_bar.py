"""MuJoCo: a tree with one ball joint, the loop closed by `connect`, as rigid as MuJoCo allows.

MuJoCo's constraints are soft: the impedance is clipped at 0.9999 and the regularisation R is 1e-4 of a
diagonal that the model's `body_invweight0` estimates. With R as compiled only a stiff `solref` brings the
loop near the ideal one; the stages of RK4 then leave the constraint by O(h²), the spring answers with O(1),
the order falls to 2 and an error of 1e-6 costs 150 ms. Scaling `body_invweight0` (a public array of the
model) down makes R small instead: the spring can be soft and RK4 regains its order. Below 1e-6 rounding in
the Newton solver takes over (1e-8: error 1e-5). The flag `diagexact` makes R larger.

`run`, the fastest: `mj_forward` as right-hand side of SciPy's LSODA (`odeint`). Loop cut at B, coupler on
the rocker by three hinges (a ball whose rates are derivatives), no spring, two Newton iterations from a
cold start, so that the acceleration is a smooth function of the state (with one LSODA sees noise and
evaluates up to ten times as often). Compiled DOP853 of `scipy.integrate.ode`: 15–18 ms at 1e-6, this 14 ms.

`run_native`: `mj_step` alone, RK4, ball joint, cut at C, critically damped spring of 30 rad/s, one Newton
iteration from a warm start, everything unused disabled (−12 %): 28 ms at 1e-6. The other integrators are of
first order: at a step of 1e-4 s and 100 ms Euler, implicitfast, implicit and discrete are off by 4e-3 or more
(Euler with R as compiled: 2.5e-3 at 2.5e-4 s, 39 ms). PGS and CG do not converge; a sparse Jacobian costs
20 % more; three hinges are no better than the ball.
"""

import time

import mujoco
import numpy as np
from scipy.integrate import odeint

from . import four_bar_data as four_bar

NAME = "MuJoCo (mj_forward, LSODA)"
LADDER = (1e-6, 1e-7, 1e-8, 3e-9, 1e-9, 1e-10)  # relative tolerance; the absolute one is tenfold
NATIVE_NAME = "MuJoCo (mj_step, RK4)"
NATIVE_LADDER = (5e-3, 2.5e-3, 1.25e-3, 1e-3, 5e-4, 2.5e-4)  # time step [s]

UNUSED = "contact limit frictionloss spring damper actuation sensor island midphase nativeccd"
THREE_HINGES = "".join(f'<joint axis="{axis}"/>' for axis in ("0 0 1", "0 1 0", "1 0 0"))
BALL = '<joint type="ball"/>'


def text(*values) -> str:
    """Return numbers as MJCF text that reads back to the same bits."""
    return " ".join(repr(float(x)) for x in np.ravel(values))


def quaternion(R: np.ndarray) -> np.ndarray:
    """Return the unit quaternion of a rotation matrix, scalar first."""
    q = np.empty(4)
    mujoco.mju_mat2Quat(q, R.ravel())
    return q


def build(cut: str, ball: str, options: str, disable: str, rate: float, softness: float) -> mujoco.MjModel:
    """Return the model cut at "B" or "C", closed by a critically damped spring of `rate` [rad/s]."""
    reach = text(0, four_bar.COUPLER_LENGTH if cut == "B" else -four_bar.COUPLER_LENGTH, 0)
    middle = text(0, (0.5 if cut == "B" else -0.5) * four_bar.COUPLER_LENGTH, 0)
    hinge_at = text(four_bar.C0 - four_bar.D if cut == "B" else four_bar.B0 - four_bar.A)
    coupler = f"""<body pos="{hinge_at}" quat="{text(quaternion(four_bar.COUPLER_FRAME))}">{ball}
        <inertial pos="{middle}" mass="{four_bar.COUPLER_MASS}"
          diaginertia="{text(four_bar.COUPLER_INERTIA)}"/>
        <site name="end" pos="{reach}"/></body>"""
    on_rocker, on_crank = f'<site name="cut" pos="{text(four_bar.C0 - four_bar.D)}"/>', coupler
    if cut == "B":
        on_rocker, on_crank = coupler, f'<site name="cut" pos="{text(four_bar.B0 - four_bar.A)}"/>'
    flags = " ".join(f'{flag}="disable"' for flag in disable.split())
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <option gravity="{text(four_bar.GRAVITY)}" solver="Newton" tolerance="0" jacobian="dense" {options}>
        <flag {flags}/></option>
      <worldbody>
        <body pos="{text(four_bar.D)}"><joint name="rocker" axis="0 1 0"/>
          <inertial pos="{text(four_bar.ROCKER_CENTRE - four_bar.D)}"
            quat="{text(quaternion(four_bar.ROCKER_FRAME))}" mass="{four_bar.ROCKER_MASS}"
            diaginertia="{text(four_bar.ROCKER_INERTIA)}"/>{on_rocker}</body>
        <body pos="{text(four_bar.A)}"><joint axis="1 0 0"/>
          <inertial pos="0 0 0" mass="{four_bar.CRANK_MASS}" diaginertia="{text(four_bar.CRANK_INERTIA)}"/>
          {on_crank}</body>
      </worldbody>
      <equality>
        <connect site1="cut" site2="end" solref="{text(-(rate**2), -2 * rate)}" solimp="0.9999 0.9999"/>
      </equality>
    </mujoco>""")
    model.body_invweight0[:] *= softness
    return model


def run(accuracy: float, times: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the rocker's centre at `times`, (n, 3) [m], and the CPU time of the integration [s]."""
    model = build("B", THREE_HINGES, 'iterations="2"', UNUSED + " warmstart", rate=1e-3, softness=1e-6)
    data, n = mujoco.MjData(model), model.nv
    q, v, vdot, forward = data.qpos, data.qvel, data.qacc, mujoco.mj_forward
    start_state, rates = np.zeros(2 * n), np.empty(2 * n)
    velocity_out, acceleration_out = rates[:n], rates[n:]

    def rates_of(_, state):
        q[:], v[:] = state[:n], state[n:]
        forward(model, data)
        velocity_out[:], acceleration_out[:] = v, vdot
        return rates

    start = time.process_time()
    states = odeint(rates_of, start_state, times, rtol=accuracy, atol=10 * accuracy, mxstep=10_000, tfirst=True)
    seconds = time.process_time() - start
    return four_bar.rocker_centre(states[:, model.joint("rocker").qposadr[0]]), seconds


def run_native(accuracy: float, times: np.ndarray) -> tuple[np.ndarray, float]:
    """Do the same by `mj_step`: `accuracy` is the largest step [s]; `times` are evenly spaced from 0."""
    substeps = int(np.ceil((times[1] - times[0]) / accuracy - 1e-9))
    step = f'integrator="RK4" iterations="1" timestep="{float(times[1] - times[0]) / substeps!r}"'
    model = build("C", BALL, step, UNUSED, rate=30.0, softness=1e-5)
    data, address, angles = mujoco.MjData(model), model.joint("rocker").qposadr[0], np.zeros(len(times))
    start = time.process_time()
    for k in range(1, len(times)):
        mujoco.mj_step(model, data, substeps)
        angles[k] = data.qpos[address]
    seconds = time.process_time() - start
    return four_bar.rocker_centre(angles), seconds
