# The public names; public_names.py reads this list when gudgeon.io is imported.
from gudgeon.io import iges as iges
from gudgeon.io import step as step
