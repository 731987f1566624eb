"""Curves through given points: of a signal or of the time, from arrays, CSV files or pandas."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from gudgeon.checks import as_floats, choice, number, shown
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.functions.expressions import parse

KINDS = {
    "linear": "straight lines, corners rounded",
    "akima": "Akima's cubics, which hardly overshoot",
    "monotone": "cubics that never overshoot",
    "spline": "a natural cubic spline",
    "periodic": "a cubic spline that repeats",
}
OUTSIDE = {"refuse": "an error", "hold": "the last value", "extrapolate": "the last piece goes on"}
MOST_BYTES = 100_000_000  # of a CSV file
LARGEST_CORNER = 0.5  # of an interval


@dataclass(frozen=True)
class Table:
    """A curve y(x) through given points, x being the time or any signal, for a load, a drive or a signal.

    kind      "linear": lines whose corners are rounded within `corner` of the shorter interval beside a knot, so that
              the curve is twice continuously differentiable; at a knot it is off by 5/32 of that width times the change
              of slope. "akima": cubics of Akima (1970), continuous slope; they know nothing of the lengths of
              intervals and overshoot where a long one follows short ones. "monotone": cubics of Fritsch and Butland
              (1984), continuous slope, which stay between the values of their knots. "spline": natural cubic spline,
              "periodic": one that repeats, its period being the range of x (first and last y are equal); both twice
              continuously differentiable.
    of        what x is: "t", or an expression in signals such as "main.angle"
    outside   what happens beyond the first and last x: "refuse" ends the run with an error that tells the time,
              "hold" keeps the last value, "extrapolate" goes on with the last piece

    x increases strictly; at least two points, three for cubics.

    >>> import gudgeon as gd
    >>> pressure = gd.Table([0.0, 1.0, 3.0], [0.0, 5.0, 1.0], of="main.angle", outside="hold")
    >>> pressure.at(3.5)
    1.0
    """

    x: tuple[float, ...]  # knots, in the unit of what the table is of
    y: tuple[float, ...]  # values there, in the unit of what the table is for
    _: KW_ONLY
    kind: Literal["linear", "akima", "monotone", "spline", "periodic"] = "linear"
    of: str = "t"  # the time t, or an expression in signals
    outside: Literal["refuse", "hold", "extrapolate"] = "refuse"
    corner: float = 0.05  # of the shorter neighbouring interval, within which a corner of lines is rounded [-]

    def __post_init__(self):
        keep = object.__setattr__
        x, y = as_floats("Table", "x", self.x), as_floats("Table", "y", self.y)
        choice("Table", "kind", self.kind, KINDS)
        choice("Table", "outside", self.outside, OUTSIDE)
        least = {"linear": 2, "akima": 3, "monotone": 3, "spline": 3, "periodic": 4}[self.kind]
        if x.ndim != 1 or x.shape != y.shape:
            raise ModelError(f"Table: x has shape {x.shape}, y {y.shape}; give two rows of equal length")
        if len(x) < least:
            raise ModelError(f"Table: it has {len(x)} points; kind={self.kind!r} needs {least} at least")
        back = np.flatnonzero(np.diff(x) <= 0.0)
        if len(back):
            k = int(back[0])
            raise ModelError(
                f"Table: x[{k + 1}] is {x[k + 1]:g} after x[{k}] = {x[k]:g}; x must increase: sort the points"
            )
        if self.kind == "periodic" and not abs(y[-1] - y[0]) <= 1e-9 * np.ptp(y):
            raise ModelError(
                f"Table: y begins with {y[0]:g} and ends with {y[-1]:g}; a periodic table ends where it begins: "
                "repeat the first value at the end of the period"
            )
        corner = number("Table", "corner", self.corner)
        if not 0.0 < corner <= LARGEST_CORNER:
            raise ModelError(f"Table: corner is {corner:g}; give a part of an interval above 0 and up to 0.5")
        if not isinstance(self.of, str):
            raise ModelError(f"Table: of is {self.of!r}; give 't' or the name of a signal, such as 'main.angle'")
        try:
            parse(self.of, signals=True)
        except ModelError as error:
            raise ModelError(f"Table: of: {error}") from None
        keep(self, "x", tuple(x.tolist()))
        keep(self, "y", tuple(y.tolist()))
        keep(self, "corner", corner)

    @classmethod
    def from_csv(
        cls,
        path: Path,
        *,
        x: str | None = None,
        y: str | None = None,
        kind: Literal["linear", "akima", "monotone", "spline", "periodic"] = "linear",
        of: str = "t",
        outside: Literal["refuse", "hold", "extrapolate"] = "refuse",
    ) -> Table:
        """The columns `x` and `y` of a CSV file with a line of names; without names the first two columns.

        >>> gd.Table.from_csv("gas.csv", x="angle", y="pressure", kind="periodic", of="main.angle")  # doctest: +SKIP
        """
        import pandas as pd

        try:
            file = Path(path)
            if file.exists() and not (file.is_file() and file.stat().st_size <= MOST_BYTES):
                raise ModelError(f"Table: {str(path)!r} is no file, or has more than {MOST_BYTES / 1e6:.0f} MB")
            with warnings.catch_warnings():
                warnings.simplefilter("error", pd.errors.ParserWarning)
                frame = pd.read_csv(file, index_col=False)
        except pd.errors.ParserWarning:
            raise ModelError(
                f"Table: {str(path)!r} has lines with more columns than its first line has names; name every column"
            ) from None
        except TypeError:
            raise ModelError(f"Table: path is {shown(path)}; give the name of a CSV file") from None
        except FileNotFoundError:
            raise ModelError(f"Table: there is no file {str(path)!r}") from None
        except ModelError:
            raise
        except (ValueError, UnicodeDecodeError) as error:
            raise ModelError(f"Table: {str(path)!r} cannot be read as CSV: {error}") from None
        names = [str(name) for name in frame.columns]
        if names and all(map(_is_number, names)):
            raise ModelError(
                f"Table: {str(path)!r} begins with the numbers {', '.join(names)}; give it a first line with the names "
                "of its columns"
            )
        return cls.from_pandas(frame, x=x, y=y, kind=kind, of=of, outside=outside)

    @classmethod
    def from_pandas(
        cls,
        data: Any,
        *,
        x: str | None = None,
        y: str | None = None,
        kind: Literal["linear", "akima", "monotone", "spline", "periodic"] = "linear",
        of: str = "t",
        outside: Literal["refuse", "hold", "extrapolate"] = "refuse",
    ) -> Table:
        """A Series over its index, or two columns of a DataFrame.

        >>> import gudgeon as gd, pandas as pd
        >>> gd.Table.from_pandas(pd.Series([0.0, 2.0], index=[0.0, 1.0])).at(0.5)
        1.0
        """
        if not hasattr(data, "columns"):
            if not (hasattr(data, "index") and hasattr(data, "array")):
                raise ModelError(
                    f"Table: data is {shown(data)}; give a pandas Series or DataFrame, or use gd.Table(x, y)"
                )
            points = data.index, data.array
        else:
            names = [str(name) for name in data.columns]
            if len(names) < 2:
                raise ModelError(f"Table: the data have the columns {names}; two are needed")
            chosen = (x or names[0], y or names[1])
            for name in chosen:
                if name not in names:
                    raise ModelError(f"Table: no column {name!r}; {did_you_mean(name, names)}")
            points = (data.iloc[:, names.index(name)] for name in chosen)
        numbers = [np.asarray(part) for part in points]
        return cls(numbers[0], numbers[1], kind=kind, of=of, outside=outside)  # pyright: ignore[reportArgumentType]

    def at(self, x: float, derivative: int = 0) -> float:
        """Its value at x, or its first or second derivative there; nan where it refuses."""
        from gudgeon.kernels.functions.tables import look_up

        return look_up(self.data, 0, float(x), derivative)

    @cached_property
    def data(self) -> np.ndarray:
        """What compiled code reads (kernels/functions/tables.py)."""
        from gudgeon.kernels.functions import tables

        outside = {"refuse": tables.REFUSE, "hold": tables.HOLD, "extrapolate": tables.EXTRAPOLATE}[self.outside]
        if self.kind == "periodic":
            outside = tables.PERIODIC
        form = tables.LINES if self.kind == "linear" else tables.CUBIC
        return np.array([len(self.x), form, outside, *self.x, *(self._lines() if form else self._cubics())])

    def _lines(self) -> Iterator[float]:
        """Value, slope before and width of the corner of every knot, and the slope beyond the last."""
        x, y = np.array(self.x), np.array(self.y)
        step = np.diff(x)
        slopes = np.diff(y) / step
        held = self.outside == "hold"
        before, beyond = (0.0, 0.0) if held else (slopes[0], slopes[-1])
        width = self.corner * np.minimum(np.append(step[0], step), np.append(step, step[-1]))
        for k in range(len(x)):
            yield from (y[k], before if k == 0 else slopes[k - 1], width[k])
        yield beyond

    def _cubics(self) -> Iterator[float]:
        """Four coefficients of every interval."""
        from scipy.interpolate import Akima1DInterpolator, CubicSpline, PchipInterpolator

        x, y = np.array(self.x), np.array(self.y)
        if self.kind == "akima":
            curve = Akima1DInterpolator(x, y)
        elif self.kind == "monotone":
            curve = PchipInterpolator(x, y)
        elif self.kind == "periodic":
            curve = CubicSpline(x, np.append(y[:-1], y[0]), bc_type="periodic")
        else:
            curve = CubicSpline(x, y, bc_type="natural")
        for k in range(len(x) - 1):
            yield from curve.c[::-1, k]

    def range_told(self) -> str:
        """Where it is defined, for messages."""
        return f"{self.x[0]:g} … {self.x[-1]:g}"


def is_left(table: Table, x: float) -> bool:
    """Whether x is where a table refuses."""
    return table.outside == "refuse" and math.isnan(table.at(x))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
