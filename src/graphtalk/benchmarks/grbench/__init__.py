"""GRBench (Jin et al. 2024): question templates for five domains, their gold answers as calls, and question files."""
