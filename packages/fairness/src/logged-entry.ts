/** What a file shows of the public log: an entry, its path to a checkpoint's root, and who has signed that checkpoint. */
import { fromHex, isHex, toHex } from './hex.ts'
import { followKeys, keyChangesIn, keysAt } from './key-change.ts'
import { HASH_BYTES, hashLeaf, rootOfInclusion } from './merkle-tree.ts'
import {
  formatVerifierKey,
  readCheckpoint,
  readNote,
  readVerifierKey,
  signaturesOf,
  type VerifierKey,
} from './signed-note.ts'

/** An entry of the log, and its path to the checkpoint's root. */
export interface LoggedEntry {
  readonly text: string
  /** Its place in the log, from 0. */
  readonly index: number
  /** Hashes in hex. */
  readonly path: readonly string[]
}

/** A signed state of a log. */
export interface ShownLog {
  /** Keys of the log and of its witnesses, as its operator states them. */
  readonly keys: readonly string[]
  /** The entries in which a key of the log named the next one, oldest first. */
  readonly key_changes: readonly string[]
  /** A signed note. */
  readonly checkpoint: string
}

/**
 * Keys that the reader has from another source than the file. Without one, the file's keys are taken, and one witness of
 * them is enough; of those that the reader names, each must have signed, and the latest of their times counts. The log's
 * key leads to those that followed it.
 */
export interface TrustedKeys {
  readonly log?: VerifierKey | undefined
  readonly witnesses?: readonly VerifierKey[] | undefined
}

/** The keys by which a file's log is judged. */
export type LogKeys = {
  readonly logs: readonly VerifierKey[]
  readonly witnesses: readonly VerifierKey[]
  /** Witnesses of whom each must have signed what is final. */
  readonly required: readonly VerifierKey[]
}

/**
 * @param log null for a file that shows none
 * @param at when what it shows was new, in unix seconds: keys of the log that were changed by then do not count
 */
export function keysOf(
  log: Pick<ShownLog, 'keys' | 'key_changes'> | null,
  trusted: TrustedKeys,
  at = Number.NEGATIVE_INFINITY,
): LogKeys {
  const read = log?.keys.flatMap((text) => readVerifierKey(text) ?? []) ?? []
  const ofType = (type: VerifierKey['type']) => read.filter((key) => key.type === type)
  // One that the reader names twice signs once.
  const byText = (trusted.witnesses ?? []).map((key) => [formatVerifierKey(key), key] as const)
  const required = [...new Map(byText).values()]
  const changes = keyChangesIn(log?.key_changes ?? [])
  return {
    logs: keysAt(trusted.log ? followKeys([trusted.log], changes) : ofType('log'), changes, at),
    witnesses: required.length > 0 ? required : ofType('witness'),
    required,
  }
}

/** A state of a log after its signatures were checked; what does not hold is null, or missing. */
export type CheckedLog = {
  readonly origin: string | null
  /** Entries. */
  readonly size: number
  /** In hex. */
  readonly root: string | null
  /** The log's keys that signed it, and the name of the first. */
  readonly signedBy: readonly VerifierKey[]
  readonly signer: string | null
  /** When each witness signed it first, in unix seconds by its clock. */
  readonly cosigned: ReadonlyMap<VerifierKey, number>
  /** The time that counts: see {@link countedTime}. */
  readonly finalAt: number | null
}

/** Never throws. A note with a false signature of a known key counts as signed by nobody. */
export function checkLog(
  { checkpoint }: Pick<ShownLog, 'checkpoint'>,
  { logs, witnesses, required }: LogKeys,
): CheckedLog {
  const note = readNote(checkpoint)
  const read = note && readCheckpoint(note.text)
  const signed = (note && signaturesOf(note, [...logs, ...witnesses])) ?? []
  const cosigned = new Map<VerifierKey, number>()
  for (const { key, time } of signed) {
    if (time !== null) cosigned.set(key, Math.min(time, cosigned.get(key) ?? time))
  }
  const signedBy = signed.flatMap(({ key }) => (key.type === 'log' ? key : []))
  return {
    origin: read?.origin ?? null,
    size: read?.size ?? 0,
    root: read && toHex(read.root),
    signedBy,
    signer: signedBy[0]?.name ?? null,
    cosigned,
    finalAt: countedTime(cosigned, required),
  }
}

/**
 * The latest time of the witnesses who have to have signed, null if one has not: one alone could lie. If nobody has to,
 * the first time of all.
 */
export function countedTime(
  cosigned: ReadonlyMap<VerifierKey, number>,
  required: readonly VerifierKey[],
): number | null {
  if (required.length === 0) return firstOf([...cosigned.values()])
  const times = required.flatMap((key) => cosigned.get(key) ?? [])
  return times.length === required.length ? Math.max(...times) : null
}

export function firstOf(times: readonly number[]): number | null {
  return times.length > 0 ? Math.min(...times) : null
}

/** The root, in hex, to which an entry's path leads; null if it fits no log of this size. */
export function rootOfEntry({ text, index, path }: LoggedEntry, size: number): string | null {
  if (!path.every((hash) => isHex(hash, HASH_BYTES))) return null
  const root = rootOfInclusion({
    leafHash: hashLeaf(new TextEncoder().encode(text)),
    path: path.map((hash) => fromHex(hash, HASH_BYTES)),
    index,
    size,
  })
  return root && toHex(root)
}

/**
 * Compares an entry with what it has to state, line by line; its other lines are left out.
 *
 * @param fields null if nothing can be stated, so that no entry is right
 */
export function compareEntry(
  entry: LoggedEntry | null | undefined,
  {
    kind,
    fields,
  }: {
    readonly kind: string
    readonly fields: Readonly<Record<string, string | number | null>> | null
  },
): { ok: boolean | null; computed: string | null; published: string | null } {
  const mine = fields && Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const [first, ...lines] = entry?.text.split('\n') ?? []
  const isNamed = (line: string) => Object.hasOwn(fields ?? {}, line.split('=', 1)[0] ?? '')
  const theirs = mine && first === `sum28/1 ${kind}` ? lines.filter(isNamed) : null
  return {
    ok: entry ? theirs !== null && JSON.stringify(theirs) === JSON.stringify(mine) : null,
    computed: mine?.join(' ') ?? null,
    published: theirs?.join(' ') ?? null,
  }
}

/**
 * Reads a field that lists pairs of whole numbers, as `1:1920,408:17500`: an outcome's odds, or a room's version of its
 * rules. Null if it is no such list, or has the first number of a pair twice: it would say two things of one.
 */
export function readPairs(text: string): ReadonlyMap<string, string> | null {
  const parts = text.split(',')
  if (!parts.every((part) => PAIR.test(part))) return null
  const pairs = new Map(parts.map((part) => part.split(':') as [string, string]))
  return pairs.size === parts.length ? pairs : null
}

const PAIR = /^[1-9][0-9]{0,14}:[1-9][0-9]{0,14}$/
