"""The space of small changes: a table of operators, each with its likelihood, where it applies and what it makes.

An operator's `make` yields the changes that it knows at one node, likeliest first; the k-th counts weight / k. The
weights are shares in rough per mille. They follow what studies of fixes agree on: changed arguments and conditions are
the commonest single kinds, then assigned values (Pan, Kim and Whitehead, "Toward an understanding of bug fix patterns",
2009: calls with other arguments 15-26 %, changed `if` conditions 6-19 %, changed assignments 6-14 %), fixes get longer
by a condition more often than shorter, and most one-line fixes exchange one name, number or operator. A weight orders
the search; it excludes nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..reading.source import Source
from ..reading.vocabulary import Vocabulary
from .edits import Edit
from .operators import (
    apis,
    arguments,
    cases,
    conditions,
    definitions,
    logic,
    missing,
    names,
    sites,
    state,
    statements,
    values,
)

Make = Callable[[ast.AST, Source, Vocabulary], Iterator[Edit | tuple[Edit, ...]]]


@dataclass(frozen=True)
class Operator:
    """One kind of change. `risk` says how readily it satisfies tests without being right (1 = not at all)."""

    name: str
    words: str  # for the explanation: "a different comparison"
    weight: float
    nodes: tuple[type[ast.AST], ...]
    make: Make
    risk: float = 1.0


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.If, ast.For, ast.While, ast.Raise, ast.With, ast.Try)
READ = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)

OPERATORS: tuple[Operator, ...] = (
    # Exchanged operators
    Operator("comparison", "a different comparison", 90, (ast.Compare,), logic.comparison),
    Operator("arithmetic", "a different arithmetic operator", 80, (ast.BinOp, ast.AugAssign), logic.arithmetic),
    Operator("comparison and sum", "a different comparison and a sum", 10, (ast.Compare,), logic.comparison_and_sum, 2),
    Operator("connective", "`and` in place of `or`, or the reverse", 60, (ast.BoolOp,), logic.connective),
    Operator("negation", "a `not` added or dropped", 40, (ast.expr,), conditions.negation),
    Operator("grouping", "other parentheses", 20, (ast.BinOp,), logic.grouping),
    Operator("minus", "a sign", 6, READ, logic.minus),
    Operator("rounding", "another rounding", 15, (ast.BinOp,), logic.rounding),
    Operator("given nothing", "a default for `None` alone", 25, (ast.BoolOp,), logic.given_nothing),
    # Positions and bounds
    Operator("off by one", "one more or one less", 50, (ast.expr,), logic.off_by_one),
    Operator("off by one within", "one more or one less", 12, (ast.expr,), logic.off_by_one_within),
    Operator("range bounds", "a different range", 40, (ast.Call,), logic.range_bounds),
    Operator("slice bounds", "a different slice", 40, (ast.Slice,), logic.slice_bounds),
    Operator("index or slice", "a slice in place of an index, or the reverse", 5,
             (ast.Subscript,), logic.index_to_slice),
    # Values
    Operator("number", "a different constant", 70, (ast.Constant,), values.number),
    Operator("digits", "a slip in the digits", 12, (ast.Constant,), values.sequence_slip, 2),
    Operator("text", "a different string", 40, (ast.Constant,), values.text),
    Operator("letter", "a slip in a string", 6, (ast.Constant,), values.letter, 2),
    Operator("format", "a different format", 25, (ast.JoinedStr,), values.format_field),
    Operator("truth", "the opposite truth value", 60, (ast.Constant,), values.truth),
    Operator("initial value", "a different initial value", 30, (ast.expr,), values.initial_value),
    Operator("initial values", "other initial values", 30, (ast.expr,), values.initial_values),
    # Names, attributes, calls
    Operator("variable", "a different variable", 80, (ast.Name,), names.variable),
    Operator("unused name", "the parameter that was not used", 100, (ast.Name,), names.unused_name),
    Operator("field for name", "`self.` added or dropped", 25, (ast.Name, ast.Attribute), names.field_for_name),
    Operator("member", "an attribute of the object, or the object itself", 12,
             (ast.Name, ast.Attribute), names.member_of_name),
    Operator("attribute", "a different attribute", 60, (ast.Attribute,), names.attribute),
    Operator("method", "a different method", 60, (ast.Call,), names.method),
    Operator("function", "a different function", 60, (ast.Name,), names.function),
    Operator("excess call", "a call less", 20, (ast.Call,), names.excess_call),
    Operator("missing call", "a call more", 25, (*READ, ast.BinOp), names.missing_call),
    Operator("call order", "calls in another order", 25, (ast.Call,), names.call_order),
    Operator("copy", "a copy of the object", 20, READ, names.copy),
    Operator("ingredient", "another expression of the same function", 10, (*READ, ast.BinOp), names.ingredient, 2),
    # Arguments and order
    Operator("swapped arguments", "arguments in another order", 40, (ast.Call,), arguments.swapped_arguments),
    Operator("misnamed arguments", "arguments where their names say that they belong", 200,
             (ast.Call,), arguments.misnamed_arguments),
    Operator("misnamed value", "the value that its key names", 200, (ast.Dict,), arguments.misnamed_value),
    Operator("swapped operands", "operands in another order", 40, (ast.BinOp, ast.Compare), arguments.swapped_operands),
    Operator("swapped elements", "elements in another order", 30, (ast.Tuple, ast.List), arguments.swapped_elements),
    Operator("swapped pair", "two parts exchanged", 25,
             (ast.DictComp, ast.IfExp, ast.Subscript, ast.Dict), arguments.swapped_pair),
    Operator("missing argument", "an argument more", 40, (ast.Call,), arguments.missing_argument),
    Operator("excess argument", "an argument less", 25, (ast.Call,), arguments.excess_argument),
    # Conditions
    Operator("missing condition", "a condition more", 40, (ast.expr,), conditions.missing_condition, 2),
    Operator("excess condition", "a condition less", 30, (ast.BoolOp,), conditions.excess_condition),
    Operator("other condition", "another condition", 8, (ast.expr,), conditions.other_condition, 4),
    # Statements
    Operator("assignment", "an update in place of an assignment, or the reverse", 50,
             (ast.Assign, ast.AugAssign), statements.assignment),
    Operator("returned", "a `return` added or dropped", 30, (ast.Expr, ast.Assign, ast.Return), statements.returned),
    Operator("indentation", "another level of indentation", 50, (ast.stmt,), statements.wrong_indentation),
    Operator("order", "statements in another order", 25, (ast.stmt,), statements.wrong_order),
    Operator("loop control", "another way to leave the loop", 40,
             (ast.Break, ast.Continue, ast.Return, ast.Pass), statements.loop_control),
    Operator("branch", "another kind of branch", 15, (ast.If, ast.While), statements.keyword_of_branch, 2),
    Operator("exception", "a different exception", 40, (ast.Raise, ast.ExceptHandler), statements.exception),
    Operator("escaped exception", "the exception that came through", 200,
             (ast.ExceptHandler, ast.Raise), statements.escaped_exception),
    Operator("raise or return", "an error in place of a result, or the reverse", 8,
             (ast.Raise, ast.Return, ast.Pass), statements.raised_or_returned),
    Operator("excess statement", "a statement less", 20, (ast.stmt,), statements.excess_statement, 3),
    Operator("cut off", "a statement less, which kept others from running", 120,
             (ast.Return, ast.Raise, ast.Break, ast.Continue), statements.cut_off),
    Operator("decorator", "a decorator added or dropped", 8, FUNCTIONS, definitions.excess_decorator),
    Operator("definition name", "another name of the definition", 6,
             (*FUNCTIONS, ast.ClassDef), definitions.definition_name),
    Operator("import name", "another import", 6, (ast.ImportFrom,), definitions.import_name),
    Operator("own copy", "a copy of what was given", 25, FUNCTIONS, definitions.own_copy),
    Operator("declaration", "a declaration of the outer variable", 25, FUNCTIONS, definitions.declaration),
    Operator("mutable default", "a default made anew for every call", 60, FUNCTIONS, definitions.mutable_default),
    Operator("shared class value", "a value for each object", 60, (ast.Assign,), definitions.shared_class_value),
    # Confused interfaces
    Operator("missing await", "a result that is waited for", 60, (ast.Call,), apis.missing_await),
    Operator("dropped result", "a result that is kept", 60, (ast.Expr,), apis.dropped_result),
    Operator("result in place", "a new object in place of one changed in place", 60,
             (ast.Assign, ast.Return), apis.result_in_place),
    Operator("unit", "a unit of time", 60, (ast.Call,), apis.unit_of_time),
    Operator("absent key", "a beginning for a key that is not there yet", 40,
             (ast.AugAssign, ast.Call), apis.absent_key),
    Operator("moved import", "the place where the name is now", 200,
             (ast.Import, ast.ImportFrom, ast.Attribute), apis.moved_import),
    Operator("condition of one", "a condition that asks each time", 60, (ast.BoolOp, ast.Name), apis.condition_of_one),
    Operator("identity", "a comparison with a literal by identity", 150, (ast.Compare,), apis.literal_identity),
    # The same at every place
    Operator("every site", "the same change at every place", 25,
             (ast.Attribute, ast.Name, ast.Constant, ast.BinOp, ast.Compare), sites.every_site),
    # A forgotten case
    Operator("forgotten element", "what is taken over as it is", 20, (ast.For,), cases.forgotten_element),
    Operator("another branch", "a branch more", 20, (ast.If,), cases.another_branch, 3),
    # What is missing
    Operator("missing control", "a way out of the loop", 25, SIMPLE, missing.missing_control),
    Operator("missing return", "a missing return", 25, (*SIMPLE, ast.AnnAssign), missing.missing_return),
    Operator("missing update", "a missing update", 25, (*SIMPLE, ast.Break, ast.Continue), missing.missing_update),
    Operator("forgotten change", "a missing update", 60, SIMPLE, state.forgotten_change),
    Operator("forgotten reset", "a list that is emptied", 200, (ast.Expr,), state.forgotten_reset),
    Operator("forgotten local", "a missing update", 80, (ast.For, ast.While), state.forgotten_local),
    Operator("forgotten emptying", "a list that is emptied", 60, (ast.Expr, ast.Assign), state.forgotten_emptying),
    Operator("missing guard", "a missing guard", 25, SIMPLE, missing.missing_guard, 2),
    Operator("missing if", "a missing condition around a statement", 15, SIMPLE, missing.missing_if, 2),
    Operator("missing statement", "a missing statement", 20,
             (*SIMPLE, ast.Break, ast.Continue), missing.missing_neighbour),
    Operator("empty place", "a statement in the place of `pass`", 120, (ast.Pass,), missing.in_place_of_pass),
    Operator("missing else", "a missing `else`", 6, (ast.If, ast.For, ast.While), missing.missing_else, 2),
    Operator("missing default", "a default for the empty case", 20,
             (ast.BinOp, ast.Call, ast.Subscript), missing.missing_default),
    Operator("missing import", "a missing import", 40, (ast.Name,), missing.missing_import),
    Operator("missing super", "a missing call of the base class", 25, FUNCTIONS, missing.missing_super),
)  # fmt: skip

# Not in the table: it works on texts that have no tree.
MENDED_SYNTAX = Operator("syntax", "valid syntax", 100, (), lambda node, source, words: iter(()))
