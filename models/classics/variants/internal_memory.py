"""The linearisable memory with a mistake."""

from __future__ import annotations

from cmxverify.modeling import environment, require
from models.classics.internal_memory import Address, InternalMemory, Phase, Processor, Value, Write


class MemoryWritesEarly(InternalMemory):
    """The memory is written when the request arrives, and once more when it is done."""

    @environment
    def asks_to_write(self, p: Processor, address: Address, value: Value) -> None:
        """Send a request, and do it at once."""
        require(self.phase[p] == Phase.READY)
        self.memory[address] = value
        self.buffer[p] = Write(address, value)
        self.passes(p, Phase.BUSY)
