"""The working directory as a value: what it refuses, and that it keeps what it is given."""

from pathlib import Path

import pytest

from sandbox.files import Refusal, Root


@pytest.mark.parametrize(
    "path", ["..", "pkg/../..", "/etc/passwd", "~/.ssh/id_rsa", "C:\\x", "\\\\host\\share", "//host"]
)
def test_a_path_that_leads_outside_is_refused(tmp_path: Path, path: str) -> None:
    with Root(tmp_path) as root, pytest.raises(Refusal) as refusal:
        root.read_bytes(path)
    assert str(refusal.value) == f'Cannot read "{path}" as it is outside the permitted working directory'
    assert refusal.value.reason == "outside"


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    with Root(tmp_path) as root:
        root.write_bytes("pkg/deep/data.bin", b"\x00\xff\r\n")
        assert root.read_bytes("pkg/deep/data.bin") == b"\x00\xff\r\n"
        assert [path for path, _ in root.walk()] == ["pkg/deep/data.bin"]
