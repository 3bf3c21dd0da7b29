"""What the tests share: ways to run the program, a slow second implementation of the rules, random games."""
