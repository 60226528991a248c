"""The moves: the primitives that every operator lowers to, one file each."""

from wherry.moves.accumulate import AccumulateMove
from wherry.moves.add import AddMove, can_add
from wherry.moves.calculate import CalculateMove
from wherry.moves.check import CheckMove, DistinctMove
from wherry.moves.compute import ComputeMove
from wherry.moves.convert import ConvertMove, can_convert
from wherry.moves.copy import CopyMove
from wherry.moves.diagonals import DiagonalsMove
from wherry.moves.divide import DivideMove
from wherry.moves.fill import FillMove
from wherry.moves.gather import GatherMove
from wherry.moves.move import ARITHMETIC, ELEMENT_NUMBER, Move
from wherry.moves.place import PlaceMove
from wherry.moves.range import RangeMove
from wherry.moves.reduce import ReduceMove
from wherry.moves.round import FloatFormat, RoundMove, can_round
from wherry.moves.rules import Duplicates, NanRule, Negative, OutOfRange, OutOfRangeWrite, Reduction
from wherry.moves.scatter import ScatterMove
from wherry.moves.select import SelectMove
from wherry.moves.trace import TraceMove
from wherry.moves.translate import ODD, TranslateMove

__all__ = [
    "ARITHMETIC",
    "AccumulateMove",
    "AddMove",
    "CalculateMove",
    "CheckMove",
    "ComputeMove",
    "ConvertMove",
    "CopyMove",
    "DiagonalsMove",
    "DistinctMove",
    "DivideMove",
    "Duplicates",
    "ELEMENT_NUMBER",
    "FillMove",
    "FloatFormat",
    "GatherMove",
    "Move",
    "NanRule",
    "Negative",
    "ODD",
    "OutOfRange",
    "OutOfRangeWrite",
    "PlaceMove",
    "RangeMove",
    "ReduceMove",
    "Reduction",
    "RoundMove",
    "ScatterMove",
    "SelectMove",
    "TraceMove",
    "TranslateMove",
    "can_add",
    "can_convert",
    "can_round",
]
