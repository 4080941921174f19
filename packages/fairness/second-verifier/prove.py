#!/usr/bin/env python3
"""Proves rounds and bets from a house's public log alone:

python3 prove.py https://play.example --witness <key> --day 20261120 [receipt.json ...]

The key is that of a witness whom you trust. --log <key> names the log's too: the first line of /tlog/vkeys as you kept
it. Without it that line is taken as it is now, and the witness must have signed the log's present state. Of each round
of the day: chain, announcement, book and draw or void stand in one signed log, seed and value give the digits, and the
witness signed the book before the beacon's value existed. Of each receipt: it is of such a round, all of it holds, and
log and witness signed it.

Exit code: 0 all is proved; 1 something is not.
"""
import argparse
import sys
import urllib.error
import urllib.request

from log import checkpoint, leaf_hash, open_note, read_entries, read_vkey, tile_path, tree_root
from verify import NOT_CHECKED, QUICKNET, check, check_log, draw, hashed, is_hex, parse, sha256


def fetch(address, path):
    try:
        with urllib.request.urlopen(f"{address}/tlog/{path}", timeout=20) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


def fields_of(entry):
    first, *lines = entry.decode().rstrip("\n").split("\n")
    return first.removeprefix("sum28/1 "), dict(line.split("=", 1) for line in lines)


class Log:
    """The whole log, whose entries lead to its signed root."""

    def __init__(self, address, log_key, witness):
        shown = log_key or read_vkey(fetch(address, "vkeys").decode().split("\n")[0])
        self.address, self.log_key, self.witness = address, shown, witness
        note = fetch(address, "checkpoint").decode()
        text, signed = open_note(note, [self.log_key])
        self.origin, size, root = checkpoint(text)
        if self.log_key[0] not in signed or self.origin != self.log_key[0]:
            raise ValueError("the log's key has not signed its checkpoint")
        if log_key is None and witness[0] not in open_note(note, [self.log_key, witness])[1]:
            raise ValueError("the witness has not signed the log's checkpoint, and you named no key of the log")
        self.entries = []
        while len(self.entries) < size:
            index = len(self.entries) // 256
            width = min(256, size - index * 256)
            self.entries += read_entries(fetch(address, tile_path("entries", index, width)))
        self.hashes = [leaf_hash(entry) for entry in self.entries]
        if tree_root(self.hashes) != root:
            raise ValueError("the entries of the log do not lead to its signed root")
        self.chains, self.rounds = {}, {}
        for position, entry in enumerate(self.entries):
            kind, fields = fields_of(entry)
            if kind == "chain":
                self.chains.setdefault(fields["chain"], fields)
            if "issue" in fields:
                round_ = self.rounds.setdefault((fields["game"], fields["issue"]), {})
                if kind in round_:
                    raise ValueError(f"game {fields['game']}, round {fields['issue']} has two of {kind}")
                round_[kind] = dict(fields, position=position)

    def witnessed_at(self, game, issue, position):
        """When the witness signed a log that has the entry at this place; None if he did not."""
        note = fetch(self.address, f"witnessed/{game}/{issue}")
        if note is None:
            return None
        text, signed = open_note(note.decode(), [self.log_key, self.witness])
        origin, size, root = checkpoint(text)
        holds = origin == self.origin and position < size and tree_root(self.hashes[:size]) == root
        return signed.get(self.witness[0]) if holds else None


def faults_of_round(log, game, issue, round_):
    announcement, book, drawn, void = (round_.get(k) for k in ("announcement", "book", "draw", "void"))
    if not announcement or not (drawn or void):
        return ["it is not announced" if not announcement else "it has no end yet"]
    faults = []
    seed = (drawn or round_.get("seed") or {}).get("seed")
    if seed is not None and hashed(seed, int(announcement["index"])) != log.chains[announcement["chain"]]["commitment"]:
        faults.append("its seed is not of the committed chain")
    if void:
        return faults
    if announcement["beacon"] != QUICKNET["chain_hash"]:
        faults.append("its beacon is the operator's own")
    signature = drawn["signature"]
    randomness = sha256(bytes.fromhex(signature)).hex() if is_hex(signature, 48) else None
    if drawn["beacon_round"] != announcement["beacon_round"]:
        faults.append("it was drawn by another beacon round")
    if randomness is None or drawn["digits"] != ",".join(map(str, draw(int(game), issue, seed, randomness) or [])):
        faults.append("its digits do not follow")
    value_at = int(announcement["beacon_genesis"]) + (int(announcement["beacon_round"]) - 1) * int(
        announcement["beacon_period"])
    seen = (book or {}).get("beacon_seen", "")
    if not seen.isdecimal() or int(seen) >= int(announcement["beacon_round"]):
        faults.append("its book was not closed before the beacon's value was seen")
    if not announcement["position"] < (book or {}).get("position", -1) < drawn["position"]:
        faults.append("announcement, book and draw are not in order")
    elif not 0 < (log.witnessed_at(game, issue, book["position"]) or 0) < value_at:
        faults.append("its book is not witnessed before the beacon's value")
    return faults


def faults_of_receipt(log, text):
    round_, receipt, order = parse(text)
    name = str(round_["game_id"]), round_["issue"]
    logged = log.rounds.get(name, {})
    announcement, book = logged.get("announcement"), logged.get("book")
    faults = []
    shown = round_["log"] and checkpoint(round_["log"]["checkpoint"])
    if shown and (shown[1] > len(log.hashes) or tree_root(log.hashes[:shown[1]]) != shown[2]):
        faults.append("the log that it shows is not this one: there are two")
    faults += [step for step, holds, _, _ in check(round_, receipt, order) if holds is False]
    faults += [step for step, holds, _, _ in check_log(round_, receipt, [log.log_key], [log.witness]) if not holds]
    if not announcement or not book:
        return [*faults, "its round has no announcement or no book in the log"]
    chain = log.chains.get(announcement["chain"], {})
    pairs = {
        "commitment": (chain.get("commitment"), round_["commitment"]),
        "index": (announcement["index"], str(round_["index"])),
        "beacon's round": (announcement["beacon_round"], str(round_["beacon"]["round"])),
        "end": (announcement["draws"], str(round_["ends_at"])),
        "deadline": (announcement["voids_at"], str(round_["voids_at"])),
        "root": (book["root"], round_["book"]["root"]),
        "size": (book["size"], str(round_["book"]["size"])),
    }
    return [*faults, *(f"its {name} is not that of the log" for name, (a, b) in pairs.items() if a != b)]


def main(arguments):
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("address")
    reader.add_argument("--log")
    for name in ("--witness", "--day"):
        reader.add_argument(name, required=True)
    reader.add_argument("receipts", nargs="*")
    given = reader.parse_intermixed_args(arguments)
    try:
        return prove(given)
    except (ValueError, KeyError, OSError) as error:
        print(f"not proved: {error!a}")
        return 1


def prove(given):
    log = Log(given.address.rstrip("/"), given.log and read_vkey(given.log), read_vkey(given.witness))
    findings = []
    for (game, issue), round_ in sorted(log.rounds.items()):
        if issue.startswith(given.day):
            findings.append((f"game {game}, round {issue}", faults_of_round(log, game, issue, round_)))
    for path in given.receipts:
        with open(path, encoding="utf-8") as file:
            findings.append((path, faults_of_receipt(log, file.read())))
    for name, faults in findings:
        print(f"{name}: {', '.join(faults) or 'proved'}".encode("ascii", "backslashreplace").decode())
    print(NOT_CHECKED)
    return 1 if not findings or any(faults for _, faults in findings) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
