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
