"""Read the arguments of a command: options anywhere, and everything else in order.

'--' ends the options; '-' alone is no option: programs use it for the standard input.
"""


class UsageError(ValueError):
    """Arguments that a program does not understand."""


class Options:
    def __init__(self, *options):
        self.by_long = {option.long: option for option in options}
        self.by_short = {option.short: option for option in options if option.short}

    def read(self, arguments):
        """(values by long name, other arguments)"""
        values = {name: option.default for name, option in self.by_long.items()}
        rest = []
        waiting = list(arguments)
        while waiting:
            argument = waiting.pop(0)
            if argument == "--":
                rest.extend(waiting)
                break
            if argument.startswith("--"):
                self._read_long(argument[2:], waiting, values)
            elif argument.startswith("-"):
                self._read_short(argument[1:], waiting, values)
            else:
                rest.append(argument)
        return values, rest

    def _read_long(self, text, waiting, values):
        name, equals, value = text.partition("=")
        option = self.by_long.get(name)
        if option is None:
            raise UsageError(f"no such option: --{name}")
        if option.is_switch:
            if equals:
                raise UsageError(f"--{name} takes no value")
            values[name] = True
            return
        if not equals:
            value = self._next(f"--{name}", waiting)
        values[name] = self._convert(option, value)

    def _read_short(self, letters, waiting, values):
        """'-vn3' is '-v -n 3'"""
        while True:
            letter, letters = letters[0], letters[1:]
            option = self.by_short.get(letter)
            if option is None:
                raise UsageError(f"no such option: -{letter}")
            if not option.is_switch:
                value = letters or self._next(f"-{letter}", waiting)
                values[option.long] = self._convert(option, value)
                return
            values[option.long] = True
            if not letters:
                return

    def _next(self, name, waiting):
        if not waiting:
            raise UsageError(f"{name} wants a value")
        return waiting.pop(0)

    def _convert(self, option, value):
        try:
            return option.kind(value)
        except ValueError:
            raise UsageError(f"--{option.long} cannot be {value!r}") from None

    def usage(self, program):
        lines = [f"usage: {program} [options] ..."]
        lines += [option.usage() for _, option in sorted(self.by_long.items())]
        return "\n".join(lines)
