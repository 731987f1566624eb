"""Tables: values and derivatives against SciPy and closed forms, smoothness at knots, drives by tables, mistakes."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.interpolate import Akima1DInterpolator, CubicSpline, PchipInterpolator

import gudgeon as gd
from gudgeon.kernels.functions.tables import knot_below

X = np.array([0.0, 0.4, 1.0, 1.3, 2.0, 3.1])
Y = np.array([1.0, -0.5, 2.0, 2.2, 0.3, 1.0])


@pytest.mark.parametrize(
    ("kind", "curve"),
    [
        ("akima", Akima1DInterpolator(X, Y)),
        ("monotone", PchipInterpolator(X, Y)),
        ("spline", CubicSpline(X, Y, bc_type="natural")),
        ("periodic", CubicSpline(X, Y, bc_type="periodic")),
    ],
)
def test_cubics_are_those_of_scipy(kind, curve):
    table = gd.Table(X, Y, kind=kind)
    for x in np.linspace(0.0, 3.1, 64):
        for order in range(3):
            wanted = float(curve(x, order)) if x < 3.1 or order < 2 else table.at(x, order)
            assert table.at(x, order) == pytest.approx(wanted, abs=1e-12)
    if kind == "periodic":
        assert table.at(1.7 + 5 * 3.1) == pytest.approx(table.at(1.7), abs=1e-12)
        assert table.at(1.7 - 2 * 3.1, 1) == pytest.approx(table.at(1.7, 1), abs=1e-12)


def test_lines_with_rounded_corners():
    """Away from knots they are np.interp; at a knot they are off by 5/32 w Δslope; twice differentiable everywhere."""
    table = gd.Table(X, Y, kind="linear", corner=0.1)
    step = np.diff(X)
    width = 0.1 * np.minimum(np.append(step[0], step), np.append(step, step[-1]))
    slopes = np.diff(Y) / step
    for x in np.linspace(0.0, 3.1, 500):
        if np.all(np.abs(x - X[1:-1]) > width[1:-1]):
            assert table.at(x) == pytest.approx(np.interp(x, X, Y), abs=1e-12)
    for k in range(1, len(X) - 1):
        bend = slopes[k] - slopes[k - 1]
        assert table.at(X[k]) - Y[k] == pytest.approx(5 / 32 * width[k] * bend, rel=1e-12)
        for edge in (X[k] - width[k], X[k] + width[k], X[k]):
            for order in range(3):
                left, right = table.at(edge - 1e-9, order), table.at(edge + 1e-9, order)
                assert left == pytest.approx(right, abs=1e-6 * max(1.0, abs(bend) / width[k]))
    h = 1e-5
    for x in np.linspace(0.05, 3.05, 201):
        assert (table.at(x + h) - table.at(x - h)) / (2 * h) == pytest.approx(table.at(x, 1), abs=1e-5)


@pytest.mark.parametrize("knots", [np.linspace(-7.0, 7.0, 201), np.geomspace(1e-3, 1e3, 40), np.array([0.0, 1.0])])
def test_the_interval_of_any_number_is_found(knots):
    """Whether its knots are at equal distances or not: as NumPy searches for it."""
    steps = np.diff(knots)
    asked = np.concatenate([knots, np.nextafter(knots, -np.inf), knots[:-1] + 0.3 * steps, [-1e300, 1e300]])
    for x in asked:
        wanted = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
        assert knot_below(knots, 0, len(knots), x) == wanted


def test_outside():
    kinds = {outside: gd.Table(X, Y, outside=outside) for outside in ("refuse", "hold", "extrapolate")}
    assert math.isnan(kinds["refuse"].at(3.2)) and math.isnan(kinds["refuse"].at(-0.1))
    assert (kinds["hold"].at(9.0), kinds["hold"].at(-9.0)) == (1.0, 1.0)
    assert kinds["extrapolate"].at(4.1) == pytest.approx(1.0 + 0.7 / 1.1)
    assert gd.Table(X, Y, kind="akima", outside="hold").at(9.0) == pytest.approx(1.0, abs=1e-15)
    assert gd.Table(X, Y, kind="akima", outside="hold").at(9.0, 1) == 0.0


def test_from_csv_and_pandas(tmp_path):
    frame = pd.DataFrame({"crank": X, "other": 2 * Y, "pressure": Y})
    frame.to_csv(tmp_path / "gas.csv", index=False)
    read = gd.Table.from_csv(tmp_path / "gas.csv", x="crank", y="pressure", kind="akima", of="main.angle")
    assert read == gd.Table(X, Y, kind="akima", of="main.angle")
    assert gd.Table.from_csv(tmp_path / "gas.csv") == gd.Table(X, 2 * Y)
    assert gd.Table.from_pandas(frame.set_index("crank")["pressure"]) == gd.Table(X, Y)
    with pytest.raises(gd.ModelError, match="Table: no column 'presure'; did you mean 'pressure'"):
        gd.Table.from_csv(tmp_path / "gas.csv", y="presure")
    with pytest.raises(gd.ModelError, match="Table: there is no file"):
        gd.Table.from_csv(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("make", "wording"),
    [
        (lambda: gd.Table([0, 1], [0, 1, 2]), r"Table: x has shape \(2,\), y \(3,\); give two rows of equal length"),
        (lambda: gd.Table([0], [1]), "Table: it has 1 points; kind='linear' needs 2 at least"),
        (lambda: gd.Table([0, 1], [1, 2], kind="akima"), "kind='akima' needs 3 at least"),
        (lambda: gd.Table([0, 2, 1], [1, 2, 3]), r"Table: x\[2\] is 1 after x\[1\] = 2; x must increase"),
        (lambda: gd.Table([0, 1], [1, math.nan]), r"Table: y \[1\] is nan; every number must be finite"),
        (lambda: gd.Table([0, 1, 2, 3], [0, 1, 1, 2], kind="periodic"), "a periodic table ends where it begins"),
        (lambda: gd.Table([0, 1], [1, 2], kind="cubic"), "Table: kind is 'cubic'; give 'linear'"),
        (lambda: gd.Table([0, 1], [1, 2], outside="clip"), "Table: outside is 'clip'; give 'refuse'"),
        (lambda: gd.Table([0, 1], [1, 2], corner=0.0), "Table: corner is 0; give a part of an interval"),
        (lambda: gd.Table([0, 1], [1, 2], of="2*"), r"Table: of: expression '2\*': it cannot be read"),
        (lambda: gd.Force("b", (gd.Table([0, 1], [1, 2]), 0)), "Force on 'b': vector is"),
    ],
)
def test_mistakes(make, wording):
    with pytest.raises(gd.ModelError, match=wording):
        make()


def arm(**more) -> gd.System:
    return gd.System(
        bodies={"arm": gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0))},
        joints={"shoulder": gd.Revolute("ground", "arm", at=(0, 0, 0))},
        gravity=(0, 0, 0),
        **more,
    )


def test_a_drive_by_a_table_is_differentiated_exactly(coordinates):
    """A spline of sin t over fine knots; effort J θ̈ with J = 0.1 + 2·0.25."""
    t = np.linspace(0.0, 3.0, 61)
    table = gd.Table(t, 1.0 - np.cos(t), kind="spline")
    system = arm(drives={"d": gd.Drive("shoulder", table)})
    data = gd.simulate(system, 3.0, sample=0.05).data
    assert data.joint_position.values[:, 0] == pytest.approx([table.at(x) for x in data.time.values], abs=5e-8)
    curvature = np.array([table.at(x, 2) for x in data.time.values])
    assert data.drive_effort.values[1:-1, 0] == pytest.approx(0.6 * curvature[1:-1], abs=1e-6)
    assert data.drive_power.values[:, 0] == pytest.approx(
        data.drive_effort.values[:, 0] * data.joint_velocity.values[:, 0], abs=1e-12
    )


def test_a_held_cubic_is_no_drive():
    with pytest.raises(gd.ModelError, match="its table is held beyond its ends, where its rate would jump"):
        gd.Drive("shoulder", gd.Table([0, 1, 2], [0, 1, 0], kind="akima", outside="hold"))


def test_a_monotone_table_stays_between_its_knots_after_a_long_interval():
    x, y = [0.0, 0.1, 0.2, 0.3, 10.0], [0.0, 1.0, 2.0, 3.0, 3.0]
    inside = np.linspace(0.3, 10.0, 200)
    akima, monotone = (max(gd.Table(x, y, kind=kind).at(at) for at in inside) for kind in ("akima", "monotone"))
    # Akima's slope at x = 0.3 is 10: a cubic of Hermite that leaves with it and arrives level has 3 + 4/27·10·9.7
    assert akima > 10.0
    assert monotone == pytest.approx(3.0, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("angle,torque\n0,10,99\n1,20,98\n2,30,97\n", "more columns than its first line has names"),
        ("0,1\n1,2\n2,3\n", "begins with the numbers 0, 1; give it a first line with the names"),
    ],
)
def test_columns_that_names_do_not_fit_are_refused(tmp_path, text, said):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(gd.ModelError, match=said):
        gd.Table.from_csv(tmp_path / "a.csv")


def test_lines_that_end_with_a_comma_are_read(tmp_path):
    (tmp_path / "a.csv").write_text("angle,torque\n0,10,\n1,20,\n")
    assert gd.Table.from_csv(tmp_path / "a.csv") == gd.Table([0, 1], [10, 20])


def test_what_is_no_file_and_no_data(tmp_path):
    with pytest.raises(gd.ModelError, match="path is None; give the name of a CSV file"):
        gd.Table.from_csv(None)
    with pytest.raises(gd.ModelError, match="give a pandas Series or DataFrame"):
        gd.Table.from_pandas({"a": [1.0]})
