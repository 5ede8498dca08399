"""Every number of the rule catalogue is shown by a test; found by reading them, so that any part can be run alone."""

import re

from events import codec
from events.catalogue import TYPES, wire_name
from service.rules.options import PUBLIC_ASSISTANCE, SOCIAL_JUSTICE
from tests.golden.record import read
from tests.golden.scripts import SCRIPTS
from tests.rules_page import PAGE, catalogue, numbers_in, page, shown, shown_in, written
from tests.support.kinds import OUTSIDE

HAS_NO_MECHANIC = {"PA-55", "SJG-1", "SJG-5"}
SAID_BY_OTHERS = {"PA-2", "PA-14"}
"""PA-2 is PA-48 and PA-51; PA-14 is that there is no cap: there is nothing to write, and a test to show it."""


def marked() -> set[str]:
    """List the numbers that any test is marked with."""
    return {number for test in shown() for number in test.numbers}


def test_every_rule_is_shown() -> None:
    """A rule without a test is a claim."""
    assert set(catalogue()) - marked() == set()


def test_no_test_shows_a_rule_that_is_none() -> None:
    """A mistyped number would hide a gap."""
    assert marked() - set(catalogue()) == set()


def test_the_catalogue_counts_without_gaps() -> None:
    public_assistance = [f"PA-{number}" for number in range(1, 58)]
    social_justice = [f"SJG-{number}" for number in range(1, 87)]
    for place, letters in ((18, ["18a"]), (4, ["4a", "4b"])):
        social_justice[place:place] = [f"SJG-{number}" for number in letters]
    assert list(catalogue()) == public_assistance + social_justice


def test_marks_are_found_on_tests_alone() -> None:
    """A mark on a helper or in a text shows nothing."""
    source = '@rule("PA-1", "PA-2")\ndef test_x(): ...\n@rule("PA-3")\ndef helper(): ...\n"@rule(PA-4)"\n'
    assert [test.numbers for test in shown_in("x", source)] == [("PA-1", "PA-2")]
    assert [test.numbers for test in shown_in("x", '@pytest.mark.rule("SJG-4a")\ndef test_x(): ...')] == [("SJG-4a",)]


def test_every_test_that_shows_a_rule_says_so_in_words() -> None:
    """Its docstring, or its name, is the rule in plain words, and stands on the page."""
    assert [test.name for test in shown() if len(test.about.split()) < 2] == []


def test_every_rule_is_written_somewhere() -> None:
    """Its number stands where it is done, and numbers that are none stand nowhere."""
    assert set(catalogue()) - set(written()) == HAS_NO_MECHANIC | SAID_BY_OTHERS
    assert set(written()) - set(catalogue()) == set()
    assert numbers_in("PA-6 to PA-9, PA-31 and SJG-4a") == {"PA-6", "PA-7", "PA-8", "PA-9", "PA-31", "SJG-4a"}


def test_the_catalogue_names_events_and_options_that_there_are() -> None:
    """Names in code style are events or options; each event is given by some rule."""
    for rule in catalogue().values():
        assert set(rule.events) <= set(TYPES), rule.number
        assert set(re.findall(r"`(\w+)`", rule.summary + rule.decision)) <= {*PUBLIC_ASSISTANCE, *SOCIAL_JUSTICE}, (
            rule.number
        )
        assert rule.summary.endswith("."), rule.number
        assert rule.decision.endswith("."), rule.number
    around = {"game_created", "credential_renewed", "nonce_opened", "action_taken", "secret_revealed"}
    around |= {name for name, kind in TYPES.items() if kind in OUTSIDE}
    assert set(TYPES) - {event for rule in catalogue().values() for event in rule.events} == around


def test_an_event_that_names_its_rule_is_among_those_of_the_rule() -> None:
    """Seen in the golden games."""
    for name in SCRIPTS:
        for event in (codec.decode(entry.data).data for entry in read(name)):
            for number in numbers_in(getattr(event, "rule", "")):  # a rule that a vote adopted has no such number
                assert wire_name(type(event)) in catalogue()[number].events, (name, event)


def test_the_page_is_up_to_date() -> None:
    """`python -m tests.rules_page` writes docs/rules.md again."""
    assert PAGE.read_text("utf-8") == page()
