"""A module a paper: what of the results belongs to it, as a `Section`."""
