"""The spanning tree of a mechanism: which joint carries each body, and which joints are cut and close loops.

Relative coordinates keep the free coordinates of the joints in the tree; a joint outside the tree is cut, and its
constraint rows close the loop. A point on a curve is always cut: what its joint leaves free are no coordinates; so is a
joint that lets go. Joints without rows, free and compliant ones, close no loop; one of them carries a body (or a group
of bodies) that nothing else connects to the ground, with all its six freedoms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from gudgeon.bodies import GROUND, FlexibleBody
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.flexible_bodies import flexible_bodies, joints_on_nodes
from gudgeon.switches import releasable_joints
from gudgeon.topology.graph import Components, Graph, distances
from gudgeon.topology.spanning import spanning_tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gudgeon.system import System


@dataclass(frozen=True, kw_only=True)
class Link:
    """One moving body and how it hangs in the tree."""

    body: str  # outer body
    parent: str  # inner body, nearer to the ground; "ground" possible
    joint: str | None  # the joint that carries it; None: it floats freely against `parent`
    reversed: bool = False  # the joint's parent is the outer body


@dataclass(frozen=True, kw_only=True)
class Topology:
    """The tree of a mechanism and its cut joints; `print` it, or `.plot()` it. `System.topology()` makes it.

    >>> import gudgeon as gd
    >>> print(gd.examples.spatial_four_bar().topology())
    spatial four-bar
    ground
    ├─ crank ── A (Revolute, 1 freedom)
    │  └─ coupler ── B (Spherical, 3 freedoms)
    └─ rocker ── D (Revolute, 1 freedom)
    cut joints
      C (Spherical, 3 rows) closes coupler – crank – ground – rocker
    5 tree coordinates − 3 loop rows = 2 freedoms (Grübler)
    """

    system: System = field(repr=False)
    links: tuple[Link, ...]  # parents before children
    cuts: tuple[str, ...]  # joints that close loops by constraint rows, in the order of the system

    @cached_property
    def rows(self) -> dict[str, int]:
        """The constraint rows of each joint of the system; 0 where it acts by forces."""
        return _rows_of_joints(self.system)

    @cached_property
    def link(self) -> dict[str, Link]:
        """The link of each body."""
        return {link.body: link for link in self.links}

    @cached_property
    def depth(self) -> dict[str, int]:
        """The number of links from the ground to each body, itself included."""
        depth = {GROUND: 0}
        for link in self.links:
            depth[link.body] = depth[link.parent] + 1
        return depth

    @cached_property
    def _flexible(self) -> dict[str, FlexibleBody]:
        return flexible_bodies(self.system)

    def freedoms(self, link: Link) -> int:
        """The number of free coordinates of a link: 6 if it floats or hangs in a compliant joint; of nodes 2 each."""
        if link.body in self._flexible:
            return 2 * self._flexible[link.body].mesh.node_count
        return 6 if link.joint is None else 6 - self.rows[link.joint]

    @property
    def coordinate_count(self) -> int:
        """The number of free coordinates of all links (a rotation in space counts 3)."""
        return sum(self.freedoms(link) for link in self.links)

    @property
    def loop_rows(self) -> int:
        """The number of constraint rows of the cut joints."""
        return sum(self.rows[name] for name in self.cuts)

    def path(self, joint_name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The bodies along the loop of a cut joint, on its parent's and on its child's side.

        Each side runs from the joint inwards and ends below the body both have in common.

        >>> import gudgeon as gd
        >>> gd.examples.spatial_four_bar().topology().path("C")
        (('coupler', 'crank'), ('rocker',))
        """
        if joint_name not in self.cuts:
            raise ModelError(f"path: {joint_name!r} is not a cut joint; {did_you_mean(joint_name, self.cuts)}")
        joint = self.system.joints[joint_name]
        ends = [joint.parent, joint.child]
        sides: tuple[list[str], list[str]] = ([], [])
        while ends[0] != ends[1]:
            side = 0 if self.depth[ends[0]] >= self.depth[ends[1]] else 1
            sides[side].append(ends[side])
            ends[side] = self.link[ends[side]].parent
        return tuple(sides[0]), tuple(sides[1])

    def loop(self, joint_name: str) -> tuple[str, ...]:
        """All bodies of the loop that a cut joint closes, from its parent around to its child.

        >>> import gudgeon as gd
        >>> gd.examples.spatial_four_bar().topology().loop("C")
        ('coupler', 'crank', 'ground', 'rocker')
        """
        one, two = self.path(joint_name)
        joint = self.system.joints[joint_name]
        common = self.link[one[-1]].parent if one else joint.parent
        return (*one, common, *reversed(two))

    @cached_property
    def rows_through(self) -> dict[str, int]:
        """For each body the rows of all loops that pass through its link; the solver pays for their squares."""
        rows = dict.fromkeys((link.body for link in self.links), 0)
        for name in self.cuts:
            for side in self.path(name):
                for body in side:
                    rows[body] += self.rows[name]
        return rows

    def plot(self) -> Figure:
        """A picture: bodies as boxes by their distance from the ground, cut joints in red.

        >>> import gudgeon as gd
        >>> figure = gd.examples.spatial_four_bar().topology().plot()
        """
        from gudgeon.view.topology import picture

        return picture(self)

    def __str__(self) -> str:
        from gudgeon.view.tree import text

        return text(self)


