"""One option of a program: its names, whether it takes a value, and its default."""


class Option:
    def __init__(self, long, short=None, kind=None, default=None, help=""):
        """kind: None for a switch, else what makes a value of the text, such as int."""
        self.long = long
        self.short = short
        self.kind = kind
        self.default = False if kind is None and default is None else default
        self.help = help

    @property
    def is_switch(self):
        return self.kind is None

    def usage(self):
        names = f"-{self.short}, --{self.long}" if self.short else f"    --{self.long}"
        if not self.is_switch:
            names += f"={self.kind.__name__.upper()}"
        return f"{names:24}{self.help}".rstrip()
