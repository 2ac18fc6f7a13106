"""What small real models solve with this agent, and what each of its parts is worth. docs/figures.md tells how to run
it; the tasks lie in datasets/models."""
