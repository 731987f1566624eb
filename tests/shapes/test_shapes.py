"""Shapes as parts of descriptions: in files, in states, and what is refused."""

import dataclasses

import pytest
from stl_files import binary, box_points

import gudgeon as gd
from gudgeon.errors import ModelError
from gudgeon.solvers.state_key import state_key


@pytest.fixture
def part(tmp_path):
    (tmp_path / "part.stl").write_bytes(binary(box_points((10, 20, 30))))
    return tmp_path / "part.stl"


def system(shape):
    return gd.System(bodies={"a": gd.Body(mass=1.0, inertia=(1, 1, 1), shape=shape)})


def test_every_shape_goes_to_a_file_and_back(tmp_path, part):
    shapes = [
        gd.Box((1, 2, 3), color="#336699"),
        gd.Cylinder(0.1, 0.2, inner_radius=0.05, position=(1, 0, 0)),
        gd.Sphere(1.0, orientation=(0, 1, 0, 0)),
        gd.Mesh(part, unit="inch"),
    ]
    for shape in shapes:
        system(shape).save(tmp_path / "model.yaml")
        assert gd.load_system(tmp_path / "model.yaml") == system(shape)


def test_files_name_a_mesh_and_a_body_of_a_shape(tmp_path, part):
    (tmp_path / "model.yaml").write_text(
        "bodies:\n  a: {type: Body.of_shape, shape: {type: Mesh, path: part.stl}, density: 1 g/cm^3}\n"
    )
    body = gd.load_system(tmp_path / "model.yaml").bodies["a"]
    assert body.mass == pytest.approx(6e-3, rel=1e-6)
    assert body.shape.triangles == gd.Mesh(part).triangles


def test_a_mesh_outside_the_folder_of_the_model_is_refused(tmp_path, part):
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "model.yaml").write_text(
        "bodies:\n  a: {mass: 1, inertia: [1, 1, 1], shape: {type: Mesh, path: ../part.stl}}\n"
    )
    with pytest.raises(ModelError, match=r"'../part.stl' is outside the folder of the model"):
        gd.load_system(tmp_path / "inside" / "model.yaml")


def test_results_keep_shapes(tmp_path, part):
    run = gd.simulate(system(gd.Mesh(part)), 0.01)
    part.unlink()
    assert gd.load(run.save(tmp_path / "run.nc")).system == run.system


def test_looks_are_no_part_of_what_a_state_belongs_to():
    assert state_key(system(None)) == state_key(system(gd.Box((1, 1, 1))))


def test_a_mesh_that_is_not_closed_can_be_drawn_but_has_no_mass(part):
    part.write_bytes(binary(box_points((10, 20, 30))[:-1]))
    shape = gd.Mesh(part)
    assert system(shape).bodies["a"].shape is shape
    with pytest.raises(ModelError, match=r"Mesh: its surface is not closed \(3 edges .*repair the file"):
        gd.Body.of_shape(shape)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gd.Box((1, 0, 2)), r"Box: size is \(1.0, 0.0, 2.0\) m; every edge must be positive"),
        (lambda: gd.Sphere(-1), r"Sphere: radius is -1 m; it must be positive"),
        (lambda: gd.Cylinder(1, 1, inner_radius=1), r"Cylinder: inner_radius is 1 m, radius 1 m; give 0 \(solid\)"),
        (lambda: gd.Box((1, 1, 1), color="red"), r"Box: color is 'red'; give red, green and blue, such as '#4c6a92'"),
        (lambda: gd.Mesh(), r"Mesh: which file\? give gd.Mesh\('part.stl'\)"),
        (lambda: gd.Mesh(triangles="abc"), r"Mesh: triangles is not what gudgeon wrote; give path="),
        (lambda: gd.Mesh("nowhere.stl"), r"Mesh: there is no file 'nowhere.stl'"),
        (lambda: gd.Step("nowhere.step"), r"Step: there is no file 'nowhere.step'"),
        (lambda: gd.Body(mass=1, inertia=(1, 1, 1), shape="box"), r"Body: shape is 'box'; give gd.Box\(...\)"),
        (lambda: gd.Body.of_shape("box"), r"Body.of_shape: shape is 'box'; give gd.Box\(...\)"),
        (lambda: gd.Body.of_shape(gd.Sphere(1), density=0), r"Sphere: density is 0 kg/m³; a body needs a positive one"),
        (lambda: gd.FlexibleBody.of_shape(gd.Sphere(1)), r"FlexibleBody.of_shape: .*use gd.Body.of_shape"),
    ],
)
def test_mistakes_are_told(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_what_is_no_stl_file_is_told(tmp_path, part):
    (tmp_path / "part.obj").write_text("v 0 0 0")
    with pytest.raises(ModelError, match=r"Mesh: 'part.obj' is not read; export it as STL"):
        gd.Mesh(tmp_path / "part.obj")
    part.write_bytes(part.read_bytes()[:200])
    with pytest.raises(ModelError, match=r"cut off or no STL file \(200 bytes, 12 triangles announced\)"):
        gd.Mesh(part)


def test_shapes_are_data(part):
    shape = gd.Mesh(part)
    assert dataclasses.replace(shape, color="#000000").triangles == shape.triangles
    assert hash(shape) == hash(gd.Mesh(part))
    assert "triangles" not in repr(shape)
