"""Scenes as data: arrays, samples kept, parts, what a page says of itself; without a browser."""

import base64
import json
import re
import zlib

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.errors import FileError, ModelError
from gudgeon.view.page import bundle as bundles
from gudgeon.view.page.page import embedded
from gudgeon.view.scene.arrays import Arrays
from gudgeon.view.scene.kept import Kept
from gudgeon.view.scene.parts import inertia_box
from gudgeon.view.scene.scene import scene_of


def unpacked(content, reference):
    """The way back of Arrays, written independently: bytes of numbers apart, columns one after the other."""
    count = int(np.prod(reference["shape"]))
    plain = zlib.decompress(content)[reference["at"] : reference["at"] + 4 * count]
    words = bytes(plain[plane * count + k] for k in range(count) for plane in range(4))
    values = np.frombuffer(words, dtype="<u4" if reference.get("whole") else "<f4")
    return np.moveaxis(values.reshape(*reference["shape"][1:], reference["shape"][0]), -1, 0)


@pytest.fixture(scope="module")
def dry():
    return gd.simulate(gd.examples.spatial_four_bar("dry"), 0.2, sample=1e-3)


@pytest.fixture(scope="module")
def scene(dry):
    return scene_of({"dry": dry})


def test_arrays_come_back():
    arrays = Arrays()
    values = np.random.default_rng(1).normal(size=(7, 3, 2)).astype(np.float32)
    first, second = arrays.add(values), arrays.add([[1, 2, 70000]], whole=True)
    np.testing.assert_array_equal(unpacked(arrays.content(), first), values)
    np.testing.assert_array_equal(unpacked(arrays.content(), second), [[1, 2, 70000]])


def test_motion_is_kept_to_single_precision(scene, dry):
    for body in scene.description["runs"][0]["bodies"]:
        moved = unpacked(scene.content, body["position"]) + np.array(body["middle"])
        np.testing.assert_allclose(moved, dry.data.position.sel(body=body["name"]), atol=1e-8)


