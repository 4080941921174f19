/**
 * Limits how many passwords are hashed at once, by kind of caller. Argon2id takes some 40 ms of a processor and 19
 * MiB each time, so it is the most expensive work that a stranger can cause. Strangers who sign in or register,
 * signed-in players, and staff have separate queues, so a flood of one kind does not delay the others. Together they
 * use as many of the process's four worker threads as two processors can serve, and no wait lasts longer than some
 * two seconds. One network has only some of a queue's places, and a wide one half of them.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { concurrencyLimit } from '#src/concurrency/concurrency-limit.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import { hashPassword, type Pepper, verifyPassword } from './password.ts'

export type Hashing = {
  /** Runs any other work in one of the places for hashing. */
  readonly within: BoundedWork
  /** As `hashPassword`; or too_many_requests. @param network the caller's, as `networkOf` names it */
  hash(password: string, network: string, pepper?: Pepper): Promise<string | Refusal>
  /** As `verifyPassword`; or too_many_requests. @param network the caller's, as `networkOf` names it */
  verify(
    password: string,
    stored: string | null,
    network: string,
    pepper?: Pepper,
  ): Promise<boolean | Refusal>
  /** Waits for as long as a check takes at present, without one. */
  takeAsLong(): Promise<void>
}

/** When a refused caller may try again, in seconds: by then a full queue has emptied. */
const COME_AGAIN_SECONDS = 2

/** Of how many recent checks the duration is kept. */
const TIMES_KEPT = 16

/** How much hashing runs at once, how much waits, and how much of both one network has. */
type Bounds = { atOnce: number; waitingMax: number; ofNetwork: number }

function boundedHashing(limits: Bounds): Hashing {
  const within = boundedWork(limits)
  const times: number[] = []
  return {
    within,
    hash: (password, network, pepper) => within(network, () => hashPassword(password, pepper)),
    async verify(password, stored, network, pepper) {
      const began = performance.now()
      const right = await within(network, () => verifyPassword(password, stored, pepper))
      if (!isRefusal(right)) {
        times.push(performance.now() - began)
        if (times.length > TIMES_KEPT) times.shift()
      }
      return right
    },
    async takeAsLong() {
      if (times.length > 0) await pause(times[randomInt(times.length)] ?? 0)
    },
  }
}

/** One limit for this process, because all callers share its processors. */
export const hashing = {
  /** Callers who sign in, register or reset a password. */
  strangers: boundedHashing({ atOnce: 2, waitingMax: 100, ofNetwork: 12 }),
  /** Callers with a session who change or prove a password or a security code. */
  players: boundedHashing({ atOnce: 1, waitingMax: 50, ofNetwork: 6 }),
  /** Members of staff who sign in. */
  staff: boundedHashing({ atOnce: 1, waitingMax: 50, ofNetwork: 20 }),
} as const

/** Runs costly work, or refuses it with too_many_requests if too much is waiting already. */
type BoundedWork = <Result>(
  network: string,
  work: () => Promise<Result>,
) => Promise<Result | Refusal>

/**
 * Limits work: how much runs at once and how much waits, in the order of arrival. Work beyond that, or beyond the
 * share of its network, is refused, so that a flood only harms its sender.
 */
export function boundedWork({ atOnce, waitingMax, ofNetwork }: Bounds): BoundedWork {
  const places = concurrencyLimit(
    { all: atOnce + waitingMax, network: ofNetwork },
    COME_AGAIN_SECONDS,
  )
  const waiting: (() => void)[] = []
  let running = 0
  return async (network, work) => {
    const end = places.begin({ all: '', network })
    if (isRefusal(end)) return end
    if (running < atOnce) running += 1
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      end()
      // The next waiting work takes over the place.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
