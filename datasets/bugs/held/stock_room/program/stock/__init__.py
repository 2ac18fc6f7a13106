from .layers import Layers, OutOfStock
from .orders import StockRoom

__all__ = ["Layers", "OutOfStock", "StockRoom"]
