"""Benchmarks: questions with gold answers, scorers, the runner and the report. The only room that sees gold."""

from graphtalk.benchmarks.registry import find_task, tasks
from graphtalk.benchmarks.task import Asked, Generated, Gold, Level, Questions, Task

__all__ = ["Asked", "Generated", "Gold", "Level", "Questions", "Task", "find_task", "tasks"]
