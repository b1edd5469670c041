"""`python -m adapters` is `jargonaut`."""

from adapters.cli import main

if __name__ == "__main__":
    main()
