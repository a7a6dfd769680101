# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What is measured, in the order of importance, and against whom."""

# What the H200 SXM's datasheet promises, dense: TFLOP/s by bytes of an element,
# and TB/s of its memory. A sparse A doubles what is promised.
PEAK_TFLOPS = {2: 989.4, 1: 1978.9}
PEAK_TBPS = 4.8

# The clock at which the datasheet's rate is that of all multiprocessors.
PEAK_MHZ = 1830
# Of a multiprocessor in a cycle, by the CUDA programming guide, for compute capability 9.0.
EXPONENTIALS = 16
# The instruction that does most of the work, where there is a target.
WGMMA = {
    "f16": "f32.f16.f16",
    "bf16": "f32.bf16.bf16",
    "e4m3": "f32.e4m3.e4m3",
    "s8": "s32.s8.s8",
    "sparse f16": "f32.f16.f16",
    "sparse e4m3": "f32.e4m3.e4m3",
    "sparse s8": "s32.s8.s8",
    "attention f16": "f32.f16.f16",
    "attention bf16": "f32.bf16.bf16",
}

# Types: in which library of kernels they are, what they are called there, what
# elements go in and come out, how large errors may be as a fraction of the
# largest result, and peers.
TYPES = {
    "f16": ("gemm_f16", "f16", "float16", "float16", 2**-10, ["cuBLAS"]),
    "bf16": ("gemm_f16", "bf16", "bfloat16", "bfloat16", 2**-7, ["cuBLAS"]),
    "f16 sums in f16": (
        "gemm_f16",
        "f16 sums",
        "float16",
        "float16",
        2**-4,
        ["cuBLAS"],
    ),
    "e4m3": (
        "gemm_fp8",
        "e4m3",
        "float8_e4m3fn",
        "float16",
        2**-5,
        ["cublasLt"],
    ),
    "e4m3 promoted": (
        "gemm_fp8",
        "e4m3 promoted",
        "float8_e4m3fn",
        "float16",
        2**-8,
        ["cublasLt"],
    ),
    "s8": ("gemm_s8", "s8", "int8", "int32", 0, ["cublasLt"]),
    "sparse f16": (
        "sparse_gemm",
        "f16",
        "float16",
        "float16",
        2**-10,
        [
            "cuSPARSELt",
            "cuSPARSELt, D transposed",
            "cuSPARSELt, K not split",
            "CUTLASS 62, 128x128",
            "CUTLASS 62, 128x256",
            "CUTLASS 62, 128x256, D of f16",
        ],
    ),
    "sparse bf16": (
        "sparse_gemm",
        "bf16",
        "bfloat16",
        "bfloat16",
        2**-7,
        ["cuSPARSELt", "cuSPARSELt, D transposed", "cuSPARSELt, K not split"],
    ),
    "sparse e4m3": (
        "sparse_gemm",
        "e4m3",
        "float8_e4m3fn",
        "float16",
        2**-5,
        ["cuSPARSELt", "cuSPARSELt, D transposed", "cuSPARSELt, K not split"],
    ),
    "sparse s8": (
        "sparse_gemm",
        "s8",
        "int8",
        "int32",
        0,
        ["cuSPARSELt", "cuSPARSELt, D transposed", "cuSPARSELt, K not split"],
    ),
}
ELEMENT_BYTES = {
    "float16": 2,
    "bfloat16": 2,
    "float8_e4m3fn": 1,
    "int8": 1,
    "int32": 4,
}

# What is to be reached: times the best peer, or TFLOP/s.
TARGETS = {
    "f16": {"times": 1.02},
    "bf16": {"times": 1.02},
    "e4m3": {"times": 1.05},
    "s8": {"times": 1.0},
    "sparse f16": {"times": 1.05},
    "sparse e4m3": {"tflops": 1950},
    "sparse s8": {"times": 1.0},
}
ATTENTION_TARGET = {"times": 1.1}

