"""Completing words while a text is typed on a screen."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, get_common_complete_suffix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyPressEvent


class WordCompleter(Completer):
    """Completes words as `Typing.complete` says."""

    def __init__(self, complete: Callable[[str], tuple[int, list[str]]]) -> None:
        self._complete = lru_cache(maxsize=1)(complete)  # asked once for each character of what is pasted

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield the words that may stand at the cursor."""
        replaced, words = self._complete(document.text_before_cursor)
        for word in words:
            yield Completion(word, start_position=-replaced)


def complete_at_once(complete: Callable[[str], tuple[int, list[str]]]) -> Callable[[KeyPressEvent], None]:
    """Return what Tab does: it completes at once, also before the list of words has been opened."""

    def handler(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.complete_state:
            buffer.complete_next()
            return
        replaced, words = complete(buffer.document.text_before_cursor)
        completions = [Completion(word, start_position=-replaced) for word in words]
        if len(completions) == 1:
            buffer.apply_completion(completions[0])
        else:
            buffer.insert_text(get_common_complete_suffix(buffer.document, completions))

    return handler
