"""Functions of time that a user gives: numbers, expressions, Python functions."""
