import { randomBytes } from 'node:crypto'
import { mayDo, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { unseenKinds } from '@sum28/contract/staff-proposal-routes.ts'
import * as wire from '@sum28/contract/staff-start-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import {
  addDays,
  gameDayAt,
  gameDaySpan,
  type ScheduleRules,
  startOfDay,
} from '@sum28/domain/schedule.ts'
import { webhookFault } from '#src/adapters/send-webhook.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { pageOf, wirePage } from '#src/db/list.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import { webhookSecret } from '#src/modules/console/alerts/send-alerts.ts'
import { actAsStaff, asStaff } from '#src/modules/staff/audit.ts'
import { isRefusal, malformed, refuseByWord } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { type RowOf, unixSecondsOrNull, wireOf } from '#src/wire-form.ts'
import {
  type Figures,
  figuresOfDay,
  hoursOfDay,
  othersOfDay,
  type RoomFigures,
  roomsOfDay,
} from './figures-store.ts'
import { readNeedsOf, SEEN_BY } from './needs-store.ts'
import { shownSettings } from './shown-settings.ts'
import { storedTerms } from './stored-terms.ts'

const SHIFT_NOTES = {
  columns: 'note.id, written_at as at, member.name as by, text',
  from: 'staff.shift_note note join staff.member on member.id = written_by',
  id: { sql: 'note.id', type: 'bigint' },
} as const

/**
 * The permission that is required to do a task of which it does not differ by person whom it waits for; without one, it is
 * for all who see it, except for the auditor.
 */
const DONE_BY: Partial<Record<wire.Need, StaffAction>> = {
  rests_returned: 'withdrawals.rest',
  identities_waiting: 'identity.decide',
  accounts_alike: 'players.review',
  bank_balance_old: 'reserves.proposeBank',
  differences_found: 'transfers.decide',
  stops: 'stops.open',
}

export function startRoutes(deps: Resources): RouteBinding[] {
  const { db, schedule, now } = deps
  return [
    ...alertRoutes(deps),
    bind(wire.shownSettings, async () => ({
      list: shownSettings({ ...deps.config, ...(await storedTerms(db)) }),
    })),
    bindList(db, wire.listShiftNotes, async (db, input) =>
      wirePage(await pageOf<RowOf<wire.ShiftNote>>(db, SHIFT_NOTES, input)),
    ),
    bind(wire.writeShiftNote, async ({ input: { text }, caller }) => {
      const id = await asStaff(db, (tx) =>
        callFunction<number>(tx, 'staff.write_shift_note', text, caller.token),
      )
      return isRefusal(id) ? id : null
    }),

    bind(wire.startNeeds, async ({ caller: { role, staffId } }) => {
      const mayEnd = (need: wire.Need) => mayDo(role, DONE_BY[need] ?? SEEN_BY[need])
      const does = new Set(role === 'auditor' ? [] : wire.NEEDS.filter(mayEnd))
      const rows = await readNeedsOf(db, { staffId, does, unseen: unseenKinds(role) })
      const needs = wire.NEEDS.flatMap((need) => rows.filter((row) => row.need === need))
        .filter(({ need }) => mayDo(role, SEEN_BY[need]))
        .map((row) => ({ ...row, since: unixSecondsOrNull(row.since) }))
      return { needs }
    }),

    bind(wire.startFigures, async () => {
      const { days, rooms } = await startFigures(db, schedule, now())
      return {
        days: days.map(({ soFar, hours, ...day }) => ({
          ...wireOf(day),
          so_far: wireOf(soFar),
          hours: hours.map(wireOf),
        })),
        rooms: rooms.map(({ before, ...room }) => ({
          ...wireOf(room),
          before: before.map(formatAmount),
        })),
      }
    }),
  ]
}

const NONE: Figures = { turnover: 0n, payouts: 0n, expected: 0n, deviation: 0n, bets: 0 }

const HOUR_MS = 3_600_000

/** The days that are shown, as days before today. */
const DAYS = [0, 1, 7]

/**
 * @param now milliseconds since 1970, by the database's clock
 * @returns the present game day and two earlier ones, and by room where there were bets on one of them
 */
