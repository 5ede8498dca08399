"""`make bench`: everything that is promised about speed, measured in one run on one machine, with ratios.

The figures also go to `.bench/latest.json`.
"""

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from service.hosting.valkey import EmbeddedStore
from tests.benchmarks import audit, clocks, exports, http, live, rules, store

LATEST = Path(".bench/latest.json")


@click.command()
def main() -> None:
    """Measure the rules, the store, replays, audits, exports, HTTP, live streams and clocks."""
    of_rules = rules.measure(click.echo)
    with TemporaryDirectory(prefix="rb") as folder:
        with EmbeddedStore(Path(folder) / "store") as embedded:
            of_store = store.measure(embedded.url, click.echo)
            of_audit = audit.measure(embedded.url, Path(folder) / "audit", click.echo)
            of_exports = exports.measure(embedded.url, click.echo)
        of_http = http.measure(Path(folder) / "http", click.echo)
        of_live = live.measure(Path(folder) / "live", click.echo)
        of_clocks = clocks.measure(Path(folder) / "clocks", click.echo)
    LATEST.parent.mkdir(exist_ok=True)
    parts = (of_rules, of_store, of_audit, of_exports, of_http, of_live, of_clocks)
    figures = {name: figure for part in parts for name, figure in asdict(part).items()}
    LATEST.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    click.echo(f"written to {LATEST}")


if __name__ == "__main__":
    main()
