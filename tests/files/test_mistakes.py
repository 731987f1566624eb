"""Mistakes in model files: file, line, entry, rule, value and fix; never anything else than a ModelError."""

from __future__ import annotations

import re

import pytest

import gudgeon as gd
from gudgeon.files import yaml_text

PENDULUM = """\
name: pendulum
bodies:
  bob:
    mass: 1 kg
    inertia: [0.01, 0.01, 0.01]
    position: [0, 0, -1]
joints:
  pivot:
    type: Revolute
    parent: ground
    child: bob
    at: [0, 0, 0]
    axis: [0, 1, 0]
  cup:
    type: Spherical
    parent: ground
    child: bob
    at: [0, 0, 0]
    model:
      type: Dry
      socket_radius: 10 mm
      ball_radius: 9.9 mm
      contact: {type: Hertz, stiffness: 1e10}
loads:
  wind: {type: Force, body: bob, vector: [1 N, 'sin(t)', 0]}
  spring: {type: JointSpring, joint: pivot, stiffness: 2 N*m/rad}
"""
MISTAKES = {
    # what is replaced by what: line, entry and message
    ("ball_radius: 9.9 mm", "ball_radius: 10.1 mm"): (
        "22 joints.cup.model.ball_radius: ball_radius is 0.0101 m, socket_radius 0.01 m; the ball must be smaller"
    ),
    ("ball_radius: 9.9 mm", "ball_radius: 9.9 N"): (
        "22 joints.cup.model.ball_radius: '9.9 N' is of another dimension; give a number in m, or a text such as '5 m'"
    ),
    ("ball_radius:", "ball_radus:"): (
        "22 joints.cup.model.ball_radus: Dry has no field 'ball_radus'; did you mean 'ball_radius'?"
    ),
    ("      ball_radius: 9.9 mm\n", ""): "19 joints.cup.model: Dry needs ball_radius; give a number in m",
    ("type: Dry", "type: Drry"): "20 joints.cup.model.type: no joint model 'Drry'; did you mean 'Dry'?",
    ("      type: Dry\n", ""): "19 joints.cup.model: which joint model? give type: Ideal, Dry, ",
    ("type: Revolute", "type: Dry"): "9 joints.pivot.type: no joint 'Dry'; known are 'Rigid', 'Revolute'",
    ("stiffness: 1e10", "stiffness: 1e10 N/m"): "23 joints.cup.model.contact.stiffness: '1e10 N/m' is of another dim",
    ("stiffness: 1e10", "stiffness: -1"): "23 joints.cup.model.contact.stiffness: stiffness is -1; it must be positive",
    ("child: bob\n    at: [0, 0, 0]\n    axis", "child: bobb\n    at: [0, 0, 0]\n    axis"): (
        "11 joints.pivot.child: no body 'bobb'; did you mean 'bob'?"
    ),
    ("axis: [0, 1, 0]", "axis: [0, 1]"): "13 joints.pivot.axis: a list of 2 is given; give a list of 3 numbers",
    ("axis: [0, 1, 0]", "axis: [0, 0, 0]"): "13 joints.pivot.axis: axis is (0.0, 0.0, 0.0), which has no direction",
    ("parent: ground", "parent: 1"): "10 joints.pivot.parent: 1 is given; give a text (a name is a text: write '1')",
    ("mass: 1 kg", "mass: -1 kg"): "4 bodies.bob.mass: mass is -1.0 kg; a body needs a positive mass",
    ("mass: 1 kg", "mass: 1 kgg"): "4 bodies.bob.mass: the unit 'kgg' is not known; did you mean 'kg'?",
    ("mass: 1 kg", "mass: heavy"): "4 bodies.bob.mass: 'heavy' is no number; give a number in kg",
    ("mass: 1 kg", "mass: [1]"): "4 bodies.bob.mass: a list is given; give a number in kg",
    ("mass: 1 kg", "mass: true"): "4 bodies.bob.mass: true is given; give a number in kg",
    ("mass: 1 kg", "mass:"): "4 bodies.bob.mass: nothing is given; give a number in kg",
    ("mass: 1 kg", "mass: .nan"): "4 bodies.bob.mass: mass is nan; give a finite number",
    ("mass: 1 kg", "mass: 1e999"): "4 bodies.bob.mass: mass is inf; give a finite number",
    ("[0, 0, -1]", "[0, 0, -1 s]"): "6 bodies.bob.position[2]: '-1 s' is of another dimension; give a number in m",
    (
        "'sin(t)'",
        "'sinn(t)'",
    ): "25 loads.wind.vector: vector[1]: expression 'sinn(t)': unknown function 'sinn'; did you mean 'sin'?",
    (
        "'sin(t)'",
        "__import__('os')",
    ): "25 loads.wind.vector: vector[1]: expression \"__import__('os')\": unknown function '__import__'",
    (
        "2 N*m/rad",
        "2 N/m",
    ): "26 loads.spring.stiffness: the angle of 'pivot' is of another dimension; give a number in N",
    ("joint: pivot,", "joint: pivt,"): "26 loads.spring.joint: no joint 'pivt'; did you mean 'pivot'?",
    ("bodies:\n  bob:\n", "bodies: 5\nx:\n  bob:\n"): "3 x: a model file has no section 'x'; known are 'name'",
    ("loads:", "load:"): "24 load: a model file has no section 'load'; did you mean 'loads'?",
    ("  spring: {", "  wind: {"): "26 loads.wind: the name 'wind' is used twice; names must be unique",
    ("name: pendulum", "name: [pendulum"): "2: this is not YAML: ",
    ("name: pendulum", "format: gudgeon model 9"): "1 format: this version of gudgeon reads 'gudgeon model 1'",
    ("name: pendulum", "run: 5"): "1 run: 5 is given; give a mapping",
    ("name: pendulum", "run: {duration: 5 m}"): "1 run.duration: '5 m' is of another dimension; give a number in s",
    ("name: pendulum", "run: {sample: 1}"): "1 run: run needs duration; give a number in s",
    (
        "name: pendulum",
        "run: {duration: 1, solver: {type: Implict}}",
    ): "1 run.solver.type: no solver 'Implict'; did you",
}


