"""MuJoCo: the cost of one right-hand side for a hanging chain of rods and spherical joints.

The first rod hangs from the ground. One evaluation is `mj_forward` in a bent, moving, assembled
configuration, everything unused disabled. Two models:

- `tree`: nested bodies with ball joints, 3 coordinates each. MuJoCo factors the mass matrix along the path
  to the root, which for a chain is dense: the cost grows with the cube of the length (and compiling 1000
  links takes a minute);
- `closed`: free bodies joined by `connect`, sparse Jacobian, one Newton iteration. The Hessian is banded,
  the cost grows linearly. Its constraints are soft; with `body_invweight0` scaled by 1e-4 the accelerations
  of 100 links agree with those of the tree to 1e-6 of the largest.

The tree is faster below some 45 links; at 100 it takes 1.1 ms against 0.25 ms, at 1000 2.6 s against 2.7
ms. `rhs_seconds` gives the better of the two.
"""

import time

import mujoco
import numpy as np

LENGTH, MASS, RADIUS = 0.1, 0.05, 0.005  # of one rod [m], [kg], [m]
INERTIA = [MASS * (3 * RADIUS**2 + LENGTH**2) / 12] * 2 + [MASS * RADIUS**2 / 2]  # [kg·m²]
TO_END = np.array([0.0, 0.0, -LENGTH])  # from a rod's upper to its lower joint, in its own frame [m]
TREE_UP_TO = 150  # links beyond which the tree is hopeless
BUDGET = 0.5  # CPU time spent on repeats [s]


def blank(*unused: str) -> mujoco.MjSpec:
    """Return an empty model under gravity without the named stages."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, 0.0, -9.81]
    spec.option.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE
    spec.option.iterations, spec.option.tolerance = 1, 0.0
    for flag in ("CONTACT", "SPRING", "DAMPER", "ACTUATION", "SENSOR", "ISLAND", "WARMSTART", *unused):
        spec.option.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}").value
    return spec


def rod(parent, position: np.ndarray):
    """Add one rod below `parent` and return it."""
    body = parent.add_body(pos=position)
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = MASS, TO_END / 2, INERTIA
    return body


def tree(count: int) -> mujoco.MjData:
    """Return the chain of ball joints, bent and moving."""
    spec = blank("CONSTRAINT")
    body = spec.worldbody
    for k in range(count):
        body = rod(body, TO_END if k else np.zeros(3))
        body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
    data = mujoco.MjData(spec.compile())
    turns, rates = motion(count)
    mujoco.mj_integratePos(data.model, data.qpos, turns.ravel(), 1.0)
    data.qvel[:] = rates.ravel()
    return data


def closed(count: int) -> mujoco.MjData:
    """Return the chain of free bodies and `connect` constraints in the same state."""
    spec = blank()
    spec.memory = 2**20 * (64 + count)  # arena [B]
    spec.worldbody.add_site(name="end-1")
    for k in range(count):
        body = rod(spec.worldbody, k * TO_END)
        body.add_freejoint()
        body.add_site(name=f"start{k}")
        body.add_site(name=f"end{k}", pos=TO_END)
        joint = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_SITE)
        joint.name1, joint.name2 = f"end{k - 1}", f"start{k}"
        joint.solref, joint.solimp = [-1e-6, -1e-3], [0.9999, 0.9999, 0.001, 0.5, 2.0]
    model = spec.compile()
    model.body_invweight0[:] *= 1e-4
    data = mujoco.MjData(model)
    p, v, w, q, matrix = np.zeros(3), np.zeros(3), np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.empty(9)
    for k, (turn, rate) in enumerate(zip(*motion(count), strict=True)):
        mujoco.mju_quatIntegrate(q, turn, 1.0)
        mujoco.mju_quat2Mat(matrix, q)
        R = matrix.reshape(3, 3)
        w = w + R @ rate
        data.qpos[7 * k : 7 * k + 7] = *p, *q
        data.qvel[6 * k : 6 * k + 6] = *v, *(R.T @ w)
        p, v = p + R @ TO_END, v + np.cross(w, R @ TO_END)
    return data


def motion(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return every joint's rotation vector, about 0.1 rad, and its rate, about 1 rad/s, in the child."""
    random = np.random.default_rng(0)
    return random.normal(scale=0.1, size=(count, 3)), random.normal(size=(count, 3))


def seconds(data: mujoco.MjData) -> float:
    """Return the least CPU time of one forward-dynamics evaluation [s]."""
    model = data.model
    mujoco.mj_forward(model, data)
    best, spent, calls = np.inf, 0.0, 1
    while spent < BUDGET:
        start = time.process_time()
        for _ in range(calls):
            mujoco.mj_forward(model, data)
        elapsed = time.process_time() - start
        best, spent = min(best, elapsed / calls), spent + elapsed
        calls = 2 * calls if elapsed < 0.01 else calls
    return best


def rhs_seconds(count: int) -> float:
    """Return the least CPU time of one forward-dynamics evaluation of `count` links [s], the better model."""
    models = [closed, tree] if count <= TREE_UP_TO else [closed]
    return min(seconds(model(count)) for model in models)
