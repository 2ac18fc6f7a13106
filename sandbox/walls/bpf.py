"""The little language of filters, classic BPF: the words that seccomp.py says its rules in.

https://docs.kernel.org/userspace-api/seccomp_filter.html. An instruction loads a word of `struct seccomp_data` (the
number of the call, an argument), compares it and jumps forward, or returns what becomes of the call. A jump by a
comparison reaches 255 instructions, one without reaches any.
"""

import struct
from collections.abc import Mapping, Sequence

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, value
Program = list[Instruction]

_LOAD, _AND, _RETURN, _JUMP = 0x20, 0x54, 0x06, 0x05  # BPF_LD|W|ABS, BPF_ALU|AND|K, BPF_RET|K, BPF_JMP|JA
_JUMP_EQUAL, _JUMP_GREATER_OR_EQUAL = 0x15, 0x35
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data; the low word of argument n is at 16 + 8 n
_FARTHEST = 255
_RETURN_ALLOW, _RETURN_ERRNO = 0x7FFF0000, 0x00050000

ALLOW: Instruction = (_RETURN, 0, 0, _RETURN_ALLOW)


def packed(program: Program) -> bytes:
    """As the kernel takes it: an array of `struct sock_filter`. struct.error where a jump is too far."""
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


def only_architecture(audit_architecture: int, otherwise: Instruction) -> Program:
    """32-bit calls have other numbers, so a filter that forgets them filters nothing."""
    return [(_LOAD, 0, 0, _ARCHITECTURE), (_JUMP_EQUAL, 1, 0, audit_architecture), otherwise]


def by_number(rules: Mapping[int, Program], otherwise: Program) -> Program:
    """Each call goes to the rule of its number, which ends it; a number without one goes to `otherwise`.

    A binary search over the numbers at which the rule changes: some seven comparisons for two hundred calls.
    """
    starts: list[tuple[int, Program]] = [(0, rules.get(0, otherwise))]
    for start in sorted({edge for number in rules for edge in (number, number + 1)}):
        rule = rules.get(start, otherwise)
        if start and rule != starts[-1][1]:
            starts.append((start, rule))
    return [(_LOAD, 0, 0, _NUMBER), *_search(starts)]


def _search(starts: Sequence[tuple[int, Program]]) -> Program:
    if len(starts) == 1:
        return starts[0][1]
    middle = len(starts) // 2
    low, high = _search(starts[:middle]), _search(starts[middle:])
    if len(low) <= _FARTHEST:
        return [(_JUMP_GREATER_OR_EQUAL, len(low), 0, starts[middle][0]), *low, *high]
    return [(_JUMP_GREATER_OR_EQUAL, 0, 1, starts[middle][0]), (_JUMP, 0, 0, len(low)), *low, *high]


def answer(error_number: int) -> Instruction:
    """The call is not made and gives this error; 0 says "done"."""
    return (_RETURN, 0, 0, _RETURN_ERRNO | error_number)


# Tests of an argument. Where one refuses nothing, what comes after it goes on.


def if_equal(argument: int, value: int, error_number: int, mask: int = 0xFFFFFFFF) -> Program:
    return [_argument(argument), (_AND, 0, 0, mask), (_JUMP_EQUAL, 0, 1, value), answer(error_number)]


def unless(argument: int, value: int, error_number: int, mask: int = 0xFFFFFFFF) -> Program:
    return [_argument(argument), (_AND, 0, 0, mask), (_JUMP_EQUAL, 1, 0, value), answer(error_number)]


def unless_zero_or(argument: int, value: int, error_number: int) -> Program:
    return [_argument(argument), (_JUMP_EQUAL, 2, 0, 0), (_JUMP_EQUAL, 1, 0, value), answer(error_number)]


def only(argument: int, values: Sequence[int], error_number: int) -> Program:
    tests = [(_JUMP_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(argument), *tests, answer(error_number)]


def if_any(argument: int, bits: int, error_number: int) -> Program:
    return [_argument(argument), (_AND, 0, 0, bits), (_JUMP_EQUAL, 1, 0, 0), answer(error_number)]


def where_any(argument: int, bits: int, test: Program) -> Program:
    """The test is made only where one of these bits is set."""
    return [_argument(argument), (_AND, 0, 0, bits), (_JUMP_EQUAL, len(test), 0, 0), *test]


def _argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, 16 + 8 * index)
