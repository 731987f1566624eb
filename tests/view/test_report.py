"""Reports: their numbers are those of the result, their texts are text."""

import dataclasses
import re

import pytest

import gudgeon as gd
from gudgeon.view.report.markup import element, number, table
from gudgeon.view.report.plot import ticks


@pytest.fixture(scope="module")
def dry():
    return gd.simulate(gd.examples.spatial_four_bar("dry"), 0.5, sample=1e-3)


@pytest.fixture(scope="module")
def page(dry, tmp_path_factory):
    return dry.report(tmp_path_factory.mktemp("report") / "run.html").read_text()


def cells(page, row):
    """The texts of the cells of the row that begins with this."""
    line = re.search(rf"<tr><td>{row}</td>(.*?)</tr>", page)[1]
    return re.findall(r"<td[^>]*>(.*?)</td>", line)


def test_sections(page):
    assert re.findall(r"<h2>(.*?)</h2>", page) == [
        "Moving picture",
        "Mechanism",
        "Freedoms",
        "Plots",
        "Contacts",
        "Energy",
        "Solver",
        "Warnings and notes",
    ]


def test_contacts(page, dry):
    (line,) = re.findall(r"<tr><td>C</td><td>ball</td>(.*?)</tr>", page)
    times, fastest, peak, lost, _ = re.findall(r"<td[^>]*>(.*?)</td>", line)
    assert int(times) == len(dry.events)
    assert float(fastest) == pytest.approx(dry.events.impact_speed.max(), rel=1e-3)
    assert float(peak) == pytest.approx(dry.events.peak_force.max(), rel=1e-3)
    assert float(lost) == pytest.approx(dry.events.energy_lost.sum(), rel=1e-3)


def test_energy(page, dry):
    energy = dry.data.mechanical_energy.values
    (first,) = cells(page, "mechanical energy at the start")
    (last,) = cells(page, "mechanical energy at the end")
    (lost,) = cells(page, "lost in joint C")
    assert float(first) == pytest.approx(energy[0], rel=1e-5)
    assert float(last) == pytest.approx(energy[-1], rel=1e-5)
    assert float(lost) == pytest.approx(energy[0] - energy[-1], rel=1e-4)  # the balance of the dry four-bar closes


def test_mechanism_and_solver(page, dry):
    assert cells(page, "coupler")[0] == "0.1416"
    assert cells(page, "C")[:2] == ["Spherical", "coupler – rocker"]
    assert re.search(r"<dt>degrees of freedom</dt><dd>5</dd>", page)
    assert f"<dt>solver</dt><dd>{dry.stats['solver']}</dd>" in page
    assert f"gudgeon {gd.__version__}" in page


def test_texts_are_escaped(tmp_path):
    body = gd.Body(mass=1, inertia=(1, 1, 1))
    system = gd.System(name="<i>&", bodies={"<img src=x onerror=alert(1)>": body})
    page = gd.simulate(system, 0.02).report(tmp_path / "x.html").read_text()
    assert "<img" not in page and "<i>&" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_markup():
    assert element("p", "<b>", element("i", "&")) == "<p>&lt;b&gt;<i>&amp;</i></p>"
    assert table(("a", "b"), [("x", number(1.5))]) == (
        '<div class="wide short"><table><thead><tr><th>a</th><th class="number">b</th></tr></thead>'
        '<tbody><tr><td>x</td><td class="number">1.5</td></tr></tbody></table></div>'
    )


def test_ticks_are_round_and_inside():
    assert ticks(-0.31, 0.95, 4) == [0.0, 0.5]
    assert ticks(1e-5, 9e-5) == [2e-5, 4e-5, 6e-5, 8e-5]


@pytest.fixture(scope="module")
def machine():
    """An arm with friction in its ideal joints, geared, under a controller."""
    rubs = gd.laws.Coulomb(coefficient=0.1, velocity_tolerance=1e-3)
    pin = gd.Ideal(friction=rubs, radius=0.01)
    inertia = (0.02, 0.02, 0.02)
    system = gd.System(
        gravity=(0, -9.81, 0),
        bodies={
            "pinion": gd.Body(mass=1.0, inertia=inertia),
            "wheel": gd.Body(mass=1.0, inertia=inertia, position=(0.1, 0, 0)),
        },
        joints={
            "pinion": gd.Revolute("ground", "pinion", at=(0, 0, 0), model=pin),
            "wheel": gd.Revolute("ground", "wheel", at=(0.1, 0, 0), model=pin),
        },
        couplings={"mesh": gd.Gear("pinion", "wheel", teeth=(20, 60))},
        controllers={"pid": gd.PID(measured="wheel.angle", setpoint=0.4, kp=-4.0, output="torque", units="N*m")},
        loads={"servo": gd.JointTorque("pinion", "pid.torque")},
    )
    return gd.simulate(system, 0.5, sample=1e-3)


def test_friction_couplings_and_controllers_are_told(machine, tmp_path):
    page = machine.report(tmp_path / "machine.html").read_text()
    assert "20 : 60 teeth" in page and "pid.torque" in page
    row = re.search(r"<td>wheel</td>((?:<td class=\"number\">[^<]*</td>)+)", page.split("Friction in ideal joints")[1])
    numbers = [float(x) for x in re.findall(r">([^<]+)</td>", row[1])]
    assert numbers[0] == pytest.approx(9.81, rel=1e-3)  # its weight presses it
    lost = float(machine.data.dissipated_energy.sel(joint="wheel")[-1])
    assert numbers[4] == pytest.approx(lost, rel=5e-3)


def test_the_energy_balance_closes(machine, tmp_path):
    page = machine.report(tmp_path / "machine.html").read_text()
    rows = dict(re.findall(r"<tr><td>([^<]+)</td><td class=\"number\">([^<]*)</td></tr>", page.split(">Energy<")[1]))
    numbers = {name: float(value) for name, value in rows.items()}
    given = numbers["work of the loads"]
    taken = numbers["mechanical energy at the end"] - numbers["mechanical energy at the start"]
    taken += numbers["lost in joint wheel"] + numbers["lost in joint pinion"]
    assert given > 0.0 and numbers["lost in joint wheel"] > 0.0
    assert given - taken == pytest.approx(-numbers["not accounted for"], abs=1e-5 * given)
    assert abs(numbers["not accounted for"]) < 1e-3 * given


def test_wear_is_told(tmp_path):
    system = gd.examples.slider_crank_clearance("dry", clearance=1e-4)
    pin = gd.WornJournal.like(system.joints["pin"].model, force=3000.0)
    worn = dataclasses.replace(pin, bore_wear=(30e-6,) * 36)
    page = gd.simulate(system.with_model(pin=worn), 2e-4, sample=1e-4).report(tmp_path / "worn.html").read_text()
    table = page.split(">Wear<")[1].split("</table>")[0]
    assert "<td>pin</td>" in table and re.findall(r"number\">([^<]+)</td>", table) == ["100", "30"]
