import { feedPlayer, heart, lobby, oddsList } from '@sum28/contract/lottery-routes.ts'
import * as staff from '@sum28/contract/staff-house-routes.ts'
import { gameDayOfIssue } from '@sum28/domain/issues.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { SUM_RULE_BASE, SUMS } from '@sum28/domain/outcomes.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { bind, type ReplyExtras, type RouteBinding } from '#src/http/call.ts'
import { totalsInRoom } from '#src/modules/bets/bet-store.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import { oddsOfRoom } from '#src/modules/games/catalog.ts'
import { payoutMaxOf } from '#src/modules/games/payout-limit.ts'
import { wireRules } from '#src/modules/games/wire-rules.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Board, ReadLobby } from './board.ts'
import type { Heartbeat } from './heartbeat.ts'
import {
  cancelPlannedStop,
  gamesOf,
  houseStops,
  openBetting,
  planStop,
  type StopSubject,
  stopBetting,
  stopState,
  stopSubjectOf,
  stopsNow,
} from './stop-betting.ts'

export function roomRoutes(deps: {
  db: Queryable
  heartbeat: Heartbeat
  board: Board
  readLobby: ReadLobby
}): RouteBinding[] {
  const { db, board, readLobby } = deps

  return [
    bind(lobby, async ({ input }) => {
      const gameList = await readLobby(input.game_id)
      return input.game_id !== undefined && gameList.length === 0
        ? refuse('not_found')
        : { gameList }
    }),

    bind(heart, ({ caller, input }) =>
      deps.heartbeat.beat(caller, {
        gameId: input.game_id,
        roomId: input.plan_id,
        after: input.after ?? null,
      }),
    ),

    bind(feedPlayer, async ({ input: { game_id: gameId, plan_id: roomId, feed_id } }) => {
      const room = await deps.heartbeat.find({ gameId, roomId })
      if (isRefusal(room)) return room
      const entry = (await board.feed(roomId, 0)).find(({ id }) => Number(id) === feed_id)
      if (!entry) return refuse('not_found')
      // No more than what a reader of the feed could add up by the entries' pseudonym.
      const { playerId, issue } = entry
      const range = { playerId, roomId, day: gameDayOfIssue(issue) }
      const { count, staked, payout, pending } = await totalsInRoom(db, range)
      return {
        count: Number(count),
        quantity: formatAmount(staked),
        payout: formatAmount(payout),
        pending: formatAmount(pending),
      }
    }),

    bind(oddsList, async ({ input }) => {
      const [offers, payoutMax] = await Promise.all([
        oddsOfRoom(db, input.plan_id),
        payoutMaxOf(db),
      ])
      const [first] = offers
      if (!first) return refuse('not_found')
      return {
        ...wireRules(offers),
        num_code: Object.fromEntries(SUMS.map((sum) => [String(SUM_RULE_BASE + sum), String(sum)])),
        payout_max: formatAmount(payoutMax),
        rules_version: first.rulesVersion,
      }
    }),
  ]
}

export function roomStaffRoutes(deps: {
  db: Database
  catalog: () => Promise<Catalog>
  now: () => number
  /** Called with games in which something was stopped or opened. */
  roundChanged: (...gameIds: number[]) => void
}): RouteBinding[] {
  const { db, catalog, now } = deps

  async function state(): Promise<staff.StopState> {
    const [known, stops, house] = await Promise.all([catalog(), stopsNow(db), houseStops(db)])
    return stopState(known, { stops, house })
  }

  /** Stops or opens something, notifies the viewers, and returns the present stops. */
  async function change(
    { extras }: { extras: ReplyExtras },
    act: () => Promise<StopSubject | Refusal>,
  ): Promise<staff.StopState | Refusal> {
    const subject = await act()
    if (isRefusal(subject)) return subject
    extras.committed(null)
    deps.roundChanged(...(await gamesOf(db, subject)))
    return state()
  }

  /** Acts on what the request names. */
  async function named(
    input: Parameters<typeof stopSubjectOf>[0],
    act: (subject: StopSubject) => Promise<null | Refusal>,
  ): Promise<StopSubject | Refusal> {
    const subject = stopSubjectOf(input)
    if (isRefusal(subject)) return subject
    return (await act(subject)) ?? subject
  }

  /** A repeat is told the stops of now. */
  const kept = { store: () => null, replay: state }

  return [
    bind(staff.stops, state),
    bind(
      staff.stopBetting,
      (call) =>
        change(call, () =>
          named(call.input, (subject) => {
            const { reason, note } = call.input
            return stopBetting(db, { subject, reason, note, session: call.caller.token })
          }),
        ),
      kept,
    ),
    bind(
      staff.planStop,
      (call) =>
        change(call, () =>
          named(call.input, (subject) => {
            const { told, begins_at, ends_at } = call.input
            const times = { now: now(), beginsAt: begins_at * 1_000, endsAt: ends_at * 1_000 }
            return planStop(db, { subject, told, session: call.caller.token, ...times })
          }),
        ),
      kept,
    ),
    bind(
      staff.cancelPlannedStop,
      (call) =>
        change(call, () =>
          cancelPlannedStop(db, { id: call.input.id, session: call.caller.token }),
        ),
      kept,
    ),
    bind(
      staff.openBetting,
      (call) =>
        change(call, () =>
          named(call.input, (subject) => {
            const seen = call.input.stop_id ?? null
            return openBetting(db, { subject, seen, session: call.caller.token })
          }),
        ),
      kept,
    ),
  ]
}
