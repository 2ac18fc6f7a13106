"""This agent with one more tool, `wait`: what a tool of 100 ms costs cannot be seen with tools that take none."""

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from workload import FOLDER, PROMPT, wait

from cli import start
from functions.tool import Tool
from jobs import coder

SCHEMA = {
    "name": "wait",
    "description": "Wait 100 milliseconds",
    "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
}
WAIT = Tool("wait", wait, SCHEMA, reads_only=True, resource="")
coder.JOB = replace(coder.JOB, tools=lambda resources: [*coder.tools(resources), WAIT])
sys.exit(start.main([PROMPT, "--workdir", str(FOLDER)]))
