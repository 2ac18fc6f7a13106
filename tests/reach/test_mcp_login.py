"""Logging in at an MCP server, with a real authorization server over HTTP: the whole way, renewing, everything that
goes wrong, and that no token is seen anywhere."""

from __future__ import annotations

import html
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, quote, urlsplit
from urllib.request import urlopen

import httpx2
import pytest
from authorization_server import Behind, behind_a_login, opens
from mcp.shared.auth import OAuthClientInformationFull
from scripted import scripted

from cli import start
from config import PROJECT, ConfigError
from doors.api import Agent, AgentConfig
from reach import mcp_callback, mcp_oauth
from reach.mcp_callback import Callback
from reach.mcp_logins import path_of
from reach.mcp_oauth import REFUSED, Login
from reach.mcp_server import McpServer, ServerError, Surroundings
from reach.mcp_servers import Servers
from reach.mcp_settings import ServerSettings, servers_from
from reach.mcp_tools import offered_name

posix = pytest.mark.skipif(sys.platform == "win32", reason="its files have no mode, and it has no such terminal")
Show = Callable[[str, str], None]


@pytest.fixture
def behind() -> Iterator[Behind]:
    with behind_a_login() as servers:
        yield servers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "logins"


def around(folder: Path, show: Show | None, seconds: float = 20.0) -> Surroundings:
    settings: Any = {"logins": folder, "login": show}
    return Surroundings({"PATH": os.defpath}, threading.Event(), lambda line: None, 20.0, seconds, **settings)


@contextmanager
def opened(address: str, surroundings: Surroundings) -> Iterator[McpServer]:
    server = McpServer(ServerSettings("b", url=address), surroundings)
    try:
        yield server
    finally:
        server.close()


def said(server: McpServer) -> str:
    answer = server.call(server.tools[0], {})
    assert answer.ok, answer.text
    return answer.text


def refusal(address: str, surroundings: Surroundings) -> str:
    with pytest.raises(ServerError) as raised:
        McpServer(ServerSettings("b", url=address), surroundings)
    return str(raised.value)


def kept(behind: Behind, folder: Path) -> dict[str, Any]:
    return json.loads(path_of(folder, behind.address).read_text("utf-8"))


def nobody_more(server: str, address: str) -> None:
    raise AssertionError("a login was begun")


def log_in(behind: Behind, folder: Path) -> None:
    with opened(behind.address, around(folder, opens)):
        pass


def test_the_person_logs_in_once_and_the_next_session_is_let_in_by_what_is_kept(behind: Behind, folder: Path):
    shown: list[tuple[str, str]] = []

    def show(server: str, address: str) -> None:
        shown.append((server, address))
        opens(server, address)

    with opened(behind.address, around(folder, show)) as server:
        assert said(server) == "you are Bearer ${LOGIN_TOKEN}"
    ((name, address),) = shown
    query = parse_qs(urlsplit(address).query)
    assert name == "b"
    assert query["code_challenge_method"] == ["S256"]
    assert query["resource"] == [behind.address]
    assert urlsplit(query["redirect_uri"][0]).hostname == "127.0.0.1"
    with opened(behind.address, around(folder, None)) as server:
        assert said(server) == "you are Bearer ${LOGIN_TOKEN}"
    assert len(behind.clients) == 1


@posix
def test_what_is_kept_can_be_read_by_the_person_alone(behind: Behind, folder: Path):
    log_in(behind, folder)
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert kept(behind, folder)["tokens"]["access_token"] in behind.access


def test_a_token_that_has_ended_is_renewed_before_it_is_sent(behind: Behind, folder: Path):
    behind.seconds = -1
    log_in(behind, folder)
    first = kept(behind, folder)["tokens"]
    behind.seconds = 3600
    with opened(behind.address, around(folder, nobody_more)) as server:
        said(server)
    assert behind.renewed >= 1
    assert kept(behind, folder)["tokens"]["refresh_token"] != first["refresh_token"]


