# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The matrix intrinsics, as the compiler's TableGen tables have them.

Reads LLVM's and Clang's tables with the command lines that the build makes
their headers with. For what describes the compiler; its tests must not use it.
"""

import json
import re
import shlex
import subprocess
from dataclasses import dataclass

# One header of each of the two sets of tables.
INSTRUCTIONS = "lib/Target/NVPTX/NVPTXGenInstrInfo.inc"
BUILTINS = "include/clang/Basic/BuiltinsNVPTX.inc"

LLVM_TYPES = {
    "llvm_i1_ty": "i1",
    "llvm_i16_ty": "i16",
    "llvm_i32_ty": "i32",
    "llvm_i64_ty": "i64",
    "llvm_float_ty": "float",
    "llvm_double_ty": "double",
    "llvm_v2f16_ty": "<2 x half>",
    "llvm_v4i32_ty": "<4 x i32>",
    "llvm_anyptr_ty": "ptr",
    "llvm_anyvector_ty": "<v>",
}


@dataclass(frozen=True)
class Parameter:
    """An operand: of the builtin one argument, of the intrinsic count of them."""

    name: str
    c_type: str
    ir_type: str
    count: int = 1
    immediate: bool = False


@dataclass(frozen=True)
class Entry:
    """An intrinsic with its builtin and its instruction."""

    intrinsic: str  # Without the mangled type at its end.
    builtin: str
    # The instruction, with what varies within the intrinsic in braces.
    ptx: str
    ptx_operands: str
    result: Parameter  # None: it returns nothing.
    parameters: tuple
    targets: tuple  # ((architecture, PTX version), ...)
    removed_in: int = 0  # The first PTX version without it; 0: none.
    ns: tuple = ()  # wgmma: what <N> stands for.


class Records:
    """The records of one set of tables."""

    def __init__(self, tblgen, flags, source):
        done = subprocess.run(
            [tblgen, "--dump-json", *flags, source],
            stdout=subprocess.PIPE,
            check=True,
        )
        self.records = json.loads(done.stdout)

    def __getitem__(self, reference):
        """A record, by its name or by a reference to it."""
        if isinstance(reference, dict):
            reference = reference["def"]
        return self.records[reference]

    def of_class(self, name):
        return [self.records[n] for n in self.records["!instanceof"][name]]


def number(bits):
    """The value of a bits<n> field, which comes lowest bit first."""
    return sum(bit << i for i, bit in enumerate(bits))


def read_tables(build):
    """(LLVM's records of NVPTX, Clang's records of its builtins)."""

    def ask_ninja(*words):
        return subprocess.run(
            ["ninja", "-C", build, "-t", *words],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout

    outputs = [line.split(":")[0] for line in ask_ninja("targets", "all").splitlines()]

    def command(header):
        # Where it lies depends on whether LLVM is built as a whole.
        output = next(o for o in outputs if o.endswith(header) and o[0] != "/")
        words = shlex.split(ask_ninja("commands", "-s", output))
        words = words[words.index("&&") + 1 :]
        source = next(w for w in words if w.endswith(".td"))
        flags = [w for w in words if w.startswith("-I") and w != "-I"]
        return words[0], flags, source

    tblgen, flags, source = command(INSTRUCTIONS)
    # Any tool that is built on TableGen's library dumps any tables.
    return Records(tblgen, flags, source), Records(tblgen, *command(BUILTINS)[1:])


class Reader:
    """Makes entries of the records."""

    def __init__(self, build):
        self.llvm, self.clang = read_tables(build)
        self.builtins = {
            "int_" + builtin["IntrinsicEnum"]: builtin
            for builtin in self.clang.of_class("NVPTXIntrinsicBuiltin")
        }

    def llvm_name(self, intrinsic):
        """As LLVM derives it from the record's name where none is given."""
        derived = intrinsic["!name"].replace("int_", "llvm.", 1).replace("_", ".")
        return intrinsic["LLVMName"] or derived

    def ir_type(self, reference):
        if "LLVMMatchType" in self.llvm[reference]["!superclasses"]:
            return LLVM_TYPES["llvm_anyvector_ty"]
        return LLVM_TYPES[reference["def"]]

    def immediates(self, intrinsic):
        """The indices of the parameters that must be constants."""
        properties = [self.llvm[p] for p in intrinsic["IntrProperties"]]
        # Index 0 of an attribute is the result's.
        return {p["ArgNo"] - 1 for p in properties if "ImmArg" in p["!superclasses"]}

    def entries(self):
        yield from self.warp_entries()
        yield from self.wgmma_entries()
        yield from self.wgmma_fences()

    # Warp level

    def warp_entries(self):
        instructions = {}
        for record in self.llvm.of_class("WMMA_INSTR"):
            instructions.setdefault(record["Intr"]["def"], []).append(record)
        # Those that are not in LLVM have patterns in their records.
        for record in self.llvm.of_class("NVPTXInst"):
            intrinsic = selected_intrinsic(record)
            if intrinsic:
                instructions.setdefault(intrinsic, []).append(record)
        for row in self.llvm.of_class("TargetedIntrinsic"):
            name = row["ID"]["def"]
            if "NVVMMatrixIntrinsic" in self.llvm[name]["!superclasses"]:
                yield self.warp_entry(row, instructions[name])

    def row_targets(self, row):
        """((architecture, PTX version), ...) of a row of TargetedIntrinsic."""
        least = number(row["MinPTX"])
        targets = []
        for reference in self.llvm[row["Kind"]]["Alternatives"]:
            needed = self.llvm[reference]
            targets.append(
                (f"sm_{needed['SM']}{needed['Suffix']}", max(least, needed["PTX"]))
            )
        return tuple(targets) or ((f"sm_{number(row['MinSM'])}", least),)

    def warp_entry(self, row, instructions):
        intrinsic = self.llvm[row["ID"]]
        mnemonics, operands = zip(*(ptx_text(i["AsmString"]) for i in instructions))
        (operands,) = set(operands)  # Spaces differ in the mnemonic alone.
        builtin = self.builtins[intrinsic["!name"]]
        prototype = builtin["Prototype"]
        result, parameters = self.signature(intrinsic, instructions[0], prototype)
        return Entry(
            self.llvm_name(intrinsic),
            builtin["!name"],
            join_spaces(mnemonics),
            operands,
            result,
            parameters,
            self.row_targets(row),
            number(row["RemovedInPTX"]),
        )

    def signature(self, intrinsic, instruction, prototype):
        """(result, parameters), with the names of the instruction's operands."""
        result_type, *c_types = prototype_types(prototype)
        outs = operand_names(instruction["OutOperandList"])
        names = [n for n in operand_names(instruction["InOperandList"]) if n != "ptx"]
        types = [self.ir_type(t) for t in intrinsic["ParamTypes"]]
        immediates = self.immediates(intrinsic)
        sizes = [1] if types[0] == "ptr" else []
        sizes += [len(registers) for registers in intrinsic["MatrixFragments"]]
        sizes += [1] * (len(types) - sum(sizes))
        parameters, index = [], 0
        for c_type, size in zip(c_types, sizes, strict=True):
            is_constant = c_type.startswith("_Constant ")
            assert is_constant == (index in immediates)
            parameters.append(
                Parameter(
                    parameter_name(names[index]),
                    vec_type(c_type.removeprefix("_Constant ")),
                    types[index],
                    size,
                    is_constant,
                )
            )
            index += size
        result = None
        if outs:
            ir_type = self.ir_type(intrinsic["RetTypes"][0])
            count = len(intrinsic["RetTypes"])
            name = parameter_name(outs[0])
            result = Parameter(name, vec_type(result_type), ir_type, count)
        return result, tuple(parameters)

    # Warpgroup level

    def wgmma_entries(self):
        instructions = {}
        for record in self.llvm.of_class("WGMMA"):
            instructions.setdefault(record["ID"]["def"], []).append(record)
        for variant in self.llvm.of_class("WGMMAVariant"):
            name = f"int_{variant['IntrinsicEnum']}"
            yield self.wgmma_entry(variant, self.llvm[name], instructions[name])

    def wgmma_entry(self, variant, intrinsic, instructions):
        def rename(operand):
            return wgmma_parameter_name(operand, variant)

        texts = {re.sub("n[0-9]+k", "n<N>k", i["AsmString"]) for i in instructions}
        mnemonic, operands = ptx_text(*texts, rename)
        names = list(map(rename, operand_names(instructions[0]["InOperandList"])))
        types = self.llvm[variant["Types"]]
        element = "float" if self.llvm[types["D"]]["PTX"] == "f32" else "int"
        accumulator = f"vec<{element}, N/{8 // variant['RegistersPer8N']}>"
        immediates = self.immediates(intrinsic)
        parameters = []
        for index, reference in enumerate(intrinsic["ParamTypes"]):
            kind = self.ir_type(reference)
            constant = index in immediates
            # What SemaNVPTXWGMMA.cpp converts the arguments to.
            c_type = {
                "<v>": accumulator,
                "<4 x i32>": "vec<int, 4>",
                "i64": "unsigned long",
                "i32": "int" if constant else "unsigned",
                "i1": "bool",
            }[kind]
            parameters.append(Parameter(names[index], c_type, kind, 1, constant))
        return Entry(
            variant["IntrinsicName"],
            self.clang[variant["BuiltinName"]]["!name"],
            mnemonic,
            operands,
            parameters[0],
            tuple(parameters),
            (("sm_90a", variant["MinPTX"]),),
            ns=tuple(types["Ns"]),
        )

    def wgmma_fences(self):
        for record in self.llvm.of_class("NVPTXInst"):
            if re.match(r"wgmma\.(?!mma)", str(record["AsmString"])):
                yield self.wgmma_fence(record)
        # It prints nothing, and Sema gives it its type.
        operand = Parameter("operand", "T", "<t>")
        yield self.fence_entry(
            self.llvm["int_nvvm_wgmma_fence_operand"], ("", ""), operand, (operand,)
        )

    def wgmma_fence(self, instruction):
        intrinsic = self.llvm[selected_intrinsic(instruction)]
        prototype = self.builtins[intrinsic["!name"]]["Prototype"]
        parameters = tuple(
            Parameter(
                name,
                c_type.removeprefix("_Constant "),
                self.ir_type(reference),
                immediate=index in self.immediates(intrinsic),
            )
            for index, (name, c_type, reference) in enumerate(
                zip(
                    operand_names(instruction["InOperandList"]),
                    prototype_types(prototype)[1:],
                    intrinsic["ParamTypes"],
                    strict=True,
                )
            )
        )
        text = ptx_text(instruction["AsmString"])
        return self.fence_entry(intrinsic, text, None, parameters)

    def fence_entry(self, intrinsic, text, result, parameters):
        name = self.llvm_name(intrinsic)
        builtin = self.builtins[intrinsic["!name"]]
        target = least_target(builtin["Features"])
        return Entry(name, builtin["!name"], *text, result, parameters, (target,))


