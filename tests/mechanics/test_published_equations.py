"""Every equation of "Multibody Dynamics, Connecting Joints", parts I and II, vanishes on motion of the library.

The equations stand in published_equations.py. Poses, velocities and accelerations come from `result.data`, joint points
and axes from the description of the mechanism: nothing here uses the library's own constraint rows. That a test can
fail is tested too: no equation holds between unconnected bodies, and none survives the loss of a term.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gudgeon as gd
from published_equations import (
    HINGE,
    POINTS,
    SLIDE,
    UNIVERSAL,
    Equation,
    Pair,
    seed001_eq1,
    seed001_eq1_rate,
    seed001_eq2,
    seed001_eq4,
    seed001_eq13,
    seed003_eq7,
    size,
    skew,
    value,
)
from published_joints import chain, link, unconnected
from random_mechanisms import MADE_TO_FIT

pytestmark = [pytest.mark.usefixtures("coordinates"), MADE_TO_FIT]

TIGHT = gd.Explicit(rtol=1e-11, atol=1e-13)
EVERY = 50  # of the 1001 samples, one in so many is looked at
WITHIN = 1e-9  # of the largest term
VIOLATED = 1e-2  # of the largest term


def rotation(quaternion) -> np.ndarray:
    """A, body to world: A = 1 + 2 e0 ẽ + 2 ẽ ẽ."""
    e0, e = quaternion[0], skew(quaternion[1:])
    return np.eye(3) + 2.0 * e0 * e + 2.0 * e @ e


def sliders() -> gd.System:
    """The other joints: a swinging carrier, a bar that turns and slides in it, a block on the bar, a flange on that."""
    return gd.System(
        name="sliding joints",
        bodies={
            "carrier": link((0.1, 0.05, -0.1), (1, 2, 3), 0.8, angular_velocity=(4, 6, 3)),
            "bar": link((0.3, 0.1, -0.2), (-1, 1, 2), 1.9, angular_velocity=(9, 7, 1)),
            "block": link((0.5, 0.0, -0.3), (2, 0, 1), -1.1),
            "flange": link((0.6, 0.1, -0.2), (0, 1, -1), 2.6),
        },
        joints={
            "ball": gd.Spherical("ground", "carrier", at=(0, 0, 0)),
            "cylindrical": gd.Cylindrical("carrier", "bar", at=(0.2, 0.1, -0.1), axis=(3, 1, 2)),
            "prismatic": gd.Prismatic("bar", "block", at=(0.4, 0.1, -0.2), axis=(1, -2, 1)),
            "rigid": gd.Rigid("block", "flange", at=(0.55, 0.05, -0.25)),
        },
        loads={
            "twist": gd.Torque("bar", ("2*sin(9*t)", "1.5*cos(7*t)", "1"), axes="body"),
            "spring": gd.JointSpring(
                "cylindrical", coordinate="displacement", stiffness=200.0, damping=1.0, rest="0.1*sin(6*t)"
            ),
            "block spring": gd.JointSpring("prismatic", stiffness=200.0, damping=1.0),
        },
    )


SYSTEMS = {
    "chain": chain,
    "unconnected": unconnected,
    "sliders": sliders,
    "four-bar": gd.examples.spatial_four_bar,
}


def run(name: str, stabilization: str = "projection") -> gd.Result:
    return run_once(name, stabilization, gd.simulate.__kwdefaults__["coordinates"])


@cache
def run_once(name: str, stabilization: str, coordinates: str) -> gd.Result:
    return gd.simulate(SYSTEMS[name](), 1.0, solver=TIGHT, stabilization=stabilization, coordinates=coordinates)


def perpendicular(axis, angle: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors that make a triad with `axis`, the first at `angle` about it."""
    h = np.asarray(axis) / np.linalg.norm(axis)
    x = np.cross(h, np.eye(3)[np.argmin(np.abs(h))])
    x /= np.linalg.norm(x)
    y = np.cross(h, x)
    return np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x


