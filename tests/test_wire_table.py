"""The table of the wire matrix in docs/ is the one that the tests make."""

import subprocess
import sys

from config import PROJECT


def test_the_table_in_the_documentation_is_up_to_date():
    program = "import sys; sys.path.insert(0, 'docs'); import wire_matrix; sys.stdout.write(wire_matrix.table())"
    made = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, capture_output=True, encoding="utf-8", check=True
    )
    written = (PROJECT / "docs" / "wire-matrix.md").read_text(encoding="utf-8")
    assert written == made.stdout, "run: python docs/wire_matrix.py"
