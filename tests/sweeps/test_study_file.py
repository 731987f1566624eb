"""Study files and the commands that run them."""

import dataclasses
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli import main
from gudgeon.sweeps.study_file import read_study

STUDY = """\
model: pendulum.yaml
parameters:
  bodies.bob.mass: [500 g, 1]
  joints.pivot.model.friction.coefficient: {from: 0, to: 0.2, count: 3}
run: {duration: 10 ms, sample: 5 ms}
outputs: [bob.position.z]
"""


def gudgeon(*arguments):
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert gudgeon("new").exit_code == 0
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path


def test_a_study_from_the_command_line(folder):
    done = gudgeon("sweep", "study.yaml", "--workers", 2, "--json")
    told = json.loads(done.stdout)
    assert (
        done.exit_code == 0
        and told["done"] == told["runs"] == 6
        and told["dimensions"] == {"mass": 2, "coefficient": 3}
    )
    data = gd.open_study("study.zarr")
    assert data.mass.values.tolist() == [0.5, 1.0] and data.coefficient.values.tolist() == [0.0, 0.1, 0.2]
    system = gd.load_system("pendulum.yaml")
    model = system.joints["pivot"].model
    light = dataclasses.replace(system.bodies["bob"], mass=0.5)
    dry = dataclasses.replace(model, friction=dataclasses.replace(model.friction, coefficient=0.1))
    light_and_dry = system.replace(bodies={"bob": light}).with_model(pivot=dry)
    single = gd.simulate(light_and_dry, 0.01, sample=0.005).data.position.sel(body="bob", axis="z")
    assert np.array_equal(data["bob.position.z"].sel(mass=0.5, coefficient=0.1), single)
    shown = gudgeon("status", "study.zarr")
    assert "study.zarr: 6 of 6 runs done, 0 failed, 0 missing; mass (2) × coefficient (3)" in shown.stdout
    again = gudgeon("sweep", "study.yaml")  # nothing is missing
    assert "6 of 6 runs done" in again.stdout


def scattered(mass, count=4):
    """What replaces the parameters by one that scatters."""
    old = STUDY[STUDY.index("  bodies") : STUDY.index("run:")]
    return old, f"  bodies.bob.mass: {mass}\nsamples: {{method: sobol, count: {count}}}\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("model: pendulum.yaml", "model: no.yaml", "there is no file"),
        ("model: pendulum.yaml", "modell: x", "a study file has no section 'modell'; did you mean 'model'?"),
        (
            "mass: [500 g, 1]",
            "mass: [500 m, 1]",
            "study.yaml:3 parameters['bodies.bob.mass'][0]: '500 m' is of another",
        ),
        ("bob.mass:", "bob.mas:", "has no entry 'mas'; did you mean 'mass'?"),
        ("count: 3", "count: x", "count is 'x', spacing 'linear'; give count: 5"),
        ("outputs: [bob.position.z]", "outputs: 5", "5 is given; give a list of names"),
        ("outputs: [", "samples: {method: sobel, count: 4}\noutputs: [", "with samples: give {from: , to: }"),
        ("[500 g, 1]", "5", "give a list of values, or {from: , to: , count: }"),
        ("run: {duration: 10 ms", "run: {duration: -1", "duration is -1 s"),
        (
            *scattered("{mean: 1, deviation: -1}"),
            "study.yaml:3 parameters['bodies.bob.mass'].deviation: it is -1; give a positive",
        ),
        (*scattered("{mean: 1, deviation: 0}"), "deviation: it is 0; give a positive standard deviation"),
        (
            *scattered("{from: 2, to: 1}"),
            "study.yaml:3 parameters['bodies.bob.mass']: bodies.bob.mass runs from 2 to 1",
        ),
        (*scattered("{from: 1, to: 2}", 5), "study.yaml:4 samples: count is 5; Sobol' points come in powers of two"),
    ],
)
def test_mistakes_are_told_with_their_line(folder, old, new, said):
    (folder / "study.yaml").write_text(STUDY.replace(old, new))
    done = gudgeon("sweep", "study.yaml")
    assert done.exit_code == 1 and said in done.stderr, done.stderr


