"""The full-text index follows the rows, and a hurried transaction waits no longer than it may."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest

from clawmem_core.errors import StoreBusyError
from tests.conftest import Desk
from tests.intents.asking import asked, said


@pytest.fixture
def desk(new_desk: Callable[..., Desk]) -> Desk:
    return new_desk(None, git=False)


def found(desk: Desk, word: str) -> list[object]:
    query = "SELECT rowid FROM standing_intents_fts WHERE standing_intents_fts MATCH ?"
    return [row[0] for row in desk.sql(query, f'"{word}"')]


def respell(desk: Desk, spelled: str) -> None:
    """Change the keywords of the only row, as another program may."""
    desk.engine.store.connection.execute("UPDATE standing_intents SET trigger_keywords = ?", (spelled,))


def test_the_index_follows_every_change_of_a_row(desk: Desk) -> None:
    asked(desk, "router")
    assert found(desk, "router") == [1]
    respell(desk, '["vlan"]')
    assert (found(desk, "router"), found(desk, "vlan")) == ([], [1])
    connection = desk.engine.store.connection
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("DELETE FROM standing_intents")
    connection.execute("PRAGMA foreign_keys = ON")
    assert found(desk, "vlan") == []


@pytest.mark.parametrize("spelled", ["[broken", "", "null", "7", '{"a": 1}', "[1, null]"])
def test_keywords_that_are_no_list_of_texts_are_kept_and_never_match(desk: Desk, spelled: str) -> None:
    asked(desk, "router")

    respell(desk, spelled)

    assert said(desk, "router broken null 7 a 1").fired == ()
    assert desk.sql("SELECT trigger_keywords FROM standing_intents") == [(spelled,)]


def test_escaped_letters_are_found_as_they_read(desk: Desk) -> None:
    asked(desk, "router")
    respell(desk, r'["r\u00e9union \u5ba2\u6237"]')

    assert said(desk, "客户 réunion").fired


def test_a_hurried_transaction_waits_no_longer_than_it_may(desk: Desk) -> None:
    store = desk.engine.store
    with closing(sqlite3.connect(store.path, isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError), store.hurried(5):
            raise AssertionError("it must not begin")
        foreign.execute("ROLLBACK")
    (timeout,) = desk.sql("PRAGMA busy_timeout")
    assert timeout == (5_000,)
    with store.hurried(5) as connection:
        connection.execute("UPDATE standing_intents SET status = 'done'")
