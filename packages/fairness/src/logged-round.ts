/**
 * What a receipt or a round's file shows of the public log: that the log has the announcement and the closed book as the
 * file has them, that the log's key signed it, and that a witness signed it before the beacon's value existed.
 */
import { type BeaconClock, timeOfRound } from './beacon.ts'
import { fromHex, isHex, toHex } from './hex.ts'
import { HASH_BYTES, hashLeaf, rootOfInclusion } from './merkle-tree.ts'
import { QUICKNET } from './quicknet.ts'
import {
  readCheckpoint,
  readNote,
  readVerifierKey,
  signaturesOf,
  type VerifierKey,
} from './signed-note.ts'
import type { PublishedRound, VerifyStep } from './verify-round.ts'

/** An entry of the log, and its path to the checkpoint's root. */
export interface LoggedEntry {
  readonly text: string
  /** Its place in the log, from 0. */
  readonly index: number
  /** Hashes in hex. */
  readonly path: readonly string[]
}

/** The part of a file that proves what the log has of its round. */
export interface LogProof {
  /** Keys of the log and of its witnesses, as its operator states them. */
  readonly keys: readonly string[]
  /** A signed note. */
  readonly checkpoint: string
  readonly announcement: LoggedEntry
  readonly book: LoggedEntry
}

export interface LoggedRound extends PublishedRound {
  readonly book: PublishedRound['book'] & {
    /** The first witness's time, in unix seconds. */
    readonly witnessed_at: number | null
  }
  readonly log: LogProof | null
}

/** Keys that the reader has from another source than the file. Without one, the file's keys are taken. */
export interface TrustedKeys {
  readonly log?: VerifierKey | undefined
  readonly witnesses?: readonly VerifierKey[] | undefined
}

export type LogStepName =
  | 'log-announcement'
  | 'log-book'
  | 'log-entries'
  | 'log-signature'
  | 'beacon-seen'
  | 'witness'
  | 'receipt-signature'

export type LogStep = Omit<VerifyStep, 'name'> & { readonly name: LogStepName }

/** The text of the note by which the log's key signs that a bet was accepted, as this line of the book. */
export function receiptNoteText({
  gameId,
  issue,
  leaf,
}: {
  gameId: number
  issue: string
  leaf: string
}): string {
  return `sum28/1 receipt\ngame=${gameId}\nissue=${issue}\nleaf=${leaf}\n`
}

/**
 * Checks a file against the log. A step without a result (null) is not proved: no witness signed the book in time, or
 * the file has no proof of the log. A round without a book has no steps. Never throws.
 */
export function verifyLog({
  round,
  receipt,
  trusted = {},
}: {
  round: LoggedRound
  receipt?: { readonly leaf: string; readonly signed: string } | undefined
  trusted?: TrustedKeys
}): LogStep[] {
  const keys = keysOf(round.log, trusted)
  return [
    ...(round.book.root === null ? [] : roundSteps(round, keys)),
    ...(receipt ? [signedStep(round, receipt, keys.logs)] : []),
  ]
}

type Keys = { logs: readonly VerifierKey[]; witnesses: readonly VerifierKey[] }

function keysOf(log: LogProof | null, trusted: TrustedKeys): Keys {
  const stated = (log?.keys ?? []).flatMap((text) => readVerifierKey(text) ?? [])
  const ofType = (type: VerifierKey['type']) => stated.filter((key) => key.type === type)
  return {
    logs: trusted.log ? [trusted.log] : ofType('log'),
    witnesses: trusted.witnesses?.length ? trusted.witnesses : ofType('witness'),
  }
}

function roundSteps(round: LoggedRound, keys: Keys): LogStep[] {
  const { log } = round
  if (!log) return [{ name: 'witness', ok: null, computed: null, published: null }]
  const note = readNote(log.checkpoint)
  const checkpoint = note && readCheckpoint(note.text)
  const signed = note && signaturesOf(note, [...keys.logs, ...keys.witnesses])
  const signer = signed?.find(({ key }) => key.type === 'log')?.key.name ?? null
  const { announcement, book } = log
  const roots = checkpoint
    ? [announcement, book].map((entry) => rootOf(entry, checkpoint.size))
    : [null]
  const inOrder = announcement.index < book.index && roots.every((root) => root === roots[0])
  const seen = Number(fieldOf(book.text, 'beacon_seen') ?? Number.NaN)
  return [
    same('log-announcement', announcementLines(round), linesOf(announcement, 'announcement')),
    same('log-book', bookLines(round), linesOf(book, 'book')),
    same('log-entries', inOrder ? (roots[0] ?? null) : null, checkpoint && toHex(checkpoint.root)),
    same('log-signature', signer, checkpoint?.origin ?? null),
    {
      name: 'beacon-seen',
      ok: Number.isSafeInteger(seen) && seen >= 0 && seen < round.beacon.round,
      computed: String(round.beacon.round),
      published: String(seen),
    },
    witnessStep(round, signed?.flatMap(({ time }) => time ?? []) ?? []),
  ]
}

