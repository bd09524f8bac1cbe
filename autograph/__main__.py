"""What does ``python -m autograph`` do? The same as the script ``autograph``."""

from autograph.cli.main import main

if __name__ == "__main__":
    main()
