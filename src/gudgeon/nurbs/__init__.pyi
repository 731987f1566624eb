# The public names, in the order of use; public_names.py reads this list when gudgeon.nurbs is imported.
# ruff: noqa: I001
from gudgeon.nurbs.surface import Surface as Surface
from gudgeon.nurbs.curve import Curve as Curve
from gudgeon.nurbs.trim import Trim as Trim
from gudgeon.nurbs.hits import hits_of_lines as hits_of_lines
from gudgeon.nurbs.pair import SurfacePair as SurfacePair
from gudgeon.nurbs.pair import Pose as Pose
from gudgeon.nurbs.gap import gap_field as gap_field
from gudgeon.nurbs.gap import GapState as GapState
from gudgeon.nurbs.gap import GapField as GapField
from gudgeon.nurbs.pair import Reason as Reason
