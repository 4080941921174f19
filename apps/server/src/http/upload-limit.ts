/** Limits how many files are received at the same time. */
import { concurrencyLimit } from '#src/concurrency/concurrency-limit.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { Caller, StaffCaller } from './caller.ts'

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
