"""Runner: runs one graph again and again, by what it keeps of the runs before."""

from __future__ import annotations

from collections.abc import Mapping

from wherry._core import RecentPrograms
from wherry.engine.out import layouts_of, run_into
from wherry.engine.plan import Array, Plan
from wherry.engine.planner import KEPT_BYTES, Reading, make_plan
from wherry.engine.recent import Recent
from wherry.graph import Graph
from wherry.layout import Layout
from wherry.limits import EVER_LIMITED, Limits, current

_PLANS_KEPT = 16
_PROGRAMS_KEPT = 32


class Runner:
    """Runs a graph by a plan for each new set of types, sizes and strides, and of the values that decide sizes.

    The plans of the last runs are kept, so that a run on arrays like those of one before costs one call of the core,
    which compares values too. Where such values are large (NonZero of a whole tensor) each run makes its own plan.
    """

    def __init__(self, graph: Graph, reading: Reading | None = None) -> None:
        self.graph = graph
        self._reading = reading
        self.last: Plan | None = None
        """The plan that was made last."""
        self._plans: Recent[object, Plan] = Recent(_PLANS_KEPT)
        self._programs: tuple[Limits | None, RecentPrograms] = (None, RecentPrograms(_PROGRAMS_KEPT))

    def run_again(self, arrays: object) -> dict[str, Array] | None:
        """Run on arrays like those of a run before under these limits, as they are; None if there was no such run.

        None too for whatever is refused, of which nothing is said: `run` knows why.
        """
        limits, programs = self._programs
        if EVER_LIMITED and current() is not limits:
            return None
        return programs.run(arrays)

    def run(
        self, arrays: Mapping[str, Array], around: Limits | None = None, given: Mapping[str, Array] | None = None
    ) -> dict[str, Array]:
        """Run on arrays of the declared types; `around` are the limits under which `run_again` may do the same.

        Outputs for which an array is given are written there; what is refused leaves that as it was.
        """
        if given:
            return run_into(self._plan_for(arrays, layouts_of(given)), arrays, given)
        plan = self._plan_for(arrays, {})
        if around is not None and plan.program is not None and len(plan.values) == len(self._values_of(arrays)):
            limits, programs = self._programs
            if limits is not around:
                programs = RecentPrograms(_PROGRAMS_KEPT)
                self._programs = (around, programs)
            programs.keep(plan.program)
        return plan.run(arrays)

    def _values_of(self, arrays: Mapping[str, Array]) -> dict[str, Array]:
        return {name: array for name, array in arrays.items() if name in self.graph.value_tensors}

    def _plan_for(self, arrays: Mapping[str, Array], outputs: Mapping[str, Layout]) -> Plan:
        values = self._values_of(arrays)
        if sum(array.nbytes for array in values.values()) > KEPT_BYTES:
            self.last = make_plan(self.graph, arrays, values, outputs, self._reading)
            return self.last
        key = (
            current(),
            tuple((array.dtype.str, array.shape, array.strides) for array in arrays.values()),
            tuple(_content(array) for array in values.values()),
            tuple(outputs.items()),
        )
        plan = self._plans.get(key)
        if plan is None:
            values = {name: array.copy() for name, array in values.items()}
            plan = self.last = make_plan(self.graph, arrays, values, outputs, self._reading)
            self._plans.put(key, plan)
        return plan


def _content(array: Array) -> object:
    return tuple(array.ravel().tolist()) if array.dtype.hasobject else array.tobytes()
