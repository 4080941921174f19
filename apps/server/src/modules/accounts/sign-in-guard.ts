/**
 * Slows down guesses of passwords, without locking out the owner of the password.
 *
 * - One network may be wrong 20 times a minute and 500 times a day, over all names together; those around it four and
 *   sixteen times as often (`networksOf`).
 * - One name may be tried wrongly 30 times from anywhere. After that each further try has to wait, longer each time,
 *   up to half an hour: fewer than a hundred a day, from any number of addresses (NIST SP 800-63B, 3.2.2, allows a
 *   hundred in a row).
 * - In addition, the owner of a name has his own allowance on each network from which he has signed in: as many tries again as a
 *   name has. Other people's tries, there or elsewhere, do not reduce it. When a player resets his password by mail,
 *   his network becomes known. Members of staff are counted in the same way, by names of their own.
 *
 * A try is counted before it is checked, so that simultaneous tries cannot exceed the limit, and removed again if it
 * was right. A refused try is not counted. Names without an account are counted like those of players, and a wrong
 * try on the allowance gets the same answer as one without it, so that nobody learns who has signed in from here.
 */
import { createHmac } from 'node:crypto'
import { asciiLowerCase, canonicalEmail } from '@sum28/contract/canonical-email.ts'
import type { Queryable, Transaction } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import {
  type CountKey,
  countBack,
  countOfNetwork,
  countWithWait,
  forgetCounts,
} from './count-store.ts'
import { type Hashing, hashing } from './hashing.ts'
import { keepNewest } from './keep-newest.ts'

export const NETWORK_MINUTE_MAX = 20
export const NETWORK_DAY_MAX = 500
export const NAME_FREE = 30
export const NAME_WAIT_MAX_SECONDS = 1_800

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

/** Counts the tries of names, of players' or of staff's. */
export type TryGuard<Who> = {
  /** Counts a try, before the password is checked; refuses with `too_many_requests`. */
  count(tried: { name: string; network: string } & Who): Promise<Counted | Refusal>
  /** The try was right: it is removed, together with the earlier wrong ones. */
  right(counted: Counted): Promise<void>
  /** The password was not checked after all: the try is removed. */
  notChecked(counted: Counted): Promise<void>
}

/** `name` as typed, `network` as `networkOf` names it; without a player there is no account of that name. */
export type SignInGuard = TryGuard<{ playerId: number | null }> & {
  /** A session begins: its network is known from now on. */
  know(player: { playerId: number; network: string }): Promise<void>
  /** A player who has proved these names by mail may sign in at once, from his network. */
  proved(
    tx: Transaction,
    owner: { playerId: number; names: readonly string[]; network: string },
  ): Promise<void>
}

type Counted = {
  /** The counts that the try was added to. */
  keys: readonly CountKey[]
  /** The counts to reset after a right password. */
  ofName: readonly CountKey[]
  /** The answer to a wrong password, if it is not the usual one. */
  ifWrong: Refusal | null
}

type GuardDeps = {
  db: Queryable
  /** Keys the hashes of names and networks. */
  key: Buffer
  /** False if limits are switched off: networks are still remembered. */
  on: boolean
}

export function signInGuard({ db, key, on }: GuardDeps): SignInGuard {
  const tries = tryGuard<{ playerId: number | null }>(
    { db, key, on },
    {
      hashing: hashing.strangers,
      isKnown: ({ playerId, network }) =>
        isKnownNetwork(db, { playerId, networkHash: networkHash(key, network) }),
    },
  )
  return {
    ...tries,
    async know({ playerId, network }) {
      await knowNetwork(db, { playerId, networkHash: networkHash(key, network) })
    },
    async proved(tx, { playerId, names, network }) {
      await forgetCounts(
        tx,
        names.flatMap((name) => [countOfName(key, name), countOfPair(key, name, network)]),
      )
      await knowNetwork(tx, { playerId, networkHash: networkHash(key, network) })
    },
  }
}

const countOfName = (key: Buffer, name: string) => keyedHash(key, 'name', signInName(name))
const countOfPair = (key: Buffer, name: string, network: string) =>
  keyedHash(key, 'name', signInName(name), 'on', network)

/**
 * @param names `hashing` checks the passwords of these names; `isKnown` says whether the owner of the name has signed
 *   in from the network before
 */
