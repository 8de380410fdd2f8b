"""expect.py: assertions, and waiting with a timeout."""
import asyncio
import json
import os

SLOWNESS = int(os.environ.get("TESTS_SLOWNESS", "1"))  # how many times slower this build is than an ordinary one
PATIENCE = 60 * SLOWNESS  # seconds until an answer that does not come is a failure


class Wrong(AssertionError):
    """The server did something that the protocol does not allow."""


def expect(condition, message):
    """A message that takes long to write, such as one with a whole view, is a function: nearly always nobody asks."""
    if not condition:
        raise Wrong(message() if callable(message) else message)


def short(value, limit=300):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else text[:limit] + "…"


async def patiently(what, awaitable, seconds=PATIENCE):
    """The result of an awaitable, which must not take too long."""
    try:
        return await asyncio.wait_for(awaitable, seconds)
    except asyncio.TimeoutError:
        raise Wrong(f"waited {seconds} s for {what}") from None