def test_a_token_that_the_server_does_not_take_any_more_is_renewed(behind: Behind, folder: Path):
    behind.says_when = False
    log_in(behind, folder)
    with opened(behind.address, around(folder, None)) as server:
        behind.access.clear()
        said(server)
        said(server)
    assert behind.renewed == 1


def test_a_token_that_another_session_has_renewed_is_taken_over(behind: Behind, folder: Path):
    log_in(behind, folder)
    nobody = around(folder, None)
    with opened(behind.address, nobody) as one, opened(behind.address, nobody) as other:
        behind.access.clear()
        said(one)
        said(other)
    assert behind.renewed == 1


def test_sessions_that_renew_the_same_token_at_the_same_time_all_go_on(behind: Behind, folder: Path):
    log_in(behind, folder)
    servers = [McpServer(ServerSettings("b", url=behind.address), around(folder, None)) for _ in range(4)]
    behind.access.clear()
    try:
        with ThreadPoolExecutor(len(servers)) as pool:
            assert list(pool.map(said, servers)) == ["you are Bearer ${LOGIN_TOKEN}"] * len(servers)
    finally:
        for server in servers:
            server.close()


def test_a_login_that_is_over_is_begun_anew_where_somebody_is_there_and_is_a_sentence_where_nobody_is(
    behind: Behind, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(mcp_oauth, "WRITING_SECONDS", 0.1)  # nobody else renews it
    log_in(behind, folder)
    behind.access.clear()
    behind.refresh.clear()
    told = refusal(behind.address, around(folder, None))
    assert "does not take the login that is kept any more, and there is no terminal" in told
    assert f"python main.py --mcp-login {behind.address}" in told
    with opened(behind.address, around(folder, opens)) as server:
        said(server)
    with opened(behind.address, around(folder, None)) as server:
        behind.access.clear()
        behind.refresh.clear()
        answer = server.call(server.tools[0], {})
        assert not answer.ok
        assert "--mcp-login" in answer.text


def test_with_nobody_there_the_sentence_says_the_command_and_nothing_is_begun(behind: Behind, folder: Path):
    told = refusal(behind.address, around(folder, None))
    assert told.startswith("the MCP server b cannot be used: HTTP 401, it wants to know who asks.")
    assert f"or log in once at a terminal: python main.py --mcp-login {behind.address}; no call works" in told
    assert not behind.clients
    assert not folder.exists()


def test_a_person_who_refuses_is_not_asked_again_and_nothing_is_kept(behind: Behind, folder: Path):
    behind.consents = False
    asked: list[str] = []

    def show(server: str, address: str) -> None:
        asked.append(address)
        opens(server, address)

    told = refusal(behind.address, around(folder, show))
    assert "nobody is logged in there: it was refused (access_denied not \\x1b[31mtoday)" in told
    assert len(asked) == 1
    assert not folder.exists()


def test_an_answer_with_another_state_is_not_taken(behind: Behind, folder: Path):
    def forged(server: str, address: str) -> None:
        back = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{back}?code=stolen&state=guessed", timeout=20)
        assert refused.value.code == 400

    told = refusal(behind.address, around(folder, forged))
    assert "its state is another" in told
    assert not folder.exists()


@pytest.mark.long
def test_nobody_who_logs_in_is_waited_for_so_long_and_the_clock_of_the_start_stands_still(
    behind: Behind, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(mcp_callback, "LOGIN_SECONDS", 0.2)
    told = refusal(behind.address, around(folder, lambda server, address: None))
    assert "nobody came back from it within" in told
    monkeypatch.undo()

    def slowly(server: str, address: str) -> None:
        time.sleep(1.6)  # the person's; the start may take one second
        opens(server, address)

    with opened(behind.address, around(folder, slowly, seconds=1.0)) as server:
        said(server)


def test_ctrl_c_ends_the_wait(behind: Behind, folder: Path):
    surroundings = around(folder, lambda server, address: surroundings.cancelled.set())
    began = time.monotonic()
    refusal(behind.address, surroundings)
    assert time.monotonic() - began < 15


def test_where_the_browser_comes_back_to_answers_nothing_else_and_repeats_nothing_that_it_is_sent(
    behind: Behind, folder: Path
):
    answers: list[tuple[int, bytes]] = []

    def show(server: str, address: str) -> None:
        query = parse_qs(urlsplit(address).query)
        back, state = query["redirect_uri"][0], query["state"][0]
        for path, data in (("favicon.ico", None), (f"callback?code=x&state={state}", b"posted"), ("<b>", None)):
            with pytest.raises(HTTPError) as refused:
                urlopen(f"{back.removesuffix('callback')}{quote(path, safe='?=&')}", data, timeout=20)
            answers.append((refused.value.code, refused.value.read()))
        with urlopen(f"{back}?error=%3Cb%3Eno&state={state}", timeout=20) as page:
            answers.append((page.status, page.read()))
            assert page.headers["Content-Type"].startswith("text/plain")

    assert "it was refused (<b>no)" in refusal(behind.address, around(folder, show))
    assert [status for status, _ in answers] == [404, 404, 404, 200]
    assert not any(b"<" in text for _, text in answers)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"address": "http://other/mcp"}', "\xff"])
def test_a_damaged_file_is_said_before_anybody_is_asked_and_left_as_it_is(text: str, folder: Path):
    folder.mkdir()
    address = "http://127.0.0.1:9/mcp"  # where nobody listens
    file = path_of(folder, address)
    file.write_text(text, encoding="latin-1")
    told = refusal(address, around(folder, nobody_more))
    assert f"the login that is kept in {file} cannot be used, it is damaged" in told
    assert f"--mcp-logout {address}" in told
    assert file.read_text(encoding="latin-1") == text


def test_two_servers_are_kept_apart(behind: Behind, folder: Path):
    with behind_a_login() as second:
        both = Servers([behind.address], around(folder, opens), lambda name: None)
        other = Servers([second.address], around(folder, opens), lambda name: None)
        try:
            assert [said(server) for server in (*both, *other)] == ["you are Bearer ${LOGIN_TOKEN}"] * 2
            assert set(both.secrets).isdisjoint(other.secrets)
            assert kept(behind, folder)["tokens"]["access_token"] in both.secrets
        finally:
            both.close()
            other.close()
        assert kept(behind, folder)["tokens"]["access_token"] in behind.access
        assert kept(second, folder)["tokens"]["access_token"] in second.access
        path_of(folder, second.address).unlink()
        with opened(behind.address, around(folder, None)) as server:
            said(server)
        assert "--mcp-login" in refusal(second.address, around(folder, None))


def test_a_server_whose_entry_says_who_asks_is_offered_no_login(behind: Behind, folder: Path):
    settings = ServerSettings("b", url=behind.address, headers={"authorization": "Bearer of-the-file"})
    with pytest.raises(ServerError, match="does not take the token in its headers"):
        McpServer(settings, around(folder, nobody_more))


def test_a_server_that_registers_nobody_is_logged_in_at_as_the_client_of_its_entry(
    behind: Behind, folder: Path, tmp_path: Path
):
    behind.registers = False
    told = refusal(behind.address, around(folder, nobody_more))
    assert 'its entry needs "oauth": {"clientId": "..."}' in told
    free = Callback()
    port = free.port
    free.close()
    behind.clients["ours"] = OAuthClientInformationFull(
        client_id="ours",
        client_secret="of-the-owner",
        redirect_uris=[f"http://127.0.0.1:{port}/callback"],
        token_endpoint_auth_method="client_secret_basic",
        scope="use",
    )
    entry = {"url": behind.address, "oauth": {"clientId": "ours", "clientSecret": "${OURS}", "callbackPort": port}}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"issues": {**entry}}}))
    (settings,) = servers_from([str(tmp_path / "mcp.json")], {"OURS": "of-the-owner"}.get)
    taken = pytest.raises(ServerError, match=f"the port {port}, its callbackPort, is taken")
    with socket.create_server(("127.0.0.1", port)), taken:
        McpServer(settings, around(folder, opens))
    server = McpServer(settings, around(folder, opens))
    assert said(server) == "you are Bearer ${LOGIN_TOKEN}"
    assert "of-the-owner" in server.secrets.values()
    server.close()


