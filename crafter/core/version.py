"""Version of the package, defined only here."""

__version__ = "2.0.0"
