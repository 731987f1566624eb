"""Wear of one run: how deep the surfaces of its joints are rubbed, without feeding that back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gudgeon.checks import shown
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.models.dry import Dry
from gudgeon.models.dry_journal import DryJournal
from gudgeon.models.lubricated_journal import LubricatedJournal
from gudgeon.models.surface_contact import SurfaceContact
from gudgeon.models.worn_journal import WornJournal
from gudgeon.results.result import Result
from gudgeon.wearing.balls import RubbedBall
from gudgeon.wearing.factors import factors_of, positive, whole
from gudgeon.wearing.journals import WearingJournal
from gudgeon.wearing.lands import RubbedLand
from gudgeon.wearing.pressed import worn_volumes
from gudgeon.wearing.record import Row, Wear, dataset
from gudgeon.wearing.surfaces import WearingSurfaces

if TYPE_CHECKING:
    from gudgeon.system import System


def wear_depth(
    result: Result,
    coefficients: Mapping[str, float | tuple[float, float]],
    *,
    times: float = 1.0,
    angles: int = 72,
) -> Wear:
    """What a run wears off the surfaces of its joints, by Archard's law ẇ = k p |v_t|; the motion stays as it was.

    coefficients  {joint: k} [1/Pa], or (k of bore or socket, k of pin or ball)
    times         how often the run is repeated: depths are multiplied with it
    angles        coefficients around; of balls the meridians

    For `gd.Dry` balls (longitude and latitude of socket and ball), `gd.DryJournal`, `gd.WornJournal` and the contacts
    of `gd.LubricatedJournal` (slice and angle of bore and pin), `gd.SurfaceContact` (parameters of both surfaces). The
    samples of the run must resolve its contacts: what is worn away is k ∫∫ p |v_t| dA dt over them. `gd.wear` lets
    the wear change the motion.

    >>> import gudgeon as gd
    >>> run = gd.simulate(gd.examples.spatial_four_bar("dry"), 0.2, sample=2e-5)
    >>> worn = gd.wear_depth(run, {"C": 1e-15}, times=1e6)
    >>> worn.data["C.socket"].dims
    ('cycles', 'C.latitude', 'C.longitude')
    >>> figure = worn.plot()
    """
    if not isinstance(result, Result) or result._source is None or result.system is None:
        raise ModelError(
            "wear_depth: give the Result of gd.simulate; one that was read from a file has no states any more"
        )
    if not isinstance(coefficients, Mapping) or not coefficients:
        raise ModelError(f"wear_depth: coefficients is {shown(coefficients)}; give {{'C': 1e-15}} in 1/Pa, by joint")
    count, system = positive("wear_depth", "times", times, ""), result.system
    joints = [_rubbed(system, name, whole("wear_depth", "angles", angles, 8)) for name in coefficients]
    pressed = {joint.name: joint.pressed(result) for joint in joints}
    depth, volume = {}, {}
    for joint in joints:
        k = factors_of("wear_depth", joint.name, coefficients[joint.name], joint.surfaces)
        found = worn_volumes(pressed[joint.name], k)
        depth[joint.name] = [v / a for v, a in zip(found, joint.areas, strict=True)]
        volume[joint.name] = [float(v.sum()) for v in found]
    told = {
        "work": {name: float(each.rubbed.sum()) for name, each in pressed.items()},
        "peak_force": {name: each.peak_force for name, each in pressed.items()},
        "peak_pressure": {name: float(each.pressure.max(initial=0.0)) for name, each in pressed.items()},
    }
    rows = []
    for n in (0.0, count):
        away = {name: [n * v for v in values] for name, values in volume.items()}
        worn = {name: [n * d for d in values] for name, values in depth.items()}
        rows.append(Row(cycles=n, depth=worn, volume=away, rubbed=away, rate=volume, told=told))
    cycle = float(result.stats["end_time"]) - float(result.stats.get("begin_time", 0.0))
    attributes = {"system": system.name, "runs": 1, "cycle": cycle}
    return Wear(dataset(joints, rows, attributes), None, result, result)


def _rubbed(system: System, name: str, angles: int) -> Any:
    if name not in system.joints:
        raise ModelError(f"wear_depth: no joint {name!r}; {did_you_mean(name, list(system.joints))}")
    joint = system.joints[name]
    model: Any = joint.model
    if isinstance(model, Dry) and model.contact is not None:
        return RubbedBall(name, model, system, angles)
    if isinstance(model, WornJournal):
        return WearingJournal(name, model, max(16, angles))
    if isinstance(model, DryJournal) or (isinstance(model, LubricatedJournal) and model.contact is not None):
        return RubbedLand(name, model, max(16, angles))
    if isinstance(model, SurfaceContact):
        return WearingSurfaces(name, model, system)
    raise ModelError(
        f"wear_depth: {joint.label(name)} has the model {type(model).__name__}; pressed and rubbed surfaces have "
        "gd.Dry, gd.DryJournal, gd.WornJournal, gd.SurfaceContact, and films that hand over to contact"
    )
