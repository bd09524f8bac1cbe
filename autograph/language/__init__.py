"""What does the text in a cell mean? Templates, lists, names, calls, statements."""
