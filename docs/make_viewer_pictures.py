"""Draws the pictures of docs/viewer.md and the README's moving one, from pages in headless Chromium.

python docs/make_viewer_pictures.py        # some minutes where a browser renders in software
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

import gudgeon as gd

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from browser import Browser  # noqa: E402

IMAGES = ROOT / "docs" / "images"
FRAMES, DURATION = 36, 1.3  # of the moving picture; seconds of the run


def picture(page, folder: Path) -> Image.Image:
    """The page as it is now."""
    return Image.open(io.BytesIO(page.screenshot(folder / "page.png").read_bytes())).convert("RGB")


def main() -> None:
    """Both pictures."""
    dry, ideal = (gd.simulate(gd.examples.spatial_four_bar(joint), 2.0, sample=1e-3) for joint in ("dry", "ideal"))
    with tempfile.TemporaryDirectory() as name, Browser() as browser:
        folder = Path(name)
        page = browser.open(dry.view(folder / "dry.html"), size=(1280, 760))
        page.evaluate("gudgeon.ready")
        page.key("t")
        page.evaluate("gudgeon.seek(0.62)")
        still = picture(page, folder)
        still.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
            IMAGES / "viewer.png", optimize=True
        )
        page = browser.open(gd.view({"ideal": ideal, "dry": dry}, folder / "both.html"), size=(1080, 560))
        page.evaluate("gudgeon.ready")
        frames = []
        for k in range(FRAMES):
            page.evaluate(f"gudgeon.seek({DURATION * k / FRAMES})")
            frames.append(picture(page, folder).resize((720, 373), Image.Resampling.LANCZOS))
        palette = frames[FRAMES // 2].quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
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
