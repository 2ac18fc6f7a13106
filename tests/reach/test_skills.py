"""Skills in the open format: what loads, what is broken and says why, and how the rest is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from config import PROJECT, ConfigError
from functions import ToolError
from jobs.equipment.read_skill import read_skill
from reach.skills import Skills

# The specification's own examples: the least that is allowed, and every field.
LEAST = "---\nname: skill-name\ndescription: A description of what this skill does and when to use it.\n---\n"
FULL = """---
name: pdf-processing
description: Extract PDF text, fill forms, merge files. Use when handling PDFs.
license: Apache-2.0
compatibility: Requires Python 3.14+ and uv
metadata:
  author: example-org
  version: "1.0"
allowed-tools: Bash(git:*) Bash(jq:*) Read
---
# Do it

1. Read.
"""
COLONS = "---\nname: with-colons\ndescription: Use when: it's needed: often\n---\nbody\n"

BROKEN = {
    "no front matter": ("# Hello\n", "does not begin with front matter"),
    "front matter that is not ended": ("---\nname: a\ndescription: b\n", "does not begin with front matter"),
    "no name": ("---\ndescription: b\n---\n", "has no name"),
    "no description": ("---\nname: broken\n---\n", "has no description"),
    "an empty description": ('---\nname: broken\ndescription: ""\n---\n', "has no description"),
    "capitals in the name": ("---\nname: PDF-Processing\ndescription: b\n---\n", "small letters"),
    "a hyphen first": ("---\nname: -pdf\ndescription: b\n---\n", "small letters"),
    "two hyphens": ("---\nname: pdf--x\ndescription: b\n---\n", "small letters"),
    "a long name": (f"---\nname: {'a' * 65}\ndescription: b\n---\n", "1 to 64"),
    "a long description": (f"---\nname: broken\ndescription: {'a ' * 600}\n---\n", "at most 1,024"),
    "no YAML": ("---\nname: [broken\ndescription: b\n---\n", "is not YAML"),
    "a list": ("---\n- name\n- description\n---\n", "no fields"),
    "a name that is no text": ("---\nname: 5\ndescription: b\n---\n", "has no name"),
    "an object of Python": (
        "---\nname: !!python/object/apply:os.system ['true']\ndescription: b\n---\n",
        "small letters",
    ),
    "bytes that are no text": (b"---\nname: a\xff\n---\n", "not"),
}


def make(folder: Path, name: str, text: str | bytes) -> Path:
    (folder / name).mkdir(parents=True)
    path = folder / name / "SKILL.md"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / name


def test_the_formats_own_examples_load(tmp_path: Path):
    make(tmp_path, "skill-name", LEAST)
    make(tmp_path, "pdf-processing", FULL)
    skills = Skills([tmp_path])
    assert list(skills) == ["pdf-processing", "skill-name"]
    assert skills.broken == []
    assert all(not skill.doubts for skill in skills.values())
    assert skills.read("pdf-processing") == "# Do it\n\n1. Read."
    skills.close()


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_skill_is_named_with_what_is_wrong_and_the_others_work(fault: str, tmp_path: Path):
    text, said = BROKEN[fault]
    make(tmp_path, "broken", text)
    make(tmp_path, "skill-name", LEAST)
    skills = Skills([tmp_path])
    assert list(skills) == ["skill-name"]
    (sentence,) = skills.broken
    assert said in sentence
    assert "broken" in sentence
    assert "\n" not in sentence
    skills.close()


def test_at_least_ten_kinds_of_broken_are_known():
    assert len(BROKEN) >= 10


def test_a_colon_that_is_not_quoted_is_read_as_text_and_said(tmp_path: Path):
    skills = Skills([make(tmp_path, "with-colons", COLONS)])
    assert skills["with-colons"].description == "Use when: it's needed: often"
    (doubt,) = skills["with-colons"].doubts
    assert "the skill with-colons" in doubt
    skills.close()


def test_of_the_skills_that_ship_nothing_has_to_be_said():
    skills = Skills([PROJECT / "samples" / "operator" / "skills"])
    assert not skills.broken
    assert not [doubt for skill in skills.values() for doubt in skill.doubts]
    skills.close()


def test_a_folder_of_another_name_is_said_and_a_name_that_comes_twice_is_refused(tmp_path: Path):
    make(tmp_path, "a", LEAST)
    make(tmp_path, "b", LEAST)
    skills = Skills([tmp_path])
    assert list(skills) == ["skill-name"]
    assert "another name" in skills["skill-name"].doubts[0]
    assert "already" in skills.broken[0]
    skills.close()


def test_only_name_and_description_stand_in_the_prompt(tmp_path: Path):
    skills = Skills([make(tmp_path, "pdf-processing", FULL)])
    assert "pdf-processing: Extract PDF text" in skills.prompt()
    assert "1. Read" not in skills.prompt()
    assert "Apache" not in skills.prompt()
    skills.close()


def test_a_folder_that_cannot_be_read_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuses(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr("os.scandir", refuses)
    with pytest.raises(ConfigError, match=r"--skills .* cannot be read \(Permission denied\)"):
        Skills([tmp_path])


def test_a_folder_without_skills_and_one_that_is_not_there_are_one_sentence_each(tmp_path: Path):
    with pytest.raises(ConfigError, match="holds no skill"):
        Skills([tmp_path])
    with pytest.raises(ConfigError, match="no such folder"):
        Skills([tmp_path / "gone"])


def test_further_files_are_listed_and_read_in_pages_and_nothing_else_is(tmp_path: Path):
    folder = make(tmp_path, "pdf-processing", FULL)
    (folder / "references").mkdir()
    (folder / "references" / "long.md").write_text("line of text\n" * 2_000, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "link.md").symlink_to(tmp_path / "secret.txt")
    skills = Skills([folder])
    assert "- references/long.md" in read_skill(skills, "pdf-processing")
    first = read_skill(skills, "pdf-processing", "references/long.md")
    assert first.endswith("[page 1 of 3, read on with page=2]")
    assert read_skill(skills, "pdf-processing", "references/long.md", 3).endswith("[page 3 of 3]")
    for path in ("../secret.txt", "/etc/passwd", "link.md", "gone.md"):
        answer = read_skill(skills, "pdf-processing", path)
        assert isinstance(answer, ToolError)
        assert "secret" not in answer.replace("secret.txt", "")
    assert isinstance(read_skill(skills, "pdf-processing", page=9), ToolError)
    assert "pdf-processing" in read_skill(skills, "pdf")
    skills.close()
