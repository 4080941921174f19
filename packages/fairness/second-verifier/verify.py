#!/usr/bin/env python3
"""The second verifier: python3 verify.py [--allow-local] [--fresh] receipt.json [more.json ...]

Checks the same files as `npm run verify`, by docs/fairness.md, and shares no code with it. It needs Python 3.9 and
python3-cryptography. Keys of log and witness are those of the file; prove.py takes yours, and reads the whole log: that
the log says nothing else of a round, no receipt shows. One thing it does not check: the pairing of the beacon's
signature. Compare that signature with the one at
https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/<beacon round>.

--fresh: the files were fetched just now, so what their log lacks ten minutes after it was due fails, and a settlement, a
refund or a voided round's seed fifteen minutes late.

Exit code: 0 all holds; 1 something does not; 2 a file cannot be used; 3 not all is public yet, or no file shows the
place of a line that was signed; 4 all holds, but the beacon is the operator's own, or no witness signed the book in
time, or no signed log shows the round's end, or it was voided for want of a book or of the beacon's value: by the
operator's word.
"""
import hashlib
import hmac
import json
import re
import sys
import time

from log import checkpoint, followed, full_subtrees, keys_at, open_note, read_note, read_vkey, root_of_path, utf8

NOT_CHECKED = "The beacon's signature was not checked by this program: it has no pairing of curves."

QUICKNET = {
    "chain_hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "public_key": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    "scheme": "bls-unchained-g1-rfc9380",
}
QUICKNET_GENESIS, QUICKNET_PERIOD = 1692803367, 3
STATES = ["open", "sealed", "drawn", "settled", "voided"]
HIGHEST_INDEX = 8 * 131072
# Seconds that a house may take to log what is due.
UNLOGGED_MAX = 600
# And to settle a round, to refund a voided one's stakes and to publish its seed.
UNSETTLED_MAX = 900
# And to decide a round after its end: by a deadline far ahead nothing would ever be due.
DEADLINE_MAX = 86400
LOGGED = ["chain", "announcement", "book", "end"]


class Unusable(Exception):
    """Why a file cannot be checked, as a sentence."""


# Reading a file. Each field must be there, and of its type; nothing else is judged here.


def parse(text):
    """The round, the receipt and the order of a file; the last two are None where it has none."""
    body = an_object(json_of(text), "The file")
    if "data" in body and "proof" not in body:
        body = an_object(body["data"], '"data"')
    if isinstance(body.get("reason"), str) and "proof" not in body:
        raise Unusable("It holds a refusal of the server, not a receipt.")
    proof = body
    if "proof" in body:
        if body["proof"] is None:
            raise Unusable('Its "proof" is empty: save the receipt again after the round is closed.')
        proof = an_object(body["proof"], '"proof"')
    if not {"game_id", "beacon", "seed"} & set(proof):
        raise Unusable("It holds no receipt.")
    round_ = read_round(proof)
    receipt = read_receipt(proof, round_)
    return round_, receipt, read_order(body) if "proof" in body else None


def json_of(text):
    """What a file says in JSON, with its numbers as JavaScript reads them; some editors begin it with a byte order mark."""
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_int=number, parse_float=number, parse_constant=refused)
    except ValueError as error:
        raise Unusable(f"It is not JSON ({error}).") from None


def number(text):
    value = float(text)
    return int(value) if value.is_integer() else value


def refused(text):
    raise ValueError(f"{text} is no number of JSON")


def an_object(value, what):
    if not isinstance(value, dict):
        raise Unusable(f"{what} is not an object in JSON.")
    return value


def field(fields, name, fits, wanted, null=False):
    key = name.split(".")[-1]
    if key not in fields:
        raise Unusable(f'The field "{name}" is missing.')
    value = fields[key]
    if (value is None and null) or (value is not None and fits(value)):
        return value
    raise Unusable(f'The field "{name}" is {json.dumps(value)[:60]}, and must be {wanted}.')


def text(fields, name, null=False):
    return field(fields, name, lambda v: isinstance(v, str), "text in quotes", null)


def is_whole(value):
    return type(value) is int and abs(value) < 2**53


def whole(fields, name, null=False):
    return field(fields, name, is_whole, "a whole number", null)


def listed(fields, name, fits, null=False):
    return field(fields, name, lambda v: isinstance(v, list) and all(map(fits, v)), "a list", null)


def one_of(fields, name, allowed):
    return field(fields, name, lambda v: isinstance(v, str) and v in allowed, f"one of {allowed}")


