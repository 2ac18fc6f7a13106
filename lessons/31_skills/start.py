"""Lesson 31: read it when you need it."""

import os
import re

import skill_file  # given: skill_file.read(path) is a SKILL.md in its parts
from confine import inside  # lesson 3

NAME = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*")  # agentskills.io: at most 64 of these characters
LONGEST_DESCRIPTION = 1024  # characters, by the same format
PAGE = 10_000  # characters of instructions that a model is given


def skill(folder, name):
    """Return {"name", "description", "instructions"} of the skill in folder/name/SKILL.md, None where none is to be used."""
    path = f"{name}/SKILL.md"
    raise NotImplementedError("a good name, inside the folder, a file that is there, and fields as they should be")


def catalogue(folder):
    """What the system prompt says of the skills in a folder: "- name: description", a line each, sorted by name."""
    raise NotImplementedError("one line for each skill that can be used")


def read_skill(folder, name):
    """The tool: the instructions of one skill, or "Error: " and the names of those that there are."""
    found = skill(folder, name)
    raise NotImplementedError("an error that helps, or instructions that fit into a page")
