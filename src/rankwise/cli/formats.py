"""``rankwise formats``: what can be read and written."""

import click

from rankwise.cli.common.output import print_table, table_format, table_options


@click.command()
@table_options
def formats(output: str | None, output_format: str) -> None:
    """List the formats that can be read and written."""
    from rankwise.io import FORMATS
    from rankwise.present.tables import Column, Table

    columns = [Column(name) for name in ("format", "holds", "write", "suffixes", "what it is")]
    rows = [
        (
            each.name,
            each.kind,
            "yes" if each.writable else "no",
            " ".join(each.suffixes),
            each.description,
        )
        for each in FORMATS
    ]
    print_table(Table(columns, rows), table_format(output_format, output), output)
