"""Pairs of tasks: the fixed split, what a pair asks for, and their part of a report."""

from __future__ import annotations

import itertools

import opinion_files as files
import pytest

from crafter.games.crafter.rules import default
from crafter.games.crafter.tasks.scenes.settings import settings_of
from crafter.tasks import Task, report
from crafter.tasks.catalogue import compositions
from crafter.tasks.catalogue.files import levels
from crafter.tasks.catalogue.tasks import all_pairs, all_tasks, category_of
from crafter.tasks.episodes import suites
from crafter.tasks.game import find

TRAIN, TEST = (
    list(map(compositions.expression, part))
    for part in (compositions.fixed().train, compositions.fixed().test)
)


def test_each_atom_is_trained_on_and_no_held_out_pair_is():
    found = compositions.fixed()
    assert found.atoms == tuple(default().achievements)
    assert {atom for pair in found.train for atom in pair} == set(found.atoms)
    every = sorted([*found.train, *found.test])
    pairs = itertools.combinations(found.atoms, 2)
    assert every == sorted(pairs) and len(set(every)) == len(every)


@pytest.mark.parametrize("level", levels())
def test_a_pair_gives_what_its_atoms_give_and_takes_as_long(level):
    names = ("make_wood_pickaxe", "place_table")
    pair = Task(" & ".join(reversed(names)), level)  # in any order
    parts = [Task(name, level) for name in names]
    assert pair.name == compositions.expression(names)
    assert pair.budget == sum(part.budget for part in parts)
    given = [settings_of(part).inventory for part in parts]
    limit = default().items["wood"]["max"]
    wood = min(limit, sum(own.get("wood", 0) for own in given))
    assert settings_of(pair).inventory.get("wood", 0) == wood
    for text, own in zip(pair.texts(), zip(*(part.texts() for part in parts))):
        assert all(said in text for said in own)


def test_every_pair_is_a_task_with_settings_on_all_levels():
    assert list(all_pairs(find())) == TRAIN + TEST
    for name in all_pairs(find()):
        for level in levels():
            settings_of(Task(name, level))
    assert category_of(TEST[0]) == "compositional"
    assert category_of("collect_wood & ~damaged") == "custom"
    assert Task("collect_wood & ~damaged").spec is None


def test_suites_have_the_parts_of_the_split():
    parts = [{e.task for e in suites.suite(n).entries} for n in suites.names()[-3:]]
    assert parts[1:] == [set(TRAIN), set(TEST)]
    assert parts[0] == {*compositions.fixed().atoms, *TRAIN, *TEST}
    assert set(compositions.fixed().atoms) <= set(all_tasks())


def test_the_report_compares_held_out_pairs_with_seen_ones(tmp_path):
    pytest.importorskip("scipy", reason="needs crafter[analysis]")
    done = {TRAIN[0]: [1, 1], TRAIN[1]: [1, 0], TEST[0]: [0, 0], TEST[1]: [1, 0]}
    atoms = {atom for name in done for atom in name.split(" & ")}
    attempts = [
        files.scored(
            "ours", task, "simple", index, verdict="DONE" if one else "FAILED",
            reason=None if one else "timeout",
        )
        for task, ends in {**done, **dict.fromkeys(atoms, [1, 1])}.items()
        for index, one in enumerate(ends)
    ]  # fmt: skip
    files.write_scores(tmp_path / "scores.jsonl", attempts)
    table = report.TABLES["compositions"](report.load([tmp_path]))
    rows = {row[0]: dict(zip(table.columns, row)) for row in table.rows}
    for kind, done, gap in (("to train on", 75, -25), ("held out", 25, -75)):
        row = rows[f"pairs {kind}"]
        assert (row["Attempts"], row["Done"].mean) == ("2", pytest.approx(done))
        assert row["Gap to product"].mean == pytest.approx(gap)
