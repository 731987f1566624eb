"""The tree of a mechanism: complete, of fewest loop rows, cheap where mechanisms are long, and as the user wants it."""

from __future__ import annotations

import io
import pickle
import re
import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gudgeon as gd
import published_joints
from benchmarks.test_andrews_squeezer import squeezer
from benchmarks.test_bricard import bricard
from benchmarks.test_car_axis import car_axis
from benchmarks.test_double_pendulum import double_pendulum
from benchmarks.test_flyball_governor import governor
from benchmarks.test_hooke_joint import hooke
from benchmarks.test_n_four_bar import n_four_bar
from gudgeon.topology.graph import Graph, blocks, distances
from gudgeon.topology.loops import Loops
from gudgeon.topology.spanning import spanning_tree
from gudgeon.topology.topology import Link
from mechanisms import pendulum, slider_crank
from mistakes import refuses
from random_mechanisms import FEW, KINDS, mechanisms, random_joint
from real_joints import EVERY_MODEL, two_bodies

BODY = gd.Body(mass=1.0, inertia=(1, 1, 1))
HERE = (0.0, 0.0, 0.0)
BUSHING = gd.Bushing(stiffness=1e5)


def of(bodies: str | list[str], **joints: gd.Joint) -> gd.System:
    """A system of equal bodies."""
    return gd.System(bodies=dict.fromkeys(bodies.split() if isinstance(bodies, str) else bodies, BODY), joints=joints)


def revolute(parent: str, child: str) -> gd.Revolute:
    return gd.Revolute(parent, child, at=HERE)


def ball(parent: str, child: str, model: gd.Bushing | gd.Ideal = gd.Ideal()) -> gd.Spherical:  # noqa: B008
    return gd.Spherical(parent, child, at=HERE, model=model)


def chain(count: int, joint=revolute) -> gd.System:
    names = [f"b{k}" for k in range(count)]
    before = ["ground", *names]
    return of(names, **{f"j{k}": joint(before[k], name) for k, name in enumerate(names)})


def ladder(steps: int) -> gd.System:
    """Two chains side by side with a rung between each pair of links."""
    bodies, joints = [], {}
    for k in range(steps):
        bodies += [f"l{k}", f"r{k}", f"rung{k}"]
        for side in "lr":
            joints[f"{side}{k}"] = ball("ground" if k == 0 else f"{side}{k - 1}", f"{side}{k}")
        joints[f"a{k}"] = ball(f"l{k}", f"rung{k}")
        joints[f"b{k}"] = ball(f"rung{k}", f"r{k}")
    return of(bodies, **joints)


def scissors(stages: int) -> gd.System:
    """Crossed bars, pinned in their middles and to the bars of the next stage."""
    bodies, joints = [], {"foot": revolute("ground", "l0"), "roll": gd.UniversalPrismatic("ground", "r0", at=HERE)}
    for k in range(stages):
        bodies += [f"l{k}", f"r{k}"]
        joints[f"middle {k}"] = revolute(f"l{k}", f"r{k}")
        if k:
            joints[f"rising {k}"] = revolute(f"l{k - 1}", f"r{k}")
            joints[f"falling {k}"] = revolute(f"r{k - 1}", f"l{k}")
    return of(bodies, **joints)


def robot() -> gd.System:
    """A walking machine of twelve bodies that nothing holds to the ground."""
    body = "pelvis", "torso", "head", "left arm", "left hand", "right arm", "right hand", "tool"
    legs = "left thigh", "left shank", "right thigh", "right shank"
    system = of(
        [*body, *legs],
        **{
            "waist": ball("pelvis", "torso"),
            "neck": gd.Universal("torso", "head", at=HERE),
            "left shoulder": ball("torso", "left arm"),
            "left wrist": revolute("left arm", "left hand"),
            "right shoulder": ball("torso", "right arm"),
            "right wrist": revolute("right hand", "right arm"),
            "grip": gd.Rigid("right hand", "tool", at=HERE),
            "left hip": ball("pelvis", "left thigh"),
            "left knee": revolute("left thigh", "left shank"),
            "right hip": ball("pelvis", "right thigh"),
            "right knee": revolute("right thigh", "right shank"),
        },
    )
    heavy = {**system.bodies, "torso": gd.Body(mass=30.0, inertia=(1, 1, 1))}
    return system.replace(name="robot", bodies=heavy, drives={"knee motor": gd.Drive("left knee", "t")})


