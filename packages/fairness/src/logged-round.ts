/**
 * What a receipt or a round's file shows of the public log: that the log has the announcement and the closed book as the
 * file has them, that the log's key signed it, and that a witness signed it before the beacon's value existed.
 */
import { type BeaconClock, timeOfRound } from './beacon.ts'
import {
  checkLog,
  fieldLines,
  keysOf,
  type LoggedEntry,
  type LogKeys,
  rootOfEntry,
  type ShownLog,
  statedLines,
  type TrustedKeys,
} from './logged-entry.ts'
import { QUICKNET } from './quicknet.ts'
import { readNote, signaturesOf, type VerifierKey } from './signed-note.ts'
import type { PublishedRound, VerifyStep } from './verify-round.ts'

/** The part of a file that proves what the log has of its round. */
export interface LogProof extends ShownLog {
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
  const keys = keysOf(round.log?.keys ?? [], trusted)
  return [
    ...(round.book.root === null ? [] : roundSteps(round, keys)),
    ...(receipt ? [signedStep(round, receipt, keys.logs)] : []),
  ]
}

function roundSteps(round: LoggedRound, keys: LogKeys): LogStep[] {
  if (!round.log) return [{ name: 'witness', ok: null, computed: null, published: null }]
  const { announcement, book } = round.log
  const log = checkLog(round.log, keys)
  const roots = [announcement, book].map((entry) => rootOfEntry(entry, log.size))
  const inOrder = announcement.index < book.index && roots.every((root) => root === roots[0])
  const seen = Number(fieldOf(book.text, 'beacon_seen') ?? Number.NaN)
  return [
    same(
      'log-announcement',
      announcementLines(round),
      statedLines(announcement, 'announcement', ANNOUNCED_FIELDS),
    ),
    same('log-book', bookLines(round), statedLines(book, 'book', BOOK_FIELDS)),
    same('log-entries', inOrder ? (roots[0] ?? null) : null, log.root),
    same('log-signature', log.signer, log.origin),
    {
      name: 'beacon-seen',
      ok: Number.isSafeInteger(seen) && seen >= 0 && seen < round.beacon.round,
      computed: String(round.beacon.round),
      published: String(seen),
    },
    witnessStep(round, log.times),
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
  return fieldLines({
    ...{ game: round.game_id, issue: round.issue, chain: round.chain_id, index: round.index },
    ...{ beacon: beacon.chain_hash, beacon_key: beacon.public_key },
    ...{ beacon_genesis: beacon.genesis_time, beacon_period: beacon.period },
    ...{ beacon_round: beacon.round, draws: round.ends_at, voids_at: round.voids_at },
  })
}

function bookLines({ game_id, issue, book }: LoggedRound): string {
  const { root, size, sealed_at } = book
  return fieldLines({ game: game_id, issue, root, size, sealed_at })
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

function same(name: LogStepName, computed: string | null, published: string | null): LogStep {
  return { name, ok: computed !== null && computed === published, computed, published }
}
