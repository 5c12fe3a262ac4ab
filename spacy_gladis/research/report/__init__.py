"""One report of all results: each paper's tables and figures, its own figures beside ours."""
