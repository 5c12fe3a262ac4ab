"""Systems that verify a target sense, one file each."""
