import type { Transaction } from '#src/db/database.ts'
import type { Refusal } from '#src/refusal/refusal.ts'

/** What identifies an account. `device`: one that remembered another account. `person`: name and date of birth. */
export type MarkKind = 'email' | 'document' | 'wallet' | 'card' | 'device' | 'person'

/** A value that identifies an account. */
export type Mark = {
  playerId: number
  kind: MarkKind
  /** In its stored form: a canonical address, a document's number, a device's family. */
  value: string
  /** The network that a number was given from, as `networkOf` names it. Absent: it counts only for the account. */
  network?: string
}

/**
 * Stores what identifies an account, and holds the account for staff if an excluded account has the same. Call it in
 * the transaction that stores the value itself, and return its refusal: then neither is stored.
 *
 * @returns null, or too_many_numbers if the account or the network has given as many new numbers of documents,
 * wallets and cards as allowed, with the seconds until another is allowed
 */
export type NoteMark = (tx: Transaction, mark: Mark) => Promise<Refusal | null>
