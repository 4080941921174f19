import type { Queryable } from '#src/db/database.ts'

/** By what an account can be recognised. `device`: one that remembered another account. */
export type MarkKind = 'email' | 'document' | 'wallet' | 'card' | 'device'

/**
 * Notes by what an account is recognised, and holds it for staff where an excluded account has the same.
 * Call it in the transaction that stores what it is about.
 *
 * @param mark `value` as it is stored: a canonical address, a document's number, a device's family
 */
export type NoteMark = (
  tx: Queryable,
  mark: { playerId: number; kind: MarkKind; value: string },
) => Promise<void>
