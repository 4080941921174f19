/** The audit log as the console lists it: filtered, newest first, by keyset. */
import { addDays, startOfDay } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { type KeyedRow, type KeysetAsk, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal.ts'

export type AuditAsk = KeysetAsk & {
  staff?: string | undefined
  what?: string | undefined
  subject?: string | undefined
  /** Calendar days in the operator's zone, both included. */
  fromDay?: string | undefined
  untilDay?: string | undefined
}

export type ListedAudit = {
  id: number
  /** Milliseconds since 1970. */
  at: number
  staff: string | null
  action: string
  subject: string
  from: string | null
  details: Record<string, unknown>
}

/**
 * One page of the log.
 *
 * @returns the rows and the cursor of the next page; or invalid_input
 */
export async function auditRows(
  db: Queryable,
  zone: string,
  ask: AuditAsk,
): Promise<{ list: ListedAudit[]; next: string | null } | Refusal> {
  const key = keyset(ask, {
    sorts: { id: { sql: 'audit.id', type: 'bigint' } },
    id: { sql: 'audit.id', type: 'bigint' },
    firstValue: 6,
  })
  if (isRefusal(key)) return key
  const rows = await db.query<ListedAudit & KeyedRow>(
    `select audit.id::integer, audit.at, member.name as staff, audit.action, audit.subject,
       nullif(session.address, '') as "from", audit.details, ${key.columns}
     from staff.audit
     left join staff.member on member.id = audit.staff_id
     left join staff.session on session.id = audit.session_id
     where ($1::text is null or audit.staff_id = (select id from staff.member where name = $1))
       and ($2::text is null or audit.action = $2)
       and ($3::text is null or audit.subject = $3)
       and ($4::timestamptz is null or audit.at >= $4)
       and ($5::timestamptz is null or audit.at < $5)
       and ${key.where}
     ${key.tail}`,
    [
      ask.staff ?? null,
      ask.what ?? null,
      ask.subject ?? null,
      ask.fromDay ? new Date(startOfDay(zone, ask.fromDay)) : null,
      ask.untilDay ? new Date(startOfDay(zone, addDays(ask.untilDay, 1))) : null,
      ...key.values,
    ],
  )
  const { list, next } = key.page(rows)
  return { list: list.map(({ keyValue: _value, keyId: _id, ...row }) => row), next }
}
