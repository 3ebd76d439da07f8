"""Training: graph soft prompts and LoRA for local language models. Importing the room imports no torch."""
