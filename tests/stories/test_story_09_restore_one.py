"""Story 9: a line lost three sweeps ago comes back in place, nothing else is touched, as a new version."""

from __future__ import annotations

from tests.conftest import HARBOUR, Desk
from tests.tui.driving import opened

LOST = "Office room: 12"
NIGHTS = (
    ("2026-11-30", "Parcels are weighed on the scale by the east gate"),
    ("2026-12-01", "The spare key of the van hangs behind the mirror"),
)


def three_nights(desk: Desk) -> list[str]:
    """Dream three times, accepting and applying everything; the first night replaces the line."""
    sweeps = []
    for night in (None, *NIGHTS):
        if night is not None:
            desk.clock.move(days=1)
            day, fact = night
            desk.note(day, fact)
            desk.ask(fact, days=(4, 3, 2, 1))
        sweep = desk.dream().sweep.id
        review = desk.engine.review
        review.accept(sweep, [hunk.number for hunk in desk.hunks(sweep) if HARBOUR not in str(hunk.value.after)])
        review.apply(sweep)
        sweeps.append(sweep)
    return sweeps


async def test_a_line_lost_three_sweeps_ago_is_restored_in_place(desk: Desk) -> None:
    was = desk.read().decode()
    block = "<!-- openclaw-memory-promotion:memory:claim:aaaaaaaaaaaa -->\n" + next(
        line for line in was.splitlines(keepends=True) if LOST in line
    )
    sweeps = three_nights(desk)
    before, head, commits = desk.read().decode(), desk.head(), len(desk.commits())
    assert LOST not in before
    assert all(fact in before for _, fact in NIGHTS)

    async with opened(desk) as app:
        await app.press("6", "slash", *f"sweep {sweeps[0]} dream", "enter", "j")
        text = app.text()
        assert LOST in text, text
        await app.press("r")
        assert LOST in app.text()
        await app.press("enter")

        after = desk.read().decode()
        assert after.count(block) == 1
        assert after.replace(block, "") == before, "every other line is untouched"
        lines = after.splitlines()
        assert lines.index("## Consolidated Memory (2026-11-20)") < lines.index(block.splitlines()[1])
        assert len(desk.commits()) == commits + 1
        assert desk.commits()[1] == head, "a new version; nothing is rewritten"
        assert desk.changed_in(desk.head()) == {"MEMORY.md"}
        assert desk.trailers(desk.head())["Clawmem-Actor"] == "operator"
        assert f"Brought back: {LOST}" in app.text()

        await app.press("z")
        assert desk.read().decode() == before
        await app.press("Z")
        assert desk.read().decode() == after
