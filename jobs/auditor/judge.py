"""A model as a judge: one request over the same wire, answered with the tool `verdict`."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from config import Settings, provider_of
from jobs.auditor.audit import Audit
from jobs.auditor.settings import AuditorSettings
from jobs.auditor.summary import summary

SECONDS = 120.0
PROMPT = (
    "You judge an audit of data. Below is its state, then what it is about to do ({gate} gate). Pass what is sound; "
    "fail what is wrong, unproven or useless, and say in one sentence what to do instead. Call verdict."
)
VERDICTS = ("pass", "warn", "fail")
PROPERTIES = {"verdict": {"type": "string", "enum": list(VERDICTS)}, "critique": {"type": "string"}}
NO_VERDICT = "warn", "The judge gave no verdict."


@dataclass(frozen=True)
class Judge:
    """`wire` is "openai" or "gemini"; `name` is what the evaluation calls it."""

    wire: str
    address: str
    model: str
    key: str
    name: str

    @classmethod
    def itself(cls, settings: Settings) -> Judge:
        """The same model that audits."""
        provider = provider_of(settings)
        address, model, key = (getattr(settings, provider.setting(name)) for name in ("base_url", "model", "api_key"))
        return cls(provider.wire, address or provider.address, model, key, "self")

    @classmethod
    def another(cls, settings: Settings) -> Judge:
        """The model that JUDGE_* names, over the wire of the one that audits."""
        wire, named = provider_of(settings).wire, settings.of(AuditorSettings)
        return cls(wire, named.judge_base_url, named.judge_model, named.judge_api_key, "judge")

    def ask(self, gate: str, name: str, arguments: Mapping[str, Any], audit: Audit) -> tuple[str, str, str]:
        """Return the verdict, the critique and who gave it. A judge that fails or says nothing useful only warns."""
        state = summary(audit, 0, 0, (0, 0))
        about = f"{state}\n\n# What it is about to do\n{name} {json.dumps(dict(arguments), ensure_ascii=False)[:4000]}"
        request = self._openai if self.wire == "openai" else self._gemini
        try:
            return (*understood(request(PROMPT.format(gate=gate), about)), self.name)
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            return "warn", f"The judge could not be asked ({type(error).__name__}).", self.name

    def _openai(self, system: str, user: str) -> Any:
        schema = {"type": "object", "properties": PROPERTIES, "required": list(PROPERTIES)}
        tool = {"type": "function", "function": {"name": "verdict", "description": "The verdict", "parameters": schema}}
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        body = {"model": self.model or "default", "messages": messages, "tools": [tool], "tool_choice": "required"}
        reply = self._post("/chat/completions", {"Authorization": f"Bearer {self.key}"}, {**body, "temperature": 0})
        message = reply["choices"][0]["message"]
        calls = message.get("tool_calls") or []
        return json.loads(calls[0]["function"]["arguments"]) if calls else message.get("content") or ""

    def _gemini(self, system: str, user: str) -> Any:
        properties = {name: {**part, "type": part["type"].upper()} for name, part in PROPERTIES.items()}
        schema = {"type": "OBJECT", "properties": properties, "required": list(PROPERTIES)}
        declared = [{"name": "verdict", "description": "The verdict", "parameters": schema}]
        body = {
            "systemInstruction": {"parts": [{"text": system}]},
            "contents": [{"role": "user", "parts": [{"text": user}]}],
            "tools": [{"functionDeclarations": declared}],
            "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        }
        reply = self._post(f"/v1beta/models/{self.model}:generateContent", {"x-goog-api-key": self.key}, body)
        parts = reply["candidates"][0]["content"]["parts"]
        calls = [part["functionCall"]["args"] for part in parts if "functionCall" in part]
        return calls[0] if calls else "".join(part.get("text", "") for part in parts)

    def _post(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", **headers}
        request = urllib.request.Request(self.address.rstrip("/") + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)


def understood(said: Any) -> tuple[str, str]:
    """Read a verdict: the tool's arguments, or a text that begins with the word."""
    if isinstance(said, dict) and said.get("verdict") in VERDICTS:
        return said["verdict"], str(said.get("critique", ""))
    first = str(said).strip().lower().lstrip("*# ").split(maxsplit=1)[:1]
    word = first[0].strip(".:,*") if first else ""
    return (word, str(said).strip()) if word in VERDICTS else NO_VERDICT
