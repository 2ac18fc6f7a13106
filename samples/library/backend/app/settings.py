"""Settings, from the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    api_key: str
    database_path: Path
    log_level: str = "warning"
    page_size: int = 500


def load_settings() -> Settings:
    return Settings(
        api_key=os.environ.get("LMS_API_KEY", ""),
        database_path=Path(os.environ.get("DATABASE_PATH", "library.db")),
        log_level=os.environ.get("LOG_LEVEL", "warning"),
    )
