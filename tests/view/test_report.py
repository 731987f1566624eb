"""Reports: their numbers are those of the result, their texts are text."""

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
    (lost,) = cells(page, "lost in compliant joints")
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
        '<div class="wide"><table><thead><tr><th>a</th><th class="number">b</th></tr></thead>'
        '<tbody><tr><td>x</td><td class="number">1.5</td></tr></tbody></table></div>'
    )


def test_ticks_are_round_and_inside():
    assert ticks(-0.31, 0.95, 4) == [0.0, 0.5]
    assert ticks(1e-5, 9e-5) == [2e-5, 4e-5, 6e-5, 8e-5]
