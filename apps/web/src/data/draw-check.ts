import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { UNLOGGED_MAX_S, UNSETTLED_MAX_S } from '@sum28/fairness/log-times.ts'
import type { SeenLog } from '@sum28/fairness/seen-log.ts'
import { serverTimeOf } from '@sum28/ui/server-clock.ts'
import { queryOptions } from '@tanstack/react-query'
import {
  type CheckInput,
  type CheckStep,
  type CheckStepName,
  checkInWorker,
  type Shown,
} from '#src/data/check-worker.ts'
import type { SeedChain } from '#src/data/fairness.ts'
import { keepKeys, trustedKeys } from '#src/data/kept-keys.ts'
import { keptLine } from '#src/data/kept-lines.ts'
import { growthOf } from '#src/data/kept-log.ts'
import { keptRoot } from '#src/data/kept-roots.ts'
import type { Receipt } from '#src/data/receipt.ts'

/** Runs the check in a worker of its own. */
export function drawCheckQuery(input: CheckInput) {
  return queryOptions({
    queryKey: ['draw-check', input],
    // What could not be fetched is asked for again.
    staleTime: ({ state }) =>
      state.data?.some(({ name, ok }) => name === 'growth' && ok === null)
        ? 0
        : Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async (): Promise<CheckStep[]> => {
      const { steps, log } = await checkInWorker(input)
      return log ? [...steps, ...(await logKeptSteps(log))] : steps
    },
  })
}

/**
 * When a round was fetched, as far as it decides what the log and the round had to have by then: each time is the last at which more was
 * due. The device's clock is right or the server's, and only a person can see which.
 *
 * @param at milliseconds since 1970 by the device
 */
export function fetchedAt(
  { log, ends_at, voids_at, ...round }: PublishedRoundOnWire,
  at: number,
): Pick<CheckInput, 'fetchedAt'> {
  if (log?.book && log.end && round.seed !== null && round.status !== 'drawn') return {}
  const logged = [ends_at, voids_at].map((time) => time + UNLOGGED_MAX_S + 1)
  const isUnfinished = round.status === 'drawn' || round.seed === null
  const lastDue = (now: number) => {
    // After an outage a round may have ended late: each quarter of an hour more may be due.
    const quarters = Math.max(1, Math.floor((now / 1_000 - 1 - voids_at) / UNSETTLED_MAX_S))
    const due = [...logged, voids_at + (isUnfinished ? quarters : 1) * UNSETTLED_MAX_S + 1]
    return Math.max(0, ...due.filter((time) => time <= now / 1_000))
  }
  return { fetchedAt: [at, serverTimeOf(at)].map(lastDue) }
}

export type KeptStep<Name extends CheckStepName> = CheckStep & { readonly name: Name }

/** Compares what is shown of the log with what this device kept of it, and keeps more. */
export async function logKeptSteps(log: Shown): Promise<[KeptStep<'keys'>, KeptStep<'growth'>]> {
  const { shown, told } = log
  const keys = keysStep(log)
  const known = told && knowsKeysOf(told) ? told.states : []
  const growth = await growthOf([...shown.states, ...(told?.states ?? [])], known)
  const [computed, published] = [growth.kept, shown.states.at(-1)].map((state) =>
    state ? `${state.size} · ${state.root}` : null,
  )
  return [
    keys,
    { name: 'growth', ok: growth.ok, computed: computed ?? null, published: published ?? null },
  ]
}

/**
 * The keys that signed must be among the first that this device saw, of the log and of a witness, or follow from one of
 * them; else it has no result.
 */
export function keysStep({ shown, told }: Shown): KeptStep<'keys'> {
  keepKeys(told?.named ?? [], [...(told?.changes ?? []), ...shown.changes])
  return {
    name: 'keys',
    ok: knowsKeysOf(shown) || null,
    computed: [...new Set(signersOf(shown).flat())].join('\n'),
    published: trustedKeys().join('\n'),
  }
}

/** The keys that signed each state and the receipt, and the witnesses that count: of each one has to be known. */
function signersOf({ states, witnesses, receiptSigners }: SeenLog): (readonly string[])[] {
  return [
    ...states.map(({ signers }) => signers),
    ...(witnesses.length > 0 ? [witnesses] : []),
    ...(receiptSigners ? [receiptSigners] : []),
  ]
}

function knowsKeysOf(seen: SeenLog): boolean {
  const trusted = trustedKeys()
  return signersOf(seen).every((keys) => keys.some((key) => trusted.includes(key)))
}

export function linesOf(value: string | null): string[] {
  return value ? value.split('\n') : []
}

/**
 * Whether the round's commitment is the one that its chain has in the public list; no result without that list, or if
 * the list is older than the round and lacks the chain.
 *
 * @param listedAt when the list was fetched, milliseconds since 1970 by the server's clock; by default just now
 */
export function chainStep(
  round: PublishedRoundOnWire,
  chains: readonly SeedChain[] | undefined,
  listedAt = Number.POSITIVE_INFINITY,
): CheckStep {
  const chain = chains?.find(
    ({ id, game_id }) => id === round.chain_id && game_id === round.game_id,
  )
  const published = chain?.commitment ?? null
  if (!chains || (!chain && listedAt < round.ends_at * 1_000)) {
    return { name: 'chain', ok: null, computed: round.commitment, published }
  }
  const inTime = chain !== undefined && chain.committed_at < round.ends_at
  return {
    name: 'chain',
    ok: inTime && published === round.commitment,
    computed: round.commitment,
    published,
  }
}