def pairs(result: gd.Result, joint_name: str, *, every: int = EVERY, **axes) -> list[Pair]:
    """The two bodies of a joint at the samples, with points and axes taken from the description.

    `axes` (`axis`, or `axis_parent`, `axis_child`, `slide`) complete a joint that has fewer of its own.
    """
    joint, bodies = result.system.joints[joint_name], result.system.bodies
    names = (joint.parent, joint.child)
    places = [bodies[n].position if n in bodies else (0, 0, 0) for n in names]
    R1, R2 = (rotation(bodies[n].orientation).T if n in bodies else np.eye(3) for n in names)
    if joint.at is not None:
        q_, r_ = R1 @ np.subtract(joint.at, places[0]), R2 @ np.subtract(places[1], joint.at)
    else:
        q_, r_ = np.array(joint.at_parent), -np.array(joint.at_child)

    def axis(name: str, otherwise) -> np.ndarray:
        given = np.asarray(axes[name] if name in axes else getattr(joint, name, otherwise), dtype=float)
        return given / np.linalg.norm(given)

    common = axis("axis", (0.0, 0.0, 1.0))
    h1, h2, d = axis("axis_parent", common), axis("axis_child", common), axis("slide", common)
    (f1, g1), (f2, g2), (b, c) = perpendicular(h1, 0.4), perpendicular(h2, 0.7), perpendicular(d)
    if isinstance(joint, gd.Revolute):  # any point of the axis will do; the joint's own is the centre of mass at A
        q_, r_ = q_ + 0.05 * R1 @ h1, r_ - 0.05 * R2 @ h2
    attached = {"q_": q_, "r_": r_, "f1_": R1 @ f1, "g1_": R1 @ g1, "h1_": R1 @ h1, "b1_": R1 @ b}
    attached |= {"c1_": R1 @ c, "f2_": R2 @ f2, "g2_": R2 @ g2, "h2_": R2 @ h2}
    motions = [motion(result, name, every) for name in names]
    return [Pair(**one, **two, **attached) for one, two in zip(*map(numbered, (1, 2), motions), strict=True)]


def motion(result: gd.Result, body: str, every: int) -> list[dict[str, np.ndarray]]:
    """R, p, v, a, w, dw of a body at the samples."""
    data = result.data.isel(time=slice(None, None, every))
    if body == "ground":
        still = {"R": np.eye(3)} | dict.fromkeys(("p", "v", "a", "w", "dw"), np.zeros(3))
        return [still] * data.sizes["time"]
    names = {
        "p": "position",
        "v": "velocity",
        "a": "acceleration",
        "w": "angular_velocity",
        "dw": "angular_acceleration",
    }
    data = data.sel(body=body)
    vectors = {letter: data[name].values for letter, name in names.items()}
    return [
        {"R": rotation(quaternion).T} | {letter: values[k] for letter, values in vectors.items()}
        for k, quaternion in enumerate(data.orientation.values)
    ]


def numbered(number: int, states: list[dict[str, np.ndarray]]) -> list[dict[str, np.ndarray]]:
    return [{f"{name}{number}": x for name, x in state.items()} for state in states]


def violation(equation: Equation, motion: list[Pair], *, without: int | None = None) -> float:
    """The largest residual over the motion in units of the typical (median) largest term; one term may be left out."""
    terms = [equation(m) for m in motion]
    scale = np.median([size(t) for t in terms])
    kept = [t if without is None else t[:without] + t[without + 1 :] for t in terms]
    return float(max(np.linalg.norm(value(t)) for t in kept) / scale)


JOINTS = {
    ("chain", "pivot"): POINTS + HINGE,
    ("chain", "hinge"): POINTS + HINGE,
    ("chain", "cross"): POINTS + UNIVERSAL,
    ("chain", "ball"): POINTS,
    ("chain", "slide"): UNIVERSAL + SLIDE,
    ("four-bar", "A"): POINTS + HINGE,
    ("four-bar", "B"): POINTS,
    ("four-bar", "C"): POINTS,
    ("four-bar", "D"): POINTS + HINGE,
}
CASES = [
    pytest.param(system, joint, equation, id=f"{system}-{joint}-{equation.__name__}")
    for (system, joint), equations in JOINTS.items()
    for equation in equations
]


@pytest.mark.parametrize("stabilization", ["projection", "baumgarte"])
@pytest.mark.parametrize(("system", "joint", "equation"), CASES)
def test_published_equation_vanishes(system, joint, equation, stabilization):
    assert violation(equation, pairs(run(system, stabilization), joint)) < WITHIN


