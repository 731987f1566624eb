"""A real browser for tests: headless Chromium, spoken to over a pipe by its DevTools protocol; nothing to install.

>>> with Browser() as browser:
...     page = browser.open(path)
...     page.evaluate("document.title")
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-sync",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--remote-debugging-pipe",
)
PATIENCE = 120.0  # for an answer [s]


def chromium() -> str | None:
    """The program, if this machine has one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """A browser with a profile of its own, ended with the block."""

    def __init__(self) -> None:
        program = chromium()
        assert program is not None
        self._folder = tempfile.TemporaryDirectory(prefix="gudgeon-browser-", ignore_cleanup_errors=True)
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()

        def pipes() -> None:  # the browser reads from 3 and writes to 4
            fixed = [os.dup2(fd, place, inheritable=True) for fd, place in ((to_read, 13), (to_write, 14))]
            for fd, place in zip(fixed, (3, 4), strict=True):
                os.dup2(fd, place, inheritable=True)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self._folder.name}", "about:blank"],
            preexec_fn=pipes,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._left = b""
        self._count = 0
        self.told: list[dict[str, Any]] = []  # events

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            self.ask("Browser.close")
        try:
            self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._folder.cleanup()

    def ask(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        content = json.dumps(message).encode() + b"\0"
        while content:
            content = content[os.write(self._write, content) :]
        while True:
            answer = self._next(PATIENCE)
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.told.append(answer)

    def _next(self, seconds: float) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise OSError("the browser has ended")
            self._left += piece
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)

    def open(
        self, path: Path, *, size: tuple[int, int] = (1280, 800), mobile: bool = False, dark: bool = False
    ) -> Page:
        """A page, ready: its own script says so."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.ask(f"{domain}.enable")
        page.ask(
            "Emulation.setDeviceMetricsOverride",
            width=size[0],
            height=size[1],
            deviceScaleFactor=2 if mobile else 1,
            mobile=mobile,
        )
        scheme = "dark" if dark else "light"
        page.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        page.ask("Page.navigate", url=path.resolve().as_uri())
        page.wait("document.readyState === 'complete'")
        return page


class Page:
    """One page of the browser."""

    def __init__(self, browser: Browser, session: str):
        self._browser, self._session = browser, session

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command of the DevTools protocol."""
        return self._browser.ask(method, self._session, **parameters)

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; promises are waited for."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, condition: str, seconds: float = 60.0) -> None:
        """Until an expression is true."""
        end = time.monotonic() + seconds
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition} is not true after {seconds} s")
            time.sleep(0.05)

    def click(self, x: float, y: float, count: int = 1) -> None:
        """A click of the left button."""
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)

    def click_on(self, selector: str, across: float = 0.5) -> None:
        """A click on an element, in its middle or so far across."""
        box = self.box(selector)
        self.click(box["x"] + across * box["width"], box["y"] + 0.5 * box["height"])

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press, move, release."""
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=start[0], y=start[1])
        self.ask("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left", clickCount=1)
        for k in range(1, 6):
            x, y = (a + (b - a) * k / 5 for a, b in zip(start, end, strict=True))
            self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.ask("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)

    def key(self, key: str, code: str = "", text: str = "") -> None:
        """A key pressed and released."""
        more = {"text": text or (key if len(key) == 1 else "")}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, **more)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, code=code)

    def box(self, selector: str) -> dict[str, float]:
        """Where an element is."""
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()")

    def screenshot(self, path: Path) -> Path:
        """The picture of the page, as PNG."""
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))
        return path

    def _events(self, *methods: str) -> list[dict[str, Any]]:
        self.evaluate("1")  # all that was sent before has come then
        told = self._browser.told
        return [x["params"] for x in told if x.get("sessionId") == self._session and x["method"] in methods]

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, and exceptions that nobody caught."""
        found = [
            f"{x['entry']['level']}: {x['entry']['text']}"
            for x in self._events("Log.entryAdded")
            if x["entry"]["level"] in ("error", "warning")
        ]
        for x in self._events("Runtime.consoleAPICalled"):
            if x["type"] in ("error", "warning", "assert"):
                found.append(f"{x['type']}: {' '.join(str(a.get('value', '')) for a in x['args'])}")
        found += [x["exceptionDetails"]["text"] for x in self._events("Runtime.exceptionThrown")]
        return [text for text in found if "GPU stall due to ReadPixels" not in text]  # software rendering, screenshots

    def requests(self) -> list[str]:
        """What the page asked the network for, itself not counted."""
        urls = [x["request"]["url"] for x in self._events("Network.requestWillBeSent")]
        return [url for url in urls if not url.startswith(("file:", "data:", "blob:", "about:"))]
