"""mini-swe-agent, with its own model, environment and default configuration for a task."""

import os

os.environ.update(MSWEA_SILENT_STARTUP="1", MSWEA_COST_TRACKING="ignore_errors")
os.environ.update(LITELLM_LOCAL_MODEL_COST_MAP="True", MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT="1")

import yaml
from minisweagent.agents.default import DefaultAgent
from minisweagent.config import builtin_config_dir
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_model import LitellmModel
from workload import ADDRESS, FOLDER, PROMPT

config = yaml.safe_load((builtin_config_dir / "mini.yaml").read_text())
settings = {key: value for key, value in config["agent"].items() if key in ("system_template", "instance_template")}
model = LitellmModel(
    model_name="openai/zero-latency",
    model_kwargs={"api_base": f"{ADDRESS}/v1", "api_key": "none"},
    observation_template=config["model"]["observation_template"],
)
DefaultAgent(model, LocalEnvironment(cwd=str(FOLDER)), **settings).run(PROMPT)
