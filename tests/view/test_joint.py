"""A joint from inside: paths are those of the data, modes and captions tell what happened, others are refused."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.view.orbits import played

TURN = 0.012  # of the crank [s]


@cache
def tilted(pin_on: str = "child") -> gd.Result:
    """A pin askew in its bearing, driven around; the rod or the slider carries it."""
    system = gd.examples.slider_crank_clearance("dry", space=True, pin_tilt=0.006)
    if pin_on == "parent":
        model = gd.DryJournal(
            bore_radius=0.010,
            pin_radius=0.00995,
            length=0.020,
            contact=system.joints["pin"].model.contact,
            friction=system.joints["pin"].model.friction,
            pin_on="parent",
            pin_tilt=(0.001, 0.003),
        )
        system = system.with_model(pin=model)
    return gd.simulate(system, 0.1 * TURN, sample=TURN / 720, solver=gd.Explicit())


@cache
def ball(joint: str) -> gd.Result:
    return gd.simulate(gd.examples.spatial_four_bar(joint), 0.06, sample=1e-3)


def titles(figure) -> list[str]:
    return [axes.get_title(loc="left") for axes in figure.axes]


@pytest.mark.parametrize("pin_on", ["child", "parent"])
def test_paths_at_both_ends_are_those_of_the_element(pin_on):
    """The compiled element reports how far the axis is off at each end; the picture has it from the bodies' poses."""
    result = tilted(pin_on)
    inside = played(result, "pin")
    assert [orbit.label for orbit in inside.orbits] == ["lower end", "upper end"]
    for orbit, end in zip(inside.orbits, ("lower", "upper"), strict=True):
        told = result.data[f"eccentricity_{end}"].sel(part="pin:land").values
        assert np.linalg.norm(orbit.path, axis=1) == pytest.approx(told, abs=1e-15)
        assert told.max() > 0.5 * inside.clearance


def test_a_pin_in_space():
    figure = tilted().plot_joint("pin")
    assert titles(figure)[:2] == ["lower end of the land", "upper end of the land"]
    assert "how" not in titles(figure) and "depth of the contact, below 0: gap" in titles(figure)
    legend = [text.get_text() for axes in figure.axes if axes.get_legend() for text in axes.get_legend().get_texts()]
    shares = [float(text.split()[1]) for text in legend if text.endswith("%")]
    assert sum(shares) == pytest.approx(100.0, abs=0.3) and any(text.startswith("crossed") for text in legend)


def test_a_ball_in_its_socket():
    """Its path is that of the data in the socket's axes, its length the eccentricity where nothing is left out."""
    result = ball("dry")
    (orbit,) = played(result, "C").orbits
    length = result.data.eccentricity_length.sel(joint="C").values
    assert np.all(np.linalg.norm(orbit.path, axis=1) <= length + 1e-15)
    figure = result.plot_joint("C", between=(0.02, 0.06))
    assert figure.axes[1].get_xlim() == pytest.approx((20.0, 60.0))
    lost = result.data.dissipated_energy.sel(joint="C").values
    assert f"power lost; {lost[-1] - lost[20]:.4g} J in this time" in titles(figure)


def test_a_film_has_its_thinnest_place():
    system = gd.examples.slider_crank_clearance("film")
    result = gd.simulate(system, 0.1 * TURN, sample=TURN / 720)
    figure = result.plot_joint("pin")
    (panel,) = [axes for axes in figure.axes if axes.get_title(loc="left") == "thinnest film"]
    thinnest = result.data.minimum_film.sel(part="pin:film").values
    assert panel.lines[0].get_ydata() == pytest.approx(1e6 * thinnest)
    assert thinnest[0] == pytest.approx(5e-4)  # it starts centred


@pytest.mark.parametrize(
    ("joint", "between", "message"),
    [
        (
            "D",
            None,
            r"plot_joint: Revolute 'D' has the model Ideal; it draws pins in bores, balls in sockets and boxes",
        ),
        ("c", None, r"plot_joint: no joint 'c'; known are 'A', 'B', 'C', 'D'"),
        ("C", (0.0, 0.0001), r"plot_joint: 1 samples lie between 0 and 0.0001 s; the run has 61 from 0 to 0.06 s"),
        ("C", 0.1, r"plot_joint: between is 0.1; give \(from, to\)"),
    ],
)
def test_mistakes(joint, between, message):
    with pytest.raises(gd.ModelError, match=message):
        ball("dry").plot_joint(joint, between=between)
