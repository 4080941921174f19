/** Checking a draw or a receipt on the reader's own device. */
import { Unreachable } from '@sum28/contract/client.ts'
import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import type { LogStepName } from '@sum28/fairness/logged-round.ts'
import type { VerifyStep, VerifyStepName } from '@sum28/fairness/verify-round.ts'
import { queryOptions } from '@tanstack/react-query'
import type { SeedChain } from '#src/data/fairness.ts'
import { keepKeys, trustedKeys, typeOfKey } from '#src/data/kept-keys.ts'
import { keptLine } from '#src/data/kept-lines.ts'
import { keptRoot } from '#src/data/kept-roots.ts'
import type { Receipt } from '#src/data/receipt.ts'

export type CheckInput = {
  readonly round: PublishedRoundOnWire
  readonly receipt?: Receipt
}

/** The messages to the worker and from it. */
export type CheckQuestion = { readonly id: number; readonly input: CheckInput }
export type CheckAnswer = { readonly id: number; readonly steps: CheckStep[] }

/** `chain`, `public`, `seen`, `keys` and `kept` compare two published values. */
type CheckStepName =
  | VerifyStepName
  | Extract<LogStepName, 'witness' | 'receipt-signature'>
  | 'log'
  | 'chain'
  | 'public'
  | 'seen'
  | 'keys'
  | 'kept'
  | 'owner'

export type CheckStep = Omit<VerifyStep, 'name'> & { readonly name: CheckStepName }

/** Runs the check in a worker of its own. */
export function drawCheckQuery(input: CheckInput) {
  return queryOptions({
    queryKey: ['draw-check', input],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async (): Promise<CheckStep[]> => (await inWorker(input)).map(keysStep),
  })
}

/** The keys that signed must be among the first that this device saw, of the log and of a witness; else it has no result. */
export function keysStep(step: CheckStep): CheckStep {
  if (step.name !== 'keys') return step
  keepKeys(linesOf(step.published))
  const trusted = trustedKeys()
  const signed = linesOf(step.computed)
  const isKnown = signed.every((key) =>
    signed.some((other) => typeOfKey(other) === typeOfKey(key) && trusted.includes(other)),
  )
  return { ...step, ok: isKnown || null, published: trusted.join('\n') }
}

export function linesOf(value: string | null): string[] {
  return value ? value.split('\n') : []
}

let worker: Worker | null = null
let lastId = 0

/** One worker for the whole visit, so that later checks need no network. */
function inWorker(input: CheckInput): Promise<CheckStep[]> {
  worker ??= new Worker(new URL('./draw-check-worker.ts', import.meta.url), { type: 'module' })
  const current = worker
  lastId += 1
  const id = lastId
  return new Promise((resolve, reject) => {
    const answered = new AbortController()
    const { signal } = answered
    current.addEventListener(
      'message',
      ({ data }: MessageEvent<CheckAnswer>) => {
        if (data.id !== id) return
        answered.abort()
        resolve(data.steps)
      },
      { signal },
    )
    current.addEventListener(
      'error',
      (cause) => {
        answered.abort()
        // No input makes the worker fail: its program could not be fetched.
        if (worker === current) worker = null
        current.terminate()
        reject(new Unreachable({ timedOut: false, cause }))
      },
      { signal },
    )
    current.postMessage({ id, input } satisfies CheckQuestion)
  })
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
  const chain = chains?.find(({ id, gameId }) => id === round.chain_id && gameId === round.game_id)
  const published = chain?.commitment ?? null
  if (!chains || (!chain && listedAt < round.ends_at * 1_000)) {
    return { name: 'chain', ok: null, computed: round.commitment, published }
  }
  const inTime = chain !== undefined && chain.committedAt < round.ends_at * 1_000
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
  if (owner === undefined || userId === undefined) return null
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
  ...(['log', 'witness', 'keys', 'receipt-signature', 'owner', 'chain'] as const),
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

/** The result of all steps together. */
export function verdictOfCheck(
  steps: readonly CheckStep[],
  { round, receipt }: CheckInput,
): CheckVerdict {
  if (steps.length === 0 || steps.some(({ ok }) => ok === false)) return 'failed'
  const unproved = steps.filter(({ name, ok }) => ok === null && BESIDE.includes(name))
  const isShown = unproved.every(({ name }) => name === 'witness' || name === 'keys')
  const isNew = unproved.some(({ name }) => name === 'keys')
  if (round.status === 'voided') {
    if (!isShown) return 'incomplete'
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
