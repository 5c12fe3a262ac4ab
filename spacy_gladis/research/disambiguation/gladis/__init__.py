"""GLADIS: acronym disambiguation with the sets' own dictionaries and with the packaged one."""
