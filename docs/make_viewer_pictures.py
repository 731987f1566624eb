"""Draws the pictures of docs/viewer.md and the README's moving one, from pages in headless Chromium.

python docs/make_viewer_pictures.py        # some minutes where a browser renders in software
"""

import io
import math
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

import gudgeon as gd

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from browser import Browser  # noqa: E402

IMAGES = ROOT / "docs" / "images"
TILE = (480, 340)  # of the picture of machines [pixels]
SMALL = (1e-3, 1e-3, 1e-3)
FRAMES, DURATION = 36, 1.3  # of the moving picture; seconds of the run


def picture(page, folder: Path) -> Image.Image:
    """The page as it is now."""
    return Image.open(io.BytesIO(page.screenshot(folder / "page.png").read_bytes())).convert("RGB")


def belt_drive() -> gd.System:
    """Two belts, the second one crossed."""
    places = {"motor": (0, 0, 0), "drum": (0.3, 0.05, 0), "fan": (0.3, 0.36, 0)}
    return gd.System(
        name="belt drive",
        gravity=(0, -9.81, 0),
        bodies={name: gd.Body(mass=1.0, inertia=SMALL, position=at) for name, at in places.items()},
        joints={name: gd.Revolute("ground", name, at=at) for name, at in places.items()},
        couplings={
            "belt": gd.Belt("motor", "drum", radii=(0.04, 0.1)),
            "cross": gd.Belt("drum", "fan", radii=(0.06, 0.05), crossed=True),
        },
        drives={"motor": gd.Drive("motor", "5*t")},
    )


def planetary_gear() -> gd.System:
    """A sun, three planets, a ring, on a carrier."""
    sun, planet, ring, distance = 24, 18, 60, 0.042
    planets = {
        f"planet {k + 1}": (distance * math.cos(2 * math.pi * k / 3), distance * math.sin(2 * math.pi * k / 3), 0.0)
        for k in range(3)
    }
    bodies = {name: gd.Body(mass=1.0, inertia=SMALL) for name in ("carrier", "sun", "ring")}
    return gd.System(
        name="planetary gear",
        bodies=bodies | {name: gd.Body(mass=0.2, inertia=SMALL, position=at) for name, at in planets.items()},
        joints={
            "carrier": gd.Revolute("ground", "carrier", at=(0, 0, 0)),
            "sun": gd.Revolute("carrier", "sun", at=(0, 0, 0)),
            "ring": gd.Revolute("carrier", "ring", at=(0, 0, 0)),
            **{name: gd.Revolute("carrier", name, at=at) for name, at in planets.items()},
        },
        couplings={
            **{f"sun, {name}": gd.Gear("sun", name, teeth=(sun, planet)) for name in planets},
            "outer": gd.Gear("planet 1", "ring", teeth=(planet, ring), internal=True),
        },
        drives={"sun": gd.Drive("sun", "5*t")},
    )


def valve_train() -> gd.System:
    """A cam, a roller, a tappet on a spring."""
    spring = gd.SpringDamper(
        "ground", "tappet", at_first=(0, 0.1, 0), at_second=(0, 0.02, 0), stiffness=500.0, length=0.08
    )
    return gd.System(
        name="cam and tappet",
        gravity=(0, -9.81, 0),
        bodies={
            "camshaft": gd.Body(mass=0.5, inertia=SMALL),
            "tappet": gd.Body(mass=0.1, inertia=SMALL, position=(0, 0.05, 0)),
        },
        joints={
            "bearing": gd.Revolute("ground", "camshaft", at=(0, 0, 0)),
            "guide": gd.Prismatic("ground", "tappet", at=(0, 0.05, 0), axis=(0, 1, 0)),
            "cam": gd.Cam(
                "camshaft",
                "tappet",
                at=(0, 0, 0),
                towards=(0, 1, 0),
                base_radius=0.015,
                follower="roller",
                roller_radius=0.006,
                lift="0.005*(1 - cos(angle))",
            ),
        },
        drives={"spin": gd.Drive("bearing", "20*t")},
        loads={"spring": spring},
    )


def drawer() -> gd.System:
    """A box between four walls."""
    return gd.System(
        name="box in its guide",
        gravity=(0, -9.81, 0),
        bodies={"box": gd.Body(mass=0.5, inertia=(2e-4, 2e-4, 2e-4), velocity=(0.3, 0, 0))},
        joints={
            "guide": gd.Prismatic(
                "ground",
                "box",
                at=(0, 0, 0),
                axis=(1, 0, 0),
                model=gd.DryBox(length=0.05, width=0.02, height=0.02, clearance=3e-4),
            )
        },
        loads={
            "spring": gd.SpringDamper(
                "ground", "box", at_first=(0.14, 0.004, 0), at_second=(0.025, 0.004, 0), stiffness=200.0, length=0.1
            )
        },
    )


