/**
 * Holds who guesses passwords, without holding the one whose password it is.
 *
 * - One network may be wrong 20 times a minute and 500 times a day, over all names together.
 * - One name may be tried wrongly 30 times from wherever its owner has never signed in; then each
 *   further try has to wait, longer each time, up to half an hour: fewer than a hundred a day, from
 *   however many addresses (NIST SP 800-63B, 3.2.2, allows a hundred in a row).
 * - A network from which the owner has signed in counts for itself: strangers elsewhere use up none
 *   of its tries. Who resets his password by mail makes the network that he does it from known.
 *
 * A try is counted before it is looked at, so that a hundred at once are no more than their share,
 * and taken off again if it was right. Names that nobody has are counted like those of players.
 */
import { createHmac } from 'node:crypto'
import type { Queryable, Transaction } from '#src/db/database.ts'
import { networkOf } from '#src/network-of.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import {
  type CountKey,
  countBack,
  countWithin,
  countWithWait,
  forgetCounts,
} from './count-store.ts'
import { isKnownNetwork, knowNetwork } from './known-network-store.ts'

export const NETWORK_MINUTE_MAX = 20
export const NETWORK_DAY_MAX = 500
export const NAME_FREE = 30
export const NAME_WAIT_MAX_SECONDS = 1_800

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

export type SignInGuard = {
  /** Counts a try, before the password is looked at; refuses with `too_many_requests`. */
  count(tried: Tried): Promise<Counted | Refusal>
  /** The try was right: it is taken off. */
  right(counted: Counted): Promise<void>
  /** A session begins: the network that it begins from is known from now on. */
  know(player: { playerId: number; address: string }): Promise<void>
  /** Who has proved by mail that these names are his may sign in at once, from where he is. */
  proved(
    tx: Transaction,
    owner: { playerId: number; names: readonly string[]; address: string },
  ): Promise<void>
}

type Tried = { name: string; playerId: number | null; address: string }
type Counted = { ofNetwork: readonly CountKey[]; ofName: CountKey }

/**
 * @param key keys the hashes of names and networks
 * @param on false where limits are switched off: networks are still remembered
 */
export function signInGuard({
  db,
  key,
  on,
}: {
  db: Queryable
  key: Buffer
  on: boolean
}): SignInGuard {
  const hash = (...parts: string[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest()
  const networkHash = (address: string) => hash('network', networkOf(address))
  const ofName = (name: string, known?: Buffer) =>
    hash('name', name.trim().toLowerCase(), known?.toString('hex') ?? 'elsewhere')

  return {
    async count({ name, playerId, address }) {
      const network = networkHash(address)
      const minute = hash('minute', network.toString('hex'))
      const day = hash('day', network.toString('hex'))
      const known = await isKnownNetwork(db, { playerId, networkHash: network })
      const counted = {
        ofNetwork: [minute, day],
        ofName: ofName(name, known ? network : undefined),
      }
      if (!on) return counted
      const wait =
        (await countWithin(db, { key: day, max: NETWORK_DAY_MAX, seconds: DAY_SECONDS })) ||
        (await countWithin(db, {
          key: minute,
          max: NETWORK_MINUTE_MAX,
          seconds: MINUTE_SECONDS,
        })) ||
        (await countWithWait(db, {
          key: counted.ofName,
          free: NAME_FREE,
          waitMax: NAME_WAIT_MAX_SECONDS,
        }))
      return wait > 0 ? refuse('too_many_requests', { retry_after: wait }) : counted
    },
    async right({ ofNetwork, ofName }) {
      await countBack(db, ofNetwork)
      await forgetCounts(db, [ofName])
    },
    async know({ playerId, address }) {
      await knowNetwork(db, { playerId, networkHash: networkHash(address) })
    },
    async proved(tx, { playerId, names, address }) {
      const network = networkHash(address)
      const keys = names.flatMap((name) => [ofName(name), ofName(name, network)])
      await forgetCounts(tx, keys)
      await knowNetwork(tx, { playerId, networkHash: network })
    },
  }
}
