"""Mass, centre and inertia of shapes: closed forms."""

import numpy as np
import pytest
from stl_files import CORNER_TETRAHEDRON, ball_points, binary, box_points, text

import gudgeon as gd
from gudgeon.rotations import rotation_matrix

STEEL = 7850.0
TURN = np.array([0.8, 0.36, -0.48, 0.0])


def inertia(body):
    return np.array(body.inertia)


@pytest.mark.parametrize(
    ("shape", "mass", "principal"),
    [
        (gd.Box((0.1, 0.2, 0.3)), STEEL * 0.006, np.array([0.13, 0.10, 0.05]) / 12.0),
        (gd.Sphere(0.05), STEEL * 4 / 3 * np.pi * 0.05**3, 0.4 * 0.05**2 * np.ones(3)),
        (
            gd.Cylinder(0.03, 0.4),
            STEEL * np.pi * 0.03**2 * 0.4,
            np.array([(3 * 0.03**2 + 0.4**2) / 12, (3 * 0.03**2 + 0.4**2) / 12, 0.5 * 0.03**2]),
        ),
    ],
    ids=["box", "sphere", "cylinder"],
)
def test_textbook_inertias(shape, mass, principal):
    body = gd.Body.of_shape(shape, density=STEEL)
    assert body.mass == pytest.approx(mass, rel=1e-14)
    np.testing.assert_allclose(inertia(body), mass * np.diag(principal), rtol=1e-13, atol=1e-18)


def test_a_tube_is_a_cylinder_less_its_bore():
    tube, bar, bore = (gd.Cylinder(r, 0.5, inner_radius=i) for r, i in ((0.1, 0.06), (0.1, 0.0), (0.06, 0.0)))
    bodies = [gd.Body.of_shape(x) for x in (tube, bar, bore)]
    assert bodies[0].mass == pytest.approx(bodies[1].mass - bodies[2].mass, rel=1e-14)
    np.testing.assert_allclose(inertia(bodies[0]), inertia(bodies[1]) - inertia(bodies[2]), rtol=1e-13, atol=1e-15)