class Elsewhere(BaseHTTPRequestHandler):
    """Answers 307 to `server.leads_to` where that is set, else 401; notes what it is asked."""

    def do_POST(self) -> None:
        self.server.asked.append(self.headers["Authorization"])
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(307 if self.server.leads_to else 401)
        self.send_header("Location", self.server.leads_to)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def elsewhere(leads_to: str = "") -> Iterator[HTTPServer]:
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        server.asked, server.leads_to = [], leads_to
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


def address_of(server: HTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}/mcp"


def test_a_redirect_takes_no_token_to_another_place(behind: Behind, folder: Path):
    log_in(behind, folder)
    with elsewhere() as stranger, elsewhere(address_of(stranger)) as server:
        address = address_of(server)
        login = {**kept(behind, folder), "address": address}
        path_of(folder, address).write_text(json.dumps(login), encoding="utf-8")
        assert "cannot be used" in refusal(address, around(folder, None))
        assert server.asked[0].startswith("Bearer access-")
        assert stranger.asked == []


def test_a_server_that_wants_a_token_and_has_no_login_says_so(folder: Path):
    with elsewhere() as server:
        told = refusal(address_of(server), around(folder, nobody_more))
    assert '"headers": {"Authorization": "Bearer ${NAME}"}, with NAME in .env (it offers no login)' in told


