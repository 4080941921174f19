/** Stops of betting by the operator: stopping, opening, and the present stops with reason, person and time. */
import type { STOP_REASONS, StopState } from '@sum28/contract/staff-house-routes.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import { actAsStaff, appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import { unixSeconds, unixSecondsOrNull, wireOf } from '#src/wire-form.ts'

/**
 * Stops a room, a game or all betting: after the answer the database accepts no more bets there. Rounds continue, and
 * accepted bets are settled. A stop can be repeated with another reason.
 *
 * @returns null, or not_found, malformed (`other` without a note)
 */
export async function stopBetting(
  db: Database,
  stop: {
    subject: StopSubject
    reason: StopReason
    note: string | undefined
    session: string
  },
): Promise<null | Refusal> {
  const { subject, reason, session, note = null } = stop
  if (reason === 'other' && note === null) return malformed({ note: 'required' })
  return asStaff(db, async (tx) => {
    const values = [subject.scope, subject.id, reason, note, session]
    // Waits for bets that are in progress.
    const isThere = await callFunction<boolean>(tx, 'games.stop_betting', ...values)
    if (!isThere) return refuse('not_found', { field: 'id' })
    await appendAudit(tx, {
      session,
      action: 'betting_stopped',
      subject: stopSubjectName(subject),
      details: { reason, note },
    })
    return null
  })
}

/**
 * Ends the stop of a room, of a game or of all betting. A room whose game is stopped takes no bets until the game is
 * opened too.
 *
 * @param opening `seen`: the number of the stop that was seen, null if it had no reason
 * @returns null, or not_found, not_stopped, or already_decided: another person has stopped it anew
 */
export function openBetting(
  db: Database,
  { subject, seen, session }: { subject: StopSubject; seen: number | null; session: string },
): Promise<null | Refusal> {
  return actAsStaff(db, {
    call: ['games.open_betting', subject.scope, subject.id, seen, session],
    decider: async (tx) => {
      const { stoppedBy: by, stoppedAt: at } =
        (await stopsNow(tx)).find(
          (stop) => stop.scope === subject.scope && stop.subjectId === subject.id,
        ) ?? {}
      return { by, at }
    },
    done: 'open',
    field: 'id',
    entry: { session, action: 'betting_opened', subject: stopSubjectName(subject), details: {} },
  })
}

/** The longest time ahead for which a stop can be planned. */
const PLANNED_AHEAD_MS = 90 * 24 * 3_600_000

/**
 * Plans a stop, which begins and ends by itself; players are told of it a day before.
 *
 * @param plan times in milliseconds since 1970; `told`: what players are told
 * @returns null, or not_found, or malformed: it must end after it begins and after now, within 90 days
 */
export async function planStop(
  db: Database,
  plan: {
    subject: StopSubject
    beginsAt: number
    endsAt: number
    told: string
    session: string
    now: number
  },
): Promise<null | Refusal> {
  const { subject, beginsAt, endsAt, told, session, now } = plan
  if (endsAt <= Math.max(beginsAt, now)) return malformed({ ends_at: 'ends_too_early' })
  if (endsAt > now + PLANNED_AHEAD_MS) return malformed({ ends_at: 'too_far_ahead' })
  const [begins, ends] = [new Date(beginsAt), new Date(endsAt)]
  return asStaff(db, async (tx) => {
    const id = await callFunction<number | null>(
      tx,
      'games.plan_stop',
      ...[subject.scope, subject.id, begins, ends, told, session],
    )
    if (id === null) return refuse('not_found', { field: 'id' })
    const times = { begins_at: begins.toISOString(), ends_at: ends.toISOString() }
    await appendAudit(tx, {
      session,
      action: 'stop_planned',
      subject: stopSubjectName(subject),
      details: { planned_stop: id, ...times, note: told },
    })
    return null
  })
}

/**
 * Cancels a planned stop that has not begun.
 *
 * @returns what it was to stop, or not_found, or already_decided: it has begun, or is over
 */
