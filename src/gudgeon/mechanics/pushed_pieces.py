"""What the forces of compliant joints move: pieces of the mechanism, and their velocities.

A piece is bodies that constraint rows hold together. A force moves the pieces that it pushes and nothing else, so that
joints which push no piece in common do not feel each other. A piece that very many forces push is a hub. Bodies that
move as prescribed (held_bodies.py) are moved by no force, and belong to no piece.
"""

from __future__ import annotations

from functools import cached_property

from gudgeon.kernels.dynamics import arrays
from gudgeon.kernels.elements.flexible_arrays import FIRST_CARRY, LAST_CARRY
from gudgeon.mechanics.solved_loads import SolvedLoad, solved_loads
from gudgeon.topology.graph import Components, Graph

MANY = 2  # forces on a piece for each velocity of the bodies that they push, above which it is a hub


class PushedPieces:
    """The pieces that each compliant joint pushes. What the joints `together` move counts as one piece.

    Pieces are named after one of their bodies; bodies are numbered from 1, the ground is 0.
    """

    def __init__(self, model: arrays.Model, together: set[int], held: set[int]):
        self._model, self._together, self._held = model, together, {0, *held}
        self._in_tree = len(model.tree) > 0
        self._body, self._inner = (model.tree[:, c].tolist() for c in (arrays.TREE_BODY, arrays.TREE_PARENT))
        self.forces: list[int] = model.compliant[:, arrays.UNKNOWNS].tolist()
        self.sides: list[list[int]] = model.compliant[:, [arrays.SOCKET, arrays.BALL]].tolist()
        rubbing = model.rubbing.tolist()
        self._rubbing = set(rubbing)
        for k in rubbing:  # a thread moves the bodies of two joints
            self.sides[k] = model.compliant[k, arrays.RUB_ENDS : arrays.RUB_ENDS + 4].tolist()
        self.piece = self._pieces()
        self.hubs = {} if self._in_tree else self._hubs()  # piece → the bodies that joints push
        self._joint_count = len(self.sides)
        self.loads = solved_loads(model)
        self.forces += [load.efforts for load in self.loads]
        self.sides += [list(load.pushed) for load in self.loads]
        pushed = [sorted({self.piece[b] for b in ends if b not in self._held}) for ends in self.sides]
        self.hubs_of = [[p for p in pieces if p in self.hubs] for pieces in pushed]
        for k, load in enumerate(self.loads, start=self._joint_count):
            self.hubs_of[k] = self._hubs_of_load(load)
        velocities = self._velocities()
        self.columns = [list(dict.fromkeys(d for p in pieces for d in velocities[p])) for pieces in pushed]
        if self._in_tree:
            self.columns = [sorted(each) for each in self.columns]
        self.felt = _joints_at([[p for p in pieces if p not in self.hubs] for pieces in pushed])
        self.felt = [others if count else [] for others, count in zip(self.felt, self.forces, strict=True)]
        self.felt_by: list[list[int]] = [[] for _ in self.sides]  # −1 − k of loads k that feel a line
        numbered = list(enumerate(self.loads, start=self._joint_count))
        line_of = {load.state: k for k, load in numbered}
        for k, load in numbered:
            sensed = {self.piece[b] for b in load.sensed if b not in self._held} - set(self.hubs)
            felt = (o for o, pieces in enumerate(pushed) if self.forces[o] and not sensed.isdisjoint(pieces))
            self.felt[k] = sorted({k, *felt, *(line_of[state] for state in load.states if state in line_of)})
            for o in self.felt[k]:
                self.felt_by[o].append(-1 - k)

    def is_load(self, k: int) -> bool:
        """Whether line k is a load."""
        return k >= self._joint_count

    def _hubs_of_load(self, load: SolvedLoad) -> list[int]:
        """The hubs that a load pushes or senses, whose bodies it pushes or senses are among those of the hub then."""
        bodies = [b for b in (*load.pushed, *sorted(load.sensed)) if self.piece[b] in self.hubs and b not in self._held]
        for b in bodies:
            own = self.hubs[self.piece[b]]
            if b not in own:
                own.append(b)
        return sorted({self.piece[b] for b in bodies})

    def _pieces(self) -> list[int]:
        """For each body its piece."""
        model, body, inner = self._model, self._body, self._inner
        ends = [*model.block[:, [arrays.PARENT, arrays.CHILD]].tolist(), *(self.sides[k] for k in self._together)]
        for k in range(1, len(model.block)):  # a coupling moves the bodies of two joints
            if model.block[k, arrays.KIND] == arrays.ECHO:
                both = model.block[k - 1 : k + 1, [arrays.PARENT, arrays.CHILD]].reshape(-1).tolist()
                moved = [b for b in both if b not in self._held]
                ends += [[moved[0], b] for b in moved[1:]]
        root = [0]
        for g in range(1, len(body)):
            root.append(root[inner[g]] if inner[g] else g)
        whole = {root[self.link(b)] for k in self._together for b in self.sides[k] if b > 0} if self._in_tree else set()
        for g in range(1, len(body)):
            if model.tree[g, arrays.TREE_JOINT] >= 0 or root[g] in whole:  # an ideal joint carries it
                ends.append([body[g], body[inner[g]]])
        ends += self._sharing_nodes()
        moving = [(u, v) for each in ends for u, v in _two_by_two(each) if u not in self._held and v not in self._held]
        count = len(model.body) + len(model.flexible.carrier)  # nodes that carry something are pieces too
        graph = Graph(node_count=count, ends=moving, rows=[0] * len(moving))
        parts = Components(graph, range(len(moving)))
        return [parts.of(b) for b in range(graph.node_count)]

    def _sharing_nodes(self) -> list[list[int]]:
        """Pairs of points on flexible bodies that a node carries together, of those that forces solved for push."""
        ends = [b for sides in [*self.sides, *(load.pushed for load in solved_loads(self._model))] for b in sides]
        at_node: dict[int, int] = {}  # a point that it carries
        pairs = ([b, at_node.setdefault(n, b)] for b in ends if b >= len(self._model.body) for n in self._nodes(b))
        return [[b, other] for b, other in pairs if b != other]

    def link(self, body: int) -> int:
        """The line of a body in the tree, 0 in absolute coordinates."""
        return self._links.get(body, 0)

    @cached_property
    def _links(self) -> dict[int, int]:
        return {b: g for g, b in enumerate(self._body)}

    @cached_property
    def _with_nodes(self) -> set[int]:
        """The pieces to which a node belongs."""
        return set(self.piece[len(self._model.body) :])

    @cached_property
    def _with_friction(self) -> set[int]:
        """The pieces with ideal joints that rub: they feel every force on the piece by their reactions."""
        return {self.piece[b] for k in self._rubbing for b in self.sides[k]}

    def _hubs(self) -> dict[int, list[int]]:
        forces: dict[int, int] = {}
        bodies: dict[int, set[int]] = {}
        for k, ends in enumerate(self.sides):
            bodies_of = [b for b in ends if b not in self._held and b < len(self._model.body)]
            for p in {self.piece[b] for b in bodies_of if k not in self._together}:
                if p in self._with_nodes or p in self._with_friction:
                    continue
                forces[p] = forces.get(p, 0) + self.forces[k]
                bodies.setdefault(p, set()).update(b for b in ends if b not in self._held and self.piece[b] == p)
        return {p: sorted(each) for p, each in bodies.items() if forces[p] > MANY * 6 * len(each)}

    def _velocities(self) -> list[list[int]]:
        """For each piece the velocities that change when it moves: those of its bodies, first those pushed at a hub.

        In relative coordinates those of its links, and of links that are measured from one of its bodies.
        """
        out: list[list[int]] = [[] for _ in self.piece]
        if not self._in_tree:
            first = dict.fromkeys(b for bodies in self.hubs.values() for b in bodies)
            for b in first | dict.fromkeys(b for b in range(1, len(self.piece)) if b not in self._held):
                at = self._first_velocity(b)
                out[self.piece[b]] += range(at, at + 6) if b < len(self._model.body) else self._of_nodes(b)
        for g in range(1, len(self._body)):
            ends = self._body[g], self._body[self._inner[g]]
            for p in {self.piece[b] for b in ends if b not in self._held}:
                out[p] += self._freedoms(g)
        for b in range(len(self._model.body), len(self.piece)) if self._in_tree else ():
            out[self.piece[b]] += self._of_nodes(b)
        return out

    def _of_nodes(self, b: int) -> list[int]:
        """The velocities of the nodes that carry a point, after those of all bodies or links."""
        model = self._model
        before = sum(model.tree[:, arrays.FREEDOMS].tolist()) if self._in_tree else 6 * (len(model.body) - 1)
        return [before + 2 * node + c for node in self._nodes(b) for c in range(2)]

    def _nodes(self, b: int) -> list[int]:
        """The nodes that carry a point."""
        s = self._model.flexible
        first, last = s.carrier[b - len(self._model.body), [FIRST_CARRY, LAST_CARRY]]
        weight = s.carry_weight[first:last]
        return s.carry[first:last][weight != 0.0].tolist()

    def _freedoms(self, g: int) -> range:
        """The velocities of a link."""
        first, count = self._model.tree[g, [arrays.TREE_VELOCITY, arrays.FREEDOMS]].tolist()
        return range(first, first + count)

    def reach(self, k: int) -> list[int]:
        """The velocities between the two bodies of joint k in the tree; none in absolute coordinates, none of loads."""
        if self.is_load(k):
            return []
        if k in self._together:
            return self.columns[k] if self._in_tree else []
        links: set[int] = set()
        for ends in _two_by_two(self.sides[k]):
            between: set[int] = set()
            for b in ends:
                g = self.link(b)
                while g:
                    between ^= {g}  # what lies inwards of both is not between them
                    g = self._inner[g]
            links |= between
        nodes = [d for b in self.sides[k] if self._in_tree and b >= len(self._model.body) for d in self._of_nodes(b)]
        return sorted([*nodes, *(d for g in links for d in self._freedoms(g))])

    def place(self, k: int, body: int) -> int:
        """Where the velocities of a body begin among the columns of joint k in absolute coordinates; −1: not there."""
        first = self._first_velocity(body)
        return self.columns[k].index(first) if not self._in_tree and first in self.columns[k] else -1

    def _first_velocity(self, body: int) -> int:
        """The first velocity of a body, or of the node that carries a point, in absolute coordinates."""
        return 6 * (body - 1) if body < len(self._model.body) else self._of_nodes(body)[0]


def _two_by_two(ends: list[int]) -> list[list[int]]:
    """Pairs of bodies, of two or of four."""
    return [ends[at : at + 2] for at in range(0, len(ends), 2)]


def _joints_at(pushed: list[list[int]]) -> list[list[int]]:
    """For each joint those that push one of its pieces, itself included."""
    joints: dict[int, list[int]] = {}
    for k, pieces in enumerate(pushed):
        for p in pieces:
            joints.setdefault(p, []).append(k)
    return [sorted({k, *(o for p in pieces for o in joints[p])}) for k, pieces in enumerate(pushed)]


def colours(moved: list[set[int]]) -> list[list[int]]:
    """Groups of joints that move nothing in common, from what each moves."""
    groups: list[list[int]] = []
    taken: list[set[int]] = []  # velocities of each group
    for k, mine in enumerate(moved):
        at = next((n for n, others in enumerate(taken) if others.isdisjoint(mine)), len(groups))
        if at == len(groups):
            groups.append([])
            taken.append(set())
        groups[at].append(k)
        taken[at] |= mine
    return groups