@pytest.mark.parametrize("equation", POINTS + HINGE + UNIVERSAL + SLIDE, ids=lambda e: e.__name__)
def test_no_published_equation_holds_between_unconnected_bodies(equation):
    axes = {} if equation in HINGE else {"axis_parent": (1, 2, 2), "axis_child": (2, -2, 1)}
    assert violation(equation, pairs(run("unconnected"), "nothing", **axes)) > VIOLATED


@pytest.mark.parametrize("equation", HINGE + UNIVERSAL, ids=lambda e: e.__name__)
def test_rotational_equations_do_not_hold_at_a_ball(equation):
    axes = {"axis": (1, 2, 2)} if equation in HINGE else {"axis_parent": (1, 2, 2), "axis_child": (2, -2, 1)}
    assert violation(equation, pairs(run("chain"), "ball", **axes)) > VIOLATED


@pytest.mark.parametrize("equation", POINTS, ids=lambda e: e.__name__)
def test_coincident_points_do_not_hold_at_a_slide(equation):
    assert violation(equation, pairs(run("chain"), "slide")) > VIOLATED


@pytest.mark.parametrize("equation", SLIDE, ids=lambda e: e.__name__)
def test_slide_equations_do_not_hold_for_another_direction(equation):
    assert violation(equation, pairs(run("chain"), "slide", slide=(2, -1, 1))) > VIOLATED


@pytest.mark.parametrize("joint", ["hinge", "cross", "ball", "slide"])
def test_every_term_is_needed(joint):
    """Between moving bodies no equation of several terms holds without one of them."""
    motion = pairs(run("chain"), joint)
    for equation in JOINTS["chain", joint]:
        count = len(equation(motion[0]))
        for k in range(count if count > 1 else 0):
            left = violation(equation, motion, without=k)
            assert left > VIOLATED, f"{equation.__name__} without term {k + 1} of {count}: {left}"


@pytest.mark.parametrize(("equation", "joint"), [(seed001_eq13, "hinge"), (seed003_eq7, "cross")])
def test_unprimed_relative_components_are_not_world_components(equation, joint):
    """001 (13) and 003 (7) print ω̂ without a prime and say "B1 components"; read as world components they are wrong."""

    class InWorld(Pair):
        w_hat_1 = property(lambda m: m.w_hat)
        dw_hat_1 = property(lambda m: m.dw2 - m.dw1)

    motion = pairs(run("chain"), joint)
    assert violation(equation, motion) < WITHIN
    assert violation(equation, [InWorld(**vars(m)) for m in motion]) > VIOLATED


def test_baumgarte_adds_its_feedback_to_the_published_equation():
    """(2) + 2α (1)˙ + β² (1) = 0 to rounding, however far the joint has drifted apart (in a tree it cannot)."""
    alpha, beta = 3.0, 7.0
    options = {"solver": gd.Explicit(rtol=1e-4, atol=1e-6), "coordinates": "absolute"}
    result = gd.simulate(chain(), 1.0, stabilization=gd.Baumgarte(alpha=alpha, beta=beta), **options)

    def with_feedback(m: Pair):
        rate = [(2.0 * alpha, *factors) for factors in seed001_eq1_rate(m)]
        return [*seed001_eq2(m), *rate, *[(beta**2, *factors) for factors in seed001_eq1(m)]]

    for joint in ("cross", "ball"):
        motion = pairs(result, joint)
        assert violation(seed001_eq2, motion) > 1e-8
        assert violation(with_feedback, motion) < 1e-12


@pytest.mark.parametrize("system", ["chain", "four-bar", "sliders"])
def test_velocities_and_accelerations_are_derivatives(system):
    """Central differences of order 6 over the samples."""
    step = 2.5e-4  # [s]
    data = gd.simulate(SYSTEMS[system](), 1.0, solver=TIGHT, sample=step).data

    def derivative(values: np.ndarray) -> np.ndarray:
        n = len(values)
        weights = {1: 45.0, 2: -9.0, 3: 1.0}
        return sum(w * (values[3 + k : n - 3 + k] - values[3 - k : n - 3 - k]) for k, w in weights.items()) / (
            60.0 * step
        )

    for name, rate in (
        ("position", "velocity"),
        ("velocity", "acceleration"),
        ("angular_velocity", "angular_acceleration"),
    ):
        expected = data[rate].values[3:-3]
        assert np.abs(derivative(data[name].values) - expected).max() < 1e-7 * np.abs(expected).max()
    for body in data.body.values:
        at = data.sel(body=body)
        A = np.array([rotation(e) for e in at.orientation.values])
        spin = derivative(A) @ A[3:-3].transpose(0, 2, 1)
        expected = np.array([skew(w) for w in at.angular_velocity.values[3:-3]])
        assert np.abs(spin - expected).max() < 1e-7 * np.abs(expected).max()


