"""The terminal: a platform like the others, with no account to make."""
