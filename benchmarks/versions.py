# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What the tools are called on the pages."""

import re

from gpu_tests import output_of


def ptxas_version(cuda):
    """Such as "13.0.88", or None."""
    said = output_of([f"{cuda}/bin/ptxas", "--version"]) or ""
    version = re.search(r"V([\d.]+)", said)
    return version and version[1]
