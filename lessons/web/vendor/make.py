"""Make codemirror.min.js anew: fetch the pinned packages with npm, bundle them with esbuild, write down what came out.

Run it from this folder, with Node.js and a network: python make.py. The versions stand in versions.txt; to take newer
ones, change them there. Every package is named there with its version, so that the same bytes come out.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSIONS, BUNDLE, LICENSE = HERE / "versions.txt", HERE / "codemirror.min.js", HERE / "LICENSE"


def main() -> None:
    packages = [line for line in VERSIONS.read_text(encoding="utf-8").splitlines() if "@" in line]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        shutil.copy(HERE / "editor.js", folder)
        install = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact"]
        subprocess.run([*install, *packages], cwd=folder, check=True)
        modules = folder / "node_modules"
        options = ["--bundle", "--minify", "--format=iife", "--target=es2022", "--legal-comments=none"]
        bundle = [str(modules / ".bin" / "esbuild"), "editor.js", *options, f"--outfile={BUNDLE}"]
        subprocess.run(bundle, cwd=folder, check=True)
        LICENSE.write_text(licenses(modules, packages), encoding="utf-8")
    digest = hashlib.sha256(BUNDLE.read_bytes()).hexdigest()
    VERSIONS.write_text("\n".join([*packages, f"sha256 of codemirror.min.js: {digest}"]) + "\n", encoding="utf-8")
    print(f"{BUNDLE.name}: {BUNDLE.stat().st_size:,} bytes, {digest}")


def licenses(modules: Path, packages: list[str]) -> str:
    """The licence of each package that is in the bundle; the same text once, with the names that it is for."""
    texts: dict[str, list[str]] = {}
    for package in packages:
        name = package.rpartition("@")[0]
        if name != "esbuild":  # it made the bundle, and is not in it
            text = (modules / name / "LICENSE").read_text(encoding="utf-8").strip()
            texts.setdefault(text, []).append(package)
    return "\n\n\n".join(f"{', '.join(named)}\n\n{text}" for text, named in texts.items()) + "\n"


if __name__ == "__main__":
    main()
