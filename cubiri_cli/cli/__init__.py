"""The command line: typer, global options, completion, and what becomes of errors."""