def topology(system: System, cuts: Iterable[str] | None = None) -> Topology:
    """The tree of a system; `cuts` names joints that must be cut, the others are chosen.

    >>> import gudgeon as gd
    >>> from gudgeon.topology.topology import topology
    >>> topology(gd.examples.spatial_four_bar(), cuts=("B",)).cuts
    ('B',)
    """
    number = {GROUND: 0, **{name: 1 + k for k, name in enumerate(system.bodies)}}
    rows, releasable = _rows_of_joints(system), releasable_joints(system)
    closing = {  # in no tree
        name for name, joint in system.joints.items() if name in releasable or (rows[name] and not joint.carries)
    }
    edges = [name for name in system.joints if rows[name] and name not in closing]
    ends = [(number[system.joints[name].parent], number[system.joints[name].child]) for name in edges]
    graph = Graph(node_count=len(number), ends=ends, rows=[rows[name] for name in edges])
    forced = _forced_cuts(system, graph, edges, cuts, closing)
    carriers = _carriers(system, rows, graph, number)
    distance = distances(graph, [0, *carriers], without=forced)
    tree = spanning_tree(graph, distance, forced)
    cut = {name for k, name in enumerate(edges) if k not in tree}
    return Topology(
        system=system,
        links=tuple(_links(system, graph, edges, tree, carriers)),
        cuts=tuple(name for name in system.joints if name in closing or name in cut),
    )


def _rows_of_joints(system: System) -> dict[str, int]:
    """The constraint rows of every joint, which its type and that of its model decide; 0 where it acts by forces."""
    kinds = {
        name: (type(joint), type(joint.model), joint.keeps_rows, 0 if joint.carries else joint.blocks().on_curve)
        for name, joint in system.joints.items()
    }
    of_kind = {kinds[name]: joint for name, joint in system.joints.items()}
    rows = {kind: 0 if joint.is_compliant else joint.blocks().row_count for kind, joint in of_kind.items()}
    on_nodes = joints_on_nodes(system)
    return {name: 0 if name in on_nodes else rows[kinds[name]] for name in system.joints}


