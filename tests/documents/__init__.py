"""Tests of the documents, and the package as it is built."""
