/**
 * What a receipt or a round's file shows of the public log: that the log has the seed's commitment, the announcement, the
 * closed book and the end as the file has them, and that the log's key signed it. A witness signed the book before the
 * beacon's value existed, and the end at any time; of witnesses that the reader names, each signed both.
 */
import { type BeaconClock, timeOfRound } from './beacon.ts'
import { readBookLeaf } from './book-tree.ts'
import { type CheckStep, compare } from './check-step.ts'
import { UNLOGGED_MAX_S } from './log-times.ts'
import {
  type CheckedLog,
  checkLog,
  compareEntry,
  countedTime,
  firstOf,
  keysOf,
  type LoggedEntry,
  type LogKeys,
  readPairs,
  rootOfEntry,
  type ShownLog,
  type TrustedKeys,
} from './logged-entry.ts'
import { QUICKNET } from './quicknet.ts'
import { readNote, signaturesOf, type VerifierKey } from './signed-note.ts'
import type { PublishedRound } from './verify-round.ts'

/** The part of a file that proves what the log has of its round. */
export interface LogProof extends ShownLog {
  /** The commitment of the chain that has the round's seed. */
  readonly chain: LoggedEntry
  readonly announcement: LoggedEntry
  /** Null until it is in a signed state of the log. */
  readonly book: LoggedEntry | null
  /** The draw or the void, null until it is in a signed state: a later one than that of the book. */
  readonly end: LoggedEnd | null
  /** Of a receipt: the rules by which its bet was accepted; null without a bet. */
  readonly rules: LoggedEntry | null
}

/** An entry with a state of the log of its own. */
export interface LoggedEnd extends LoggedEntry {
  /** A signed note. */
  readonly checkpoint: string
}

export interface LoggedRound extends PublishedRound {
  readonly book: PublishedRound['book'] & {
    /** The first witness's time, in unix seconds. */
    readonly witnessed_at: number | null
  }
  readonly log: LogProof | null
}

export type LogStepName =
  | 'log-chain'
  | 'log-announcement'
  | 'log-rules'
  | 'log-odds'
  | 'log-book'
  | 'log-end'
  | 'log-entries'
  | 'log-signature'
  | 'beacon-seen'
  | 'witness'
  | 'end-witness'
  | 'receipt-signature'

/** A bet's line, and the note by which the log's key signed it. */
export interface SignedLine {
  readonly leaf: string
  readonly signed: string
  /** Whose bet it is. */
  readonly player_id: number
}

export type LogStep = CheckStep<LogStepName>

/**
 * The text of the note by which the log's key signs that a player's bet was accepted, as this line of the book: of two
 * equal bets each needs a line of its own.
 */
export function receiptNoteText({
  gameId,
  issue,
  playerId,
  leaf,
}: {
  gameId: number
  issue: string
  playerId: number
  leaf: string
}): string {
  return `sum28/1 receipt\ngame=${gameId}\nissue=${issue}\nplayer=${playerId}\nleaf=${leaf}\n`
}

/**
 * Checks a file against the log. A step without a result (null) is not proved: the file does not show this entry, or no
 * witness signed it in time. Only a round before its seal has no steps of a book, one before its end none of an end.
 * Never throws.
 *
 * @param now when the file was fetched, in unix seconds, if that is known: what the log has to have by then, and has not,
 *   fails. Of a file that was saved it is not known.
 */
export function verifyLog({
  round,
  receipt,
  trusted = {},
  now = Number.NEGATIVE_INFINITY,
}: {
  round: LoggedRound
  receipt?: SignedLine | undefined
  trusted?: TrustedKeys
  now?: number
}): LogStep[] {
  const keys = keysOf(round.log, trusted, announcedAt(round))
  return [
    ...entrySteps(round, now),
    ...stateSteps(round, keys),
    ...(receipt ? rulesSteps(round, receipt, keys) : []),
    ...(receipt
      ? [signedStep(round, receipt, trusted.log ? keys.logs : signersOf(round, keys))]
      : []),
  ]
}

/**
 * Of a round that is drawn and not settled: when a witness had signed the log with its end, in unix seconds by the
 * witness's clock; undefined if the file does not show that.
 */
