#!/usr/bin/env python3
"""Proves rounds and bets from a house's public log alone:

python3 prove.py https://play.example --witness <key> [--day 20261120] [receipt.json ...]

Name a day, receipts of any day, or both. The key is that of a witness whom you trust; of several, each must have
signed what had to be in time, and the round's end. --log <key> names the log's too: the first line of /tlog/vkeys as
you kept it. Without it that line is taken as it is now, and each witness must have signed the log's present state. Of
each round of the day: chain, announcement, book and draw or void follow one another in one signed log, its seed is the
chain's next, its beacon is drand's first value after its end, seed and value give the digits, and the witness signed
the book before that value existed. Of a void: its times allow no other reason, and the witness signed a void by two
persons before the value existed; one for want of a book (sealed_late) or of the value (beacon_late) is not proved. Of
each receipt: all of this holds of its round, whatever its day, it says the same, all of it holds, its odds are those of
the log's rules, and log and witness signed it. No entry of the log is said twice: a single receipt cannot show that.

The signature of each draw is compared with the beacon's own: drand's at https://api.drand.sh, or at --beacon <address>.
Without an answer the draw is not proved; --offline asks nobody, and takes the house's word for these signatures.

Of a day, rounds whose numbers are missing are a fault. What may be a change of the house's hours is told as a note: days
without a round, a night longer than the one before, a game that ends while others go on.

Exit code: 0 all is proved; 1 something is not.
"""
import argparse
import http.client
import json
import re
import sys
import time
import urllib.error
import urllib.request

from log import (Tree, checkpoint, followed, key_change, key_for, leaf_hash, open_note, read_changes,
                 read_entries, tile_path)
from verify import (DEADLINE_MAX, HIGHEST_INDEX, NOT_CHECKED, QUICKNET, QUICKNET_GENESIS, QUICKNET_PERIOD, UNSETTLED_MAX, State,
                    Unusable, are_odds, check, check_log, draw, hashed, is_hex, is_number, is_placed, opened, parse, place_of,
                    read_leaf, read_pairs, sha256)

# Of a house that does not end: bytes of a file, seconds for it, and bytes that its whole log may take here.
LONGEST_FILE = 32 * 2**20
LONGEST_WAIT = 120
LARGEST_LOG = 8 * 2**30
DRAND = "https://api.drand.sh"
# A beacon that did not answer so often in a row is not asked any more.
BEACON_TRIES = 3
NOT_WITNESSED = "its book is not witnessed before the beacon's value"
NO_PLACE = "no file shows yet the place of your signed line in the closed book: save the receipt of this bet again"
# What an entry takes besides its own bytes.
ENTRY_COST = 256


def fetch_if_there(address, path):
    found, until = bytearray(), time.monotonic() + LONGEST_WAIT
    try:
        with urllib.request.urlopen(f"{address}/tlog/{path}", timeout=20) as answer:
            while part := answer.read1(2**16):
                found += part
                if len(found) > LONGEST_FILE:
                    raise ValueError(f"{path} is longer than {LONGEST_FILE} bytes")
                if time.monotonic() > until:
                    raise ValueError(f"{path} does not end")
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise
    return bytes(found)


def fetch(address, path):
    found = fetch_if_there(address, path)
    if found is None:
        raise ValueError(f"the house has no {path}")
    return found


def fields_of(entry):
    """(kind, {field: value}) of an entry; ValueError where it is none, or says a field twice."""
    first, *lines = entry.decode().split("\n")
    kind = re.fullmatch("sum28/1 ([a-z]+)", first)
    fields = [re.fullmatch("([a-z_]+)=([^\n\r\u2028\u2029]*)", line) for line in lines[:-1]]
    names = {field and field[1] for field in fields}
    if not kind or lines[-1:] != [""] or None in names or len(names) < len(fields):
        raise ValueError(f"an entry of the log is none: {entry[:80]!a}")
    return kind[1], {field[1]: field[2] for field in fields}


