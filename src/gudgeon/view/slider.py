"""A flexible slider in its guide at an instant, as a strip of instants, or as a film: shape, stress, forces.

Displacements from the centred slider are drawn `magnify` times as large, those of the nodes like the clearance: what
touches in the picture touches. The motion along the guide is left out of strips and drawn as it is in films. Colours
are the von Mises stress of the elastic strains; what Rayleigh's damping adds is not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.checks import number
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.fem.recovery import nodal, stress, von_mises
from gudgeon.flexible_bodies import flexible_bodies
from gudgeon.models.flexible_slider import FlexibleSlider

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.results.result import Result

WALL, EDGE, NORMAL, FRICTION = "0.85", "0.25", "black", "tab:red"
UNITS = ((1e9, "GPa"), (1e6, "MPa"), (1e3, "kPa"), (1.0, "Pa"))
SHOWN = 0.15  # the largest displacement in the picture, of the slider's height
ARROW = 0.45  # length of the largest force in the picture, of the slider's height
MARGIN = 0.3  # of the guide beyond the slider, of its length


class SliderView:
    """The flexible slider of a result, ready to be drawn.

    `guide` is the name of its joint; leave it out where there is only one. `magnify` [-] is how much larger
    displacements are drawn, by default a round number that makes the largest a seventh of the slider's height.

    >>> import gudgeon as gd
    >>> from gudgeon.view.slider import SliderView
    >>> result = gd.simulate(gd.examples.stick_slip_oscillator(), 0.1, sample=0.05)
    >>> view = SliderView(result)
    >>> view.von_mises(0.1).shape  # at the nodes [Pa]
    (36,)
    >>> figure = view.film_strip([0.05, 0.1])
    """

    def __init__(self, result: Result, guide: str | None = None, *, magnify: float | None = None):
        system = result.system
        if system is None:
            raise ModelError("SliderView: this loaded result has no system, thus no mesh; draw it before it is saved")
        known = [name for name, joint in system.joints.items() if isinstance(joint.model, FlexibleSlider)]
        if guide is None and len(known) != 1:
            raise ModelError(f"SliderView: there are {len(known)} flexible sliders, {known}; say which: guide=")
        if guide is not None and guide not in known:
            raise ModelError(f"SliderView: no guide {guide!r} with a flexible slider; {did_you_mean(guide, known)}")
        self.guide = guide or known[0]
        self.slider = system.joints[self.guide].child
        body = flexible_bodies(system)[self.slider]
        self.model, self.rest = body.plane_model, body.rest
        data = result.data
        nodes = [f"{self.slider}:{node}" for node in range(len(self.rest))]
        self.time = data.time.values  # [s]
        self.displacement = data.node_displacement.sel(node=nodes).values  # (time, node, 2) [m]
        points = [name for name in data.surface_point.values if str(name).rpartition(":")[0] == self.guide]
        here = data.sel(surface_point=points)
        self.surface = np.array([int(str(name).rpartition(":")[2]) for name in points])  # nodes
        self.side = np.where(here.surface.values == "upper", 1.0, -1.0)
        self.gap = here.guide_gap.values  # (time, point) [m]
        self.normal = here.guide_normal_force.values  # (time, point) [N]
        self.friction = here.guide_friction_force.values  # (time, point) [N]
        moved = np.abs(self.displacement - self.displacement.mean(axis=1, keepdims=True)).max()
        wanted = _round(SHOWN * self.height / max(moved, 1e-12))
        self.magnify = max(1.0, wanted) if magnify is None else number("SliderView", "magnify", magnify)
        self.newton = ARROW * self.height / max(np.percentile(self.normal.max(axis=1), 99.0), 1e-300)  # [m/N]
        largest = np.percentile(np.abs(self.friction).max(axis=1), 99.0)
        self.friction_scale = max(1.0, _round(ARROW * self.height / max(self.newton * largest, 1e-300)))

    @property
    def height(self) -> float:
        """Height of the slider [m]."""
        return float(np.ptp(self.rest[:, 1]))

    @property
    def along(self) -> np.ndarray:
        """How far the slider has moved along its guide (time,) [m]."""
        return self.displacement[:, :, 0].mean(axis=1)

    def von_mises(self, time: float) -> np.ndarray:
        """Equivalent stress of the elastic strains at `time` [s], at the nodes (node,) [Pa]."""
        return von_mises(self.model, nodal(self.model, stress(self.model, self.displacement[self.sample(time)])))

    def sample(self, time: float) -> int:
        """The sample nearest to `time` [s]."""
        time = number("SliderView", "time", time)
        if not self.time[0] - 1e-9 <= time <= self.time[-1] + 1e-9:
            raise ModelError(
                f"SliderView: time is {time:g} s; the result is from {self.time[0]:g} to {self.time[-1]:g} s"
            )
        return int(np.argmin(np.abs(self.time - time)))

    def draw(self, axes: Any, time: float, *, limit: float | None = None, forces: bool = True, along: Any = None):
        """The slider at `time` [s] into matplotlib `axes`; returns what a colour bar needs, in Pa.

        limit   stress of the darkest colour [Pa]; by default the largest at this instant
        forces  arrows for the normal force (black) and the friction (red, `friction_scale` times as long) of the guide
                on every surface point
        along   (from, to) [m]: the piece of the guide to be drawn, the slider where it is; by default around it

        >>> view.draw(figure.subplots(), 0.1)  # doctest: +SKIP
        """
        from matplotlib.collections import LineCollection
        from matplotlib.tri import Triangulation

        k, left, right = self.sample(time), self.rest[:, 0].min(), self.rest[:, 0].max()
        shift = np.array([self.along[k], 0.0])
        place = self.rest + self.magnify * (self.displacement[k] - shift)
        if along is not None:
            place += shift
        margin = MARGIN * (right - left)
        ends = (left - margin, right + margin) if along is None else tuple(along)
        quads = self.model.mesh.quads
        centre = len(place) + np.arange(len(quads))
        fans = [np.stack([quads[:, a], quads[:, (a + 1) % 4], centre], axis=1) for a in range(4)]
        points = np.concatenate([place, place[quads].mean(axis=1)])
        at_nodes = self.von_mises(time)
        colour = np.concatenate([at_nodes, at_nodes[quads].mean(axis=1)])
        mesh = Triangulation(points[:, 0], points[:, 1], np.concatenate(fans))
        top = float(at_nodes.max()) if limit is None else limit
        shades = axes.tripcolor(mesh, colour, shading="gouraud", cmap="YlGnBu", vmin=0.0, vmax=max(top, 1e-12))
        axes.add_collection(LineCollection(place[quads[:, [0, 1, 2, 3, 0]]], colors=EDGE, linewidths=0.5))
        self._draw_guide(axes, k, place, ends)
        if forces:
            self._draw_forces(axes, k, place)
        axes.set_aspect("equal")
        axes.set_axis_off()
        axes.set(xlim=ends, ylim=(-(0.55 + ARROW) * self.height, (0.6 + ARROW) * self.height))
        return shades

    def explanation(self) -> str:
        """What is drawn how, for a title."""
        times = f", friction (red) {self.friction_scale:g} times as long" if self.friction.any() else ""
        return f"displacements {self.magnify:g} times as large; normal forces (black){times}"

    def film_strip(self, times: Sequence[float], *, columns: int = 4, title: str | None = None) -> Figure:
        """One frame per time [s], row by row, with the same colours and the same scale of forces.

        >>> view.film_strip([2.0, 4.0, 6.0, 8.0]).savefig("strip.png")  # doctest: +SKIP
        """
        from matplotlib.figure import Figure

        columns = max(1, min(columns, len(times)))
        rows = -(-len(times) // columns)
        length = (1.0 + 2.0 * MARGIN) * float(np.ptp(self.rest[:, 0]))
        tall = 2.7 * (1.15 + 2.0 * ARROW) * self.height / length + 0.35
        figure = Figure(figsize=(2.8 * columns + 1.0, tall * rows + 0.7), layout="constrained")
        self.film_strip_into(figure, times, columns=columns)
        figure.suptitle(title or f"{self.slider} in {self.guide}: {self.explanation()}", fontsize="large")
        return figure

    def film_strip_into(self, figure: Any, times: Sequence[float], *, columns: int = 4) -> None:
        """The same into a figure or subfigure of yours, without title.

        >>> view.film_strip_into(figure.subfigures(2)[0], [2.0, 4.0])  # doctest: +SKIP
        """
        panels = figure.subplots(-(-len(times) // columns), columns, squeeze=False)
        limit = float(max(self.von_mises(time).max() for time in times))
        shades = None
        for axes, time in zip(panels.flat, times, strict=False):
            shades = self.draw(axes, time, limit=limit)
            axes.set_title(f"t = {time:g} s, {self.along[self.sample(time)]:+.3f} m", fontsize="medium")
        for axes in panels.flat[len(times) :]:
            axes.set_axis_off()
        _colour_bar(figure, shades, panels, limit)

    def film(self, path: str | Path, *, times: Any = None, per_second: int = 15) -> Path:
        """An animated GIF: 120 frames of the whole run, or one for each of `times` [s].

        The slider moves along its guide, which is drawn as far as it goes.

        >>> view.film("slider.gif")  # doctest: +SKIP
        """
        from matplotlib.animation import FuncAnimation, PillowWriter
        from matplotlib.figure import Figure

        shown = np.linspace(self.time[0], self.time[-1], 120) if times is None else np.asarray(times, dtype=float)
        samples = [self.sample(time) for time in shown]
        beside = (0.5 + MARGIN) * float(np.ptp(self.rest[:, 0]))
        ends = (self.along[samples].min() - beside, self.along[samples].max() + beside)
        limit = float(max(self.von_mises(time).max() for time in shown))
        tall = 8.0 * (1.15 + 2.0 * ARROW) * self.height / (ends[1] - ends[0]) + 0.6
        figure = Figure(figsize=(9.0, max(2.2, tall)), layout="constrained")
        axes = figure.subplots()
        shades = self.draw(axes, shown[0], limit=limit, along=ends)
        _colour_bar(figure, shades, axes, limit)
        figure.suptitle(self.explanation(), fontsize="medium")
        axes.set_title(" ", fontsize="medium")
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # what was laid out once stays

        def frame(time: float) -> list[Any]:
            axes.clear()
            self.draw(axes, time, limit=limit, along=ends)
            axes.set_title(f"t = {time:.2f} s", fontsize="medium")
            return []

        film = FuncAnimation(figure, frame, frames=list(shown), cache_frame_data=False)
        film.save(str(path), writer=PillowWriter(fps=per_second), dpi=80)
        return Path(path)

    def _draw_guide(self, axes: Any, k: int, place: np.ndarray, ends: tuple[float, float]) -> None:
        """The two walls: through the places that the surface points would have with their gap closed."""
        for side in (1.0, -1.0):
            here = self.side == side
            level = float((place[self.surface[here], 1] + side * self.magnify * self.gap[k, here]).mean())
            axes.fill_between(ends, level, level + side * 0.1 * self.height, color=WALL, linewidth=0.0, zorder=0)
            axes.plot(ends, [level, level], color=EDGE, linewidth=1.0, zorder=1)

    def _draw_forces(self, axes: Any, k: int, place: np.ndarray) -> None:
        """Arrows of the guide's forces on the surface points, which they point at."""
        for node, side, N, T in zip(self.surface, self.side, self.normal[k], self.friction[k], strict=True):
            normal, friction = min(self.newton * N, ARROW * self.height), self.newton * self.friction_scale * T
            for colour, dx, dy in ((NORMAL, 0.0, -side * normal), (FRICTION, friction, 0.0)):
                if np.hypot(dx, dy) > 0.02 * self.height:
                    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
                    axes.annotate("", xy=place[node], xytext=place[node] - (dx, dy), arrowprops=style, zorder=4)


def _colour_bar(figure: Any, shades: Any, panels: Any, limit: float) -> None:
    """In the unit in which the stress is a handy number."""
    unit, name = next(((size, name) for size, name in UNITS if limit >= 2.0 * size), UNITS[-1])
    bar = figure.colorbar(shades, ax=panels, shrink=0.85, pad=0.015, label=f"von Mises stress [{name}]")
    bar.formatter = lambda value, _: f"{value / unit:g}"
    bar.update_ticks()


def _round(value: float) -> float:
    """The largest of 1, 2, 3 and 5 times a power of ten that is not above `value`."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(power * max(digit for digit in (1, 2, 3, 5) if digit * power <= value * (1.0 + 1e-9)))
