"""What games look like and say, in words and in pictures. Knows no terminal."""
