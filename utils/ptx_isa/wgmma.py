# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The variants of wgmma.mma_async[.sp], from the grammar of the PTX ISA.

RULES holds the syntax sections of the PTX document (9.7.15.5.2, 9.7.15.6.3) and
nothing else; every test of the instructions takes its variants, its operands and
their order from here. The tables of the compiler under test are never read: a fault
in them must not be able to hide itself.

How LLVM spells an instruction (intrinsic, builtin, types) follows the naming
rules at the end of this file.
"""

from dataclasses import dataclass
from itertools import product

FLOAT_N = tuple(range(8, 257, 8))
INT_N = (8, 16, 24, 32) + tuple(range(48, 257, 16))


@dataclass(frozen=True)
class Rule:
    """One family of the syntax sections."""

    dtypes: tuple
    abtypes: tuple
    k: int  # Dense.
    sparse_k: int  # None: there is no wgmma.mma_async.sp.
    n: tuple
    # What stands after "d, a-desc|a, b-desc, [sp-meta, sp-sel,] scale-d".
    immediates_ss: tuple
    immediates_rs: tuple
    selectors: tuple = ()
    satfinite: tuple = (False,)
    operation: str = ""


SCALES = ("imm-scale-a", "imm-scale-b")
FP8 = tuple(product(("e4m3", "e5m2"), repeat=2))
INT8 = tuple(product(("s8", "u8"), repeat=2))

RULES = (
    Rule(
        ("f16", "f32"),
        (("f16", "f16"),),
        16,
        32,
        FLOAT_N,
        SCALES + ("imm-trans-a", "imm-trans-b"),
        SCALES + ("imm-trans-b",),
        (0, 1),
    ),
    Rule(
        ("f32",),
        (("bf16", "bf16"),),
        16,
        32,
        FLOAT_N,
        SCALES + ("imm-trans-a", "imm-trans-b"),
        SCALES + ("imm-trans-b",),
        (0, 1),
    ),
    Rule(("f32",), (("tf32", "tf32"),), 8, 16, FLOAT_N, SCALES, SCALES, (0, 1)),
    Rule(("f16", "f32"), FP8, 32, 64, FLOAT_N, SCALES, SCALES, (0,)),
    Rule(("s32",), INT8, 32, 64, INT_N, (), (), (0,), (False, True)),
    Rule(("s32",), (("b1", "b1"),), 256, None, INT_N, (), (), operation=".and.popc"),
)

# The values that each immediate may take.
IMMEDIATE_VALUES = {
    "imm-scale-a": (1, -1),
    "imm-scale-b": (1, -1),
    "imm-trans-a": (0, 1),
    "imm-trans-b": (0, 1),
}


@dataclass(frozen=True)
class Intrinsic:
    """The variants that share an LLVM intrinsic: they differ in N and flags."""

    rule: Rule
    sparse: bool
    form: str  # "ss": A in shared memory; "rs": A in registers
    d: str
    a: str
    b: str

    @property
    def types(self):
        return f"{self.d}.{self.a}.{self.b}{self.rule.operation}"

    @property
    def family(self):
        """The types with what else PTX has one list of N for: "sp.f32.f16.f16"."""
        return self.sp + self.types

    @property
    def sp(self):
        return "sp." if self.sparse else ""

    @property
    def k(self):
        return self.rule.sparse_k if self.sparse else self.rule.k

    @property
    def immediates(self):
        return self.rule.immediates_ss if self.form == "ss" else self.rule.immediates_rs

    @property
    def ptx_version(self):
        """Dense came with PTX 8.0, sparse with 8.2, mixed s8/u8 with 8.4."""
        if {self.a, self.b} == {"s8", "u8"}:
            return 84
        return 82 if self.sparse else 80

    @property
    def has_satfinite(self):
        return True in self.rule.satfinite

    # LLVM's names.

    @property
    def name(self):
        """The intrinsic without the mangled accumulator type."""
        return f"llvm.nvvm.wgmma.mma_async.{self.sp}{self.form}.{self.types}"

    @property
    def builtin(self):
        return self.name.replace("llvm.", "__", 1).replace(".", "_")

    @property
    def element(self):
        """The accumulator's element: (IR type, its mangling, C type)."""
        return ("float", "f32", "float") if self.d == "f32" else ("i32", "i32", "int")

    def length(self, n):
        """Elements of the accumulator; two halves share an i32."""
        return n // 4 if self.d == "f16" else n // 2

    def acc(self, n):
        return f"<{self.length(n)} x {self.element[0]}>"

    def mangled(self, n):
        return f"{self.name}.v{self.length(n)}{self.element[1]}"

    def lengths(self):
        """The accumulator lengths that mean a valid N."""
        return [self.length(n) for n in self.rule.n]

    def ptx(self, n, satfinite):
        sat = ".satfinite" if satfinite else ""
        return (
            f"wgmma.mma_async.{self.sp}sync.aligned."
            f"m64n{n}k{self.k}{sat}.{self.types}"
        )

    def flags(self):
        """The immediates in the order of the intrinsic, with their values."""
        flags = [("sp-sel", self.rule.selectors)] if self.sparse else []
        flags += [(name, IMMEDIATE_VALUES[name]) for name in self.immediates]
        return flags

    def flag_settings(self, index):
        """Settings of the immediates that use each value at least once.

        A setting and its complement; which of the settings changes with index,
        so that a sequence of variants goes through all of them.
        """
        names = [name for name, values in self.flags() if len(values) > 1]
        if not names:
            return [{m: values[0] for m, values in self.flags()}]
        index %= 2 ** (len(names) - 1)
        settings = []
        for invert in (0, 1):
            bits = {m: (index >> i & 1) ^ invert for i, m in enumerate(names)}
            settings.append({m: v[bits.get(m, 0)] for m, v in self.flags()})
        return settings

    def declaration(self, n):
        args = [self.acc(n), "i64" if self.form == "ss" else "<4 x i32>"]
        args += ["i64"] + (["i32", "i32 immarg"] if self.sparse else []) + ["i1"]
        args += [self.immediate_type(m) + " immarg" for m in self.immediates]
        args += ["i1 immarg"] if self.has_satfinite else []
        return f"declare {self.acc(n)} @{self.mangled(n)}({', '.join(args)})"

    @staticmethod
    def immediate_type(name):
        return "i32" if name == "sp-sel" or "scale" in name else "i1"

    def call(self, n, setting=None, satfinite=False, **operands):
        """A call in IR. Operands: d, a, b, meta, scale_d; values without types.

        What the intrinsic lacks is left out.
        """
        return self.call_with(
            self.acc(n), self.mangled(n), setting, satfinite, **operands
        )

    def call_with(self, acc, function, setting=None, satfinite=False, **operands):
        """The same for any accumulator type, also one that has no variant."""
        setting = self.flag_settings(0)[0] if setting is None else setting
        value = dict(d="%d", a="%a", b="%b", meta="%meta", scale_d="%scale.d")
        value.update(operands)
        args = [
            f"{acc} {value['d']}",
            ("i64 " if self.form == "ss" else "<4 x i32> ") + value["a"],
            f"i64 {value['b']}",
        ]
        if self.sparse:
            args += [f"i32 {value['meta']}", f"i32 {setting['sp-sel']}"]
        args.append(f"i1 {value['scale_d']}")
        for name in self.immediates:
            args.append(f"{self.immediate_type(name)} {ir_value(name, setting[name])}")
        if self.has_satfinite:
            args.append("i1 true" if satfinite else "i1 false")
        return f"call {acc} @{function}({', '.join(args)})"

    def ptx_immediates(self, setting):
        """The operands after scale-d, each preceded by a comma."""
        return "".join(f", {setting[name]}" for name in self.immediates)


def ir_value(name, value):
    if Intrinsic.immediate_type(name) == "i1":
        return "true" if value else "false"
    return str(value)


INTRINSICS = tuple(
    Intrinsic(rule, sparse, form, d, a, b)
    for sparse in (False, True)
    for rule in RULES
    if rule.sparse_k or not sparse
    for d in rule.dtypes
    for a, b in rule.abtypes
    for form in ("ss", "rs")
)

# (intrinsic, N, satfinite): what PTX has a name of its own for.
VARIANTS = tuple(
    (intrinsic, n, satfinite)
    for intrinsic in INTRINSICS
    for n in intrinsic.rule.n
    for satfinite in intrinsic.rule.satfinite
)


def find(form, family):
    return next(i for i in INTRINSICS if (i.form, i.family) == (form, family))
