/** Limits concurrency: in all, for one network, for one player. */
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Caller, StaffCaller } from './caller.ts'

export type ConcurrencyLimit<Kind extends string> = {
  /**
   * Begins a call that counts for an owner of each kind. @returns the function that ends it, which may be called
   * repeatedly; or too_many_requests
   */
  begin(owners: Record<Kind, string>): (() => void) | Refusal
}

/**
 * @param max how many calls of one owner run at a time, for each kind: `{ all: 8, network: 3 }`
 * @param retrySeconds when a refused caller may try again, in seconds
 */
export function concurrencyLimit<Kind extends string>(
  max: Readonly<Record<Kind, number>>,
  retrySeconds: number,
): ConcurrencyLimit<Kind> {
  const running = new Map<string, number>()
  const change = (key: string, by: number) => {
    const left = (running.get(key) ?? 0) + by
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }
  return {
    begin(owners) {
      const wanted = (Object.keys(max) as Kind[]).map((kind) => ({
        key: `${kind} ${owners[kind]}`,
        most: max[kind],
      }))
      if (wanted.some(({ key, most }) => (running.get(key) ?? 0) >= most)) {
        return refuse('too_many_requests', { retry_after: retrySeconds })
      }
      for (const { key } of wanted) change(key, 1)
      let released = false
      return () => {
        if (released) return
        released = true
        for (const { key } of wanted) change(key, -1)
      }
    },
  }
}

const OF_PLAYERS = { all: 12, network: 3, player: 1 }

/** How many uploads of players may come from networks that have another one; the rest is for networks without any. */
const FURTHER = { all: 4 }

/** Staff never wait for players. */
const OF_STAFF = { all: 8, member: 2 }

/** About as long as a picture takes. */
const RETRY_SECONDS = 5

export type UploadLimit = {
  /** Begins an upload. @returns the function that ends it, or too_many_requests */
  begin(caller: Caller | StaffCaller | null, network: string): (() => void) | Refusal
}

/**
 * How many files are received at the same time. A file is held in memory from its first byte until its call has ended,
 * so it is counted before that byte is read, and a refused request costs nothing.
 */
export function uploadLimit(): UploadLimit {
  const ofPlayers = concurrencyLimit(OF_PLAYERS, RETRY_SECONDS)
  const first = concurrencyLimit({ network: 1 }, RETRY_SECONDS)
  const further = concurrencyLimit(FURTHER, RETRY_SECONDS)
  const ofStaff = concurrencyLimit(OF_STAFF, RETRY_SECONDS)
  return {
    begin(caller, network) {
      if (caller && 'staffId' in caller) {
        return ofStaff.begin({ all: '', member: String(caller.staffId) })
      }
      const player = caller ? String(caller.playerId) : network
      const one = ofPlayers.begin({ all: '', network, player })
      if (isRefusal(one)) return one
      const only = first.begin({ network })
      const share = isRefusal(only) ? further.begin({ all: '' }) : only
      if (isRefusal(share)) {
        one()
        return share
      }
      return () => {
        one()
        share()
      }
    },
  }
}
