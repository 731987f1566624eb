"""Studies: grids, samples and ensembles in one dataset, to the bit what single runs give, on any number of workers."""

import gc
import json
import subprocess
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
import xarray as xr

import gudgeon as gd
from gudgeon.sweeps.described_study import study_of
from sweeps.pendulums import MASS, lowest, pendulum

MASSES, HEIGHTS = [0.5, 1.0, 2.0], [-9.81, -1.62]


def test_a_grid_has_a_dimension_for_every_parameter(pool, tmp_path):
    grid = {MASS: MASSES, "gravity[2]": HEIGHTS}
    data = gd.sweep(pendulum(), grid, 0.5, executor=pool, store=tmp_path / "study.zarr", reduce=lowest)
    assert data.fastest.dims == ("mass", "gravity.2") and data.mass.attrs == {"path": MASS, "units": "kg"}
    assert data["gravity.2"].attrs["units"] == "m/s²" and np.all(data.status == 1)
    for mass, g in product(MASSES, HEIGHTS):
        single = lowest(gd.simulate(pendulum(mass=mass, gravity=-g), 0.5))
        at = data.sel({"mass": mass, "gravity.2": g})
        assert float(at.fastest) == single["fastest"] and float(at.height) == float(single["height"])
    height = data.height.sel({"gravity.2": -9.81}).values
    assert data.fastest.sel({"gravity.2": -9.81}).values == pytest.approx(np.sqrt(-2 * 9.81 * height), rel=1e-7)


def test_members_are_single_runs_to_the_bit_whatever_the_number_of_workers(pool, tmp_path):
    system = gd.examples.spatial_four_bar("frictionless")  # chaotic: one bit shows
    grid = {"joints.C.model.ball_radius": [0.00989, 0.0099, 0.00991]}
    names = ("rocker.position.x", "reaction_force")
    by_two = gd.sweep(system, grid, 0.2, executor=pool, outputs=names, sample=0.01)
    by_one = gd.sweep(system, grid, 0.2, executor=1, outputs=names, sample=0.01, progress=False)
    with ThreadPoolExecutor(1) as threads:
        by_thread = gd.sweep(system, grid, 0.2, executor=threads, outputs=names, sample=0.01)
    for other in (by_one, by_thread):
        assert by_two.drop_vars("seconds").identical(other.drop_vars("seconds"))
    for radius in grid["joints.C.model.ball_radius"]:
        model = system.joints["C"].model
        one = gd.simulate(system.with_model(C=type(model)(**{**vars(model), "ball_radius": radius})), 0.2, sample=0.01)
        at = by_two.sel(ball_radius=radius)
        assert np.array_equal(at["rocker.position.x"], one.data.position.sel(body="rocker", axis="x"))
        assert np.array_equal(at.reaction_force, one.data.reaction_force)
    assert by_two["rocker.position.x"].attrs["units"] == "m" and by_two.time.attrs["units"] == "s"


def test_samples_are_runs_with_their_parameters(pool):
    samples = gd.Samples.sobol({MASS: (1.0, 2.0), "gravity[2]": (-10.0, -9.0)}, count=4)
    data = gd.sweep(pendulum(), samples, 0.2, executor=pool, reduce=lowest)
    assert data.fastest.dims == ("run",) and data.mass.dims == ("run",)
    assert data.mass.values.tolist() == list(samples.values[MASS])
    assert data.fastest.values == pytest.approx(np.sqrt(2 * data["gravity.2"].values * data.height.values), rel=1e-7)


def test_values_that_are_no_numbers_have_labels(pool):
    models = {"ideal": gd.Ideal(), "soft": gd.Bushing(stiffness=1e6, damping_time=0.01)}
    grid = {"joints.C.model": models, "joints.A.axis[0]": [1.0]}
    data = gd.sweep(gd.examples.spatial_four_bar(), grid, 0.01, executor=pool)
    assert data.model.values.tolist() == ["ideal", "soft"]
    assert float(data.energy_lost.sel(model="ideal")[0]) == 0.0 < float(data.energy_lost.sel(model="soft")[0])


def make_pendulum(length, heavy):
    return pendulum(length=length, mass=2.0 if heavy else 1.0)


def test_a_function_of_the_parameters_makes_the_system(pool):
    data = gd.sweep(
        make_pendulum, {"length [m]": [0.5, 1.0], "heavy": [False, True]}, 0.2, executor=pool, reduce=lowest
    )
    assert data.length.attrs["units"] == "m"
    assert data.fastest.dims == ("length", "heavy") and data.heavy.values.tolist() == ["False", "True"]
    assert float(data.fastest.sel(length=0.5, heavy="True")) == lowest(gd.simulate(pendulum(0.5, 2.0), 0.2))["fastest"]


