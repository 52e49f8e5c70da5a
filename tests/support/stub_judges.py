"""Stub judges: functions from a request to an answer."""

from __future__ import annotations

import hashlib
import json
import random

from crafter.tasks.catalogue.dimensions import LABELS, OUTCOMES


def text_of(body):
    """Return all text of a request."""
    content = body["messages"][0]["content"]
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if part["type"] == "text")


def asked(body):
    """Return the dimensions that a request asks to judge."""
    form = text_of(body).split("of this form and nothing else:\n")[1]
    return list(json.loads(form.split("\nEach label")[0]))


def answer(labels):
    """Return an answer in the requested format."""
    return json.dumps(
        {name: {"evidence": ["seen"], "label": label} for name, label in labels.items()}
    )


def parts_of(body):
    """Return the description of the attempt, or of the attempts A and B."""
    text = text_of(body).split("\n\nJudge only what the player did.")[0]
    if "Attempt B, " not in text:
        return [text.split("The attempt, ", 1)[1]]
    return text.split("Attempt A, ", 1)[1].split("Attempt B, ", 1)


def merit(text):
    """Return the progress of an attempt, by its events."""
    if "verdict DONE" in text:
        return 4
    return 2 if any(f" {w}: " in text for w in ("collected", "placed", "made")) else 0


def honest(body):
    """Judge by the events."""
    merits = [merit(text) for text in parts_of(body)]
    if len(merits) == 1:
        return answer(dict.fromkeys(asked(body), list(LABELS)[merits[0]]))
    a, b = merits
    verdict = "tie" if a == b else "A" if a > b else "B"
    return answer(dict.fromkeys(asked(body), verdict))


def at_random(body):
    """Judge at random, seeded by the request."""
    chance = random.Random(hashlib.sha256(text_of(body).encode()).hexdigest())
    words = OUTCOMES if len(parts_of(body)) == 2 else list(LABELS)
    return answer({name: chance.choice(words) for name in asked(body)})


def always(word):
    """Return a judge with a constant verdict."""
    return lambda body: answer(dict.fromkeys(asked(body), word))