# The other joints: the relative motion stays in the freedoms allowed, and uses them.


def displacement(m: Pair) -> np.ndarray:
    """From the joint's point of B1 to that of B2, components in B1 [m]."""
    return value(seed001_eq4(m))


def relative_turn(motion: list[Pair]) -> np.ndarray:
    """The rotation from the start, seen in B1: R1 R2ᵀ (R1 R2ᵀ at the start)ᵀ."""
    turned = np.array([m.R1 @ m.R2.T for m in motion])
    return turned @ turned[0].T


def angle(motion: list[Pair]) -> np.ndarray:
    """The size of the relative turn from the start, 0 to π [rad]."""
    turned = relative_turn(motion)
    sine = np.linalg.norm(turned - turned.transpose(0, 2, 1), axis=(1, 2)) / np.sqrt(8.0)
    return np.arctan2(sine, (np.trace(turned, axis1=1, axis2=2) - 1.0) / 2.0)


def across(motion: list[Pair]) -> float:
    """The largest displacement perpendicular to the axis [m]."""
    return max(float(np.linalg.norm(np.cross(m.h1_, displacement(m)))) for m in motion)


def along(motion: list[Pair]) -> float:
    """The range of the displacement along the axis [m]."""
    return float(np.ptp([m.h1_ @ displacement(m) for m in motion]))


def misalignment(motion: list[Pair]) -> float:
    """The largest distance between the unit vectors along the axis carried by B1 and by B2."""
    return max(float(np.linalg.norm(m.h1 - m.h2)) for m in motion)


@pytest.mark.parametrize("stabilization", ["projection", "baumgarte"])
def test_cylindrical_joint_turns_about_and_slides_along_its_axis(stabilization):
    motion = pairs(run("sliders", stabilization), "cylindrical", every=10)
    assert misalignment(motion) < 1e-9
    assert across(motion) < 1e-9
    assert along(motion) > 0.05
    assert angle(motion).max() > 1.0
    assert max(np.linalg.norm(r @ m.h1_ - m.h1_) for r, m in zip(relative_turn(motion), motion, strict=True)) < 1e-9


@pytest.mark.parametrize("stabilization", ["projection", "baumgarte"])
def test_prismatic_joint_slides_and_does_not_turn(stabilization):
    motion = pairs(run("sliders", stabilization), "prismatic", every=10)
    assert angle(motion).max() < 1e-9
    for axis in np.eye(3):
        assert misalignment(pairs(run("sliders", stabilization), "prismatic", axis=axis)) < 1e-9
    assert across(motion) < 1e-9
    assert along(motion) > 0.05


@pytest.mark.parametrize("stabilization", ["projection", "baumgarte"])
def test_rigid_joint_neither_slides_nor_turns(stabilization):
    motion = pairs(run("sliders", stabilization), "rigid", every=10)
    assert angle(motion).max() < 1e-9
    for axis in np.eye(3):
        assert misalignment(pairs(run("sliders", stabilization), "rigid", axis=axis)) < 1e-9
    assert max(np.linalg.norm(displacement(m)) for m in motion) < 1e-9
    assert max(np.linalg.norm(m.w_hat) for m in motion) < 1e-8


def test_the_conditions_of_one_joint_fail_at_another():
    free = pairs(run("unconnected"), "nothing", axis=(1, 2, 2))
    assert min(misalignment(free), across(free), along(free), angle(free).max()) > 0.1
    ball = pairs(run("sliders"), "ball", axis=(3, 1, 2))
    assert misalignment(ball) > 0.1
    assert across(ball) < 1e-9