export function endSeenAt(round: LoggedRound, trusted: TrustedKeys = {}): number | undefined {
  const { log } = round
  if (round.status !== 'drawn' || !log?.end) return undefined
  return checkLog(log.end, keysOf(log, trusted, announcedAt(round))).finalAt ?? undefined
}

/** When the round was announced: whoever held a key of the log before that signs nothing of it. In unix seconds. */
function announcedAt({ log, ends_at }: LoggedRound): number {
  const opens = fieldOf(log?.announcement.text ?? '', 'opens') ?? ''
  return /^[0-9]{1,15}$/.test(opens) ? Number(opens) : ends_at
}

/** Of keys that a file alone names, those that signed its log: another may be nobody's. */
function signersOf({ log }: LoggedRound, keys: LogKeys): readonly VerifierKey[] {
  const signed = log ? checkLog(log, keys).signedBy : []
  return signed.length > 0 ? signed : keys.logs
}

function hasBook({ book, log }: LoggedRound): boolean {
  return book.root !== null || (log?.book ?? null) !== null
}

/** Whether it has a book, or was voided for want of one: then no witness can have seen it in time. */
function hasWitness(round: LoggedRound): boolean {
  return hasBook(round) || round.void?.reason === 'sealed_late'
}

function hasEnd({ status, log }: LoggedRound): boolean {
  return (status !== 'open' && status !== 'sealed') || (log?.end ?? null) !== null
}

/** Whether each entry says of the round what the file says. */
function entrySteps(round: LoggedRound, now: number): LogStep[] {
  const { log } = round
  const isOver = now > round.voids_at + UNLOGGED_MAX_S
  const isClosed = now > round.ends_at + UNLOGGED_MAX_S
  const steps = [
    stated('log-chain', log?.chain, { kind: 'chain', fields: chainFields(round) }),
    stated('log-announcement', log?.announcement, {
      kind: 'announcement',
      fields: announcementFields(round),
    }),
    ...(hasBook(round)
      ? [stated('log-book', log?.book, { kind: 'book', fields: bookFields(round) })]
      : []),
    ...(hasEnd(round) || isOver ? [stated('log-end', log?.end, endOf(round))] : []),
  ]
  return steps.map((step) => {
    const isDue = step.name === 'log-end' ? isOver : isClosed
    return step.ok === null && isDue ? { ...step, ok: false } : step
  })
}

/** What an entry has to state: of no fields if the file has none of it. */
type Statement = Parameters<typeof compareEntry>[1]

function stated(name: LogStepName, ...compared: Parameters<typeof compareEntry>): LogStep {
  return { name, ...compareEntry(...compared) }
}

function chainFields({ chain_id, game_id, commitment }: LoggedRound): Statement['fields'] {
  return { chain: chain_id, game: game_id, commitment }
}

function announcementFields({ beacon, ...round }: LoggedRound): Statement['fields'] {
  return {
    game: round.game_id,
    issue: round.issue,
    chain: round.chain_id,
    index: round.index,
    beacon: beacon.chain_hash,
    beacon_key: beacon.public_key,
    beacon_genesis: beacon.genesis_time,
    beacon_period: beacon.period,
    beacon_round: beacon.round,
    draws: round.ends_at,
    voids_at: round.voids_at,
  }
}

function bookFields({ game_id, issue, book }: LoggedRound): Statement['fields'] {
  const { root, size, sealed_at } = book
  return root === null ? null : { game: game_id, issue, root, size, sealed_at }
}

/** The draw as seed, beacon's value and digits; or the void. */
function endOf({ game_id: game, issue, status, beacon, ...round }: LoggedRound): Statement {
  if (status === 'voided') {
    const { reason, voided_at } = round.void ?? {}
    const isVoid = reason !== undefined && voided_at !== undefined
    return { kind: 'void', fields: isVoid ? { game, issue, reason, voided_at } : null }
  }
  const { seed, digits } = round
  const { signature, round: beacon_round } = beacon
  const isDrawn = seed !== null && signature !== null && digits !== null && status !== 'open'
  const fields = { game, issue, beacon_round, signature, seed, digits: digits?.join(',') ?? null }
  return { kind: 'draw', fields: isDrawn && status !== 'sealed' ? fields : null }
}

