"""The overview of a result: which panels, which bodies and joints, what it says it left out."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
import sliders_in_guides
from closed_forms import FourBar


def star(count: int = 8, **changes: Any) -> gd.System:
    """Arms that turn about one axis, the first one driven, the last one far out."""
    bodies, joints = {}, {}
    for k in range(count):
        far = 3.0 if k == count - 1 else 0.1 + 0.01 * k
        bodies[f"arm{k}"] = gd.Body(
            mass=1.0,
            inertia=(0.1, 0.1, 0.1),
            position=(far, 0, k),
            angular_velocity=None if k == 0 else (0, 0, 1),
        )
        joints[f"axle{k}"] = gd.Revolute("ground", f"arm{k}", at=(0, 0, k))
    drives = {"motor": gd.Drive("axle0", "t")}
    return gd.System(**{"name": "star", "bodies": bodies, "joints": joints, "drives": drives, **changes})


@pytest.fixture(scope="module")
def many() -> gd.Result:
    return gd.simulate(star(), 0.5, sample=0.05)


@pytest.fixture(scope="module")
def dry() -> gd.Result:
    return gd.simulate(gd.examples.spatial_four_bar("dry"), 0.06, sample=1e-3)


def panel(figure, title: str):
    (found,) = [axes for axes in figure.axes if axes.get_title(loc="left").startswith(title)]
    return found


def titles(figure) -> list[str]:
    return [axes.get_title(loc="left") for axes in figure.axes]


def legend(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_what_is_left_out_is_said(many):
    figure = many.plot()
    note = figure.get_supxlabel().replace("\n", " ")
    assert "6 of 8 bodies shown: " in note and "6 of 8 joints' forces shown: " in note
    assert "Choose with plot(bodies=[…], joints=[…]); all are in result.data." in note
    shown = legend(panel(figure, "bodies: way"))
    assert len(shown) == 6 and "arm7" in shown  # it moves farthest
    assert f"shown: {', '.join(shown)}." in note
    assert "axle0.angle" in legend(panel(figure, "joints: angles"))  # driven
    assert many.plot(bodies=list(star().bodies), joints=list(star().joints)).get_supxlabel() == ""


def test_chosen_bodies_and_joints(many):
    figure = many.plot(bodies=["arm2"], joints=["axle3", "axle0"])
    assert legend(panel(figure, "bodies: way")) == ["arm2"]
    assert legend(panel(figure, "joints: force")) == ["axle3", "axle0"]
    assert set(legend(panel(figure, "joints: angles"))) == {"axle3.angle", "axle0.angle"}
    assert legend(panel(many.plot(bodies="arm2"), "bodies: way")) == ["arm2"]
    with pytest.raises(gd.ModelError, match=r"plot: no joint 'axel0'; did you mean 'axle0'\?"):
        many.plot(joints=["axel0"])


def test_efforts_of_drives_have_their_unit(many):
    torque = panel(many.plot(), "drives: torque")
    assert torque.get_ylabel() == "torque [N·m]" and legend(torque) == ["motor"]
    assert np.array_equal(torque.lines[0].get_ydata(), many.data.drive_effort.sel(drive="motor").values)
    lift = gd.System(
        bodies={"car": gd.Body(mass=1.0, inertia=(1, 1, 1))},
        joints={"shaft": gd.Prismatic("ground", "car", at=(0, 0, 0), axis=(0, 0, 1))},
        drives={"winch": gd.Drive("shaft", "t")},
    )
    force = panel(gd.simulate(lift, 0.1).plot(), "drives: force")
    assert force.get_ylabel() == "force [N]" and legend(force) == ["winch"]


def test_peaks_of_contacts_are_marked(dry):
    """They lie between samples: the largest of all is higher than the line."""
    line, peaks = panel(dry.plot(), "real joints: normal force").lines
    assert peaks.get_ydata() == pytest.approx(dry.events.peak_force.values)
    ends = dry.events.end.fillna(dry.events.begin)
    assert peaks.get_xdata() == pytest.approx(0.5 * (dry.events.begin + ends).values)
    assert peaks.get_ydata().max() > line.get_ydata().max()


def test_path_of_the_ball_stays_in_its_clearance(dry):
    circle, path = panel(dry.plot(), "real joints: path").lines
    assert np.hypot(circle.get_xdata(), circle.get_ydata()) == pytest.approx(1.0)
    x, y = path.get_xdata(), path.get_ydata()
    length = dry.data.eccentricity_length.sel(joint="C").values / 1e-4  # of the clearance
    assert np.all(np.hypot(x, y) <= length * (1 + 1e-9) + 1e-12)
    assert np.hypot(x, y).max() > 0.5


def test_peaks_that_are_not_known_are_not_drawn():
    """The impacts of hard contacts have none."""
    result = gd.simulate(gd.examples.slider_crank_hard_contact(), 0.02, sample=1e-3)
    lines = panel(result.plot(), "sliders: normal force").lines
    assert len(result.events) and [line.get_marker() for line in lines] == ["None"] * len(result.data.surface_point)


@pytest.mark.parametrize(
    ("joint", "expected"),
    [
        ("ideal", []),
        ("bushing", ["real joints: way off the centre"]),
        ("lubricated", ["real joints: penetration, below 0: gap", "real joints: force of the film, above 0: pushes"]),
    ],
)
def test_panels_of_real_joints(joint, expected):
    figure = gd.simulate(gd.examples.spatial_four_bar(joint), 0.02, sample=1e-3).plot()
    found = [title for title in titles(figure) if title.startswith("real joints: ") and "path" not in title]
    assert found == expected
    assert ("real joints: path of the ball in its clearance" in titles(figure)) == (joint == "lubricated")


def test_sliders_show_gaps_and_forces():
    result = gd.simulate(sliders_in_guides.system(), 0.05, sample=1e-3)
    gap = panel(result.plot(), "sliders: gap")
    assert len(legend(gap)) == result.data.sizes["surface_point"]
    assert gap.lines[0].get_ydata() == pytest.approx(1e6 * result.data.guide_gap.values[:, 0])
    assert panel(result.plot(), "sliders: normal force").lines


def test_singular_positions_are_marked():
    result = gd.kinematics(FourBar().system(np.pi / 2), 2.0, sample=0.1)
    figure = result.plot()
    assert "Dotted lines: singular positions." in figure.get_supxlabel()
    dotted = [line for line in panel(figure, "joints: force").lines if line.get_linestyle() == ":"]
    assert [line.get_xdata()[0] for line in dotted] == pytest.approx(result.singularities.time.values)


def test_a_loaded_result_shows_the_same(dry, tmp_path):
    again = gd.load(dry.save(tmp_path / "run.nc")).plot()
    assert titles(again) == titles(dry.plot())


def test_many_samples_draw_without_a_warning(many):
    long = gd.simulate(star(2), 1.0, sample=1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        long.plot().draw_without_rendering()


def test_in_a_notebook(many, dry, tmp_path):
    text = many._repr_html_()
    assert text.startswith("<table>") and "done at t = 0.5 s" in text and "8 bodies, 8 joints, 1 drives" in text
    assert f"{len(dry.events)} contacts in .events" in dry._repr_html_()
    renamed = gd.simulate(star(2, name="<b>star</b>"), 0.1)
    assert "<b>" not in renamed._repr_html_() and "&lt;b&gt;star" in renamed._repr_html_()
    assert gd.load(dry.save(tmp_path / "run.nc"))._repr_html_() == dry._repr_html_()
