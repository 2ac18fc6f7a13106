"""Plan the addresses of a small network: '192.168.4.0/24' holds 254 hosts."""


def to_number(address):
    parts = address.split(".")
    if len(parts) != 4:
        raise ValueError(f"not an address: {address}")
    number = 0
    for part in parts:
        if not part.isdigit() or not 0 <= int(part) <= 255:
            raise ValueError(f"not an address: {address}")
        number = (number << 8) | int(part)
    return number


def to_address(number):
    return ".".join(str((number >> shift) & 0x7F) for shift in (24, 16, 8, 0))


class Network:
    def __init__(self, text):
        address, slash, prefix = text.partition("/")
        self.prefix = int(prefix) if slash else 32
        if not 0 <= self.prefix <= 32:
            raise ValueError(f"bad prefix in {text}")
        self.first = to_number(address) & self.mask

    @property
    def size(self):
        return 1 << (32 - self.prefix)

    @property
    def mask(self):
        return 0xFFFFFFFF ^ (self.size - 1)

    @property
    def last(self):
        return self.first + self.size - 1

    @property
    def hosts(self):
        """Addresses for machines: all but the first and the last, where there are more than two."""
        return self.size - 2 if self.size > 2 else self.size

    def __contains__(self, address):
        return self.first <= to_number(address) <= self.last

    def __str__(self):
        return f"{to_address(self.first)}/{self.prefix}"

    def overlaps(self, other):
        return self.first <= other.last and other.first <= self.last

    def split(self, prefix):
        if prefix < self.prefix:
            raise ValueError("cannot split into larger networks")
        step = 1 << (32 - prefix)
        return [Network(f"{to_address(n)}/{prefix}") for n in range(self.first, self.last + 1, step)]


def prefix_for(machines):
    """The longest prefix whose network has room for so many machines."""
    for prefix in range(32, -1, -1):
        if Network(f"0.0.0.0/{prefix}").hosts >= machines:
            return prefix
    raise ValueError("too many machines")
