from .booking import Conflict, RoomPlan
from .slots import Slot

__all__ = ["Conflict", "RoomPlan", "Slot"]
