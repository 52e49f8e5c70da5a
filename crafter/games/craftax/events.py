"""Events of a step as plain records, in the style of `crafter.core.events`.

The rules emit an event where they act (`world.emit`), so nothing is reconstructed by
comparing states. An event is a dict with its `type` and the fields listed in `FIELDS`.
Positions are (row, column) on the floor of the player, except those of plants, which
grow on the overworld. `slot` is the place of a creature in its class on the floor.
Emitting draws no random number and changes nothing.

Accounting:
  * Health: start + sum of `healed.amount` - sum of `hurt.amount` + what `limited` says
    of health = end. `hurt.absorbed` is what armour and enchantments took off.
  * Food, drink, energy and mana: start + `ate.gain` (food) + `collected.gain` (drink) +
    `potion.change` - `spent.amount` (mana) + what `vital` and `limited` say = end.
  * Countable items: start + `collected.gain` + `found.gain` + `made.gain` (arrows and
    torches) + what `limited` says, minus what the rules say that `placed`, `made`,
    `shot`, `potion`, `read` and `enchanted` use up = end. Of a tool that is no better
    than the own one `found.gain` is 0.
"""

from crafter.core import events

#: What only Crafter has.
_ELSEWHERE = ("plant_lost", "arrow_shot", "arrow_stopped", "edge_quirk")

_FIELDS, _REASONS = events.load(__file__)
_COMMON = {name: own for name, own in events.FIELDS.items() if name not in _ELSEWHERE}
#: Event type -> its fields.
FIELDS: dict[str, tuple[str, ...]] = _COMMON | _FIELDS
#: Why an action had no effect: the first test of the rules that failed.
REASONS = (*(name for name in events.REASONS if name not in _ELSEWHERE), *_REASONS)
