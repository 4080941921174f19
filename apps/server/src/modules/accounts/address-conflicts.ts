/**
 * Addresses from before there was one form for them (`canonicalEmail`): brought into it, or kept apart.
 *
 * An account keeps its address as it stands, and mail goes there; what is settled is whether the address
 * leads to the account, for signing in by it and for resetting the password. It does where the canonical
 * form is nobody else's. Where two accounts have the same, it leads to neither of those that wait: which
 * of them it was meant for is for staff to find out, and each is signed in to by its user name as before.
 */
import { canonicalEmail } from '@sum28/contract/canonical-email.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import {
  accountsOfKeys,
  addressesInConflict,
  type Conflict,
  type InConflict,
  markConflict,
  setEmailKey,
  waitingAddresses,
} from './address-store.ts'

/** Settles the addresses that wait; as the owner, when the product starts. */
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

/** Tells the log of the accounts that their address does not lead to, without the addresses. */
export async function tellOfConflicts(
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

/** Accounts that their address does not lead to, by id, and how many there are. */
export async function addressConflicts(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: AddressConflict[]; total: number }> {
  const all = await addressesInConflict(db)
  const keys = all.map(({ email }) => keyOf(email))
  const holders = await accountsOfKeys(db, keys.filter(isKey))
  const rows = all.slice(offset, offset + limit).map((row, at) => {
    const key = keys[offset + at] ?? null
    const sameKey = all.filter((_each, other) => key !== null && keys[other] === key)
    const same = [...holders.filter((each) => each.key === key), ...sameKey]
    const others = same.map(({ playerId }) => playerId).filter((id) => id !== row.playerId)
    return { ...row, others: others.sort((one, other) => one - other) }
  })
  return { rows, total: all.length }
}

function keyOf(email: string): string | null {
  const made = canonicalEmail(email)
  return 'email' in made ? made.email : null
}

function isKey(key: string | null): key is string {
  return key !== null
}
