# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Check the pages about layouts: links, sizes, code, and what commands print.

  check_pages.py DOCS LAYOUT

Code that a page shows must stand in a file of examples/layouts, and below a line
"$ layout ..." must stand what that command prints.
"""

import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

MAX_FIGURE, MAX_FOLDER = 60_000, 3_000_000
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)?(?:#([^)]+))?\)")


def anchors(page):
    text = page.read_text()
    named = re.findall(r'<a id="([^"]+)">', text)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles} | {
        *named
    }


def check_code(page, examples):
    """Complaints about the page's blocks of code."""
    files = [file.read_text() for file in sorted(examples.iterdir())]
    for block in re.findall(r"^```cuda\n(.*?)^```", page.read_text(), re.M | re.S):
        if not any(block in textwrap.dedent(file) for file in files):
            yield f"{page.name}: in no example: {block.splitlines()[0]}"


def check_commands(page, layout):
    """Complaints about the commands and their output."""
    blocks = re.findall(r"^```\n\$ layout (.*?)^```", page.read_text(), re.M | re.S)
    for block in blocks:
        arguments, _, shown = block.partition("\n")
        command = [layout, *arguments.split()]
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if result.returncode != 0 or result.stdout != shown:
            yield f"{page.name}: layout {arguments} prints:\n{result.stdout}"
    if not blocks:
        yield f"{page.name}: no commands"


def main():
    docs, layout = Path(sys.argv[1]), sys.argv[2]
    folder = docs / "layouts"
    errors, used = [], set()
    handwritten = [docs / "matrix-descriptors.md", docs / "sparsity.md"]
    for page in [*sorted(folder.glob("*.md")), *handwritten]:
        for path, anchor in LINK.findall(page.read_text()):
            target = (page.parent / path).resolve() if path else page.resolve()
            used.add(target)
            if not target.exists():
                errors.append(f"{page.name}: no {path}")
            elif anchor and anchor not in anchors(target):
                errors.append(f"{page.name}: no #{anchor} in {target.name}")
    for page in handwritten:
        errors += check_code(page, docs.parent / "examples" / "layouts")
        errors += check_commands(page, layout)
    figures = [figure.resolve() for figure in folder.glob("*.svg")]
    for figure in figures:
        ET.parse(figure)
        if figure.stat().st_size > MAX_FIGURE:
            errors.append(f"{figure.name}: more than {MAX_FIGURE} bytes")
        if figure not in used:
            errors.append(f"{figure.name}: on no page")
    if sum(file.stat().st_size for file in folder.iterdir()) > MAX_FOLDER:
        errors.append(f"{folder.name}: more than {MAX_FOLDER} bytes")
    if len({figure.read_bytes() for figure in figures}) != len(figures):
        errors.append("a figure is there twice")
    for error in errors:
        print(f"error: {error}")
    print(f"{len(figures)} figures")
    return 1 if errors or not figures else 0


if __name__ == "__main__":
    sys.exit(main())