def test_no_peak_is_lost_when_a_plot_is_thinned_out():
    rng = np.random.default_rng(2)
    values = np.zeros(20_001)
    values[rng.integers(0, len(values), 40)] = rng.normal(size=40)
    kept = Kept.of(len(values), 30, 500)
    shown = kept.envelope(values)
    assert len(shown) == len(kept.times(np.arange(20_001.0))) <= kept.points + 2
    assert shown.max() == values.max() and shown.min() == values.min()
    for k, time in enumerate(kept.times(np.arange(20_001.0))):  # each value is of its own stretch
        start = kept.stretch * (k // 2)
        assert start <= time <= start + kept.stretch
        assert shown[k] in values[start : start + kept.stretch]


def test_what_is_left_out_is_said(dry):
    run = scene_of({"dry": dry}, samples=50).description["runs"][0]
    assert run["notes"][:2] == [
        "Motion: 41 of 201 samples, evenly thinned out.",
        "Plots: the smallest and the largest of every 9 samples.",
    ]
    assert run["time"]["values"]["shape"] == [41]
    assert run["time"]["end"] == pytest.approx(0.2)


def test_a_short_run_is_kept_whole(scene):
    assert scene.description["runs"][0]["notes"] == []


def test_real_radii_and_clearance_are_drawn(scene):
    run = scene.description["runs"][0]
    cup = next(
        p
        for b in run["bodies"]
        if b["name"] == "coupler"
        for p in b["parts"]
        if p["kind"] == "cup" and p["size"][0] == 0.01
    )
    ball = next(p for b in run["bodies"] if b["name"] == "rocker" for p in b["parts"] if p["kind"] == "ball")
    assert cup["at"] == pytest.approx([0.0, -0.061, 0.0])
    assert ball["size"] == [0.0099] and ball["at"] == pytest.approx([0.0, -0.037, 0.0])
    assert run["insets"][0]["clearance"] == pytest.approx(1e-4)


def test_the_path_in_the_socket_keeps_its_length(scene, dry):
    inset = scene.description["runs"][0]["insets"][0]
    path = unpacked(scene.content, inset["path"])
    length = dry.data.eccentricity_length.sel(joint="C").values
    assert np.all(np.linalg.norm(path, axis=1) <= length + 1e-9)  # it is seen from one side
    assert inset["largest"] == pytest.approx(np.linalg.norm(path, axis=1).max(), rel=1e-6)


def test_events_flash_at_their_joint(scene, dry):
    events = scene.description["runs"][0]["events"]
    assert events["begin"] == pytest.approx(dry.events.begin.tolist(), rel=1e-8)
    assert events["places"] == [
        {"joint": "C", "contact": "ball", "body": "rocker", "at": pytest.approx([0, -0.037, 0])}
    ]


def test_the_box_of_an_inertia_has_that_inertia():
    edges = np.array([0.1, 0.2, 0.3])
    mass, _, inertia = gd.Box(tuple(edges)).mass_properties(1000.0)
    found, axes = inertia_box(mass, inertia)
    np.testing.assert_allclose(np.sort(found), edges, rtol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "joint",
    [
        gd.Rigid("ground", "b", at=(0, 0, 0)),
        gd.Revolute("ground", "b", at=(0, 0, 0), axis=(1, 0, 0)),
        gd.Prismatic("ground", "b", at=(0, 0, 0)),
        gd.Cylindrical("ground", "b", at=(0, 0, 0), axis=(1, 1, 0)),
        gd.Universal("ground", "b", at=(0, 0, 0)),
        gd.Spherical("ground", "b", at=(0, 0, 0)),
        gd.UniversalPrismatic("ground", "b", at=(0, 0, 0)),
        gd.Guide("ground", "b", at=(0, 0, 0)),
        gd.Free("ground", "b"),
    ],
    ids=lambda joint: type(joint).__name__,
)
def test_every_joint_is_drawn(joint):
    system = gd.System(bodies={"b": gd.Body(mass=1, inertia=(1, 1, 1), position=(0, 0, -0.5))}, joints={"j": joint})
    run = scene_of({"run": gd.simulate(system, 0.02)}).description["runs"][0]
    assert run["bodies"][0]["parts"]
    assert bool(run["ground"]) == (not isinstance(joint, gd.Free))
    json.dumps(run, allow_nan=False)


def test_a_shape_replaces_the_drawing(tmp_path):
    body = gd.Body(mass=1, inertia=(1, 1, 1), shape=gd.Cylinder(0.1, 0.5, inner_radius=0.05, color="#ff8800"))
    system = gd.System(bodies={"b": body}, joints={"j": gd.Revolute("ground", "b", at=(0, 0, 0.3))})
    (part,) = scene_of({"run": gd.simulate(system, 0.02)}).description["runs"][0]["bodies"][0]["parts"]
    assert (part["kind"], part["size"], part["color"]) == ("tube", [0.1, 0.5, 0.05], "#ff8800")


def test_a_result_without_a_description_is_shown_and_says_so(tmp_path):
    body = gd.Body(mass=1, inertia=(1, 1, 1))
    system = gd.System(bodies={"b": body}, loads={"push": gd.Force("b", (lambda t: t, 0, 0))})
    loaded = gd.load(gd.simulate(system, 0.02).save(tmp_path / "run.nc"))
    run = scene_of({"run": loaded}).description["runs"][0]
    assert run["notes"][0].startswith("Bodies are drawn as balls: this result has no description (")
    assert run["bodies"][0]["parts"][0]["kind"] == "ball"


def test_data_cannot_end_their_element(dry):
    hostile = dry.system.replace(name="</script><script>alert(1)</script>")
    text = embedded(scene_of({"</SCRIPT>": gd.simulate(hostile, 0.01)}))
    assert [tag.lower() for tag in re.findall(r"</?script", text, re.IGNORECASE)] == ["<script", "</script"] * 2
    scene, arrays = re.findall(r">(.*?)</script>", text, re.DOTALL)
    assert json.loads(scene)["runs"][0]["name"] == "</SCRIPT>"
    assert zlib.decompress(base64.b64decode(arrays))


def test_without_the_viewer_one_is_told_what_to_do(dry, tmp_path, monkeypatch):
    monkeypatch.setattr(bundles, "FOLDER", tmp_path)
    bundles.bundle.cache_clear()
    (tmp_path / bundles.REASON).write_text("npm could not reach its registry\n")
    with pytest.raises(
        FileError, match=r"not built when gudgeon was installed \(npm could not reach its registry\); .*pip"
    ):
        dry.view(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()
    report = dry.report(tmp_path / "report.html").read_text()
    assert "There is no moving picture: the viewer was not built" in report
    bundles.bundle.cache_clear()


@pytest.mark.parametrize(
    ("results", "samples", "message"),
    [
        ({}, None, "view: there is nothing to show"),
        ("run", None, r"view: 'run' is a str; give a Result, or \{name: Result\}"),
        (None, 1, r"view: samples is 1; give a whole number from 2 to 100000"),
    ],
)
def test_mistakes_are_told(dry, tmp_path, results, samples, message):
    if not bundles.is_built():
        pytest.skip("the viewer is not built")
    with pytest.raises(ModelError, match=message):
        gd.view(dry if results is None else results, tmp_path / "x.html", samples=samples)


def test_a_page_stays_small_and_asks_for_nothing(dry, tmp_path):
    if not bundles.is_built():
        pytest.skip("the viewer is not built")
    page = dry.view(tmp_path / "page.html")
    text = page.read_text()
    data = len(re.search(r'id="gudgeon-data">(.*?)</script>', text, re.DOTALL)[1])
    assert len(text) - data < 2_000_000
    assert "default-src 'none'" in text
    assert "<iframe srcdoc=" in page._repr_html_()
    assert page == tmp_path / "page.html"


def test_wheels_of_gears_touch():
    """Pitch radii in the ratio of the teeth, together the distance of the axes."""
    body = gd.Body(mass=1, inertia=(1e-3, 1e-3, 1e-3))
    far = gd.Body(mass=1, inertia=(1e-3, 1e-3, 1e-3), position=(0.2, 0, 0))
    system = gd.System(
        bodies={"pinion": body, "wheel": far},
        joints={
            "a": gd.Revolute("ground", "pinion", at=(0, 0, 0)),
            "b": gd.Revolute("ground", "wheel", at=(0.2, 0, 0)),
        },
        couplings={"mesh": gd.Gear("a", "b", teeth=(20, 60))},
    )
    run = scene_of({"run": gd.simulate(system, 0.01)}).description["runs"][0]
    wheels = [part["size"] for b in run["bodies"] for part in b["parts"] if part["kind"] == "gear"]
    assert [wheel[0] for wheel in wheels] == pytest.approx([0.05, 0.15])
    assert [wheel[2] for wheel in wheels] == [20, 60]


def test_a_force_that_depends_on_the_motion_is_told(tmp_path):
    body = gd.Body(mass=1, inertia=(1, 1, 1))
    loads = {"push": gd.Force("b", (1.0, "2*t", 0)), "pull": gd.Force("b", ("-3*b.x", 0, 0))}
    run = scene_of({"run": gd.simulate(gd.System(bodies={"b": body}, loads=loads), 0.01)}).description["runs"][0]
    assert [force["name"] for force in run["forces"]] == ["push"]
    assert "Force 'pull' has no arrow: it depends on more than the time." in run["notes"]


def test_a_pin_in_its_bore_has_its_true_radii_and_path():
    result = gd.simulate(gd.examples.slider_crank_clearance("dry"), 2e-3, sample=1e-5)
    run = scene_of({"run": result}).description["runs"][0]
    parts = [part for b in run["bodies"] for part in b["parts"]]
    assert [p["size"][2] for p in parts if p["kind"] == "tube"] == [0.010]
    assert 0.0095 in [p["size"][0] for p in parts if p["kind"] == "cylinder"]
    (inset,) = (x for x in run["insets"] if x["joint"] == "pin")
    assert inset["clearance"] == pytest.approx(5e-4)
    assert inset["largest"] == pytest.approx(float(result.data.eccentricity_length.sel(joint="pin").max()), rel=1e-6)


@pytest.mark.parametrize("guide_length", [None, 0.02])
def test_a_box_falls_down_in_its_guide_whichever_is_longer(guide_length):
    """A body that moves down by less than its play does so in the inset too."""
    model = gd.DryBox(length=0.05, width=0.02, height=0.02, clearance=2e-4, guide_length=guide_length)
    joint = gd.Prismatic("ground", "part", at=(0, 0, 0), axis=(1, 0, 0), model=model)
    part = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3))
    system = gd.System(bodies={"part": part}, gravity=(0, -9.81, 0), joints={"J": joint})
    result = gd.simulate(system, 4e-3, sample=1e-3)
    scene = scene_of({"run": result})
    path = unpacked(scene.content, scene.description["runs"][0]["insets"][0]["path"])
    fallen = result.data.position.sel(body="part", axis="y").values
    np.testing.assert_allclose(path[:, 1], fallen, atol=1e-9)
    assert fallen[-1] < -5e-5


def test_what_slides_on_rubber_is_seen_across():
    """The inset has what a bushing holds, not the way that it leaves free; one that holds no displacement has none."""
    soft, turning = gd.Bushing(stiffness=2e4, tilt_stiffness=30.0), gd.Bushing(stiffness=0.0, tilt_stiffness=30.0)
    body = gd.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), velocity=(0.5, 0, 0), angular_velocity=(0, 0, 0))
    joints = {
        "guide": gd.Guide("ground", "block", at=(0, 0, 0), model=soft),
        "table": gd.Translational("ground", "table", at=(0, 0, 0), model=turning),
    }
    system = gd.System(gravity=(0, -9.81, 0), bodies={"block": body, "table": body}, joints=joints)
    result = gd.simulate(system, 0.05, sample=1e-3)
    (inset,) = scene_of({"run": result}).description["runs"][0]["insets"]
    sunk = result.data.position.sel(body="block", axis="y").values
    assert inset["joint"] == "guide" and inset["largest"] == pytest.approx(-sunk.min(), rel=1e-6)
    assert -sunk.min() < 2e-3 < result.data.position.sel(body="block", axis="x").values[-1]