def test_a_turned_and_shifted_shape_turns_and_shifts_its_body():
    plain = gd.Body.of_shape(gd.Box((0.1, 0.2, 0.3)))
    moved = gd.Body.of_shape(gd.Box((0.1, 0.2, 0.3), position=(1, 2, 3), orientation=TURN), position=(0.5, 0, 0))
    R = rotation_matrix(TURN)
    np.testing.assert_allclose(moved.position, (1.5, 2, 3), rtol=1e-15)
    np.testing.assert_allclose(inertia(moved), R @ inertia(plain) @ R.T, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(moved.shape.position, 0.0, atol=1e-15)  # now measured from the centre of mass


def test_the_pose_places_the_frame_of_the_shape():
    body = gd.Body.of_shape(gd.Sphere(0.1, position=(1, 0, 0)), position=(0, 0, 5), orientation=(0, 0, 0, -1.0))
    np.testing.assert_allclose(body.position, (-1, 0, 5), atol=1e-15)  # half a turn about z


@pytest.mark.parametrize("write", [binary, text])
def test_the_corner_tetrahedron(tmp_path, write):
    """x, y, z ≥ 0, x + y + z ≤ 1: V = 1/6, ∫x dV = 1/24, ∫x² dV = 1/60, ∫xy dV = 1/120 (Dirichlet's integrals)."""
    (tmp_path / "part.stl").write_bytes(write(CORNER_TETRAHEDRON))
    volume, centre, moments = gd.Mesh(tmp_path / "part.stl", unit="m").own_volume()
    squares, products = 1 / 60 - 1 / 96, 1 / 120 - 1 / 96
    assert volume == pytest.approx(1 / 6, rel=1e-14)
    np.testing.assert_allclose(centre, 0.25, rtol=1e-14)
    np.testing.assert_allclose(
        moments, 3 * squares * np.eye(3) - (squares - products) * np.eye(3) - products, rtol=1e-12
    )


def test_a_mesh_in_millimetres_equals_the_box(tmp_path):
    (tmp_path / "box.stl").write_bytes(binary(box_points((100, 200, 300), (7, -20, 500))))
    body, box = gd.Body.of_shape(gd.Mesh(tmp_path / "box.stl")), gd.Body.of_shape(gd.Box((0.1, 0.2, 0.3)))
    assert body.mass == pytest.approx(box.mass, rel=1e-7)  # STL has single precision
    np.testing.assert_allclose(body.position, (0.007, -0.020, 0.5), rtol=1e-6)
    np.testing.assert_allclose(inertia(body), inertia(box), rtol=1e-6, atol=1e-7)


def test_an_inside_out_mesh_has_the_same_mass(tmp_path):
    (tmp_path / "box.stl").write_bytes(binary(box_points((1, 2, 3))[:, ::-1]))
    assert gd.Body.of_shape(gd.Mesh(tmp_path / "box.stl", unit="m"), density=1).mass == pytest.approx(6.0, rel=1e-12)


def test_polyhedra_converge_to_the_ball_in_the_second_order(tmp_path):
    errors = []
    for steps in (8, 16, 32):
        (tmp_path / "ball.stl").write_bytes(binary(ball_points(1.0, steps)))
        body = gd.Body.of_shape(gd.Mesh(tmp_path / "ball.stl", unit="m"), density=1.0)
        exact = 8 / 15 * np.pi
        errors.append(abs(inertia(body)[0, 0] - exact) / exact)
    assert 3.8 < errors[0] / errors[1] < 4.2
    assert 3.8 < errors[1] / errors[2] < 4.2


def test_step_solids_by_opencascade(tmp_path):
    """A box with a bore and a ball apart from it, as closed forms say."""
    pytest.importorskip("OCP")
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder, BRepPrimAPI_MakeSphere
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
    from OCP.STEPControl import STEPControl_StepModelType, STEPControl_Writer

    box = BRepPrimAPI_MakeBox(gp_Pnt(-50, -30, -20), gp_Pnt(50, 30, 20)).Shape()
    bore = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, -20), gp_Dir(0, 0, 1)), 10.0, 40.0).Shape()
    writer = STEPControl_Writer()
    writer.Transfer(BRepAlgoAPI_Cut(box, bore).Shape(), STEPControl_StepModelType.STEPControl_AsIs)
    writer.Transfer(BRepPrimAPI_MakeSphere(gp_Pnt(200, 0, 0), 25.0).Shape(), STEPControl_StepModelType.STEPControl_AsIs)
    writer.Write(str(tmp_path / "part.step"))
    shape = gd.Step(tmp_path / "part.step")
    parts = [
        (1.0, gd.Box((0.1, 0.06, 0.04))),
        (-1.0, gd.Cylinder(0.01, 0.04)),
        (1.0, gd.Sphere(0.025, position=(0.2, 0, 0))),
    ]
    masses = [(sign, *part.mass_properties(STEEL)) for sign, part in parts]
    mass = sum(sign * m for sign, m, _, _ in masses)
    centre = sum(sign * m * c for sign, m, c, _ in masses) / mass
    expected = sum(
        sign * (J + m * ((c - centre) @ (c - centre) * np.eye(3) - np.outer(c - centre, c - centre)))
        for sign, m, c, J in masses
    )
    body = gd.Body.of_shape(shape, density=STEEL)
    assert body.mass == pytest.approx(mass, rel=1e-9)
    np.testing.assert_allclose(body.position, centre, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(inertia(body), expected, rtol=1e-8, atol=1e-12)
    assert shape.surface().open_edges() == 0
    assert shape.surface().volume()[0] == pytest.approx(shape.volume, rel=1e-2)  # triangles, for drawing
    np.testing.assert_allclose(shape.surface().corners.max(axis=0), (0.225, 0.03, 0.025), atol=1e-3)
