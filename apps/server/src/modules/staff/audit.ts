/** The log of staff's actions: rows are added and never changed, and each is chained to the last. */
import type { WireAuditRow } from '@sum28/contract/staff-audit-routes.ts'
import { addDays, startOfDay } from '@sum28/domain/schedule.ts'
import pg from 'pg'
import { callFunction, type Database, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, pageOf } from '#src/db/list.ts'
import {
  type Done,
  decidedBefore,
  malformed,
  type Refusal,
  refusalWord,
  refuseByWord,
  takenBefore,
} from '#src/refusal/refusal.ts'
import { maskedEmail, type RowOf } from '#src/wire-form.ts'
import { memberByName } from './staff-store.ts'

/** Facts for the log. Money and other long integers are stored as text. */
export type AuditDetails = { readonly [fact: string]: AuditFact }
type AuditFact = string | number | boolean | null | readonly AuditFact[] | AuditDetails

export type AuditEntry = {
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
export function appendAudit(tx: Transaction, { session, ...entry }: AuditEntry): Promise<void> {
  return appendAudits(tx, session, [entry])
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
         with ordinality as given (action, subject, details, position)
       order by position) entry`,
    [session, JSON.stringify(entries)],
  )
}

/** The number of rows: that of the last row, for they are numbered from 1 without gaps. */
export function auditLength(db: Queryable): Promise<number> {
  return db.value<number>('select coalesce(max(id), 0)::integer from staff.audit')
}

type AuditRequest = Ask<{
  staff: string
  what: string
  subject: string
  subjectKind: string
  subjectId: string
  /** Calendar days in the operator's zone, both inclusive. */
  fromDay: string
  untilDay: string
}>

/**
 * SQL of the name of a game (`DOT`), of one or several rooms (`DOT · Basic`) or of a round, by the SQL of its subject,
 * such as `room:11`; null of all else.
 */
export function gameNameOf(subject: string): string {
  const id = `split_part(${subject}, ':', 2)`
  return `case split_part(${subject}, ':', 1)
    when 'game' then (select name from games.game where id = app.number_in(${id}))
    when 'round' then (select name || ' · ' || split_part(${subject}, ':', 3) from games.game
      where id = app.number_in(${id}))
    when 'room' then ${roomNames(id)}
    when 'rooms' then ${roomNames(id)} end`
}

/** @param ids SQL of their numbers, with commas */
function roomNames(ids: string): string {
  return `(select string_agg(name || ' · ' || title, ', ' order by room.id) from games.room
    join games.game on game.id = game_id where room.id::text = any (string_to_array(${ids}, ',')))`
}

const ROWS = {
  columns: `audit.id::integer, audit.at, member.name as staff, audit.action, audit.subject,
    ${gameNameOf('audit.subject')} as "subjectName", nullif(session.address, '') as "from", audit.details`,
  from: `staff.audit
    left join staff.member on member.id = audit.staff_id
    left join staff.session on session.id = audit.session_id`,
  id: { sql: 'audit.id', type: 'bigint' },
} as const

export async function auditRows(db: Queryable, zone: string, ask: AuditRequest) {
  // The values themselves instead of a subquery, so that the planner knows how rare they are.
  const staffId = ask.staff === undefined ? null : (await memberByName(db, ask.staff))?.id
  // An empty log would say that he did nothing.
  if (staffId === undefined) return malformed({ staff: 'choice' })
  const { subjectKind, subjectId } = ask
  if (subjectId !== undefined && subjectKind === undefined)
    return malformed({ subject_kind: 'required' })
  const subject = ask.subject ?? (subjectId && `${subjectKind}:${subjectId}`)
  const from = ask.fromDay ? new Date(startOfDay(zone, ask.fromDay)) : null
  const until = ask.untilDay ? new Date(startOfDay(zone, addDays(ask.untilDay, 1))) : null
  const ids = from || until ? await idsOf(db, { from, until }) : { least: null, greatest: null }
  return pageOf<RowOf<WireAuditRow>>(db, ROWS, ask, {
    'audit.staff_id = ?': staffId,
    'audit.action = ?': ask.what,
    'audit.subject = any(?)': subject && (await subjectsOf(db, subject)),
    "split_part(audit.subject, ':', 1) = ?": subjectId === undefined ? subjectKind : undefined,
    'audit.at >= ?': from,
    'audit.at < ?': until,
    'audit.id >= ?': ids.least,
    'audit.id <= ?': ids.greatest,
  })
}

/** The actions and the kinds of subjects that the log has, each found by one step of an index. */
export async function loggedNames(
  db: Queryable,
): Promise<{ actions: string[]; subjects: string[] }> {
  function namesOf(name: 'action' | "split_part(subject, ':', 1)"): Promise<string[]> {
    return db.column<string>(
      `with recursive named as (
         select min(${name}) as name from staff.audit
         union all
         select (select min(${name}) from staff.audit where ${name} > named.name) from named where name is not null
       )
       select name from named where name is not null`,
    )
  }
  return {
    actions: await namesOf('action'),
    subjects: await namesOf("split_part(subject, ':', 1)"),
  }
}

/** What the log calls a subject: a member by his number or his name (in any case), a room alone or as one of several. */
function subjectsOf(db: Queryable, subject: string): Promise<string[]> {
  return db.column<string>(
    `select $1 as subject
     union select unnest(array['staff:' || id, 'member:' || name])
     from staff.member where lower($1) in ('staff:' || id, 'member:' || name)
     union select subject from staff.proposal where kind = 'odds_change' and exists (
       select from jsonb_array_elements(content -> 'rooms') room where 'room:' || (room ->> 'room_id') = $1)`,
    [subject],
  )
}

/**
 * The lowest and the highest number of the rows of a period, from the index by time alone. The clock may have been
 * set back, so the numbers of other rows do not tell where the period ends.
 */
function idsOf(
  db: Queryable,
  { from, until }: { from: Date | null; until: Date | null },
): Promise<{ least: bigint | null; greatest: bigint | null }> {
  return db.one<{ least: bigint | null; greatest: bigint | null }>(
    `select min(id + 0) as least, max(id + 0) as greatest from staff.audit
       where ($1::timestamptz is null or at >= $1) and ($2::timestamptz is null or at < $2)`,
    [from, until],
  )
}

/** The database's words for a session that may not act because it has ended since the call began. */
const NOT_BY_THIS_SESSION = 'STAFF'

/**
 * Runs an action of a member of staff in one transaction. The database checks again who acts, by the token of his
 * session: if the account is closed or the role removed while the call is in progress, the call does nothing.
 *
 * @returns the result of the work, or session_unknown, session_replaced, session_expired, forbidden
 */
export async function asStaff<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result | Refusal> {
  try {
    return await db.transaction(work)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NOT_BY_THIS_SESSION) {
      return refuseByWord(refusalWord(error.message))
    }
    throw error
  }
}

/**
 * Logs that a member of staff takes a list as a file.
 *
 * @param file `ask`: the filters of his request; an address is masked, for the log outlives its player's account
 * @returns null, or the refusals of {@link asStaff}: then he gets no file
 */
export function auditExport(
  db: Database,
  { session, list, ask }: { session: string; list: string; ask: object },
): Promise<null | Refusal> {
  const given = Object.entries(ask).filter(([, value]) => value !== undefined)
  return asStaff(db, async (tx) => {
    await appendAudit(tx, {
      session,
      action: 'list_exported',
      subject: `list:${list}`,
      details: Object.fromEntries(given.map(([name, value]) => [name, maskedEmail(String(value))])),
    })
    return null
  })
}

/** What a function of the database does for a member of staff. */
type StaffAct = {
  call: readonly [name: string, ...values: unknown[]]
  /** Its answer once it has acted; any other is a word that refuses. */
  done: string
  /** The field that not_found names. */
  field?: string
  /** Who has decided before. */
  decider?: (tx: Transaction) => Promise<Done | undefined>
  /** Who has taken the payment. */
  taker?: (tx: Transaction) => Promise<Done | undefined>
  /** What follows in the same transaction, before the row of the log. */
  afterwards?: (tx: Transaction) => Promise<void>
  entry?: AuditEntry
}

/** Has a function of the database act, with its row of the log. @returns null, or the refusal of its word */
export function actAsStaff(
  db: Database,
  { call: [name, ...values], done, field, decider, taker, afterwards, entry }: StaffAct,
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await callFunction<string>(tx, name, ...values)
    if (word === done) {
      await afterwards?.(tx)
      if (entry) await appendAudit(tx, entry)
      return null
    }
    if (decider && (word === 'decided' || word === 'already_frozen')) {
      return decidedBefore(await decider(tx))
    }
    if (taker && word === 'payment_taken') return takenBefore(await taker(tx))
    return refuseByWord(refusalWord(word), word === 'not_found' && field ? { field } : undefined)
  })
}
