# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls what does not need a device of the libraries in a folder."""

import ctypes
import os
import sys

folder = os.path.abspath(sys.argv[1])
gemm = ctypes.CDLL(f"{folder}/gemm_s8.so")
gemm.stride_of_a.restype = gemm.rows_of_a.restype = ctypes.c_size_t
stride, rows = gemm.stride_of_a(b"s8", 100), gemm.rows_of_a(b"s8", 100)
print(f"s8: 100 columns of A are {stride} apart, 100 rows are {rows}")
print("s9:", gemm.rows_of_a(b"s9", 100) or "no rows")


class Problem(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in "QKVO"] + [
        (name, ctypes.c_int) for name in ("Length", "Heads", "Head", "IsCausal")
    ]


attention = ctypes.CDLL(f"{folder}/attention.so")
attention.create.restype = ctypes.c_void_p
problem = Problem(Head=96)
if attention.create(b"f16", ctypes.byref(problem)) is None:
    if attention.create(b"f64", ctypes.byref(Problem(Head=64))) is None:
        print("attention: no head of 96, no f64")
for library in (gemm, attention):
    for symbol in ("cudaMalloc", "cudaLaunchKernelExC"):
        if hasattr(library, symbol):
            sys.exit(f"{symbol} is visible")
print("no symbols of CUDA")
