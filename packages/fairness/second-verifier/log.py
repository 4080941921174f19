"""Reads a public log, by c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature and tlog-tiles, and shares no code with
packages/fairness/src. Needs python3-cryptography for Ed25519.
"""
import base64
import hashlib
import re
import unicodedata

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def sha256(data):
    return hashlib.sha256(data).digest()


def b64(data):
    return base64.b64encode(data).decode()


def from_b64(text):
    """Of its one base64: another last character could stand for the same bytes."""
    data = base64.b64decode(text, validate=True)
    if b64(data) != text:
        raise ValueError(f"{text} is no base64")
    return data


# The tree, by the definitions of RFC 6962, 2.1, to the letter.


def split(n):
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def utf8(text):
    """Like the first verifier's: half a surrogate, which has no bytes, is written as U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()


def leaf_hash(entry):
    return sha256(b"\0" + entry)


def tree_root(hashes):
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256(b"")
    k = split(len(hashes))
    return sha256(b"\1" + tree_root(hashes[:k]) + tree_root(hashes[k:]))


class Tree:
    """The same, for the roots of many sizes: all complete subtrees, by their heights."""

    def __init__(self, hashes):
        self.levels = [hashes]
        while len(self.levels[-1]) > 1:
            below = self.levels[-1]
            self.levels.append([sha256(b"\1" + below[at] + below[at + 1]) for at in range(0, len(below) - 1, 2)])

    def root(self, size):
        """Of its first entries; None where it has not so many."""
        if not 0 <= size <= len(self.levels[0]):
            return None
        counts = [size >> height for height in range(len(self.levels))]
        peaks = [self.levels[height][count - 1] for height, count in enumerate(counts) if count % 2]
        root = peaks[0] if peaks else sha256(b"")
        for peak in peaks[1:]:
            root = sha256(b"\1" + peak + root)
        return root


def inclusion(m, hashes):
    if len(hashes) == 1:
        return []
    k = split(len(hashes))
    if m < k:
        return inclusion(m, hashes[:k]) + [tree_root(hashes[k:])]
    return inclusion(m - k, hashes[k:]) + [tree_root(hashes[:k])]


def consistency(m, hashes, whole=True):
    if m == 0:
        return []
    if m == len(hashes):
        return [] if whole else [tree_root(hashes)]
    k = split(len(hashes))
    if m <= k:
        return consistency(m, hashes[:k], whole) + [tree_root(hashes[k:])]
    return consistency(m - k, hashes[k:], False) + [tree_root(hashes[:k])]


def root_of_path(entry, index, size, path):
    """RFC 9162, 2.1.3.2: the root that a path of hex leads to; None where it fits no tree of that size."""
    if not 0 <= index < size or not all(re.fullmatch("[0-9a-f]{64}", p) for p in path):
        return None
    value, fn, sn = leaf_hash(entry), index, size - 1
    for p in map(bytes.fromhex, path):
        if sn == 0:
            return None
        if fn & 1 or fn == sn:
            value = sha256(b"\1" + p + value)
            while fn & 1 == 0 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            value = sha256(b"\1" + value + p)
        fn, sn = fn >> 1, sn >> 1
    return value if sn == 0 else None


def full_subtrees(entry, index, size, path):
    """{(first, end): hash} of the full subtrees on a path and beside it: each later state of the tree has the same."""
    found, value, width, beside = {}, leaf_hash(entry), 1, [bytes.fromhex(p) for p in path if re.fullmatch("[0-9a-f]{64}", p)]

    def note(at, digest):
        if (at + 1) * width <= size:
            found[at * width, (at + 1) * width] = digest

    while 0 <= index < size and width < size:
        note(index, value)
        if (index ^ 1) * width < size:
            if not beside:
                break
            other = beside.pop(0)
            note(index ^ 1, other)
            value = sha256(b"\1" + (other + value if index & 1 else value + other))
        index, width = index >> 1, width * 2
    return found


# Tiles.


def tile_path(level, index, width):
    parts = [f"{index % 1000:03d}"]
    while index >= 1000:
        index //= 1000
        parts.insert(0, f"x{index % 1000:03d}")
    return f"tile/{level}/{'/'.join(parts)}" + (f".p/{width}" if width < 256 else "")


def tiles(entries):
    """All files of a log of these entries, by path."""
    files, hashes = {}, [leaf_hash(entry) for entry in entries]
    for at in range(0, len(entries), 256):
        part = entries[at:at + 256]
        files[tile_path("entries", at // 256, len(part))] = b"".join(len(e).to_bytes(2, "big") + e for e in part)
    level = 0
    while hashes:
        parts = [hashes[at:at + 256] for at in range(0, len(hashes), 256)]
        for index, part in enumerate(parts):
            files[tile_path(level, index, len(part))] = b"".join(part)
        hashes = [tree_root(part) for part in parts if len(part) == 256]
        level += 1
    return files


def read_entries(bundle, width):
    """The entries of a bundle; of one that has more than the width in its name, the first one too many is the last."""
    entries, at = [], 0
    while at < len(bundle) and len(entries) <= width:
        end = at + 2 + int.from_bytes(bundle[at:at + 2], "big")
        if end > len(bundle):
            raise ValueError("a bundle does not end with an entry")
        entries.append(bundle[at + 2:end])
        at = end
    return entries


# Notes. A key is (name, id, type, public key); type 1 signs notes, 4 signs checkpoints with the time.


def key_of(name, kind, public):
    return name, sha256(name.encode() + b"\n" + bytes([kind]) + public)[:4], kind, public


def is_key_name(name):
    return re.fullmatch(r"[^\s+]{1,255}", name) is not None and all(unicodedata.category(c)[0] not in "CZ" for c in name)


def read_vkey(text):
    name, key_id, material = text.split("+", 2)
    material = from_b64(material)
    holds = is_key_name(name) and len(material) == 33 and material[0] in (1, 4)
    key = key_of(name, material[0], material[1:]) if holds else None
    if key is None or key[1].hex() != key_id:
        raise ValueError(f"{text} is no key of a log or a witness")
    return key


def key_for(text, kind):
    key = read_vkey(text)
    if key[2] != kind:
        raise ValueError(f"{text} is a key of another kind")
    return key


def vkey(key):
    name, key_id, kind, public = key
    return f"{name}+{key_id.hex()}+{b64(bytes([kind]) + public)}"


def cosigned(text, time):
    return utf8(f"cosignature/v1\ntime {time}\n{text}")


def sign(seed, name, text, time=None):
    """A line of a note: a log's without a time, a witness's with it."""
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    if time is None:
        key, signature = key_of(name, 1, public), private.sign(text.encode())
    else:
        key, signature = key_of(name, 4, public), time.to_bytes(8, "big") + private.sign(cosigned(text, time))
    return vkey(key), f"\u2014 {name} {b64(key[1] + signature)}\n"


def read_note(note):
    """(text, [(name, bytes)]), whoever signed it"""
    text, parted, lines = note.rpartition("\n\n")
    if not parted or not lines.endswith("\n") or len(note) > 2**16 or re.search(r"[\x00-\x09\x0b-\x1f]", note):
        raise ValueError("the note is not whole")
    signatures = []
    for line in lines[:-1].split("\n"):
        dash, name, encoded = line.split(" ")
        raw = from_b64(encoded)
        if dash != "\u2014" or not is_key_name(name) or len(raw) < 5 or len(signatures) == 64:
            raise ValueError("the note has a signature that is none")
        signatures.append((name, raw))
    return text + "\n", signatures


# How many lines of one key are checked: each costs a millisecond or two, and strangers may add to a note.
LINES_OF_A_KEY = 4


def open_note(note, keys):
    """(text, {key: its first time, or None}) by the first lines of each key; ValueError where one of these is false, or
    none is there."""
    (text, signatures), signed, lines = read_note(note), {}, {}
    for name, raw in signatures:
        for key in (key for key in keys if key[:2] == (name, raw[:4])):
            lines[key] = lines.get(key, 0) + 1
            if lines[key] > LINES_OF_A_KEY:
                continue
            kind, public = key[2:]
            time = int.from_bytes(raw[4:12], "big") if kind == 4 else None
            message, signature = (cosigned(text, time), raw[12:]) if kind == 4 else (utf8(text), raw[4:])
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
            except InvalidSignature:
                raise ValueError(f"the signature of {name} is false") from None
            if kind == 4 and not 0 < time < 2**53:
                raise ValueError(f"the time of {name} is none")
            signed[key] = time if time is None else min(time, signed.get(key, time))
    if not signed:
        raise ValueError("no known key signed this")
    return text, signed


CHANGE = re.compile("(sum28/1 key\nbefore=(.+)\nafter=(.+)\nchanged_at=([0-9]{1,15})\n)signature=(.+)\n")


def key_change(text):
    """(key before, key after, unix seconds) of an entry in which a log's key has signed which key follows it; None where it is none."""
    found = CHANGE.fullmatch(text)
    try:
        before, after = (key_for(key, 1) for key in found.groups()[1:3])
        signed, _ = open_note(f"{found[1]}\n\u2014 {before[0]} {found[5]}\n", [before])
    except (AttributeError, ValueError):
        return None
    return (before, after, int(found[4])) if before[0] == after[0] and signed == found[1] else None


