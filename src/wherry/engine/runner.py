"""Runner: runs one graph again and again, by what it keeps of the runs before."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from wherry._core import RecentPrograms
from wherry.engine.eager import Eager
from wherry.engine.out import layouts_of, run_into
from wherry.engine.plan import Array, Plan
from wherry.engine.planner import KEPT_BYTES, Reading, make_plan
from wherry.engine.recent import Recent
from wherry.graph import Graph
from wherry.layout import Layout
from wherry.limits import Limits, are_default, current

_PLANS_KEPT = 16
_PROGRAMS_KEPT = 32
_SEEN = 64
"""Places for the numbers of what was seen: of however many that come in turn, fewer find their own than programs are
kept, so that none is planned again and again."""

_EAGER_RUNS = 8
"""How often the same sizes and values run without a plan before one is made: together these take as long."""

_MOST_WAITS = 63
"""How many runs are planned at once after eager runs gave up again and again."""


class Runner:
    """Runs a graph by a plan for each set of types, sizes and strides, and of the values that decide sizes.

    The plans of the last runs are kept, so that a run on arrays like those of one before costs one call of the core,
    which compares values too. Where data are small, sizes and values that are new are run eagerly, and planned when
    they have come several times; those of many bytes (NonZero of a whole tensor) are told from no others.
    """

    def __init__(
        self,
        graph: Graph,
        reading: Reading | None = None,
        takes_all_sizes: bool = True,
        defaults: dict[str, Array] | None = None,
    ) -> None:
        """Make a runner; `defaults` are inputs that `run_kept` is not given.

        Without `takes_all_sizes`, only `run` is given new sizes, by callers who check them.
        """
        self.graph = graph
        self._reading = reading
        self._takes_all_sizes = takes_all_sizes
        self._last: Plan | None = None
        self._unplanned: list[Array] | None = None
        """The inputs of the last new run, where it made no plan."""
        self._plans: Recent[object, Plan] = Recent(_PLANS_KEPT)
        self._seen, self._times = [0] * _SEEN, [0] * _SEEN
        self._to_wait = self._waits = 0
        self._is_free = False
        self._programs = RecentPrograms(_PROGRAMS_KEPT, defaults or {})
        self.run_kept = self._programs.run
        """Runs on arrays like those of a run before under these limits, as they are; None if there was no such run.

        None too for whatever is refused, of which nothing is said: `run` knows why.
        """
        self._programs_into = RecentPrograms(_PROGRAMS_KEPT, defaults or {})
        self.run_kept_into = self._programs_into.run
        """The same with arrays for all outputs, which it writes to."""

    @property
    def last(self) -> Plan | None:
        """The plan of the last run on new sizes or values, None before the first."""
        if self._unplanned is not None:
            self._last = self._plan_for(dict(zip(self.graph.inputs, self._unplanned, strict=True)), {})
        return self._last

    def run_eagerly(self, arrays: object) -> dict[str, Array] | None:
        """Run without a plan, if these sizes and values are new; None if they are to be planned, or refused."""
        if self._last is None or not (self._is_free and are_default()) or self._eager is None:
            return None
        taken = self._eager.take(arrays)
        if taken is None:
            return None
        given, number = taken
        if number is not None and self._last.program is not None:  # a plan without one takes longer
            place = number % _SEEN
            if self._seen[place] != number:
                self._seen[place], self._times[place] = number, 0
            self._times[place] += 1
            if self._times[place] > _EAGER_RUNS:
                self._times[place] = 0
                return None
        if self._to_wait:
            self._to_wait -= 1
            return None
        found = self._eager.run(given)
        if found is not None:
            self._unplanned = given
        self._waits = 0 if found is not None else min(2 * self._waits + 1, _MOST_WAITS)
        self._to_wait = self._waits
        return found

    @cached_property
    def _eager(self) -> Eager | None:
        return Eager.of(self.graph) if self._reading is None and self._takes_all_sizes else None

    def run(
        self, arrays: Mapping[str, Array], around: Limits | None = None, given: Mapping[str, Array] | None = None
    ) -> dict[str, Array]:
        """Run on arrays of the declared types; `around` are the limits under which `run_kept` may do the same.

        Outputs for which an array is given are written there; what is refused leaves that as it was.
        """
        plan = self._plan_for(arrays, layouts_of(given or {}))
        keeps = around is not None and len(plan.values) == len(self._values_of(arrays))
        if given:
            results = run_into(plan, arrays, given)
            if keeps and plan.program_into is not None:
                self._programs_into.keep(plan.program_into, around)
            return results
        self._is_free = are_default()
        if keeps and plan.program is not None:
            self._programs.keep(plan.program, around)
        return plan.run(arrays)

    def _values_of(self, arrays: Mapping[str, Array]) -> dict[str, Array]:
        return {name: array for name, array in arrays.items() if name in self.graph.value_tensors}

    def _plan_for(self, arrays: Mapping[str, Array], outputs: Mapping[str, Layout]) -> Plan:
        self._unplanned = None
        values = self._values_of(arrays)
        if sum(array.nbytes for array in values.values()) > KEPT_BYTES:
            self._last = make_plan(self.graph, arrays, values, outputs, self._reading)
            return self._last
        key = (
            current(),
            tuple((array.dtype.str, array.shape, array.strides) for array in arrays.values()),
            tuple(_content(array) for array in values.values()),
            tuple(outputs.items()),
        )
        plan = self._plans.get(key)
        if plan is None:
            values = {name: array.copy() for name, array in values.items()}
            plan = self._last = make_plan(self.graph, arrays, values, outputs, self._reading)
            self._plans.put(key, plan)
        return plan


def _content(array: Array) -> object:
    return tuple(array.ravel().tolist()) if array.dtype.hasobject else array.tobytes()
