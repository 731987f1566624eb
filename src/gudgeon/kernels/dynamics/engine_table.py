"""Which function stands behind each entry of the wall (engine.py), in each formulation.

The table of a mechanism has the entries of what it has. The others (events where nothing can touch, nodes where all is
rigid) would do nothing, and are not compiled for it: a call of an empty entry does nothing.
"""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.build.compiled import Addressed
from gudgeon.kernels.contact import events, gaps, modes
from gudgeon.kernels.dynamics import (
    absolute,
    answers,
    articulated,
    bends,
    efforts,
    engine,
    friction_balance,
    joint_loads,
    loads,
    loops,
    pushed,
    rates,
    relative,
    rows,
    signals,
    sweep,
)
from gudgeon.kernels.elements import motion, nodes, points
from gudgeon.kernels.integrators import crossings, instants
from gudgeon.kernels.kinematics import curve_measures, poses, tree

COMMON: dict[int, Addressed] = {
    engine.ROWS: rows.rows_of_blocks,
    engine.APPLIED_FORCES: loads.forces_on_bodies,
    engine.ACCELERATIONS: rates.accelerations_of_state,
    engine.ACCELERATIONS_UNDER: rates.accelerations_under_forces,
}
ABSOLUTE: dict[int, Addressed] = {
    engine.KINEMATICS: poses.body_kinematics,
    engine.CHANGES: poses.changes_of_bodies,
    engine.ACCELERATE: absolute.constrained_accelerations,
    engine.ACCELERATE_FACTORISED: absolute.accelerations_of_rows,
    engine.PREPARE: absolute.prepare_bodies,
    engine.PROJECT: absolute.project_bodies,
    engine.FACTORISED_ROWS: absolute.rows_and_factors,
    engine.SOLVE_ROWS: absolute.solve_and_correct,
    engine.RATE: rates.rate_of_bodies,
}
RELATIVE: dict[int, Addressed] = {
    engine.KINEMATICS: tree.tree_kinematics,
    engine.CHANGES: tree.tree_changes,
    engine.ACCELERATE: relative.tree_accelerations,
    engine.ACCELERATE_FACTORISED: relative.tree_accelerations,
    engine.PREPARE: relative.prepare_tree,
    engine.PROJECT: relative.project_tree,
    engine.LOOP_ROWS: loops.rows_of_loops,
    engine.ARTICULATE_LINK: articulated.hand_inwards,
    engine.SWEEP: sweep.sweep_all,
    engine.TREE_REACTIONS: relative.reactions_of_tree,
    engine.RATE: rates.rate_of_tree,
}
JOINTS: dict[int, Addressed] = {
    engine.LOCAL_MOTION: motion.motion_of_joint,
    engine.START_MODES: modes.modes_at_start,
    engine.SWITCH_MODES: modes.modes_after_event,
    engine.LOOK_AT: gaps.gaps_of_joints,
    engine.FIND_EVENT: events.first_event,
    engine.REACHED: events.event_reached,
    engine.TRACK_PEAKS: events.peaks_of_joints,
}
CROSSINGS: dict[int, Addressed] = {
    engine.CROSSING_GAPS: crossings.gaps_of_crossings,
    engine.LONGEST_STEP: crossings.longest_step_for_crossings,
    engine.RECORD_CROSSINGS: crossings.crossings_in_step,
}
INSTANTS: dict[int, Addressed] = {
    engine.NEXT_INSTANT: instants.next_instant_of,
    engine.CHANGE_AT: instants.changes_at,
    engine.FIND_SWITCH: crossings.first_switch,
}
SIGNALS: dict[int, Addressed] = {engine.SIGNALS: signals.measured_signals}
CURVES: dict[int, Addressed] = {engine.CURVES: curve_measures.measure_of_curve}


def engine_table(
    *,
    tree: bool,
    joints: bool,
    crossings: bool,
    flexible: bool = False,
    stepped: bool = False,
    measured: bool = False,
    rubbing: bool = False,
    instants: bool = False,
    curves: bool = False,
) -> np.ndarray:
    """The addresses for a mechanism in relative coordinates (`tree`) or absolute ones, with what it has."""
    entries = COMMON | (RELATIVE if tree else ABSOLUTE)
    if joints:
        entries |= JOINTS | _answering(tree)
    if joints or crossings:
        entries |= {engine.BENDS: bends.bends_of_tree if tree else bends.bends_of_bodies}
    if crossings:
        entries |= CROSSINGS
    if measured:
        entries |= SIGNALS
    if rubbing:
        entries |= {
            engine.BALANCE: friction_balance.balance_of_friction,
            engine.JOINT_LOADS: joint_loads.loads_of_tree if tree else joint_loads.loads_of_bodies,
            engine.ANSWER_CHANGE: pushed.tree_under_change if tree else pushed.bodies_under_change,
        }
    if instants:
        entries |= INSTANTS
    if curves:
        entries |= CURVES
    if flexible:
        entries |= {engine.NODE_ACCELERATIONS: nodes.accelerations_of_nodes}
    if flexible or stepped:
        entries |= {engine.GIVEN_POINT_FORCES: points.given_forces}
    if stepped:
        entries |= {engine.PUSHED: pushed.tree_pushed if tree else pushed.bodies_pushed}
    table = np.zeros(engine.ENGINE_SIZE, dtype=np.int64)
    for place, kernel in entries.items():
        table[place] = kernel.address
    return table


def let_loads_be_solved(table: np.ndarray, *, tree: bool) -> None:
    """Add what tells the efforts of loads, and how a mechanism moves under unit forces, though it has loads alone."""
    for place, kernel in (_answering(tree) | {engine.EFFORTS_OF_LOADS: efforts.all_efforts}).items():
        table[place] = kernel.address


def _answering(tree: bool) -> dict[int, Addressed]:
    return {
        engine.RESPONSE: answers.compliance,
        engine.ANSWER: answers.answer_of_tree if tree else answers.answer_of_bodies,
    }
