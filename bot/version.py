"""The version of the distribution, said once."""

__version__ = "0.1.0"
