# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Which architectures and PTX versions there are, and what each includes.

From the PTX ISA's release history (13) and the description of .target (11.1.2).
"""

import re

from .variant import Target

# Architecture to the PTX version that introduced it.
ARCHITECTURES = {
    "sm_70": 60,
    "sm_72": 61,
    "sm_75": 63,
    "sm_80": 70,
    "sm_86": 71,
    "sm_87": 74,
    "sm_89": 78,
    "sm_90": 78,
    "sm_90a": 80,
    "sm_100": 86,
    "sm_100a": 86,
    "sm_100f": 88,
    "sm_101": 86,
    "sm_101a": 86,
    "sm_101f": 88,
    "sm_103": 88,
    "sm_103a": 88,
    "sm_103f": 88,
    "sm_110": 90,
    "sm_110a": 90,
    "sm_110f": 90,
    "sm_120": 87,
    "sm_120a": 87,
    "sm_120f": 88,
    "sm_121": 88,
    "sm_121a": 88,
    "sm_121f": 88,
}


def targets(*pairs):
    """Targets from (architecture, PTX version), where they exist together."""
    return tuple(Target(arch, max(ptx, ARCHITECTURES[arch])) for arch, ptx in pairs)


def number(arch):
    return int(re.search("[0-9]+", arch)[0])


def family(arch):
    """sm_101, which PTX 9.0 calls sm_110, is none of sm_100's."""
    return 11 if number(arch) == 101 else number(arch) // 10


def includes(arch, needed):
    """Whether the architecture arch has what needed has.

    sm_X is there in all later ones, sm_Xf in later ones of the family with f
    or a, sm_Xa in itself alone.
    """
    if needed.endswith("a"):
        return arch == needed
    if number(arch) < number(needed):
        return False
    if needed.endswith("f"):
        return family(arch) == family(needed) and arch[-1] in "af"
    return True


def supported(variant, target, lowest_targets=None):
    """Whether the ISA has the variant on the target."""
    if variant.last_ptx and target.ptx > variant.last_ptx:
        return False
    return any(
        target.ptx >= lowest.ptx and includes(target.arch, lowest.arch)
        for lowest in lowest_targets or variant.targets
    )


def assembled(variant, target):
    """Whether ptxas 13.0 takes the variant for the target."""
    return supported(variant, target, variant.targets + variant.beyond)


# Where ptxas takes .kind::f8f6f4 of 8-bit elements, of which the ISA says that it
# needs sm_120a or sm_120f.
KIND_F8_BEYOND = targets(
    ("sm_100a", 87),
    ("sm_100f", 88),
    ("sm_101a", 87),
    ("sm_101f", 88),
    ("sm_110a", 90),
    ("sm_110f", 90),
)


# Before and after each PTX version that added variants, on the architectures that
# have them or do not.
BOUNDARIES = [
    Target(arch, ptx)
    for arch, versions in {
        "sm_70": (60, 61, 63, 64, 65, 70, 90),
        "sm_72": (61, 63, 65, 90),
        "sm_75": (63, 64, 65, 70, 77, 78, 90),
        "sm_80": (70, 71, 78, 84, 85, 90),
        "sm_89": (78, 83, 84, 85, 86, 87, 90),
        "sm_90": (78, 80, 84, 87, 90),
        "sm_90a": (80, 90),
        "sm_100": (86, 90),
        "sm_100a": (86, 87, 90),
        "sm_100f": (88, 90),
        "sm_101a": (86, 88),
        "sm_101f": (88,),
        "sm_103a": (88, 90),
        "sm_103f": (88, 90),
        "sm_110": (90,),
        "sm_110a": (90,),
        "sm_110f": (90,),
        "sm_120": (87, 90),
        "sm_120a": (87, 88, 90),
        "sm_120f": (88, 90),
        "sm_121a": (88, 90),
        "sm_121f": (88, 90),
    }.items()
    for ptx in versions
]


def assembler(target):
    """The architecture that ptxas 13.0 assembles a target's PTX for.

    It dropped what came before sm_75, and sm_101 is sm_110 there.
    """
    if number(target.arch) < 75:
        return "sm_75"
    return target.arch.replace("sm_101", "sm_110")