export function tryGuard<Who>(
  { db, key, on }: GuardDeps,
  names: { hashing: Hashing; isKnown: (who: Who & { network: string }) => Promise<boolean> },
): TryGuard<Who> {
  /** Counts against the limits that hold for everyone; if it returns seconds to wait, it has counted nothing. */
  async function countStranger(network: string, nameKey: CountKey): Promise<CountKey[] | number> {
    const limits = [
      { word: 'minute', max: NETWORK_MINUTE_MAX, seconds: MINUTE_SECONDS },
      { word: 'day', max: NETWORK_DAY_MAX, seconds: DAY_SECONDS },
    ]
    const counted: CountKey[] = []
    for (const { word, ...limit } of limits) {
      const keyOf = (name: string) => keyedHash(key, word, name)
      const keys = await countOfNetwork(db, network, { keyOf, ...limit })
      if (typeof keys === 'number') return takeBack(counted, keys)
      counted.push(...keys)
    }
    const limit = { free: NAME_FREE, waitMax: NAME_WAIT_MAX_SECONDS }
    const wait = await countWithWait(db, { key: nameKey, ...limit })
    return wait > 0 ? takeBack(counted, wait) : [...counted, nameKey]
  }

  async function takeBack(counted: readonly CountKey[], wait: number): Promise<number> {
    if (counted.length > 0) await countBack(db, counted)
    return wait
  }

  return {
    async count(tried) {
      const { name, network } = tried
      const nameKey = countOfName(key, name)
      const pair = countOfPair(key, name, network)
      const isKnown = await names.isKnown(tried)
      // A right try of the owner from a known network proves nothing about who else has been trying.
      const ofName = isKnown ? [pair] : [nameKey, pair]
      if (!on) return { keys: [], ofName, ifWrong: null }

      const keys = await countStranger(network, nameKey)
      if (typeof keys !== 'number') return { keys, ofName, ifWrong: null }
      const held = refuse('too_many_requests', { retry_after: keys })
      const limit = { free: NAME_FREE, waitMax: NAME_WAIT_MAX_SECONDS }
      if (isKnown && (await countWithWait(db, { key: pair, ...limit })) === 0) {
        return { keys: [pair], ofName, ifWrong: held }
      }
      // Takes as long as with an allowance: the time reveals no more than the answer.
      await names.hashing.takeAsLong()
      return held
    },
    async right({ keys, ofName }) {
      await countBack(db, keys)
      await forgetCounts(db, ofName)
    },
    async notChecked({ keys }) {
      await countBack(db, keys)
    },
  }
}

/** A user name in the form of the database: members and visitors choose at most 20 characters. */
const USERNAME = /^[A-Za-z0-9_]{3,32}$/

/**
 * What a person signs in with, in the form in which names are stored and counted: a user name in lower case, or an
 * address as `canonicalEmail` returns it. Anything else belongs to no account and stays as typed; no account has such
 * a key.
 */
export function signInName(typed: string): string {
  const name = typed.trim()
  if (USERNAME.test(name)) return asciiLowerCase(name)
  const address = canonicalEmail(name)
  return 'email' in address ? address.email : name
}

/** The stored form of a network: a keyed hash, so that no address is stored. `network` is as `networkOf` names it. */
export function networkHash(key: Buffer, network: string): Buffer {
  return keyedHash(key, 'network', network)
}

/** A keyed hash of several words; the keys of counts are made in the same way. */
export function keyedHash(key: Buffer, ...words: string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(words)).digest()
}

const KNOWN_DAYS = 90

function isKnownNetwork(
  db: Queryable,
  { playerId, networkHash }: { playerId: number | null; networkHash: Buffer },
): Promise<boolean> {
  return db.exists(
    `select from accounts.known_network where player_id = $1 and network_hash = $2
       and last_at > app.now() - make_interval(days => ${KNOWN_DAYS})`,
    [playerId, networkHash],
  )
}

/** The same for the player with a canonical address; false if there is none. */
export async function isKnownNetworkOfAddress(
  db: Queryable,
  { email, networkHash }: { email: string; networkHash: Buffer },
): Promise<boolean> {
  const [playerId = null] = await db.column<number>(
    `select id from accounts.player where email_key = $1`,
    [email],
  )
  return isKnownNetwork(db, { playerId, networkHash })
}

export async function knowNetwork(
  db: Queryable,
  { playerId, networkHash }: { playerId: number; networkHash: Buffer },
): Promise<void> {
  await db.query(
    `insert into accounts.known_network (player_id, network_hash) values ($1, $2)
     on conflict (player_id, network_hash) do update set last_at = app.now()`,
    [playerId, networkHash],
  )
  await keepNewest(db, { playerId, table: 'accounts.known_network' })
}