def read_round(proof):
    field(proof, "chain_id", lambda v: is_whole(v) or isinstance(v, str), "a number or a text")
    for name in ["game_id", "ends_at", "voids_at", "index"]:
        whole(proof, name)
    for name in ["issue", "commitment"]:
        text(proof, name)
    one_of(proof, "status", STATES)
    text(proof, "seed", null=True)
    listed(proof, "digits", is_whole, null=True)
    beacon = an_object(field(proof, "beacon", bool, "an object"), "beacon")
    one_of(beacon, "beacon.kind", ["drand", "local"])
    for name in ["chain_hash", "public_key", "scheme"]:
        text(beacon, f"beacon.{name}")
    for name in ["genesis_time", "period", "round"]:
        whole(beacon, f"beacon.{name}")
    for name in ["signature", "randomness"]:
        text(beacon, f"beacon.{name}", null=True)
    book = an_object(field(proof, "book", bool, "an object"), "book")
    text(book, "book.root", null=True)
    whole(book, "book.size", null=True)
    whole(book, "book.sealed_at", null=True)
    whole(book, "book.witnessed_at", null=True)
    log = field(proof, "log", lambda v: isinstance(v, dict), "an object", null=True)
    if log is not None:
        for name in ("log.keys", "log.key_changes"):
            listed(log, name, lambda v: isinstance(v, str))
        text(log, "log.checkpoint")
        for name in [*LOGGED, "rules"]:
            entry = field(log, f"log.{name}", lambda v: isinstance(v, dict), "an object", name in ("book", "end", "rules"))
            if entry is not None:
                text(entry, "text")
                whole(entry, "index")
                listed(entry, "path", lambda v: isinstance(v, str))
                if name == "end":
                    text(entry, "checkpoint")
    void = field(proof, "void", lambda v: isinstance(v, dict), "an object", null=True)
    if void is not None:
        text(void, "void.reason")
        whole(void, "void.voided_at")
        listed(void, "void.digits", is_whole, null=True)
    return proof


def read_receipt(proof, round_):
    names = ["leaf", "nonce", "signed"]
    if not {*names, "leaf_index", "path"} & set(proof):
        return None
    receipt = {"leaf_index": 0, "path": [], **{name: text(proof, name) for name in names}}
    receipt["player_id"] = whole(proof, "player_id")
    if round_["book"]["root"] is None and proof.get("leaf_index") is None:
        return receipt
    place = whole(proof, "leaf_index", null=True)
    # Without a place it leads to no root.
    receipt["leaf_index"] = -1 if place is None else place
    receipt["path"] = listed(proof, "path", lambda v: isinstance(v, str))
    return receipt


def read_order(body):
    play_type = text(body, "play_type")
    if not re.fullmatch(r"\[[0-9]+(,[0-9]+)*\]", play_type):
        raise Unusable('The field "play_type" must be choices such as "[1,400]".')
    one_of(body, "unit", ["u"])
    selections = [an_object(s, "A selection") for s in listed(body, "selections", lambda v: True)]
    settlement = [amount(body, "payout"), whole(body, "status"), signed_amount(body, "profit"), whole(body, "whether_hit"),
                  [amount(s, "payout") for s in selections],
                  [field(s, "hit", lambda v: isinstance(v, bool), "true or false", null=True) for s in selections]]
    return {
        "orderNo": text(body, "orderNo"), "game_id": whole(body, "game_id"), "issue": text(body, "issue"),
        "plan_id": whole(body, "plan_id"), "play_type": play_type,
        "classes": [whole(s, "class") for s in selections],
        "odds": [in_units(s, "odds", 3, r"[0-9]{1,9}(?:\.([0-9]{1,3}))?") for s in selections],
        "stakes": [amount(s, "stake") for s in selections], "total": amount(body, "quantity"),
        "rules_version": whole(body, "rules_version"), "code": text(body, "lottery_code"),
        "settlement": None if whole(body, "settled_at", null=True) is None else settlement,
    }


def amount(fields, name):
    return in_units(fields, name, 6, r"[0-9]{1,15}\.([0-9]{2,6})")


def signed_amount(fields, name):
    value = text(fields, name)
    return -amount({name: value[1:]}, name) if value.startswith("-") else amount(fields, name)


def in_units(fields, name, decimals, form):
    """A decimal number as a whole number of its smallest unit."""
    value = text(fields, name)
    found = re.fullmatch(form, value)
    if not found:
        raise Unusable(f'The field "{name}" is {json.dumps(value)[:60]}, and must be a decimal number.')
    return int(value.split(".")[0]) * 10**decimals + int((found[1] or "").ljust(decimals, "0"))


# The mathematics.


def is_hex(value, size):
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{%d}" % (2 * size), value) is not None


def is_number(text):
    """Whether a text is a whole number as a log writes it: in ASCII digits alone."""
    return re.fullmatch("[0-9]{1,15}", text) is not None


def sha256(data):
    return hashlib.sha256(data).digest()


