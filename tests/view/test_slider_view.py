"""The picture of a flexible slider: what it shows is what the result says."""

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from PIL import Image

import gudgeon as gd
from gudgeon.fem import nodal, stress, von_mises
from gudgeon.view.slider import SliderView


@pytest.fixture(scope="module")
def result():
    return gd.simulate(gd.examples.stick_slip_oscillator(), 5.0, solver=gd.TimeStepping(step=5e-3), sample=0.1)


def test_stress_is_that_of_the_finite_elements(result):
    view = SliderView(result)
    u = result.data.node_displacement.sel(time=5.0).values
    expected = von_mises(view.model, nodal(view.model, stress(view.model, u)))
    assert np.array_equal(view.von_mises(5.0), expected)
    assert 10.0 < expected.max() < 20.0  # [Pa], with E = 1000 Pa a strain of about one percent


def test_nodes_that_touch_lie_on_the_drawn_wall_and_others_do_not(result):
    view, axes = SliderView(result, magnify=8.0), Figure().subplots()
    view.draw(axes, 5.0)
    (mesh,) = (part for part in axes.collections if isinstance(part, LineCollection))
    corners = np.concatenate(mesh.get_segments())
    upper, lower = (line.get_ydata()[0] for line in axes.lines)
    data = result.data.sel(time=5.0)
    assert upper - lower == pytest.approx(
        0.5 + 2 * 8.0 * 2.5e-3, abs=1e-12
    )  # height and twice the clearance, magnified
    assert upper - corners[:, 1].max() == pytest.approx(
        8.0 * float(data.guide_gap.sel(surface_point="guide:5")), abs=1e-12
    )
    touching = int((data.guide_normal_force > 0.0).sum())
    assert np.sum(np.abs(view.gap[-1]) < 1e-4) == touching == 3
    arrows = [text for text in axes.texts if text.arrow_patch is not None]
    assert 3 <= len(arrows) <= 2 * touching


def test_strip_and_film(result, tmp_path):
    view = SliderView(result)
    figure = view.film_strip([1.0, 3.0, 5.0], columns=2)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:3] == ["t = 1 s, +0.198 m", "t = 3 s, +0.982 m", "t = 5 s, +1.390 m"]
    path = view.film(tmp_path / "slider.gif", times=[1.0, 3.0, 5.0])
    with Image.open(path) as film:
        assert film.n_frames == 3


def test_magnification_is_a_round_number(result):
    assert SliderView(result).magnify in {m * 10.0**k for m in (1, 2, 3, 5) for k in range(4)}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda r: SliderView(r, "gide"), "no guide 'gide' with a flexible slider; did you mean 'guide'?"),
        (lambda r: SliderView(r).von_mises(9.0), "time is 9 s; the result is from 0 to 5 s"),
        (
            lambda r: SliderView(gd.simulate(gd.examples.stick_slip_oscillator("rigid"), 0.01)),
            r"there are 0 flexible sliders, \[\]",
        ),
    ],
    ids=["name", "time", "rigid"],
)
def test_mistakes(result, make, words):
    with pytest.raises(gd.ModelError, match=words):
        make(result)


def test_a_loaded_result_has_the_mesh_if_its_system_could_be_kept(result, tmp_path):
    loaded = gd.load(result.save(tmp_path / "run.nc"))
    assert np.array_equal(SliderView(loaded).von_mises(5.0), SliderView(result).von_mises(5.0))
    loaded.system = None  # as of a run with Python functions
    with pytest.raises(gd.ModelError, match="this loaded result has no system, thus no mesh"):
        SliderView(loaded)
