# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The commands of a configured build, and the same commands without the patches.

What was compiled, with which flags, is read from the build itself, so that the
two sides of a comparison cannot drift apart. A command becomes an unpatched one
by naming LLVM's own files wherever it named patched ones or ours.
"""

import json
import os
import re
import shlex
import subprocess


class Build:
    """A build directory that CMake has configured for ninja."""

    def __init__(self, directory):
        self.directory = os.path.realpath(directory)
        if not os.path.exists(f"{self.directory}/build.ninja"):
            raise ValueError(f"{directory} is no configured build: run utils/build.sh")
        database = subprocess.run(
            ["ninja", "-C", self.directory, "-t", "compdb"],
            capture_output=True,
            text=True,
            check=True,
        )
        self.commands = {
            entry["output"]: entry["command"] for entry in json.loads(database.stdout)
        }
        with open(f"{self.directory}/CMakeCache.txt") as cache:
            variables = dict(
                re.findall(r"^(\w+):\w+=(.*)$", cache.read(), re.MULTILINE)
            )
        self.root = variables["CMAKE_HOME_DIRECTORY"]
        self.cuda = variables.get("CUDA_PATH", "")
        self.clang = f"{self.directory}/bin/clang++"
        self.llc = f"{self.directory}/bin/llc"
        enums = "generated/include/llvm/IR/IntrinsicEnums.inc"
        if enums not in self.commands:
            raise ValueError(
                f"{directory} builds LLVM as a whole; what is compared is what a "
                "build with the distribution's packages compiles again"
            )
        main = "/llvm/tools/llc/llc.cpp"
        output = next(o for o in self.commands if o.endswith(f"{main}.o"))
        self.pristine = source_of(self.words(output)).removesuffix(main)
        # The package's prefix, by the TableGen that is used.
        tablegen = self.words(enums)[0]
        self.package = os.path.dirname(os.path.dirname(tablegen))

    def words(self, output):
        """The one command that makes an output, as a list. CMake puts others
        around it: changes of directory, its own helpers, a compiler launcher."""
        for command in self.commands[output].split(" && "):
            words = shlex.split(command)
            if "-o" in words:
                return words[launcher_length(words) :]
        raise ValueError(f"{output} is not made by a tool with an option -o")

    def device_compile(self, options, source, output):
        """A run of the build's clang over device code that needs no CUDA headers."""
        return (
            [self.clang, "-std=c++17", "-x", "cuda", "--cuda-device-only", "-S"]
            + ["-nocudainc", "-nocudalib"]
            + [*options, source, "-o", output]
        )

    def launcher(self, output):
        """The compiler launcher in front of that command, as a list."""
        words = shlex.split(self.commands[output])
        return words[: launcher_length(words)]


def launcher_length(words):
    """How many words at the start of a command start ccache."""
    names = [os.path.basename(word) for word in words]
    return names.index("ccache") + 1 if "ccache" in names else 0


def source_of(words):
    """The file that a command of the compiler or of TableGen reads."""
    (source,) = [w for w in words if w.endswith((".cpp", ".td")) and w[0] != "-"]
    return source


def option(words, name):
    return words[words.index(name) + 1]


class Side:
    """One side of the comparison: rewrites the build's commands to read the
    patched sources or LLVM's own, and to write below a folder of its own."""

    def __init__(self, build, folder, patched):
        self.build = build
        self.folder = os.path.realpath(folder)
        self.patched = patched
        self.name = "patched" if patched else "unpatched"

    def path(self, path):
        """What stands in this side's commands for a path of the build's; None
        for a file that only we have."""
        build, root = self.build.directory, self.build.root
        pristine = self.build.pristine
        if path.startswith(f"{build}/generated"):
            return self.folder + path.removeprefix(build)
        if self.patched:
            return path
        for layer in ("overlay", "patched"):
            if path.startswith(f"{build}/{layer}/"):
                return pristine + path.removeprefix(f"{build}/{layer}")
        # LLVM's sources may lie within our tree, in the build directory.
        if path.startswith(f"{root}/") and not path.startswith(f"{pristine}/"):
            return None
        return path

    def includes(self, words):
        """The include options of a command, rewritten."""
        paths = [self.path(w[2:]) for w in words if w.startswith("-I")]
        return [f"-I{path}" for path in dict.fromkeys(paths) if path]

    def source(self, relative):
        """A file of LLVM's sources as this side reads it, None if it has none.
        Ours stand in the tree without the leading llvm/."""
        build = self.build
        layers = [build.pristine]
        if self.patched:
            layers = [
                f"{build.directory}/overlay",
                f"{build.directory}/patched",
            ] + layers
        candidates = [f"{layer}/{relative}" for layer in layers]
        if self.patched:
            candidates.append(f"{build.root}/{relative.removeprefix('llvm/')}")
        return next(filter(os.path.exists, candidates), None)

    def command(self, words, source, output):
        """A command of the compiler or of TableGen with this side's include
        paths, another source and another output."""
        first = next(i for i, w in enumerate(words) if w.startswith("-I"))
        kept = [w for w in words if not w.startswith("-I")]
        replaced = {option(words, "-o"): output, source_of(words): source}
        kept = [replaced.get(word, word) for word in kept]
        for name in ("-MF", "-d"):
            if name in kept:
                kept[kept.index(name) + 1] = f"{output}.d"
        if "-MT" in kept:
            kept[kept.index("-MT") + 1] = output
        return kept[:first] + self.includes(words) + kept[first:]
