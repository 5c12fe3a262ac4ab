"""Task: label texts or tokens, and measure how much of the score is memorization.

Elangovan et al. (2021) describe the task.
"""
