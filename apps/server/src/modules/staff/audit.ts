/** The log of staff's actions: rows are added and never changed, and each is chained to the last. */
import { only, type Queryable, type Transaction } from '#src/db/database.ts'

/** Facts for the log. Money and other long integers are stored as text. */
export type AuditDetails = { readonly [fact: string]: AuditFact }
type AuditFact = string | number | boolean | null | readonly AuditFact[] | AuditDetails

export type AuditEntry = {
  /** The token of the acting session. */
  session: string
  /** The action, such as `withdrawal_approved`. */
  action: string
  /** The subject, as `kind:id`, such as `withdrawal:12`. */
  subject: string
  /** No password, code, token or whole card number. */
  details: AuditDetails
}

/**
 * Records an action in this transaction. The next writer waits until this transaction ends, so call it last.
 */
export async function appendAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.query(`select staff.audit_action($1, $2, $3, $4::jsonb)`, [
    entry.session,
    entry.action,
    entry.subject,
    JSON.stringify(entry.details),
  ])
}

/** The same for many rows of one session, in their order and in one statement. */
export async function appendAudits(
  tx: Transaction,
  session: string,
  entries: readonly Omit<AuditEntry, 'session'>[],
): Promise<void> {
  await tx.query(
    `select count(staff.audit_action($1, action, subject, details)) from (
       select action, subject, details
       from rows from (jsonb_to_recordset($2::jsonb) as (action text, subject text, details jsonb))
         with ordinality as given (action, subject, details, place)
       order by place) entry`,
    [session, JSON.stringify(entries)],
  )
}

export type AuditRow = {
  id: number
  /** Milliseconds since 1970. */
  at: number
  /** The name of the acting member; null for the command line. */
  staff: string | null
  action: string
  subject: string
  details: Record<string, unknown>
  /** Hexadecimal. */
  hash: string
}

/**
 * One page of the log, newest first, and the length of the log: the number of its last row, because rows are numbered
 * from 1 without gaps. Neither is counted, so that an old page costs as much as a new one.
 */
export async function auditList(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ list: AuditRow[]; total: number }> {
  const { total } = only(
    await db.query<{ total: number }>(
      `select coalesce(max(id), 0)::integer as total from staff.audit`,
    ),
  )
  const list = await db.query<AuditRow>(
    `select audit.id::integer, at, member.name as staff, action, subject, details,
       encode(hash, 'hex') as hash
     from staff.audit left join staff.member on member.id = staff_id
     where audit.id <= $1 order by audit.id desc limit $2`,
    [total - offset, limit],
  )
  return { list, total }
}