def test_samples_ensembles_and_labels(folder):
    text = """\
model: pendulum.yaml
parameters:
  bodies.bob.mass: {from: 500 g, to: 1 kg}
  joints.pivot.model.friction.coefficient: {mean: 0.1, deviation: 0.01}
samples: {method: latin_hypercube, count: 5, seed: 3}
perturb: {relative: 1e-9, count: 2}
run: {duration: 10 ms}
store: other.zarr
"""
    (folder / "study.yaml").write_text(text)
    study = read_study("study.yaml")
    assert study.parameters.count == 5 and len(study.system) == 2 and study.store.name == "other.zarr"
    masses = np.array(study.parameters.values["bodies.bob.mass"])
    assert sorted(np.floor((masses - 0.5) / 0.1)) == [0, 1, 2, 3, 4]
    labelled = text.partition("parameters:")[0] + "parameters: {joints.pivot.model: {none: Ideal, dry: dry}}\n"
    (folder / "study.yaml").write_text(labelled + "run: {duration: 10 ms}\n")
    models = read_study("study.yaml").parameters["joints.pivot.model"]
    assert models["none"] == gd.Ideal() and models["dry"] == gd.load_system("pendulum.yaml").joints["pivot"].model


def test_a_radius_scatters_in_its_zone(folder):
    """A pin 10g6 of ISO 286: 5 to 14 µm below its size in diameter."""
    text = STUDY.replace("outputs: [", "samples: {method: sobol, count: 64}\noutputs: [").replace(
        "[500 g, 1]", "{from: 500 g, to: 1}"
    )
    scattered = "joints.pivot.model.ball_radius: {zone: g6, diameter: 10 mm, capability: 1.33}"
    text = text.replace("joints.pivot.model.friction.coefficient: {from: 0, to: 0.2, count: 3}", scattered)
    (folder / "study.yaml").write_text(text)
    radii = np.array(read_study("study.yaml").parameters.values["joints.pivot.model.ball_radius"])
    assert radii.min() >= 0.004993 and radii.max() <= 0.0049975
    assert radii.mean() == pytest.approx(0.00499525, abs=1e-8)
    assert radii.std() == pytest.approx(4.5e-6 / (6 * 1.33), rel=0.03)
    (folder / "study.yaml").write_text(text.replace("g6", "g66"))
    done = gudgeon("sweep", "study.yaml")
    assert done.exit_code == 1 and "study.yaml:4" in done.stderr and "'g66'" in done.stderr, done.stderr


def test_dask_that_does_not_answer_is_told(folder):
    pytest.importorskip("distributed")
    assert gudgeon("sweep", "study.yaml", "--dask", "tcp://127.0.0.1:9", "--workers", 2).exit_code == 1


def test_studies_whose_runs_fail_say_so(folder):
    """All of them: exit code 3, as for a run that fails. Some of them: 0, and how many, on the error output."""
    study = (folder / "study.yaml").read_text()
    (folder / "study.yaml").write_text(study.replace("[500 g, 1]", "[-1, -2]"))
    for arguments in (("sweep", "study.yaml", "--workers", 1, "--quiet"), ("status", "study.zarr", "--quiet")):
        done = gudgeon(*arguments)
        assert done.exit_code == 3 and not done.stdout
        assert "study.zarr: all 6 runs failed; the first: ModelError: Body: mass is -1" in done.stderr
    told = json.loads(gudgeon("status", "study.zarr", "--json").stdout)
    assert told["exit_code"] == 3 and told["failed"] == 6 and "all 6 runs failed" in told["error"]
    (folder / "study.yaml").write_text(study.replace("[500 g, 1]", "[-1, 1]"))
    done = gudgeon("sweep", "study.yaml", "--workers", 1, "--store", "some.zarr", "--quiet")
    assert done.exit_code == 0 and "some.zarr: 3 of 6 runs failed; gudgeon status some.zarr says why" in done.stderr
    told = json.loads(gudgeon("status", "some.zarr", "--json").stdout)
    assert told["exit_code"] == 0 and told["failed"] == 3 and "3 of 6 runs failed" in told["warnings"][0]
