"""This agent with one more tool, `wait`: what a tool of 100 ms costs cannot be seen with tools that take none."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from workload import FOLDER, PROMPT, wait

from cli import arguments as cli
from list_functions import TOOLS, Tool
from main import run_agent

SCHEMA = {
    "name": "wait",
    "description": "Wait 100 milliseconds",
    "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
}
TOOLS["wait"] = Tool("wait", lambda working_directory, number: wait(number), SCHEMA, reads_only=True)
sys.exit(cli.main([PROMPT, "--workdir", str(FOLDER)], run_agent))
