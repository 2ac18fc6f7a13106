"""mini-swe-agent on a coding task, with its own model, agent and default configuration. Its one tool is a shell, and a
small model may write anything into one: each command runs in namespaces of its own, where the whole system can only be
read, but for the folder, and there is no network.
"""

import os

os.environ.update(MSWEA_SILENT_STARTUP="1", MSWEA_COST_TRACKING="ignore_errors")
os.environ.update(LITELLM_LOCAL_MODEL_COST_MAP="True", MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT="1")

import shlex
from typing import Any

import yaml
from coding import ASKED, FOLDER, Report
from minisweagent.agents.default import DefaultAgent
from minisweagent.config import builtin_config_dir
from minisweagent.environments.local import LocalEnvironment
from minisweagent.exceptions import Submitted
from minisweagent.models.litellm_model import LitellmModel
from walled import walled

ENDED = {"LimitsExceeded": "max_iters"}
ROLL = {"temperature": ASKED["temperature"]}
report = Report()


class Walled(LocalEnvironment):
    def execute(self, action: dict, cwd: str = "", **more: Any) -> dict[str, Any]:
        command = action.get("command", "")
        report.told["calls"].append(
            {"name": "bash", "arguments": {"command": command}, "status": "called", "result": ""}
        )
        try:
            output = super().execute({**action, "command": shlex.join(walled(FOLDER, command))}, cwd, **more)
        except Submitted:
            report.told["calls"][-1]["status"] = "completed"
            raise
        status = "error" if output["returncode"] else "completed"
        report.told["calls"][-1].update(status=status, result=output["output"])
        return output


class Counted(LitellmModel):
    text = ""

    def _query(self, *arguments: Any, **more: Any) -> Any:
        response = super()._query(*arguments, **more)
        self.text = response.choices[0].message.content or self.text
        report.turn(response.usage.prompt_tokens, response.usage.completion_tokens)
        return response


config = yaml.safe_load((builtin_config_dir / "mini.yaml").read_text())
settings = {key: value for key, value in config["agent"].items() if key in ("system_template", "instance_template")}
told = {
    key: value for key, value in config["model"].items() if key in ("observation_template", "format_error_template")
}
model = Counted(
    model_name=f"openai/{ASKED['model']}",
    model_kwargs={"api_base": ASKED["address"], "api_key": ASKED["key"] or "none", **ROLL},
    **told,
)
environment = Walled(cwd=str(FOLDER), env={"PATH": f"{ASKED['path']}:{os.environ['PATH']}"})
ended = DefaultAgent(model, environment, **settings, step_limit=ASKED["turns"]).run(ASKED["prompt"])
answer = "\n".join(filter(None, (model.text, ended.get("submission"))))
report.end(answer, ENDED.get(ended.get("exit_status"), "answered"))