export async function startFigures(db: Queryable, schedule: ScheduleRules, now: number) {
  const today = gameDayAt(schedule, now)
  const since = now - gameDaySpan(schedule, today).opensAt
  const days = []
  const rooms: RoomFigures[][] = []
  for (const before of DAYS) {
    const day = addDays(today, -before)
    const begin = gameDaySpan(schedule, day).opensAt
    const hours: Figures[] = []
    for (const { hour, ...figures } of await hoursOfDay(db, { day, from: new Date(begin) })) {
      // A part of an hour would stand beside whole ones.
      if (before === 0 && (hour + 1) * HOUR_MS > since) continue
      while (hours.length < hour) hours.push(NONE)
      hours[hour] = figures
    }
    rooms.push(await roomsOfDay(db, { day, until: new Date(begin + since) }))
    days.push({
      day,
      /** Of the rounds that ended in each hour since the day's beginning that is over. */
      hours,
      /** Up to the present time of day. */
      soFar: await figuresOfDay(db, { day, until: new Date(begin + since) }),
      ...(await othersOfDay(db, {
        day,
        // As in the reports: the calendar day, which has 23 or 25 hours if the clocks change.
        from: new Date(startOfDay(schedule.timeZone, day)),
        until: new Date(startOfDay(schedule.timeZone, addDays(day, 1))),
      })),
    })
  }
  const [ofToday = [], ...earlier] = rooms
  const turnoverIn = (list: readonly RoomFigures[], roomId: number) =>
    list.find((room) => room.roomId === roomId)?.turnover ?? 0n
  return {
    days,
    rooms: ofToday
      .map((room) => ({
        ...room,
        before: earlier.map((list) => turnoverIn(list, room.roomId)),
      }))
      .filter(({ turnover, before }) => [turnover, ...before].some((each) => each > 0n)),
  }
}

/** Serves the calls about alerts: what is mailed to whom, and the webhooks. */
function alertRoutes({ db, cipher, config }: Resources): RouteBinding[] {
  const privateToo = config.profile === 'demo'
  return [
    bind(wire.ownAlerts, async ({ caller: { staffId, role } }) => {
      const text = 'select alerts from staff.member where id = $1'
      const alerts = await db.value<string[]>(text, [staffId])
      const seen = wire.ALERT_KINDS.filter((kind) => mayDo(role, wire.ALERTS[kind]))
      return { list: seen.map((kind) => ({ kind, chosen: alerts.includes(kind) })) }
    }),

    bind(wire.chooseAlerts, async ({ input: { kinds = [] }, caller }) => {
      const done = await asStaff(db, (tx) =>
        tx.query('select staff.choose_alerts($1, $2)', [kinds, caller.token]),
      )
      return isRefusal(done) ? done : null
    }),

    bind(wire.listWebhooks, async () => {
      const rows = await db.query<RowOf<wire.WireWebhook> & { failedSince: number | null }>(
        `select webhook.id, url, kinds, member.name as "madeBy", made_at as "madeAt", failed_since as "failedSince",
           failure, (select count(*)::integer from staff.alert_delivery
             where webhook_id = webhook.id and sent_at is null) as waiting
         from staff.webhook join staff.member on member.id = made_by where ended_at is null order by webhook.id`,
      )
      return rows.map(({ failedSince, ...row }) => ({
        ...wireOf({ ...row, id: Number(row.id) }),
        failed_since: unixSecondsOrNull(failedSince),
      }))
    }),

    bind(
      wire.addWebhook,
      async ({ input: { url, kinds }, caller }) => {
        const fault = webhookFault(url, privateToo)
        if (fault) return malformed({ url: fault })
        const salt = randomBytes(16)
        const { keyId } = cipher
        const id = await asStaff(db, (tx) =>
          callFunction<number | null>(
            ...([tx, 'staff.add_webhook', url, kinds, salt, keyId] as const),
            caller.token,
          ),
        )
        if (isRefusal(id)) return id
        if (id === null) return malformed({ url: 'too_many' })
        return { id, secret: webhookSecret(cipher, { salt, keyId }) }
      },
      // The secret is not stored: it is made again.
      {
        store: ({ id }) => ({ id }),
        replay: async (_call, { id }) => {
          const [row] = await db.query<{ salt: Buffer; keyId: string }>(
            'select salt, key_id as "keyId" from staff.webhook where id = $1',
            [id],
          )
          return row ? { id, secret: webhookSecret(cipher, row) } : refuseByWord('not_found')
        },
      },
    ),

    bind(wire.removeWebhook, ({ input: { id }, caller: { token } }) =>
      actAsStaff(db, { call: ['staff.remove_webhook', id, token], done: 'closed' }),
    ),
  ]
}
