"""Evaluation of systems on benchmark tasks, with a common interface.

A *task* combines a reader of data sets, a metric and a registry of systems (`task.py`). A *system*
is a dataclass with the methods `fit` and `predict` (`system.py`). It registers itself under a name
(`registry.py`). The *runner* runs the selected systems on the selected data sets, and writes a
record of each run to a results file (`runner.py`, `results.py`).

Each subfolder implements one kind of task. Its `data.py` reads the data sets, its `task.py` has the
metric, and its folder `systems/` has a file for each system. The guide docs/how-to/evaluations.md
shows how to add a system or a task.
"""
