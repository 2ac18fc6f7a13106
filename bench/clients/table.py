"""The clients: how each is installed and started, with the settings that its documentation names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DRIVERS = Path(__file__).with_name("drivers")
MODEL = "glassbox-offline"
LLM_MODELS = """\
- model_id: glassbox
  model_name: glassbox-offline
  api_base: "{address}/v1"
  supports_tools: true
"""
VIBE = """\
active_model = "glassbox"
enable_telemetry = false
enable_update_checks = false
[[providers]]
name = "glassbox"
api_base = "{address}/v1"
api_key_env_var = "OPENAI_API_KEY"
[[models]]
name = "glassbox-offline"
provider = "glassbox"
alias = "glassbox"
"""
GEMINI = '{{"security": {{"auth": {{"selectedType": "gemini-api-key"}}}}}}'
PI = """\
{{"providers": {{"glassbox": {{"baseUrl": "{address}/v1", "api": "openai-completions", "apiKey": "none",
  "models": [{{"id": "glassbox-offline"}}]}}}}}}
"""


@dataclass(frozen=True)
class Client:
    """One client. `start` is a program of its own with its arguments, or a driver for its Python; `{address}` and
    `{prompt}` are filled in, `{drivers}` is the folder of the small programs. `files` are put into its home."""

    name: str
    package: str
    has: str
    start: tuple[str, ...]
    npm: bool = False
    beside: str = ""  # packages that it needs and does not name
    files: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)

    def installing(self, folder: Path) -> str:
        place = folder / self.name
        if self.npm:
            return f"npm install --prefix {place} {self.package}"
        return (
            f"python3 -m venv {place} && {place}/bin/pip install {' '.join(filter(None, (self.package, self.beside)))}"
        )

    def program(self, installed: Path) -> Path:
        programs = installed / self.name / ("node_modules/.bin" if self.npm else "bin")
        return programs / ("python" if self.start[0].endswith(".py") else self.start[0])

    def command(self, installed: Path, address: str, prompt: str) -> list[str]:
        first = [str(self.program(installed))]
        if self.start[0].endswith(".py"):
            return [*first, str(DRIVERS / self.start[0]), address, prompt]
        return [*first, *(each.format(address=address, prompt=prompt, drivers=DRIVERS) for each in self.start[1:])]


NO_LOOKUP = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}  # or it looks for prices in the internet first
CLIENTS = (
    Client(
        "aider",
        "aider-chat",
        "the files in the message, no tools",
        ("aider", "--model", f"openai/{MODEL}", "--no-show-model-warnings", "--no-check-update", "--no-analytics")
        + ("--yes-always", "--no-git", "--no-pretty", "--no-stream", "--message", "{prompt}")
        + ("pkg/calculator.py", "pkg/render.py", "main.py", "tests.py"),
        environment=NO_LOOKUP,
    ),
    Client(
        "mini-swe-agent",
        "mini-swe-agent",
        "a shell",
        ("mini", "-m", f"openai/{MODEL}", "-t", "{prompt}", "-y", "--exit-immediately", "-o", "../run.json"),
        beside="mcp",
        environment={**NO_LOOKUP, "MSWEA_CONFIGURED": "true", "MSWEA_COST_TRACKING": "ignore_errors"},
    ),
    Client(
        "mistral-vibe",
        "mistral-vibe",
        "read, edit, write, a shell and six more",
        ("vibe", "-p", "{prompt}", "--auto-approve", "--trust", "--max-turns", "30"),
        files={"vibe/config.toml": VIBE},
        environment={"VIBE_HOME": "{home}/vibe"},
    ),
    Client(
        "qwen-code",
        "@qwen-code/qwen-code",
        "list, read, edit, write, a shell and ten more",
        ("qwen", "--auth-type", "openai", "-m", MODEL, "--openai-base-url", "{address}/v1", "-y", "{prompt}"),
        npm=True,
    ),
    Client(
        "gemini-cli",
        "@google/gemini-cli",
        "list, read, replace, write, a shell and more, on Gemini's wire",
        ("gemini", "--skip-trust", "-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", "{prompt}"),
        npm=True,
        files={".gemini/settings.json": GEMINI},
        environment={"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": "{address}"},
    ),
    Client(
        "pi",
        "@mariozechner/pi-coding-agent",
        "read, edit, write, a shell",
        ("pi", "--provider", "glassbox", "--model", MODEL, "-p", "{prompt}"),
        npm=True,
        files={".pi/agent/models.json": PI},
        environment={"PI_OFFLINE": "1"},
    ),
    Client("pydantic-ai", "pydantic-ai-slim[openai]", "list, read, write, test", ("pydantic_ai_client.py",)),
    Client("openai-agents", "openai-agents", "a shell", ("openai_agents_client.py",)),
    Client("langchain", "langchain", "list, read, replace", ("langchain_client.py",), beside="langchain-openai"),
    Client(
        "llm",
        "llm",
        "six functions from a file",
        (
            "llm",
            "-m",
            "glassbox",
            "--key",
            "none",
            "--chain-limit",
            "40",
            "--functions",
            "{drivers}/hands.py",
            "{prompt}",
        ),
        files={"llm/extra-openai-models.yaml": LLM_MODELS},
        environment={"LLM_USER_PATH": "{home}/llm"},
    ),
    Client("litellm", "litellm", "a shell", ("litellm_client.py",), beside="mcp", environment=NO_LOOKUP),
    Client("smolagents", "smolagents[openai]", "list, read, write, test", ("smolagents_client.py",)),
)
