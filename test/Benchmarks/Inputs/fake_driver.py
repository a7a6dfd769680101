# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A device that is not there, for tests of benchmarks/peak: an instruction takes what
the datasheet allows, but with A in registers 80 cycles at least, which as many
warpgroups as there are share; the first launch is slow, and so is one block."""

from peak import ideal_cycles


class Device:
    multiprocessors = 4

    def machine(self):
        return {"gpu": "no GPU", "multiprocessors": self.multiprocessors}

    def load(self, path):
        return path

    def kernel(self, module, name, shared_bytes):
        assert module.endswith(".fatbin") and shared_bytes == 163840
        words = name.removeprefix("sp_").split("_")
        variant = {
            "a": words[2],
            "n": int(words[-1][1:]),
            "k": {"f16": 16, "b1": 256, "e4m3": 32}[words[2]],
            "sparse": name.startswith("sp_"),
        }
        if variant["sparse"]:
            variant["k"] *= 2
        ideal = ideal_cycles(variant) or variant["n"]
        self.launches = 0

        def launch(warpgroups, groups, base, mask, metadata):
            assert (base, mask) == (0, 0) or mask
            least = 80 / warpgroups if words[0] == "rs" else 0
            self.launches += 1
            each = max(ideal, least) * (2 if self.launches == 1 else 1)
            cycles = round(each * groups * 16 * warpgroups)
            self.cycles = [cycles, cycles, cycles, 2 * cycles]

        return launch

    def synchronize(self):
        pass

    def read_cycles(self):
        return self.cycles

    def seconds(self, launch, count):
        launch()
        return count * self.cycles[0] / 1.5e9
