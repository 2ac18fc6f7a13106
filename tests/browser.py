"""A headless Chromium, driven over its DevTools protocol: enough to open a page, press keys, read and take pictures.

https://chromedevtools.github.io/devtools-protocol/. The websockets package comes with google-genai.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
SECONDS = 60.0  # a hang guard
KEY_CODES = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Tab": 9, "Enter": 13, "Escape": 27}


class Browser:
    """One page. `events` holds every message of the browser that was no reply."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self._session = ""
        self.events: list[dict[str, Any]] = []

    def attach(self) -> None:
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        self._connection.send(json.dumps({**message, **({"sessionId": self._session} if self._session else {})}))
        while True:
            received = json.loads(self._connection.recv(timeout=SECONDS))
            if received.get("id") == number:
                if "error" in received:
                    raise RuntimeError(f"{method}: {received['error']}")
                return received["result"]
            self.events.append(received)

    def wait_for(self, method: str) -> dict[str, Any]:
        for event in self.events:
            if event.get("method") == method:
                return event
        while True:
            received = json.loads(self._connection.recv(timeout=SECONDS))
            self.events.append(received)
            if received.get("method") == method:
                return received

    def open(self, page: Path | str, width: int = 1280, height: int = 900) -> None:
        self.size(width, height)
        self.events.clear()
        self.send("Page.navigate", url=page if isinstance(page, str) else page.as_uri())
        self.wait_for("Page.loadEventFired")

    def until(self, condition: str) -> None:
        """Wait until a piece of JavaScript is true, on this page or on the one that it leads to; what stands on the page
        is the message when it never is."""
        script = f"""new Promise((done) => {{ const began = Date.now(); (function look() {{
            let is = false; try {{ is = ({condition}); }} catch {{ }}
            if (is || Date.now() - began > {SECONDS * 500}) done(Boolean(is)); else setTimeout(look, 10); }})(); }})"""
        for _ in range(5):
            try:
                is_true = self.run(script)
                break
            except RuntimeError:  # another page has come
                continue
        assert is_true, f"never: {condition}\n{self.run('document.body.innerText')[:3000]}"

    def size(self, width: int, height: int) -> None:
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def press(self, *keys: str) -> None:
        for key in keys:
            code = KEY_CODES.get(key, ord(key[0].upper()))
            typed = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            self.send("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **typed)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def run(self, script: str) -> Any:
        """Evaluate JavaScript in the page and return its value."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def picture(self, path: Path, *, whole: bool = False) -> None:
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self) -> list[str]:
        """Everything that the console, the log and the script engine complained about, the page's policy included."""
        self.run("new Promise((done) => setTimeout(done, 0))")
        found = []
        for event in self.events:
            method, said = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown" or (method == "Runtime.consoleAPICalled" and said["type"] != "log"):
                found.append(json.dumps(said)[:500])
            elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
                found.append(said["entry"]["text"])
        return found

    def requests(self) -> list[str]:
        """Every address that was asked for, the page itself included."""
        sent = (event for event in self.events if event.get("method") == "Network.requestWillBeSent")
        return [event["params"]["request"]["url"] for event in sent]


def untroubled(page: Browser) -> None:
    """The page has opened without a complaint, and has asked for nothing but itself."""
    assert page.complaints() == []
    assert [url for url in page.requests() if not url.startswith("file:")] == []
    assert len(page.requests()) == 1


@contextlib.contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start Chromium with an empty profile, and end it. Nothing leaves the machine."""
    from websockets.sync.client import connect

    assert CHROMIUM, "no Chromium"
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-proxy-server"]
    process = subprocess.Popen(
        [CHROMIUM, *options, *quiet, "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    try:
        assert process.stderr
        said = (re.search(r"ws://127\.0\.0\.1\S+", line) for line in process.stderr)
        address = next(filter(None, said))[0]
        # While a test computes it reads nothing, so the answer to a keepalive ping would lie unread until it is late.
        with connect(address, max_size=None, proxy=None, ping_interval=None) as connection:
            opened = Browser(connection)
            opened.attach()
            yield opened
    finally:
        process.terminate()
        process.communicate()
