"""Time and error of the gap at a point: followed, searched, OpenCASCADE and the published golden section, in one run.

64×16 points of a reference surface, 40 samples of a motion, one core, centimetre-sized parts:

journal    a pin whirling and spinning in its bore, cylinders as NURBS
ball       a ball in a socket, spheres as NURBS
free-form  a plane against a bicubic rational sheet of 9 patches

The time is the minimum over interleaved repeats of the whole call, divided by the points; of OpenCASCADE only its
Perform and the reading of its answer are timed, lines are made beforehand and the window is a millimetre. It gets the
same NURBS, and in a second row its own cylinder and sphere, which it solves by a formula (a CAD file may hold either).
Pencil and golden section are NumPy, a few points each; the golden section is told the right patch. The error is the
largest |h − h_exact|; of the free-form sheet, the largest distance of p + h n from S_c(ξ) by the definition (2).
"""

import sys
import time

import numpy as np

from gudgeon.nurbs import GapState, Pose, Surface, SurfacePair, gap_field
from gudgeon.nurbs import knots as kv
from gudgeon.nurbs.implicit import golden_section, implicit_matrix
from gudgeon.nurbs.pencil import pencil_hits

try:
    from peers import opencascade_lines as occ
except ImportError as error:
    occ = None
    print(f"OpenCASCADE: left out ({error}); pip install cadquery-ocp-novtk", file=sys.stderr)

SAMPLES, REPEATS, WINDOW, SLOW_POINTS = 40, 7, 1e-3, 24
OUTER, INNER = 0.0101, 0.0100


def whirl(k):
    a = 2 * np.pi * k / 200
    return Pose(position=(5e-5 * np.cos(a), 5e-5 * np.sin(a), 0), rotation=(np.cos(a / 2), 0, 0, np.sin(a / 2)))


def glide(k):
    a = 2 * np.pi * k / 200
    return Pose(position=(5e-4 * np.sin(a), 2e-4 * a, 1e-4), rotation=(np.cos(a / 40), 0, 0, np.sin(a / 40)))


def sheet():
    rng = np.random.default_rng(3)
    x, y = np.meshgrid(np.linspace(-0.01, 0.01, 6), np.linspace(-0.01, 0.01, 6), indexing="ij")
    knots = kv.clamped(3, [1 / 3, 2 / 3])
    z = 2e-4 * rng.normal(size=x.shape)
    return Surface(
        degree=(3, 3), knots=(knots, knots), points=np.stack([x, y, z], 2), weights=rng.uniform(0.5, 2, x.shape)
    )


def cases():
    bore, pin = Surface.cylinder(OUTER, -0.01, 0.01), Surface.cylinder(INNER, -0.02, 0.02)
    plane = Surface.plane(origin=(-0.006, -0.006, 0), edge1=(0.012, 0, 0), edge2=(0, 0.012, 0))
    flat = (1.0, 1.0, 0.0)
    return {
        "journal": (SurfacePair(reference=bore, corresponding=pin, reference_side=-1), whirl, flat),
        "ball": (
            SurfacePair(reference=Surface.sphere(OUTER), corresponding=Surface.sphere(INNER), reference_side=-1),
            whirl,
            (1.0, 1.0, 1.0),
        ),
        "free-form": (SurfacePair(reference=plane, corresponding=sheet().reversed()), glide, None),
    }


def error(pair, pose, field, axes):
    """The largest error of the gap [m]."""
    if axes is not None:
        direction, offset = field.point * axes / OUTER, pose.packed[9:12]
        along = direction @ offset
        exact = OUTER - along - np.sqrt(INNER**2 - (offset @ offset - along**2))
        return float(np.abs(field.gap - exact).max())
    s = pair.corresponding
    xi = field.xi.reshape(-1, 2)
    net = s.homogeneous
    n1, n2 = (kv.basis_matrix(s.knots[k], s.degree[k], xi[:, k]) for k in (0, 1))
    top = np.einsum("qi,qj,ijx->qx", n1, n2, net)
    world = (top[:, :3] / top[:, 3:]) @ pose.packed[:9].reshape(3, 3).T + pose.packed[9:12]
    return float(np.abs(world - field.corresponding.reshape(-1, 3)).max())


def timed(run, points):
    began = time.perf_counter()
    run()
    return 1e6 * (time.perf_counter() - began) / points


