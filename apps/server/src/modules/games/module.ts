/** Games and their rooms, and the rules. */
import { rules } from '@sum28/contract/index-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf, roundsInDay } from '@sum28/domain/schedule.ts'
import { bind } from '#src/http/call.ts'
import { refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { catalogReader, type Offer, type Room } from './catalog.ts'
import { payoutMaxOf } from './payout-limit.ts'
import { wireRules } from './wire-rules.ts'

type RoomRules = Omit<Room, 'robots' | 'stopped'> & {
  gameName: string
  rulesVersion: number
  /** In the order of the rules: named outcomes, then sums. */
  offers: Offer[]
}

export function gamesModule(deps: Pick<Resources, 'db' | 'config' | 'schedule' | 'now'>) {
  const { db, config, schedule } = deps
  return {
    catalog: catalogReader(db),
    routes: [
      bind(rules, async ({ input }) => {
        const [all, payoutMax] = await Promise.all([
          db.query<RoomRules>(
            `select room.id, game_id as "gameId", game.name as "gameName", title, type,
               stake_min as "stakeMin", stake_max as "stakeMax", entry_min as "entryMin",
               rules_version as "rulesVersion",
               json_agg(json_build_object('ruleId', rule.id, 'outcome', outcome, 'ways', ways,
                 'oddsMilli', odds_milli) order by rule.id) as offers
             from games.room
               join games.game on game.id = game_id
               join games.odds on room_id = room.id
               join games.rule on rule.id = rule_id
             group by room.id, game.id
             order by game_id, type, room.id`,
          ),
          payoutMaxOf(db),
        ])
        const rooms = all.filter(
          ({ gameId }) => input.game_id === undefined || gameId === input.game_id,
        )
        if (rooms.length === 0) return refuse('not_found')
        return {
          round_seconds: schedule.roundMs / 1000,
          seal_seconds: schedule.sealMs / 1000,
          rounds_a_day: roundsInDay(schedule, dayOf(schedule.timeZone, deps.now())),
          opening_hours: config.openingHours,
          game_timezone: schedule.timeZone,
          beacon_deadline_seconds: config.beacon.deadlineMs / 1000,
          payout_max: formatAmount(payoutMax),
          rooms: rooms.map((room) => ({
            id: room.id,
            game_id: room.gameId,
            game_name: room.gameName,
            title: room.title,
            type: room.type,
            min_limit: formatAmount(room.stakeMin),
            max: formatAmount(room.stakeMax),
            join_limit: formatAmount(room.entryMin),
            rules_version: room.rulesVersion,
            ...wireRules(room.offers),
          })),
        }
      }),
    ],
  }
}
