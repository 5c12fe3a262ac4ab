"""Task: link phrases to the concepts of an inventory, on the data of COMETA and others."""
