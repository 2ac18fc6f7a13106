# ruff: noqa: E501
"""One call, get_file_content of a.txt, as each family of models writes it where its server does not read it.

Each is a name with where the format is known from, and a reply's text. What a model writes around it stands there too.
"""

from __future__ import annotations

JSON = '{"name": "get_file_content", "arguments": {"file_path": "a.txt"}}'
LLAMA = '{"name": "get_file_content", "parameters": {"file_path": "a.txt"}}'
ARGUMENTS = '{"file_path": "a.txt"}'
PYTHON = 'get_file_content(file_path="a.txt")'
PARAMETER = "<parameter=file_path>\na.txt\n</parameter>"

FORMATS = {
    "Hermes, Qwen 2.5 and 3 (their chat templates)": f"<tool_call>\n{JSON}\n</tool_call>",
    "Hermes without the end of its tag (llama.cpp#12601)": f"<tool_call>\n{JSON}",
    "Qwen3-Coder (its chat template)": f"<tool_call>\n<function=get_file_content>\n{PARAMETER}\n</function>\n</tool_call>",
    "Qwen3-Coder without its first tag (qwen-code#176)": f"I read it.\n\n<function=get_file_content>\n{PARAMETER}\n</function>\n</tool_call>",
    "Qwen2.5-Coder, stock template (recorded, 1.5B)": f"```json\n{JSON}\n```",
    "Qwen2.5-Coder, stock template, in tools tags": f"<tools>\n{JSON}\n</tools>",
    "Qwen2.5-Coder, in an xml block": f"```xml\n<tool_call>\n{JSON}\n</tool_call>\n```",
    "Seed-OSS (its chat template)": f"<seed:tool_call>\n<function=get_file_content>\n{PARAMETER.replace(chr(10), '')}\n</function>\n</seed:tool_call>",
    "Llama 3.1, python tag (Meta's prompt formats)": f"<|python_tag|>{LLAMA}<|eom_id|>",
    "Llama 3.1, type beside (Meta's prompt formats)": '{"type": "function", "name": "get_file_content", "parameters": {"file_path": "a.txt"}}',
    "Llama 3.1, custom functions (Meta's prompt formats)": f"<function=get_file_content>{ARGUMENTS}</function>",
    "Llama 3.2 (Meta's prompt formats)": LLAMA,
    "Llama 3.2, pythonic (Meta's prompt formats)": f"[{PYTHON}]",
    "Llama 4 (vLLM's llama4_pythonic parser)": f"<|python_start|>[{PYTHON}]<|python_end|><|eot_id|>",
    "Mistral 7B v0.3 (its tokenizer v3)": f"[TOOL_CALLS] [{JSON}]",
    "Mistral, with an id (its tokenizer v3)": f'[TOOL_CALLS][{JSON[:-1]}, "id": "Zl9Kd0a2b"}}]</s>',
    "Devstral, Magistral (tokenizer v11)": f"[TOOL_CALLS]get_file_content[ARGS]{ARGUMENTS}",
    "Mistral Small 3.1 (tokenizer v11, with an id)": f"[TOOL_CALLS]get_file_content[CALL_ID]Zl9Kd0a2b[ARGS]{ARGUMENTS}</s>",
    "Devstral, no mark between (lmstudio-bug-tracker#1979)": f"[TOOL_CALLS]get_file_content{ARGUMENTS}",
    "GLM 4.5 (its chat template)": "<tool_call>get_file_content\n<arg_key>file_path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>",
    "GLM 4 (its chat template)": f"get_file_content\n{ARGUMENTS}",
    "gpt-oss (OpenAI's harmony format)": f"<|channel|>analysis<|message|>I must read it.<|end|><|start|>assistant<|channel|>commentary to=functions.get_file_content <|constrain|>json<|message|>{ARGUMENTS}<|call|>",
    "gpt-oss, recipient first (OpenAI's harmony format)": f"<|start|>assistant to=functions.get_file_content<|channel|>commentary json<|message|>{ARGUMENTS}<|call|>",
    "Kimi K2 (its tool call guidance)": f"<|tool_calls_section_begin|><|tool_call_begin|>functions.get_file_content:0<|tool_call_argument_begin|>{ARGUMENTS}<|tool_call_end|><|tool_calls_section_end|>",
    "DeepSeek V3, R1 (its chat template)": f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_file_content\n```json\n{ARGUMENTS}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
    "DeepSeek V3.1 (its chat template)": f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_file_content<｜tool▁sep｜>{ARGUMENTS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "DeepSeek V3.2 (its encoding)": '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_file_content">\n<｜DSML｜parameter name="file_path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    "MiniMax M2 (its tool calling guide)": '<minimax:tool_call>\n<invoke name="get_file_content">\n<parameter name="file_path">a.txt</parameter>\n</invoke>\n</minimax:tool_call>',
    "Claude-like (models trained on its transcripts)": '<function_calls>\n<invoke name="get_file_content">\n<parameter name="file_path">a.txt</parameter>\n</invoke>\n</function_calls>',
    "Phi-4-mini (its chat template)": f"functools[{JSON}]",
    "Phi-4-mini, between marks (vLLM's phi4mini parser)": f"<|tool_call|>[{JSON}]<|/tool_call|>",
    "LFM2 (Liquid's tool use guide)": f"<|tool_call_start|>[{PYTHON}]<|tool_call_end|>I am reading it.",
    "Granite 3 (its chat template)": f"<|tool_call|>[{JSON}]",
    "Granite 3, as a tag (vLLM's granite parser)": f"<tool_call>[{JSON}]",
    "Command R7B (Cohere's chat template)": '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_file_content", "parameters": {"file_path": "a.txt"}}\n]<|END_ACTION|>',
    "Nemotron (its chat template)": f"<TOOLCALL>[{JSON}]</TOOLCALL>",
    "InternLM 2.5 (its chat format)": f"<|action_start|><|plugin|>\n{LLAMA}<|action_end|>",
    "Hunyuan A13B (its chat template)": f"<tool_calls>[{JSON}]</tool_calls>",
    "OLMo 3 (its chat template)": f"<function_calls>{PYTHON}</function_calls>",
    "xLAM (its model card)": f"[{JSON}]",
    "Functionary v3.2 (its prompt format)": f">>>get_file_content\n{ARGUMENTS}",
    "Gemma 3 (Google's function calling guide)": f"```tool_code\nprint({PYTHON})\n```",
    "Gemma 3, a call alone": f"```tool_code\n{PYTHON}\n```",
    "LM Studio's default format (its documentation)": f"[TOOL_REQUEST]{JSON}[END_TOOL_REQUEST]",
    "OpenAI's shape as text": '{"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_file_content", "arguments": "{\\"file_path\\": \\"a.txt\\"}"}}]}',
    "ReAct (LangChain's agents)": f"I should read it.\nAction: get_file_content\nAction Input: {ARGUMENTS}",
    "JSON after a sentence (recorded, 1.5B)": f"I will read the file now. {JSON}",
    "JSON on a line of its own, prose behind it": f"First I read it.\n\n{JSON}\n\nThen I will tell you.",
    "JSON in a block without a language": f"Let me read it:\n```\n{JSON}\n```\nOne moment.",
    "arguments that are a text (lmstudio-bug-tracker#2115)": '{"name": "get_file_content", "arguments": "{\\"file_path\\": \\"a.txt\\"}"}',
    "a python call": PYTHON,
    "a python call after a sentence": f"I will read it.\n\n{PYTHON}",
    "a python call in a block": f"I will read it.\n\n```python\n{PYTHON}\n```",
    "a python call by position": 'get_file_content("a.txt")',
}
