/** The audit log as the console lists it: filtered, newest first, by keyset. */
import { addDays, startOfDay } from '@sum28/domain/schedule.ts'
import { only, type Queryable } from '#src/db/database.ts'
import { type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'

export type AuditRequest = KeysetRequest & {
  staff?: string | undefined
  what?: string | undefined
  subject?: string | undefined
  /** Calendar days in the operator's zone, both inclusive. */
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
  ask: AuditRequest,
): Promise<{ list: ListedAudit[]; next: string | null } | Refusal> {
  const key = keyset(ask, {
    sorts: { id: { sql: 'audit.id', type: 'bigint' } },
    id: { sql: 'audit.id', type: 'bigint' },
    firstValue: 8,
  })
  if (isRefusal(key)) return key
  // The values themselves instead of a subquery, so that the planner knows how rare they are.
  const staffId = ask.staff === undefined ? null : await memberId(db, ask.staff)
  if (staffId === undefined) return { list: [], next: null }
  const from = ask.fromDay ? new Date(startOfDay(zone, ask.fromDay)) : null
  const until = ask.untilDay ? new Date(startOfDay(zone, addDays(ask.untilDay, 1))) : null
  const ids = from || until ? await idsOf(db, { from, until }) : { least: null, greatest: null }
  const rows = await db.query<ListedAudit & KeyedRow>(
    `select audit.id::integer, audit.at, member.name as staff, audit.action, audit.subject,
       nullif(session.address, '') as "from", audit.details, ${key.columns}
     from staff.audit
     left join staff.member on member.id = audit.staff_id
     left join staff.session on session.id = audit.session_id
     where ($1::integer is null or audit.staff_id = $1)
       and ($2::text is null or audit.action = $2)
       and ($3::text is null or audit.subject = $3)
       and ($4::timestamptz is null or audit.at >= $4)
       and ($5::timestamptz is null or audit.at < $5)
       and ($6::bigint is null or audit.id >= $6)
       and ($7::bigint is null or audit.id <= $7)
       and ${key.where}
     ${key.tail}`,
    [
      staffId,
      ask.what ?? null,
      ask.subject ?? null,
      ...[from, until, ids.least, ids.greatest],
      ...key.values,
    ],
  )
  const { list, next } = key.page(rows)
  return { list: list.map(({ keyValue: _value, keyId: _id, ...row }) => row), next }
}

async function memberId(db: Queryable, name: string): Promise<number | undefined> {
  const [row] = await db.query<{ id: number }>('select id from staff.member where name = $1', [
    name,
  ])
  return row?.id
}

/**
 * The lowest and the highest number of the rows of a period, from the index by time alone. The clock may have been
 * set back, so the numbers of other rows do not tell where the period ends.
 */
async function idsOf(
  db: Queryable,
  { from, until }: { from: Date | null; until: Date | null },
): Promise<{ least: bigint | null; greatest: bigint | null }> {
  return only(
    await db.query<{ least: bigint | null; greatest: bigint | null }>(
      // Uses a sum; otherwise the planner would read the log by number until it finds a row of the period.
      `select min(id + 0) as least, max(id + 0) as greatest from staff.audit
       where ($1::timestamptz is null or at >= $1) and ($2::timestamptz is null or at < $2)`,
      [from, until],
    ),
  )
}
