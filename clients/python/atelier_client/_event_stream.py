"""Parses `text/event-stream` by the HTML standard, however the bytes are split."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from ._connection_errors import ProtocolError

_EVENT_CHARACTERS_MAX = 8 * 1024 * 1024
"""Far more than the longest event of the service."""


@dataclass(frozen=True)
class ServerEvent:
    """An event as the service sent it."""

    type: str
    data: str


class EventReader:
    """Takes bytes and returns events. Ignores an incomplete event at the end."""

    def __init__(self) -> None:
        self.last_event_id = ""
        self.retry_seconds: float | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        """The parts of a line that has not ended."""
        self._line_characters = 0
        self._is_beginning = True
        self._ended_in_return = False
        self._type = ""
        self._data: list[str] = []
        self._data_characters = 0

    def events(self, chunk: bytes) -> list[ServerEvent]:
        """Returns the completed events. Raises ProtocolError for an endless event."""
        text = self._decoder.decode(chunk)
        if not text:
            return []
        if self._is_beginning:
            text = text.removeprefix("\ufeff")
            self._is_beginning = False
        # A carriage return ends a line, with or without a line feed.
        if self._ended_in_return:
            text = text.removeprefix("\n")
        self._ended_in_return = text.endswith("\r")
        lines = self._lines(re.split(r"\r\n|\n|\r", text))
        events = [event for line in lines if (event := self._take(line)) is not None]
        if self._line_characters + self._data_characters > _EVENT_CHARACTERS_MAX:
            raise ProtocolError("an event is too large")
        return events

    def _lines(self, pieces: list[str]) -> list[str]:
        """Returns the completed lines. Does not scan earlier parts of a line again."""
        *ended, rest = pieces
        if ended:
            ended[0] = "".join([*self._line, ended[0]])
            self._line, self._line_characters = [], 0
        self._line.append(rest)
        self._line_characters += len(rest)
        return ended

    def _take(self, line: str) -> ServerEvent | None:
        if line:
            name, _, value = line.partition(":")
            self._field(name, value.removeprefix(" "))
            return None
        event = ServerEvent(self._type or "message", "\n".join(self._data))
        is_empty = not self._data
        self._type, self._data, self._data_characters = "", [], 0
        return None if is_empty else event

    def _field(self, name: str, value: str) -> None:
        if name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)
            self._data_characters += len(value) + 1
        elif name == "id" and "\0" not in value:
            self.last_event_id = value
        elif name == "retry" and re.fullmatch("[0-9]{1,12}", value):
            self.retry_seconds = int(value) / 1000
