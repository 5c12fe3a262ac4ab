"""Runs tasks on any executor, in a folder that remembers what is finished."""
