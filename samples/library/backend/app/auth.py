"""Who may ask: whoever sends the key as a bearer token."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import Depends, HTTPException, status
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.settings import load_settings

bearer = HTTPBearer(auto_error=False)


def require_key(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> None:
    """Raise 401 without a key, 403 with a wrong one."""
    if credentials is None:
        raise HTTPException(status.HTTP_401_UNAUTHORIZED, "Not authenticated", {"WWW-Authenticate": "Bearer"})
    if not secrets.compare_digest(credentials.credentials.encode(), load_settings().api_key.encode()):
        raise HTTPException(status.HTTP_403_FORBIDDEN, "Invalid API key")
