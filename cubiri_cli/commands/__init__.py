"""One module per subcommand: options in, exit status out."""
