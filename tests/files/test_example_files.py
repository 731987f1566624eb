"""The packaged examples as model files: the same mechanisms as those of `gd.examples`, but for the last digit."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.fem import Mesh
from gudgeon.files.described import described
from gudgeon.files.model_file import read_model

FOLDER = Path(gd.examples.__file__).parent
EXAMPLES = {
    "slider_crank_clearance": gd.examples.slider_crank_clearance(),
    "spatial_four_bar": gd.examples.spatial_four_bar("dry"),
    "stick_slip_oscillator": gd.examples.stick_slip_oscillator(),
    "slider_crank_flexible_slider": gd.examples.slider_crank_flexible_slider(),
    "slider_crank_hard_contact": gd.examples.slider_crank_hard_contact(),
}


def rounded(data: Any) -> Any:
    """Inertias in the files are decimal numbers, in Python they are computed."""
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return float(f"{data:.14g}") if isinstance(data, float) else data


def test_every_example_is_there():
    machines = {path.stem for path in FOLDER.glob("*.yaml")} - set(EXAMPLES)
    scripts = {path.stem for path in (Path(__file__).parents[2] / "examples").glob("*.py")}
    assert len(machines) == 10 and machines <= scripts  # tests/test_examples.py compares them with what these run
    assert set(EXAMPLES) <= {path.stem for path in FOLDER.glob("*.yaml")}
    assert set(EXAMPLES) == {name for name in gd.examples.__all__ if callable(getattr(gd.examples, name))} - {
        "spherical_joint_model"
    }


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_file_is_the_mechanism(name):
    assert rounded(described(gd.load_system(FOLDER / f"{name}.yaml"))) == rounded(described(EXAMPLES[name]))


def test_models_by_name():
    model = read_model(FOLDER / "spatial_four_bar.yaml")
    for name in ("ideal", "dry", "lubricated", "bushing"):
        assert model.models[name] == gd.examples.spherical_joint_model(name)
    assert model.run == {"duration": 2.0}


def test_models_of_the_gudgeon_pin():
    models = read_model(FOLDER / "slider_crank_clearance.yaml").models
    assert set(models) == set(gd.examples.REVOLUTE_JOINTS)
    for name, model in models.items():
        expected = gd.examples.slider_crank_clearance(name).joints["pin"].model
        assert rounded(described_model(model)) == rounded(described_model(expected))


def described_model(model: Any) -> Any:
    """As a file has it, with the clearance to fourteen digits: 10 mm − 9.5 mm is not quite 0.5 mm."""
    joint = gd.Revolute("ground", "pin", at=(0, 0, 0), model=model)
    body = gd.Body(mass=1.0, inertia=(1, 1, 1))
    return described(gd.System(bodies={"pin": body}, joints={"pin": joint}))


def test_all_of_a_run(tmp_path):
    (tmp_path / "run.yaml").write_text(
        """
        bodies: {bob: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
        joints: {pin: {type: Revolute, parent: ground, child: bob, at: [0, 0, 0], axis: [0, 1, 0]}}
        run:
          duration: 200 ms
          sample: [0, 50 ms, 0.2]
          coordinates: {type: Relative, cuts: []}
          solver: {type: Explicit, rtol: 1e-10, max_step: 10 ms}
          stabilization: {type: Baumgarte, alpha: 3 1/s, beta: 4}
          crossings: {low: {joint: pin, value: 10 deg, stop: true}}
        """
    )
    model = read_model(tmp_path / "run.yaml")
    assert model.run == {
        "duration": 0.2,
        "sample": (0, 0.05, 0.2),
        "coordinates": gd.Relative(),
        "solver": gd.Explicit(rtol=1e-10, max_step=0.01),
        "stabilization": gd.Baumgarte(alpha=3.0, beta=4.0),
        "crossings": {"low": gd.Crossing(joint="pin", value=math.pi / 18, stop=True)},
    }
    assert gd.simulate(model.system, **model.run).stats["end"] == "done"


def test_a_mesh_of_a_file_beside_the_model(tmp_path):
    meshio = pytest.importorskip("meshio")
    mesh = Mesh.rectangle(0.6, 0.5, 3, 2)
    (tmp_path / "parts").mkdir()
    meshio.Mesh(np.column_stack((mesh.nodes, np.zeros(12))), [("quad", mesh.quads)]).write(tmp_path / "parts/plate.vtk")
    text = """
    bodies:
      plate:
        type: FlexibleBody
        mesh: {type: Mesh.read, path: parts/plate.vtk}
        material: {youngs_modulus: 1 MPa, poissons_ratio: 0.3, density: 1000 kg/m^3}
    """
    (tmp_path / "plate.yaml").write_text(text)
    assert gd.load_system(tmp_path / "plate.yaml").bodies["plate"].mesh == mesh
    (tmp_path / "parts/plate.vtk").write_text("no mesh")
    with pytest.raises(gd.ModelError, match=r"plate.yaml:5 bodies.plate.mesh"):
        gd.load_system(tmp_path / "plate.yaml")


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_checks_and_runs(name):
    """A hundredth of its own time: what `gudgeon check` and `gudgeon run` do with it."""
    model = read_model(FOLDER / f"{name}.yaml")
    assert gd.assemble(model.system).residual < 1e-8
    run = {**model.run, "duration": 0.01 * model.run["duration"]}
    run.pop("sample", None)
    result = gd.simulate(model.system, **run)
    assert result.stats["end"] == "done" and np.isfinite(result.data.position.values).all()
