# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Kernels that move raw images and execute one instruction between them.

A kernel takes the arrays In and Out of 32-bit words, with one record for each CTA of
32 threads. What the records hold depends on the kind of the instruction:

  registers -> registers  In: [thread][word], all operands. Out: [thread][word].
  memory -> registers     In: image of the memory, then [thread][parameter].
                          Out: [thread][word].
  registers -> memory     In: [thread][word, then parameter]. Out: image, of which
                          what the instruction does not write stays as it was.

The parameters of a thread: the offset in bytes of its address in the image, the
stride, and whether a generic address is one of shared memory (or of the record).
Kernel.h knows the same.

The same kernels are made in two ways: LLVM IR that calls the intrinsics, and CUDA
that calls the builtins.
"""

from dataclasses import dataclass

from ptx_isa.matrix import ir as matrix_ir
from ptx_isa.matrix.variant import SPACES, Variant

IMAGE_WORDS = 1024
PARAMETERS = ("offset", "stride", "in_shared")
LANES = 32

# What Clang makes of a register: (element in C, elements).
C_TYPES = {
    "f16x2": ("_Float16", 2),
    "b32": ("int", 1),
    "f32": ("float", 1),
    "f64": ("double", 1),
}


def words(fragment):
    return fragment.count * fragment.register.bits // 32


@dataclass(frozen=True)
class Kernel:
    variant: Variant
    selector: int  # None but for sparse A.

    @property
    def name(self):
        name = self.variant.intrinsic.replace("llvm.nvvm.", "", 1).replace(".", "_")
        if self.variant.space is not None:
            name += f"_{self.variant.space[1:] or 'generic'}"
        return name if self.selector is None else f"{name}_sel{self.selector}"

    @property
    def kind(self):
        if self.variant.space is None:
            return "registers"
        return "load" if self.variant.result else "store"

    @property
    def inputs(self):
        """The fragments that a thread loads ahead of the instruction."""
        roles = ("a", "b", "c", "r", "metadata")
        return [o.fragment for o in self.variant.arguments if o.role in roles]

    @property
    def input_words(self):
        return sum(words(fragment) for fragment in self.inputs)

    @property
    def output_words(self):
        return words(self.variant.result) if self.variant.result else 0

    @property
    def has_stride(self):
        return self.variant.argument("stride") is not None


def kernels(variants):
    return [Kernel(v, sel) for v in variants for sel in v.selectors or (None,)]


def placed(fragments):
    """(fragment, word at which it begins)"""
    word, result = 0, []
    for fragment in fragments:
        result.append((fragment, word))
        word += words(fragment)
    return result


# ---------------------------------------------------------------------------
# LLVM IR
# ---------------------------------------------------------------------------

IR_HEADER = """\
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [{words} x i32] poison, align 256

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
"""
IR_BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
GLOBAL = "ptr addrspace(1)"
SHARED = "ptr addrspace(3)"


class IRKernel:
    def __init__(self, kernel):
        self.kernel = kernel
        self.variant = kernel.variant
        self.lines = []

    def add(self, line):
        self.lines.append(f"  {line}")

    def words(self, name, base, index, space=GLOBAL):
        self.add(f"%{name} = getelementptr i32, {space} {base}, i32 {index}")
        return f"%{name}"

    def copy(self, what, to, to_space, source, source_space):
        for step in range(IMAGE_WORDS // (4 * LANES)):
            index = f"%{what}.{step}.index"
            self.add(f"{index} = add i32 %first, {step * 4 * LANES}")
            read = self.words(f"{what}.{step}.from", source, index, source_space)
            write = self.words(f"{what}.{step}.to", to, index, to_space)
            value = f"%{what}.{step}.value"
            self.add(f"{value} = load <4 x i32>, {source_space} {read}")
            self.add(f"store <4 x i32> {value}, {to_space} {write}")

    def load_inputs(self, record):
        """Gives the arguments that are registers, in order, as IR.

        A record need not have more than the alignment of its words.
        """
        arguments = []
        for number, (fragment, first) in enumerate(placed(self.kernel.inputs)):
            type = fragment.register.ir
            step = fragment.register.bits // 32
            for index in range(fragment.count):
                name = f"o{number}.{index}"
                pointer = self.words(f"{name}.p", record, first + index * step)
                self.add(f"%{name} = load {type}, {GLOBAL} {pointer}, align 4")
                arguments.append(f"{type} %{name}")
        return arguments

    def load_parameters(self, base, first):
        for number, name in enumerate(PARAMETERS):
            pointer = self.words(f"{name}.p", base, f"{first + number}")
            self.add(f"%{name} = load i32, {GLOBAL} {pointer}")
        self.add("%is.shared = icmp ne i32 %in_shared, 0")

    def address(self, image):
        """The pointer argument. Nothing may tell what a generic one points to."""
        self.add(f"%in.image = getelementptr i8, {GLOBAL} {image}, i32 %offset")
        self.add(f"%in.block = getelementptr i8, {SHARED} @shared, i32 %offset")
        if self.variant.space == ".global":
            return f"{GLOBAL} %in.image"
        if self.variant.space == ".shared":
            return f"{SHARED} %in.block"
        self.add(f"%generic.image = addrspacecast {GLOBAL} %in.image to ptr")
        self.add(f"%generic.block = addrspacecast {SHARED} %in.block to ptr")
        self.add(
            "%address = select i1 %is.shared, ptr %generic.block, ptr %generic.image"
        )
        return "ptr %address"

    def call(self, arguments):
        if self.kernel.has_stride:
            arguments = arguments + ["i32 %stride"]
        if self.kernel.selector is not None:
            arguments = arguments + [f"i32 {self.kernel.selector}"]
        types = matrix_ir.return_type(self.variant)
        result = "%d = " if self.variant.result else ""
        callee = f"@{self.variant.mangled}({', '.join(arguments)})"
        self.add(f"{result}call {types} {callee}")

    def store_result(self):
        fragment = self.variant.result
        types, type = matrix_ir.return_type(self.variant), fragment.register.ir
        step = fragment.register.bits // 32
        self.add(f"%out.first = mul i32 %thread, {self.kernel.output_words}")
        record = self.words("out.record", "%out", "%out.first")
        for index in range(fragment.count):
            value = "%d"
            if fragment.count > 1:
                value = f"%d.{index}"
                self.add(f"{value} = extractvalue {types} %d, {index}")
            pointer = self.words(f"d.{index}.p", record, index * step)
            self.add(f"store {type} {value}, {GLOBAL} {pointer}, align 4")

    def registers_to_registers(self):
        self.add(f"%in.first = mul i32 %thread, {self.kernel.input_words}")
        record = self.words("in.record", "%in", "%in.first")
        self.call(self.load_inputs(record))
        self.store_result()

    def memory_to_registers(self):
        record_words = IMAGE_WORDS + LANES * len(PARAMETERS)
        self.add(f"%in.first = mul i32 %cta, {record_words}")
        image = self.words("image", "%in", "%in.first")
        self.add(f"%parameters.first = mul i32 %tid, {len(PARAMETERS)}")
        parameters = self.words("parameters", image, "%parameters.first")
        self.load_parameters(parameters, IMAGE_WORDS)
        if self.variant.space != ".global":
            self.copy("in", "@shared", SHARED, "%image", GLOBAL)
            self.add(IR_BARRIER)
        self.call([self.address("%image")])
        self.store_result()

    def registers_to_memory(self):
        registers = self.kernel.input_words
        self.add(f"%in.first = mul i32 %thread, {registers + len(PARAMETERS)}")
        record = self.words("in.record", "%in", "%in.first")
        self.load_parameters(record, registers)
        arguments = self.load_inputs(record)
        self.add(f"%image.first = mul i32 %cta, {IMAGE_WORDS}")
        image = self.words("image", "%out", "%image.first")
        in_shared = self.variant.space != ".global"
        if in_shared:
            self.copy("in", "@shared", SHARED, image, GLOBAL)
            self.add(IR_BARRIER)
        self.call([self.address(image), *arguments])
        if in_shared:
            self.add(IR_BARRIER)
            self.add("br i1 %is.shared, label %back, label %end")
            self.lines.append("back:")
            self.copy("back", image, GLOBAL, "@shared", SHARED)
            self.add("br label %end")
            self.lines.append("end:")

    def text(self):
        self.lines.append(
            f"define ptx_kernel void @{self.kernel.name}"
            f"({GLOBAL} %in, {GLOBAL} %out) {{"
        )
        self.add("%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        self.add("%cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()")
        self.add("%first = mul i32 %tid, 4")
        self.add(f"%cta.thread = mul i32 %cta, {LANES}")
        self.add("%thread = add i32 %cta.thread, %tid")
        {
            "registers": self.registers_to_registers,
            "load": self.memory_to_registers,
            "store": self.registers_to_memory,
        }[self.kernel.kind]()
        self.add("ret void")
        self.lines.append("}")
        return "\n".join(self.lines)


def ir(kernels):
    declarations = dict.fromkeys(matrix_ir.declaration(k.variant) for k in kernels)
    return "\n".join(
        [IR_HEADER.format(words=IMAGE_WORDS), *declarations]
        + [f"\n{IRKernel(kernel).text()}" for kernel in kernels]
        + [""]
    )


# ---------------------------------------------------------------------------
# CUDA
# ---------------------------------------------------------------------------

CUDA_HEADER = """\
// Without CUDA's headers, as these kernels need nothing else of them.
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))

