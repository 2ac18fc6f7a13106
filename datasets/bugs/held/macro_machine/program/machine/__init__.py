from .assembler import assemble
from .errors import AssemblyError, MachineError
from .processor import Processor


def run(source, limit=10_000):
    """Assemble and run a program; returns what it printed."""
    processor = Processor(assemble(source))
    processor.run(limit)
    return processor.output


__all__ = ["AssemblyError", "MachineError", "Processor", "assemble", "run"]
