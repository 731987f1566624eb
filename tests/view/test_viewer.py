"""The viewer in a real browser: what it draws is what the result says, and it does what one clicks."""

import json

import numpy as np
import pytest
from matplotlib.image import imread

import gudgeon as gd
from browser import Browser, chromium
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.rotations import turned
from gudgeon.view.page.bundle import is_built

pytestmark = [
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium here; Debian: apt-get install chromium"),
    pytest.mark.skipif(not is_built(), reason="the viewer is not built; python hatch_build.py builds it"),
]
HOSTILE = "<img src=x onerror=alert(1)></script><b>"


def renamed(system, before, after):
    """A system with a body of another name."""
    import dataclasses

    bodies = {after if name == before else name: body for name, body in system.bodies.items()}
    joints = {
        name: dataclasses.replace(
            joint,
            parent=after if joint.parent == before else joint.parent,
            child=after if joint.child == before else joint.child,
        )
        for name, joint in system.joints.items()
    }
    return system.replace(bodies=bodies, joints=joints)


@pytest.fixture(scope="module")
def browser():
    with Browser() as running:
        yield running


@pytest.fixture(scope="module")
def dry():
    return gd.simulate(renamed(gd.examples.spatial_four_bar("dry"), "crank", HOSTILE), 0.3, sample=1e-3)


@pytest.fixture(scope="module")
def ideal():
    return gd.simulate(gd.examples.spatial_four_bar(), 0.2, sample=1e-3)


@pytest.fixture(scope="module")
def page(browser, dry, tmp_path_factory):
    opened = browser.open(dry.view(tmp_path_factory.mktemp("page") / "dry.html"))
    assert opened.evaluate("gudgeon.ready") is True
    return opened


@pytest.fixture
def still(page):
    """The page at t = 0, paused, all of the time in view."""
    page.evaluate("gudgeon.seek(0); gudgeon.app.plots.zoom(null)")
    return page


def pose(page, run, body):
    return np.array(page.evaluate(f"gudgeon.pose({run}, {json.dumps(body)})"))


def check_poses(page, run, result, times):
    bodies = json.dumps(result.data.body.values.tolist())
    for time in times:
        poses = page.evaluate(f"gudgeon.seek({float(time)!r}); {bodies}.map((body) => gudgeon.pose({run}, body))")
        at = result.data.sel(time=time, method="nearest")
        for body, drawn in zip(result.data.body.values, np.array(poses), strict=True):
            np.testing.assert_allclose(drawn[:3], at.position.sel(body=body), atol=1e-6)
            turn = at.orientation.sel(body=body).values
            np.testing.assert_allclose(drawn[3:] * np.sign(drawn[3:] @ turn), turn, atol=1e-6)


def test_bodies_are_drawn_where_the_result_has_them(still, dry):
    check_poses(still, 0, dry, dry.data.time.values[[0, 1, 57, 150, 299, 300]])


def test_between_samples_bodies_move_evenly(still, dry):
    still.evaluate("gudgeon.seek(0.1005)")
    around = dry.data.position.sel(body="rocker").values[[100, 101]]
    np.testing.assert_allclose(pose(still, 0, "rocker")[:3], around.mean(axis=0), atol=1e-6)


def test_play_and_pause(still):
    still.click_on("#play")
    still.wait("gudgeon.time > 0.02 && gudgeon.time < 0.3")
    still.click_on("#play")
    assert still.evaluate("gudgeon.app.player.playing") is False
    assert still.evaluate("gudgeon.app.frames") > 1


def test_scrubbing(still):
    still.click_on("#scrub", across=0.5)
    assert still.evaluate("gudgeon.time") == pytest.approx(0.15, abs=2e-3)


def test_a_click_in_a_plot_jumps_there(still):
    box = still.box(".card .u-over")
    still.click(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2)
    assert still.evaluate("gudgeon.time") == pytest.approx(0.1, abs=1.5e-3)


def test_a_drag_in_a_plot_zooms_all_plots_and_what_plays(still):
    box = still.box(".card .u-over")
    y = box["y"] + box["height"] / 2
    still.drag((box["x"] + box["width"] / 3, y), (box["x"] + 2 * box["width"] / 3, y))
    assert still.evaluate("gudgeon.app.player.range") == pytest.approx([0.1, 0.2], abs=2e-3)
    shown = still.evaluate("gudgeon.app.plots.cards.map((c) => [c.plot.scales.x.min, c.plot.scales.x.max])")
    assert len(shown) >= 2
    for range_ in shown:
        assert range_ == pytest.approx([0.1, 0.2], abs=2e-3)
    for count in (1, 2):
        still.click(box["x"] + box["width"] / 2, y, count)
    assert still.evaluate("gudgeon.app.player.range") == pytest.approx([0.0, 0.3])


