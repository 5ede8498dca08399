"""`python -m workers`: one RQ worker."""

from workers.worker import run

if __name__ == "__main__":
    run()
