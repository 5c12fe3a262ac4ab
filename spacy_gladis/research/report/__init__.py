"""Reports: comparisons with the papers' tables, descriptions of data sets, and case studies."""
