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
