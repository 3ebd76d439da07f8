"""The prompt sets of Graph-ToolFormer as benchmark tasks (paper, section 5.4, table 4)."""