EVERY_SYSTEM = {
    "spatial four-bar": gd.examples.spatial_four_bar(),
    **{f"four-bar, {joint}": gd.examples.spatial_four_bar(joint) for joint in ("dry", "lubricated", "bushing")},
    "squeezer": squeezer(),
    "bricard": bricard(),
    "car axis": car_axis(),
    "double pendulum": double_pendulum(),
    "governor": governor(),
    "hooke": hooke(),
    "five four-bars": n_four_bar(5),
    "pendulum": pendulum(),
    "slider-crank": slider_crank(gd.Drive("pivot", "t")),
    "published chain": published_joints.chain(),
    "unconnected": published_joints.unconnected(),
    "two bodies": two_bodies(EVERY_MODEL["Coulomb"]),
    "ladder": ladder(6),
    "scissors": scissors(6),
    "robot": robot(),
}


@st.composite
def systems(draw, **limits) -> gd.System:
    """Random mechanisms, some of whose ball joints are compliant."""
    system = draw(mechanisms(loads=0, **{"bodies": 8, "loops": 5, **limits}))
    balls = [name for name, joint in system.joints.items() if isinstance(joint, gd.Spherical)]
    soft = draw(st.lists(st.sampled_from(balls), unique=True)) if balls else []
    return system.with_model(**dict.fromkeys(soft, BUSHING))


def parts(system: gd.System, joints: list[str]) -> int:
    """Into how many parts these joints connect the ground and the bodies."""
    part = {name: {name} for name in ["ground", *system.bodies]}
    for name in joints:
        one, two = part[system.joints[name].parent], part[system.joints[name].child]
        if one is not two:
            one |= two
            part |= dict.fromkeys(two, one)
    return len({id(group) for group in part.values()})


def check(topology: gd.Topology) -> None:
    """Everything that must be so for every tree of every mechanism."""
    system = topology.system
    rows = {n: 0 if j.is_compliant else j.blocks().row_count for n, j in system.joints.items()}
    edges = [name for name in system.joints if rows[name]]
    assert sorted(link.body for link in topology.links) == sorted(system.bodies)
    met = {"ground"}
    for link in topology.links:
        assert link.parent in met
        met.add(link.body)
        if link.joint is None:
            assert link.parent == "ground" and not link.reversed
        else:
            joint = system.joints[link.joint]
            ends = (joint.child, joint.parent) if link.reversed else (joint.parent, joint.child)
            assert ends == (link.parent, link.body)
    carrying = [link.joint for link in topology.links if link.joint is not None]
    assert len(carrying) == len(set(carrying))
    assert sorted([*topology.cuts, *(name for name in carrying if rows[name])]) == sorted(edges)
    attached = 1 + len(system.bodies) - parts(system, edges)
    assert len(topology.cuts) == len(edges) - attached
    assert sum(link.joint is None for link in topology.links) == parts(system, list(system.joints)) - 1
    assert topology.loop_rows == sum(rows[name] for name in topology.cuts)
    assert topology.coordinate_count - topology.loop_rows - len(system.drives) == system.gruebler_freedoms

    inwards = {link.body: link.parent for link in topology.links}
    through = dict.fromkeys(system.bodies, 0)
    for name in topology.cuts:
        joint = system.joints[name]
        lines = []
        for end in (joint.parent, joint.child):
            line = [end]
            while line[-1] != "ground":
                line.append(inwards[line[-1]])
            lines.append(line)
        sides = topology.path(name)
        assert sides == tuple(tuple(n for n in a if n not in b) for a, b in (lines, lines[::-1]))
        common = next(body for body in lines[0] if body in lines[1])
        assert topology.loop(name) == (*sides[0], common, *reversed(sides[1]))
        for body in (*sides[0], *sides[1]):
            through[body] += rows[name]
    assert topology.rows_through == through


def cost(topology: gd.Topology) -> int:
    return sum(rows * rows for rows in topology.rows_through.values())


# --- the tree ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY_SYSTEM)
def test_tree_of_every_mechanism(name):
    topology = EVERY_SYSTEM[name].topology()
    check(topology)
    for cut in topology.cuts:
        check(EVERY_SYSTEM[name].topology(cuts=(cut,)))


@FEW
@given(systems())
def test_tree_of_random_mechanisms(system):
    check(system.topology())


@FEW
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(0, 25))
def test_tree_of_random_graphs(seed, body_count, joint_count):
    """Joints between any two bodies, also many between the same two; nothing needs to be connected."""
    rng = np.random.default_rng(seed)
    names = ["ground", *(f"b{k}" for k in range(body_count))]
    joints = {}
    for k in range(joint_count):
        parent, child = (str(name) for name in rng.choice(names, 2, replace=False))
        joints[f"j{k}"] = random_joint(rng, KINDS[rng.integers(len(KINDS))], parent, child)
    bodies = {name: gd.Body(mass=rng.uniform(1, 2), inertia=(1, 1, 1)) for name in names[1:]}
    system = gd.System(bodies=bodies, joints=joints)
    topology = system.topology()
    check(topology)
    assert topology == system.topology()  # nothing is left to chance


