/**
 * Who may have passwords hashed, how many at once. Argon2id takes some 40 ms of a processor and 19 MiB
 * each time, so it is the dearest thing that a stranger can ask for. Strangers who sign in or register,
 * players who have, and staff wait apart: no flood of one keeps the others waiting. Together they take
 * as many of the process's four threads for such work as two processors carry, and waiting ends within
 * some two seconds.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { isRefusal, type Refusal } from '#src/refusal.ts'
import { type BoundedWork, boundedWork } from './bounded-work.ts'
import { hashPassword, verifyPassword } from './password.ts'

export type Hashing = {
  /** Runs any other work in one of the places that hashing has here. */
  readonly within: BoundedWork
  /** As `hashPassword`; or too_many_requests. */
  hash(password: string): Promise<string | Refusal>
  /** As `verifyPassword`; or too_many_requests. */
  verify(password: string, stored: string | null): Promise<boolean | Refusal>
  /** Lets as much time go by as a check takes at present, without one. */
  takeAsLong(): Promise<void>
}

/** How many of the latest checks' times are kept. */
const TIMES_KEPT = 16

/** Hashing of so much at once and so much waiting. */
function boundedHashing(limits: { atOnce: number; waitingMax: number }): Hashing {
  const within = boundedWork(limits)
  const times: number[] = []
  return {
    within,
    hash: (password) => within(() => hashPassword(password)),
    async verify(password, stored) {
      const began = performance.now()
      const right = await within(() => verifyPassword(password, stored))
      if (!isRefusal(right)) {
        times.push(performance.now() - began)
        if (times.length > TIMES_KEPT) times.shift()
      }
      return right
    },
    async takeAsLong() {
      const time = times[Math.floor(Math.random() * times.length)]
      if (time !== undefined) await pause(time)
    },
  }
}

/** For this process: its processors are what is shared. */
export const hashing = {
  /** Whoever signs in, registers or resets a password. */
  strangers: boundedHashing({ atOnce: 2, waitingMax: 100 }),
  /** Whoever has a session and changes or proves a password or a security code. */
  players: boundedHashing({ atOnce: 1, waitingMax: 50 }),
  /** Members of staff who sign in. */
  staff: boundedHashing({ atOnce: 1, waitingMax: 20 }),
} as const
