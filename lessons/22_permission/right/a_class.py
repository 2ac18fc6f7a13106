READS = {"get_dir_info", "get_file_content", "search_files"}


class Refused(Exception):
    pass


class Gate:
    def __init__(self, ask, always):
        self.ask, self.always = ask, always

    def question(self, name, arguments):
        text = f"{name} {arguments}"
        return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)

    def look(self, name, arguments):
        if name in READS or name in self.always:
            return
        if self.ask is None:
            raise Refused("it needs consent, and nobody is there to give it")
        typed = self.ask(self.question(name, arguments)).strip()
        if typed.lower() in {"a", "all"}:
            self.always.append(name)
        elif typed.lower() not in {"y", "yes"}:
            raise Refused("the person did not allow it" + (f", and says: {typed}" if typed else ""))


def permitted(call, ask, always):
    try:
        Gate(ask, always).look(call["function"]["name"], call["function"]["arguments"])
    except Refused as why:
        return f"Not run: {why}"
    return ""