export async function cancelPlannedStop(
  db: Database,
  { id, session }: { id: number; session: string },
): Promise<StopSubject | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await callFunction<'cancelled' | 'not_found' | 'decided'>(
      tx,
      'games.cancel_planned_stop',
      ...[id, session],
    )
    if (word !== 'cancelled') return refuseByWord(word, { field: 'id' })
    const subject = await tx.one<StopSubject>(
      'select scope, subject_id as id from games.planned_stop where id = $1',
      [id],
    )
    await appendAudit(tx, {
      session,
      action: 'planned_stop_cancelled',
      subject: stopSubjectName(subject),
      details: { planned_stop: id },
    })
    return subject
  })
}

/** Its name in the audit log: `betting`, `game:1` or `room:11`. */
function stopSubjectName({ scope, id }: StopSubject): string {
  return scope === 'all' ? 'betting' : `${scope}:${id}`
}

/** The subject of a request; malformed if the id is missing, or is given with `all`. */
export function stopSubjectOf(input: {
  scope: StopSubject['scope']
  id?: number | null | undefined
}): StopSubject | Refusal {
  const { scope, id = null } = input
  if (scope === 'all') return id === null ? { scope, id: 0 } : malformed({ id: 'invalid' })
  return id === null ? malformed({ id: 'required' }) : { scope, id }
}

/** What one stop applies to: all betting, a game with its rooms, or a room. */
export type StopSubject = {
  readonly scope: 'all' | 'game' | 'room'
  /** A game's or a room's id; 0 for all. */
  readonly id: number
}

export type StopReason = (typeof STOP_REASONS)[number]

export type Stop = {
  id: number
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
    `select stop.id, scope, subject_id as "subjectId", reason, note, member.name as "stoppedBy",
       stopped_at as "stoppedAt"
     from games.stop join staff.member on member.id = stopped_by`,
  )
}

/** What stops all betting. */
export type HouseStops = {
  /** By a person or a plan. */
  stopped: boolean
  /** Since when the database's clock and the beacon's disagree or were not compared, or null. */
  clocksApartSince: number | null
}

export function houseStops(db: Queryable): Promise<HouseStops> {
  return db.one<HouseStops>(
    `select stopped, case when games.clocks_apart(house)
         then coalesce(clocks_apart_since, nullif(clocks_compared_at, '-infinity'), app.now())
       end as "clocksApartSince"
     from games.house`,
  )
}

export function gamesOf(db: Queryable, { scope, id }: StopSubject): Promise<number[]> {
  return db.column(
    `select id from games.game where $1 = 'all' or ($1 = 'game' and id = $2)
       or ($1 = 'room' and id = (select game_id from games.room where room.id = $2))`,
    [scope, id],
  )
}

/** The present stops, game by game and room by room, with their reasons. */
export function stopState(
  { games, rooms, planned }: Catalog,
  { stops, house }: { stops: readonly Stop[]; house: HouseStops },
): StopState {
  const of = (scope: Stop['scope'], id: number) => {
    const stop = stops.find((each) => each.scope === scope && each.subjectId === id)
    return stop ? wireStop(stop) : null
  }
  return {
    stopped: house.stopped,
    stop: of('all', 0),
    clocks_apart_since: unixSecondsOrNull(house.clocksApartSince),
    planned: planned.map(wireOf),
    games: games.map((game) => ({
      id: game.id,
      name: game.name,
      stopped: game.stopped,
      stop: of('game', game.id),
      rooms: rooms
        .filter(({ gameId }) => gameId === game.id)
        .map(({ id, title, type, stopped }) => ({
          id,
          title,
          type,
          stopped,
          stop: of('room', id),
        })),
    })),
  }
}

function wireStop({ id, reason, note, stoppedBy, stoppedAt }: Stop): StopState['stop'] {
  return {
    id,
    reason,
    note,
    stopped_by: stoppedBy,
    stopped_at: unixSeconds(stoppedAt),
  }
}
