"""One module a provider. Each has `run_agent(prompt, settings, run) -> AgentResult`; `config.PROVIDERS` lists them."""