def measure(name, pair, motion, axes):
    poses = [motion(k) for k in range(SAMPLES)]
    here, count = Pose(), len(pair.xi1) * len(pair.xi2)
    state, cold_state = GapState(pair), GapState(pair)

    def warm():
        for pose in poses:
            gap_field(pair, here, pose, state=state)

    def cold():
        for pose in poses[::4]:
            cold_state.forget()
            gap_field(pair, here, pose, state=cold_state)

    runs = {"gudgeon, warm": (warm, SAMPLES * count), "gudgeon, cold": (cold, len(poses[::4]) * count)}
    gap_field(pair, here, poses[0], state=state)
    worst = max(error(pair, pose, gap_field(pair, here, pose, state=state), axes) for pose in poses)
    assert not np.isnan(state.field.gap).any()
    cold()
    errors = {"gudgeon, warm": worst, "gudgeon, cold": error(pair, poses[-4], cold_state.field, axes)}

    field = gap_field(pair, here, poses[0]).copy()
    matrix = poses[0].packed[:9].reshape(3, 3)
    origins = (field.point.reshape(-1, 3) - poses[0].packed[9:12]) @ matrix
    normals = field.basis[..., 1].reshape(-1, 3) @ matrix
    gaps = field.gap.ravel()
    if occ is not None:
        lines = occ.as_lines(origins, normals)
        faces = {"OpenCASCADE, NURBS": occ.face(pair.corresponding)}
        if name != "free-form":
            faces["OpenCASCADE, own"] = occ.cylinder(INNER, -0.02, 0.02) if name == "journal" else occ.sphere(INNER)
        for row, shape in faces.items():
            search = occ.intersector(shape)
            found = occ.nearest(search, lines, -WINDOW, WINDOW)
            errors[row] = float(np.nanmax(np.abs(found - gaps)))
            if np.isnan(found).any():
                print(f"{name}: {row} loses {np.isnan(found).sum()} of {count}", file=sys.stderr)
            runs[row] = (lambda search=search: occ.nearest(search, lines, -WINDOW, WINDOW), count)

    chosen = np.linspace(0, count - 1, SLOW_POINTS).astype(int)
    patches = pair.corresponding.bezier()
    scaled = [implicit_matrix(patch, scaled=True) for patch in patches]
    m = pair.corresponding.patches
    at = field.xi.reshape(-1, 2)
    place = [
        np.clip(np.searchsorted(b, at[:, k], "right") - 1, 0, len(b) - 2) for k, b in ((0, m.break1), (1, m.break2))
    ]
    home = place[0] * (len(m.break2) - 1) + place[1]
    answers = {}

    def pencil():
        found = [pencil_hits(pair.corresponding, origins[q], normals[q], matrices=scaled)[:, 0] for q in chosen]
        answers["pencil"] = np.array([min(h, key=abs) for h in found])

    def golden():
        answers["golden"] = np.array(
            [golden_section(scaled[home[q]], origins[q], normals[q], delta=1e-6, farthest=WINDOW)[0] for q in chosen]
        )

    for row, run, key in (("pencil (NumPy)", pencil, "pencil"), ("golden section (NumPy)", golden, "golden")):
        run()
        runs[row] = (run, SLOW_POINTS)
        errors[row] = float(np.nanmax(np.abs(answers[key] - gaps[chosen])))
        if np.isnan(answers[key]).any():
            print(f"{name}: {row} finds no minimum at {np.isnan(answers[key]).sum()} of {SLOW_POINTS}", file=sys.stderr)

    best = dict.fromkeys(runs, np.inf)
    for repeat in range(REPEATS):
        for row, (run, points) in runs.items():
            if repeat < 2 or "NumPy" not in row:
                best[row] = min(best[row], timed(run, points))
    return {row: (best[row], errors[row]) for row in runs}


def main() -> None:
    print("| case | method | µs a point | times gudgeon, warm | error [m] |")
    print("|---|---|---|---|---|")
    for name, (pair, motion, axes) in cases().items():
        table = measure(name, pair, motion, axes)
        unit = table["gudgeon, warm"][0]
        for row, (micro, worst) in table.items():
            print(f"| {name} | {row} | {micro:.2f} | {micro / unit:.1f} | {worst:.1e} |")


if __name__ == "__main__":
    main()
