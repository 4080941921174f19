/** What a file shows of the public log: an entry, its path to a checkpoint's root, and who has signed that checkpoint. */
import { fromHex, isHex, toHex } from './hex.ts'
import { HASH_BYTES, hashLeaf, rootOfInclusion } from './merkle-tree.ts'
import {
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
  /** A signed note. */
  readonly checkpoint: string
}

/** Keys that the reader has from another source than the file. Without one, the file's keys are taken. */
export interface TrustedKeys {
  readonly log?: VerifierKey | undefined
  readonly witnesses?: readonly VerifierKey[] | undefined
}

/** The keys by which a file's log is judged. */
export type LogKeys = {
  readonly logs: readonly VerifierKey[]
  readonly witnesses: readonly VerifierKey[]
}

export function keysOf(stated: readonly string[], trusted: TrustedKeys): LogKeys {
  const read = stated.flatMap((text) => readVerifierKey(text) ?? [])
  const ofType = (type: VerifierKey['type']) => read.filter((key) => key.type === type)
  return {
    logs: trusted.log ? [trusted.log] : ofType('log'),
    witnesses: trusted.witnesses?.length ? trusted.witnesses : ofType('witness'),
  }
}

/** A state of a log after its signatures were checked; what does not hold is null, or missing. */
export type CheckedLog = {
  readonly origin: string | null
  /** Entries. */
  readonly size: number
  /** In hex. */
  readonly root: string | null
  /** The name of the log's key that signed it. */
  readonly signer: string | null
  /** When witnesses signed it, in unix seconds by their clocks. */
  readonly times: readonly number[]
}

/** Never throws. A note with a false signature of a known key counts as signed by nobody. */
export function checkLog({ checkpoint }: ShownLog, { logs, witnesses }: LogKeys): CheckedLog {
  const note = readNote(checkpoint)
  const read = note && readCheckpoint(note.text)
  const signed = (note && signaturesOf(note, [...logs, ...witnesses])) ?? []
  return {
    ...{ origin: read?.origin ?? null, size: read?.size ?? 0 },
    root: read && toHex(read.root),
    signer: signed.find(({ key }) => key.type === 'log')?.key.name ?? null,
    times: signed.flatMap(({ time }) => time ?? []),
  }
}

/** The root, in hex, to which an entry's path leads; null if it fits no log of this size. */
export function rootOfEntry({ text, index, path }: LoggedEntry, size: number): string | null {
  if (!path.every((hash) => isHex(hash, HASH_BYTES))) return null
  const root = rootOfInclusion({
    leafHash: hashLeaf(new TextEncoder().encode(text)),
    path: path.map((hash) => fromHex(hash, HASH_BYTES)),
    ...{ index, size },
  })
  return root && toHex(root)
}

/** Fields as the lines that an entry has of them. */
export function fieldLines(fields: Readonly<Record<string, string | number | null>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** What an entry states in these fields; its other lines are left out. Null if it is of another kind. */
export function statedLines(
  { text }: LoggedEntry,
  kind: string,
  names: ReadonlySet<string>,
): string | null {
  const [first, ...lines] = text.split('\n')
  if (first !== `sum28/1 ${kind}`) return null
  return lines.filter((line) => names.has(line.split('=', 1)[0] ?? '')).join(' ')
}
