"""The command line: `gudgeon --help` lists what there is. Nothing heavy is imported before it is needed."""

from gudgeon.cli.app import main

__all__ = ["main"]
