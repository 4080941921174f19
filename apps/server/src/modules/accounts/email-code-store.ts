/** The accounts module's SQL for mailed codes. Addresses are in their canonical form throughout. */
import type { Queryable, Transaction } from '#src/db/database.ts'

export type RecentCode = {
  secondsAgo: number
  /** Whether this network requested it. */
  isOfCaller: boolean
  /** Whether it was sent on the allowance of a known network. */
  onAllowance: boolean
}

/** The codes of the last day for an address, the latest first. */
export function recentCodes(
  db: Queryable,
  { email, network }: { email: string; network: Buffer },
): Promise<RecentCode[]> {
  return db.query<RecentCode>(
    `select extract(epoch from app.now() - created_at)::float8 as "secondsAgo",
       asked_from is not distinct from $2::bytea as "isOfCaller", on_allowance as "onAllowance"
     from accounts.email_code
     where email_key = $1 and created_at > app.now() - interval '24 hours'
     order by created_at desc`,
    [email, network],
  )
}

/** Serialises the work for one address until the transaction ends. */
export async function lockAddress(tx: Transaction, email: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('email ' || $1))`, [email])
}

/** Adds a code; `requestedFrom` is the keyed hash of the network that requested it. */
export async function addCode(
  tx: Transaction,
  code: {
    email: string
    event: string
    codeHash: Buffer
    requestedFrom: Buffer
    onAllowance: boolean
    minutes: number
  },
): Promise<void> {
  await tx.query(
    `insert into accounts.email_code (email_key, event, code_hash, asked_from, on_allowance, expires_at)
     values ($1, $2, $3, $4, $5, app.now() + make_interval(mins => $6))`,
    [code.email, code.event, code.codeHash, code.requestedFrom, code.onAllowance, code.minutes],
  )
}

export type LiveCode = { id: bigint; codeHash: Buffer; isOfCaller: boolean }

/**
 * The codes that a try from a network is compared with, two at most: the latest that this network requested
 * (`isOfCaller`), and the latest of all, unless they have expired or been used.
 */
export function liveCodes(
  db: Queryable,
  request: { email: string; event: string; network: Buffer },
): Promise<LiveCode[]> {
  return db.query<LiveCode>(
    `with latest as (
       select max(id) as id from accounts.email_code where email_key = $1 and event = $2
       union
       select max(id) from accounts.email_code
       where email_key = $1 and event = $2 and asked_from = $3)
     select id, code_hash as "codeHash", asked_from is not distinct from $3::bytea as "isOfCaller"
     from accounts.email_code join latest using (id)
     where used_at is null and expires_at > app.now()`,
    [request.email, request.event, request.network],
  )
}

/** Locks a code until the transaction ends; false if it has been used. */
export async function lockCode(tx: Transaction, id: bigint): Promise<boolean> {
  const rows = await tx.query(
    `select from accounts.email_code where id = $1 and used_at is null for update`,
    [id],
  )
  return rows.length === 1
}

/** Marks a locked code as used. */
export async function useCode(tx: Transaction, id: bigint): Promise<void> {
  await tx.query(`update accounts.email_code set used_at = app.now() where id = $1`, [id])
}
