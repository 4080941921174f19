#!/usr/bin/env python3
"""Checks that a player's balance is in a count of what the house owes: python3 owed.py proof.json

The file is the one that the app saves under Me. By docs/fairness.md; shares no code with packages/fairness/src, and
needs the standard library alone. Compare root and total with the entry `liabilities` in the house's public log.

Exit code: 0 all holds; 1 something does not; 2 the file cannot be used.
"""
import hashlib
import json
import re
import sys

SUM_MAX = 2**63 - 1
AMOUNT = "0|[1-9][0-9]{0,18}"
LEAF = re.compile(rf"1\|([1-9][0-9]{{0,8}})\|(0|[1-9][0-9]{{0,9}})\|({AMOUNT})\|({AMOUNT})\|({AMOUNT})\|[0-9a-f]{{32}}")


def is_hash(value):
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def node(total, digest):
    return total.to_bytes(8, "big") + digest


def leaf_node(text):
    """(sum, hash) of a leaf; None where it is none or its sum is too large."""
    found = LEAF.fullmatch(text)
    total = sum(map(int, found.groups()[2:])) if found else SUM_MAX + 1
    return (total, hashlib.sha256(b"\0" + text.encode()).digest()) if total <= SUM_MAX else None


def join(left, right):
    return left[0] + right[0], hashlib.sha256(b"\1" + node(*left) + node(*right)).digest()


def tree(leaves):
    """All levels of a tree, from its leaves to its root."""
    levels = [[leaf_node(text) for text in leaves]]
    while len(levels[-1]) > 1:
        level = levels[-1]
        levels.append([join(level[at], level[at + 1]) for at in range(0, len(level), 2)])
    return levels


def path(levels, index):
    beside = [level[(index >> height) ^ 1] for height, level in enumerate(levels[:-1])]
    return [{"sum": str(total), "hash": digest.hex()} for total, digest in beside]


def top(proof, size):
    """The (sum, hash) to which the proof leads; None where it fits no tree of this size."""
    here, index, beside = leaf_node(proof["leaf"]), proof["index"], proof["path"]
    if here is None or type(index) is not int or not 0 <= index < size or size != 2 ** len(beside):
        return None
    for step in beside:
        if not is_hash(step["hash"]) or not re.fullmatch(AMOUNT, step["sum"]) or int(step["sum"]) > SUM_MAX:
            return None
        other = int(step["sum"]), bytes.fromhex(step["hash"])
        here = join(other, here) if index % 2 else join(here, other)
        if here[0] > SUM_MAX:
            return None
        index //= 2
    return here


def faults(count, player, proof):
    """The names of what does not hold."""
    found, here = LEAF.fullmatch(proof["leaf"]), top(proof, count["size"])
    holds = {
        "leaf": found is not None,
        "count": found is not None and int(found[1]) == count["number"],
        "player": found is not None and int(found[2]) == player,
        "sums": here is not None,
        "root": here is not None and here[1].hex() == count["root"],
        "total": here is not None and str(here[0]) == count["total"],
    }
    return [name for name, fits in holds.items() if not fits]


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            given = json.load(file)
        given = given.get("data", given)
        wrong = faults(given["count"], given["player_id"], given["proof"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"The file cannot be used: {error!a}", file=sys.stderr)
        return 2
    print(f"FAILED: {', '.join(wrong)}" if wrong else "HOLDS: the balance is in the count")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