/** Whether the entries stand in the signed log, in their order, and when witnesses signed them. */
function stateSteps(round: LoggedRound, keys: LogKeys): LogStep[] {
  const { log } = round
  const first = log && checkLog(log, keys)
  const last = log?.end ? checkLog({ ...log, checkpoint: log.end.checkpoint }, keys) : null
  return [
    ...(log && first ? [placesStep(log, first, last), signatureStep(first, last)] : []),
    ...(log?.book ? [beaconSeenStep(round, log.book)] : []),
    ...(hasWitness(round) ? [witnessStep(round, log?.book ? first : null, last, keys)] : []),
    ...(hasEnd(round) ? [endWitnessStep(round, first, last)] : []),
  ]
}

/** Commitment, announcement, book and end follow each other; the first three lead to one root, the end to its own. */
function placesStep(
  { chain, announcement, book, end }: LogProof,
  first: CheckedLog,
  last: CheckedLog | null,
): LogStep {
  const ofFirst = [chain, announcement, ...(book ? [book] : [])]
  const placed = [
    ...ofFirst.map((entry) => ({ entry, state: first })),
    ...(end && last ? [{ entry: end, state: last }] : []),
  ]
  const places = placed.map(({ entry }) => entry.index)
  const inOrder = places.every((place, at) => at === 0 || (places[at - 1] ?? place) < place)
  const roots = placed.map(({ entry, state }) => rootOfEntry(entry, state.size))
  const lead = roots.every((root, at) => root !== null && root === placed[at]?.state.root)
  return {
    name: 'log-entries',
    ok: inOrder && lead,
    computed: inOrder ? distinct(roots) : null,
    published: distinct(placed.map(({ state }) => state.root)),
  }
}

function signatureStep(first: CheckedLog, last: CheckedLog | null): LogStep {
  const states = last ? [first, last] : [first]
  return {
    name: 'log-signature',
    ok: states.every(({ signer, origin }) => signer !== null && signer === origin),
    computed: distinct(states.map(({ signer }) => signer)),
    published: distinct(states.map(({ origin }) => origin)),
  }
}

function distinct(values: readonly (string | null)[]): string | null {
  return [...new Set(values.filter((value) => value !== null))].join(' ') || null
}

function beaconSeenStep({ beacon }: LoggedRound, book: LoggedEntry): LogStep {
  const seen = fieldOf(book.text, 'beacon_seen')
  return {
    name: 'beacon-seen',
    ok: seen !== null && /^[0-9]{1,15}$/.test(seen) && Number(seen) < beacon.round,
    computed: String(beacon.round),
    published: seen,
  }
}

/** Without a witness in time the step has no result; with a time that the round denies it fails. */
function witnessStep(
  round: LoggedRound,
  first: CheckedLog | null,
  last: CheckedLog | null,
  { required }: LogKeys,
): LogStep {
  const published = round.book.witnessed_at
  const counted = countedWitnesses(first, last)
  const time = countedTime(new Map(counted), required)
  const firstTime = firstOf(counted.map(([, at]) => at))
  const step = {
    name: 'witness' as const,
    computed: time === null ? null : String(time),
    published: published === null ? null : String(published),
  }
  if (firstTime === null) return { ...step, ok: null }
  // It states the first of its witnesses, and the reader may know others.
  if (published === null || published > firstTime) return { ...step, ok: false }
  return { ...step, ok: time !== null && time < valueAt(round) ? true : null }
}

/** A witness that signed both states has seen that the later one continues the other. */
function countedWitnesses(first: CheckedLog | null, last: CheckedLog | null) {
  const ofEnd = last?.cosigned.size ? last.cosigned : null
  return [...(first?.cosigned ?? [])].filter(([key]) => ofEnd?.has(key) ?? true)
}

/**
 * The witnesses that signed both states; if some of them signed what decided the round, its book or its void, in time, these
 * alone: a reader who knows only a late one knows nobody who saw it in time.
 */