def least_target(features):
    """(architecture, PTX version) of "(sm_90a|...),(ptx80|ptx81|...)"."""
    architectures, versions = re.fullmatch(r"\((.*)\),\((.*)\)", features).groups()
    ptx = min(int(v.removeprefix("ptx")) for v in versions.split("|"))
    return architectures.split("|")[0], ptx


def selected_intrinsic(instruction):
    """The intrinsic that is the pattern of an instruction, or None."""
    for pattern in instruction["Pattern"] or ():
        if match := re.search(r"\((int_\w+)", pattern["printable"]):
            return match[1]
    return None


def operand_names(dag):
    return [name for _, name in dag["args"]]


def parameter_name(operand):
    """ "ra0" or "a0" begins the fragment a, "rx10" that of ldmatrix's x1."""
    fixed = {"src": "p", "dst": "p", "ldm": "stride"}
    if operand in fixed:
        return fixed[operand]
    fragment = re.fullmatch("r?(.+)0", operand)
    if not fragment:
        return operand
    return "r" if fragment[1].startswith("x") else fragment[1]


def wgmma_parameter_name(operand, variant):
    """As the intrinsics' documentation has them."""
    if operand == "a" and variant["AFromRegisters"]:
        return "a"
    names = {
        "c": "d",
        "a": "a_desc",
        "b": "b_desc",
        "meta": "sp_meta",
        "selector": "sp_sel",
    }
    return names.get(operand, operand)


