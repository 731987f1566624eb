"""Pinocchio: joint coordinates, loop closed by `constraintDynamics`, integrated by SciPy's LSODA (`odeint`).

Tree: ground – rocker (RY) – coupler (SphericalZYX), and ground – crank (RX); the ball at B is cut and
closed by one 3D constraint. Five joint coordinates whose rates are their derivatives, so the right-hand
side is one call into Pinocchio and no quaternion kinematics. The middle angle of the ball stays within 39°
of zero, far from its singularity. The proximal term is zero (full rank) and there is no Baumgarte term
(nothing drifts in 2 s).

Tried and slower at an error of 1e-6 (CPU, this choice 8 ms):
- cutting at C (coupler on the crank, which turns 5.3 rad): the middle angle reaches 62°, 11 ms;
- the quaternion ball (`JointModelSpherical`), whose kinematics Python must then compute: 12 ms;
- `solve_ivp`: DOP853 25 ms, RK45 45 ms, LSODA 20 ms: its step loop is Python, that of `odeint` is compiled;
- compiled DOP853 of `scipy.integrate.ode`, stopping at every sample: 9 ms; dopri5: 10 ms; vode (Adams): 9
  ms;
- CVODE (scikit-sundae, Adams): fewest evaluations (1870), but 20 ms through its Python call-back;
- `lcaba`: as fast as `constraintDynamics`, but needs μ = 1e-4 and four proximal iterations to be right to
  1e-5 rad/s² (μ = 1e-6: off by 0.1; 1e-8: by 20).
About 3.8 µs an evaluation, 1 µs of it outside Pinocchio.
"""

import time

import numpy as np
import pinocchio as pin
from scipy.integrate import odeint

from . import four_bar_data as four_bar

NAME = "Pinocchio (constraintDynamics, LSODA)"
LADDER = (1e-6, 1e-7, 1e-8, 3e-9, 1e-9, 1e-10, 1e-11)  # relative tolerance; the absolute one is tenfold


def build() -> tuple[pin.Model, pin.RigidConstraintModel]:
    """Return the tree and the constraint that closes the loop at B. Coordinate 0 is the rocker's angle."""
    model = pin.Model()
    model.gravity.linear = four_bar.GRAVITY
    none = pin.SE3.Identity()
    rocker = model.addJoint(0, pin.JointModelRY(), pin.SE3(np.eye(3), four_bar.D), "rocker")
    at_C = pin.SE3(four_bar.COUPLER_FRAME, four_bar.C0 - four_bar.D)
    coupler = model.addJoint(rocker, pin.JointModelSphericalZYX(), at_C, "coupler")
    crank = model.addJoint(0, pin.JointModelRX(), pin.SE3(np.eye(3), four_bar.A), "crank")

    from_C_to_B = np.array([0.0, four_bar.COUPLER_LENGTH, 0.0])
    inertia = pin.Inertia(four_bar.ROCKER_MASS, np.zeros(3), np.diag(four_bar.ROCKER_INERTIA))
    centre = pin.SE3(four_bar.ROCKER_FRAME, four_bar.ROCKER_CENTRE - four_bar.D)
    model.appendBodyToJoint(rocker, inertia, centre)
    inertia = pin.Inertia(four_bar.COUPLER_MASS, 0.5 * from_C_to_B, np.diag(four_bar.COUPLER_INERTIA))
    model.appendBodyToJoint(coupler, inertia, none)
    inertia = pin.Inertia(four_bar.CRANK_MASS, np.zeros(3), np.diag(four_bar.CRANK_INERTIA))
    model.appendBodyToJoint(crank, inertia, none)

    B_on_coupler, B_on_crank = pin.SE3(np.eye(3), from_C_to_B), pin.SE3(np.eye(3), four_bar.B0 - four_bar.A)
    closure = pin.RigidConstraintModel(
        pin.ContactType.CONTACT_3D, model, coupler, B_on_coupler, crank, B_on_crank, pin.ReferenceFrame.LOCAL
    )
    return model, closure


def run(accuracy: float, times: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the rocker's centre at `times`, (n, 3) [m], and the CPU time of the integration [s]."""
    model, closure = build()
    data = model.createData()
    closures, closure_data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    closures.append(closure)
    closure_data.append(closure.createData())
    pin.initConstraintDynamics(model, data, closures, closure_data)

    n = model.nv
    torque, proximal = np.zeros(n), pin.ProximalSettings(1e-14, 0.0, 1)
    start_state, rates = np.zeros(2 * n), np.empty(2 * n)
    velocity_out, acceleration_out = rates[:n], rates[n:]
    solve = pin.constraintDynamics

    def rates_of(_, state):
        v = state[n:]
        velocity_out[:] = v
        acceleration_out[:] = solve(model, data, state[:n], v, torque, closures, closure_data, proximal)
        return rates

    start = time.process_time()
    states = odeint(rates_of, start_state, times, rtol=accuracy, atol=10 * accuracy, mxstep=10_000, tfirst=True)
    seconds = time.process_time() - start
    return four_bar.rocker_centre(states[:, 0]), seconds
