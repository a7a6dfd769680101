"""Fails where a file of the tree PART is not, or differs, in the tree WHOLE."""

import filecmp
import sys
from pathlib import Path

part, whole = map(Path, sys.argv[1:])
files = [path for path in part.rglob("*") if path.is_file()]
assert files, f"{part} is empty"
for path in files:
    other = whole / path.relative_to(part)
    if not other.is_file() or not filecmp.cmp(path, other, shallow=False):
        sys.exit(f"{path} is not the same as {other}")
