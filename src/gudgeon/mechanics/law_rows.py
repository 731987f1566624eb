"""A law as compiled code is given it: how it is called, its C address, the address of its parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.kernels.elements import lawforms
from gudgeon.laws.forms import law_form


class LawRows:
    """Makes them, and keeps what their addresses point to."""

    def __init__(self):
        self._kept: list[Any] = []

    def keep(self, *things: Any) -> None:
        """Keep something else that compiled code is given by its address."""
        self._kept += things

    def row(self, where: str, law: Any, kind: type, *, largest_speed: bool = False) -> tuple[int, int, int]:
        """Of a law of this kind; `largest_speed`: it is given the largest δ̇ of a contact so far."""
        form = law_form(where, law, kind)
        function, parameters = form.compiled(where), np.array(form.parameters or (0.0,))
        self.keep(function, parameters)
        assert form.call != lawforms.NO_LAW
        call = lawforms.LARGEST.get(form.call, form.call) if largest_speed else form.call
        return call, function.address, parameters.ctypes.data
