"""The notekeeper on Telegram, with the real library, against a Bot API server on loopback that only pretends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from config import Settings
from doors.people.notekeepers import Notekeepers
from doors.people.page.talk import MOST_WAITING
from doors.people.telegram import BUSY, KEEP, NO_TEXT, START, STRANGER, front

ANN, BEN, EVE = 11, 22, 33
HANG = 60  # seconds


class Pretended:
    """A Bot API: what people send comes out of getUpdates, what the bot sends is in `sent`."""

    def __init__(self) -> None:
        self.sent: queue.Queue[tuple[int, str]] = queue.Queue()
        self._updates: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._ended = False

    def say(self, user: int, *, chat: str = "private", **content: Any) -> None:
        with self._news:
            number = len(self._updates) + 1
            sender = {"id": user, "is_bot": False, "first_name": "P"}
            message = {"message_id": number, "date": 1, "chat": {"id": user, "type": chat}, "from": sender, **content}
            self._updates.append({"update_id": number, "message": message})
            self._news.notify_all()

    def end(self) -> None:
        with self._news:
            self._ended = True
            self._news.notify_all()

    def result(self, method: str, given: dict[str, Any]) -> Any:
        if method == "getMe":
            return {"id": 1, "is_bot": True, "first_name": "Notes", "username": "notes_bot"}
        if method == "getUpdates":
            after = int(given.get("offset", 0))
            with self._news:
                self._news.wait_for(lambda: self._ended or len(self._updates) >= after, 1 if after else 0)
                return [each for each in self._updates if each["update_id"] >= after]
        if method == "sendMessage":
            chat, text = int(given["chat_id"]), str(given["text"])
            self.sent.put((chat, text))
            return {"message_id": 1, "date": 1, "chat": {"id": chat, "type": "private"}, "text": text}
        return True


@pytest.fixture
def telegram(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Pretended, str]]:
    pretended = Pretended()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode("utf-8")
            given = {key: values[0] for key, values in parse_qs(body).items()}
            result = pretended.result(self.path.rpartition("/")[2], given)
            data = json.dumps({"ok": True, "result": result}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):  # the bot was stopped while it waited for news
                self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield pretended, f"http://127.0.0.1:{server.server_port}/bot"
        pretended.end()
        server.shutdown()
        thread.join()


def test_people_on_telegram_have_notes_of_their_own_and_strangers_none(
    tmp_path: Path, telegram: tuple[Pretended, str], built_in_model: str
):
    pytest.importorskip("telegram", reason="the bot needs the extra telegram")
    pretended, server = telegram
    forwarded = {"type": "hidden_user", "date": 1, "sender_user_name": "Zoe"}
    settings = replace(Settings(), lmstudio_base_url=f"{built_in_model}/v1")

    async def heard() -> tuple[int, str]:
        return await asyncio.to_thread(pretended.sent.get, timeout=HANG)

    async def story() -> None:
        makers = Notekeepers(settings, tmp_path)
        app = front(makers, "1:secret", {ANN, BEN}, server)
        assert app.updater
        async with app:
            await app.start()
            await app.updater.start_polling()
            try:
                pretended.say(ANN, text="What is my wifi password?", forward_origin=forwarded)
                chat, said = await heard()
                assert chat == ANN
                assert "New: " in said, "what is forwarded is a note, also where it reads as a question"
                pretended.say(ANN, caption="The spare key hangs behind the boiler.", photo=[])
                assert "New: " in (await heard())[1]
                pretended.say(ANN, text="Where does the spare key hang?")
                assert "behind the boiler" in (await heard())[1]
                pretended.say(ANN, text="/keep Boris cooks.")
                assert "New: " in (await heard())[1]
                pretended.say(BEN, text="/start")
                assert await heard() == (BEN, START)
                pretended.say(BEN, text="Where does the spare key hang?")
                chat, said = await heard()
                assert chat == BEN
                assert "boiler" not in said
                pretended.say(EVE, text="Where does the spare key hang?")
                assert await heard() == (EVE, STRANGER.format(EVE))
                pretended.say(
                    ANN, text="Where does the spare key hang?", chat="group"
                )  # others would read it: no answer
                pretended.say(ANN, contact={"phone_number": "1", "first_name": "Zoe"})
                assert await heard() == (ANN, NO_TEXT)
                agent = await makers.get_agent(("telegram", ANN))
                agent.waiting += MOST_WAITING
                pretended.say(ANN, text="One more.")
                assert await heard() == (ANN, BUSY)
                agent.waiting -= MOST_WAITING
                assert len(makers) == 2
            finally:
                pretended.end()
                await app.updater.stop()
                await app.stop()
        await makers.close()

    asyncio.run(story())
    assert pretended.sent.empty()


def test_a_long_answer_comes_whole_and_what_the_disk_refuses_is_answered(
    tmp_path: Path, telegram: tuple[Pretended, str]
):
    pytest.importorskip("telegram", reason="the bot needs the extra telegram")
    pretended, server = telegram
    answer = "".join(f"{number} " for number in range(2_000)).strip()

    async def said_by(makers: Notekeepers, whole: int) -> str:
        app, said = front(makers, "1:secret", {ANN}, server), ""
        assert app.updater
        async with app:
            await app.start()
            await app.updater.start_polling(drop_pending_updates=True)
            pretended.say(ANN, text="Count.")
            while len(said) < whole:
                said += (await asyncio.to_thread(pretended.sent.get, timeout=HANG))[1]
            await app.updater.stop()
            await app.stop()
        return said

    makers = Notekeepers(Settings(), tmp_path / "people", lambda prompt, settings, run: run.finish("answered", answer))
    assert asyncio.run(said_by(makers, len(answer))) == answer
    (tmp_path / "taken").write_text("no folder")
    assert "the disk refused it" in asyncio.run(said_by(Notekeepers(Settings(), tmp_path / "taken"), 1)).lower()


@pytest.mark.parametrize(
    ("said", "kept"), [("/keep a", "a"), ("/keep@notes_bot\na", "a"), ("/keep", ""), ("/keeper a", "/keeper a")]
)
def test_only_the_whole_command_keeps(said: str, kept: str):
    assert KEEP.sub("", said).strip() == kept
