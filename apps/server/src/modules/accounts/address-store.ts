/** The SQL of addresses that do not identify their account, or are not decided yet. */
import type { Queryable, Transaction } from '#src/db/database.ts'
import { type KeyColumn, type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'

export type Conflict = 'unfit' | 'shared'

type Stored = { playerId: number; email: string }

/** Addresses that are not decided yet; locked until the transaction ends. */
export function waitingAddresses(tx: Transaction): Promise<Stored[]> {
  return tx.query<Stored>(
    `select id as "playerId", email from accounts.player where email_conflict = 'waiting'
     order by id for update`,
  )
}

/** The accounts that these canonical addresses identify. */
export function accountsOfKeys(
  db: Queryable,
  keys: readonly string[],
): Promise<{ playerId: number; key: string }[]> {
  return db.query(
    `select id as "playerId", email_key as key from accounts.player where email_key = any ($1::text[])`,
    [keys],
  )
}

export async function setEmailKey(
  tx: Transaction,
  { playerId, key }: { playerId: number; key: string },
): Promise<void> {
  await tx.query(`update accounts.player set email_key = $2, email_conflict = null where id = $1`, [
    playerId,
    key,
  ])
}

export async function markConflict(
  tx: Transaction,
  { playerId, why }: { playerId: number; why: Conflict },
): Promise<void> {
  await tx.query(`update accounts.player set email_conflict = $2 where id = $1`, [playerId, why])
}

export type InConflict = Stored & { username: string; why: Conflict }

const IN_CONFLICT = `id as "playerId", username, email, email_conflict as why`

/** One page of them by id; or invalid_input if the cursor does not belong to this list. */
export async function conflictPage(
  db: Queryable,
  { q, ...ask }: KeysetRequest & { q?: string | undefined },
): Promise<{ list: InConflict[]; next: string | null } | Refusal> {
  const id: KeyColumn = { sql: 'player.id', type: 'bigint' }
  const search = q === undefined ? [] : [q]
  const key = keyset(ask, { sorts: { id }, id, firstValue: search.length + 1, usual: 'asc' })
  if (isRefusal(key)) return key
  const rows = await db.query<InConflict & KeyedRow>(
    `select ${IN_CONFLICT}, ${key.columns} from accounts.player
     where email_conflict in ('unfit', 'shared') and ${key.where}
       ${q === undefined ? '' : 'and player.id = any (accounts.players_called($1))'} ${key.tail}`,
    [...search, ...key.values],
  )
  return key.page(rows)
}

/** Accounts that their address does not identify. There are few, and never a new one. */
export function addressesInConflict(db: Queryable): Promise<InConflict[]> {
  return db.query<InConflict>(
    `select ${IN_CONFLICT} from accounts.player
     where email_conflict in ('unfit', 'shared') order by id`,
  )
}