def trees(system: gd.System):
    """All spanning trees of a small mechanism, as the joints they cut."""
    edges = [n for n, j in system.joints.items() if not j.is_compliant and j.blocks().row_count]
    whole = parts(system, edges)
    for kept in combinations(edges, 1 + len(system.bodies) - whole):
        if parts(system, list(kept)) == whole:
            yield [name for name in edges if name not in kept]


@FEW
@given(systems(bodies=5, loops=3, drives=0))
def test_fewest_loop_rows(system):
    rows = [sum(system.joints[name].blocks().row_count for name in cuts) for cuts in trees(system)]
    assert system.topology().loop_rows == min(rows)


@FEW
@given(st.integers(0, 2**32 - 1))
def test_cheapest_of_all_trees_of_small_mechanisms(seed):
    """Of all trees of fewest rows, one within a tenth of the least cost; nearly always the cheapest itself."""
    rng = np.random.default_rng(seed)
    names = ["ground", "a", "b", "c", "d", "e"]
    joints = {}
    for k in range(9):
        parent, child = (names[k], names[k + 1]) if k < 5 else (str(n) for n in rng.choice(names, 2, replace=False))
        joints[f"j{k}"] = (revolute if rng.random() < 0.3 else ball)(parent, child)
    system = of(names[1:], **joints)
    topology = system.topology()
    every = [system.topology(cuts) for cuts in trees(system)]
    least = min(cost(other) for other in every if other.loop_rows == topology.loop_rows)
    assert cost(topology) <= 1.1 * least


