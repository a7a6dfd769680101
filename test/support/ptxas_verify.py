#===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Assembles PTX and fails on an error or on a note about unsafe wgmma.

usage: ptxas_verify.py PTXAS [PTXAS-ARGUMENT...] < PTX

When the registers of a wgmma in flight are touched, ptxas repairs the program:
it waits for each instruction at once, and says so in a note. The repair hides a
defect of the compiler under test, so these notes are errors here.
"""

import re
import subprocess
import sys

# C7519, "warpgroup.arrive is injected", costs nothing and is not among them.
DEFECT = re.compile(r"\(C75(10|11|13|14|15|17)\)|serialized|wait is injected")


def main():
    ptxas, *args = sys.argv[1:]
    # Without -o, ptxas would leave an elf.o behind.
    if not any(arg == "-" or arg.endswith(".ptx") for arg in args):
        args.append("-")
    if not {"-o", "--output-file"} & set(args):
        args += ["-o", "/dev/null"]
    result = subprocess.run(
        [ptxas, "-c", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    sys.stdout.write(result.stdout)
    if result.returncode:
        return result.returncode
    defects = [line for line in result.stdout.splitlines() if DEFECT.search(line)]
    if defects:
        print(
            f"ptxas_verify: {len(defects)} notes above mean that wgmma's registers "
            "were touched in flight"
        )
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