def hashed(seed, times):
    if not is_hex(seed, 32) or not 1 <= times <= HIGHEST_INDEX:
        return None
    value = bytes.fromhex(seed)
    for _ in range(times):
        value = sha256(value)
    return value.hex()


def draw(game_id, issue, seed, randomness):
    if not (is_hex(seed, 32) and is_hex(randomness, 32) and re.fullmatch(r"[0-9]{1,32}", issue) and game_id > 0):
        return None
    digits, block = [], 0
    while len(digits) < 3:
        message = f"sum28/1|{game_id}|{issue}|{randomness}|{block}".encode()
        digits += [b % 10 for b in hmac.digest(bytes.fromhex(seed), message, "sha256") if b < 250]
        block += 1
    return digits[:3]


def root_by_path(leaf, index, size, path):
    """The root in hex that a bet's path leads to; None where it fits no book of that size."""
    root = root_of_path(utf8(leaf), index, size, path)
    return root and root.hex()


# Of 36 outcomes each at most once.
LEAF = re.compile(
    r"2\|([0-9A-Za-z_-]+)\|([0-9]{1,15})\|(\[[0-9]{1,15}(?:,[0-9]{1,15}){0,35}\])\|"
    r"([0-9]{1,15}(?:,[0-9]{1,15}){0,35})\|([0-9]{1,15})\|([0-9]{1,30})\|([0-9a-f]{32})")


def read_leaf(line):
    """[order, room, rules, odds, rules' version, stake, nonce]; None if it is no line."""
    found = LEAF.fullmatch(line)
    return list(found.groups()) if found and found[4].count(",") == found[3].count(",") else None


def wins(rule, total):
    high, odd = total > 13, total % 2 == 1
    kinds = {1: high, 2: not high, 3: odd, 4: not odd,
             11: high and odd, 12: high and not odd, 13: not high and odd, 14: not high and not odd}
    return kinds.get(rule, rule == total + 400)


def payout(leaf, digits):
    """In millionths; None where there is no line, or the product is no whole number of millionths."""
    if leaf is None or digits is None:
        return None
    pairs = zip(json.loads(re.sub(r"\b0+(?=[0-9])", "", leaf[2])), leaf[3].split(","))
    product = int(leaf[5]) * sum(int(odds) for rule, odds in pairs if wins(rule, sum(digits)))
    return product // 1000 if product % 1000 == 0 else None


def settlement_of(leaf, digits):
    """What follows for a bet, as read_order has it; None where payout is."""
    paid = payout(leaf, digits)
    if paid is None:
        return None
    rules = list(zip(leaf[2][1:-1].split(","), leaf[3].split(",")))
    hits = [wins(int(rule), sum(digits)) for rule, _ in rules]
    each = [payout([*leaf[:2], f"[{rule}]", odds, *leaf[4:]], digits) for rule, odds in rules]
    return [paid, 1, paid - int(leaf[5]) * len(rules), int(any(hits)), each, hits]


# The steps: (name, holds, computed, published). holds is None where the round is not yet as far.