def test_an_ensemble_has_a_dimension_of_members(pool):
    system = gd.examples.spatial_four_bar("dry")
    ensemble = gd.perturb(system, relative=1e-6, count=3, seed=2)
    friction = {"joints.C.model.friction.coefficient": [0.05, 0.1]}
    data = gd.sweep(ensemble, friction, 0.02, executor=pool, outputs=["rocker.position.x"], sample=0.01)
    assert data["rocker.position.x"].dims == ("coefficient", "member", "time")
    at = data["rocker.position.x"].sel(coefficient=0.1)
    single = gd.simulate(system, 0.02, sample=0.01).data.position.sel(body="rocker", axis="x")
    assert np.array_equal(at.sel(member=0), single)
    apart = np.abs(at.values[1:] - at.values[0])
    assert np.all(apart > 0.0) and np.all(apart < 1e-5)
    members = [gd.simulate(member, 0.02, sample=0.01).data.position.sel(body="rocker", axis="x") for member in ensemble]
    assert np.array_equal(at, members)


def test_perturbed_members_are_assembled():
    ensemble = gd.perturb(gd.examples.spatial_four_bar(), relative=1e-3, count=3)
    for member in list(ensemble)[1:]:
        found = gd.assemble(member)
        assert found.velocity_change < 1e-12 and max(map(max, found.moved.values()), default=0.0) < 1e-9
        assert np.linalg.norm(member.start["crank"].angular_velocity) > 1e-4


def test_runs_that_end_early_have_no_numbers_afterwards(pool):
    stop = {"down": gd.Crossing(joint="pivot", value=0.5, stop=True)}
    data = gd.sweep(
        pendulum(),
        {"gravity[2]": [-9.81, -0.01]},
        0.5,
        executor=pool,
        outputs=["bob.position.z"],
        crossings=stop,
        sample=0.05,
    )
    ended = np.isnan(data["bob.position.z"]).sum("time").values
    assert ended[0] > 0 and ended[1] == 0 and data.sizes["time"] == 11


def test_a_failing_run_is_recorded_and_the_others_go_on(pool, tmp_path):
    path = tmp_path / "study.zarr"
    grid = {MASS: [1.0, -1.0, 2.0]}
    data = gd.sweep(pendulum(), grid, 0.1, executor=pool, store=path, reduce=lowest)
    assert data.status.values.tolist() == [1, 2, 1] and np.isnan(data.fastest.values).tolist() == [False, True, False]
    assert "mass is -1.0 kg; a body needs a positive mass" in str(data.error.sel(mass=-1.0).item())
    again = gd.sweep(pendulum(), grid, 0.1, executor=pool, store=path, reduce=lowest)
    assert again.identical(data)  # nothing ran, not even what failed


def fragile(result):
    if result.system.bodies["bob"].mass > 1.0:
        raise ZeroDivisionError("too heavy")
    return {"mass": 1.0} if result.system.bodies["bob"].mass < 0.1 else {"value": 1.0}


def test_what_a_reduction_raises_is_recorded(pool):
    data = gd.sweep(pendulum(), {MASS: [1.0, 2.0]}, 0.1, executor=pool, reduce=fragile)
    assert data.error.values.tolist() == ["", "reduce: ZeroDivisionError: too heavy"]


def uneven(result):
    mass = result.system.bodies["bob"].mass
    return {"values": np.zeros(3 if mass < 2.0 else 4)}


def test_outputs_of_another_shape_are_a_failure(pool):
    data = gd.sweep(pendulum(), {MASS: [1.0, 1.5, 2.0]}, 0.1, executor=pool, reduce=uneven)
    failed = str(data.error.sel(mass=2.0).item())
    assert "its outputs are not those of the first run: variables.values.shape is [3] there and [4] here" in failed


def of_its_mass(*choices):
    """A reduction that gives the first choice for 1 kg, the second for 2 kg, and so on; what can be raised is."""

    def reduce(result):
        chosen = choices[round(result.system.bodies["bob"].mass) - 1]
        if isinstance(chosen, Exception):
            raise chosen
        return chosen

    return reduce


def three_runs(reduce, **others):
    with ThreadPoolExecutor(1) as in_order:
        return gd.sweep(pendulum(), {MASS: [1.0, 2.0, 3.0]}, 0.1, executor=in_order, reduce=reduce, **others)


