"""Runs a program: four registers, a memory for data, and a stack."""

from .errors import MachineError
from .instructions import REGISTERS

STACK_LIMIT = 200
ARITHMETIC = {
    "set": lambda old, new: new,
    "add": lambda old, new: old + new,
    "sub": lambda old, new: old - new,
    "mul": lambda old, new: old * new,
}


class Processor:
    def __init__(self, program):
        self.instructions = program.instructions
        self.memory = list(program.data)
        self.registers = dict.fromkeys(REGISTERS, 0)
        self.stack = []
        self.counter = 0
        self.steps = 0
        self.output = []
        self.halted = False

    def run(self, limit):
        while not self.halted:
            if self.steps >= limit:
                raise MachineError(f"still running after {limit} steps")
            self.step()

    def step(self):
        if self.counter >= len(self.instructions):
            raise MachineError(f"no instruction at {self.counter}")
        instruction = self.instructions[self.counter]
        self.counter += 1
        self.steps += 1
        if instruction.name in ARITHMETIC:
            register, operand = instruction.operands
            change = ARITHMETIC[instruction.name]
            self.registers[register] = change(self.registers[register], self.value(operand))
        else:
            getattr(self, f"do_{instruction.name}")(*instruction.operands)

    def value(self, operand):
        return self.registers[operand] if operand in self.registers else operand

    def cell(self, address):
        if not 0 <= address < len(self.memory):
            raise MachineError(f"no memory at {address}")
        return address

    def do_load(self, register, address):
        self.registers[register] = self.memory[self.cell(address)]

    def do_loadx(self, register, pointer):
        self.registers[register] = self.memory[self.cell(self.registers[pointer])]

    def do_store(self, register, address):
        self.memory[self.cell(address)] = self.registers[register]

    def do_jump(self, address):
        self.counter = address

    def do_jzero(self, register, address):
        if self.registers[register] == 0:
            self.counter = address

    def do_call(self, address):
        self.do_push(self.counter)
        self.counter = address

    def do_ret(self):
        self.counter = self.take()

    def take(self):
        if not self.stack:
            raise MachineError("the stack is empty")
        return self.stack.pop()

    def do_push(self, operand):
        if len(self.stack) >= STACK_LIMIT:
            raise MachineError("the stack is full")
        self.stack.append(self.value(operand))

    def do_pop(self, register):
        self.registers[register] = self.take()

    def do_out(self, operand):
        self.output.append(self.value(operand))

    def do_halt(self):
        self.halted = True
