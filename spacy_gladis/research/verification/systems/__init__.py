"""Systems that verify a target sense (WiC-TSV, EACL 2021, section 4), one file each."""