def whole(text):
    if not is_number(text):
        raise ValueError(f"{text[:40]!a} is no whole number")
    return int(text)


class Log:
    """The whole log, whose entries lead to its signed root."""

    def __init__(self, address, log_key, witnesses, beacon=None, offline=False):
        self.beacon, self.offline, self.values, self.unanswered, self.compared = beacon, offline, {}, 0, set()
        shown = log_key or key_for(fetch(address, "vkeys").decode().split("\n")[0], 1)
        self.address, self.witnesses = address, witnesses
        texts = read_changes((fetch_if_there(address, "keys") or b"").decode())
        listed = [(text, change) for text in texts if (change := key_change(text)) and change[0][0] == shown[0]]
        changes = [change for _, change in listed]
        if any(one[1] != next_[0] for one, next_ in zip(changes, changes[1:])):
            raise ValueError("the log's key was changed to two others")
        # The key that signs now, to which the known one has to lead.
        present = changes[-1][1] if changes else shown
        text, signed = open_note(fetch(address, "checkpoint").decode(), [present, *witnesses])
        origin, size, root = checkpoint(text)
        if origin != shown[0]:
            raise ValueError(f"the log {shown[0]} was begun anew as {origin}")
        if present not in signed or present not in followed([shown], texts):
            raise ValueError("the log's key has not signed its checkpoint, nor has one that it leads to")
        self.behind = [key for key in witnesses if key not in signed]
        if log_key is None and self.behind:
            raise ValueError(f"{self.behind[0][0]} has not signed the log's checkpoint, and you named no key of the log")
        self.entries, cost = [], 0
        while len(self.entries) < size:
            index = len(self.entries) // 256
            width = min(256, size - index * 256)
            path = tile_path("entries", index, width)
            bundle = fetch(address, path)
            cost += len(bundle) + ENTRY_COST * width
            if cost > LARGEST_LOG:
                raise ValueError(f"the log takes more than {LARGEST_LOG} bytes")
            self.entries += read_entries(bundle, width)
            if len(self.entries) != index * 256 + width:
                raise ValueError(f"{path} has not the {width} entries that its name says")
        self.tree = Tree([leaf_hash(entry) for entry in self.entries])
        if self.tree.root(size) != root:
            raise ValueError("the entries of the log do not lead to its signed root")
        if any(key_change(text) and text.encode() not in self.entries for text in texts):
            raise ValueError("the log does not say itself that its key was changed")
        # The keys that the log has had, and the places of their changes.
        self.log_keys = [changes[0][0] if changes else shown, *(change[1] for change in changes)]
        self.changed_at = [self.entries.index(text.encode()) for text, _ in listed]
        self.chains, self.rules, self.rounds, self.faults = {}, {}, {}, {}
        # Of each game the chain of its last round; and sentences about chains that were left before they were used up.
        self.chain_of, self.left = {}, []
        for position, entry in enumerate(self.entries):
            kind, fields = fields_of(entry)
            if kind == "chain":
                if fields["chain"] in self.chains:
                    raise ValueError(f"chain {fields['chain']} is committed twice")
                self.chains[fields["chain"]] = dict(fields, used=0, seeds={0: fields["commitment"]})
            if kind == "rules":
                if (fields["room"], fields["version"]) in self.rules:
                    raise ValueError(f"the rules {fields['room']}:{fields['version']} are said twice")
                self.rules[fields["room"], fields["version"]] = dict(fields, position=position)
            if "issue" in fields:
                round_ = self.rounds.setdefault((fields["game"], fields["issue"]), {})
                if kind in round_:
                    raise ValueError(f"game {fields['game']}, round {fields['issue']} has two of {kind}")
                round_[kind] = dict(fields, position=position)
                if kind == "announcement":
                    round_[kind]["faults"] = self.faults_of_seed(fields)

    def faults_of_seed(self, announcement):
        """Of an announcement as it comes: its chain was committed before it, and gives it the next seed."""
        chain, index = self.chains.get(announcement["chain"]), whole(announcement["index"])
        if chain is None:
            return ["its chain was not committed before it was announced"]
        if chain["game"] != announcement["game"]:
            return ["its chain is of another game"]
        before = self.chain_of.get(chain["game"], chain)
        self.chain_of[chain["game"]] = chain
        unused = whole(before["length"]) - before["used"]
        if before is not chain and unused > 0:
            self.left.append(f"game {chain['game']}: chain {chain['chain']} was taken when {unused} seeds of chain "
                             f"{before['chain']} were left")
        used, chain["used"] = chain["used"], max(chain["used"], index)
        return [] if used + 1 == index <= whole(chain["length"]) else ["its seed is not the next one of its chain"]

    def keys_since(self, place):
        """The keys of the log that were not changed before this place."""
        return self.log_keys[sum(at < place for at in self.changed_at):]

    def is_of_chain(self, announcement, seed):
        """Whether a round's seed leads to its chain's commitment: by the nearest seed before it that did."""
        chain, index = self.chains.get(announcement["chain"]), whole(announcement["index"])
        if chain is None or not 1 <= index <= min(whole(chain["length"]), HIGHEST_INDEX):
            return False
        before = next(at for at in range(index - 1, -1, -1) if at in chain["seeds"])
        if hashed(seed, index - before) != chain["seeds"][before]:
            return False
        chain["seeds"][index] = seed
        return True

    def faults_of(self, game, issue):
        """Of a round; of each once, because a proof asks the house."""
        name = game, issue
        if name not in self.faults:
            self.faults[name] = faults_of_round(self, game, issue, self.rounds[name])
        return self.faults[name]

    def asks_beacon(self, announcement):
        """The address that is asked for a beacon's values; None for one of the operator's own, who has them first."""
        by_drand = announcement["beacon"] == QUICKNET["chain_hash"]
        return None if self.offline else self.beacon or (DRAND if by_drand else None)

    def beacon_value(self, announcement):
        """The signature that the beacon itself gives for a round; None if it gives none. Asked for once for all games."""
        address, name = self.asks_beacon(announcement), (announcement["beacon"], whole(announcement["beacon_round"]))
        if address and name not in self.values and self.unanswered < BEACON_TRIES:
            try:
                # Without a name of its own a program of Python is refused by some hosts.
                url, headers = f"{address}/{name[0]}/public/{name[1]}", {"User-Agent": "sum28-prove"}
                with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
                    value = json.loads(answer.read(2**16))
                self.values[name] = value["signature"] if value["round"] == name[1] else None
                self.unanswered = 0
            except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException) as error:
                if isinstance(error, urllib.error.HTTPError) and error.code == 404:
                    self.values[name] = None
                else:
                    self.unanswered += 1
        return self.values.get(name)

    def faults_of_signature(self, announcement, signature):
        address = self.asks_beacon(announcement)
        if not address:
            return []
        value = self.beacon_value(announcement)
        if value is None:
            return [f"its beacon's value was not compared: {address} does not give it"]
        self.compared.add(address)
        return [] if value == signature else [f"its beacon's value is not that of {address}"]

    def witnessed(self, path, position):
        """When witnesses signed a log that has the entry at this place, by the note at this path: {key: time}. It may be of
        an earlier name of the log, which this one continues."""
        text, signed = opened((fetch_if_there(self.address, path) or b"").decode(), self.witnesses) or (None, {})
        _, size, root = checkpoint(text) if signed else (None, 0, None)
        return signed if position < size and self.tree.root(size) == root else {}

    def is_witnessed_before(self, moment, path, position):
        times = self.witnessed(path, position)
        return all(key in times and times[key] < moment for key in self.witnesses)

    def unsigned_by(self, path, position):
        """The names of witnesses that have signed no state with the entry at this place."""
        also = self.witnessed(path, position) if self.behind else {}
        return [key[0] for key in self.behind if key not in also]


