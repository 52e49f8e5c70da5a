"""The version of the package, which is stated here alone."""

__version__ = "2.0.0"