def followed(keys, texts):
    """The keys, and all that these entries lead to: of a stranger's, a hundred are read."""
    known, changes = list(keys), [change for change in map(key_change, texts[:100]) if change]
    for _ in changes:
        known += [after for before, after, _ in changes if before in known and after not in known]
    return known


def keys_at(keys, texts, at):
    """The keys without those that were changed by a moment, in unix seconds; one to which the house went back later stays.
    The texts are in the log's order, whatever its clock said."""
    changed = set()
    for before, after, changed_at in [change for change in map(key_change, texts[:100]) if change]:
        changed |= {before} if changed_at <= at else set()
        changed -= {after}
    return [key for key in keys if key not in changed]


def read_changes(file):
    """The entries in the file /tlog/keys, with an empty line between two of them."""
    return re.split("(?<=\n)\n", file)


def checkpoint(text):
    """(origin, size, root) of a note's text"""
    lines = text.split("\n")
    if len(lines) < 4 or lines.pop() or "" in lines or not re.fullmatch("0|[1-9][0-9]{0,15}", lines[1]):
        raise ValueError("this is no state of a log")
    size, root = int(lines[1]), from_b64(lines[2])
    if size >= 2**53 or len(root) != 32:
        raise ValueError("this is no state of a log")
    return lines[0], size, root
