from .declared import Option
from .reader import Options, UsageError

__all__ = ["Option", "Options", "UsageError"]
