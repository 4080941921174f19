/**
 * How many files are received at the same time. A file is held in memory from its first byte until its call has ended,
 * so a place is taken before that byte is read, and a refused request costs nothing.
 */

import type { Caller, StaffCaller } from '#src/http/caller.ts'
import { places } from '#src/http/places.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'

const OF_PLAYERS = { all: 12, network: 3, player: 1 }

/** How many of the players' places go to networks that have one already; the others are for networks without any. */
const FURTHER = { all: 4 }

/** Staff never wait for players. */
const OF_STAFF = { all: 8, member: 2 }

/** About as long as a picture takes. */
const RETRY_SECONDS = 5

export type FilePlaces = {
  /** Takes a place. @returns the function that releases it, or too_many_requests */
  take(caller: Caller | StaffCaller | null, network: string): (() => void) | Refusal
}

export function filePlaces(): FilePlaces {
  const ofPlayers = places(OF_PLAYERS, RETRY_SECONDS)
  const first = places({ network: 1 }, RETRY_SECONDS)
  const further = places(FURTHER, RETRY_SECONDS)
  const ofStaff = places(OF_STAFF, RETRY_SECONDS)
  return {
    take(caller, network) {
      if (caller && 'staffId' in caller) {
        return ofStaff.take({ all: '', member: String(caller.staffId) })
      }
      const player = caller ? String(caller.playerId) : network
      const one = ofPlayers.take({ all: '', network, player })
      if (isRefusal(one)) return one
      const only = first.take({ network })
      const share = isRefusal(only) ? further.take({ all: '' }) : only
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
