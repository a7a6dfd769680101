# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's own NVPTX tests, from LLVM's sources, with this project's llc and opt:
# the patches must leave everything else as it was. What a patch changes of a test is
# tested as it leaves it.
#
# They are not assembled: that they pass ptxas is LLVM's business, and their PTX
# is the same as without the patches, or the checks fail.

import os
import sys

from lit.llvm import llvm_config

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(config.nvptx_mma_source_dir, "test", "support"))
from llvm_tests import LLVMTests

config.name = "LLVM NVPTX"
# i1-select.ll fails with Debian's unpatched llc 22.1.8 as well; with LLVM 22.1.8 from its
# tarball, and with LLVM 23, it passes.
has_known_failure = config.built_from_packages and config.llvm_version.startswith("22.")
known_failures = ["i1-select.ll"] if has_known_failure else []
tests = "llvm/test/CodeGen/NVPTX"
patched = f"{config.nvptx_mma_build_dir}/patched/{tests}"
config.test_format = LLVMTests(known_failures, patched)
config.suffixes = [".ll", ".mir"]  # lit.local.cfg there adds .py.
config.test_source_root = f"{config.llvm_source_dir}/{tests}"
config.test_exec_root = f"{config.nvptx_mma_build_dir}/test/Upstream"

if not os.path.isdir(config.test_source_root):
    lit_config.fatal(
        f"{config.test_source_root} is missing: LLVM's own NVPTX tests cannot run"
    )

# What LLVM's lit.cfg.py provides to these tests.
config.targets = frozenset(["NVPTX", "X86"])  # For lit.local.cfg.
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# A test in Python includes the patched wmma.py, not the one beside it.
config.environment["PYTHONSAFEPATH"] = "1"
config.environment["PYTHONPATH"] = os.pathsep.join([patched, config.test_source_root])
bin_dir = os.path.join(config.nvptx_mma_build_dir, "bin")
llvm_config.with_environment("PATH", [bin_dir, config.llvm_tools_dir], append_path=True)
llvm_config.add_tool_substitutions(["llc", "opt"], bin_dir)
llvm_config.add_tool_substitutions(
    ["FileCheck", "not", "llvm-as", "llvm-dis"], config.llvm_tools_dir
)
config.substitutions.append(("%python", f'"{sys.executable}"'))
