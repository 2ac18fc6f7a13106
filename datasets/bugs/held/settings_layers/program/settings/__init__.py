from .layers import Settings, SettingsError

__all__ = ["Settings", "SettingsError"]
