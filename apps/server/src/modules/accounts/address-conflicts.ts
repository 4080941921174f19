/**
 * Addresses that are older than the canonical form (`canonicalEmail`): converted to it, or kept apart.
 *
 * An account keeps its address as stored, and mail goes there. This job decides whether the address identifies the
 * account, for sign-in and for resetting the password. It does if no other account has the canonical form. If two
 * waiting accounts have the same form, it identifies neither of them: staff must find out which account is meant, and
 * each still signs in by its user name.
 */
import { canonicalEmail } from '@sum28/contract/canonical-email.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import type { KeysetRequest } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import {
  accountsOfKeys,
  addressesInConflict,
  type Conflict,
  conflictPage,
  type InConflict,
  markConflict,
  setEmailKey,
  waitingAddresses,
} from './address-store.ts'

/** Decides on the waiting addresses; runs as the owner, when the product starts. */
export async function settleAddresses(owner: Database): Promise<void> {
  await owner.transaction(async (tx) => {
    const waiting = await waitingAddresses(tx)
    const keys = waiting.map(({ email }) => keyOf(email))
    const taken = new Set((await accountsOfKeys(tx, keys.filter(isKey))).map(({ key }) => key))
    for (const [at, { playerId }] of waiting.entries()) {
      const key = keys[at] ?? null
      if (key === null) await markConflict(tx, { playerId, why: 'unfit' })
      else if (taken.has(key) || keys.filter((each) => each === key).length > 1) {
        await markConflict(tx, { playerId, why: 'shared' })
      } else await setEmailKey(tx, { playerId, key })
    }
  })
}

/** Logs the accounts that their address does not identify, without the addresses. */
export async function logConflicts(
  db: Queryable,
  log: { warn(facts: object, text: string): void },
): Promise<void> {
  const all = await addressesInConflict(db)
  if (all.length === 0) return
  const players = all.map(({ playerId }) => playerId)
  log.warn({ players }, 'accounts that their e-mail address does not lead to: staff can list them')
}

export type AddressConflict = InConflict & {
  why: Conflict
  /** Other accounts with the same canonical address. */
  others: number[]
}

/** One page by id; or invalid_input if the cursor does not belong to this list. */
export async function addressConflicts(
  db: Queryable,
  ask: KeysetRequest & { q?: string | undefined },
): Promise<{ list: AddressConflict[]; next: string | null } | Refusal> {
  const page = await conflictPage(db, ask)
  if (isRefusal(page)) return page
  const keyed = (await addressesInConflict(db)).map(({ playerId, email }) => ({
    playerId,
    key: keyOf(email),
  }))
  const holders = await accountsOfKeys(db, page.list.map(({ email }) => keyOf(email)).filter(isKey))
  const list = page.list.map(({ playerId, username, email, why }) => {
    const key = keyOf(email)
    const same = key === null ? [] : [...holders, ...keyed].filter((each) => each.key === key)
    const others = same.map((each) => each.playerId).filter((id) => id !== playerId)
    return {
      ...{ playerId, username, email, why },
      others: others.sort((one, other) => one - other),
    }
  })
  return { list, next: page.next }
}

function keyOf(email: string): string | null {
  const made = canonicalEmail(email)
  return 'email' in made ? made.email : null
}

function isKey(key: string | null): key is string {
  return key !== null
}