def test_units_are_those_of_the_first_run():
    """1 m is 1000 mm; kilograms are no metres, and no unit is none."""
    data = three_runs(of_its_mass({"a [m]": 1.0}, {"a [mm]": 1000.0}, {"a [kg]": 1.0}))
    assert data.a.values[:2].tolist() == [1.0, 1.0] and np.isnan(data.a.values[2]) and data.a.attrs["units"] == "m"
    assert data.status.values.tolist() == [1, 1, 2] and "a is in kg here and in m there" in str(data.error.values[2])
    data = three_runs(of_its_mass({"a [1/s]": 1.0}, {"a": 2.0}, {"a [degC]": 3.0}))
    assert "a is in no unit here and in 1/s there; give one unit in all runs" in str(data.error.values[1])
    assert "a is in degC here and in 1/s there" in str(data.error.values[2])


def test_failed_runs_have_no_numbers_of_any_kind(tmp_path):
    """A mean over [4, failed, 8] is 6, not 4; without failures whole numbers and truths are such."""
    store = tmp_path / "study.zarr"
    data = three_runs(of_its_mass({"n": 4, "ok": True}, ValueError("no"), {"n": 8, "ok": True}), store=store)
    assert float(data.n.mean()) == 6.0 and float(data.ok.mean()) == 1.0
    assert np.isnan(data.n.values[1]) and np.isnan(data.ok.values[1]) and data.n.attrs == {}
    plain = xr.open_zarr(store, chunks=None)
    assert float(plain.n.mean()) == 6.0
    whole = three_runs(of_its_mass({"n": 4, "ok": True}, {"n": 5, "ok": False}, {"n": 8, "ok": True}))
    assert whole.n.dtype == np.int64 and whole.ok.dtype == bool and whole.n[whole.ok].values.tolist() == [4, 8]


def test_whole_numbers_and_floats_are_both_numbers():
    data = three_runs(of_its_mass({"n": 4}, {"n": 4.5}, {"n": np.float32(2.0)}))
    assert data.n.values.tolist() == [4.0, 4.5, 2.0] and np.all(data.status == 1)
    data = three_runs(of_its_mass({"n": 4}, {"n": True}, {"n": 2**53 + 1}))
    assert data.status.values.tolist() == [1, 2, 2] and "whole numbers are kept up to 2^53" in str(data.error.values[2])
    assert "variables.n.numbers is 'numbers' there and 'truths' here" in str(data.error.values[1])


class AtOnce(Executor):
    """Runs what it is given when it is given: all futures have ended when somebody looks."""

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_of_runs_that_end_at_once_the_first_is_first():
    """Whatever order their futures have: what the outputs are does not depend on chance."""
    names = [f"n{k}" for k in range(6)]
    masses = np.arange(1.0, 1.0 + len(names))
    reduce = of_its_mass(*({name: 1.0} for name in names))
    data = gd.sweep(pendulum(), {MASS: masses}, 0.01, executor=AtOnce(), reduce=reduce)
    assert "n0" in data and data.status.values.tolist() == [1, 2, 2, 2, 2, 2]


@pytest.mark.parametrize("sample", [0.05, None, np.array([0.0, 0.03, 0.1])])
def test_outputs_of_runs_that_all_failed_are_there(sample):
    grid = {MASS: [-1.0, -2.0]}
    with (
        ThreadPoolExecutor(1) as threads,
        pytest.warns(UserWarning, match=r"all 2 runs failed; the first: .*mass is -1"),
    ):
        data = gd.sweep(pendulum(), grid, 0.1, executor=threads, outputs=["bob.position.z"], sample=sample)
    assert data["bob.position.z"].dims == ("mass", "time") and np.isnan(data["bob.position.z"]).all()
    assert data.sizes["time"] == (1001 if sample is None else 3)
    with ThreadPoolExecutor(1) as threads, pytest.warns(UserWarning, match="all 2 runs failed"):
        data = gd.sweep(pendulum(), grid, 0.1, executor=threads)
    assert np.isnan(data.energy_lost).all() and data.energy_lost.attrs["units"] == "J"


def test_functions_of_scripts_and_closures_travel(pool):
    factor = 3.0
    data = gd.sweep(pendulum(), {MASS: [1.0]}, 0.1, executor=pool, reduce=lambda result: {"x [N]": factor})
    assert data.x.values.tolist() == [3.0] and data.x.attrs["units"] == "N"


def test_warnings_are_kept(pool):
    bob = gd.Body(mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0), velocity=(1.0, 0, 0))
    system = pendulum().replace(bodies={"bob": bob})
    with pytest.warns(UserWarning) as told:
        gd.simulate(system, 0.1)
    data = gd.sweep(system, {"gravity[2]": [-9.81]}, 0.1, executor=pool)
    assert str(data.warning[0].item()) == str(told[0].message)


