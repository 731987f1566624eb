"""What touches at a time, and the impact speed its law is given there: from the table of contacts.

A contact touches from its begin to its end, both included; one whose end is not known outlasts the run. Its δ̇⁽⁻⁾ is
that of its begin, or what the last line FASTER since then tells, where its law is given the largest δ̇ so far. Such
lines of contacts before it do not count. What is in flight has none. The compiled outputs have the same rule
(`set_modes` in kernels/outputs/joint_outputs.py), and leave a speed in flight that nobody reads.

What goes on from a time is less: a contact that ends there is over, as is an impact in an instant.
"""

from __future__ import annotations

import numpy as np

IN_FLIGHT = -1


class ContactsAt:
    """At times that follow each other: the contact of every line of `Work.contact`, and its impact speed.

    `table` has the columns of kernels/integrators/run.py and is sorted by the begin of contacts, as a Result keeps it.
    """

    def __init__(self, table: np.ndarray, line_count: int):
        self.contact = np.full(line_count, IN_FLIGHT)  # in which line of the table it is told
        self.impact_speed = np.zeros(line_count)  # δ̇⁽⁻⁾ [m/s; rad/s at an angle]
        self._table, self._next = table, 0
        self._time, self._end = -np.inf, np.full(line_count, np.inf)  # [s]; the end of what touches

    def at(self, time: float) -> ContactsAt:
        """Go to a time, not before the last one."""
        from gudgeon.kernels.integrators import run as places

        while self._next < len(self._table) and self._table[self._next, places.CONTACT_BEGIN] <= time:
            line = self._table[self._next]
            k = int(line[places.CONTACT_LINE])
            self.impact_speed[k] = line[places.CONTACT_SPEED]
            if line[places.FASTER] == 0.0:
                end = line[places.CONTACT_END]
                self.contact[k], self._end[k] = self._next, np.inf if np.isnan(end) else end
            self._next += 1
        self.contact[time > self._end] = IN_FLIGHT
        self.impact_speed[self.contact == IN_FLIGHT] = 0.0
        self._time = time
        return self

    @property
    def touching(self) -> np.ndarray:
        """The lines of `Work.contact` that touch."""
        return np.flatnonzero(self.contact != IN_FLIGHT)

    @property
    def lasting(self) -> np.ndarray:
        """Those of them that touch beyond this time."""
        return np.flatnonzero((self.contact != IN_FLIGHT) & (self._end > self._time))

    def put(self, contact: np.ndarray) -> None:
        """Modes and impact speeds into `Work.contact`; what else it remembers is forgotten."""
        from gudgeon.kernels.dynamics.arrays import IMPACT_SPEED, MODE, TOUCHING

        contact[:] = 0.0
        contact[self.touching, MODE] = TOUCHING
        contact[:, IMPACT_SPEED] = self.impact_speed
