"""What docs/model_files.md shows is true."""

from __future__ import annotations

import re
from pathlib import Path

import gudgeon as gd
from gudgeon.files.kinds import fields
from gudgeon.files.model_file import NOT_ASKED, read_model

PAGE = Path(__file__).parents[2] / "docs" / "model_files.md"


def test_the_file_on_the_page_is_read(tmp_path):
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (tmp_path / "pendulum.yaml").write_text(text)
    model = read_model(tmp_path / "pendulum.yaml")
    assert model.system.bodies["bob"].mass == 0.5
    assert model.run == {"duration": 1.0, "solver": gd.Implicit(rtol=1e-9)}


def test_the_page_names_all_sections():
    for name in [*fields(gd.System), *(name for name in fields(gd.simulate) if name not in NOT_ASKED)]:
        assert f"`{name}`" in PAGE.read_text()


def test_entries_on_the_page(tmp_path):
    """The surfaces and orientations of the table, made."""
    text = """
    bodies:
      pin: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, 0, 2], angle: 90 deg}}
    interfaces:
      film:
        frame: body
        reference: [pin, {type: Surface.cylinder, radius: 10 mm, bottom: 0, top: 20 mm}]
        corresponding:
        - ground
        - type: moved
          surface: {type: Surface.cylinder, radius: 11 mm, bottom: 0, top: 20 mm}
          translation: [0, 0, 1 mm]
        corresponding_side: -1
    """
    (tmp_path / "film.yaml").write_text(text)
    system = gd.load_system(tmp_path / "film.yaml")
    assert abs(system.bodies["pin"].orientation[3] - 0.5**0.5) < 1e-15
    cylinder = gd.nurbs.Surface.cylinder(0.011, 0.0, 0.02).moved(translation=(0.0, 0.0, 0.001))
    assert system.interfaces["film"].corresponding == ("ground", cylinder)


def test_a_law_per_area_has_other_units(tmp_path):
    ball, cup = "{type: Surface.sphere, radius: 10 mm}", "{type: Surface.sphere, radius: 10.1 mm}"
    text = f"""
    bodies: {{ball: {{mass: 1, inertia: [1, 1, 1]}}}}
    joints:
      cup:
        type: Spherical
        parent: ground
        child: ball
        at: [0, 0, 0]
        model:
          type: SurfaceContact
          interface: {{reference: [ball, {ball}], corresponding: [ground, {cup}], corresponding_side: -1}}
          contact: {{type: KelvinVoigt, stiffness: 1000 MPa/mm, damping: 0}}
    """
    (tmp_path / "cup.yaml").write_text(text)
    assert gd.load_system(tmp_path / "cup.yaml").joints["cup"].model.contact.stiffness == 1e12