def test_exchange_of_a_cut_costs_what_was_foretold():
    """Loops.costs against the loops counted anew after the exchange."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        ends = [(k, k + 1) for k in range(9)] + [tuple(rng.choice(10, 2, replace=False).tolist()) for _ in range(6)]
        graph = Graph(node_count=10, ends=ends, rows=[int(r) for r in rng.integers(3, 6, len(ends))])
        for cut in range(9, len(ends)):
            for choice in range(4):
                loops = Loops(graph.rows, set())
                for other in range(9, len(ends)):
                    if other != cut:
                        loops.add(other, range(min(ends[other]), max(ends[other])))
                before, path = loops.cost, list(range(min(ends[cut]), max(ends[cut])))
                foretold = loops.costs(cut, path)
                choice = min(choice, len(path))
                if choice:
                    loops.exchange(cut, path, path[choice - 1])
                else:
                    loops.add(cut, path)
                assert loops.cost - before == foretold[choice]
                again = Loops(graph.rows, set())
                for other, along in loops.path.items():
                    again.add(other, along)
                    u, v = ends[other]
                    degree = np.bincount([n for k in (*along, other) for n in ends[k]], minlength=10)
                    assert set(degree) <= {0, 2} and degree[u] == degree[v] == 2  # a closed loop
                carried = {k: load for k, load in loops.load.items() if load}
                assert carried == {k: load for k, load in again.load.items() if load}


def test_blocks_of_a_graph():
    """Two triangles that share a node, a bridge, a pair of parallel edges."""
    ends = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (6, 7), (7, 6)]
    graph = Graph(node_count=9, ends=ends, rows=[5] * len(ends))
    assert sorted(sorted(block) for block in blocks(graph)) == [[0, 1, 2], [3, 4, 5], [6], [7, 8]]
    assert distances(graph, [0, 6], without={0}) == [0, 2, 1, 2, 2, 3, 0, 1, -1]
    tree = spanning_tree(graph, distances(graph, [0, 6], without=set()), {0})
    assert 0 not in tree and len(tree) == 6


# --- what floats ----------------------------------------------------------------------------------------------


def test_joints_without_rows_carry_what_nothing_else_holds():
    system = of(
        "a b c d e f g",
        pin=revolute("ground", "a"),
        free=gd.Free("ground", "b"),
        soft=ball("b", "a", BUSHING),  # compliant goes before free
        weld=gd.Rigid("c", "d", at=HERE),
        softer=ball("d", "b", BUSHING),  # d is the root of the pair c, d
        loose=gd.Free("a", "e"),
        hinge=revolute("f", "g"),
    )
    heavy = {**system.bodies, "g": gd.Body(mass=2.0, inertia=(1, 1, 1))}
    topology = system.replace(bodies=heavy).topology()
    check(topology)
    assert topology.link["b"] == Link(body="b", parent="a", joint="soft", reversed=True)
    assert topology.link["d"] == Link(body="d", parent="b", joint="softer", reversed=True)
    assert topology.link["c"] == Link(body="c", parent="d", joint="weld", reversed=True)
    assert topology.link["e"] == Link(body="e", parent="a", joint="loose")
    assert topology.link["g"] == Link(body="g", parent="ground", joint=None)
    assert topology.link["f"] == Link(body="f", parent="g", joint="hinge", reversed=True)
    assert topology.cuts == ()


def test_real_joints_close_no_loop():
    topology = gd.examples.spatial_four_bar("dry").topology()
    assert topology.cuts == () and topology.coordinate_count == 5
    assert [link.joint for link in topology.links] == ["A", "B", "D"]
    real = two_bodies(EVERY_MODEL["bushing"]).topology()
    assert real.links[0] == Link(body="one", parent="ground", joint=None)
    assert real.links[1] == Link(body="two", parent="one", joint="J")


# --- long mechanisms ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "short", "most"),
    [(ladder, 33, 6), (n_four_bar, 50, 10), (scissors, 50, 10)],
    ids=["ladder", "four-bars", "scissors"],
)
def test_rows_through_a_link_do_not_grow_with_length(make, short, most):
    for count in (short, 10 * short):
        topology = make(count).topology()
        assert max(topology.rows_through.values()) <= most
    assert make(10).topology().cuts  # it has loops at all


@pytest.mark.parametrize(("make", "seconds"), [(chain, 0.5), (lambda n: ladder(n // 30), 4.0)], ids=["chain", "ladder"])
def test_long_mechanisms_are_quick(make, seconds):
    system = make(10_000)
    times = []
    for _ in range(3):
        began = time.process_time()
        topology = system.topology()
        times.append(time.process_time() - began)
    assert min(times) < seconds
    assert len(topology.links) == len(system.bodies)
    assert len(str(topology)) < 1_000_000


def test_many_mechanisms_in_one_are_solved_one_by_one():
    """A ladder, four-bars and scissors side by side get the trees they get alone."""
    alone = [ladder(8), n_four_bar(8), scissors(8)]
    bodies, joints = {}, {}
    for n, system in enumerate(alone):
        bodies |= {f"{n} {name}": body for name, body in system.bodies.items()}
        for name, joint in system.joints.items():
            parent, child = (b if b == "ground" else f"{n} {b}" for b in (joint.parent, joint.child))
            joints[f"{n} {name}"] = type(joint)(parent, child, at=HERE)
    together = gd.System(bodies=bodies, joints=joints).topology()
    assert together.cuts == tuple(f"{n} {name}" for n, system in enumerate(alone) for name in system.topology().cuts)


# --- the user's cuts ------------------------------------------------------------------------------------------


def test_cuts_of_the_user():
    system = gd.examples.spatial_four_bar()
    for name in "ABCD":
        topology = system.topology(cuts=[name])
        assert topology.cuts == (name,)
        check(topology)
    bars = n_four_bar(3)
    topology = bars.topology(cuts=("pin 2", "left 0"))
    assert len(topology.cuts) == 3 and {"pin 2", "left 0"} <= set(topology.cuts)
    check(topology)
    assert system.topology(cuts=()) == system.topology()


@FEW
@given(systems(), st.data())
def test_cuts_of_the_user_in_random_mechanisms(system, data):
    """What another tree cuts can be asked for; what is asked for is cut."""
    topology = system.topology()
    wanted = data.draw(st.lists(st.sampled_from(topology.cuts), unique=True)) if topology.cuts else []
    check(system.topology(cuts=wanted))
    for name in [n for n, j in system.joints.items() if not j.is_compliant and j.blocks().row_count]:
        if any(name in cuts for cuts in [topology.cuts]) or any(
            link.joint == name and any(link.body in side for cut in topology.cuts for side in topology.path(cut))
            for link in topology.links
        ):  # it is in a loop
            again = system.topology(cuts=[name])
            assert name in again.cuts
            check(again)
        else:
            with refuses(f"topology: {system.joints[name].label(name)} cannot be cut: it is in no loop"):
                system.topology(cuts=[name])


def test_cuts_that_are_refused():
    four_bar = gd.examples.spatial_four_bar()
    with refuses("topology: no joint 'CC' to cut; did you mean 'C'?"):
        four_bar.topology(cuts=("CC",))
    with refuses("topology: no joint 3 to cut; known are 'A', 'B', 'C', 'D'"):
        four_bar.topology(cuts=(3,))  # type: ignore[arg-type]
    with refuses("topology: cuts is 'C'; give several names, as in cuts=('C',)"):
        four_bar.topology(cuts="C")
    with refuses(
        "topology: Revolute 'pivot' cannot be cut: it is in no loop, and nothing would hold 'bob' to 'ground'"
    ):
        pendulum().topology(cuts=("pivot",))
    with refuses("topology: Spherical 'B' cannot be cut: with 'C' also cut it is in no loop any more, and nothing …"):
        four_bar.topology(cuts=("B", "C"))
    with refuses("topology: Spherical 'C' cannot be cut: it is compliant (Bushing), acts by forces and closes no loop"):
        gd.examples.spatial_four_bar("bushing").topology(cuts=("C",))
    with refuses("topology: Free 'f' cannot be cut: it has no constraint rows and closes no loop; take it out of cuts"):
        of("a", f=gd.Free("ground", "a")).topology(cuts=("f",))
    with refuses("path: 'A' is not a cut joint; known are 'C'"):
        four_bar.topology().path("A")


# --- text and picture -----------------------------------------------------------------------------------------


def test_text_of_a_robot():
    assert str(robot().topology()) == (
        "robot\n"
        "ground\n"
        "└─ torso ── floats (6 freedoms)\n"
        "   ├─ pelvis ── waist (Spherical, 3 freedoms, reversed)\n"
        "   │  ├─ left thigh ── left hip (Spherical, 3 freedoms)\n"
        "   │  │  └─ left shank ── left knee (Revolute, 1 freedom, driven by knee motor)\n"
        "   │  └─ right thigh ── right hip (Spherical, 3 freedoms)\n"
        "   │     └─ right shank ── right knee (Revolute, 1 freedom)\n"
        "   ├─ head ── neck (Universal, 2 freedoms)\n"
        "   ├─ left arm ── left shoulder (Spherical, 3 freedoms)\n"
        "   │  └─ left hand ── left wrist (Revolute, 1 freedom)\n"
        "   └─ right arm ── right shoulder (Spherical, 3 freedoms)\n"
        "      └─ right hand ── right wrist (Revolute, 1 freedom, reversed)\n"
        "         └─ tool ── grip (Rigid, 0 freedoms)\n"
        "27 tree coordinates − 0 loop rows − 1 drive = 26 freedoms (Grübler)"
    )


def test_text_of_loops_and_forces():
    lines = str(n_four_bar(2).topology()).splitlines()
    assert "  right 1 (Revolute, 5 rows) closes coupler 1 – crank 1 – ground – crank 2" in lines
    assert lines[-1] == "5 tree coordinates − 10 loop rows = −5 freedoms (Grübler)"
    assert "  C (Spherical, Dry) between coupler and rocker" in str(gd.examples.spatial_four_bar("dry").topology())
    short = str(chain(1000).topology()).splitlines()
    assert short[202] == "… and 800 more bodies" and len(short) == 204
    assert "  … and 133 more" in str(ladder(333).topology()).splitlines()


@pytest.mark.parametrize("name", EVERY_SYSTEM)
def test_picture_shows_everything_and_no_label_covers_another(name):
    topology = EVERY_SYSTEM[name].topology()
    figure = topology.plot()
    figure.savefig(io.BytesIO(), format="png", dpi=72)
    (axes,) = figure.axes
    texts = {text.get_text(): text for text in axes.texts}
    assert {topology.system.name, "ground", *topology.system.bodies, *topology.system.joints} <= set(texts)
    assert {f"driven by {drive}" for drive in topology.system.drives} <= set(texts)
    areas = [(text.get_text(), text.get_window_extent()) for text in axes.texts]
    for (one, a), (two, b) in combinations(areas, 2):
        width, height = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert width < 1.0 or height < 4.0, (one, two)  # [px] at 72 dpi, where a line is 11 high
    page = figure.bbox
    assert all(page.x0 <= a.x0 and a.x1 <= page.x1 and page.y0 <= a.y0 and a.y1 <= page.y1 for _, a in areas)
    dashed = [line for line in axes.lines if line.get_linestyle() == "--"]
    assert len(dashed) == len(topology.cuts) + bool(topology.cuts)  # and the legend


def test_picture_of_a_large_mechanism_is_drawn_smaller():
    figure = chain(400).topology().plot()
    assert max(figure.get_size_inches()) <= 120.0
    assert len(figure.axes[0].texts) > 800


def test_it_is_plain_data():
    topology = n_four_bar(3).topology()
    assert pickle.loads(pickle.dumps(topology)) == topology
    assert re.match(r"Topology\(links=\(Link\(body='crank 0', parent='ground', joint='pin 0'", repr(topology))
    assert isinstance(topology, gd.Topology)