export function witnessesOf(
  round: LoggedRound,
  first: CheckedLog | null,
  last: CheckedLog | null,
): VerifierKey[] {
  const counted = countedWitnesses(first, last).map(([key]) => key)
  const decided = round.status === 'voided' ? last : first
  const inTime = counted.filter((key) => (decided?.cosigned.get(key) ?? Infinity) < valueAt(round))
  return inTime.length > 0 ? inTime : counted
}

/** What a witness signed is in the log that everybody can read. Persons may void a round only before its value exists. */
function endWitnessStep(
  round: LoggedRound,
  first: CheckedLog | null,
  last: CheckedLog | null,
): LogStep {
  // The end of another log, which a house may have begun anew, is not that of this book.
  const time = last && last.origin === first?.origin ? last.finalAt : null
  const isEarly = round.void?.reason !== 'two_persons' || (time ?? 0) < valueAt(round)
  return {
    name: 'end-witness',
    ok: time !== null && isEarly ? true : null,
    computed: time === null ? null : String(time),
    published: null,
  }
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

/**
 * A line names the room's rules: the announcement must have the same version of them, and the log must have said these
 * before it, with the odds of the line.
 */
function rulesSteps(
  { log, game_id: game }: LoggedRound,
  { leaf }: { leaf: string },
  keys: LogKeys,
): LogStep[] {
  const line = readBookLeaf(leaf)
  if (!log || !line) {
    const unread = { ok: line ? null : false, computed: null, published: null }
    return [
      { name: 'log-rules', ...unread },
      { name: 'log-odds', ...unread },
    ]
  }
  const { planId, playType, odds, rulesVersion } = line
  const published = fieldOf(log.announcement.text, 'rules')
  const computed = `${planId}:${rulesVersion}`
  const ok = readPairs(published ?? '')?.get(planId) === rulesVersion
  const announced = { name: 'log-rules' as const, ok, computed, published }
  const selections = playType.match(/[0-9]+/g) ?? []
  const mine = selections.map((rule, at): [string, string] => [rule, odds[at] ?? ''])
  return [announced, oddsStep(log, { game, room: planId, version: rulesVersion, mine }, keys)]
}

function oddsStep(
  { rules, announcement, ...log }: LogProof,
  {
    mine,
    ...fields
  }: { game: number; room: string; version: string; mine: readonly (readonly [string, string])[] },
  keys: LogKeys,
): LogStep {
  const { size, root } = checkLog(log, keys)
  const isIts = rules !== null && compareEntry(rules, { kind: 'rules', fields }).ok
  const leadsTo = isIts && rules.index < announcement.index ? rootOfEntry(rules, size) : null
  const isBefore = leadsTo !== null && leadsTo === root
  const said = (isBefore && fieldOf(rules?.text ?? '', 'odds')) || ''
  const odds = readPairs(said)
  const chosen = new Set(mine.map(([rule]) => rule))
  const ofChosen = said.split(',').filter((pair) => chosen.has(pair.split(':', 1)[0] ?? ''))
  return {
    name: 'log-odds',
    ok: mine.every(([rule, milli]) => odds?.get(rule) === milli),
    computed: mine.map((pair) => pair.join(':')).join(','),
    published: ofChosen.join(',') || null,
  }
}

function signedStep(
  { game_id, issue }: LoggedRound,
  { leaf, signed, player_id: playerId }: SignedLine,
  logs: readonly VerifierKey[],
): LogStep {
  const note = readNote(signed)
  const text = receiptNoteText({ gameId: game_id, issue, playerId, leaf })
  const published = note?.text ?? null
  if (logs.length === 0) return { name: 'receipt-signature', ok: null, computed: null, published }
  const valid = note !== null && (signaturesOf(note, logs)?.length ?? 0) > 0
  return compare('receipt-signature', { computed: valid ? text : null, published })
}

/** A field that the entry states once. */
function fieldOf(text: string, name: string): string | null {
  const values = text.split('\n').filter((line) => line.startsWith(`${name}=`))
  return values.length === 1 ? values[0]?.slice(name.length + 1) || null : null
}
