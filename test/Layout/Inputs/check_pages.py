#===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Check the pages about layouts: links, figures, sizes, matching figures.

  check_pages.py DOCS
"""

import re
import sys
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


def main():
    docs = Path(sys.argv[1])
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
