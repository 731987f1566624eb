"""The instructions of the stack machine for functions of time and signals (`stack_machine.py`).

They stand apart from the machine so that expressions can be translated without importing numba. The numbers
are grouped by what an instruction does to the stack; the machine relies on the groups.
"""

from __future__ import annotations

# push one value
CONSTANT = 0  # the operand
TIME = 1  # t
CALL = 2  # f(t), f: double(double) at the address
CALL_VECTOR = 3  # component `operand` of f(t), f: three doubles of a double, at the address

# pop three, push one
SELECT = 4  # else, then, test → then if test is not 0, otherwise else

# pop two, push one
ADD = 5
SUBTRACT = 6
MULTIPLY = 7
DIVIDE = 8
POWER = 9
LESS = 10
LESS_EQUAL = 11
GREATER = 12
GREATER_EQUAL = 13
ATAN2 = 14
MIN = 15
MAX = 16

# pop one, push one
NEGATE = 17
INVERT = 18  # 1/x
SIN = 19
COS = 20
TAN = 21
ASIN = 22
ACOS = 23
ATAN = 24
SINH = 25
COSH = 26
TANH = 27
EXP = 28
LOG = 29
SQRT = 30
ABS = 31
SIGN = 32
FLOOR = 33
STEP = 34  # 0 for x < 0, 1 for x ≥ 0

# push one value
SIGNAL = 35  # number `operand` of the signals

# pop one, push one: a table that begins at `operand` (tables.py), or its first or second derivative
TABLE = 36
TABLE_SLOPE = 37
TABLE_CURVATURE = 38

# pop some, push one or several: f of so many doubles, at the address
CALL_OF = 39  # the operand: how many
CALL_VECTOR_OF = 40  # the operand: how many, and SEVERAL times how many f returns

# pop one, push one
PLUS = 41  # the operand added
TIMES = 42  # multiplied by the operand

MOST_ARGUMENTS = 8  # of such a function
MOST_ANSWERS = 8
SEVERAL = 16.0

STACK_SIZE = 32  # values a program may hold at once

# operators of an expression tree (`gudgeon.expressions`) that are one instruction
BY_NAME = {
    "neg": NEGATE,
    "inv": INVERT,
    "pow": POWER,
    "<": LESS,
    "<=": LESS_EQUAL,
    ">": GREATER,
    ">=": GREATER_EQUAL,
    "atan2": ATAN2,
    "min": MIN,
    "max": MAX,
    "sin": SIN,
    "cos": COS,
    "tan": TAN,
    "asin": ASIN,
    "acos": ACOS,
    "atan": ATAN,
    "sinh": SINH,
    "cosh": COSH,
    "tanh": TANH,
    "exp": EXP,
    "log": LOG,
    "sqrt": SQRT,
    "abs": ABS,
    "sign": SIGN,
    "floor": FLOOR,
    "step": STEP,
}
