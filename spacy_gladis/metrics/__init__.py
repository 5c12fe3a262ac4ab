"""Every metric of the field's papers, exact to its publisher's scorer."""
