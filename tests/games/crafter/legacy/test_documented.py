"""The page about old agents lists exactly the existing private names."""

import re

import pages
import pytest

import crafter
from crafter import legacy


def rows():
    """Returns name -> its description in the old and the new environment."""
    page = (pages.ROOT / "docs" / "differences.md").read_text("utf-8")
    section = page.split("### Private names of the environment")[1].split("###")[0]
    return {
        name: (old, new)
        for name, old, new in re.findall(
            r"^\| `(_\w+)` \| ([^|]+) \| ([^|]+) \|", section, re.MULTILINE
        )
    }


@pytest.mark.parametrize("name", rows())
def test_what_the_page_says_of_private_names(name):
    old, new = legacy.Env(area=(20, 18)), crafter.Env(area=(20, 18))
    old.reset()
    new.reset()
    told_old, told_new = rows()[name]
    assert hasattr(old, name) == (told_old != "no")
    assert hasattr(new, name) == (told_new != "no")
    writable = getattr(type(old), name, None)
    if told_old == "read, write":
        setattr(old, name, getattr(old, name))
        assert writable.fset is not None
    elif told_old == "read":
        with pytest.raises(AttributeError):
            setattr(old, name, None)


def test_the_page_lists_all_private_names_that_can_be_written():
    properties = {
        name
        for name, value in vars(legacy.Env).items()
        if isinstance(value, property) and name.startswith("_")
    }
    missing = {*properties, *legacy.env.ABSENT} - set(rows())
    assert not missing
