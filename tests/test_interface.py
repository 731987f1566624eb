"""The gap between bodies of a mechanism through a result: against the geometry alone, closed forms, and bad input."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.cad.faces import Face
from gudgeon.nurbs import Pose, Reason, Surface, SurfacePair, gap_field

TURN = (0.8, 0.3, -0.4, 0.33166247903554)  # unit quaternion
BALL, SOCKET = 0.0100, 0.0104


@pytest.fixture(scope="module")
def tumbling():
    """A ball body that flies and tumbles inside a socket body that flies and tumbles as well."""
    bodies = {
        "socket": gd.Body(
            mass=2.0,
            inertia=(1, 2, 2.5),
            position=(0.5, -0.2, 0.1),
            orientation=TURN,
            velocity=(0.3, 0, 0.1),
            angular_velocity=(1.0, -2.0, 0.5),
        ),
        "ball": gd.Body(
            mass=1.0,
            inertia=(0.1, 0.2, 0.15),
            position=(0.5, -0.2, 0.1),
            orientation=(0, 1, 0, 0),
            velocity=(0.301, 0.002, 0.1),
            angular_velocity=(3.0, 4.0, -5.0),
        ),
    }
    return gd.simulate(gd.System(bodies=bodies), 0.1, sample=0.01)


def centred(surface):
    """The surface around the place where both bodies start."""
    return surface.moved(translation=(0.5, -0.2, 0.1))


@pytest.fixture(scope="module")
def film():
    return gd.Interface(
        reference=("ball", centred(Surface.sphere(BALL))),
        corresponding=("socket", centred(Surface.sphere(SOCKET))),
        corresponding_side=-1,
        grid=(12, 7),
    )


def test_against_the_geometry_alone(tumbling, film):
    """Surfaces stated in world coordinates of the reference pose are where the bodies take them."""
    history = gd.gap_history(tumbling, film)
    assert dict(history.sizes) == {"time": 11, "xi1": 12, "xi2": 7, "direction": 3, "axis": 3}
    bodies = tumbling.system.bodies
    local = {}
    for name, surface in (("ball", Surface.sphere(BALL)), ("socket", Surface.sphere(SOCKET))):
        e0, *vector = bodies[name].orientation
        local[name] = surface.moved(rotation=(e0, *(-x for x in vector)))  # both centres of mass are their centres
    pair = SurfacePair(reference=local["ball"], corresponding=local["socket"], corresponding_side=-1, grid=(12, 7))
    for k in range(11):
        at = tumbling.data.isel(time=k)
        ball, socket = (
            Pose(
                rotation=at.orientation.sel(body=x).values,
                position=at.position.sel(body=x).values,
                velocity=at.velocity.sel(body=x).values,
                angular_velocity=at.angular_velocity.sel(body=x).values,
            )
            for x in ("ball", "socket")
        )
        field = gap_field(pair, ball, socket)
        for name, value in (
            ("gap", field.gap),
            ("gap_rate", field.gap_rate),
            ("wall_velocity_reference", field.wall_reference),
            ("wall_velocity_corresponding", field.wall_corresponding),
            ("reason", field.reason),
        ):
            np.testing.assert_allclose(history[name].values[k], value, atol=1e-13)


def test_ball_in_socket(tumbling, film):
    """The least gap of all points is R − r − e; the grid has one near it, at the place that the history tells."""
    history = gd.gap_history(tumbling, film)
    position = tumbling.data.position
    e = (position.sel(body="ball") - position.sel(body="socket")).values
    least = SOCKET - BALL - np.linalg.norm(e, axis=1)
    assert np.all(history.minimum_gap.values >= least - 1e-15)
    assert np.all(history.minimum_gap.values <= least + np.linalg.norm(e, axis=1) * (1 - np.cos(0.4)))
    for k in range(1, 11):
        point = history.minimum_point.values[k] - position.sel(body="ball").values[k]
        assert np.linalg.norm(point) == pytest.approx(BALL, rel=1e-9)
        i = int(np.argmin(np.abs(history.xi1.values - float(history.minimum_xi1[k]))))
        j = int(np.argmin(np.abs(history.xi2.values - float(history.minimum_xi2[k]))))
        assert float(history.gap[k, i, j]) == float(history.minimum_gap[k]) == np.nanmin(history.gap[k])
    centre = history.reference_point.values
    np.testing.assert_allclose(np.linalg.norm(centre, axis=2), BALL, rtol=1e-9)


def test_rate_is_the_derivative(tumbling, film):
    fine = gd.simulate(tumbling.system, 0.02, sample=1e-4)
    history = gd.gap_history(fine, film)
    gap, rate = history.gap.values, history.gap_rate.values
    np.testing.assert_allclose(rate[1:-1], (gap[2:] - gap[:-2]) / 2e-4, atol=2e-6)


def test_body_frame_and_ground_and_files(tumbling, tmp_path):
    """The same surfaces in body frames; a surface on the ground; a result that was saved."""
    given = {"reference": ("ball", Surface.sphere(BALL)), "corresponding": ("socket", Surface.sphere(SOCKET))}
    film = gd.Interface(**given, corresponding_side=-1, frame="body", grid=(6, 5))
    here = gd.gap_history(tumbling, film)
    loaded = gd.load(tumbling.save(tmp_path / "tumbling.nc"))
    np.testing.assert_array_equal(gd.gap_history(loaded, film).gap, here.gap)
    world = gd.Interface(**given, corresponding_side=-1)
    np.testing.assert_array_equal(gd.gap_history(loaded, world).gap, gd.gap_history(tumbling, world).gap)
    bare = gd.load(tmp_path / "tumbling.nc")
    bare.system = None  # as of a run of Python functions
    with pytest.raises(gd.ModelError, match="a Result read from a file does not tell the reference pose of 'ball'"):
        gd.gap_history(bare, world)
    floor = Surface.plane(origin=(0.48, -0.22, -1), edge1=(0.06, 0, 0), edge2=(0, 0.04, 0))
    ball = ("ball", Surface.sphere(BALL))
    below = gd.Interface(reference=("ground", floor), corresponding=ball, frame="body", grid=(21, 21))
    fall = gd.gap_history(loaded, below)
    assert set(np.unique(fall.reason)) == {Reason.FOUND, Reason.MISSED}
    z = tumbling.data.position.sel(body="ball", axis="z").values
    assert np.all(fall.minimum_gap.values >= z + 1 - BALL - 1e-12)


def test_nothing_faces(tumbling):
    away = Surface.plane(origin=(5, 5, 5))
    film = gd.Interface(
        reference=("ball", away), corresponding=("socket", centred(Surface.sphere(SOCKET))), grid=(3, 3)
    )
    history = gd.gap_history(tumbling, film)
    assert np.isnan(history.gap).all() and np.isnan(history.minimum_gap).all() and np.isnan(history.minimum_xi1).all()
    assert "missed" in history.reason.attrs["flag_meanings"].split()


def test_options(tumbling, film):
    whole = gd.gap_history(tumbling, film)
    some = gd.gap_history(tumbling, film, every=4, threads=2)
    np.testing.assert_array_equal(some.time, whole.time[::4])
    np.testing.assert_allclose(some.gap, whole.gap[::4], atol=1e-16)
    fractions = []
    gd.gap_history(tumbling, film, progress=fractions.append)
    assert fractions == pytest.approx(np.arange(1, 12) / 11)
    rows = gd.Interface(
        reference=film.reference, corresponding=film.corresponding, corresponding_side=-1, grid=([0.1, 0.2], [0.5])
    )
    assert gd.gap_history(tumbling, rows).gap.shape == (11, 2, 1)


def test_interrupted(tumbling, film):
    def stop(fraction):
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(gd.SimulationInterrupted, match="Interface ball–socket: interrupted after 5 of 11") as caught:
        gd.gap_history(tumbling, film, progress=stop)
    whole = gd.gap_history(tumbling, film)
    np.testing.assert_array_equal(caught.value.result.gap, whole.gap[:5])


def test_faces_of_cad_files_are_surfaces(tumbling):
    """A face is taken where its file places it."""
    place = Pose(position=(0.5, -0.2, 0.1))
    ball = Face(name="ball", body="ball", kind="sphere", local=Surface.sphere(BALL), placement=place)
    film = gd.Interface(
        reference=("ball", ball),
        corresponding=("socket", centred(Surface.sphere(SOCKET))),
        corresponding_side=-1,
        grid=(4, 3),
    )
    assert film.reference[1] == centred(Surface.sphere(BALL))
    assert float(gd.gap_history(tumbling, film).minimum_gap[0]) == pytest.approx(SOCKET - BALL)


def test_an_interface_is_data(film):
    import pickle

    again = gd.Interface(
        reference=film.reference, corresponding=film.corresponding, corresponding_side=-1, grid=(12, 7)
    )
    assert again == film and hash(again) == hash(film) and pickle.loads(pickle.dumps(film)) == film


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reference": "ball"}, r"Interface: reference is 'ball'; give \(body, surface\)"),
        ({"reference": (3, Surface.plane())}, "reference is on the body 3; give the name of a body"),
        ({"reference": ("ball", 3)}, "reference has a int for a surface; give a gudgeon"),
        ({"reference": ("socket", Surface.plane())}, "both surfaces belong to the body 'socket'"),
        ({"frame": "ball"}, "frame is 'ball'; give 'world' or 'body'"),
        ({"grid": (0, 3)}, "Interface: grid in ξ1 is 0; give at least one point"),
        ({"grid": 3}, "Interface: grid is 3; give two"),
        ({"window": (1, 0)}, "Interface: window from 1 to 0 m is empty"),
        ({"reference_side": 2}, "Interface: reference_side is 2"),
    ],
)
def test_bad_interfaces(change, message):
    given = {"reference": ("ball", Surface.plane()), "corresponding": ("socket", Surface.plane())}
    with pytest.raises(gd.ModelError, match=message):
        gd.Interface(**(given | change))


def test_bad_histories(tumbling, film):
    wrong = gd.Interface(reference=("bal", Surface.plane()), corresponding=("socket", Surface.plane()))
    with pytest.raises(gd.ModelError, match=r"Interface bal–socket: no body 'bal'; did you mean 'ball'\?"):
        gd.gap_history(tumbling, wrong)
    with pytest.raises(gd.ModelError, match=r"a str is given; give a gd\.Interface"):
        gd.gap_history(tumbling, "film")
    with pytest.raises(gd.ModelError, match="every is 0; give a whole number from 1"):
        gd.gap_history(tumbling, film, every=0)
    with pytest.raises(gd.ModelError, match="threads is 0"):
        gd.gap_history(tumbling, film, threads=0)
    huge = gd.Interface(reference=film.reference, corresponding=film.corresponding, grid=(3000, 3000))
    with pytest.raises(gd.ModelError, match=r"11 samples of 3000×3000 points take .* GB; give every="):
        gd.gap_history(tumbling, huge)
