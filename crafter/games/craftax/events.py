"""Events of a step as plain dicts, in the style of `crafter.core.events`.

The rules emit events where they act (`world.emit`); nothing is reconstructed by
comparing states. An event is a dict of its `type` and the fields listed in `FIELDS`.
Positions are (row, column) on the floor of the player, except those of plants, which
grow on the overworld. `slot` is the index of a creature in its class on the floor.
Emitting draws no random number and changes nothing.

Accounting:
  * Health: start + sum of `healed.amount` - sum of `hurt.amount` + changes of health in
    `limited` = end. `hurt.absorbed` is the damage prevented by armour and enchantments.
  * Food, drink, energy and mana: start + `ate.gain` (food) + `collected.gain` (drink) +
    `potion.change` - `spent.amount` (mana) + changes in `vital` and `limited` = end.
  * Countable items: start + `collected.gain` + `found.gain` + `made.gain` (arrows and
    torches) + changes in `limited` - what `placed`, `made`, `shot`, `potion`, `read`
    and `enchanted` use up by the rules = end. `found.gain` is 0 for a tool that is no
    better than the player's own.
"""

from crafter.core import events

#: Events that only Crafter has.
_ELSEWHERE = ("plant_lost", "arrow_shot", "arrow_stopped", "edge_quirk")

_FIELDS, _REASONS = events.load(__file__)
_COMMON = {name: own for name, own in events.FIELDS.items() if name not in _ELSEWHERE}
#: Event type -> its fields.
FIELDS: dict[str, tuple[str, ...]] = _COMMON | _FIELDS
#: Why an action had no effect: the first check of the rules that failed.
REASONS = (*(name for name in events.REASONS if name not in _ELSEWHERE), *_REASONS)
