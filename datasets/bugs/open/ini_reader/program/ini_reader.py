"""Read and write simple settings files with [sections], comments and continued lines."""


class SettingsError(ValueError):
    def __init__(self, number, message):
        super().__init__(f"line {number}: {message}")
        self.number = number


def parse(text):
    settings = {}
    section = None
    last_key = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise SettingsError(number, "section is not closed")
            section = line[1:-1].strip()
            settings.setdefault(section, {})
            last_key = None
            continue
        if section is None:
            raise SettingsError(number, "value outside any section")
        if raw[0].isspace():
            settings[section][last_key] += "\n" + line
            continue
        if "=" not in line:
            raise SettingsError(number, "expected key = value")
        key, _, value = line.partition("=")
        last_key = key.strip().lower()
        settings[section][last_key] = value.strip()
    return settings


def dump(settings):
    lines = []
    for section, values in settings.items():
        lines.append(f"[{section}]")
        for key, value in values.items():
            lines.append(f"{key} = " + value.replace("\n", "\n    "))
        lines.append("")
    return "\n".join(lines)


def get_flag(settings, section, key, default=False):
    value = settings.get(section, {}).get(key)
    if value is None:
        return default
    return value.lower() in ("1", "yes", "true", "on")
