/** Limits how many files are received at the same time. */
import { concurrencyLimit } from '#src/concurrency/concurrency-limit.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { Caller, StaffCaller } from './caller.ts'

/** Of members, who proved an address, and of visitors, of whom anybody may be many: these take no place of a member's. */
const OF_MEMBERS = { all: 12, network: 3, player: 1 }
const OF_VISITORS = { all: 3, network: 1, player: 1 }

/** Of how many places of players one is for uploads from networks that have another; the rest is for networks without any. */
const FURTHER_OF = 3

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
  const ofMembers = playersLimit(OF_MEMBERS)
  const ofVisitors = playersLimit(OF_VISITORS)
  const ofStaff = concurrencyLimit(OF_STAFF, RETRY_SECONDS)
  return {
    begin(caller, network) {
      if (caller && 'staffId' in caller) {
        return ofStaff.begin({ all: '', member: String(caller.staffId) })
      }
      const player = caller ? String(caller.playerId) : network
      return (caller?.groupId === 1 ? ofMembers : ofVisitors)(player, network)
    },
  }
}

function playersLimit(max: typeof OF_MEMBERS) {
  const places = concurrencyLimit(max, RETRY_SECONDS)
  const first = concurrencyLimit({ network: 1 }, RETRY_SECONDS)
  const further = concurrencyLimit({ all: max.all / FURTHER_OF }, RETRY_SECONDS)
  return (player: string, network: string): (() => void) | Refusal => {
    const one = places.begin({ all: '', network, player })
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
  }
}