def faults_of_beacon(announcement):
    """(faults, when the beacon's value exists by the beacon's clock)"""
    stated = {name: whole(announcement[f"beacon_{name}"]) for name in ("genesis", "period", "round")}
    clock, faults = (stated["genesis"], stated["period"]), []
    if announcement["beacon"] != QUICKNET["chain_hash"]:
        faults.append("its beacon is the operator's own")
    elif (announcement["beacon_key"], clock) != (QUICKNET["public_key"], (QUICKNET_GENESIS, QUICKNET_PERIOD)):
        faults.append("it gives drand another key or clock")
        clock = QUICKNET_GENESIS, QUICKNET_PERIOD
    (genesis, period), draws = clock, whole(announcement["draws"])
    if period < 1 or draws < genesis or stated["round"] != -(-(draws - genesis) // period) + 1:
        faults.append("its beacon round is not the first after its end")
    return faults, genesis + (stated["round"] - 1) * period


def only_reason(announcement, book, voided_at):
    if voided_at < whole(announcement["draws"]):
        return "two_persons"
    if not book:
        return "sealed_late"
    return "beacon_late" if voided_at >= whole(announcement["voids_at"]) else None


def are_in_order(*entries):
    """Whether all are there, each after the one before it."""
    places = [entry["position"] if entry else -1 for entry in entries]
    return -1 not in places and places == sorted(places)


def faults_of_round(log, game, issue, round_):
    announcement, book, drawn, void, seed = (
        round_.get(kind) for kind in ("announcement", "book", "draw", "void", "seed"))
    if not announcement or not (drawn or void):
        return ["it is not announced" if not announcement else "it has no end yet"]
    if drawn and void:
        return ["it has two ends"]
    if not re.fullmatch("[1-9][0-9]{0,4}", game) or not place_of(issue):
        return ["its game or its issue is no number"]
    beacon_faults, value_at = faults_of_beacon(announcement)
    faults = announcement["faults"] + beacon_faults
    if not whole(announcement["opens"]) < whole(announcement["seals"]) < whole(announcement["draws"]):
        faults.append("its times are not in order")
    if whole(announcement["voids_at"]) <= value_at:
        faults.append("its deadline is before its beacon's value")
    if whole(announcement["voids_at"]) > whole(announcement["draws"]) + DEADLINE_MAX:
        faults.append("its deadline is more than a day after its end")
    faults += faults_of_rules(log, announcement) + (faults_of_book(announcement, book, value_at) if book else [])
    shown = drawn or seed
    if shown and not log.is_of_chain(announcement, shown["seed"]):
        faults.append("its seed is not of the committed chain")
    if void and not seed:
        # After an outage a round may be voided late; a time that is far ahead is none.
        now, voided_at = time.time(), whole(void["voided_at"])
        voided_at = voided_at if voided_at <= now + 2 * UNSETTLED_MAX else 0
        if now > max(whole(announcement["voids_at"]), voided_at) + UNSETTLED_MAX:
            faults.append("its seed is not published")
    if seed and not are_in_order(void, seed):
        faults.append("its seed was published out of turn")
    name = game, issue
    path = f"{'voided' if void else 'drawn'}/{game}/{issue}"
    faults += [f"{witness} has not signed its end" for witness in log.unsigned_by(path, (void or drawn)["position"])]
    return faults + (faults_of_void(log, path, announcement, book, void, value_at) if void
                     else faults_of_draw(log, name, announcement, book, drawn, value_at))


def faults_of_rules(log, announcement):
    versions = read_pairs(announcement["rules"])
    if versions is None:
        return ["its rules are none, or two of one room"]
    said = [log.rules.get(version) for version in versions.items()]
    if not all(are_in_order(rules, announcement) and rules["game"] == announcement["game"] for rules in said):
        return ["its rules were not said of its game before it was announced"]
    if not all(read_pairs(rules["odds"]) for rules in said):
        return ["its rules have odds that are none, or two of one outcome"]
    return []


def faults_of_book(announcement, book, value_at):
    whole(book["size"])
    faults, seen = [], book.get("beacon_seen", "")
    if not is_hex(book["root"], 32):
        faults.append("its book has no root")
    if whole(book["sealed_at"]) >= value_at:
        faults.append("its book was closed after the beacon's value existed")
    if not is_number(seen) or int(seen) >= whole(announcement["beacon_round"]):
        faults.append("its book was not closed before the beacon's value was seen")
    return faults


def faults_of_void(log, path, announcement, book, void, value_at):
    faults, reason = [], only_reason(announcement, book, whole(void["voided_at"]))
    if void["reason"] != reason:
        faults.append(f"it was voided for {void['reason']}, and its times allow {reason or 'no void'}")
    if not are_in_order(announcement, *([book] if book else []), void):
        faults.append("announcement, book and void are not in order")
    if reason == "two_persons" and not log.is_witnessed_before(value_at, path, void["position"]):
        faults.append("its void is not witnessed before the beacon's value")
    if reason == "sealed_late":
        faults.append("voided without a book: nobody saw that it was not decided when the value was known")
    if reason == "beacon_late":
        public = "the beacon has it now, and " if log.beacon_value(announcement) else ""
        faults.append(f"voided for want of the beacon's value: {public}that the operator could not store it in time is his word")
    return faults


def faults_of_draw(log, name, announcement, book, drawn, value_at):
    (game, issue), faults = name, []
    signature = drawn["signature"]
    randomness = sha256(bytes.fromhex(signature)).hex() if is_hex(signature, 48) else None
    if drawn["beacon_round"] != announcement["beacon_round"]:
        faults.append("it was drawn by another beacon round")
    else:
        faults += log.faults_of_signature(announcement, signature)
    digits = randomness and draw(int(game), issue, drawn["seed"], randomness)
    if digits is None or drawn["digits"] != ",".join(map(str, digits)):
        faults.append("its digits do not follow")
    if not are_in_order(announcement, book, drawn):
        faults.append("announcement, book and draw are not in order")
    elif not log.is_witnessed_before(value_at, f"witnessed/{game}/{issue}", book["position"]):
        faults.append(NOT_WITNESSED)
    return faults


def faults_of_odds(log, announcement, leaf):
    """Of a line that has odds: they are those of the room's rules, which the log had before the round was announced."""
    room, version = leaf[1], leaf[4]
    said = log.rules.get((room, version))
    if said is None or not are_in_order(said, announcement):
        return ["its rules were not said before its round was announced"]
    if (read_pairs(announcement["rules"]) or {}).get(room) != version:
        return ["its rules are not those that were announced"]
    return [] if are_odds(leaf, said["odds"]) else ["its odds are not those of its rules"]


def faults_of_receipt(log, file, placed):
    """placed: (game, issue, line) of each line that a file shows in a closed book."""
    round_, receipt, order = file
    name = str(round_["game_id"]), round_["issue"]
    logged = log.rounds.get(name, {})
    announcement, book, drawn, void = (logged.get(kind) for kind in ("announcement", "book", "draw", "void"))
    faults = []
    # The book and the end are shown in a state of the log each.
    parts = [part for part in (round_["log"], round_["log"] and round_["log"]["end"]) if part]
    for state in (State(part["checkpoint"], log.log_keys) for part in parts):
        if log.tree.root(state.size) != state.root:
            faults.append("the log that it shows is not this one: there are two")
        elif state.signed and not set(state.signed) & set(log.keys_since(state.size)):
            faults.append(f"its state of {state.size} entries is signed by a key that was changed before")
    own = check(round_, receipt, order)
    faults += [step for step, holds, _, _ in own if holds is False]
    if round_["status"] in ("drawn", "voided"):
        faults += [f"{step} is not in it yet: save the receipt again" for step, holds, _, _ in own
                   if holds is None and step in ("your payout", "your refund")]
    # That the log's key and each witness signed these states, the whole log shows.
    keys = log.keys_since(announcement["position"]) if announcement else log.log_keys
    steps = check_log(round_, receipt, keys, log.witnesses)
    faults += [step for step, holds, _, _ in steps if not holds and step not in ("log signature", "witness of the end")]
    if logged:
        faults += log.faults_of(*name)
    leaf = read_leaf(receipt["leaf"]) if receipt else None
    if announcement and leaf:
        faults += faults_of_odds(log, announcement, leaf)
    if not announcement or not (book or void):
        return [*faults, "its round has no announcement or no book in the log"]
    chain, book = log.chains.get(announcement["chain"], {}), book or {"root": None, "size": "None"}
    pairs = {
        "commitment": (chain.get("commitment"), round_["commitment"]),
        "index": (announcement["index"], str(round_["index"])),
        "beacon's round": (announcement["beacon_round"], str(round_["beacon"]["round"])),
        "end": (announcement["draws"], str(round_["ends_at"])),
        "deadline": (announcement["voids_at"], str(round_["voids_at"])),
        "root": (book["root"], round_["book"]["root"]),
        "size": (book["size"], str(round_["book"]["size"])),
    }
    if round_["status"] == "open":
        # It was saved before the book was closed: another file has to show the line in it.
        if book["root"] and receipt and (*name, receipt["leaf"]) not in placed:
            faults.append(NO_PLACE)
        pairs = {field: pair for field, pair in pairs.items() if field not in ("root", "size")}
    if round_["status"] in ("drawn", "settled", "voided"):
        shown_end = (f"{round_['void']['reason']} {round_['void']['voided_at']}" if round_["void"]
                     else ",".join(map(str, round_["digits"] or [])))
        logged_end = drawn["digits"] if drawn else f"{void['reason']} {void['voided_at']}" if void else None
        pairs["result"] = (logged_end, shown_end)
    return [*faults, *(f"its {name} is not that of the log" for name, (a, b) in pairs.items() if a != b)]


def main(arguments):
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("address")
    reader.add_argument("--log", type=lambda text: key_for(text, 1))
    reader.add_argument("--witness", required=True, action="append", type=lambda text: key_for(text, 4))
    reader.add_argument("--beacon", type=lambda text: text.rstrip("/"))
    reader.add_argument("--offline", action="store_true")
    reader.add_argument("--day")
    reader.add_argument("receipts", nargs="*")
    given = reader.parse_intermixed_args(arguments)
    if not given.day and not given.receipts:
        reader.error("name a day or a receipt")
    try:
        return prove(given)
    except (ValueError, KeyError, OSError, http.client.HTTPException) as error:
        print(f"not proved: {error!a}")
        return 1


def gaps(log, day):
    """(faults, notes): what the log leaves out of a day. Rounds by their numbers are faults, before its first one only if the
    game has an earlier day. The log does not state the house's hours, which may change: days, a night longer than the one
    before it, and a game, while others went on for ten minutes, are notes. Of a game's first night nothing is said."""
    from datetime import datetime
    found, notes, games = [], [], {}
    for (game, issue), round_ in log.rounds.items():
        if "announcement" in round_ and place_of(issue):
            opens, draws = (whole(round_["announcement"][name]) for name in ("opens", "draws"))
            games.setdefault(game, []).append((place_of(issue), opens, draws))
    for game, rounds in sorted(games.items()):
        rounds.sort()
        night = None
        for ((date_before, last), began, ended), ((date, number), opens, draws) in zip(rounds, rounds[1:]):
            days = (datetime.strptime(date, "%Y%m%d") - datetime.strptime(date_before, "%Y%m%d")).days
            first = last + 1 if days == 0 else 1
            if date.startswith(day) and first < number:
                name = f"game {game}, rounds {date}{first:03d}-{date}{number - 1:03d}"
                found.append((name, ["they were never announced"]))
            # What their numbers do not tell: the time that no round between them fills.
            rest, note = opens - (number - first) * (draws - opens) - ended, None
            # An hour more if the day was not shorter: clocks are put back at night.
            usual = 0 if days == 0 else night and night[0] + (0 if last < night[1] else 3600)
            if days > 1:
                note = "no round was announced on the days between"
            elif usual is not None and rest >= usual + ended - began:
                why = "longer than in the night before" if days else "although their numbers follow"
                note = f"no round was announced, {why}"
            night = (rest, last) if days == 1 else night
            if note and (day in (date_before[:len(day)], date[:len(day)]) or date_before < day < date):
                notes.append(f"note: game {game}, between {date_before}{last:03d} and {date}{number:03d}: {note}")
        (date, number), _, ended = rounds[-1]
        others = sorted((draws, place[0]) for other, its in games.items() if other != game
                        for place, opens, draws in its if opens >= ended)
        if others and others[-1][0] >= others[0][0] + 600 and others[0][1].startswith(day):
            notes.append(f"note: game {game}, after {date}{number:03d}: no round was announced, and other games went on")
    return found, notes


DAY = 86400


def counts(log):
    """Of each game how many rounds were voided, by reason, in 1 and 30 days up to its last one; and of those that were read
    here, how many were not witnessed."""
    games = {}
    for (game, issue), round_ in log.rounds.items():
        if "announcement" in round_:
            reason = round_["void"]["reason"] if "void" in round_ else None
            games.setdefault(game, []).append((whole(round_["announcement"]["draws"]), reason))
    for game, rounds in sorted(games.items()):
        last, parts = max(at for at, _ in rounds), []
        for days in (1, 30):
            reasons = [reason for at, reason in rounds if reason and at > last - days * DAY]
            each = ", ".join(f"{reasons.count(reason)} {reason}" for reason in sorted(set(reasons)))
            parts.append(f"{days} day{'s' if days > 1 else ''}: {each or 'no void'}")
        read = [faults for (of, _), faults in log.faults.items() if of == game]
        unseen = sum(NOT_WITNESSED in faults for faults in read)
        yield f"game {game}, {'; '.join(parts)}; not witnessed: {unseen} of {len(read)} read here"


def prove(given):
    log = Log(given.address.rstrip("/"), given.log, given.witness, given.beacon, given.offline)
    findings = []
    of_day = [name for name in sorted(log.rounds) if given.day and name[1].startswith(given.day)]
    if given.day and not of_day:
        findings.append((given.day, ["the log has no round of this day"]))
    for game, issue in of_day:
        findings.append((f"game {game}, round {issue}", log.faults_of(game, issue)))
    missing, notes = gaps(log, given.day) if given.day else ([], [])
    findings += missing
    files = []
    for path in given.receipts:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            files.append((path, parse(text)))
        except (Unusable, RecursionError) as error:
            findings.append((path, [f"it cannot be checked: {error}"]))
    placed = {(str(round_["game_id"]), round_["issue"], receipt["leaf"])
              for _, (round_, receipt, _) in files if receipt and is_placed(round_["book"], receipt)}
    findings += [(path, faults_of_receipt(log, file, placed)) for path, file in files]
    for name, faults in findings:
        print(f"{name}: {', '.join(faults) or 'proved'}".encode("ascii", "backslashreplace").decode())
    for line in [*notes, *counts(log), *log.left]:
        print(line.encode("ascii", "backslashreplace").decode())
    compared = ", ".join(sorted(log.compared))
    print(f"Signatures of the beacon were compared with those at {compared}." if compared else NOT_CHECKED)
    return 1 if any(faults for _, faults in findings) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
