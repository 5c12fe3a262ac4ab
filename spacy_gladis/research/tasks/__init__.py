"""Evaluation of systems on benchmark tasks, with a common interface.

A *task* is a reader, a metric and a registry of systems (`task.py`). A *system* is a dataclass with
`fit` and `predict` (`system.py`) that registers itself under a name (`registry.py`). The *runner*
runs chosen systems on chosen data and writes one record for each (`runner.py`, `results.py`).
A folder beside these modules holds one kind of task: `task.py` its data, metric and readers,
`systems/` a file for each system. docs/how-to/evaluations.md says how to add one.
"""
