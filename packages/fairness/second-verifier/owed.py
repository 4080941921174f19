#!/usr/bin/env python3
"""Checks that a player's balance is in a count of what the house owes, made within 26 hours by this machine's clock, and
that its public log has this count:

python3 owed.py [--log <key>] [--witness <key>] proof.json

The file is the one that the app saves under Me. The keys are the first line of /tlog/vkeys as you kept it, and that of
a witness whom you trust (of several, each must have signed); without them those of the file are taken. That the log has
no second count of this number, and no later one, only the whole log shows: the monitor reads it. By docs/fairness.md;
shares no code with packages/fairness/src, and needs python3-cryptography.

Exit code: 0 all holds; 1 something does not; 2 the file cannot be used; 3 the count was too young to be in the log;
4 all holds, but no witness signed the log.
"""
import argparse
import hashlib
import re
import sys
import time

from log import checkpoint, followed, keys_at, key_for, open_note, read_vkey, root_of_path, utf8
from verify import Unusable, an_object, json_of, listed, text, whole

# Seconds: how old a count may be; how long it may be without its place in the log; how far clocks may differ.
DAILY = 26 * 3600
UNLOGGED_MAX = 600
AHEAD_MAX = 600

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


def stated_keys(lines):
    keys = []
    for line in lines:
        try:
            keys.append(read_vkey(line))
        except ValueError:
            pass
    return keys


def log_faults(count, log, now, trusted):
    """(the names of what does not hold, whether a witness signed, or each of those that are trusted; None where the count is
    too young for the log)."""
    if log is None:
        young = abs(now - count["counted_at"]) < UNLOGGED_MAX
        return [] if young else ["logged"], None
    entry = log["entry"]
    keys = stated_keys(log["keys"])
    logs, witnesses = ([k for k in trusted if k[2] == t] or [k for k in keys if k[2] == t] for t in (1, 4))
    logs = followed([key for key in logs if key in trusted], log["key_changes"]) or logs
    logs = keys_at(logs, log["key_changes"], count["counted_at"])
    names = ["counted_at", "size", "root", "total"]
    first, *lines = entry["text"].split("\n")
    mine = [f"count={count['number']}", *(f"{name}={count[name]}" for name in names)]
    theirs = [line for line in lines if line.split("=")[0] in ["count", *names]]
    try:
        text, signed = open_note(log["checkpoint"], logs + witnesses)
        origin, size, root = checkpoint(text)
    except ValueError:
        origin, size, root, signed = None, 0, None, {}
    leads_to = root_of_path(utf8(entry["text"]), entry["index"], size, entry["path"])
    holds = {
        "recent": -AHEAD_MAX <= now - count["counted_at"] <= DAILY,
        "log-entry": first == "sum28/1 liabilities" and mine == theirs,
        "log-path": root is not None and leads_to == root,
        "log-signature": origin in {key[0] for key in logs if key in signed},
    }
    required = [key for key in trusted if key[2] == 4]
    witnessed = any(key in signed for key in witnesses) and all(key in signed for key in required)
    return [name for name, fits in holds.items() if not fits], witnessed


def demand_types(given):
    count, proof = (an_object(given[name], name) for name in ("count", "proof"))
    log = an_object(given["log"], "log") if given["log"] is not None else None
    for name in ("number", "counted_at", "size"):
        whole(count, name)
    for name in ("root", "total"):
        text(count, name)
    whole(given, "player_id")
    text(proof, "leaf")
    whole(proof, "index")
    for step in listed(proof, "path", lambda v: isinstance(v, dict)):
        text(step, "sum")
        text(step, "hash")
    if log is not None:
        for name in ("keys", "key_changes"):
            listed(log, name, lambda v: isinstance(v, str))
        text(log, "checkpoint")
        entry = an_object(log["entry"], "entry")
        text(entry, "text")
        whole(entry, "index")
        listed(entry, "path", lambda v: isinstance(v, str))


def main(arguments):
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("proof")
    reader.add_argument("--log", action="append", default=[], type=lambda text: key_for(text, 1))
    reader.add_argument("--witness", action="append", default=[], type=lambda text: key_for(text, 4))
    given = reader.parse_args(arguments)
    try:
        with open(given.proof, encoding="utf-8") as file:
            read = json_of(file.read())
        read = read.get("data", read)
        demand_types(read)
        wrong = faults(read["count"], read["player_id"], read["proof"])
        missing, witnessed = log_faults(read["count"], read["log"], time.time(), given.log + given.witness)
    except (Unusable, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        print(f"The file cannot be used: {error!a}", file=sys.stderr)
        return 2
    if "recent" in missing:
        print("An earlier count proves nothing of today. Set this machine's clock if it is wrong, or save the proof again: "
              "if the app has no later count, the house has not counted for a day.")
    if wrong + missing:
        print(f"FAILED: {', '.join(wrong + missing)}")
        return 1
    code = 3 if witnessed is None else 0 if witnessed else 4
    print({0: "HOLDS: the balance is in the count, and the count in the log",
           3: "NOT IN THE LOG YET: the count was too young; save the proof again",
           4: "NOT PROVED: all holds, but no witness signed the log"}[code])
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
