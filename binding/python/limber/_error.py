"""The exception of the library."""

from __future__ import annotations

import re
from typing import Any


class Error(ValueError):
    """What was given cannot be used: a wrong file, an unknown name, an array of another shape.

    A problem that cannot be met is no error: its report says so.

    >>> try:
    ...     limber.human().point("right_plam")
    ... except limber.Error as error:
    ...     print(error.found, "|", error.expected)
    the name 'right_plam' | a site, segment or joint, such as 'right_palm', 'right_ball', 'right_elbow'
    """

    where: str
    """What is wrong: an argument, or a place in a file."""
    found: str
    """What was found there."""
    expected: str
    """What was expected."""
    file: str | None
    """The file, if it is about one."""
    line: int | None
    """The line, from 1."""
    column: int | None
    """The column in characters, from 1."""
    field: str | None
    """The field of a document: "/constraints/0/goal"."""

    def __init__(
        self, where: str = "", found: str = "", expected: str = "", line: int = 0, column: int = 0
    ) -> None:
        text = (f"{where}: " if where else "") + f"found {found}"
        super().__init__(text + (f"; expected {expected}" if expected else ""))
        self.where, self.found, self.expected = where, found, expected
        self.line, self.column = line or None, column or None
        self.file = self.field = None
        place = re.match(r"(?P<file>.*?):(?P<line>\d+)(?::(?P<column>\d+))?(?:: (?P<field>.*))?$", where)
        if place:
            self.file, self.field = place["file"], place["field"]
            self.line = self.line or int(place["line"])
            self.column = self.column or (int(place["column"]) if place["column"] else None)
        elif re.search(r"^[^ ]*\.\w+(: |$)", where):
            self.file, _, field = where.partition(": ")
            self.field = field or None
        elif where:
            self.field = where

    def __reduce__(self) -> tuple[Any, ...]:
        return Error, (self.where, self.found, self.expected, self.line or 0, self.column or 0)
