# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What a variant of an instruction around the matrix instructions consists of."""

import os
import re
from dataclasses import dataclass
from pathlib import Path


def llvm_major():
    """Of the LLVM whose intrinsics they are: the one whose repository this file is
    in, or else the one that the environment names."""
    version = Path(__file__).resolve().parents[4] / "cmake/Modules/LLVMVersion.cmake"
    if version.is_file():
        return int(re.search(r"LLVM_VERSION_MAJOR (\d+)", version.read_text())[1])
    return int(os.environ.get("NVPTX_MMA_LLVM_MAJOR") or 22)


LLVM_MAJOR = llvm_major()


@dataclass(frozen=True)
class Kind:
    """A kind of operand: its types in PTX, in LLVM IR and to a builtin.

    space: the LLVM address spaces that a builtin's pointer may have, the
    intrinsic's first; None: not a pointer.
    """

    ptx: str  # "b16", "b32", "b64", "pred", "b128"; a pointer has none.
    ir: str
    c: str
    spaces: tuple = None


def pointer(number, others=()):
    ir = f"ptr addrspace({number})" if number else "ptr"
    return Kind("", ir, "void *", (number, *others))


GENERIC = pointer(0, (1, 3, 7))
GLOBAL = pointer(1, (0,))
SHARED = pointer(3, (0,))
CONST = pointer(4, (0,))
LOCAL = pointer(5, (0,))
TENSOR = Kind("b32", "ptr addrspace(6)", "unsigned")
CLUSTER = pointer(7, (0, 3))
PARAM = pointer(101)

I1 = Kind("pred", "i1", "bool")
# In a register of 16 bits, and of 8 bits in the instruction.
I8 = Kind("b16", "i8", "unsigned char")
I16 = Kind("b16", "i16", "unsigned short")
I32 = Kind("b32", "i32", "int")
I64 = Kind("b64", "i64", "long")
F32 = Kind("b32", "float", "float")
I128 = Kind("b128", "i128", "__int128")


def vector(count, register=I32):
    """Registers of 32 bits in one value. One of them is a vector since LLVM 23, but
    not to a builtin."""
    if count > 1:
        c = f"vec<{register.c}, {count}>"
        return Kind(register.ptx, f"<{count} x {register.ir}>", c)
    return I32 if LLVM_MAJOR < 23 else Kind("b32", "<1 x i32>", I32.c)


LONG2 = Kind("b64", "<2 x i64>", "vec<long, 2>")


@dataclass(frozen=True)
class Parameter:
    """A parameter of an intrinsic.

    value: of an immediate, which the variant stands for.
    """

    name: str
    kind: Kind
    value: int = None

    @property
    def is_immediate(self):
        return self.value is not None


def flag(value, name="flag"):
    return Parameter(name, I1, int(value))


@dataclass(frozen=True)
class Variant:
    """An instruction with all its qualifiers, as one call of an intrinsic.

    text: PTX's, with {name} for the operand of a parameter, {r} for the result
    ({r0}, {r1} for several), and {name:0} for a register of a vector.
    """

    family: str
    section: str
    text: str
    # The lowest architectures and PTX versions with it; all that the ISA names.
    targets: tuple
    # LLVM's name, without the mangled address space.
    intrinsic: str
    parameters: tuple = ()
    result: tuple = ()  # Kinds.
    # That its intrinsic is overloaded on the type of its first parameter.
    is_overloaded: bool = False
    # What an intrinsic that is overloaded otherwise has at the end of its name.
    overload: str = ""
    # That LLVM has no intrinsic for it.
    last_ptx: int = None

    @property
    def mnemonic(self):
        return self.text.strip().split()[0].rstrip(";")

    @property
    def mangled(self):
        if self.overload:
            return f"{self.intrinsic}.{self.overload}"
        if not self.is_overloaded:
            return self.intrinsic
        return f"{self.intrinsic}.p{self.parameters[0].kind.spaces[0]}"

    @property
    def builtin(self):
        return self.intrinsic.replace("llvm.", "__", 1).replace(".", "_")

    @property
    def operands(self):
        """The parameters that are no immediates."""
        return tuple(p for p in self.parameters if not p.is_immediate)

    @property
    def immediates(self):
        return tuple(p for p in self.parameters if p.is_immediate)
