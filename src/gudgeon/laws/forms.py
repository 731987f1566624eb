"""The forms in which a law may be given, and how each is called: as Python to check it, as a C function to run it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from gudgeon.errors import ModelError
from gudgeon.functions.callables import argument_names, compiled_law, plain_function
from gudgeon.kernels.elements import lawforms
from gudgeon.laws.base import ContactLaw, FilmLaw, FrictionLaw, Law, LineLaw
from gudgeon.laws.dry_friction import DryFriction
from gudgeon.laws.friction import LuGre

# per kind of law: the method of a subclass, and its arguments before p; the second form for contact adds one
_METHOD = {ContactLaw: "normal_force", FrictionLaw: "friction_force", FilmLaw: "film_force", LineLaw: "line_force"}
_ARGUMENTS = {
    ContactLaw: (("delta", "ddelta"), ("delta", "ddelta", "impact_speed")),
    FrictionLaw: (("speed", "normal_force"),),
    FilmLaw: (("ratio", "rate"),),
    LineLaw: (("delta", "ddelta"), ("delta", "ddelta", "impact_speed")),
}
# names that mean one argument, by its place: an argument of another place must not be called so
_MEANINGS = {
    ContactLaw: {"delta": 0, "penetration": 0, "depth": 0, "d": 0, "ddelta": 1, "rate": 1, "impact_speed": 2},
    FrictionLaw: {"speed": 0, "velocity": 0, "v": 0, "normal_force": 1, "normal": 1, "pressure": 1},
    FilmLaw: {"ratio": 0, "rate": 1},
    LineLaw: {"delta": 0, "penetration": 0, "depth": 0, "d": 0, "ddelta": 1, "rate": 1, "impact_speed": 2},
}
SHALLOWEST = 1e-8  # penetration at which a law is tried first, of the clearance [-]
LEAST_GROWTH = 1.1  # of a contact force over the first decade of penetration: exponents above 0.04 [-]
SPEEDS = tuple(np.logspace(-9, 2, 12).tolist())  # at which friction is tried [m/s]
LOADS = (1e-6, 1.0, 1e4)  # normal forces at which it is tried [N]
VANISHING = 1e-6  # friction at rest against its largest that counts as none [-]


@dataclass(frozen=True)
class Form:
    """A law's function, how it is called, and its parameters."""

    function: Callable[..., float]
    numbers: int  # arguments before the parameters
    parameters: tuple[float, ...] | None  # None: a plain function

    @property
    def call(self) -> int:
        """The form of the call in compiled code."""
        if self.parameters is None:
            return lawforms.PLAIN if self.numbers == 2 else lawforms.PLAIN_WITH_SPEED
        return lawforms.WITH_PARAMETERS if self.numbers == 2 else lawforms.WITH_SPEED_AND_PARAMETERS

    def __call__(self, *numbers: float) -> float:
        """The law in plain Python; arguments it does not take are left out."""
        arguments = numbers[: self.numbers]
        return self.function(*arguments) if self.parameters is None else self.function(*arguments, self.parameters)

    def compiled(self, where: str) -> Any:
        """The law as a C function (a numba cfunc)."""
        return compiled_law(where, self.function, self.numbers, parameters=self.parameters is not None)


def law_form(where: str, law: Any, kind: type[Law]) -> Form:
    """The form of a law a user gave, or a ModelError that says how to write one."""
    wanted = " or ".join(f"({', '.join(names)})" for names in _ARGUMENTS[kind])
    if isinstance(law, kind):
        method = _METHOD[kind]
        function = type(law).__dict__.get(method) or getattr(type(law), method, None)
        function = getattr(function, "__func__", function)  # of a staticmethod
        if function is None:
            methods = " or ".join(f"{method}({', '.join((*names, 'p'))})" for names in _ARGUMENTS[kind])
            raise ModelError(f"{where}: {type(law).__name__} has no static method {methods}")
        parameters, last = law.parameters, ("p",)
    elif isinstance(law, DryFriction):
        raise ModelError(
            f"{where}: DryFriction is set-valued, with true sticking, which only sliders in guides, Dry, Ideal and "
            f"Screw take; give a smooth law, such as gd.laws.Coulomb(coefficient={law.kinetic:g}, "
            "velocity_tolerance=1e-3), gd.laws.Threlfall, or gd.laws.LuGre, whose bristles stick"
        )
    elif isinstance(law, Law):
        raise ModelError(f"{where}: {type(law).__name__} is a {_kind(law)}; give a {kind.__name__}")
    elif callable(law) and not isinstance(law, type):
        function, parameters, last = law, None, ()
    else:
        raise ModelError(f"{where} is {law!r}; give a {kind.__name__} of gd.laws, or a function of {wanted}")
    function = plain_function(where, function)
    names = argument_names(function)
    counts = [len(form) + len(last) for form in _ARGUMENTS[kind]]
    if names is None or len(names) not in counts:
        forms = " or ".join(f"({', '.join((*form, *last))})" for form in _ARGUMENTS[kind])
        raise ModelError(
            f"{where}: function {function.__name__!r} takes {inspect.signature(function)}; it must take {forms}"
        )
    order = next((*form, *last) for form in _ARGUMENTS[kind] if len(form) + len(last) == len(names))
    for place, name in enumerate(names):
        if name in ("t", "time") or _MEANINGS[kind].get(name, place) != place:
            raise ModelError(
                f"{where}: function {function.__name__!r} takes ({', '.join(names)}), but is called with "
                f"({', '.join(order)}): its {name!r} would be {order[place]}; put the arguments in this order"
            )
    return Form(function, len(names) - len(last), parameters)


