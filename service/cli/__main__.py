"""`python -m service.cli` is `rollbook`."""

from service.cli import main

main(prog_name="rollbook")
