"""A cache with a size limit and an expiry; the clock is a number that the caller moves."""


class Store:
    def __init__(self, size, lifetime=None):
        if size < 1:
            raise ValueError("size must be at least 1")
        self.size = size
        self.lifetime = lifetime
        self.now = 0
        self._entries = {}
        self.hits = 0
        self.misses = 0

    def advance(self, seconds):
        self.now += seconds

    def put(self, key, value):
        self._entries.pop(key, None)
        if len(self._entries) >= self.size:
            self._drop_expired()
        if len(self._entries) >= self.size:
            oldest = next(iter(self._entries))
            del self._entries[oldest]
        self._entries[key] = (value, self.now)

    def get(self, key, default=None):
        entry = self._entries.get(key)
        if entry is None or self._expired(entry):
            self._entries.pop(key, None)
            self.misses += 1
            return default
        self.hits += 1
        self._entries[key] = self._entries.pop(key)
        return entry[0]

    def _expired(self, entry):
        return self.now - entry[1] >= self.lifetime

    def _drop_expired(self):
        for key in [k for k, entry in self._entries.items() if self._expired(entry)]:
            del self._entries[key]

    def __len__(self):
        self._drop_expired()
        return len(self._entries)

    def __contains__(self, key):
        return key in self._entries and not self._expired(self._entries[key])

    def remember(self, key, make):
        """The stored value, or a new one from make() which is then stored."""
        missing = object()
        value = self.get(key, missing)
        if value is missing:
            value = make()
            self.put(key, value)
        return value

    @property
    def hit_rate(self):
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0
