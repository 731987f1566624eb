"""Files that are not what they should be: clear errors, no crash, no hang, nothing left running."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from gudgeon import ModelError
from gudgeon.cad import read
from gudgeon.io import iges, step

STEP = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
STEP += "FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n{}\nENDSEC;\nEND-ISO-10303-21;\n"


def has_opencascade():
    return pytest.importorskip("OCP.STEPCAFControl", reason="OpenCASCADE is not installed: pip install gudgeon[cad]")


@pytest.mark.parametrize("module", [step, iges])
def test_paths(module, tmp_path):
    name = f"io.{module.__name__.rsplit('.', 1)[1]}.read"
    (tmp_path / "engine.stp").write_text("x")
    with pytest.raises(ModelError, match=rf"{name}: there is no file '.*engin.stp'; did you mean 'engine.stp'\?"):
        module.read(tmp_path / "engin.stp")
    with pytest.raises(ModelError, match="there is no folder"):
        module.read(tmp_path / "nowhere" / "engine.stp")
    with pytest.raises(ModelError, match="is a folder; give the path of a file in it"):
        module.read(tmp_path)
    with pytest.raises(ModelError, match="path is a int; give the path of a file"):
        module.read(3)
    with pytest.raises(ModelError, match=r"there is no file 'a\\x00b'|cannot be opened"):
        module.read("a\0b")
    (tmp_path / "empty.stp").touch()
    with pytest.raises(ModelError, match=r"'.*empty.stp' is empty; export it again"):
        module.read(tmp_path / "empty.stp")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe.stp")
    with pytest.raises(ModelError, match="is a device or a pipe"):
        step.read(tmp_path / "pipe.stp")


def test_size_limit(tmp_path):
    path = tmp_path / "large.stp"
    path.write_bytes(b"ISO-10303-21;" + b" " * 3_000_000)
    with pytest.raises(ModelError, match=r"has 3 MB, more than the limit of 2 MB; .* or give size_limit=3e\+06"):
        step.read(path, size_limit=2e6)


def test_not_step(tmp_path):
    path = tmp_path / "part.stp"
    path.write_bytes(b"solid cube\n facet normal 0 0 1\n")
    with pytest.raises(ModelError, match=r"is not a STEP file: it begins with b'solid cube"):
        step.read(path)
    path.write_bytes(b"\x1f\x8b\x08\x00rubbish")
    with pytest.raises(ModelError, match="is compressed; unpack it first"):
        step.read(path)
    with pytest.raises(ModelError, match="is not an IGES file: column 73"):
        iges.read(path)


def test_cut_off(tmp_path):
    path = tmp_path / "part.stp"
    path.write_text(STEP.format("#1=CARTESIAN_POINT('',(0.,0.,0.));")[:-20])
    with pytest.raises(ModelError, match=r"is cut off: 'END-ISO-10303-21;' is missing at its end"):
        step.read(path)
    path.write_text(f"{'':72}S      1\n{'1H,,1H;,':72}G      1\n")
    with pytest.raises(ModelError, match="is cut off: its last line is not the 'T' line"):
        iges.read(path)


@pytest.mark.parametrize("field", ["time_limit", "trim_tolerance"])
def test_limits_must_be_positive(field, tmp_path):
    path = tmp_path / "part.stp"
    path.write_text(STEP.format(""))
    with pytest.raises(ModelError, match=f"{field} is 0 .*; give a positive number"):
        step.read(path, **{field: 0.0})


def test_without_opencascade(tmp_path, monkeypatch):
    path = tmp_path / "part.stp"
    path.write_text(STEP.format(""))
    monkeypatch.setattr(read.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"which is not installed; run pip install gudgeon\[cad\]"):
        step.read(path)


def test_reading_is_not_needed_to_import():
    code = "import gudgeon.io.step, sys; print([x for x in ('OCP', 'numba', 'xarray') if x in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "data",
    [
        "",
        "#1=CARTESIAN_POINT('',(0.,0.,0.));",
        "#1=ADVANCED_FACE('x',(#2),#3,.T.);",
        "#1=ADVANCED_FACE('x',(#1),#1,.T.);",
        "#1=#1;",
        "rubbish (((",
        "#1=CARTESIAN_POINT('',(1e999,nan,0.));",
        "#99999999999999999999=PLANE('',#1);",
    ],
)
def test_no_faces_or_nonsense(data, tmp_path):
    has_opencascade()
    path = tmp_path / "part.stp"
    path.write_text(STEP.format(data))
    with pytest.raises(ModelError, match=r"io\.step\.read: .*part\.stp.*(has no face that can|cannot be used|broke)"):
        step.read(path)


def test_the_entity_is_named(tmp_path):
    """A reference to nothing, whether OpenCASCADE breaks down on it or only finds no face."""
    has_opencascade()
    from cad_files import block_with_bore, one_part, write_step

    path = tmp_path / "part.stp"
    path.write_text(STEP.format("#1=ADVANCED_FACE('see #7',(#2),#3,.T.);"))
    with pytest.raises(ModelError, match=r"error: entity #1 refers to #2, which is not in the file"):
        step.read(path)
    text = write_step(tmp_path / "good.step", one_part(block_with_bore())).read_text()
    number = text.split(" = SHAPE_DEFINITION_REPRESENTATION")[0].rsplit("#", 1)[1]
    path.write_text(
        text.replace(
            f"#{number} = SHAPE_DEFINITION_REPRESENTATION(#", f"#{number} = SHAPE_DEFINITION_REPRESENTATION(#99"
        )
    )
    with pytest.raises(ModelError, match=rf"error: entity #{number} refers to #99\d+, which is not in the file"):
        step.read(path)


def test_random_damage(tmp_path):
    """Bytes of a good file overwritten: an error that names the file, or faces."""
    has_opencascade()
    import numpy as np
    from cad_files import block_with_bore, one_part, write_step

    good = bytearray(write_step(tmp_path / "good.step", one_part(block_with_bore())).read_bytes())
    rng = np.random.default_rng(1)
    start = good.index(b"DATA;")
    for trial in range(6):
        bad = bytearray(good)
        for place in rng.integers(start + 6, len(bad) - 40, 2 * 4**trial // 4 + 1):
            bad[place] = int(rng.integers(32, 127))
        path = tmp_path / f"bad{trial}.step"
        path.write_bytes(bad)
        try:
            faces = step.read(path, time_limit=30.0)
        except ModelError as error:
            assert path.name in str(error)
        else:
            assert len(faces) >= 1


def test_a_face_that_lost_its_surface_is_named(tmp_path):
    has_opencascade()
    from cad_files import block_with_bore, one_part, write_step

    path = write_step(tmp_path / "good.step", one_part(block_with_bore(), "block", {0: "lid"}))
    text = path.read_text()
    place = text.index("ADVANCED_FACE('lid'")
    reference = text[place:].split("),#", 1)[1].split(",", 1)[0]
    (tmp_path / "bad.step").write_text(text.replace(f"),#{reference},", "),#987654,"))
    faces = step.read(tmp_path / "bad.step")
    assert len(faces) == 6
    assert "lid" not in faces
    ((name, why),) = faces.refused.items()
    assert "'lid'" in name and name.startswith("entity #")
    assert "refers to what is not in the file" in why
    assert "refused: entity #" in str(faces)


@pytest.mark.skipif(sys.platform == "win32", reason="asks the process table")
def test_time_limit_and_crash(tmp_path, monkeypatch):
    """A child that hangs is killed; one that crashes is reported. Both without OpenCASCADE."""
    path = tmp_path / "part.stp"
    path.write_text(STEP.format(""))
    monkeypatch.setattr(read.importlib.util, "find_spec", lambda name: True)
    popen = subprocess.Popen
    children = []

    def instead(code):
        def start(command, **options):
            children.append(popen([sys.executable, "-c", code], **options))
            return children[-1]

        monkeypatch.setattr(read.subprocess, "Popen", start)

    instead("import time; time.sleep(1000)")
    began = time.monotonic()
    with pytest.raises(ModelError, match=r"was not read within 0.5 s and was given up; .* larger time_limit="):
        step.read(path, time_limit=0.5)
    assert time.monotonic() - began < 10
    assert children[-1].poll() is not None
    instead("import os, signal; print('Error: 3 is not 4', flush=True); os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(ModelError, match=r"broke down on .*part.stp' \(by SIGSEGV\) \(Error: 3 is not 4\)"):
        step.read(path)
    instead("raise SystemExit(3)")
    with pytest.raises(ModelError, match="with exit code 3"):
        step.read(path)
