import type { Transaction } from '#src/db/database.ts'
import type { Refusal } from '#src/refusal.ts'

/** By what an account can be recognised. `device`: one that remembered another account. */
export type MarkKind = 'email' | 'document' | 'wallet' | 'card' | 'device'

/** Something that an account is recognised by. */
export type Mark = {
  playerId: number
  kind: MarkKind
  /** As it is stored: a canonical address, a document's number, a device's family. */
  value: string
  /** From which network a number was given, as `networkOf` names it. Absent: it is counted for the account alone. */
  network?: string
}

/**
 * Notes by what an account is recognised, and holds it for staff where an excluded account has the same.
 * Call it in the transaction that stores what it is about, and give its refusal back: then neither is kept.
 *
 * @returns null, or too_many_numbers where the account or the network has given as many new numbers of
 * documents, wallets and cards as it may, with the seconds until there is room again
 */
export type NoteMark = (tx: Transaction, mark: Mark) => Promise<Refusal | null>