@pytest.mark.parametrize("change", MISTAKES, ids=lambda change: change[1].strip()[:30])
def test_a_mistake_is_told_with_its_place(change, tmp_path):
    path = tmp_path / "pendulum.yaml"
    assert change[0] in PENDULUM
    path.write_text(PENDULUM.replace(*change, 1))
    with pytest.raises(gd.ModelError, match="^" + re.escape("pendulum.yaml:" + MISTAKES[change])):
        gd.load_system(path)


def test_without_mistakes_it_is_read(tmp_path):
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    system = gd.load_system(tmp_path / "pendulum.yaml")
    assert system.joints["cup"].model == gd.Dry(
        socket_radius=0.01, ball_radius=0.0099, contact=gd.laws.Hertz(stiffness=1e10)
    )
    assert system.loads["wind"] == gd.Force("bob", (1.0, "sin(t)", 0.0))


HOSTILE = {
    "code": "a: !!python/object/apply:os.system [touch hacked]",
    "tag": "bodies: !!map {}",
    "alias": "bodies: &b {x: 1}\njoints: *b",
    "laughs": "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]",
    "merge": "bodies: {<<: {a: 1}}",
    "depth": "[" * 100_000,
    "block depth": "\n".join(" " * k + "a:" for k in range(3000)),
    "two documents": "bodies: {}\n---\nbodies: {}",
    "nothing": "",
    "a word": "hello",
    "a list": "[1, 2, 3]",
    "null byte": "a: \0",
    "binary": "\x7fELF\x02\x01",
    "entries": "a: [" + "0," * 30_000 + "0]",
    "long key": "k" * 2_000_000 + ": 1",
    "long number": "gravity: [" + "9" * 500_000 + ", 0, 0]",
    "huge exponent": "bodies: {b: {mass: 1e" + "9" * 90 + ", inertia: [1, 1, 1]}}",
    "unit tower": "bodies: {b: {mass: '1 kg**9**9**9**9', inertia: [1, 1, 1]}}",
    "unit bomb": "bodies: {b: {mass: '1 " + "kg*" * 100_000 + "kg', inertia: [1, 1, 1]}}",
    "expression tower": "bodies: {b: {mass: 1, inertia: [1,1,1]}}\n"
    "loads: {f: {type: Force, body: b, vector: ['9**9**9**9**9', 0, 0]}}",
    "expression depth": "bodies: {b: {mass: 1, inertia: [1,1,1]}}\n"
    "loads: {f: {type: Force, body: b, vector: ['" + "(" * 50_000 + "t" + ")" * 50_000 + "', 0, 0]}}",
    "attribute": "bodies: {b: {mass: 1, inertia: [1,1,1]}}\n"
    "loads: {f: {type: Force, body: b, vector: ['t.__class__', 0, 0]}}",
    "not a type": "bodies: {b: {type: System, mass: 1, inertia: [1,1,1]}}",
    "not a public type": "bodies: {b: {type: __import__, mass: 1, inertia: [1,1,1]}}",
    "elements": "bodies: {b: {type: FlexibleBody, material: {youngs_modulus: 1, poissons_ratio: 0.3, density: 1}, "
    "mesh: {type: Mesh.rectangle, length: 1, height: 1, nx: 1000000000, ny: 1000000000}}}",
    "outside": "bodies: {b: {type: FlexibleBody, material: {youngs_modulus: 1, poissons_ratio: 0.3, density: 1}, "
    "mesh: {type: Mesh.read, path: ../../etc/passwd}}}",
    "absolute": "bodies: {b: {type: FlexibleBody, material: {youngs_modulus: 1, poissons_ratio: 0.3, density: 1}, "
    "mesh: {type: Mesh.read, path: /etc/passwd}}}",
    "null path": "bodies: {b: {type: FlexibleBody, material: {youngs_modulus: 1, poissons_ratio: 0.3, density: 1}, "
    'mesh: {type: Mesh.read, path: "a\\0b"}}}',
    "degree": "bodies: {b: {mass: 1, inertia: [1,1,1]}}\ninterfaces: {f: {reference: [b, {degree: [1000000000, 1], "
    "knots: [[0, 1], [0, 1]], points: [[[0, 0, 0]]]}], corresponding: [ground, {type: Surface.sphere, radius: 1}]}}",
    "grid": "bodies: {b: {mass: 1, inertia: [1,1,1]}}\ninterfaces: {f: {grid: [1000000000, 1000000000], "
    "reference: [b, {type: Surface.sphere, radius: 1}], corresponding: [ground, {type: Surface.sphere, radius: 2}]}}",
    "samples": "bodies: {b: {mass: 1, inertia: [1,1,1]}}\nrun: {duration: yes}",
    "wrong rows": "bodies: {b: {mass: 1, inertia: [[1, 2], [3]]}}",
    "texts in rows": "bodies: {b: {mass: 1, inertia: [[a, b, c], 1, x]}}",
    "maps in rows": "bodies: {b: {mass: 1, inertia: {a: 1}}}",
    "null everywhere": "bodies: {b: }",
    "body as a list": "bodies: [1, 2]",
    "joint as a number": "bodies: {b: {mass: 1, inertia: [1,1,1]}}\njoints: {a: 5}",
    "type as a list": "bodies: {b: {type: [Body], mass: 1, inertia: [1,1,1]}}",
    "models in a circle": "bodies: {b: {mass: 1, inertia: [1,1,1]}}\nmodels: {a: b, b: a}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_at_once(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(yaml_text, "MOST_ENTRIES", 20_000)
    (tmp_path / "model.yaml").write_text(HOSTILE[name])
    with pytest.raises(gd.ModelError, match=r"^model.yaml:\d+"):
        gd.load_system(tmp_path / "model.yaml")
    assert [path.name for path in tmp_path.iterdir()] == ["model.yaml"]


def test_what_is_no_text_or_too_large(tmp_path):
    (tmp_path / "model.yaml").write_bytes(b"name: \xff\xfe")
    with pytest.raises(gd.ModelError, match=r"model.yaml: byte 6 is not UTF-8; save the file as UTF-8 text"):
        gd.load_system(tmp_path / "model.yaml")
    with open(tmp_path / "model.yaml", "wb") as file:
        file.truncate(17_000_000)
    with pytest.raises(gd.FileError, match=r"load_system: '.*model.yaml' has 17 MB; at most 16 MB are read"):
        gd.load_system(tmp_path / "model.yaml")
    with pytest.raises(gd.FileError, match="load_system: there is no file"):
        gd.load_system(tmp_path / "no.yaml")


def test_a_link_that_leads_outside_is_not_followed(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "secret.msh").write_text("secret")
    (folder / "part.msh").symlink_to(tmp_path / "secret.msh")
    (folder / "model.yaml").write_text(HOSTILE["absolute"].replace("/etc/passwd", "part.msh"))
    with pytest.raises(gd.ModelError, match=r"mesh.path: 'part.msh' is outside the folder of the model"):
        gd.load_system(folder / "model.yaml")