def check(round_, receipt, order, now=None):
    """now: as for check_log; then a seed, a refund and a settlement that were due a quarter of an hour before fail."""
    steps = []
    beacon, book, void, seed = round_["beacon"], round_["book"], round_["void"], round_["seed"]
    drawn = round_["digits"] is not None or round_["status"] in ("drawn", "settled")
    local = beacon["kind"] == "local"

    def same(name, computed, published):
        steps.append((name, computed is not None and computed == published, computed, published))

    def absent(name, computed=None):
        steps.append((name, False if drawn else None, computed, None))

    def overdue(due):
        return now is not None and now > due + UNSETTLED_MAX

    # When a round was voided is the house's word: a time that is far ahead is none.
    voided_at = void["voided_at"] if void else round_["voids_at"]
    if now is not None and voided_at > now + 2 * UNSETTLED_MAX:
        voided_at = round_["voids_at"]
    # After an outage a round may be drawn late, or voided late.
    late, ended = round_["status"] == "drawn" and overdue(round_["voids_at"]), end_seen_at(round_)
    faults = state_faults(round_) + ["not settled"] * (late and ended is not None and overdue(ended))
    steps.append(("state", None if late and not faults else not faults, ", ".join([round_["status"], *faults]), round_["status"]))
    if seed is None and round_["status"] == "voided" and overdue(max(round_["voids_at"], voided_at)):
        steps.append(("seed", False, None, None))
    elif seed is None:
        absent("seed")
    else:
        same("seed", hashed(seed, round_["index"]), round_["commitment"])
    genesis, period = beacon["genesis_time"], beacon["period"]
    if not local:
        genesis, period = QUICKNET_GENESIS, QUICKNET_PERIOD
        same("beacon chain", QUICKNET, {name: beacon[name] for name in QUICKNET})
    since = round_["ends_at"] - genesis
    due = -(-since // period) + 1 if since >= 0 and period > 0 else None
    same("beacon round", due, beacon["round"])
    if book["sealed_at"] is None:
        absent("beacon after seal")
    else:
        comes = genesis + (beacon["round"] - 1) * period
        steps.append(("beacon after seal", beacon["round"] >= 1 and comes > book["sealed_at"], comes, book["sealed_at"]))
    signature, randomness = beacon["signature"], None
    if signature is None:
        absent("beacon signature")
    elif is_hex(signature, 48):
        randomness = sha256(bytes.fromhex(signature)).hex()
    else:
        steps.append(("beacon signature", False, "48 bytes in hex", signature))
    if signature is None and beacon["randomness"] is None:
        absent("randomness")
    else:
        same("randomness", randomness, beacon["randomness"])
    digits = round_["digits"] if round_["digits"] is not None else void and void["digits"]
    computed = draw(round_["game_id"], round_["issue"], seed, randomness) if seed and randomness else None
    if digits is None:
        absent("digits", computed)
    else:
        same("digits", computed, digits)
    if void is not None:
        same("reason of the void", only_reason(round_), void["reason"])

    leaf = read_leaf(receipt["leaf"]) if receipt else None
    if order:
        # An order says what was drawn once it is settled; an earlier one may say it, and truly.
        told = round_["digits"] is not None and (order["settlement"] is not None or order["code"] != "")
        code = " ".join(map(str, [*round_["digits"], sum(round_["digits"])])) if told else ""
        same("your bet", told_bet(order), leaf and [*leaf[:6], round_["game_id"], round_["issue"], code])
    if receipt:
        same("your nonce", leaf and leaf[6], receipt["nonce"])
        if book["root"] is None or book["size"] is None:
            absent("closed book")
        else:
            path = receipt["leaf"], receipt["leaf_index"], book["size"], receipt["path"]
            same("closed book", root_by_path(*path), book["root"])
        if order:
            told, voided = order["settlement"], round_["status"] == "voided"
            nothing = [[empty] * len(order["classes"]) for empty in (0, None)]
            due = [0, 2, 0, 0, *nothing] if voided else settlement_of(leaf, round_["digits"])
            waits = told is None and (not overdue(voided_at) if voided else round_["status"] != "settled")
            holds = None if waits else due is not None and due == told
            steps.append(("your refund" if voided else "your payout", holds, due, told))
    if local:
        foreign = all(beacon[name] != QUICKNET[name] for name in ("chain_hash", "public_key"))
        steps.append(("beacon kind", foreign and beacon["scheme"] == QUICKNET["scheme"], None, "local"))
    return steps


def told_bet(order):
    """The fields of an order as its line has them, then its round and result; None where it contradicts itself."""
    stakes, choices = order["stakes"], f"[{','.join(map(str, order['classes']))}]"
    is_even = len(set(stakes)) == 1 and order["total"] == sum(stakes)
    if choices != order["play_type"] or not is_even:
        return None
    return [order["orderNo"], str(order["plan_id"]), choices, ",".join(map(str, order["odds"])),
            str(order["rules_version"]), str(stakes[0]), order["game_id"], order["issue"], order["code"]]


# What the file shows of the public log. A step without a result (None) is not proved: the file does not show the entry,
# or no witness signed it in time.

def keys_of(log):
    """(the log's keys, its witnesses' keys), as the file has them"""
    keys = []
    for line in log["keys"] if log else []:
        try:
            keys.append(read_vkey(line))
        except ValueError:
            pass
    return [k for k in keys if k[2] == 1], [k for k in keys if k[2] == 4]


def field_of(entry, name):
    """A field that the entry states once, and not empty; None else."""
    values = [line.split("=", 1)[1] for line in entry["text"].split("\n") if line.startswith(f"{name}=")]
    return values[0] or None if len(values) == 1 else None


PAIR = re.compile("([1-9][0-9]{0,14}):([1-9][0-9]{0,14})")


def read_pairs(text):
    """A list of pairs of whole numbers such as 1:1920,408:17500 as a dict; None if it is none, or has a first number twice."""
    found = [PAIR.fullmatch(part) for part in text.split(",")]
    pairs = {pair[1]: pair[2] for pair in found if pair}
    return pairs if len(pairs) == len(found) else None


def keys_when_announced(round_, logs):
    """Who holds a key that was changed before the round was announced speaks no more for the log."""
    if not round_["log"]:
        return logs
    opens = field_of(round_["log"]["announcement"], "opens") or ""
    announced = int(opens) if is_number(opens) else round_["ends_at"]
    return keys_at(logs, round_["log"]["key_changes"], announced)


def end_seen_at(round_):
    """When a witness had signed the log with the round's end, in unix seconds by its clock; None if no file shows that."""
    end = round_["log"] and round_["log"]["end"]
    logs, witnesses = keys_of(round_["log"])
    return min(State(end["checkpoint"], keys_when_announced(round_, logs) + witnesses).times.values(), default=None) if end else None


def check_log(round_, receipt, logs=None, witnesses=None, now=None):
    """logs and witnesses: keys that the reader trusts; without them those of the file. now: when the file was fetched, in
    unix seconds, if that is known: then what the log has to have by now, and has not, fails."""
    stated = keys_of(round_["log"])
    trusted = followed(logs or [], round_["log"]["key_changes"] if round_["log"] else [])
    logs = keys_when_announced(round_, trusted or stated[0])
    steps = log_steps(round_, logs, witnesses or stated[1], now, witnesses or [])
    leaf = read_leaf(receipt["leaf"]) if receipt else None
    if receipt and not (leaf and round_["log"]):
        steps += [(name, None if leaf else False, None, None) for name in ("announced rules", "logged odds")]
    elif receipt:
        mine, announced = f"{leaf[1]}:{leaf[4]}", field_of(round_["log"]["announcement"], "rules")
        holds = (read_pairs(announced or "") or {}).get(leaf[1]) == leaf[4]
        steps.append(("announced rules", holds, mine, announced))
        steps.append(odds_step(round_, leaf, logs + (witnesses or stated[1])))
    if receipt:
        line = (f"sum28/1 receipt\ngame={round_['game_id']}\nissue={round_['issue']}\n"
                f"player={receipt['player_id']}\nleaf={receipt['leaf']}\n")
        # Of keys that the file alone names, those that signed its log: another may be nobody's.
        signers = [*State(round_["log"]["checkpoint"], logs).signed] if round_["log"] and not trusted else []
        signed = opened(receipt["signed"], signers or logs)
        holds = (signed is not None and signed[0] == line) if logs else None
        steps.append(("receipt signature", holds, line, signed and signed[0]))
    return steps


def are_odds(leaf, said):
    """Whether a line's odds are those of the rules' text."""
    odds = read_pairs(said) or {}
    return all(odds.get(rule) == each for rule, each in zip(re.findall("[0-9]+", leaf[2]), leaf[3].split(",")))


def odds_step(round_, leaf, keys):
    """Whether the log had the line's odds, in the rules that it names, before the announcement."""
    log, odds = round_["log"], None
    rules = log["rules"] or {"text": "", "index": 0, "path": []}
    first, *lines = rules["text"].split("\n")
    before = rules["index"] < log["announcement"]["index"] and State(log["checkpoint"], keys).has(rules)
    its = [line for line in lines if line.split("=")[0] in ("game", "room", "version")]
    mine = [f"game={round_['game_id']}", f"room={leaf[1]}", f"version={leaf[4]}"]
    if first == "sum28/1 rules" and its == mine and before:
        odds = field_of(rules, "odds")
    return "logged odds", are_odds(leaf, odds or ""), leaf[2:4], odds


def opened(note, keys):
    try:
        return open_note(note, keys)
    except ValueError:
        return None


def is_overdue(round_, name, now):
    due = round_["voids_at"] if name == "end" else round_["ends_at"]
    return now is not None and now > due + UNLOGGED_MAX


def counted_time(times, required):
    """The latest time of the witnesses whom the reader names, None if one has not signed; without them the first time."""
    if not required:
        return min(times.values(), default=None)
    return max(times[key] for key in required) if all(key in times for key in required) else None


def log_steps(round_, logs, witnesses, now, required):
    log, beacon, steps = round_["log"], round_["beacon"], []
    entries = {name: log and log[name] for name in LOGGED}
    expected = statements(round_)
    for name in LOGGED:
        kind, mine = expected[name]
        entry, title = entries[name], "logged commitment" if name == "chain" else f"logged {name}"
        late = not entry and is_overdue(round_, name, now)
        if not entry and not needed(round_, name) and not (late and name == "end"):
            continue
        holds, theirs = False if late else None, None
        if entry:
            first, *lines = entry["text"].split("\n")
            theirs = [line for line in lines if line.split("=")[0] in dict(mine or [])]
            holds = first == f"sum28/1 {kind}" and [f"{a}={b}" for a, b in mine or []] == theirs and mine is not None
        steps.append((title, holds, mine, theirs))
    first = State(log["checkpoint"], logs + witnesses) if log else None
    last = State(entries["end"]["checkpoint"], logs + witnesses) if entries["end"] else None
    if log:
        shown = [(entries[name], last if name == "end" else first) for name in LOGGED if entries[name]]
        places = [entry["index"] for entry, _ in shown]
        in_order = all(a < b for a, b in zip(places, places[1:]))
        leads = [state.has(entry) for entry, state in shown]
        steps.append(("log", in_order and all(leads), places, leads))
        signed = [state.origin in {key[0] for key in logs if key in state.signed} for state in (first, last) if state]
        steps.append(("log signature", all(signed), signed, first.origin))
    if entries["book"]:
        seen = field_of(entries["book"], "beacon_seen")
        holds = seen is not None and is_number(seen) and int(seen) < beacon["round"]
        steps.append(("value at the seal", holds, beacon["round"], seen))
    reason = round_["void"] and round_["void"]["reason"]
    # Of a round that was voided for want of a book no witness can have seen one in time.
    if entries["book"] or needed(round_, "book") or reason == "sealed_late":
        times = dict(first.times) if entries["book"] else {}
        if last and last.times:
            # A witness that signed both states has seen that the later one continues the other.
            times = {key: time for key, time in times.items() if key in last.times}
        first_time = min(times.values(), default=None)
        steps.append(witness_step(round_, counted_time(times, required), first_time))
    if entries["end"] or needed(round_, "end"):
        at = counted_time(last.times, required) if last and last.origin == first.origin else None
        in_time = at is not None and (reason != "two_persons" or at < value_at(round_))
        steps.append(("witness of the end", in_time or None, at, None))
    return steps


def needed(round_, name):
    """Only a round before its seal has no book, one before its end no end."""
    if name == "end":
        return round_["status"] not in ("open", "sealed")
    return name != "book" or round_["book"]["root"] is not None


def statements(round_):
    """What each entry has to say, as its kind and [(name, value)]; None in place of these where the file has none."""
    beacon, book, void, digits = round_["beacon"], round_["book"], round_["void"], round_["digits"]
    named = [("game", round_["game_id"]), ("issue", round_["issue"])]
    voided = round_["status"] == "voided"
    end = None
    if voided and void:
        end = [*named, ("reason", void["reason"]), ("voided_at", void["voided_at"])]
    elif round_["status"] in ("drawn", "settled") and None not in (round_["seed"], beacon["signature"], digits):
        end = [*named, ("beacon_round", beacon["round"]), ("signature", beacon["signature"]),
               ("seed", round_["seed"]), ("digits", ",".join(map(str, digits)))]
    return {
        "chain": ("chain", [("chain", round_["chain_id"]), named[0], ("commitment", round_["commitment"])]),
        "announcement": ("announcement", [
            *named, ("chain", round_["chain_id"]), ("index", round_["index"]), ("beacon", beacon["chain_hash"]),
            ("beacon_key", beacon["public_key"]), ("beacon_genesis", beacon["genesis_time"]),
            ("beacon_period", beacon["period"]), ("beacon_round", beacon["round"]), ("draws", round_["ends_at"]),
            ("voids_at", round_["voids_at"])]),
        "book": ("book", None if book["root"] is None else [
            *named, *((name, book[name]) for name in ("root", "size", "sealed_at"))]),
        "end": ("void" if voided else "draw", end),
    }


class State:
    """A state of a log: who has signed it, nobody where a signature is false, and the times of its witnesses."""

    def __init__(self, note, keys):
        self.signed = (opened(note, keys) or (None, {}))[1]
        self.times = {key: time for key, time in self.signed.items() if time is not None}
        try:
            self.origin, self.size, self.root = checkpoint(read_note(note)[0])
        except ValueError:
            self.origin, self.size, self.root = None, 0, None

    def has(self, entry):
        root = root_of_path(utf8(entry["text"]), entry["index"], self.size, entry["path"])
        return root is not None and root == self.root


def value_at(round_):
    """When the beacon's value exists, in unix seconds."""
    beacon = round_["beacon"]
    drand = beacon["kind"] == "drand"
    genesis, period = (QUICKNET_GENESIS, QUICKNET_PERIOD) if drand else (beacon["genesis_time"], beacon["period"])
    return genesis + (beacon["round"] - 1) * period


def witness_step(round_, at, first_at):
    published = round_["book"]["witnessed_at"]
    if first_at is None:
        return "witness", None, at, published
    agrees = published is not None and published <= first_at
    in_time = (at is not None and at < value_at(round_)) or None
    return "witness", in_time if agrees else False, at, published


def state_faults(round_):
    beacon, book, void, state = round_["beacon"], round_["book"], round_["void"], round_["status"]
    booked = [book[name] is not None for name in ("root", "size", "sealed_at")]
    drawn = [v is not None for v in (round_["seed"], beacon["signature"], beacon["randomness"], round_["digits"])]
    if state == "voided":
        rules = [(void is not None, "without its reason"), (not drawn[3], "with digits"),
                 (all(booked) or not any(booked), "with a part of its book"),
                 (not (drawn[0] and drawn[1]) or bool(void and void["digits"] is not None), "without void.digits")]
    else:
        over, closed = state in ("drawn", "settled"), state != "open"
        rules = [(void is None, "with a void"),
                 (all(booked) if closed else not any(booked), f"with{'out' if closed else ''} a part of its book"),
                 (all(drawn) if over else not any(drawn), f"with{'out' if over else ''} a part of its draw")]
    rules.append((beacon["round"] < 1 or round_["voids_at"] > value_at(round_), "with a deadline before its value"))
    rules.append((round_["voids_at"] <= round_["ends_at"] + DEADLINE_MAX, "with a deadline more than a day after its end"))
    return [fault for holds, fault in rules if not holds]


def only_reason(round_):
    voided_at = round_["void"]["voided_at"]
    if voided_at < round_["ends_at"]:
        return "two_persons"
    if round_["book"]["root"] is None:
        return "sealed_late"
    return "beacon_late" if voided_at >= round_["voids_at"] else None


# Several files: what one says of a round, the other may not change or take back; seeds of a chain follow one another.


def claims(file):
    round_, receipt, order = file
    void = round_["void"] or {"reason": None, "voided_at": None, "digits": None}
    said = {n: round_.get(n) for n in ("game_id issue ends_at voids_at chain_id index commitment seed digits").split()}
    for prefix, part, names in [
        ("beacon", round_["beacon"],
         "kind chain_hash public_key scheme genesis_time period round signature randomness"),
        ("book", round_["book"], "root size sealed_at witnessed_at"), ("void", void, "reason voided_at digits"),
    ]:
        said.update({f"{prefix}.{name}": part[name] for name in names.split()})
    for name in LOGGED:
        entry = round_["log"] and round_["log"][name] or {"text": None, "index": None}
        said.update({f"log.{name}.text": entry["text"], f"log.{name}.index": entry["index"]})
    leaf = read_leaf(receipt["leaf"]) if receipt else None
    if leaf:
        said[f"line of bet {leaf[0]}"] = receipt["leaf"]
        said[f"player of bet {leaf[0]}"] = receipt["player_id"]
    if receipt and round_["book"]["root"] is not None:
        said[f"line {receipt['leaf_index']}"] = receipt["leaf"]
    if order:
        said.update({f"order {order['orderNo']}.{name}": value for name, value in order.items()})
    return {name: None if value in (None, "") else str(value) for name, value in said.items()}


def unplaced(files):
    """Of files of one round, if one has its closed book: the lines that no file shows in it."""
    lines = {receipt["leaf"] for _, receipt, _ in files if receipt}
    if not lines or all(round_["book"]["root"] is None for round_, _, _ in files):
        return set()
    return lines - {receipt["leaf"] for round_, receipt, _ in files if receipt and is_placed(round_["book"], receipt)}


def is_placed(book, receipt):
    return None not in (book["root"], book["size"]) and book["root"] == root_by_path(
        receipt["leaf"], receipt["leaf_index"], book["size"], receipt["path"])


def contradictions(one, other):
    def progress(file):
        return STATES.index(file[0]["status"]), sum(value is not None for value in claims(file).values())

    earlier, later = sorted([one, other], key=progress)
    then, now = claims(earlier), claims(later)
    fields = [name for name, value in then.items() if value is not None and now.get(name, value) != value]
    if later[0]["status"] == "voided" and earlier[0]["status"] in ("drawn", "settled"):
        fields.append("status")
    return fields


def check_together(files):
    faults = []
    for same in grouped(files, name_of):
        for at, one in enumerate(same):
            for other in same[at + 1:]:
                faults += [f"two files of round {one[0]['issue']} differ in {name}" for name in contradictions(one, other)]
    for chain in grouped(files, lambda file: str(file[0]["chain_id"])):
        ordered = sorted(chain, key=lambda file: file[0]["index"])
        for a, b in neighbours(ordered):
            faults += chain_faults(a, b)
        for a, b in neighbours([file for file in ordered if file[0]["seed"] is not None]):
            if hashed(b["seed"], b["index"] - a["index"]) != a["seed"]:
                faults.append(f"the seed of round {b['issue']} does not lead to that of round {a['issue']}")
    shown = [file[0] for file in files if file[0]["log"]]
    return faults + (log_faults(shown) if len(shown) > 1 else [])


def log_faults(rounds):
    """All show one log that only grows: one that was begun anew has something else where it had something before."""
    faults, known = [], {}
    for round_ in rounds:
        log, placed = round_["log"], []
        firsts = [log[name] for name in ("chain", "announcement", "book", "rules")]
        for part, entries in ((log, firsts), (log["end"], [log["end"]])):
            state = State(part["checkpoint"], []) if part else None
            if state is None or not state.origin:
                continue
            placed += [("name", state.origin), (f"root at {state.size} entries", state.root)]
            for entry in filter(None, entries):
                text, index = entry["text"], entry["index"]
                placed += [(f"entry at place {index}", text), (f"place of {text!a}", index)]
                data = utf8(text)
                placed += full_subtrees(data, index, state.size, entry["path"]).items()
        faults += [f"there are two of the log's {what}" for what, value in placed if known.setdefault(what, value) != value]
    for game in grouped([(round_,) for round_ in rounds if place_of(round_["issue"])], lambda file: file[0]["game_id"]):
        for a, b in neighbours(sorted(game, key=lambda file: place_of(file[0]["issue"]))):
            if a["log"]["announcement"]["index"] >= b["log"]["announcement"]["index"]:
                faults.append(f"the log has round {b['issue']} before round {a['issue']}")
    return faults


def name_of(file):
    return file[0]["game_id"], file[0]["issue"]


def place_of(issue):
    """(day, the round's number on it); None where the text is no issue"""
    found = re.fullmatch("([0-9]{8})([0-9]{3,8})", issue)
    return found and (found[1], int(found[2]))


def grouped(files, key):
    groups = {}
    for file in files:
        groups.setdefault(key(file), []).append(file)
    return groups.values()


def neighbours(files):
    """The rounds of each two files that follow one another, if they are two rounds."""
    return [(a[0], b[0]) for a, b in zip(files, files[1:]) if name_of(a) != name_of(b)]


def chain_faults(a, b):
    if a["game_id"] != b["game_id"] or a["commitment"] != b["commitment"]:
        return [f"chain {a['chain_id']} has two games or two commitments"]
    if a["index"] == b["index"]:
        return [f"two rounds at position {a['index']} of chain {a['chain_id']}"]
    places = [place_of(r["issue"]) for r in (a, b)]
    if None not in places and places[0] > places[1]:
        return [f"position {b['index']} went to the earlier round"]
    return []


# The verdict.


def verdict(file, allow_local=False, now=None):
    """(exit code, names of the steps that do not hold, all steps)"""
    steps, logged = check(*file, now=now), check_log(*file[:2], now=now)
    failed = [name for name, holds, _, _ in steps + logged if holds is False]
    voided, reason = file[0]["status"] == "voided", (file[0]["void"] or {"reason": None})["reason"]
    waits = any(holds is None and (not voided or name == "your refund") for name, holds, _, _ in steps)
    local = file[0]["beacon"]["kind"] == "local" and not allow_local
    # When the book of a voided round was closed decides nothing, if there is one.
    booked = voided and reason != "sealed_late"
    doubted = local or voided and reason == "beacon_late" or any(holds is None and not (booked and name == "witness") for name, holds, _, _ in logged)
    return 1 if failed else 3 if waits else 4 if doubted else 0, failed, steps + logged


def check_all(texts, allow_local=False, now=None):
    """(exit code, one line for each file and for all together)"""
    files, lines = [], []
    for name, content in texts:
        try:
            file = parse(content)
            files.append((name, file, verdict(file, allow_local, now)))
        except (Unusable, ValueError, RecursionError) as error:
            lines.append(f"{name} cannot be checked. {error}")
    if lines:
        return 2, lines
    codes = []
    words = {0: "HOLDS", 1: "FAILED", 3: "NOT FINISHED", 4: "NOT PROVED: the beacon is the operator's own, or no witness signed in time what decided the round"}
    for name, _, (code, failed, steps) in files:
        codes.append(code)
        lines.append(f"{name}: {words[code]}{': ' if failed else ''}{', '.join(failed)}")
        lines += [f"    {step}: computed {a!a}, published {b!a}" for step, holds, a, b in steps if holds is False]
    parsed = [file for _, file, _ in files]
    faults = check_together(parsed)
    lines += [f"together: FAILED: {fault}" for fault in faults]
    # Only the receipt of that bet could show or deny its place.
    waiting = [f"together: NOT FINISHED: no file shows yet the place of your signed line {line!a} in the closed book of round "
               f"{same[0][0]['issue']}: save the receipt of this bet again"
               for same in grouped(parsed, name_of) for line in sorted(unplaced(same))]
    return next(code for code in (1, 4, 3, 0) if code in codes + [1] * bool(faults) + [3] * bool(waiting)), lines + waiting


def main(arguments):
    paths = [a for a in arguments if not a.startswith("--")]
    if not paths or set(arguments) - set(paths) - {"--allow-local", "--fresh"}:
        print(__doc__, file=sys.stderr)
        return 2
    texts = []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                texts.append((path, file.read()))
        except (OSError, ValueError) as error:
            print(f"{path!a} cannot be read: {error}", file=sys.stderr)
            return 2
    now = time.time() if "--fresh" in arguments else None
    code, lines = check_all(texts, "--allow-local" in arguments, now)
    for line in lines:
        print(line.encode("ascii", "backslashreplace").decode())
    print(NOT_CHECKED)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
