"""Reports: the papers' tables with our figures, descriptions of data sets, case studies."""
