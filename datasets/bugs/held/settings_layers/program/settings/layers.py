"""Settings in layers: defaults, files, environment; later layers win."""

from .convert import convert, environment_name, split_name
from .tree import MISSING, leaves, look_up, merged, put


class SettingsError(KeyError):
    pass


class Settings:
    def __init__(self, defaults=None):
        self.layers = [("defaults", defaults or {})]

    def add(self, name, tree):
        self.layers.append((name, tree))
        return self

    def add_environment(self, environment, prefix):
        tree = {}
        for name, text in sorted(environment.items()):
            place = environment_name(name, prefix)
            if place:
                put(tree, split_name(place), convert(text))
        return self.add("environment", tree)

    def tree(self):
        result = {}
        for _, layer in self.layers:
            result = merged(result, layer)
        return result

    def get(self, name, default=MISSING):
        value = look_up(self.tree(), split_name(name))
        if value is not MISSING:
            return value
        if default is MISSING:
            raise SettingsError(name)
        return default

    def source(self, name):
        """The layer that a value comes from."""
        for layer, tree in reversed(self.layers):
            if look_up(tree, split_name(name)) is not MISSING:
                return layer
        raise SettingsError(name)

    def lines(self):
        return [f"{name} = {value!r}" for name, value in sorted(leaves(self.tree()))]