def type_of_law(law: Any) -> type[Law]:
    """As what a law of contact is called: as a LineLaw if it is one, else, functions too, as a ContactLaw."""
    return LineLaw if isinstance(law, LineLaw) else ContactLaw


def compile_laws() -> None:
    """Compile every law of gd.laws, so that a later process finds it on disk."""
    from gudgeon import laws

    for law in vars(laws).values():
        for kind, method in _METHOD.items():
            if isinstance(law, type) and issubclass(law, kind) and getattr(law, method, None) is not None:
                function = plain_function(law.__name__, getattr(law, method))
                numbers = len(argument_names(function) or ()) - 1
                compiled_law(law.__name__, function, numbers, parameters=True)


def check_law(owner: str, field: str, law: Any, kind: type[Law], clearance: float, *, pressure: bool = False) -> None:
    """Try a law in plain Python over the motions a joint can have: it must return numbers that make sense.

    Friction must not be negative, and must vanish at rest. A contact force must grow from zero where contact begins at
    rest; a `pressure`, integrated over an area that grows from zero, need not. A LineLaw is tried as deep as it holds.
    """
    where = f"{owner}: {field}"
    form = law_form(where, law, kind)
    deepest = min(clearance, 0.99 * law.deepest) if isinstance(law, LineLaw) else clearance
    for arguments in _trials(kind, deepest):
        try:
            value = form(*arguments)
        except Exception as error:
            raise ModelError(
                f"{where}: {_named(form, law)} raises {type(error).__name__} at {_shown(kind, form, arguments)}: "
                f"{error}; it must have a value there"
            ) from error
        if not isinstance(value, Real) or not math.isfinite(value):
            raise ModelError(
                f"{where}: {_named(form, law)} returns {value!r} at {_shown(kind, form, arguments)}; "
                "it must return a finite number"
            )
        if kind is FrictionLaw and value < 0.0:
            raise ModelError(
                f"{where}: {_named(form, law)} returns {value:g} at {_shown(kind, form, arguments)}; it is the "
                "magnitude of a force against sliding and must not be negative"
            )
    if kind is FrictionLaw and not isinstance(law, LuGre):
        _refuse_friction_at_rest(where, law, form)
    if kind in (ContactLaw, LineLaw) and not pressure:
        _refuse_force_at_onset(where, law, form, clearance, kind)


def _refuse_friction_at_rest(where: str, law: Any, form: Form) -> None:
    """Friction that jumps with the direction of sliding has no value at rest."""
    for load in LOADS:
        forces = [form(v, load) for v in (0.0, *SPEEDS)]
        speed = 0.0 if forces[0] > VANISHING * max(forces) else SPEEDS[0]
        if speed == 0.0 or forces[1] > 0.5 * max(forces) > 0.0:
            raise ModelError(
                f"{where}: {_named(form, law)} returns {form(speed, load):g} at "
                f"{_shown(FrictionLaw, form, (speed, load))}; it must vanish towards rest, where the direction of "
                "sliding changes: smooth it, as mu*normal_force*tanh(speed/v1), or take gd.laws.LuGre, which sticks"
            )


def _refuse_force_at_onset(where: str, law: Any, form: Form, clearance: float, kind: type[Law]) -> None:
    """A force that jumps as soon as two bodies at rest touch lets contact begin and end without end.

    Between two tiny depths δ and 10 δ a power δⁿ grows by 10ⁿ, a force with a jump not at all.
    """
    tiny = SHALLOWEST * clearance
    first, deeper = form(tiny, 0.0, 1.0), form(10.0 * tiny, 0.0, 1.0)
    if first > 0.0 and deeper < LEAST_GROWTH * first:
        raise ModelError(
            f"{where}: {_named(form, law)} returns {first:g} at {_shown(kind, form, (tiny, 0.0, 1.0))}; it must "
            "grow from 0 where contact begins, such as k*delta or k*delta**1.5 (damping may jump there)"
        )


def _trials(kind: type[Law], clearance: float):
    """Arguments over the range of a joint with this clearance."""
    rates = (-1.0, -1e-3, 0.0, 1e-3, 1.0)
    if kind in (ContactLaw, LineLaw):
        depths = (clearance * np.logspace(math.log10(SHALLOWEST), 0, 9)).tolist()
        return [(d, v, u) for d in depths for v in rates for u in (1e-4, 1.0)]
    if kind is FrictionLaw:
        return [(v, f) for v in (0.0, *SPEEDS) for f in LOADS]
    return [(r, v) for r in (0.0, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.9, 0.99, 0.9999) for v in rates]


def _kind(law: Law) -> str:
    return next((kind.__name__ for kind in _METHOD if isinstance(law, kind)), "law of no kind")


def _named(form: Form, law: Any) -> str:
    return f"function {form.function.__name__!r}" if form.parameters is None else type(law).__name__


def _shown(kind: type[Law], form: Form, arguments: tuple[float, ...]) -> str:
    names = next(names for names in _ARGUMENTS[kind] if len(names) == form.numbers)
    return ", ".join(f"{name} = {value:g}" for name, value in zip(names, arguments, strict=False))
