"""The table of the wire matrix in docs/ is the one that the tests make."""

import os
import subprocess
import sys

import pytest

from config import PROJECT


@pytest.mark.parametrize(("document", "made_by"), [("docs/wire-matrix.md", "table"), ("README.md", "summary")])
def test_the_tables_in_the_documentation_are_up_to_date(document: str, made_by: str):
    program = f"import sys; sys.path.insert(0, 'docs'); import wire_matrix; sys.stdout.write(wire_matrix.{made_by}())"
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    made = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    assert (PROJECT / document).read_text(encoding="utf-8") == made.stdout, "run: python docs/wire_matrix.py"
