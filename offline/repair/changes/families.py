"""What is taken for one another: functions, methods, names that moved; and calls that are forgotten around a value."""

FUNCTION_FAMILIES = (
    ("min", "max"), ("any", "all"), ("sum", "len", "max", "min"), ("sorted", "reversed", "list", "set"),
    ("int", "float", "round", "str"), ("round", "int", "abs"), ("list", "tuple", "set", "sorted", "iter", "dict"),
    ("ord", "chr"), ("floor", "ceil", "round", "trunc"), ("sin", "cos", "tan"), ("enumerate", "zip", "reversed"),
    ("isinstance", "issubclass"), ("zip", "zip_longest", "product"), ("map", "filter"), ("repr", "str", "format"),
    ("combinations", "permutations", "product", "combinations_with_replacement"), ("divmod", "pow"),
    ("heappush", "heappop", "heappushpop", "heapreplace"), ("bisect_left", "bisect_right", "bisect"),
    ("log", "log2", "log10"),
    ("defaultdict", "Counter", "OrderedDict", "dict"), ("hex", "bin", "oct"), ("str", "repr", "int", "len"),
    ("nlargest", "nsmallest"), ("insort_left", "insort_right"), ("sqrt", "isqrt"), ("radians", "degrees"),
)  # fmt: skip
METHOD_FAMILIES = (
    ("append", "extend", "insert", "appendleft", "add"), ("pop", "popleft", "remove"),
    ("add", "discard", "remove", "update"),
    ("upper", "lower", "title", "capitalize", "swapcase", "casefold"), ("strip", "lstrip", "rstrip"),
    ("find", "rfind", "index", "rindex", "count"), ("split", "rsplit", "partition", "rpartition", "splitlines"),
    ("startswith", "endswith"), ("isdigit", "isalpha", "isalnum", "isspace", "isnumeric", "isdecimal"),
    ("isupper", "islower", "istitle"), ("keys", "values", "items"), ("ljust", "rjust", "center", "zfill"),
    ("union", "intersection", "difference", "symmetric_difference"), ("issubset", "issuperset", "isdisjoint"),
    ("get", "pop", "setdefault"), ("read", "readline", "readlines"), ("write", "writelines"), ("sort", "reverse"),
    ("removeprefix", "removesuffix", "lstrip", "rstrip", "strip"), ("partition", "rpartition"),
    ("extendleft", "extend"),
    ("match", "fullmatch", "search", "findall"), ("group", "groups"), ("most_common", "elements"), ("copy", "deepcopy"),
    ("update", "subtract"), ("encode", "decode"), ("days", "seconds"), ("total_seconds", "seconds"),
    ("weekday", "isoweekday"),
    ("start", "end"), ("clear", "copy"), ("sub", "subn"), ("replace", "strip"), ("real", "imag"),
    ("year", "month", "day"),
    ("hour", "minute", "second"), ("discard", "add"),
    ("load", "loads"), ("dump", "dumps"),
    ("fromtimestamp", "utcfromtimestamp"), ("now", "today"), ("date", "time"),
    ("to_bytes", "from_bytes"), ("numerator", "denominator"),
)  # fmt: skip
WRAPPERS = {
    "number": ("abs", "int", "round", "float", "str"),
    "text": ("int", "len", "float", "list", "reversed", "sorted", "set"),
    "list": ("len", "sorted", "list", "set", "reversed", "tuple", "sum", "max", "min", "enumerate"),
    "dict": ("sorted", "len", "list", "dict"),
    "set": ("sorted", "len", "list"),
    "": (
        "abs",
        "len",
        "str",
        "int",
        "sorted",
        "list",
        "set",
        "round",
        "reversed",
        "tuple",
        "float",
        "bool",
        "dict",
        "sum",
    ),
}
ABSTRACT = """Awaitable ByteString
Callable Collection Container Coroutine Generator Hashable ItemsView Iterable Iterator
KeysView Mapping MappingView MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized ValuesView"""
# Names of the standard library that are elsewhere now (removed in Python 3.3 to 3.12).
MOVED_NAMES = {
    **{f"collections.{name}": f"collections.abc.{name}" for name in ABSTRACT.split()},
    "fractions.gcd": "math.gcd", "time.clock": "time.perf_counter", "inspect.getargspec": "inspect.getfullargspec",
    "itertools.izip_longest": "itertools.zip_longest", "urllib.urlencode": "urllib.parse.urlencode",
    "urllib.quote": "urllib.parse.quote", "urllib.unquote": "urllib.parse.unquote",
    "urllib.urlopen": "urllib.request.urlopen", "urlparse.urlparse": "urllib.parse.urlparse",
    "cgi.escape": "html.escape",
    "StringIO": "io", "Queue": "queue", "ConfigParser": "configparser", "cPickle": "pickle", "cStringIO": "io",
    "imp.reload": "importlib.reload", "thread": "_thread", "os.getcwdu": "os.getcwd",
    "base64.encodestring": "base64.encodebytes", "base64.decodestring": "base64.decodebytes",
    "xml.etree.cElementTree": "xml.etree.ElementTree",
    "StringIO.StringIO": "io.StringIO", "locale.format": "locale.format_string",
}  # fmt: skip