/** Without a witness in time the step has no result; with a time that the round denies it fails. */
function witnessStep(round: LoggedRound, times: readonly number[]): LogStep {
  const published = round.book.witnessed_at
  const time = times.length > 0 ? Math.min(...times) : null
  const step = {
    name: 'witness' as const,
    computed: time === null ? null : String(time),
    published: published === null ? null : String(published),
  }
  if (time === null) return { ...step, ok: null }
  // It states the first of its witnesses, and the reader may know others.
  if (published === null || published > time) return { ...step, ok: false }
  return { ...step, ok: time < valueAt(round) ? true : null }
}

/** When the beacon's value exists, in unix seconds; by drand's clock for a round of drand. */
function valueAt({ beacon }: LoggedRound): number {
  const clock: BeaconClock =
    beacon.kind === 'drand' ? QUICKNET : { genesisTime: beacon.genesis_time, period: beacon.period }
  try {
    return timeOfRound(clock, beacon.round) / 1_000
  } catch {
    return 0
  }
}

function signedStep(
  { game_id, issue }: LoggedRound,
  { leaf, signed }: { leaf: string; signed: string },
  logs: readonly VerifierKey[],
): LogStep {
  const note = readNote(signed)
  const text = receiptNoteText({ gameId: game_id, issue, leaf })
  const step = { name: 'receipt-signature' as const, published: note?.text ?? null }
  if (logs.length === 0) return { ...step, ok: null, computed: null }
  const valid = note !== null && (signaturesOf(note, logs)?.length ?? 0) > 0
  const computed = valid ? text : null
  return { ...step, ok: computed !== null && computed === note?.text, computed }
}

function announcementLines({ beacon, ...round }: LoggedRound): string {
  return textOf({
    ...{ game: round.game_id, issue: round.issue, chain: round.chain_id, index: round.index },
    ...{ beacon: beacon.chain_hash, beacon_key: beacon.public_key },
    ...{ beacon_genesis: beacon.genesis_time, beacon_period: beacon.period },
    ...{ beacon_round: beacon.round, draws: round.ends_at, voids_at: round.voids_at },
  })
}

function bookLines({ game_id, issue, book }: LoggedRound): string {
  const { root, size, sealed_at } = book
  return textOf({ game: game_id, issue, root, size, sealed_at })
}

function textOf(fields: Record<string, string | number | null>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** What an entry states of a round; other lines are left out. Null if it is of another kind. */
function linesOf({ text }: LoggedEntry, kind: 'announcement' | 'book'): string | null {
  const [first, ...lines] = text.split('\n')
  if (first !== `sum28/1 ${kind}`) return null
  const names = kind === 'book' ? BOOK_FIELDS : ANNOUNCED_FIELDS
  return lines.filter((line) => names.has(line.split('=', 1)[0] ?? '')).join(' ')
}

const BOOK_FIELDS = new Set(['game', 'issue', 'root', 'size', 'sealed_at'])
const ANNOUNCED_FIELDS = new Set([
  ...['game', 'issue', 'chain', 'index', 'beacon', 'beacon_key', 'beacon_genesis'],
  ...['beacon_period', 'beacon_round', 'draws', 'voids_at'],
])

/** A field that the entry states once. */
function fieldOf(text: string, name: string): string | null {
  const values = text.split('\n').filter((line) => line.startsWith(`${name}=`))
  return values.length === 1 ? values[0]?.slice(name.length + 1) || null : null
}

function rootOf({ text, index, path }: LoggedEntry, size: number): string | null {
  if (!path.every((hash) => isHex(hash, HASH_BYTES))) return null
  const root = rootOfInclusion({
    leafHash: hashLeaf(new TextEncoder().encode(text)),
    path: path.map((hash) => fromHex(hash, HASH_BYTES)),
    ...{ index, size },
  })
  return root && toHex(root)
}

function same(name: LogStepName, computed: string | null, published: string | null): LogStep {
  return { name, ok: computed !== null && computed === published, computed, published }
}
