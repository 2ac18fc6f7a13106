"""Which servers the person named: files, commands, addresses, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from config import ConfigError
from reach.mcp_settings import servers_from

SET = {"TOKEN": "secret-token", "PORT": "80"}


def read(tmp_path: Path, content: object) -> list:
    path = tmp_path / "mcp.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return servers_from([str(path)], SET.get)


def test_a_file_of_the_format_that_other_clients_use_is_read(tmp_path: Path):
    files, web = read(
        tmp_path,
        {
            "mcpServers": {
                "files": {
                    "command": "npx",
                    "args": ["-y", "server"],
                    "env": {"KEY": "${TOKEN}"},
                    "cwd": "/tmp",
                    "trusted": True,
                },
                "web": {
                    "url": "http://127.0.0.1:${PORT}/mcp",
                    "headers": {"Authorization": "Bearer ${TOKEN}"},
                    "timeout": 5,
                },
                "off": {"command": "x", "disabled": True},
            }
        },
    )
    assert (files.command, files.args, files.env, files.cwd, files.trusted) == (
        "npx",
        ("-y", "server"),
        {"KEY": "secret-token"},
        "/tmp",
        True,
    )
    assert files.secrets == {"TOKEN": "secret-token"}
    assert (web.url, web.headers, web.timeout, web.trusted) == (
        "http://127.0.0.1:80/mcp",
        {"Authorization": "Bearer secret-token"},
        5.0,
        False,
    )


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("python server.py --port 3", "server"),
        ("npx -y @modelcontextprotocol/server-memory", "server-memory"),
        ("http://127.0.0.1:9/mcp", "127"),
        ("https://example.com/mcp", "example"),
        ("'/a path/my server.py'", "my-server"),
    ],
)
def test_a_command_or_an_address_gets_a_name(source: str, name: str):
    (server,) = servers_from([source], SET.get)
    assert server.name == name
    assert bool(server.command) != bool(server.url)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "cannot be used"),
        ("[]", "no mcpServers"),
        ({"servers": {}}, "no mcpServers"),
        ({"mcpServers": []}, "an object of objects"),
        ({"mcpServers": {"a": 1}}, "an object of objects"),
        ({"mcpServers": {"a": {}}}, "needs a command or a url"),
        ({"mcpServers": {"a": {"command": "x", "url": "http://y"}}}, "and not both"),
        ({"mcpServers": {"a": {"command": "x", "argv": []}}}, "'argv'"),
        ({"mcpServers": {"a": {"command": "x", "args": "y"}}}, "no list of texts"),
        ({"mcpServers": {"a": {"command": "x", "env": {"A": 1}}}}, "no texts by name"),
        ({"mcpServers": {"a": {"command": ["x"]}}}, "no text"),
        ({"mcpServers": {"a": {"url": "ftp://x"}}}, "must begin with http"),
        ({"mcpServers": {"a": {"command": "x", "env": {"A": "${GONE}"}}}}, "${GONE}, which is not set"),
        ({"mcpServers": {"a": {"command": "x", "timeout": -1}}}, "number of seconds"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence_that_names_it(content: object, said: str, tmp_path: Path):
    with pytest.raises(ConfigError, match="mcp.json") as raised:
        read(tmp_path, content)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there_and_a_name_that_comes_twice():
    with pytest.raises(ConfigError, match="there is no such file"):
        servers_from(["gone.json"], SET.get)
    with pytest.raises(ConfigError, match="two MCP servers"):
        servers_from(["python a.py", "python a.py"], SET.get)
    with pytest.raises(ConfigError, match="no command line"):
        servers_from(["python 'a.py"], SET.get)


def test_variables_are_filled_from_what_is_given_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("ONLY_IN_THE_ENVIRONMENT", "x")
    with pytest.raises(ConfigError):
        read(tmp_path, {"mcpServers": {"a": {"command": "${ONLY_IN_THE_ENVIRONMENT}"}}})


ONE = {"type": "stdio", "command": "npx", "args": ["x"]}
# A file as another client has it; the server's name, its command or address, its timeout, what is left aside.
OTHERS: dict[str, tuple[str, tuple[str, str, float, tuple[str, ...]]]] = {
    "claude desktop": (json.dumps({"mcpServers": {"s": {"command": "npx", "args": ["-y"]}}}), ("s", "npx", 0, ())),
    "claude code": (
        json.dumps(
            {
                "mcpServers": {
                    "s": {"type": "http", "url": "${BASE:-https://api.example.com}/mcp", "headers": {"A": "${KEY}"}}
                }
            }
        ),
        ("s", "https://api.example.com/mcp", 0, ()),
    ),
    "vs code": (json.dumps({"inputs": [], "servers": {"s": ONE}}), ("s", "npx", 0, ())),
    "vs code, with comments": (
        '{ // mine\n "servers": {"s": {"command": "npx", /* so */ "args": ["http://x"],}, }, // end\n}',
        ("s", "npx", 0, ()),
    ),
    "cursor": (
        json.dumps({"mcpServers": {"s": {"command": "python", "env": {"K": "${env:KEY}"}, "envFile": ".env"}}}),
        ("s", "python", 0, ("envFile",)),
    ),
    "cline": (
        json.dumps(
            {
                "mcpServers": {
                    "s": {"command": "node", "disabled": False, "autoApprove": [], "timeout": 30, "alwaysAllow": ["x"]}
                }
            }
        ),
        ("s", "node", 30, ("alwaysAllow", "autoApprove")),
    ),
    "gemini cli": (
        json.dumps(
            {
                "mcpServers": {
                    "s": {"httpUrl": "http://127.0.0.1:1/mcp", "timeout": 5000, "trust": False, "includeTools": ["a"]}
                }
            }
        ),
        ("s", "http://127.0.0.1:1/mcp", 5, ()),
    ),
    "qwen-code": (
        json.dumps(
            {
                "mcpServers": {
                    "s": {"url": "http://127.0.0.1:1/m", "timeout": 10000, "trust": True, "description": "d"}
                },
                "allowMCPServers": ["s"],
            }
        ),
        ("s", "http://127.0.0.1:1/m", 10, ("description",)),
    ),
    "windsurf": (
        json.dumps({"mcpServers": {"s": {"serverUrl": "http://127.0.0.1:1/mcp", "disabledTools": ["b"]}}}),
        ("s", "http://127.0.0.1:1/mcp", 0, ()),
    ),
    "zed's wizard, the metadata of a registry": (
        json.dumps({"mcpServers": {"s": {**ONE, "name": "S", "version": "1", "icon": "i"}}}),
        ("s", "npx", 0, ("icon", "name", "version")),
    ),
}


@pytest.mark.parametrize("client", OTHERS)
def test_ten_files_of_other_clients_are_read_and_what_has_no_meaning_here_is_known(client: str, tmp_path: Path):
    text, wanted = OTHERS[client]
    (tmp_path / "mcp.json").write_text(text, encoding="utf-8")
    (server,) = servers_from([str(tmp_path / "mcp.json")], {"KEY": "secret-key"}.get)
    assert (server.name, server.command or server.url, server.timeout, server.ignored) == wanted
    assert server.trusted is (client == "qwen-code")
    assert server.include == (("a",) if client == "gemini cli" else ())
    assert server.exclude == (("b",) if client == "windsurf" else ())
    if "KEY" in text:
        assert "secret-key" in (*server.env.values(), *server.headers.values())


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"type": "sse", "url": "http://127.0.0.1:1/sse"}, "of the type SSE.*not spoken here"),
        ({"command": "x", "args": ["${input:key}"]}, "only its own client knows"),
        ({"command": "x", "includeTools": "a"}, "no list of tools"),
    ],
)
def test_what_cannot_be_meant_here_is_a_clear_no(entry: dict, said: str, tmp_path: Path):
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"s": entry}}), encoding="utf-8")
    with pytest.raises(ConfigError, match=said):
        servers_from([str(tmp_path / "mcp.json")], {}.get)