def cardan_shaft() -> gd.System:
    """A cross with play in its bearings."""
    angle = math.radians(25.0)
    along = np.array([math.cos(angle), math.sin(angle), 0.0])
    line = gd.laws.pin_in_bore(radius=0.006, clearance=2e-5, materials="steel")
    cross = gd.DryCross(span=0.04, bore_radius=0.006, pin_radius=0.00598, length=0.01, contact=line)
    end = tuple(0.1 * along)
    return gd.System(
        name="Cardan shaft",
        gravity=(0, -9.81, 0),
        bodies={
            "drive": gd.Body(mass=1.0, inertia=SMALL, position=(-0.1, 0, 0)),
            "driven": gd.Body(mass=1.0, inertia=SMALL, position=end),
        },
        joints={
            "A": gd.Revolute("ground", "drive", at=(-0.1, 0, 0), axis=(1, 0, 0)),
            "J": gd.Universal(
                "drive",
                "driven",
                at=(0, 0, 0),
                axis_parent=(0, 0, 1),
                axis_child=tuple(np.cross((0, 0, 1), along)),
                model=cross,
            ),
            "B": gd.Revolute("ground", "driven", at=end, axis=tuple(along)),
        },
        drives={"spin": gd.Drive("A", "20*t")},
    )


def pin_in_its_bearing() -> gd.System:
    """A journal, with the gap round it in colours."""
    cylinder = gd.nurbs.Surface.cylinder
    gap = gd.Interface(
        frame="body",
        reference=("pin", cylinder(0.010, -0.010, 0.010)),
        corresponding=("ground", cylinder(0.0105, -0.015, 0.015)),
        corresponding_side=-1,
        grid=(48, 8),
    )
    model = gd.Dry.journal(fit="H7/d8", diameter=0.020, length=0.020, materials=("bronze", "steel"))
    return gd.System(
        name="pin in its bearing",
        gravity=(0, -9.81, 0),
        bodies={"pin": gd.Body(mass=0.3, inertia=(4e-5, 4e-5, 1.5e-5))},
        joints={"bearing": gd.Revolute("ground", "pin", at=(0, 0, 0), model=model)},
        loads={"off centre": gd.Force("pin", (3, 0, 0), at=(0, 0, 0.006))},
        interfaces={"film": gap},
    )


MACHINES = (  # how long each is run, and when it is looked at [s]
    (belt_drive, 1.0, 0.4),
    (planetary_gear, 1.0, 0.7),
    (valve_train, 0.5, 0.12),
    (drawer, 0.3, 0.15),
    (cardan_shaft, 0.1, 0.04),
    (pin_in_its_bearing, 0.02, 0.01),
)


def machines(browser: Browser, folder: Path) -> None:
    """Six of them, three beside each other, without plots and buttons."""
    sheet = Image.new("RGB", (3 * TILE[0], 2 * TILE[1]), "white")
    for k, (machine, duration, at) in enumerate(MACHINES):
        result = gd.simulate(machine(), duration, sample=duration / 200)
        page = browser.open(result.view(folder / "machine.html"), size=(2 * TILE[0], 2 * TILE[1] + 54))
        page.evaluate("gudgeon.ready")
        page.key("p")
        page.evaluate(f"gudgeon.seek({at})")
        page.evaluate("document.querySelector('.toolbar').style.visibility = 'hidden'")
        page.evaluate(f"gudgeon.seek({at})")
        whole = picture(page, folder)
        tile = whole.crop((0, 0, whole.width, whole.height - 54)).resize(TILE, Image.Resampling.LANCZOS)
        sheet.paste(tile, ((k % 3) * TILE[0], (k // 3) * TILE[1]))
    sheet.save(IMAGES / "viewer_machines.jpg", quality=88, optimize=True, progressive=True)


def main() -> None:
    """All pictures."""
    dry, ideal = (gd.simulate(gd.examples.spatial_four_bar(joint), 2.0, sample=1e-3) for joint in ("dry", "ideal"))
    with tempfile.TemporaryDirectory() as name, Browser() as browser:
        folder = Path(name)
        machines(browser, folder)
        page = browser.open(dry.view(folder / "dry.html"), size=(1280, 760))
        page.evaluate("gudgeon.ready")
        page.key("t")
        page.evaluate("gudgeon.seek(0.62)")
        picture(page, folder).save(IMAGES / "viewer.png", optimize=True)
        page = browser.open(gd.view({"ideal": ideal, "dry": dry}, folder / "both.html"), size=(1080, 560))
        page.evaluate("gudgeon.ready")
        frames = []
        for k in range(FRAMES):
            page.evaluate(f"gudgeon.seek({DURATION * k / FRAMES})")
            frames.append(picture(page, folder).resize((720, 373), Image.Resampling.LANCZOS))
        palette = frames[FRAMES // 2].quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
        few[0].save(
            IMAGES / "four_bar.gif",
            save_all=True,
            append_images=few[1:],
            duration=72,
            loop=0,
            optimize=True,
            disposal=1,
        )


if __name__ == "__main__":
    main()