def test_values_are_shown_under_the_mouse(still, dry):
    box = still.box(".card .u-over")
    still.ask("Input.dispatchMouseEvent", type="mouseMoved", x=box["x"] + box["width"] / 2, y=box["y"] + 20)
    still.wait("gudgeon.app.plots.hovered !== null")
    force = still.evaluate("document.querySelector('.card .chip b').textContent")
    number, unit = force.split()
    around = dry.data.normal_force.sel(joint="C").values[148:153]  # a pixel is a sample
    assert np.abs(float(number) * {"N": 1.0, "mN": 1e-3}[unit] / around - 1.0).min() < 1e-3
    still.ask("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=300)


def test_steps_from_contact_to_contact(still, dry):
    first, second = sorted(set(dry.events.begin))[:2]
    still.key(".")
    assert still.evaluate("gudgeon.time") == pytest.approx(first, abs=1e-8)
    still.click_on("#event-after")
    assert still.evaluate("gudgeon.time") == pytest.approx(second, abs=1e-8)
    still.key(",")
    assert still.evaluate("gudgeon.time") == pytest.approx(first, abs=1e-8)


def test_a_plot_is_added_by_keyboard(still):
    count = still.evaluate("document.querySelectorAll('.card').length")
    still.key("a")
    for letter in "rocker position z":
        still.key(letter)
    still.key("Enter")
    assert still.evaluate("document.querySelectorAll('.card').length") == count + 1
    assert still.evaluate("gudgeon.app.plots.cards.at(-1).names") == ["rocker.position.z"]


def test_keys_look_and_show(still):
    still.key("2")
    assert still.evaluate("document.getElementById('view-front').getAttribute('aria-pressed')") == "true"
    still.key("f")
    assert still.evaluate("gudgeon.app.stage.runs[0].arrows.group.visible") is True
    still.key("f")
    still.key("1")
    still.key("ArrowRight")
    assert still.evaluate("gudgeon.time") == pytest.approx(1e-3, abs=1e-9)


def test_all_that_moves_is_in_the_picture_beside_what_covers_it(still, dry):
    """Joints of all samples, from every named view: between the toolbar and the lower edge."""
    view, bar = still.box(".view"), still.box(".toolbar")
    for key in "1234":
        still.key(key)
        for time in (0.0, 0.1, 0.2, 0.3):
            for x, y in still.evaluate(f"gudgeon.seek({time}); gudgeon.screen(0)"):
                assert 0.0 < x < view["width"] and bar["bottom"] - view["y"] < y < view["height"]
    still.key("1")


def test_names_in_the_picture(still):
    still.key("n")
    still.evaluate("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")
    shown = still.evaluate("[...document.querySelectorAll('.name')].filter((x) => !x.hidden).map((x) => x.textContent)")
    assert {"coupler", "rocker", HOSTILE, "A", "B", "C", "D"} == set(shown)
    at = still.evaluate("document.querySelectorAll('.name.joint')[2].getBoundingClientRect().toJSON()")
    drawn = still.evaluate("gudgeon.screen(0)")[2]  # of the joint C
    assert at["x"] + at["width"] / 2 == pytest.approx(drawn[0], abs=1.0)
    assert at["y"] + at["height"] / 2 == pytest.approx(drawn[1], abs=1.0)
    still.key("n")
    assert still.evaluate("[...document.querySelectorAll('.name')].every((x) => x.hidden)")


def test_the_body_under_the_mouse_is_told(still):
    x, y = np.mean(still.evaluate("gudgeon.screen(0)")[2:4], axis=0)  # between C and D: the rocker
    still.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    still.wait("document.querySelector('.hint').textContent === 'rocker'")
    still.ask("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=300)
    still.wait("document.querySelector('.hint').hidden")


def test_contacts_flash_where_they_begin(still, dry):
    fastest = dry.events.loc[dry.events.impact_speed.idxmax(), "begin"]
    still.evaluate(f"gudgeon.seek({float(fastest)!r})")
    sprite = "gudgeon.app.stage.runs[0].flashGroup.children[0]"
    assert still.evaluate(f"{sprite}.visible && {sprite}.material.opacity") == pytest.approx(1.0)
    socket = still.evaluate(f"{sprite}.position.toArray()")
    at = dry.data.sel(time=fastest, method="nearest")
    rocker = dry.system.joints["C"]
    assert rocker.child == "rocker"
    distance = np.linalg.norm(np.array(socket) - at.position.sel(body="rocker").values)
    assert distance == pytest.approx(np.linalg.norm(rocker.at_child), rel=1e-2)


def test_traces_grow_with_the_time(still):
    still.key("t")
    for time, share in ((0.0, 0.0), (0.15, 0.5), (0.3, 1.0)):
        still.evaluate(f"gudgeon.seek({time})")
        gone, whole = still.evaluate(
            "[1, 0].map((k) => gudgeon.app.stage.runs[0].traces.group.children[k].geometry.instanceCount)"
        )
        assert gone / 300 == pytest.approx(share, abs=0.01) and whole >= 300
    still.key("t")


def test_names_are_text_never_markup(still):
    assert still.evaluate("document.querySelectorAll('img').length") == 0
    still.key("a")
    still.wait("document.querySelector('dialog.chooser').open")
    names = still.evaluate("[...document.querySelectorAll('.chooser li span')].map((x) => x.textContent)")
    assert f"{HOSTILE}.position.x" in names
    assert still.evaluate("document.querySelectorAll('img').length") == 0
    still.evaluate("document.querySelector('dialog.chooser').close()")


def test_the_picture_moves(still, tmp_path):
    still.evaluate("gudgeon.seek(0)")
    first = imread(still.screenshot(tmp_path / "first.png"))
    still.evaluate("gudgeon.seek(0.25)")
    second = imread(still.screenshot(tmp_path / "second.png"))
    scene = (slice(60, 540), slice(0, 800))
    assert np.mean(np.abs(first[scene] - second[scene]).max(axis=-1) > 0.1) > 0.01
    assert len(np.unique((255 * second[scene][..., :3]).astype(int).reshape(-1, 3), axis=0)) > 500


def test_two_runs_side_by_side_and_as_ghosts(browser, dry, ideal, tmp_path):
    page = browser.open(gd.view({"ideal": ideal, "dry": dry}, tmp_path / "both.html"))
    assert page.evaluate("gudgeon.ready") is True
    names = page.evaluate("[...document.querySelectorAll('.tiles .run')].map((x) => x.textContent)")
    assert names == ["ideal", "dry"]
    assert page.evaluate("gudgeon.app.stage.tiles") == [1, 1]
    page.key("g")
    assert sorted(page.evaluate("gudgeon.app.stage.tiles")) == [1, 2]
    check_poses(page, 0, ideal, ideal.data.time.values[[100]])
    check_poses(page, 1, dry, dry.data.time.values[[100, 300]])
    at_end = pose(page, 0, "rocker")[:3]  # the shorter run waits in its last position
    np.testing.assert_allclose(at_end, ideal.data.position.sel(body="rocker").values[-1], atol=1e-6)
    assert page.complaints() == [] and page.requests() == []


def test_nodes_of_a_flexible_slider_on_a_phone_in_the_dark(browser, tmp_path):
    system = gd.examples.slider_crank_flexible_slider(4)
    result = gd.simulate(system, 0.5, sample=5e-3)
    page = browser.open(result.view(tmp_path / "slider.html"), size=(390, 844), mobile=True, dark=True)
    assert page.evaluate("gudgeon.ready") is True
    body = flexible_bodies(system)["slider"]
    page.evaluate("gudgeon.seek(0.25)")
    at = result.data.node_displacement.sel(time=0.25, method="nearest").values
    for node in range(9):
        local = np.array([*(body.rest[node] + at[node]), 0.0])
        expected = np.array(body.position) + turned(np.array(body.orientation), local)
        np.testing.assert_allclose(page.evaluate(f"gudgeon.node(0, 'slider', {node})"), expected, atol=1e-6)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.box(".plots")["y"] >= page.box(".transport")["bottom"] - 1.0  # below, not beside
    assert page.complaints() == [] and page.requests() == []


def test_a_pin_from_inside_and_the_gap_round_it(browser, tmp_path):
    """Both ends of the land are magnified; the bearing is seen through where gaps are shown in colours."""
    cylinder = gd.nurbs.Surface.cylinder
    pin = gd.Interface(
        frame="body",
        reference=("pin", cylinder(0.010, -0.010, 0.010)),
        corresponding=("ground", cylinder(0.0105, -0.015, 0.015)),
        corresponding_side=-1,
        grid=(24, 4),
    )
    model = gd.Dry.journal(fit="H7/d8", diameter=0.020, length=0.020, materials=("bronze", "steel"))
    system = gd.System(
        gravity=(0, -9.81, 0),
        bodies={"pin": gd.Body(mass=0.3, inertia=(4e-5, 4e-5, 1.5e-5))},
        joints={"bearing": gd.Revolute("ground", "pin", at=(0, 0, 0), model=model)},
        loads={"off centre": gd.Force("pin", (3, 0, 0), at=(0, 0, 0.006))},
        interfaces={"film": pin},
    )
    result = gd.simulate(system, 0.02, sample=1e-3)
    page = browser.open(result.view(tmp_path / "pin.html"), size=(900, 600))
    assert page.evaluate("gudgeon.ready") is True
    page.evaluate("gudgeon.seek(0.01)")
    titles = page.evaluate("[...document.querySelectorAll('.corner .inset b')].map((x) => x.textContent)")
    assert titles == ["bearing, lower end", "bearing, upper end"]
    bar = page.evaluate("document.querySelector('.colors').textContent")
    assert "gap of film" in bar and "µm" in bar
    clear = page.evaluate("gudgeon.app.stage.runs[0].ground.children.map((mesh) => mesh.material.opacity)")
    assert min(clear) < 0.5 < max(clear)
    field = page.evaluate("gudgeon.app.stage.runs[0].fields[0].values.length")
    assert field == 21 * 24 * 4
    assert page.complaints() == [] and page.requests() == []


def test_what_machines_have_is_drawn(browser, tmp_path):
    """Every kind of solid in one page: wheels, a ring, a belt, a rack, a thread, a box in its walls, a key, stops."""
    small = (1e-3, 1e-3, 1e-3)
    places = {"a": (0, 0, 0), "b": (0.1, 0, 0), "c": (0.06, 0, 0), "d": (0.3, 0, 0), "e": (0, 0, 0.2)}
    slides = {"bar": (0.3, 0.1, 0), "nut": (0, 0, 0.3), "box": (0.5, 0, 0), "shaft": (0.6, 0, 0)}
    box = gd.DryBox(length=0.05, width=0.02, height=0.02, clearance=2e-4)
    journal = gd.Dry.journal(fit="H7/g6", diameter=0.020, length=0.040)
    key = gd.DryKeyedShaft(
        shaft=journal, key_lever=0.01, key_clearance=1e-5, key_width=0.006, key_height=0.0025, key_length=0.03
    )
    axes = {"bar": (1, 0, 0), "nut": (0, 0, 1), "box": (0, 0, 1), "shaft": (0, 0, 1)}
    models = {"box": box, "shaft": key}
    rubber = gd.laws.KelvinVoigt(stiffness=1e3, damping=1.0)
    system = gd.System(
        gravity=(0, 0, 0),
        bodies={name: gd.Body(mass=0.2, inertia=small, position=at) for name, at in (places | slides).items()},
        joints={
            **{name: gd.Revolute("ground", name, at=at) for name, at in places.items()},
            **{
                name: gd.Prismatic("ground", name, at=at, axis=axes[name], model=models.get(name, gd.Ideal()))
                for name, at in slides.items()
            },
        },
        couplings={
            "mesh": gd.Gear("a", "b", teeth=(20, 30)),
            "inner": gd.Gear("c", "a", teeth=(20, 60), internal=True),
            "belt": gd.Belt("b", "d", radii=(0.03, 0.05)),
            "rack": gd.Rack("d", "bar", radius=0.05),
            "thread": gd.Screw("e", nut="nut", lead=0.01),
        },
        loads={"end": gd.Stop("bar", lower=-0.1, upper=0.1, contact=rubber), "turn": gd.JointTorque("e", 1e-3)},
    )
    result = gd.simulate(system, 0.02, sample=0.01)
    page = browser.open(result.view(tmp_path / "machine.html"), size=(500, 400))
    assert page.evaluate("gudgeon.ready") is True
    check_poses(page, 0, result, [0.02])
    kinds = set(page.evaluate("gudgeon.app.scene.runs[0].bodies.concat({parts: gudgeon.app.scene.runs[0].ground})"
                              ".flatMap((x) => x.parts.map((p) => p.kind))"))  # fmt: skip
    assert {"gear", "ring", "rack", "tube", "box", "cylinder", "mesh"} <= kinds
    finite = page.evaluate(
        "[...gudgeon.app.stage.runs[0].bodies.values()].every((x) => x.children.every((mesh) =>"
        " mesh.geometry.attributes.position.array.every(Number.isFinite)))"
    )
    assert finite is True
    assert page.complaints() == [] and page.requests() == []


def test_a_report_moves_too(browser, dry, tmp_path):
    page = browser.open(dry.report(tmp_path / "report.html"))
    assert page.evaluate("gudgeon.ready") is True
    check_poses(page, 0, dry, dry.data.time.values[[123]])
    assert page.evaluate("document.querySelectorAll('section svg path').length") >= 3
    assert page.evaluate("document.querySelectorAll('img').length") == 0
    assert page.complaints() == [] and page.requests() == []


def test_nothing_was_complained_of_or_fetched(page):
    assert page.complaints() == []
    assert page.requests() == []