@pytest.mark.parametrize("leads_to", ["http://auth.example/.well-known/x", "http://127.0.0.1/.well-known/x"])
def test_a_server_with_tls_leads_to_none_without(leads_to: str, folder: Path):
    import asyncio

    async def driven() -> str:
        login = Login(ServerSettings("b", url="https://b.example/mcp"), folder, nobody_more, lambda: None)  # type: ignore[arg-type,return-value]
        request = httpx2.Request("POST", login.address, json={})
        flow = login.flow(request)
        outgoing = await anext(flow)
        while REFUSED not in outgoing.extensions:
            assert outgoing.url.scheme == "https"
            challenge = {"WWW-Authenticate": f'Bearer resource_metadata="{leads_to}"'}
            outgoing = await flow.asend(httpx2.Response(401, headers=challenge, request=outgoing))
        return outgoing.extensions[REFUSED]

    assert "which is not https" in asyncio.run(driven())


def everything_in(folder: Path) -> str:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return "".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def test_no_token_stands_in_a_trace_a_page_or_what_the_model_is_told(behind: Behind, folder: Path, tmp_path: Path):
    log_in(behind, folder)
    behind.access.clear()  # it is renewed in the run
    (tmp_path / "work").mkdir()
    with scripted(("", [(offered_name("127", "who"), {})]), ("done", [])) as model:
        config = AgentConfig(
            provider="lmstudio",
            base_url=f"{model.address}/v1",
            job="operator",
            working_directory=tmp_path / "work",
            runs_directory=tmp_path / "runs",
            mcp=[behind.address],
            settings={"mcp_logins": str(folder)},
        )
        agent = Agent(config)
        result = agent.run("who am I?")
        assert result.stop_reason == "answered", result.errors
        assert result.kept
        agent.kept().page()
        told = json.dumps(model.requests)
    assert "you are Bearer ${LOGIN_TOKEN}" in told
    whole = told + everything_in(tmp_path / "runs")
    for text in (*behind.access, *behind.refresh, *(client.client_secret for client in behind.clients.values())):
        assert text
        assert text not in whole


def test_from_python_a_server_that_wants_a_login_is_a_sentence(behind: Behind, folder: Path, tmp_path: Path):
    config = AgentConfig(mcp=[behind.address], working_directory=tmp_path, settings={"mcp_logins": str(folder)})
    with pytest.raises(ConfigError, match="python main.py --mcp-login http"):
        Agent(config).run("hello")
    log_in(behind, folder)
    assert "b__who" not in Agent(replace(config, max_iters=1)).run("hello").answer


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "GLASSBOX_MCP_LOGINS": str(folder), "NO_COLOR": "1"}


