# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sets a key of a patch in a patches.json: FILE SLUG KEY VALUE, as JSON."""

import json
import sys

path, slug, key, value = sys.argv[1:]
with open(path) as f:
    metadata = json.load(f)
for patch in metadata["patches"]:
    if patch["slug"] == slug:
        patch[key] = json.loads(value)
with open(path, "w") as f:
    f.write(json.dumps(metadata, indent=2) + "\n")