/**
 * Whether a receipt states the same of its round as the server publishes. Values that the receipt
 * lacks, because it was saved before the draw, are not compared.
 */
export function publicStep(receipt: Receipt, round: PublishedRoundOnWire | null): CheckStep {
  const theirs = round ? factsOf(round) : null
  const facts = factsOf(receipt.proof)
  const differing = theirs
    ? facts.findIndex((fact, at) => fact !== null && fact !== theirs[at])
    : facts.findIndex((fact) => fact !== null)
  // The first difference is shown, or the book's root if there is none.
  const shown = differing === -1 ? BOOK_ROOT : differing
  return {
    name: 'public',
    ok: differing === -1,
    computed: facts[shown] ?? null,
    published: theirs?.[shown] ?? null,
  }
}

const BOOK_ROOT = 0

/**
 * Whether the book is the one that this device saw at the seal. Null if it saw none, and for a receipt that was saved
 * before the seal: in every later state, a round whose book was seen has one.
 */
export function seenStep({ game_id, issue, status, book }: PublishedRoundOnWire): CheckStep | null {
  const seen = keptRoot({ gameId: game_id, roundId: issue })
  if (seen === null || (status === 'open' && book.root === null)) return null
  return { name: 'seen', ok: seen === book.root, computed: seen, published: book.root }
}

/** Whether a receipt's line is the one that this device kept when the bet was placed; null if it kept none. */
export function keptStep({ orderNo, proof }: Receipt): CheckStep | null {
  const kept = keptLine(orderNo)
  if (!kept) return null
  return { name: 'kept', ok: kept.leaf === proof.leaf, computed: kept.leaf, published: proof.leaf }
}

/** Whether a receipt is of the player who is signed in: that of another proves nothing to him. */
export function ownerStep({ proof }: Receipt, userId: string | undefined): CheckStep | null {
  const { player_id: owner } = proof
  if (userId === undefined) return null
  const isOwn = String(owner) === userId
  return { name: 'owner', ok: isOwn || null, computed: userId, published: String(owner) }
}

function factsOf({ book, beacon, ...round }: PublishedRoundOnWire): (string | null)[] {
  return [
    book.root,
    book.size === null ? null : String(book.size),
    round.commitment,
    `${round.chain_id} ${round.index}`,
    round.seed,
    `${beacon.kind} ${beacon.round} ${beacon.public_key}`,
    beacon.signature,
    beacon.randomness,
    round.digits?.join(' ') ?? null,
    `${round.ends_at} ${round.voids_at}`,
    book.sealed_at === null ? null : String(book.sealed_at),
    round.void && `${round.void.reason} ${round.void.voided_at}`,
  ]
}

/** What is published beside the round: without a result it proves nothing, and the draw does not wait for it. */
const BESIDE: readonly string[] = [
  ...(['log', 'clock', 'witness', 'keys', 'growth', 'receipt-signature'] as const),
  ...(['owner', 'chain'] as const),
] satisfies CheckStepName[]

/**
 * - `unproved`: all holds, by a beacon of the operator's own.
 * - `unwitnessed`: all holds, but no witness saw before the beacon's number existed what decided the round: its book, or
 *   its void.
 * - `newKeys`: all holds, by keys that are none of the first that this device saw.
 * - `incomplete`: all holds that is shown, but the public log or the list of chains does not show all of it.
 */
export type CheckVerdict =
  | 'verified'
  | 'unproved'
  | 'unwitnessed'
  | 'newKeys'
  | 'incomplete'
  | 'failed'
  | 'voided'
  | 'early'
  | 'pending'

export function verdictOfCheck(
  steps: readonly CheckStep[],
  { round, receipt }: CheckInput,
): CheckVerdict {
  if (steps.length === 0 || steps.some(({ ok }) => ok === false)) return 'failed'
  const unproved = steps.filter(({ name, ok }) => ok === null && BESIDE.includes(name))
  const isShown = unproved.every(({ name }) => name === 'witness' || name === 'keys')
  const isNew = unproved.some(({ name }) => name === 'keys')
  if (round.status === 'voided') {
    const isRefunded = steps.every(({ name, ok }) => name !== 'receipt-refund' || ok === true)
    if (!isShown || !isRefunded) return 'incomplete'
    // When a book was closed decides nothing then; whether one, or the beacon's number, was kept back may have.
    if (round.void?.reason !== 'two_persons') return 'unwitnessed'
    return isNew ? 'newKeys' : 'voided'
  }
  if (steps.some(({ name, ok }) => ok === null && !BESIDE.includes(name))) {
    return receipt ? 'early' : 'pending'
  }
  if (round.beacon.kind === 'local') return 'unproved'
  if (!steps.some(({ name, ok }) => name === 'witness' && ok === true)) return 'unwitnessed'
  if (!isShown) return 'incomplete'
  return isNew ? 'newKeys' : 'verified'
}