@pytest.mark.parametrize("program", ["main.py", pytest.param("doors/mcp_server.py", marks=pytest.mark.long)])
def test_with_json_and_in_our_own_server_nobody_is_asked(program: str, behind: Behind, folder: Path, tmp_path: Path):
    command = [sys.executable, str(PROJECT / program), "--workdir", str(tmp_path)]
    command += ["--json", "--provider", "offline", "--mcp", behind.address, "hello"] if program == "main.py" else []
    more = {"GLASSBOX_MCP": behind.address} if program != "main.py" else {}
    ran = subprocess.run(
        command, env={**environment(folder), **more}, capture_output=True, encoding="utf-8", timeout=60, input=""
    )
    assert ran.returncode == 1
    assert f"python main.py --mcp-login {behind.address}" in ran.stderr
    assert not behind.clients


def test_the_command_logs_in_and_the_other_one_out(
    behind: Behind, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    entry = tmp_path / "mcp.json"
    entry.write_text(json.dumps({"mcpServers": {"issues": {"url": behind.address}, "x": {"command": "y"}}}))
    command = [sys.executable, str(PROJECT / "main.py"), "--mcp", str(entry), "--mcp-login", "issues"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", env=environment(folder)) as process:
        assert process.stderr
        assert "The MCP server issues wants you to log in at 127.0.0.1." in process.stderr.readline()
        opens("issues", process.stderr.readline().strip())
        rest = process.stderr.read()
    assert process.returncode == 0
    assert f"You are logged in at {behind.address}, which has 1 tools." in rest
    monkeypatch.setenv("GLASSBOX_MCP_LOGINS", str(folder))
    assert start.main(["--mcp-logout", behind.address]) == 0
    assert not list(folder.iterdir())
    assert start.main(["--mcp-logout", behind.address]) == 1
    assert start.main(["--mcp", str(entry), "--mcp-login", "x"]) == 1
    assert start.main(["--mcp-login", "nobody"]) == 1
    errors = capsys.readouterr().err
    assert f"no login at {behind.address} is kept" in errors
    assert errors.count("with an address is named with --mcp or GLASSBOX_MCP") == 2


OPENER = """
import re, sys, html
from urllib.request import urlopen, url2pathname
from urllib.parse import urlsplit
page = open(url2pathname(urlsplit(sys.argv[1]).path)).read()
open(sys.argv[0] + ".seen", "a").write(sys.argv[1] + "\\n")
urlopen(html.unescape(re.search('url=([^"]*)', page)[1])).read()
"""


@posix
@pytest.mark.long
def test_at_a_terminal_a_run_shows_the_address_and_opens_a_browser_whose_command_line_does_not_have_it(
    behind: Behind, folder: Path, tmp_path: Path
):
    from pseudo_terminal import in_terminal

    opener = tmp_path / "opener.py"
    opener.write_text(OPENER)
    browser = {"DISPLAY": ":99", "BROWSER": f"{sys.executable} {opener} %s"}
    runs = {"GLASSBOX_RUNS_DIRECTORY": str(tmp_path / "runs"), "GLASSBOX_MCP_LOGINS": str(folder)}
    (tmp_path / "work").mkdir()
    arguments = ["--provider", "offline", "--workdir", str(tmp_path / "work"), "--mcp", behind.address, "hello"]
    written, _ = in_terminal(arguments, **browser, **runs)
    assert "wants you to log in at 127.0.0.1" in written
    assert re.search(r"http://127\.0\.0\.1:\d+/authorize\?response_type=code\S+state=\S+scope=use", written)
    assert "MCP server 127: 1 tools" in written
    seen = opener.with_name("opener.py.seen").read_text()
    assert seen.startswith("file://")
    assert "state" not in html.unescape(seen)
    for token in (*behind.access, *behind.refresh):
        assert token not in written