SQUARES = ((4096, 4096, 4096), (8192, 8192, 8192))
# M, N, K of a language model's layers: many tokens, and few.
LAYERS = ((4096, 11008, 4096), (4096, 4096, 11008))
RAGGED = ((4095, 11008, 4096), (1000, 4112, 4144))
SKINNY = tuple((m, n, n) for n in (4096, 8192) for m in (16, 64, 128))
LENGTHS = (1024, 2048, 4096, 8192, 16384)
HEADS = 16
# From here on down, the weights of a layer come from memory each time.
SKINNY_M = 128


def gemm(type_name, shape, data="normal"):
    library, name, element, output, max_error, peers = TYPES[type_name]
    m, n, k = shape
    return {
        "id": f"{type_name} {m}x{n}x{k} {data}",
        "kind": "gemm",
        "type": type_name,
        "library": library,
        "name": name,
        "element": element,
        "output": output,
        "max_error": max_error,
        "sparse": type_name.startswith("sparse"),
        "m": m,
        "n": n,
        "k": k,
        "data": data,
        "peers": peers,
        "target": TARGETS.get(type_name),
    }


def attention(type_name, head, length, causal):
    mask = "causal" if causal else "all"
    return {
        "id": f"attention {type_name} head {head} length {length} {mask}",
        "kind": "attention",
        "type": f"attention {type_name}",
        "library": "attention",
        "name": type_name,
        "element": {"f16": "float16", "bf16": "bfloat16"}[type_name],
        "output": {"f16": "float16", "bf16": "bfloat16"}[type_name],
        "max_error": {"f16": 2**-9, "bf16": 2**-6}[type_name],
        "head": head,
        "heads": HEADS,
        "length": length,
        "causal": causal,
        "data": "normal",
        "peers": ["cuDNN"],
        "target": ATTENTION_TARGET,
    }


def problems():
    """All of them, those first without which the page would say least."""
    squares = [gemm(name, shape) for shape in SQUARES for name in TYPES]
    attentions = {
        name: [
            attention(name, head, length, causal)
            for head in (128, 64)
            for causal in (False, True)
            for length in LENGTHS
        ]
        for name in ("bf16", "f16")
    }
    main = ("bf16", "f16", "e4m3", "s8")
    layers = [gemm(name, s) for name in main for s in LAYERS + RAGGED]
    skinny = [gemm(name, s) for name in main for s in SKINNY]
    exact = [gemm(name, SQUARES[1], "exact") for name in TYPES]
    others = [
        gemm(name, s)
        for name in ("f16 sums in f16", "e4m3 promoted")
        for s in LAYERS + RAGGED + SKINNY
    ]
    return (
        squares
        + attentions["bf16"]
        + layers
        + skinny
        + exact
        + attentions["f16"]
        + others
    )


def operations(problem):
    """Additions and multiplications; of a sparse A those with zeros, too, of a
    causal mask those with what is seen."""
    if problem["kind"] == "gemm":
        return 2 * problem["m"] * problem["n"] * problem["k"]
    every = 4 * problem["length"] ** 2 * problem["head"] * problem["heads"]
    return every // 2 if problem["causal"] else every


def exponentials(problem):
    """One for each score that is seen."""
    if problem["kind"] == "gemm":
        return 0
    every = problem["length"] ** 2 * problem["heads"]
    return every // 2 if problem["causal"] else every


def least_bytes(problem):
    """What must come from memory and go there, each matrix once."""
    element = ELEMENT_BYTES[problem["element"]]
    if problem["kind"] == "attention":
        return 4 * problem["length"] * problem["head"] * problem["heads"] * element
    m, n, k = problem["m"], problem["n"], problem["k"]
    a = m * k * element
    if problem["sparse"]:
        a = a // 2 + m * k // 8  # what is kept, and two bits of metadata for each
    return a + n * k * element + m * n * ELEMENT_BYTES[problem["output"]]


def bound_seconds(problem):
    """What the datasheet's numbers allow: (of the tensor cores, of memory)."""
    peak = PEAK_TFLOPS[ELEMENT_BYTES[problem["element"]]]
    if problem.get("sparse"):
        peak *= 2
    return operations(problem) / peak / 1e12, least_bytes(problem) / PEAK_TBPS / 1e12