template <class T, int N>
using vec = T __attribute__((ext_vector_type(N)));

struct Parameters {{
  int Offset, Stride, InShared;
}};

__shared__ __attribute__((aligned(256))) vec<int, 4> Shared[{words} / 4];

__device__ inline int tid() {{ return __nvvm_read_ptx_sreg_tid_x(); }}
__device__ inline int cta() {{ return __nvvm_read_ptx_sreg_ctaid_x(); }}
__device__ inline int thread() {{ return cta() * {lanes} + tid(); }}

__device__ inline void copy(vec<int, 4> *To, const vec<int, 4> *From) {{
  for (int Step = 0; Step != {words} / (4 * {lanes}); ++Step)
    To[Step * {lanes} + tid()] = From[Step * {lanes} + tid()];
}}

template <class T> __device__ inline T load(const int *Words) {{
  T Value;
  __builtin_memcpy(&Value, Words, sizeof(T));
  return Value;
}}

template <class T> __device__ inline void store(int *Words, T Value) {{
  __builtin_memcpy(Words, &Value, sizeof(T));
}}
"""

CUDA_BARRIER = "  __syncthreads();"


def cuda_type(fragment):
    element, elements = C_TYPES[fragment.register.ptx]
    count = fragment.count * elements
    return element if count == 1 else f"vec<{element}, {count}>"


def cuda_address(variant, image):
    """The pointer argument, as bytes."""
    if variant.space == ".global":
        return f"(char *){image} + P.Offset"
    if variant.space == ".shared":
        return "(char *)Shared + P.Offset"
    return f"(P.InShared ? (char *)Shared : (char *){image}) + P.Offset"


def cuda_kernel(kernel):
    v = kernel.variant
    lines = [f'extern "C" __global__ void {kernel.name}(int *In, int *Out) {{']
    registers = kernel.input_words
    if kernel.kind == "registers":
        lines.append(f"  const int *Record = In + thread() * {registers};")
    elif kernel.kind == "load":
        record = IMAGE_WORDS + LANES * len(PARAMETERS)
        lines += [
            f"  int *Image = In + cta() * {record};",
            f"  auto P = load<Parameters>(Image + {IMAGE_WORDS} + tid() * "
            f"{len(PARAMETERS)});",
        ]
        if v.space != ".global":
            lines += ["  copy(Shared, (vec<int, 4> *)Image);", CUDA_BARRIER]
    else:
        lines += [
            f"  int *Image = Out + cta() * {IMAGE_WORDS};",
            f"  const int *Record = In + thread() * {registers + len(PARAMETERS)};",
            f"  auto P = load<Parameters>(Record + {registers});",
        ]
        if v.space != ".global":
            lines += ["  copy(Shared, (vec<int, 4> *)Image);", CUDA_BARRIER]

    arguments = [] if v.space is None else [cuda_address(v, "Image")]
    arguments += [
        f"load<{cuda_type(fragment)}>(Record + {first})"
        for fragment, first in placed(kernel.inputs)
    ]
    arguments += ["P.Stride"] if kernel.has_stride else []
    arguments += [] if kernel.selector is None else [str(kernel.selector)]
    call = f"{v.builtin}({', '.join(arguments)})"
    if v.result:
        lines.append(f"  {cuda_type(v.result)} D = {call};")
        lines.append(f"  store(Out + thread() * {kernel.output_words}, D);")
    else:
        lines.append(f"  {call};")
        if v.space != ".global":
            lines += [
                CUDA_BARRIER,
                "  if (P.InShared)",
                "    copy((vec<int, 4> *)Image, Shared);",
            ]
    return "\n".join(lines + ["}"])


def cuda(kernels):
    header = CUDA_HEADER.format(words=IMAGE_WORDS, lanes=LANES)
    return "\n".join([header] + [cuda_kernel(k) + "\n" for k in kernels])
