/** The SQL of stops by the operator: besides the mark itself the reason, the person and the time. */
import type { STOP_REASONS } from '@sum28/contract/staff-house-routes.ts'
import { callFunction, only, type Queryable, type Transaction } from '#src/db/database.ts'

/** What one stop applies to: all betting, a game with its rooms, or a room. */
export type StopSubject =
  | { readonly scope: 'all' }
  | { readonly scope: 'game' | 'room'; readonly id: number }

export type StopReason = (typeof STOP_REASONS)[number]

export type Stop = {
  scope: StopSubject['scope']
  /** A game's or a room's id; 0 for all. */
  subjectId: number
  reason: StopReason
  note: string | null
  /** The name of a member of staff. */
  stoppedBy: string
  stoppedAt: number
}

export function stopsNow(db: Queryable): Promise<Stop[]> {
  return db.query<Stop>(
    `select scope, subject_id as "subjectId", reason, note, member.name as "stoppedBy",
       stopped_at as "stoppedAt"
     from games.stop join staff.member on member.id = stopped_by`,
  )
}

/** Since when betting is stopped because the database's clock and the beacon's disagree or were not compared, or null. */
export async function clocksApartSince(db: Queryable): Promise<number | null> {
  return only(
    await db.query<{ since: number | null }>(
      `select case when games.clocks_apart(house) then coalesce(clocks_apart_since, clocks_agreed_at) end as since
       from games.house`,
    ),
  ).since
}

/** Its number in the database. */
function subjectId(subject: StopSubject): number {
  return subject.scope === 'all' ? 0 : subject.id
}

/** Stops; false if there is no such game or room. Waits for bets that are in progress. */
export async function putStop(
  tx: Transaction,
  stop: { subject: StopSubject; reason: StopReason; note: string | null; session: string },
): Promise<boolean> {
  const { subject, reason, note, session } = stop
  return only(
    await tx.query<{ done: boolean }>(`select games.stop_betting($1, $2, $3, $4, $5) as done`, [
      subject.scope,
      subjectId(subject),
      reason,
      note,
      session,
    ]),
  ).done
}

export function liftStop(
  tx: Transaction,
  { subject, session }: { subject: StopSubject; session: string },
): Promise<'open' | 'not_found' | 'not_stopped'> {
  return callFunction(tx, 'games.open_betting($1, $2, $3)', [
    subject.scope,
    subjectId(subject),
    session,
  ])
}

/** The games whose rooms a stop affects. */
export async function gamesOf(db: Queryable, subject: StopSubject): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select id from games.game where $1 = 'all' or ($1 = 'game' and id = $2)
       or ($1 = 'room' and id = (select game_id from games.room where room.id = $2))`,
    [subject.scope, subjectId(subject)],
  )
  return rows.map(({ id }) => id)
}
