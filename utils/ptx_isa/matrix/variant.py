# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What a variant of a warp-level matrix instruction consists of."""

from dataclasses import dataclass

# The generic address space and those that the instructions may name:
# PTX's qualifier to LLVM's number.
SPACES = {"": 0, ".global": 1, ".shared": 3}
SHARED_SPACES = {space: SPACES[space] for space in ("", ".shared")}


@dataclass(frozen=True)
class Register:
    """A kind of register, as PTX and as LLVM IR name its type."""

    ptx: str
    ir: str
    bits: int


F16X2 = Register("f16x2", "<2 x half>", 32)
B32 = Register("b32", "i32", 32)
F32 = Register("f32", "float", 32)
F64 = Register("f64", "double", 64)
U16 = Register("u16", "i16", 16)

# Element types: (bits, the register that holds them).
ELEMENTS = {
    "f64": (64, F64),
    "f32": (32, F32),
    "s32": (32, B32),
    "tf32": (32, B32),
    "f16": (16, F16X2),
    "bf16": (16, B32),
    "s8": (8, B32),
    "u8": (8, B32),
    "e4m3": (8, B32),
    "e5m2": (8, B32),
    # In a container of 8 bits each, but for the kinds mxf4 and mxf4nvf4.
    "e3m2": (8, B32),
    "e2m3": (8, B32),
    "e2m1": (8, B32),
    "s4": (4, B32),
    "u4": (4, B32),
    "b1": (1, B32),
}


@dataclass(frozen=True)
class Fragment:
    """The registers in which a thread holds its part of a matrix."""

    register: Register
    count: int

    def __str__(self):
        return f"{self.count} x {self.register.ptx}"


def fragment(element, elements, bits=None):
    """The fragment for a number of elements in a warp, each in one thread."""
    element_bits, register = ELEMENTS[element]
    total = elements * (bits or element_bits)
    return Fragment(register, total // 32 // register.bits)


@dataclass(frozen=True, order=True)
class Target:
    """An architecture and a PTX version, which together have an instruction."""

    arch: str
    ptx: int

    def __str__(self):
        return f"{self.arch}, PTX {self.ptx // 10}.{self.ptx % 10}"


@dataclass(frozen=True)
class Operand:
    """An operand in PTX's order.

    role: "d", "a", "b", "c", "r" (fragments), "p" (address), "stride",
    "metadata", "selector" (a constant), "scale-a", "byte-id-a", ...
    """

    role: str
    fragment: Fragment

    @property
    def is_constant(self):
        return self.role == "selector"


def scalar(role, register=B32):
    return Operand(role, Fragment(register, 1))


@dataclass(frozen=True)
class Variant:
    """An instruction with all its qualifiers."""

    family: str
    section: str
    mnemonic: str
    # The lowest architectures and PTX versions with it; all that the ISA names.
    targets: tuple
    operands: tuple
    # LLVM's name without the mangled address space. None: LLVM has none.
    intrinsic: str = None
    # The qualifier of the state space, of instructions with an address.
    space: str = None
    # The last PTX version with it, of instructions that were removed.
    last_ptx: int = None
    # The same that ptxas 13.0 assembles it for, although the ISA does not name
    # them (docs/ptx-audit.md).
    beyond: tuple = ()
    # The sparsity selectors that the ISA defines.
    selectors: tuple = ()

    @property
    def result(self):
        """The fragment that the instruction returns, or None."""
        if self.operands[0].role == "d":
            return self.operands[0].fragment
        return None

    @property
    def arguments(self):
        """The operands that are read, in PTX's order."""
        return self.operands[1:] if self.result else self.operands

    def argument(self, role):
        return next((o for o in self.operands if o.role == role), None)

    @property
    def mangled(self):
        """The intrinsic's name as it stands in IR."""
        if self.space is None:
            return self.intrinsic
        return f"{self.intrinsic}.p{SPACES[self.space]}"

    @property
    def builtin(self):
        if not self.intrinsic:
            return None
        return self.intrinsic.replace("llvm.", "__", 1).replace(".", "_")

    def mnemonic_in(self, ptx):
        """The mnemonic in a PTX version: before 6.3, .aligned was implied."""
        return self.mnemonic if ptx >= 63 else self.mnemonic.replace(".aligned", "")