def _forced_cuts(
    system: System, graph: Graph, edges: list[str], cuts: Iterable[str] | None, closing: set[str]
) -> set[int]:
    """The edges a user wants cut, checked; those of `closing` are cut anyway."""
    if isinstance(cuts, str):
        raise ModelError(f"topology: cuts is {cuts!r}; give several names, as in cuts=({cuts!r},)")
    names = list(dict.fromkeys(cuts or ()))
    for name in names:
        if not isinstance(name, str) or name not in system.joints:
            raise ModelError(f"topology: no joint {name!r} to cut; {did_you_mean(name, system.joints)}")
        joint = system.joints[name]
        if joint.is_compliant:
            raise ModelError(
                f"topology: {joint.label(name)} cannot be cut: it is compliant ({type(joint.model).__name__}), acts by "
                "forces and closes no loop; take it out of cuts"
            )
        if name in joints_on_nodes(system):
            raise ModelError(
                f"topology: {joint.label(name)} cannot be cut: it holds nodes of a flexible body, which is in no "
                "loop of the tree; take it out of cuts"
            )
        if not joint.blocks().row_count:
            raise ModelError(
                f"topology: {joint.label(name)} cannot be cut: it has no constraint rows and closes no loop; "
                "take it out of cuts"
            )
    place, names = {name: k for k, name in enumerate(edges)}, [name for name in names if name not in closing]
    forced = {place[name] for name in names}
    uncut = Components(graph, (k for k in range(len(edges)) if k not in forced))
    for name in names:
        if uncut.connected(*graph.ends[place[name]]):
            continue
        joint = system.joints[name]
        alone = Components(graph, (k for k in range(len(edges)) if k != place[name]))
        why = "it is in no loop"
        if alone.connected(*graph.ends[place[name]]):
            why = (
                f"with {', '.join(repr(other) for other in names if other != name)} also cut it is in no loop any more"
            )
        raise ModelError(
            f"topology: {joint.label(name)} cannot be cut: {why}, and nothing would hold {joint.child!r} to "
            f"{joint.parent!r}; take it out of cuts"
        )
    return forced


def _carriers(
    system: System, rows: dict[str, int], graph: Graph, number: dict[str, int]
) -> dict[int, tuple[int, str | None]]:
    """How the groups of bodies without a constraint to the ground hang: root body → (parent body, joint).

    In this order: a compliant joint to something that hangs already, a Free joint to that, the ground. A group that
    floats against the ground is rooted in its heaviest body.
    """
    groups = Components(graph, range(len(graph.ends)))
    soft: dict[int, list[tuple[str, int, int]]] = {}  # group → joints that leave it: name, body inside, body outside
    on_nodes = joints_on_nodes(system)
    for name, joint in system.joints.items():
        if not rows[name] and name not in on_nodes and joint.holds:
            parent, child = number[joint.parent], number[joint.child]
            for inside, outside in ((parent, child), (child, parent)):
                soft.setdefault(groups.of(inside), []).append((name, inside, outside))
    masses = [0.0, *(body.mass for body in system.bodies.values())]
    heaviest = iter(sorted(range(1, len(masses)), key=lambda body: -masses[body]))
    carriers: dict[int, tuple[int, str | None]] = {}
    compliant: deque[tuple[str, int, int]] = deque()
    free: deque[tuple[str, int, int]] = deque()
    placed: set[int] = set()
    group: int | None = groups.of(0)
    while group is not None:
        placed.add(group)
        for leaving in soft.get(group, ()):
            (compliant if system.joints[leaving[0]].is_compliant else free).append(leaving)
        group = None
        while group is None and (compliant or free):
            name, inside, outside = (compliant or free).popleft()
            if groups.of(outside) not in placed:
                carriers[outside] = (inside, name)
                group = groups.of(outside)
        if group is None:
            root = next((body for body in heaviest if groups.of(body) not in placed), None)
            if root is not None:
                carriers[root] = (0, None)
                group = groups.of(root)
    return carriers


def _links(
    system: System, graph: Graph, edges: list[str], tree: set[int], carriers: dict[int, tuple[int, str | None]]
) -> Iterable[Link]:
    """The links, each body followed by all that hangs on it."""
    names = [GROUND, *system.bodies]
    hanging: list[list[tuple[int, str | None]]] = [[] for _ in names]
    for k in sorted(tree):
        u, v = graph.ends[k]
        hanging[u].append((v, edges[k]))
        hanging[v].append((u, edges[k]))
    for body, (parent, joint) in carriers.items():
        hanging[parent].append((body, joint))
    stack: list[tuple[int, int, str | None]] = [(body, 0, joint) for body, joint in reversed(hanging[0])]
    while stack:
        body, parent, joint = stack.pop()
        turned = joint is not None and system.joints[joint].parent == names[body]
        yield Link(body=names[body], parent=names[parent], joint=joint, reversed=turned)
        stack += [(other, body, by) for other, by in reversed(hanging[body]) if other != parent]
