"""The tree of a mechanism and the loops of its cut joints as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gudgeon.bodies import GROUND

if TYPE_CHECKING:
    from gudgeon.system import System
    from gudgeon.topology.topology import Topology

MOST_LINES = 200  # of each list


def text(topology: Topology) -> str:
    """The tree, the cut joints with their loops, the other joints, and the count of freedoms."""
    freedoms = topology.coordinate_count - topology.loop_rows - len(topology.system.drives)
    drives = f" − {counted(len(topology.system.drives), 'drive')}" if topology.system.drives else ""
    sum_of_all = f"{topology.coordinate_count} tree coordinates − {counted(topology.loop_rows, 'loop row')}{drives}"
    return "\n".join(
        [
            topology.system.name,
            GROUND,
            *_tree(topology),
            *_listed("cut joints", topology, topology.cuts, _cut),
            *_listed("joints without rows", topology, others(topology), _other),
            f"{sum_of_all} = {counted(freedoms, 'freedom')} (Grübler)",
        ]
    )


def kind_of(system: System, joint_name: str) -> str:
    """What a joint is: its type, and its model unless it is ideal."""
    joint = system.joints[joint_name]
    return f"{type(joint).__name__}, {type(joint.model).__name__}" if joint.is_compliant else type(joint).__name__


def drives_of(system: System, joint_name: str) -> list[str]:
    """The names of the drives of a joint."""
    return [name for name, drive in system.drives.items() if drive.joint == joint_name]


def others(topology: Topology) -> list[str]:
    """The joints that neither carry a body nor close a loop: compliant and free ones."""
    carrying = {link.joint for link in topology.links}
    return [name for name, rows in topology.rows.items() if not rows and name not in carrying]


def counted(count: int, noun: str) -> str:
    """A number with its noun, in the plural unless it is one."""
    number = f"−{-count}" if count < 0 else str(count)
    return f"{number} {noun}" if count == 1 else f"{number} {noun}s"


def _tree(topology: Topology) -> list[str]:
    last = {link.parent: link.body for link in topology.links}
    before = {GROUND: ""}  # what stands in front of the children of a body
    lines: list[str] = []
    for link in topology.links[:MOST_LINES]:
        end = last[link.parent] == link.body
        before[link.body] = before[link.parent] + ("   " if end else "│  ")
        branch = before[link.parent] + ("└─ " if end else "├─ ")
        freedoms = counted(topology.freedoms(link), "freedom")
        if link.joint is None:
            lines.append(f"{branch}{link.body} ── floats ({freedoms})")
        else:
            turned = ", reversed" if link.reversed else ""
            lines.append(f"{branch}{link.body} ── {_joint(topology.system, link.joint, freedoms + turned)}")
    hidden = len(topology.links) - len(lines)
    return [*lines, f"… and {hidden} more bodies"] if hidden else lines


def _joint(system: System, name: str, more: str) -> str:
    drives = "".join(f", driven by {drive}" for drive in drives_of(system, name))
    return f"{name} ({kind_of(system, name)}, {more}{drives})"


def _cut(topology: Topology, name: str) -> str:
    rows = counted(topology.rows[name], "row")
    return f"{_joint(topology.system, name, rows)} closes {' – '.join(topology.loop(name))}"


def _other(topology: Topology, name: str) -> str:
    joint = topology.system.joints[name]
    return f"{name} ({kind_of(topology.system, name)}) between {joint.parent} and {joint.child}"


def _listed(title: str, topology: Topology, names: Sequence[str], line: Callable[[Topology, str], str]) -> list[str]:
    shown = [f"  {line(topology, name)}" for name in names[:MOST_LINES]]
    hidden = len(names) - len(shown)
    return [title, *shown, *([f"  … and {hidden} more"] if hidden else [])] if names else []
