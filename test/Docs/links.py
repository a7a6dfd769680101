# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""links.py FILE...: fails where a link in a Markdown file points to no file, or to
no heading of one.
"""

import re
import sys
from pathlib import Path

CODE = re.compile(r"^```.*?^```", re.M | re.S)


def anchors(path):
    """What GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ +(.*)$", CODE.sub("", path.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


problems, count = [], 0
for name in sys.argv[1:]:
    path = Path(name)
    for target in re.findall(r"\]\(([^):]+)\)", CODE.sub("", path.read_text())):
        count += 1
        file, _, heading = target.partition("#")
        page = path.parent / file if file else path
        if not page.exists() or heading and heading not in anchors(page):
            problems.append(f"{path.name}: {target} is not there")
print(f"{count} links")
print("\n".join(problems))
sys.exit(bool(problems))
