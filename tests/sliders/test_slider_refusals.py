"""What solvers and analyses do not know of guides, sliders, pins and flexible bodies, they refuse."""

from __future__ import annotations

import pytest

import gudgeon as gd
from mistakes import body, refuses
from sliders_in_guides import NEWTON, flexible, guide, rigid, system

DRY = gd.laws.DryFriction(static=0.1)
SOLVER_RULES = [
    (
        "implicit",
        system(flexible(friction=DRY)),
        {"solver": gd.Implicit()},
        "Guide 'guide': its friction is set-valued, which Implicit cannot integrate; use gd.TimeStepping(step=...)",
    ),
    (
        "explicit, hard",
        system(rigid(contact=None, impact=NEWTON)),
        {"solver": gd.Explicit()},
        "Guide 'guide': its contacts are hard, which Explicit cannot integrate; use gd.TimeStepping(step=...)",
    ),
    (
        "explicit, rigid with friction",
        system(rigid(friction=DRY)),
        {"solver": gd.Explicit()},
        "Guide 'guide': its friction is set-valued and the slider rigid, which Explicit cannot integrate",
    ),
    (
        "explicit, moving guide",
        system(joints={"rail": gd.Free("ground", "rod"), "guide": guide(flexible(friction=DRY), parent="rod")}),
        {"solver": gd.Explicit()},
        "Guide 'guide': its guide moves and its friction is set-valued, which Explicit cannot integrate",
    ),
]


@pytest.mark.parametrize(
    ("mechanism", "options", "wording"), [rule[1:] for rule in SOLVER_RULES], ids=[rule[0] for rule in SOLVER_RULES]
)
def test_a_solver_that_cannot(mechanism, options, wording):
    with refuses(wording):
        gd.simulate(mechanism, 0.01, **options)


@pytest.mark.parametrize(
    "model", [rigid(), rigid(contact=None, impact=NEWTON), flexible()], ids=["soft", "hard", "mesh"]
)
def test_a_slider_that_starts_inside_the_wall(model):
    """20 mm above the centre line of a guide with 1 mm of play."""
    joint = gd.Guide("ground", "slider", at_parent=(0, 0, 0), at_child=(0, 0, 0), model=model)
    with pytest.raises(gd.ModelError, match=r"Guide 'guide': 'slider' starts 0\.019 m within the wall at 'guide:"):
        gd.simulate(gd.System(bodies={"slider": body(position=(0, 0.02, 0))}, joints={"guide": joint}), 1e-3)


# -------------------------------------------------------------------------------------------------- the other analyses
HARD, SOFT, ELASTIC = system(rigid(contact=None, impact=NEWTON)), system(), system(flexible())


@pytest.mark.parametrize("mechanism", [HARD, SOFT], ids=["hard", "compliant"])
def test_kinematics(mechanism):
    with refuses("kinematics: Guide 'guide' is a real joint (RigidSlider), which acts by forces"):
        gd.kinematics(mechanism, 1.0)


def test_hard_contacts_have_no_stiffness():
    with refuses("equilibrium: Guide 'guide' has hard contacts (impact=): a hard contact has no stiffness"):
        gd.equilibrium(HARD)
    with refuses("linearize: Guide 'guide' has hard contacts (impact=): a jump of velocities has no derivative"):
        gd.linearize(HARD)


@pytest.mark.parametrize("analysis", [gd.kinematics, gd.inverse_dynamics])
def test_given_motions_of_flexible_bodies(analysis):
    given = {"duration": 1.0} if analysis is gd.kinematics else {"motion": {"free.x": "t"}, "duration": 1.0}
    with refuses(
        f"{analysis.__name__}: System 'mechanism' has the flexible body 'slider', and how that deforms depends"
    ):
        analysis(ELASTIC, **given)


def test_examples_refuse_what_they_do_not_have():
    with refuses("slider_crank_flexible_slider: elements is 5; give 4, 8 or (nx, ny)"):
        gd.examples.slider_crank_flexible_slider(5)
    with refuses("stick_slip_oscillator: no slider 'rigd'; did you mean 'rigid'?"):
        gd.examples.stick_slip_oscillator("rigd")
    with refuses("slider_crank_flexible_slider: pin is 'soft'; give 'penalty' or 'ideal'"):
        gd.examples.slider_crank_flexible_slider(pin="soft")
    with refuses("Revolute 'B': the flexible 'slider' has no node at (0.0, 0.0); the nearest is"):
        gd.simulate(gd.examples.slider_crank_flexible_slider((3, 2)), 0.1)


def test_topology_of_a_system_with_a_penalty_pin():
    """The rows of a joint depend on its model: one hinge of springs does not free the others."""
    described = str(gd.examples.slider_crank_flexible_slider(slider="rigid").topology())
    assert "crank ── O (Revolute, 1 freedom)" in described
    assert "B (Revolute, PenaltyPin) between rod and slider" in described


def test_guides_with_different_impact_laws():
    joints = {
        "one": guide(rigid(contact=None, impact=0.5)),
        "two": guide(rigid(contact=None, impact=NEWTON), child="rod"),
    }
    with refuses("System 'mechanism': Guide 'one' has impacts by Stronge's law, Guide 'two' by Newton's; impacts may"):
        gd.simulate(system(joints=joints), 1e-3)


def test_restitution_beside_a_flexible_body():
    joints = {"one": guide(flexible()), "two": guide(rigid(contact=None, impact=0.5), child="rod")}
    with refuses(
        "Guide 'two': its restitution is 0.5, but steps do not end at impacts where a body ('slider') is flex"
    ):
        gd.simulate(system(joints=joints), 1e-3)
