/** The worker that checks draws and receipts, and the messages to it and from it. */
import { Unreachable } from '@sum28/contract/client.ts'
import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import type { LogStepName } from '@sum28/fairness/logged-round.ts'
import type { SeenLog } from '@sum28/fairness/seen-log.ts'
import type { VerifyStep, VerifyStepName } from '@sum28/fairness/verify-round.ts'
import type { Receipt } from '#src/data/receipt.ts'

export type CheckInput = {
  readonly round: PublishedRoundOnWire
  readonly receipt?: Receipt
  /** The round of a receipt as the server tells it now; null if it knows none, undefined if it could not be asked. */
  readonly published?: PublishedRoundOnWire | null | undefined
  /** When the round was fetched, by either clock in unix seconds: see `fetchedAt`. Of a receipt it is not known. */
  readonly fetchedAt?: readonly number[]
}

/**
 * What is shown of the log, and what the server itself tells of it: a receipt may be anybody's file, and nothing is kept
 * of it.
 */
export type Shown = { readonly shown: SeenLog; readonly told: SeenLog | null }

export type OwnCheck = { readonly steps: CheckStep[]; readonly log: Shown | null }

export type CheckQuestion = { readonly id: number; readonly input: CheckInput }
export type CheckAnswer = { readonly id: number } & OwnCheck

/**
 * `chain`, `public`, `seen`, `keys`, `growth` and `kept` compare two published values. `clock`: by one of two clocks
 * something is due.
 */
export type CheckStepName =
  | VerifyStepName
  | Extract<LogStepName, 'witness' | 'receipt-signature'>
  | 'log'
  | 'clock'
  | 'chain'
  | 'public'
  | 'seen'
  | 'keys'
  | 'growth'
  | 'kept'
  | 'owner'

export type CheckStep = Omit<VerifyStep, 'name'> & { readonly name: CheckStepName }

let worker: Worker | null = null
let lastId = 0

/** Runs a check in a worker, one for the whole visit, so that later checks need no network. */
export function checkInWorker(input: CheckInput): Promise<OwnCheck> {
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
        resolve(data)
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
