"""The problems of a corpus's records: see `spacy_gladis.problem`."""

from ..problem import Problem, ProblemLog, Report, log_problem

__all__ = ["Problem", "ProblemLog", "Report", "log_problem"]
