"""The report of a run: sections and the moving picture on one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gudgeon.files.disk import write_file
from gudgeon.view.page.bundle import FIX, bundle, is_built
from gudgeon.view.page.page import POLICY, Page, default_path, embedded, named_results
from gudgeon.view.report import sections
from gudgeon.view.report.machines import machine_sections
from gudgeon.view.report.markup import Html, element, text
from gudgeon.view.scene.scene import Scene, scene_of

if TYPE_CHECKING:
    from gudgeon.results.result import Result

STYLE = Path(__file__).with_name("report.css")


def write_report(result: Result, path: str | Path | None = None) -> Page:
    """Write the page whole or not at all, and tell its path."""
    named_results(result)
    scene = scene_of({"run": result})
    target = Page(default_path(f"{scene.description['title']} report") if path is None else path)
    write_file("report", target, report_of(result, scene).encode())
    return target


def report_of(result: Result, scene: Scene) -> str:
    """The text of the page."""
    run = scene.description["runs"][0]
    title = scene.description["title"] or "run"
    facts = run["facts"]
    parts = [
        ("Moving picture", _picture()),
        ("Mechanism", sections.mechanism(result)),
        ("Freedoms", sections.freedoms(result)),
        ("Plots", sections.plots(result)),
        ("Contacts", sections.contacts(result)),
        *machine_sections(result),
        ("Energy", sections.energy(result)),
        ("Solver", sections.solver(result)),
        ("Warnings and notes", sections.warnings(result, run["notes"])),
    ]
    body = [element("header", element("h1", title), element("p", f"{facts['end']} · {facts['solver']}"))]
    body += [element("section", element("h2", name), content) for name, content in parts]
    style = STYLE.read_text(encoding="utf-8")
    script = ""
    if is_built():
        code, own = bundle()
        style = own + style
        script = f"{embedded(scene)}\n<script>{code}</script>"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{text(title)}: report</title>\n<style>{style}</style>\n</head>\n"
        f'<body class="report">\n{"".join(body)}\n{script}\n</body>\n</html>\n'
    )


def _picture() -> Html:
    if is_built():
        return element("div", id="gudgeon", class_="inline", data_theme="light")
    return element(
        "p", f"There is no moving picture: the viewer was not built when gudgeon was installed; {FIX}.", class_="note"
    )
