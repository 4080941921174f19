"""Writes the vectors of the public log, computed by the second verifier's code alone:
python3 -B packages/fairness/testing/make-log-vectors.py > packages/fairness/testing/vectors/log-vectors.json
"""
import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "second-verifier"))
from log import b64, checkpoint, consistency, inclusion, leaf_hash, sign, tile_path, tiles, tree_root  # noqa: E402

SIZES = [0, 1, 2, 3, 5, 8, 13, 255, 256, 257, 600]
# Of one tile, of one with a second begun, and of three.
PROVED = [13, 257, 600]
entries = [f"sum28/1 test\nat={at}\n".encode() for at in range(max(SIZES))]
hashes = [leaf_hash(entry) for entry in entries]
log_seed, witness_seed = (bytes.fromhex(c * 64) for c in "ab")


def texts(path):
    return [b64(h) for h in path]


def note(size):
    text = f"log.example/sum28\n{size}\n{b64(tree_root(hashes[:size]))}\n"
    log_key, log_line = sign(log_seed, "log.example/sum28", text)
    witness_key, witness_line = sign(witness_seed, "witness.example/w1", text, 1_796_000_000 + size)
    return {"log": log_key, "witness": witness_key, "text": text, "note": f"{text}\n{log_line}{witness_line}"}


vectors = {
    "entries": len(entries),
    "entry": "sum28/1 test\nat=<at>\n",
    "log_seed": log_seed.hex(),
    "witness_seed": witness_seed.hex(),
    "roots": {size: b64(tree_root(hashes[:size])) for size in SIZES},
    "inclusion": [
        {"size": size, "index": index, "path": texts(inclusion(index, hashes[:size]))}
        for size in PROVED for index in (0, size // 2, size - 1)
    ],
    "consistency": [
        {"old": old, "size": size, "proof": texts(consistency(old, hashes[:size]))}
        for size in PROVED for old in SIZES if old <= size
    ],
    "files": {path: hashlib.sha256(data).hexdigest() for path, data in tiles(entries).items()},
    "paths": [[*tile, tile_path(*tile)] for tile in
              [(0, 0, 256), (0, 0, 1), (3, 999, 256), (0, 1000, 7), ("entries", 1234067, 256), (63, 12000000, 255)]],
    "notes": [note(size) for size in SIZES],
}
assert all(checkpoint(n["text"])[1] == size for n, size in zip(vectors["notes"], SIZES))
json.dump(vectors, sys.stdout, indent=1)
print()