def test_a_store_is_zarr_for_everyone(pool, tmp_path):
    """Also without gudgeon: xarray opens it, units and coordinates included."""
    path = tmp_path / "study.zarr"
    data = gd.sweep(pendulum(), {MASS: MASSES}, 0.1, executor=pool, store=path, outputs=["position"], sample=0.05)
    plain = xr.open_zarr(path, chunks=None)
    assert plain.position.dims == ("mass", "time", "body", "axis") and plain.position.attrs["units"] == "m"
    assert np.array_equal(plain.position, data.position) and plain.mass.values.tolist() == MASSES
    assert json.loads(data.attrs["study"])["duration"] == 0.1


MISTAKES = [
    ({"bodies.bob.mas": [1.0]}, {}, "bodies.bob (Body) has no entry 'mas'; did you mean 'mass'?"),
    ({MASS: 3.0}, {}, "bodies.bob.mass is 3.0; give a list of values"),
    ({MASS: []}, {}, "give a list of values"),
    ({MASS: [1.0, 1.0]}, {}, "bodies.bob.mass has the value 1.0 twice"),
    ({}, {}, "there is nothing to vary"),
    ([1.0], {}, "parameters are [1.0]"),
    (
        {"bodies.bob": [pendulum().bodies["bob"]], MASS: [1.0]},
        {},
        "bodies.bob and bodies.bob.mass change the same entry",
    ),
    ({MASS: [1.0]}, {"outputs": "position"}, "outputs is 'position'; give a list of names"),
    ({MASS: [1.0]}, {"outputs": None}, "outputs is None; give a list of names"),
    ({MASS: [1.0]}, {"outputs": 3}, "outputs is 3; give a list of names"),
    ({MASS: [1.0]}, {"reduce": 3.0}, "reduce is 3.0; give a function of a Result"),
    ({MASS: [1.0]}, {"solver": "fast"}, "solver is 'fast'"),
    ({MASS: [1.0]}, {"sample": 3.0}, "sweep: sample is 3 s"),
    ({MASS: [1.0]}, {"coordinates": "polar"}, "'polar'"),
]


@pytest.mark.parametrize(("parameters", "others", "said"), MISTAKES)
def test_mistakes_are_told_before_anything_runs(parameters, others, said):
    with pytest.raises(gd.ModelError) as caught:
        study_of(pendulum(), parameters, 0.1, **others)
    assert said in str(caught.value)


def test_other_mistakes(pool, tmp_path):
    with pytest.raises(gd.ModelError, match="duration is -1 s"):
        gd.sweep(pendulum(), {MASS: [1.0]}, -1.0)
    with pytest.raises(gd.ModelError, match=r"sweep: 3 given; give a gd\.System"):
        gd.sweep(3, {MASS: [1.0]}, 1.0)
    with pytest.raises(gd.ModelError, match="executor is 'local'; give a number of processes"):
        gd.sweep(pendulum(), {MASS: [1.0]}, 1.0, executor="local")
    with pytest.raises(gd.ModelError, match=r"no output 'bob\.positon\.z'; did you mean 'bob\.position\.z'\?"):
        gd.sweep(pendulum(), {MASS: [1.0]}, 0.1, executor=pool, outputs=["bob.positon.z"])
    with pytest.raises(gd.ModelError, match="the output 'mass' has the name of a parameter"):
        gd.sweep(pendulum(), {MASS: [0.05]}, 0.1, executor=pool, reduce=fragile)
    (tmp_path / "notes").mkdir()
    with pytest.raises(gd.FileError, match="is there and is no gudgeon study"):
        gd.sweep(pendulum(), {MASS: [1.0]}, 0.1, executor=pool, store=tmp_path / "notes")
    with pytest.raises(gd.FileError, match="there is no store"):
        gd.open_study(tmp_path / "nothing.zarr")


def test_whoever_hands_out_runs_imports_neither_what_compiles_nor_what_opens_the_store_before_the_first_is_kept():
    """So that a study that is started again goes on soon; the workers' process imports its own meanwhile."""
    script = """
import sys
import gudgeon as gd
from gudgeon.sweeps.store import Store
commit = Store.commit
def look(self, outcomes):
    print([name for name in ("numba", "scipy", "multiprocessing", "pandas", "zarr") if name in sys.modules])
    return commit(self, outcomes)
Store.commit = look
system = gd.System(bodies={"b": gd.Body(mass=1.0, inertia=(1.0, 1.0, 1.0))})
gd.sweep(system, {"bodies.b.mass": [1.0]}, 0.1, executor=1, reduce=lambda result: {"height": result.states[-1, 2]})
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.strip() == "[]", done.stderr


def test_workers_collect_garbage_but_not_what_they_were_born_with(pool):
    assert pool.submit(gc.isenabled).result() and pool.submit(gc.get_freeze_count).result() > 1000
