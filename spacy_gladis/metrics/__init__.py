"""The metrics that the components are scored by, exact to their publishers' scorers."""
