"""Runner: runs one graph again and again, by what it keeps of the runs before."""

from __future__ import annotations

from collections.abc import Mapping

from wherry._core import EagerRun, RecentPrograms
from wherry.engine.eager import eager_run
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
        self._last: Plan | None = None
        self._plans: Recent[object, Plan] = Recent(_PLANS_KEPT)
        self._is_free = False
        self._eager: EagerRun | None = None
        self._looked = reading is not None or not takes_all_sizes
        self._defaults = defaults or {}
        self._programs = RecentPrograms(_PROGRAMS_KEPT, self._defaults)
        self.run_kept = self._programs.run
        """Runs on arrays like those of a run before under these limits, as they are; None if there was no such run.

        Small arrays whose sizes or values are new are run without a plan, if the last plan was made under the default
        limits. None too for whatever is refused, of which nothing is said: `run` knows why.
        """
        self._programs_into = RecentPrograms(_PROGRAMS_KEPT, self._defaults)
        self.run_kept_into = self._programs_into.run
        """The same with arrays for all outputs, which it writes to."""

    @property
    def last(self) -> Plan | None:
        """The plan of the last run on new sizes or values, None before the first."""
        unplanned = None if self._eager is None else self._eager.taken()
        if unplanned is not None:
            self._last = self._plan_for(dict(zip(self.graph.inputs, unplanned, strict=True)), {})
        return self._last

    def run_eagerly(self, arrays: object) -> dict[str, Array] | None:
        """Run without a plan, on the first sizes and values that are new; `run_kept` does so from then on.

        None if they are to be planned, or refused.
        """
        if self._last is None or self._looked or not (self._is_free and are_default()):
            return None
        self._looked = True
        self._eager = eager_run(self.graph, self._defaults, runs=_EAGER_RUNS, most_waits=_MOST_WAITS, seen=_SEEN)
        self._attach_eager(self._last)
        found: dict[str, Array] | None = self.run_kept(arrays)
        return found

    def _attach_eager(self, plan: Plan) -> None:
        if self._eager is not None:
            self._eager.plans_what_comes_again(plan.program is not None)  # a plan without one takes longer
            self._programs.set_eager(self._eager if self._is_free else None)

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
        self._attach_eager(plan)
        if keeps and plan.program is not None:
            self._programs.keep(plan.program, around)
        return plan.run(arrays)

    def _values_of(self, arrays: Mapping[str, Array]) -> dict[str, Array]:
        return {name: array for name, array in arrays.items() if name in self.graph.value_tensors}

    def _plan_for(self, arrays: Mapping[str, Array], outputs: Mapping[str, Layout]) -> Plan:
        if self._eager is not None:
            self._eager.forget()
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
