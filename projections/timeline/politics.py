"""Sentences for politics: proposals, votes, rules, transfers, the White House."""

from events.social_justice import operations, politics
from projections.timeline.scene import Scene, Sentences, words
from projections.timeline.words import counted, listed, money

_AREAS = {
    "bailout": "bailout",
    "care": "affordable care",
    "net": "net neutrality",
    "pardon": "pardons",
    "troops": "troops home",
}
_THRESHOLDS = {"majority": "more than half", "two_thirds": "two thirds", "unanimous": "everybody"}
_BALLOTS = {"yes": "votes yes", "no": "votes no", "abstain": "abstains"}
_OUTCOMES = {"passed": "passes", "failed": "fails", "lapsed": "lapses"}


def _proposed(event: politics.ProposalMade, scene: Scene) -> str:
    cost = ", giving up the turn" if event.costs_turn else ""
    proposed = "; ".join(_operation(operation, scene) for operation in event.operations)
    return f"{scene.who(event.seat)} proposes{cost}: {proposed}."


def _operation(operation: operations.AnyOperation, scene: Scene) -> str:
    match operation:
        case operations.SetValue():
            filled = operation.param.replace("{u}", listed(operation.fill.u)).replace("{r}", listed(operation.fill.r))
            return f"{_parameter(filled)} is to be {_value(operation.value)}"
        case operations.Enable() | operations.Disable():
            switched = "on" if isinstance(operation, operations.Enable) else "off"
            return f"{_parameter(operation.rule)} is to be switched {switched}"
        case operations.AddTransfer():
            return _transfer(operation, scene)
        case operations.AddText():
            return f"a house rule in words, {scene.typed(operation.text)}"
        case operations.Repeal():
            return f"rule {operation.rule_id} is to be repealed"
        case operations.MakeMotion():
            return "the game is to end"


def _occasion(trigger: str) -> str:
    return words(trigger.replace("land:", "landing: "))


def _label(transfer: operations.AddTransfer, scene: Scene) -> str:
    return f" called {scene.typed(transfer.label)}" if transfer.label else ""


def _transfer(transfer: operations.AddTransfer, scene: Scene) -> str:
    where = f" where {_where(transfer.where)}" if transfer.where else ""
    parties = f"from {_party(transfer.payer)} to {_party(transfer.payee)}"
    how = f"{_sum(transfer.amount)} {_SPLITS[transfer.split]}"
    return f"a transfer{_label(transfer, scene)} on {_occasion(transfer.trigger)}{where}, {parties}, {how}"


def _where(where: operations.Where) -> str:
    given = {name: getattr(where, name) for name in where.__struct_fields__}
    return listed([f"{words(name)} {_value(value)}" for name, value in given.items() if value is not None])


_SPLITS = {"each": "each", "share": "shared out"}


def _party(word: str) -> str:
    kind, _, names = word.partition(":")
    return f"{kind} {names.replace(',', ', ')}".strip()


def _sum(amount: operations.Sum) -> str:
    if amount.fixed is not None:
        return money(amount.fixed)
    return f"{amount.pct} % of {_parameter((amount.of or '').replace('rate:', 'the rate '))}"


def _value(value: operations.Value) -> str:
    if isinstance(value, tuple):
        return listed([words(str(item)) for item in value]) if value else "nobody"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return words(str(value))


def _spoke(event: politics.SpeechGiven, scene: Scene) -> str:
    words_said = f": {scene.typed(event.text)}" if event.text else ""
    return f"{scene.who(event.seat)} speaks at the White House and promises {_areas(event.promises)}{words_said}."


def _areas(areas: tuple[str, ...]) -> str:
    return listed([_AREAS[area] for area in areas]) if areas else "nothing"


def _opened(event: politics.VoteOpened, scene: Scene) -> str:
    what = "the proposal" if event.kind == "proposal" else f"making {scene.who(event.seat)} President"
    needs = f"{_THRESHOLDS[event.threshold]}: {event.needed} of {counted(len(event.eligible), 'voter')}"
    return f"A vote on {what} begins ({event.vote}); it takes {needs}."


def _cast(event: politics.BallotCast, scene: Scene) -> str:
    if event.by_default:
        return f"{scene.who(event.seat)} has not voted in time."
    return f"{scene.who(event.seat)} {_BALLOTS[event.ballot]}."


def _closed(event: politics.VoteClosed, _scene: Scene) -> str:
    counts = f"{len(event.yes)} yes, {len(event.no)} no, {len(event.abstain)} without a vote for either"
    return f"The vote {event.vote} {_OUTCOMES[event.outcome]}: {counts}."


def _adopted(event: politics.RuleAdopted, scene: Scene) -> str:
    parts = [*_settings(event.settings), *(_transfer(transfer, scene) for transfer in event.transfers)]
    parts += [f"a house rule in words, {scene.typed(text)}" for text in event.texts]
    return f"Rule {event.rule} is in force: {'; '.join(parts)}."


def _declared(event: politics.RuleDeclared, scene: Scene) -> str:
    area, settings = _AREAS[event.area], "; ".join(_settings(event.settings))
    return f"President {scene.who(event.seat)} declares {area}, rule {event.rule}: {settings}."


def _settings(settings: tuple[politics.Setting, ...]) -> list[str]:
    return [f"{_parameter(setting.param)} is {_value(setting.value)}" for setting in settings]


def _parameter(name: str) -> str:
    return words(name.replace(".", " "))


def _left_out(event: politics.TransferLeftOut, _scene: Scene) -> str:
    size = counted(event.payments, "payment")
    return f"A transfer of rule {event.rule} is left out: its {size} would be too many for one action."


def _short(event: politics.TransferShort, scene: Scene) -> str:
    payee = f" to {scene.to_account(event.payee)}" if event.payee else ""
    return f"{scene.account(event.payer)} is short: {money(event.missing)}{payee} of rule {event.rule} is let go."


def _ended(event: politics.PresidencyEnded, scene: Scene) -> str:
    areas = f"promised {_areas(event.promised)}; declared {_areas(event.declared)}"
    return f"The presidency of {scene.who(event.seat)} ends: {areas}."


SENTENCES: Sentences = {
    politics.ProposalMade: _proposed,
    politics.SpeechGiven: _spoke,
    politics.VoteOpened: _opened,
    politics.BallotCast: _cast,
    politics.VoteClosed: _closed,
    politics.RuleAdopted: _adopted,
    politics.RuleDeclared: _declared,
    politics.RuleRepealed: lambda e, _: f"Rule {e.rule} is repealed; what lies beneath it holds again.",
    politics.TransferLeftOut: _left_out,
    politics.TransferShort: _short,
    politics.PresidentElected: lambda e, s: f"{s.who(e.seat)} is President until this turn ends.",
    politics.PrisonerPardoned: lambda e, s: f"President {s.who(e.seat)} frees {s.who(e.freed)} from jail.",
    politics.TroopsWithdrawn: lambda e, s: f"President {s.who(e.seat)} takes {s.all(e.seats)} out of harm's way.",
    politics.PresidencyEnded: _ended,
}