def prototype_types(prototype):
    """[result, parameter, ...] of a prototype in Clang's tables."""
    result, parameters = re.fullmatch(r"(.*)\((.*)\)", prototype).groups()
    # Commas also stand within vectors.
    return [result, *re.findall(r"(?:[^,<]|<[^>]*>)+", parameters.replace(", ", ","))]


def vec_type(text):
    vector = re.fullmatch(r"_ExtVector<([0-9]+), ?(.*)>", text)
    if vector:
        return f"vec<{vector[2]}, {vector[1]}>"
    return text.replace("void const", "const void")


def ptx_text(asm, rename=parameter_name):
    """(mnemonic, operands) of an AsmString: a fragment's registers become one."""
    asm = re.sub(r"\$\{(?:ptx|satfinite):(\w+)\}", modifier, asm).rstrip(";")
    asm = re.sub(r"\{\{\$(\w*?0)\b[^}]*\}\}", lambda m: rename(m[1]), asm)
    asm = re.sub(r"\$(\w+)", lambda m: rename(m[1]), asm)
    mnemonic, *operands = asm.replace("{{", "{").replace("}}", "}").split(maxsplit=1)
    return mnemonic, "".join(re.sub(r",\s*", ", ", o) for o in operands)


def modifier(match):
    # .aligned is left out for old PTX versions alone.
    return ".aligned" if match[1] == "aligned" else f"{{.{match[1]}}}"


def join_spaces(mnemonics):
    """Mnemonics that differ in a qualifier which the shortest lacks, as one."""
    shortest, *longer = sorted(mnemonics, key=len)
    if not longer:
        return shortest
    base = shortest.split(".")
    spaces = []
    for mnemonic in sorted(longer):
        words = mnemonic.split(".")
        (index,) = (i for i in range(len(words)) if words[:i] + words[i + 1 :] == base)
        spaces.append("." + words[index])
    return ".".join(base[:index]) + f"{{{','.join(spaces)}}}." + ".".join(base[index:])
