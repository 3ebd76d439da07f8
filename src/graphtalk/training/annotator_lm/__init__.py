"""Fine-tuning a causal language model to annotate texts (Graph-ToolFormer, sections 4.6 and 5.4.1).

settings  how it is trained; the defaults are the paper's
prompts   what it learns from, in files
tune      training, with LoRA or of all weights
tuned     what was trained, as a language model: `trained:DIR`
"""
