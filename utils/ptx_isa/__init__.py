# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The grammar of the PTX ISA: which variants of its instructions there are.

Tests, and scripts that count or audit what there is, take their variants from here.
Nothing in it reads the tables of the compiler under test.
"""
