# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Builds llc as the build does, from LLVM's own sources alone.

The packaged llc is no fair baseline: it loads LLVM as a shared library, knows all
targets, and was compiled by another compiler. This one is made of the same
translation units by the same commands and linked with the same archives.
"""

import os
import re
import shlex
import shutil
import subprocess

from build_commands import Side, option, source_of


def own_tables(side, folder):
    """The names that TableGen makes according to a CMakeLists.txt."""
    with open(side.source(f"{folder}/CMakeLists.txt")) as file:
        return re.findall(r"^tablegen\(LLVM (\S+)", file.read(), re.MULTILINE)


def link_command(build):
    return build.words("bin/llc")


def ninja_statement(output, words, rule, inputs, launcher=()):
    command = shlex.join([*launcher, *words]).replace("$", "$$")
    text = f"build {output}: {rule} {' '.join(inputs)}\n  command = {command}\n"
    for name in ("-MF", "-d"):
        if name in words:
            text += f"  depfile = {option(words, name)}\n"
    return text


def write_ninja(build, side):
    """Writes the unpatched build.ninja: TableGen's runs, the objects, the link."""
    statements, tables = [], []
    for output in build.commands:
        if not output.startswith("generated/") or output.endswith(".d"):
            continue
        words = build.words(output)
        if not words[0].endswith("llvm-tblgen"):
            continue
        source = side.path(source_of(words))
        folder = "llvm/" + os.path.dirname(output).removeprefix("generated/")
        if not source or os.path.basename(output) not in own_tables(side, folder):
            continue
        target = f"{side.folder}/{output}"
        words = side.command(words, source, target)
        statements.append(ninja_statement(target, words, "run", [source]))
        tables.append(target)

    link = link_command(build)
    linked = []
    for word in link:
        if word.endswith(".o"):
            words = build.words(word)
            source = side.path(source_of(words))
            if not source:
                continue
            target = f"{side.folder}/{word}"
            words = side.command(words, source, target)
            inputs = [source, "||", *tables]
            launcher = build.launcher(word)
            statements.append(ninja_statement(target, words, "run", inputs, launcher))
            linked.append(target)
        elif word == "bin/llc":
            linked.append(f"{side.folder}/bin/llc")
        elif not word.startswith("-Wl,-Map="):
            linked.append(word)
    objects = [word for word in linked if word.endswith(".o")]
    statements.append(
        ninja_statement(f"{side.folder}/bin/llc", linked, "link", objects)
    )

    with open(f"{side.folder}/build.ninja", "w") as file:
        file.write("rule run\n  command = $command\n  deps = gcc\n")
        file.write("rule link\n  command = $command\n")
        file.write("\n".join(statements))


def build_unpatched_llc(build, folder):
    """Returns the path of the unpatched llc, built where it was not yet."""
    side = Side(build, folder, patched=False)
    # What CMake configures is the same for both.
    shutil.copytree(
        f"{build.directory}/generated/include/llvm/Config",
        f"{side.folder}/generated/include/llvm/Config",
        dirs_exist_ok=True,
    )
    write_ninja(build, side)
    llc = f"{side.folder}/bin/llc"
    subprocess.run(["ninja", "-C", side.folder, llc], check=True)
    return llc
